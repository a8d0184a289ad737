/// The options of a training run on the command line. Imports octet: include it after all other headers.
#pragma once
import cli11;
import octet.standard;
import octet;

namespace program {

/// One option, and how to read it off a run.
struct TrainChoice {
  std::string name;
  CLI::Option* option;
  std::function<std::string(const octet::train::TrainOptions&)> value;
};

/// Every member of TrainOptions as an option of `app`; `options` must outlive it.
std::vector<TrainChoice> add_train_options(CLI::App* app, octet::train::TrainOptions& options);

/// train::validate, whose messages call options by the names that they have on the command line.
void validate_as_given(const std::vector<TrainChoice>& choices, const octet::train::TrainOptions& options);

/// Throws X301 where lines are joined to sequences that no length to pad to holds.
void require_full_sequences_fit(const octet::train::TrainOptions& options);

/// Throws X709 with every option that was given on the command line and differs from the one that a saved run has.
void require_same(const std::vector<TrainChoice>& choices, const octet::train::TrainOptions& given,
                  const octet::train::TrainOptions& saved);

/// `--precision bf16|f32`.
CLI::Option* add_precision(CLI::App* app, octet::Precision& precision);
/// `--threads N`, all that this machine has by default.
CLI::Option* add_threads(CLI::App* app, long long& threads);
/// Throws X709 for a number of threads that makes no sense.
unsigned thread_count(long long threads);

}  // namespace program
