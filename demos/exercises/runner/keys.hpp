/// Keys, one at a time.
#pragma once

namespace exercises {

enum Key : int { no_key = 0, end_of_input = -1, arrow_up = 1000, arrow_down };

/// While it lives, standard input gives each key at once and the terminal does not show it.
class RawTerminal {
 public:
  RawTerminal();
  ~RawTerminal();
  RawTerminal(const RawTerminal&) = delete;
  RawTerminal& operator=(const RawTerminal&) = delete;
};

/// The next key, within so many milliseconds; `no_key` where none came.
int next_key(int milliseconds);

}  // namespace exercises
