/// octet: the command line. Parses, runs the subcommand's work, and turns what it throws into messages and exit
/// statuses: 0 done, 1 the work failed, 2 wrong usage.
#include <csignal>
#include <cstdio>
#include <iostream>

#include "output.hpp"

#include "command.hpp"
#include "help.hpp"
#include "interruption.hpp"
#include "messages.hpp"
#include "misspelt.hpp"
import octet.standard;
import octet;

namespace program {

namespace {

bool is_option(const std::string& word) {
  return word.size() > 1 && word[0] == '-' && (word[1] == '-' || std::isalpha(static_cast<unsigned char>(word[1])));
}

/// What is said of words on the command line that are no options of the command, in their order.
std::string fault_of_unknown(const CLI::App& chosen, const std::vector<std::string>& unknown) {
  std::vector<std::string> names;
  for (const CLI::Option* option : chosen.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back(name);
  std::string fault, others;
  for (const std::string& word : unknown) {
    if (!is_option(word)) {
      others += " " + word;
      continue;
    }
    const std::string name = word.substr(0, word.find('='));
    const std::string bare = name.substr(name.find_first_not_of('-')), meant = nearest_name(bare, names);
    fault += fault.empty() ? "" : "; ";
    if (meant == bare)  // an option of the command that stands before it
      fault += name + " belongs behind " + chosen.get_name();
    else
      fault += "there is no option " + name + (meant.empty() ? "" : ": try --" + meant);
  }
  return fault.empty() ? "not expected:" + others : fault;
}

/// `--steps: 1 required INT missing`, as one would say it.
std::string said(const std::string& fault) {
  const std::size_t at = fault.find(": 1 required ");
  return at != fault.npos && fault.ends_with(" missing") ? fault.substr(0, at) + " is given no value" : fault;
}

int wrong_usage(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) {  // help and version
    const int status = app.exit(error);
    return std::cout.flush() ? status : 1;
  }
  // The subcommand that was being parsed, as one would type it.
  const CLI::App* chosen = &app;
  std::string name = app.get_name(), fault = error.what();
  for (auto below = app.get_subcommands(); !below.empty(); below = chosen->get_subcommands()) {
    chosen = below.front();
    name += " " + chosen->get_name();
  }
  std::erase(fault, bracket_mark);
  fault = said(fault);
  auto unknown = app.remaining(true);
  for (std::string& word : unknown) std::erase(word, bracket_mark);
  if (chosen->get_require_subcommand_min() > 0 && !unknown.empty() && !unknown.front().starts_with('-')) {
    fault = "there is no command '" + unknown.front() + "' among";
    for (const CLI::App* each : chosen->get_subcommands([](const CLI::App*) { return true; }))
      fault += " " + each->get_name();
  } else if (fault.starts_with("The following argument")) {
    fault = fault_of_unknown(*chosen, unknown);
  } else if (std::ranges::any_of(unknown, is_option)) {
    fault += "; " + fault_of_unknown(*chosen, unknown);
  }
  std::fprintf(stderr, "%s: %s\nSee %s --help.\n", name.c_str(), harmless(fault).c_str(), name.c_str());
  return 2;
}

int run(const Invocation& invocation) {
  try {
    return finished(invocation.work());
  } catch (const octet::Error& error) {
    return report(error, invocation.json);
  } catch (const Interrupted& interrupted) {
    return interrupted.status;
  } catch (const std::bad_alloc&) {
    return report(octet::Error{{{.number = 408,
                                 .sentence = "This machine's memory does not suffice.",
                                 .rule = "What is not read or written in parts lies in this machine's memory.",
                                 .fix = {"ask for less at once: a shorter text, a smaller model or batch",
                                         "allow it more memory: end other programs, or raise ulimit -v"}}}},
                  invocation.json);
  } catch (const std::filesystem::filesystem_error& error) {
    return report(octet::Error{{{.number = 701,
                                 .sentence = "cannot look at " + error.path1().string() + ": " + error.code().message(),
                                 .where = {error.path1().string(), 0, ""}}}},
                  invocation.json);
  }
}

}  // namespace
}  // namespace program

int main(int count, char** arguments) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file beyond a limit of its size is refused as one that does not fit the disk
  using namespace program;
  CLI::App app{"Trains, tries and measures small BERT models on eight simulated TPU replicas.", "octet"};
  app.set_version_flag("--version", "octet " OCTET_VERSION, "print the version");
  app.require_subcommand(1);
  app.formatter(octet::shared<Help>());
  app.footer(
      "Exit status: 0 done, 1 failed or refused with a numbered message, 2 a command line that cannot be read, 3 a "
      "program to check that holds what Octet does not know. `octet COMMAND --help` has an example.");
  Invocation invocation;
  for (const Subcommand* each : {&train_subcommand, &evaluate_subcommand, &fill_subcommand, &detect_subcommand,
                                 &continue_subcommand, &tokenizer_subcommand, &data_subcommand, &export_subcommand,
                                 &check_subcommand, &estimate_subcommand, &bench_subcommand, &explain_subcommand})
    add(app, invocation, *each);
  try {
    parse(app, count, arguments);
  } catch (const CLI::ParseError& error) {
    return wrong_usage(app, error);
  }
  return run(invocation);
}
