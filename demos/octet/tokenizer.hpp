/// The subcommands of `octet tokenizer`.
#pragma once
#include <CLI/CLI.hpp>

#include "command.hpp"

namespace program {

void add_tokenizer_train(CLI::App& tokenizer, Invocation& invocation);

}  // namespace program
