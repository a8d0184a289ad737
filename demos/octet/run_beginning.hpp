/// How a run of `octet train` begins. Imports octet: include it after all other headers.
#pragma once
#include "progress.hpp"

#include "train_command.hpp"

namespace program {

enum class Beginning {
  fresh,       ///< or with the weights of the model that --from names
  resumed,     ///< where --out was saved
  after_loss,  ///< the same, by the process that saved it and then lost all replicas
};

/// A trainer of what the command line names, before its first step or behind the last that was saved. Throws, before
/// anything is written, where options do not fit each other, the saved run, or this machine's memory.
template <class Model>
octet::train::BasicTrainer<Model> begun_run(TrainCommand& command, Beginning beginning, octet::Threads& threads,
                                            Progress& progress);

}  // namespace program
