/// The right twin of trace_container.cpp.
#include <vector>

import octet.base;
import octet.trace;

using namespace octet;

Array program(Array table, std::vector<Array> losses, Array x, Array y) {
  losses.push_back(x);
  Array z = minimum(x, maximum(x, y));
  z = clamp(y, sort({x})[0], z);
  return take(table, cast<int>(z)) + losses[0];
}
