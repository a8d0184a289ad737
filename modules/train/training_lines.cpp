module octet.train;
import octet.base;
import octet.compile;
import octet.data;
import octet.standard;
import octet.text;
import :options;
import :training_lines;

namespace octet::train {

text::WordPiece learned(const std::vector<std::string>& lines, const TrainOptions& options) {
  text::WordPieceTraining training;
  training.vocab_size = static_cast<std::size_t>(options.vocab_size);
  // Of scripts with thousands of characters the most frequent ones are kept, so that there is room for words.
  training.limit_alphabet = static_cast<std::size_t>(std::max<std::int64_t>(options.vocab_size / 4, 16));
  training.clean_up.lowercase = options.lowercase;
  training.clean_up.strip_accents = options.strip_accents;
  text::WordPieceTrainer trainer{training};
  for (const std::string& line : lines) trainer.add(line);
  return trainer.train();
}

std::string hash_of(const data::Split& split) {
  Hasher hasher;
  for (const auto* lines : {&split.training, &split.held_out}) {
    hasher.add(static_cast<std::uint64_t>(lines->size()));
    for (const std::string& line : *lines) hasher.add(std::string_view{line});
  }
  return hasher.text();
}

/// Lengths of batches of lines are known before the first step, costs in seconds are not the same twice: so many
/// programs are given and only padding is weighed, by which a run stays a function of text, options and seed.
data::Padding fitted_padding(const data::MaskedBatches& batches, const TrainOptions& options) {
  const auto batch = static_cast<std::uint64_t>(options.batch);
  const std::uint64_t epoch = (batches.examples().size() + batch - 1) / batch;
  LengthHistogram lengths{{options.seq, 1}};  // of later epochs
  data::Position at;
  for (std::uint64_t i = 0; i < std::min(epoch, static_cast<std::uint64_t>(options.steps)); ++i, at = batches.after(at))
    ++lengths[batches.longest_at(at)];
  const FittedBuckets fit =
      fitted(lengths, {.seconds_per_element = 1, .max_buckets = static_cast<std::size_t>(options.fitted_programs)});
  std::vector<std::int64_t> fitting = fit.policy.extents();
  fitting.back() = options.seq;  // rounded up, it may be longer than a sequence can be
  return data::pad_to_one_of(std::move(fitting));
}

}  // namespace octet::train
