/// Other programs, run with a limit of time.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "output.hpp"

namespace exercises {

struct Limits {
  double seconds;
  std::uint64_t bytes = 0;  ///< of memory that it may write to; 0 for no limit
};

struct Finished {
  int status = -1;         ///< the exit status; -1 where a signal ended it
  int signal = 0;          ///< which
  bool too_long = false;   ///< whether it was stopped at the limit
  Output output = {};      ///< standard output and error together
  std::string facts = {};  ///< what it wrote to the file descriptor whose number it finds in OCTET_FACTS
};

/// Runs a program by its path and waits for it. Past the limit of time it is ended with all that it started; so it is
/// where an interruption (Ctrl-C) arrives, see interrupted().
Finished run_program(const std::vector<std::string>& command, const Limits& limits);

/// From now on an interruption or a request to end only sets a flag.
void catch_interruptions();
bool interrupted();

}  // namespace exercises
