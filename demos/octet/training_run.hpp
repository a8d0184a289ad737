/// One run of `octet train`. Imports octet: include it after all other headers.
#pragma once
#include "train_command.hpp"

namespace program {

/// Trains from the data to the last line, and saves; the exit status.
int run_training(TrainCommand& command, bool json);

}  // namespace program
