module octet.data;
import octet.base;
import octet.standard;
import octet.text;

namespace octet::data {

namespace {

struct Row {
  std::size_t example;
  std::uint64_t epoch;
};

void check(const Examples& examples, const text::Vocabulary& vocabulary, const BatchOptions& options) {
  const auto refuse = [](const std::string& sentence, const std::string& fix) {
    fail({.number = 709, .sentence = sentence, .where = {}, .fix = {fix}});
  };
  const Masking& masking = options.masking;
  if (examples.empty())
    fail([&] { return Diagnostic{.number = 706, .sentence = "there is no example to make batches of", .where = {}}; });
  if (options.batch < 1 || options.batch > 1 << 24)
    refuse("a batch of " + std::to_string(options.batch) + " examples", "use 1 to 2^24, such as 64");
  if (!(masking.probability > 0 && masking.probability <= 1))
    refuse("a masking probability of " + std::to_string(masking.probability),
           "choose one above 0 and at most 1, such as 0.15");
  if (!(masking.replaced_by_mask >= 0 && masking.replaced_by_random >= 0 &&
        masking.replaced_by_mask + masking.replaced_by_random <= 1 + 1e-9))
    refuse("replaced_by_mask " + std::to_string(masking.replaced_by_mask) + " and replaced_by_random " +
               std::to_string(masking.replaced_by_random) + " are no shares of one whole",
           "choose shares that add up to at most 1, such as 0.8 and 0.1");
  // An example without [CLS] and [SEP] is as long as with them: what may be masked is at most max_length - 2 tokens.
  std::int64_t longest = 0;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    std::int64_t ordinary = 0;
    for (std::int32_t id : examples[i]) {
      vocabulary.piece(id);
      ordinary += !vocabulary.is_special(id);
    }
    longest = std::max({longest, examples.length(i), ordinary + 2});
  }
  padded_length(options.padding, longest, options.max_length);
}

// `rows` may be fewer than the batch; the rest is filled up.
MaskedBatch make_batch(const Examples& examples, const text::Vocabulary& vocabulary, const BatchOptions& options,
                       std::span<const Row> rows) {
  const text::SpecialIds& special = vocabulary.special_ids();
  const std::int32_t filler[] = {special.classification, special.separator};
  std::int64_t longest = 2;
  for (const Row& row : rows) longest = std::max(longest, examples.length(row.example));
  const std::int64_t width = padded_length(options.padding, longest, options.max_length);
  const std::int64_t predictions = masked_count(options.masking, options.max_length - 2);
  const Shape by_token{options.batch, width}, by_prediction{options.batch, predictions};

  MaskedBatch batch{Tensor::full<std::int32_t>(by_token, special.padding),
                    Tensor{DType::i32, by_token},
                    Tensor{DType::i32, by_token},
                    Tensor::full<std::int32_t>(by_token, unmasked_label),
                    Tensor{DType::i32, by_prediction},
                    Tensor::full<std::int32_t>(by_prediction, unmasked_label)};
  const auto ids = batch.input_ids.mutable_span<std::int32_t>();
  const auto attention = batch.attention_mask.mutable_span<std::int32_t>();
  const auto labels = batch.labels.mutable_span<std::int32_t>();
  const auto positions = batch.masked_positions.mutable_span<std::int32_t>();
  const auto position_labels = batch.masked_labels.mutable_span<std::int32_t>();

  for (std::size_t r = 0; r < static_cast<std::size_t>(options.batch); ++r) {
    const bool real = r < rows.size();
    const std::span<const std::int32_t> tokens =
        real ? examples[rows[r].example] : std::span<const std::int32_t>{filler};
    const std::size_t begin = r * static_cast<std::size_t>(width);
    std::ranges::copy(tokens, ids.begin() + static_cast<std::ptrdiff_t>(begin));
    std::ranges::fill(attention.subspan(begin, tokens.size()), 1);
    if (!real) {
      batch.padding += {0, width};
      continue;
    }
    batch.padding += {static_cast<std::int64_t>(tokens.size()), width - static_cast<std::int64_t>(tokens.size())};
    const auto row_labels = labels.subspan(begin, tokens.size());
    mask_tokens(ids.subspan(begin, tokens.size()), row_labels, options.masking, vocabulary,
                {options.seed, rows[r].epoch, rows[r].example});
    std::size_t next = r * static_cast<std::size_t>(predictions);
    for (std::size_t i = 0; i < row_labels.size(); ++i) {
      if (row_labels[i] == unmasked_label) continue;
      positions[next] = static_cast<std::int32_t>(i);
      position_labels[next++] = row_labels[i];
      ++batch.masked;
    }
  }
  batch.examples = static_cast<std::int64_t>(rows.size());
  return batch;
}

/// The one that begins at example `begin`.
MaskedBatch evaluation_batch(const Examples& examples, const text::Vocabulary& vocabulary, const BatchOptions& options,
                             std::size_t begin) {
  std::vector<Row> rows;
  for (std::size_t i = begin; i < std::min(begin + static_cast<std::size_t>(options.batch), examples.size()); ++i)
    rows.push_back({i, evaluation_epoch});
  return make_batch(examples, vocabulary, options, rows);
}

}  // namespace

MaskedBatches::MaskedBatches(Examples examples, text::Vocabulary vocabulary, BatchOptions options)
    : examples_{std::move(examples)}, vocabulary_{std::move(vocabulary)}, options_{std::move(options)} {
  check(examples_, vocabulary_, options_);
}

std::size_t MaskedBatches::example_at(Position place) const {
  if (!options_.shuffle) return static_cast<std::size_t>(place.index);
  return static_cast<std::size_t>(shuffled(place.index, examples_.size(), options_.seed, place.epoch));
}

MaskedBatch MaskedBatches::at(Position position) const {
  std::vector<Row> rows;
  rows.reserve(static_cast<std::size_t>(options_.batch));
  for (std::int64_t i = 0; i < options_.batch; ++i) {
    const Position place = advanced(position, static_cast<std::uint64_t>(i), examples_.size());
    rows.push_back({example_at(place), place.epoch});
  }
  return make_batch(examples_, vocabulary_, options_, rows);
}

std::int64_t MaskedBatches::longest_at(Position position) const {
  std::int64_t longest = 0;
  for (std::int64_t i = 0; i < options_.batch; ++i)
    longest = std::max(
        longest, examples_.length(example_at(advanced(position, static_cast<std::uint64_t>(i), examples_.size()))));
  return longest;
}

Position MaskedBatches::after(Position position) const {
  return advanced(position, static_cast<std::uint64_t>(options_.batch), examples_.size());
}

Position MaskedBatches::after_steps(std::uint64_t steps) const {
  return advanced({}, steps * static_cast<std::uint64_t>(options_.batch), examples_.size());
}

MaskedBatch MaskedBatches::to_measure(std::size_t number) const {
  return evaluation_batch(examples_, vocabulary_, options_, number * static_cast<std::size_t>(options_.batch));
}

std::vector<MaskedBatch> evaluation_batches(const Examples& examples, const text::Vocabulary& vocabulary,
                                            const BatchOptions& options) {
  check(examples, vocabulary, options);
  std::vector<MaskedBatch> batches;
  for (std::size_t begin = 0; begin < examples.size(); begin += static_cast<std::size_t>(options.batch))
    batches.push_back(evaluation_batch(examples, vocabulary, options, begin));
  return batches;
}

}  // namespace octet::data
