/// Other programs, run with a limit of time.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "output.hpp"

namespace exercises {

struct Limits {
  double seconds;                  ///< by the clock
  unsigned processor_seconds = 0;  ///< that it may compute, however long it waits; 0 for no limit
  std::uint64_t bytes = 0;         ///< of memory that it may write to; 0 for no limit
};

struct Finished {
  int status = -1;         ///< the exit status; -1 where a signal ended it
  int signal = 0;          ///< which
  bool too_long = false;   ///< whether it was stopped at a limit of time
  Output output = {};      ///< standard output and error together
  std::string facts = {};  ///< what it wrote to the file descriptor whose number it finds in OCTET_FACTS
};

/// Runs a program by its path and waits for it. Past a limit of time it is ended with all that it started; so it is
/// where an interruption (Ctrl-C) arrives, see interrupted().
Finished run_program(const std::vector<std::string>& command, const Limits& limits);

/// From now on an interruption or a request to end only sets a flag.
void catch_interruptions();
bool interrupted();

}  // namespace exercises
