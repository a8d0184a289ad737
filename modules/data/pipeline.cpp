module octet.data;
import octet.base;
import octet.standard;
import octet.text;

namespace octet::data {

namespace {

constexpr std::uint32_t pipeline_stream = 0x7069'7065;  // "pipe"; see order.cpp

template <class T>
void shuffle(std::vector<T>& list, Key key) {
  for (std::size_t left = list.size(); left > 1; --left)
    std::swap(list[left - 1], list[static_cast<std::size_t>(below(key, left, left))]);
}

constexpr std::string_view saved_prefix = "octet position";

}  // namespace

Pipeline::Pipeline(WindowSource source, PipelineOptions options)
    : source_{std::move(source)}, options_{std::move(options)} {
  const auto refuse = [](const std::string& sentence, const std::string& fix) {
    fail([&] { return Diagnostic{.number = 709, .sentence = sentence, .where = {}, .fix = {fix}}; });
  };
  if (options_.replicas < 1 || options_.batch < 1 || options_.batch % options_.replicas != 0)
    refuse("a batch of " + std::to_string(options_.batch) + " examples cannot be shared equally by " +
               std::to_string(options_.replicas) + " replicas",
           "choose a multiple of the replicas, such as 64 for 8");
  if (options_.max_length < 2)
    refuse("examples of at most " + std::to_string(options_.max_length) + " tokens", "allow 2 or more");
  if (options_.max_predictions < 0) refuse("fewer than no predictions", "choose 0 or more");
  padded_length(options_.padding, 1, options_.max_length);
  if (source_.windows == 0)
    fail([&] { return Diagnostic{.number = 706, .sentence = "there is no example to make batches of", .where = {}}; });
}

Pipeline::Window Pipeline::window(std::uint64_t epoch, std::uint64_t index) const {
  Window result{source_.window(epoch, index), {}};
  const Key key = split(split(fold_in(Key::of_seed(options_.seed), pipeline_stream), epoch), index);
  const auto size = static_cast<std::size_t>(options_.batch);
  std::vector<std::size_t> order(result.examples.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  shuffle(order, split(key, 0));
  order.resize(order.size() / size * size);
  if (options_.gather_lengths) {
    std::vector<std::pair<std::int64_t, std::size_t>> by_width;  // and of one width as they were
    for (std::size_t place = 0; place < order.size(); ++place) {
      const auto length = static_cast<std::int64_t>(result.examples[order[place]].ids.size());
      by_width.emplace_back(padded_length(options_.padding, length, options_.max_length), place);
    }
    std::ranges::sort(by_width);
    std::vector<std::size_t> gathered;
    for (const auto& [width, place] : by_width) gathered.push_back(order[place]);
    order = std::move(gathered);
  }
  for (std::size_t begin = 0; begin < order.size(); begin += size) {
    const auto first = order.begin() + static_cast<std::ptrdiff_t>(begin);
    result.batches.emplace_back(first, first + static_cast<std::ptrdiff_t>(size));
    // A batch of several lengths is not to have the short ones on the first replicas.
    shuffle(result.batches.back(), split(key, 2 + begin / size));
  }
  shuffle(result.batches, split(key, 1));
  return result;
}

PipelineBatch Pipeline::batch(const Window& window, std::size_t index) const {
  const std::vector<std::size_t>& rows = window.batches[index];
  std::int64_t longest = 0;
  for (const std::size_t row : rows)
    longest = std::max(longest, static_cast<std::int64_t>(window.examples[row].ids.size()));
  const std::int64_t width = padded_length(options_.padding, longest, options_.max_length);
  const Shape by_token{options_.batch, width}, by_prediction{options_.batch, options_.max_predictions};
  PipelineBatch batch{Tensor::full<std::int32_t>(by_token, options_.padding_id),
                      Tensor{DType::i32, by_token},
                      Tensor{DType::i32, by_token},
                      Tensor{DType::i32, by_prediction},
                      Tensor::full<std::int32_t>(by_prediction, unmasked_label),
                      Tensor{DType::i32, {options_.batch}}};
  const auto ids = batch.input_ids.mutable_span<std::int32_t>();
  const auto attention = batch.attention_mask.mutable_span<std::int32_t>();
  const auto segments = batch.token_type_ids.mutable_span<std::int32_t>();
  const auto positions = batch.masked_positions.mutable_span<std::int32_t>();
  const auto labels = batch.masked_labels.mutable_span<std::int32_t>();
  const auto next = batch.next_sentence_labels.mutable_span<std::int32_t>();
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const TrainingExample& example = window.examples[rows[r]];
    if (example.positions.size() > static_cast<std::size_t>(options_.max_predictions))
      fail([&] {
        return Diagnostic{.number = 709,
                          .sentence = "an example has " + std::to_string(example.positions.size()) +
                                      " masked tokens, more than max_predictions " +
                                      std::to_string(options_.max_predictions),
                          .where = {},
                          .fix = {"allow as many as the examples were made with"}};
      });
    const std::size_t begin = r * static_cast<std::size_t>(width), size = example.ids.size();
    std::ranges::copy(example.ids, ids.subspan(begin).begin());
    std::ranges::fill(attention.subspan(begin, size), 1);
    std::ranges::fill(segments.subspan(begin, size).subspan(static_cast<std::size_t>(example.first_segment)), 1);
    const std::size_t guess = r * static_cast<std::size_t>(options_.max_predictions);
    std::ranges::copy(example.positions, positions.subspan(guess).begin());
    std::ranges::copy(example.labels, labels.subspan(guess).begin());
    next[r] = example.random_next;
    batch.masked += static_cast<std::int64_t>(example.positions.size());
    batch.padding += {static_cast<std::int64_t>(size), width - static_cast<std::int64_t>(size)};
  }
  batch.examples = static_cast<std::int64_t>(rows.size());
  return batch;
}

std::uint64_t Pipeline::fingerprint() const {
  Hasher hasher;
  hasher.add(source_.fingerprint).add(source_.windows).add(options_.seed);
  for (const std::int64_t number : {options_.batch, options_.max_length, std::int64_t{options_.gather_lengths},
                                    static_cast<std::int64_t>(options_.padding.kind), options_.padding.multiple})
    hasher.add(static_cast<std::uint64_t>(number));
  for (const std::int64_t length : options_.padding.lengths) hasher.add(static_cast<std::uint64_t>(length));
  return hasher.value();
}

std::string Pipeline::saved(const PipelinePosition& position) const {
  std::string text{saved_prefix};
  for (const std::uint64_t number : {position.epoch, position.window, position.batch, fingerprint()})
    text += " " + std::to_string(number);
  return text;
}

PipelinePosition Pipeline::restored(std::string_view text) const {
  const auto refuse = [&](const std::string& sentence) {
    fail([&] { return Diagnostic{.number = 729, .sentence = sentence, .where = {}}; });
  };
  if (text.ends_with('\n')) text.remove_suffix(1);
  std::uint64_t numbers[4] = {};
  std::string_view rest = text;
  bool whole = rest.starts_with(saved_prefix);
  if (whole) rest.remove_prefix(saved_prefix.size());
  for (std::uint64_t& number : numbers) {
    if (!whole || !rest.starts_with(' ')) {
      whole = false;
      break;
    }
    const auto [end, error] = std::from_chars(rest.data() + 1, rest.data() + rest.size(), number);
    whole = error == std::errc{};
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  }
  if (!whole || !rest.empty())
    refuse(text::json_string(text::replace_invalid_utf8(text.substr(0, 80))) + " is no position of a pipeline");
  if (numbers[3] != fingerprint() || numbers[1] > source_.windows)
    refuse("the position was saved with other data or options than those given now");
  return {numbers[0], numbers[1], numbers[2]};
}

}  // namespace octet::data
