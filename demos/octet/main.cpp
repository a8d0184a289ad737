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
import octet.standard;
import octet;

namespace program {

namespace {

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
  const auto unknown = app.remaining(true);
  if (chosen->get_require_subcommand_min() > 0 && !unknown.empty() && !unknown.front().starts_with('-')) {
    fault = "there is no command '" + unknown.front() + "' among";
    std::erase(fault, bracket_mark);
    for (const CLI::App* each : chosen->get_subcommands([](const CLI::App*) { return true; }))
      fault += " " + each->get_name();
  }
  std::fprintf(stderr, "%s: %s\nSee %s --help.\n", name.c_str(), fault.c_str(), name.c_str());
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
    return report(octet::Error{{{.number = 408, .sentence = "This machine's memory does not suffice."}}},
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
      "Exit status: 0 done, 1 failed or refused with a numbered message, 2 a command line that cannot be read. `octet "
      "COMMAND --help` has an example.");
  Invocation invocation;
  for (const Subcommand* each : {&train_subcommand, &fill_subcommand, &detect_subcommand, &continue_subcommand,
                                 &tokenizer_subcommand, &data_subcommand, &export_subcommand, &check_subcommand,
                                 &estimate_subcommand, &bench_subcommand, &explain_subcommand})
    add(app, invocation, *each);
  try {
    parse(app, count, arguments);
  } catch (const CLI::ParseError& error) {
    return wrong_usage(app, error);
  }
  return run(invocation);
}
