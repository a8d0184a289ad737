/// Rule 1: the standard library's functions, which compare with < and branch by it. Must not compile; libstdc++ leads
/// to this line, libc++ to one of its own, as its functions pass the comparison on.
#include <algorithm>

import octet.base;
import octet.trace;

using namespace octet;

Array program(Array x, Array y) {
  Array z = std::max(x, y);    // refused: X101: a traced Array has no value to branch on
  z = std::min(x, z);          // refused: X101: a traced Array has no value to branch on
  return std::clamp(x, y, z);  // refused: X101: a traced Array has no value to branch on
}
