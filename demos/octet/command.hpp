/// The subcommands of `octet`. Each has a file of its own, which says what it takes and does its work. Imports modules:
/// include it after all other headers.
#pragma once
import cli11;
import octet.standard;

namespace program {

/// What the command line asked for.
struct Invocation {
  std::function<int()> work;  ///< of the chosen subcommand; returns the exit status
  bool json = false;          ///< one JSON object a line on standard output
};

void add_train(CLI::App& app, Invocation& invocation);
void add_fill(CLI::App& app, Invocation& invocation);
void add_detect(CLI::App& app, Invocation& invocation);
void add_continue(CLI::App& app, Invocation& invocation);
void add_tokenizer(CLI::App& app, Invocation& invocation);
void add_explain(CLI::App& app, Invocation& invocation);
void add_check(CLI::App& app, Invocation& invocation);
void add_bench(CLI::App& app, Invocation& invocation);
void add_estimate(CLI::App& app, Invocation& invocation);
void add_export(CLI::App& app, Invocation& invocation);
void add_data(CLI::App& app, Invocation& invocation);

/// A subcommand with `--json` and an example under its help.
CLI::App* subcommand(CLI::App& app, Invocation& invocation, const std::string& name, const std::string& description,
                     const std::string& example);

/// An option whose help shows its default value; given twice, the last one counts.
template <class T>
CLI::Option* option(CLI::App* app, const std::string& names, T& value, const std::string& description) {
  return app->add_option(names, value, description)->capture_default_str()->take_last();
}

/// What `parse` puts before an argument in brackets; options get theirs without it, and a ParseError has it.
inline constexpr char bracket_mark = '\1';

/// Parses the command line, and takes its words as they stand. CLI11 reads numbers as C does: 010 as 8, nothing as 0,
/// what is too large as the largest there is, -1 as a large one; and `[a,b]` as a list of two. Names of files and
/// directories may not be empty. Throws CLI::ParseError.
void parse(CLI::App& app, int count, char** arguments);

}  // namespace program
