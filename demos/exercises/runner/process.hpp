/// Other programs, run with a limit of time.
#pragma once
#include <string>
#include <vector>

namespace exercises {

struct Finished {
  int status = -1;        ///< the exit status; -1 where a signal ended it
  bool too_long = false;  ///< whether it was stopped at the limit
  std::string output;     ///< standard output and error together, at most the first megabyte
};

/// Runs a program by its path and waits for it. Past `seconds` it is killed with all that it started; so it is where an
/// interruption (Ctrl-C) arrives, see interrupted().
Finished run_program(const std::vector<std::string>& command, double seconds);

/// From now on an interruption or a request to end only sets a flag.
void catch_interruptions();
bool interrupted();

}  // namespace exercises
