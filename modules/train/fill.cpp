module octet.train;
import octet.base;
import octet.compile;
import octet.graph;
import octet.nn;
import octet.standard;
import octet.text;
import octet.trace;
import :encoded_sentence;
import :fill;
import :finite;
import :jit_options;

namespace octet::train {

namespace {

/// The probability of every token of the vocabulary at every position: [seq, vocabulary].
struct Guess {
  Array operator()(const nn::Bert& model, const Array& ids, const Array& attention_mask) const {
    const Array hidden = model.encode(ids, zeros(ids.type()), attention_mask);
    return softmax(model.logits(reshape(hidden, {ids.extent(1), hidden.extent(2)})));
  }
};

/// `sentence` with runs of three or more underscores written as the mask.
std::string with_masks(std::string_view sentence, const std::string& mask) {
  std::string result;
  for (std::size_t i = 0; i < sentence.size();) {
    std::size_t end = i;
    while (end < sentence.size() && sentence[end] == '_') ++end;
    if (end - i >= 3) {
      result += mask;
      i = end;
    } else {
      result += sentence[i++];
    }
  }
  return result;
}

// Whether a word begins after `before`, where a token ends, or goes on: a letter tells.
[[gnu::noinline]] bool begins_after(const std::string& before, const text::WordPiece& tokenizer) {
  const text::Encoding with = tokenizer.encode(before + "a");
  return with.offsets.back().begin == before.size() && !tokenizer.continues_word(with.ids.back());
}

}  // namespace

struct Filler::Program {
  text::WordPiece tokenizer;
  std::int64_t positions;
  Jit<Guess> guess;
};

Filler::Filler(Values<nn::Bert> model, text::WordPiece tokenizer, Threads& threads, Precision precision)
    : model_{std::move(model)} {
  const std::int64_t positions = model_["position.table"].shape()[0];
  program_ = shared<const Program>(
      Program{std::move(tokenizer), positions,
              jit(Guess{}, jit_options(precision, threads, {"model", "ids", "attention_mask"}, "fill"))});
}

std::vector<Blank> Filler::operator()(std::string_view sentence, std::size_t count) const {
  const text::WordPiece& tokenizer = program_->tokenizer;
  const text::SpecialIds& special = tokenizer.special_ids();
  const std::string masked = with_masks(sentence, tokenizer.vocabulary().special().mask);
  if (masked.find(tokenizer.vocabulary().special().mask) == masked.npos)
    fail([&] {
      return Diagnostic{.number = 712,
                        .sentence = "There is no blank in the sentence '" + std::string{sentence} + "'."};
    });
  const EncodedSentence encoded = encoded_sentence(tokenizer, masked, program_->positions);
  const text::Encoding& encoding = encoded.encoding;
  const std::int64_t length = encoded.length();
  const Tensor probabilities = program_->guess(model_, encoded.ids, encoded.attention_mask);
  require_finite_guess(probabilities);

  std::vector<Blank> blanks;
  // A model may have more rows than its vocabulary has pieces: what they stand for nobody knows.
  const std::int64_t columns = probabilities.shape()[1];
  const auto pieces = std::min<std::int64_t>(columns, std::ssize(tokenizer.vocabulary().pieces()));
  for (std::int64_t at = 0; at < length; ++at) {
    const auto i = static_cast<std::size_t>(at);
    if (encoding.ids[i] != special.mask) continue;
    // A blank that begins a word is filled by pieces that do.
    const std::size_t begin = encoding.offsets[i].begin;
    const bool begins_word = begin > encoding.offsets[i - 1].end || i == 1 ||
                             (encoding.ids[i - 1] != special.mask && begins_after(masked.substr(0, begin), tokenizer));
    const auto row =
        probabilities.span<float>().subspan(static_cast<std::size_t>(at * columns), static_cast<std::size_t>(columns));
    std::vector<std::int32_t> order;
    for (std::int32_t id = 0; id < pieces; ++id)
      if (!tokenizer.vocabulary().is_special(id) && !(begins_word && tokenizer.continues_word(id))) order.push_back(id);
    const std::size_t kept = std::min(count, order.size());
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end(),
                      [&](std::int32_t a, std::int32_t b) {
                        const float x = row[static_cast<std::size_t>(a)], y = row[static_cast<std::size_t>(b)];
                        return x != y ? x > y : a < b;
                      });
    Blank blank{at, {}};
    for (std::size_t k = 0; k < kept; ++k) {
      const std::int32_t id = order[k];
      blank.candidates.push_back({tokenizer.decode(std::span{&id, 1}), id, row[static_cast<std::size_t>(id)]});
    }
    blanks.push_back(std::move(blank));
  }
  return blanks;
}

}  // namespace octet::train
