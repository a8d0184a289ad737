/// The options that say what a training step takes: sequences, their length, what is guessed of each. Imports octet:
/// include it after all other headers.
#pragma once
import cli11;
import octet.standard;
import octet;

namespace program {

struct BatchOptions {
  long long batch = 0, seq = 512, predictions = 0, accumulate = 1;
  CLI::Option *batch_given = nullptr, *seq_given = nullptr, *predictions_given = nullptr;
};

/// No tensor of a program has more.
inline constexpr double most_elements = static_cast<double>(std::int64_t{1} << 40);

struct BatchSizes {
  std::int64_t sequences = 0, length = 0, predictions = 0;
  std::int64_t parts = 1;  ///< in which each replica takes its share
};

/// Adds `--batch`, `--accumulate`, `--seq`, which `meaning` explains, and `--predictions`. `options` must outlive the
/// command line.
void add_batch_options(CLI::App* sub, BatchOptions& options, const std::string& meaning);

/// Throws X709 for what is below 1, for sequences that `config` has no positions for, for more guesses than tokens, and
/// for more than a program can hold where each of `replicas` takes an equal share of the batch in its parts. Without
/// `--seq`, sequences are no longer than the model takes.
BatchSizes batch_sizes(const BatchOptions& options, const octet::nn::TransformerConfig& config, std::int64_t replicas);

}  // namespace program
