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

/// A subcommand of octet, or a group of them.
struct Subcommand {
  const char* name;
  const char* description;
  const char* example;  ///< under its help
  /// Adds its options, beside `--json`, and what it does: called for the subcommand that was chosen and for no other.
  void (*add_options)(CLI::App* sub, Invocation& invocation) = nullptr;
  std::span<const Subcommand* const> below = {};  ///< instead of options: those of which one is chosen
};

extern const Subcommand train_subcommand, evaluate_subcommand, fill_subcommand, detect_subcommand, continue_subcommand,
    tokenizer_subcommand, data_subcommand, export_subcommand, check_subcommand, estimate_subcommand, bench_subcommand,
    explain_subcommand;

/// Adds it without its options: those come when the command line names it. Numbers and names that they are given are
/// taken as they stand. CLI11 reads numbers as C does: 010 as 8, nothing as 0, what is too large as the largest there
/// is, -1 as a large one. Names of files and directories may not be empty. What is referred to must outlive `app`.
void add(CLI::App& app, Invocation& invocation, const Subcommand& subcommand);

/// An option whose help shows its default value; given twice, the last one counts.
template <class T>
CLI::Option* option(CLI::App* app, const std::string& names, T& value, const std::string& description) {
  return app->add_option(names, value, description)->capture_default_str()->take_last();
}

/// The name of an option that was given: of a flag that was taken back, `--no-header` for `--header`.
std::string as_written(const CLI::Option& option);

/// What `parse` puts before an argument in brackets, or one that begins with it; options get theirs without it, and a
/// ParseError has it.
inline constexpr char bracket_mark = '\1';

/// Parses the command line. An argument in brackets stands for itself: CLI11 would read `[a,b]` as a list of two.
/// Throws CLI::ParseError.
void parse(CLI::App& app, int count, char** arguments);

}  // namespace program
