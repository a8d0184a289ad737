/// Ctrl-C, SIGTERM and SIGHUP, of a terminal that was closed: the first asks the work to stop where it can be gone on
/// with, the second ends it at once.
#pragma once

namespace program {

/// From its making to its end, remembers the first such signal instead of ending the program. There may be one at a
/// time.
class Interruption {
 public:
  /// What waits, as for the reader of a pipe, goes on waiting when a signal comes, or fails then, with EINTR.
  enum class Waiting : bool { fails, goes_on };
  explicit Interruption(Waiting waiting = Waiting::goes_on);
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  /// The signal that came, or 0.
  int signal() const;
  /// Of one that came: `SIGINT`.
  const char* name() const;
  /// The exit status that shells give to a program ended by it: 130 for Ctrl-C, 143 for SIGTERM, 129 for SIGHUP.
  int status() const { return 128 + signal(); }
};

/// Thrown where a command stops since such a signal came, with the exit status for it.
struct Interrupted {
  int status;
};

/// Files are put in their places whole, or not at all where that waits for something: such a signal is heard after it.
/// Throws Interrupted then.
void uninterrupted(const auto& save) {
  const Interruption interruption{Interruption::Waiting::fails};
  try {
    save();
  } catch (...) {
    if (!interruption.signal()) throw;
  }
  if (interruption.signal()) throw Interrupted{interruption.status()};
}

}  // namespace program
