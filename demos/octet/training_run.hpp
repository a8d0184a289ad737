/// One run of `octet train`. Imports octet: include it after all other headers.
#pragma once
#include "train_data.hpp"
#include "train_options.hpp"
import octet.standard;
import octet;

namespace program {

/// What the command line asks for.
struct TrainCommand {
  TrainData data;
  std::string out, logging_dir;
  bool resume = false, overwrite = false, precision_report = false;
  std::vector<std::string> losses;
  long long threads = 1, loaders = 1, evaluate_every = 100, save_every = 100, save_total_limit = 0;
  octet::train::TrainOptions options;
  std::vector<TrainChoice> choices;
};

/// Trains from the data to the last line, and saves; the exit status.
int run_training(TrainCommand& command, bool json);

}  // namespace program
