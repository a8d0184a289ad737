/// What a run is trained on where that is not lines in memory: record files, or files of tokens from which examples are
/// made anew each epoch. Read as they are needed, so they may be larger than memory.
export module octet.train:training_data;
import octet.base;
import octet.data;
import octet.standard;
import octet.text;
import :options;

export namespace octet::train {

/// A part of the data is held out to measure the loss on: one in TrainOptions.held_out_one_in of its documents, records
/// or blocks.
struct TrainingData {
  data::WindowSource training;
  std::vector<data::TrainingExample> held_out;  ///< the first 4,096 examples of what is held out
  std::int64_t max_predictions = 0;             ///< tokens to be guessed in an example, at most; 0 where all are
};

/// Examples that BERT's script or `octet data bert` wrote. Where a text was written several times over, what is held
/// out is masked otherwise in records that are trained on: the loss on it flatters. Throws as data::record_windows
/// does, and X736 for ids that the tokenizer does not have.
TrainingData record_data(const std::vector<std::filesystem::path>& files, const text::WordPiece& tokenizer,
                         const TrainOptions& options);
/// Examples made of documents on the fly, masked anew each epoch as TrainOptions.masking says. No token of a held-out
/// document is trained on. Throws as data::BertExamples does.
TrainingData document_data(const data::TokenFile& documents, const text::WordPiece& tokenizer,
                           const TrainOptions& options);
/// Blocks of TrainOptions.seq tokens for causal language modelling. Throws as data::CausalBlocks does, and X736 for the
/// tokens of another vocabulary.
TrainingData block_data(const data::TokenFile& tokens, const text::Bpe& tokenizer, const TrainOptions& options);

}  // namespace octet::train
