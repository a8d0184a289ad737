/// The right twin of trace_container.cpp.
#include <vector>

import octet.base;
import octet.trace;

using namespace octet;

Array program(Array table, std::vector<Array> losses, Array x, Array y) {
  losses.push_back(x);
  Array z = maximum(x, y);
  return take(table, cast<int>(z)) + losses[0];
}
