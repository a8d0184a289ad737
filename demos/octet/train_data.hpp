/// What octet train is trained on and begins with. Imports octet: include it after all other headers.
#pragma once
#include "example_files.hpp"
#include "train_options.hpp"
import cli11;
import octet.standard;
import octet;

namespace program {

/// A model that is trained further.
using BegunWith = std::variant<octet::train::Model, octet::train::ElectraModel, octet::train::CausalModel>;

struct TrainData : ExampleFiles {
  std::vector<std::string> held_out;
  std::string tokenizer, kind = "masked", from;
  std::shared_ptr<const BegunWith> begun;  ///< what --from names, from settle on until a run has begun with it
  long long epochs = 0, batch_per_replica = 0;

  void add_to(CLI::App* sub);
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

  /// Lines to train on, and those of --held-out.
  octet::train::Lines all_lines() const;
  /// Whether the words of lines are there before: those of --tokenizer or --from.
  bool has_words() const { return !tokenizer.empty() || begun; }
  /// The words of --tokenizer or --from.
  octet::text::WordPiece wordpiece() const;
  /// The same, or learned from the texts.
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
  /// Takes the sizes of the model that --from names.
  void begin_from(octet::train::TrainOptions& options);
  /// `--text novel.txt`, and the options that say how it is read.
  std::string text_line() const;

  CLI::App* app_ = nullptr;
};

}  // namespace program
