/// What the command line of `octet train` asks for. Imports octet: include it after all other headers.
#pragma once
#include "train_data.hpp"
#include "train_options.hpp"
import octet.standard;
import octet;

namespace program {

struct TrainCommand {
  TrainData data;
  std::string out, logging_dir;
  bool resume = false, overwrite = false, precision_report = false;
  std::vector<std::string> losses;
  long long threads = 1, loaders = 1, evaluate_every = 100, save_every = 100, save_total_limit = 0;
  octet::train::TrainOptions options;
  std::vector<TrainChoice> choices;
};

}  // namespace program
