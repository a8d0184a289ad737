#include "keys.hpp"

#include <poll.h>
#include <termios.h>
#include <unistd.h>

namespace exercises {

namespace {

termios before;
bool changed = false;

/// One byte of input; `no_key` where none comes in time, `end_of_input` where none will.
int next_byte(int milliseconds) {
  pollfd waiting{STDIN_FILENO, POLLIN, 0};
  if (poll(&waiting, 1, milliseconds) <= 0) return no_key;
  unsigned char byte;
  return read(STDIN_FILENO, &byte, 1) == 1 ? static_cast<int>(byte) : static_cast<int>(end_of_input);
}

}  // namespace

RawTerminal::RawTerminal() {
  if (tcgetattr(STDIN_FILENO, &before) != 0) return;
  termios raw = before;
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  changed = tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0;
}

RawTerminal::~RawTerminal() {
  if (changed) tcsetattr(STDIN_FILENO, TCSANOW, &before);
}

int next_key(int milliseconds) {
  const int byte = next_byte(milliseconds);
  if (byte != 27) return byte;
  if (next_byte(20) != '[') return no_key;
  switch (next_byte(20)) {
    case 'A':
      return arrow_up;
    case 'B':
      return arrow_down;
    default:
      return no_key;
  }
}

}  // namespace exercises
