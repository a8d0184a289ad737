/// The subcommands of `octet tokenizer`. Imports modules: include it after all other headers.
#pragma once
#include "command.hpp"
import cli11;

namespace program {

void add_tokenizer_train(CLI::App& tokenizer, Invocation& invocation);

}  // namespace program
