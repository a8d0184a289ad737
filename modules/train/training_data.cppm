/// What a run is trained on where that is not lines in memory: record files, or files of tokens from which examples are
/// made anew each epoch. Read as they are needed, so they may be larger than memory.
export module octet.train:training_data;
import octet.base;
import octet.data;
import octet.standard;
import octet.text;
import :options;

export namespace octet::train {

/// What a run learns from, and what its loss is measured on.
struct TrainingData {
  data::WindowSource training;
  std::vector<data::TrainingExample> held_out;  ///< the first 4,096 examples of what is held out
  std::int64_t max_predictions = 0;             ///< tokens to be guessed in an example, at most; 0 where all are
  std::uint64_t held_out_fingerprint = 0;       ///< of a source of its own; 0 where it is a part of the other
};

/// Examples that BERT's script or `octet data bert` wrote, all or a part of them. Throws as data::record_windows does,
/// and X736 for ids that the tokenizer does not have.
data::WindowSource record_source(const std::vector<std::filesystem::path>& files, const text::WordPiece& tokenizer,
                                 const TrainOptions& options, const data::Part& part = {});
/// Examples made of documents on the fly, masked anew each epoch as TrainOptions.masking says. Throws as
/// data::BertExamples does.
data::WindowSource document_source(const data::TokenFile& documents, const text::WordPiece& tokenizer,
                                   const TrainOptions& options, const data::Part& part = {});
/// Blocks of TrainOptions.seq tokens for causal language modelling. Throws as data::CausalBlocks does, and X736 for the
/// tokens of another vocabulary.
data::WindowSource block_source(const data::TokenFile& tokens, const text::Bpe& tokenizer, const TrainOptions& options,
                                const data::Part& part = {}, data::Remainder remainder = data::Remainder::drop);

/// To train on all of `training` and to measure on `held_out`, both for models with masks.
TrainingData masked_data(data::WindowSource training, const data::WindowSource& held_out, const TrainOptions& options);
/// The same for causal models.
TrainingData causal_data(data::WindowSource training, const data::WindowSource& held_out);

// To train on one source but for a part that is held out: one in TrainOptions.held_out_one_in of its records, documents
// or blocks. They throw as the source's function does.

/// Where a text was written several times over, what is held out is masked otherwise in records that are trained on:
/// the loss on it flatters.
TrainingData record_data(const std::vector<std::filesystem::path>& files, const text::WordPiece& tokenizer,
                         const TrainOptions& options);
/// No token of a held-out document is trained on.
TrainingData document_data(const data::TokenFile& documents, const text::WordPiece& tokenizer,
                           const TrainOptions& options);
TrainingData block_data(const data::TokenFile& tokens, const text::Bpe& tokenizer, const TrainOptions& options);

}  // namespace octet::train
