module octet.train;
import octet.base;
import octet.data;
import octet.standard;
import octet.text;
import :training_data;

namespace octet::train {

namespace {

constexpr std::size_t most_held_out = 4096;  // an evaluation is to take seconds, whatever the data

data::Part part(const TrainOptions& options, data::Part::Kind kind) {
  return {kind, static_cast<std::uint64_t>(options.held_out_one_in)};
}
data::Part training(const TrainOptions& options) { return part(options, data::Part::Kind::training); }
data::Part held_out(const TrainOptions& options) { return part(options, data::Part::Kind::held_out); }

[[noreturn]] void refuse_vocabulary(const std::string& sentence, const std::string& where) {
  fail({.number = 736, .sentence = sentence, .where = {where, 0, ""}});
}

TrainingData measured_on(data::WindowSource training, const data::WindowSource& held_out, std::int64_t predictions) {
  return {std::move(training), data::first_examples(held_out, data::evaluation_epoch, most_held_out), predictions};
}

}  // namespace

data::WindowSource record_source(const std::vector<std::filesystem::path>& files, const text::WordPiece& tokenizer,
                                 const TrainOptions& options, const data::Part& part) {
  validate(options);
  const std::string name = files.empty() ? "" : files.front().string() + (files.size() > 1 ? " and others" : "");
  return data::checked(data::record_windows(files, options.seed, static_cast<std::uint64_t>(options.window), part),
                       name, tokenizer.vocabulary().size());
}

data::WindowSource document_source(const data::TokenFile& documents, const text::WordPiece& tokenizer,
                                   const TrainOptions& options, const data::Part& part) {
  validate(options);
  documents.verify();
  const data::BertExampleOptions examples{.max_seq_length = options.seq,
                                          .max_predictions_per_seq = max_predictions(options),
                                          .masked_lm_prob = options.masking.probability,
                                          .replaced_by_mask = options.masking.replaced_by_mask,
                                          .replaced_by_random = options.masking.replaced_by_random,
                                          .short_seq_prob = options.short_seq_prob,
                                          .whole_word_mask = options.whole_word_mask,
                                          .next_sentence = options.next_sentence,
                                          .random_seed = options.seed,
                                          .part = part};
  return data::bert_windows({documents, tokenizer, examples}, static_cast<std::uint64_t>(options.window));
}

data::WindowSource block_source(const data::TokenFile& tokens, const text::Bpe& tokenizer, const TrainOptions& options,
                                const data::Part& part, data::Remainder remainder) {
  validate(options);
  if (tokens.vocabulary() != tokenizer.size())
    refuse_vocabulary(tokens.name() + " holds ids of " + std::to_string(tokens.vocabulary()) +
                          " pieces, and the vocabulary has " + std::to_string(tokenizer.size()) + ".",
                      tokens.name());
  tokens.verify();
  return data::causal_windows(
      data::CausalBlocks{
          tokens, {.context_length = options.seq, .remainder = remainder, .seed = options.seed, .part = part}},
      static_cast<std::uint64_t>(options.window));
}

TrainingData masked_data(data::WindowSource training, const data::WindowSource& held_out, const TrainOptions& options) {
  TrainingData result = measured_on(std::move(training), held_out, max_predictions(options));
  result.held_out_fingerprint = held_out.fingerprint;
  return result;
}

TrainingData causal_data(data::WindowSource training, const data::WindowSource& held_out) {
  TrainingData result = measured_on(std::move(training), held_out, 0);
  result.held_out_fingerprint = held_out.fingerprint;
  return result;
}

TrainingData record_data(const std::vector<std::filesystem::path>& files, const text::WordPiece& tokenizer,
                         const TrainOptions& options) {
  return measured_on(record_source(files, tokenizer, options, training(options)),
                     record_source(files, tokenizer, options, held_out(options)), max_predictions(options));
}

TrainingData document_data(const data::TokenFile& documents, const text::WordPiece& tokenizer,
                           const TrainOptions& options) {
  return measured_on(document_source(documents, tokenizer, options, training(options)),
                     document_source(documents, tokenizer, options, held_out(options)), max_predictions(options));
}

TrainingData block_data(const data::TokenFile& tokens, const text::Bpe& tokenizer, const TrainOptions& options) {
  return measured_on(block_source(tokens, tokenizer, options, training(options)),
                     block_source(tokens, tokenizer, options, held_out(options)), 0);
}

}  // namespace octet::train
