/// The options that say which transformer a command is about. Imports octet: include it after all other headers.
#pragma once
import cli11;
import octet.standard;
import octet;

namespace program {

struct TransformerOptions {
  std::string model, config, architecture = "bert";
  long long layers = 0, hidden = 0, heads = 0, intermediate = 0, embedding = 0, vocabulary = 0;
  double generator_size = 0.25;
  CLI::Option* sizes_given[6] = {};
  CLI::Option* generator_given = nullptr;

  /// Whether a model is named at all: by name, by file, or by layers and hidden size.
  bool given() const;
  /// What a report calls it, with the sizes that are not those of its name: `bert-base with --layers 6`.
  std::string name() const;
  /// The directory of a saved model; empty where it is another kind of name.
  std::string directory() const;
  /// The config.json that has the sizes; empty where there is none.
  std::string config_file() const { return directory().empty() ? config : directory() + "/config.json"; }
};

/// What the model drops in training, as its config.json says; nothing where it has none.
std::optional<octet::nn::DropoutRates> dropout_of(const TransformerOptions& options);

/// `dropout 0.1`; `dropout 0.1, in attention 0`; `no dropout`.
std::string dropout_text(double hidden, double attention);

/// Adds `--model`, `--config`, `--architecture` and the sizes. `options` must outlive the command line.
void add_transformer_options(CLI::App* sub, TransformerOptions& options);
/// The model; one that is given by sizes alone has positions for sequences of `length` tokens. Throws X717 for a model
/// that is not known or cannot be, X701 and X715 for a config.json that is missing or broken, X709 and X735 for a
/// generator that cannot be.
octet::nn::TransformerConfig sizes_of(const TransformerOptions& options, std::int64_t length);

}  // namespace program
