module octet.train;
import octet.base;
import octet.data;
import octet.standard;
import octet.text;
import :training_data;

namespace octet::train {

namespace {

constexpr std::size_t most_held_out = 4096;                    // an evaluation is to take seconds, whatever the data
constexpr std::uint64_t evaluation_epoch = ~std::uint64_t{0};  // no epoch of training comes this far

data::Part part(const TrainOptions& options, data::Part::Kind kind) {
  return {kind, static_cast<std::uint64_t>(options.held_out_one_in)};
}

[[noreturn]] void refuse_vocabulary(const std::string& sentence, const std::string& where) {
  fail({.number = 736, .sentence = sentence, .where = {where, 0, ""}});
}

/// `source(part)` makes the source of a part.
TrainingData divided(const TrainOptions& options, std::int64_t predictions, auto&& source) {
  return {source(part(options, data::Part::Kind::training)),
          data::first_examples(source(part(options, data::Part::Kind::held_out)), evaluation_epoch, most_held_out),
          predictions};
}

}  // namespace

TrainingData record_data(const std::vector<std::filesystem::path>& files, const text::WordPiece& tokenizer,
                         const TrainOptions& options) {
  validate(options);
  const std::string name = files.empty() ? "" : files.front().string() + (files.size() > 1 ? " and others" : "");
  return divided(options, max_predictions(options), [&](const data::Part& part) {
    return data::checked(data::record_windows(files, options.seed, static_cast<std::uint64_t>(options.window), part),
                         name, tokenizer.vocabulary().size());
  });
}

TrainingData document_data(const data::TokenFile& documents, const text::WordPiece& tokenizer,
                           const TrainOptions& options) {
  validate(options);
  documents.verify();
  return divided(options, max_predictions(options), [&](const data::Part& part) {
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
  });
}

TrainingData block_data(const data::TokenFile& tokens, const text::Bpe& tokenizer, const TrainOptions& options) {
  validate(options);
  if (tokens.vocabulary() != tokenizer.size())
    refuse_vocabulary(tokens.name() + " holds ids of " + std::to_string(tokens.vocabulary()) +
                          " pieces, and the vocabulary has " + std::to_string(tokenizer.size()) + ".",
                      tokens.name());
  tokens.verify();
  return divided(options, 0, [&](const data::Part& part) {
    return data::causal_windows(
        data::CausalBlocks{tokens, {.context_length = options.seq, .seed = options.seed, .part = part}},
        static_cast<std::uint64_t>(options.window));
  });
}

}  // namespace octet::train
