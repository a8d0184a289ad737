/// CLI11, which the command line is parsed with, as a module: its headers are read once, and not for each subcommand.
module;
#include <CLI/CLI.hpp>
export module cli11;

export namespace CLI {

using CLI::App;
using CLI::AppFormatMode;
using CLI::Formatter;
using CLI::IsMember;
using CLI::Option;
using CLI::ParseError;
using CLI::Range;
using CLI::RequiredError;
using CLI::ValidationError;
using CLI::Validator;

namespace detail {
using CLI::detail::find_and_replace;
using CLI::detail::join;
using CLI::detail::lexical_cast;
using CLI::detail::split;

/// detail::expected_max_vector_size, what an option expects that takes any number of values. That itself belongs to
/// each file that includes the headers, and cannot be handed on.
inline constexpr int any_number_of_values = expected_max_vector_size;
}  // namespace detail

}  // namespace CLI
