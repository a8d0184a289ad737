module octet.train;
import octet.base;
import octet.compile;
import octet.graph;
import octet.nn;
import octet.standard;
import octet.text;
import octet.trace;
import :continuation;
import :finite;
import :jit_options;

namespace octet::train {

namespace {

constexpr std::uint32_t continuation_stream = 0x636f'6e74;  // "cont"

/// The logits of what follows the token in place `last`, i32 [1], of ids [1, new], which stand at positions `first` and
/// on; and the cache with them.
struct Next {
  std::pair<Array, nn::KeyValueCache> operator()(const nn::Gpt2& model, const Array& ids, const Array& first,
                                                 const Array& last, const nn::KeyValueCache& cache) const {
    auto [hidden, all] = model.decode(ids, first, cache);
    return {model.logits(take(reshape(hidden, {hidden.extent(1), hidden.extent(2)}), last)), std::move(all)};
  }
};

void validate(const Sampling& sampling) {
  const auto refuse = [](const std::string& sentence, const std::string& fix) {
    fail([&] { return Diagnostic{.number = 709, .sentence = sentence, .fix = {fix}}; });
  };
  if (sampling.tokens < 1) refuse("tokens is " + std::to_string(sampling.tokens) + ".", "choose 1 or more");
  if (!(sampling.temperature >= 0) || !std::isfinite(sampling.temperature))
    refuse("temperature is " + shortest_decimal(sampling.temperature) + ".", "choose 0 or more, such as 0.8");
  if (sampling.top_k < 0) refuse("top_k is " + std::to_string(sampling.top_k) + ".", "choose 1 or more, or 0 for all");
}

std::int32_t drawn(std::span<const float> logits, const Sampling& sampling, double chance) {
  std::vector<std::int32_t> order(logits.size());
  std::iota(order.begin(), order.end(), 0);
  const std::size_t kept = sampling.temperature == 0 ? 1
                           : sampling.top_k == 0     ? order.size()
                                                     : std::min(order.size(), static_cast<std::size_t>(sampling.top_k));
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end(),
                    [&](std::int32_t a, std::int32_t b) {
                      const float x = logits[static_cast<std::size_t>(a)], y = logits[static_cast<std::size_t>(b)];
                      return x != y ? x > y : a < b;
                    });
  order.resize(kept);
  if (kept == 1) return order.front();
  const double top = logits[static_cast<std::size_t>(order.front())];
  std::vector<double> weights;
  double total = 0;
  for (const std::int32_t id : order) {
    weights.push_back(math::exp((logits[static_cast<std::size_t>(id)] - top) / sampling.temperature));
    total += weights.back();
  }
  double rest = chance * total;
  for (std::size_t i = 0; i < order.size(); ++i)
    if ((rest -= weights[i]) < 0) return order[i];
  return order.front();
}

/// Guesses the token after each beginning of one text, of which each is longer than the one before it by a token.
class Decoder {
 public:
  Decoder(const Jit<Next>& next, const Values<nn::Gpt2>& model)
      : next_{next},
        model_{model},
        positions_{model["position.table"].shape()[0]},
        cache_{nn::key_value_cache(model, 1, positions_)} {}

  /// Logits [1, vocabulary]. Where the text is longer than the model has positions, each token takes the place of the
  /// one before it, and all that are seen are computed anew. Else only those are which the cache lacks: at first the
  /// whole text, padded to one of few lengths, then one.
  Tensor operator()(std::span<const std::int32_t> ids) {
    static const BucketPolicy few_lengths = doubling_then_linear(64, 64);
    const auto all = static_cast<std::int64_t>(ids.size());
    const std::int64_t first = all > positions_ ? 0 : cached_;
    cached_ = std::min(all, positions_);
    const std::int64_t fresh = cached_ - first;
    Tensor given{DType::i32, {1, std::min(few_lengths.bucket(fresh), positions_)}};
    std::copy(ids.end() - fresh, ids.end(), given.mutable_span<std::int32_t>().begin());
    auto [logits, cache] =
        next_(model_, given, Tensor::scalar(static_cast<std::int32_t>(first)),
              Tensor::of<std::int32_t>({1}, {static_cast<std::int32_t>(fresh) - 1}), std::move(cache_));
    cache_ = std::move(cache);
    return std::move(logits);
  }

 private:
  const Jit<Next>& next_;
  const Values<nn::Gpt2>& model_;
  std::int64_t positions_, cached_ = 0;
  Values<nn::KeyValueCache> cache_;
};

}  // namespace

struct Continuer::Program {
  text::Bpe tokenizer;
  std::optional<std::int32_t> end;
  Jit<Next> next;
};

Continuer::Continuer(Values<nn::Gpt2> model, text::Bpe tokenizer, Threads& threads, Precision precision,
                     std::optional<std::int32_t> end)
    : model_{std::move(model)} {
  JitOptions options = jit_options(precision, threads, {"model", "ids", "first", "last", "cache"}, "continue");
  options.donated = {"cache"};
  if (!end) end = tokenizer.id("<|endoftext|>");
  program_ = shared<const Program>(Program{std::move(tokenizer), end, jit(Next{}, std::move(options))});
}

std::string Continuer::operator()(std::string_view text, const Sampling& sampling) const {
  validate(sampling);
  const text::Bpe& tokenizer = program_->tokenizer;
  const std::optional<std::int32_t> end = program_->end;
  std::vector<std::int32_t> ids = tokenizer.encode(text).ids;
  if (ids.empty()) {
    if (!end)
      fail([&] {
        return Diagnostic{
            .number = 738,
            .sentence = "There is no text to go on with, and the tokenizer has no <|endoftext|> to begin after."};
      });
    ids.push_back(*end);
  }
  const Key key = fold_in(Key::of_seed(sampling.seed), continuation_stream);
  Decoder expected{program_->next, model_};
  std::string result;
  for (std::int64_t drawn_so_far = 0; drawn_so_far < sampling.tokens; ++drawn_so_far) {
    const Tensor logits = expected(ids);
    require_finite_guess(logits);
    // A model may have more rows than its vocabulary has pieces: what they stand for nobody knows.
    const std::span<const float> known =
        logits.span<float>().first(std::min(tokenizer.size(), logits.span<float>().size()));
    const std::int32_t id = drawn(known, sampling, uniform(key, static_cast<std::uint64_t>(drawn_so_far)));
    if (end && id == *end) break;
    ids.push_back(id);
    result += tokenizer.bytes(id);
  }
  return result;
}

}  // namespace octet::train
