/// The subcommands of `octet tokenizer`.
#pragma once
#include "command.hpp"
import cli11;

namespace program {

void add_tokenizer_train(CLI::App& tokenizer, Invocation& invocation);

}  // namespace program
