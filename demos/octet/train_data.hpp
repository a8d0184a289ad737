/// What octet train is trained on: texts, record files or tokens. Imports octet: include it after all other headers.
#pragma once
#include "data.hpp"
#include "train_options.hpp"
import cli11;
import octet.standard;
import octet;

namespace program {

struct TrainData {
  TextOptions text;
  std::vector<std::string> records;
  std::string tokens, tokenizer, kind = "masked";
  long long epochs = 0, batch_per_replica = 0;

  void add_to(CLI::App* sub);
  /// Whether there is something to train on.
  bool named() const { return !text.files.empty() || !records.empty() || !tokens.empty(); }
  bool causal() const { return kind == "causal"; }
  bool electra() const { return kind == "electra"; }
  /// Lines in memory: each an example, or joined to examples.
  bool is_lines() const { return !causal() && !text.files.empty(); }

  /// Throws X709 and X735 where options do not fit together or the data; then settles those that the data decides.
  void settle(octet::train::TrainOptions& options);
  /// Throws X709 where --batch-per-replica is another than the run was begun with.
  void require_same_batch(const octet::train::TrainOptions& saved) const;
  /// The steps of --epochs, once the data is known.
  void settle_steps(octet::train::TrainOptions& options, const octet::train::TrainingData& data) const;

  /// All lines of the texts that are not blank.
  std::vector<std::string> lines() const;
  /// The words of --tokenizer.
  octet::text::WordPiece wordpiece() const;
  /// The words of --tokenizer, or learned from the texts.
  octet::text::Bpe bpe(const octet::train::TrainOptions& options, octet::Threads& threads) const;
  octet::train::TrainingData data(const octet::text::WordPiece& words, const octet::train::TrainOptions& options,
                                  octet::Threads& threads) const;
  octet::train::TrainingData data(const octet::text::Bpe& words, const octet::train::TrainOptions& options,
                                  octet::Threads& threads) const;

  /// The options that say this, for a command to go on with.
  std::string command_line() const;
  /// Those that were given of the ones that are not saved with a run, behind a space each.
  std::string run_line() const;

 private:
  bool given(const std::string& option) const;
  /// `--text novel.txt`, and the options that say how it is read.
  std::string text_line() const;
  std::vector<std::filesystem::path> record_files() const;

  CLI::App* app_ = nullptr;
};

}  // namespace program
