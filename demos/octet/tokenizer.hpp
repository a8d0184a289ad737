/// The subcommands of `octet tokenizer`. Imports modules: include it after all other headers.
#pragma once
#include "command.hpp"
import cli11;

namespace program {

extern const Subcommand tokenizer_train_subcommand;

}  // namespace program
