/// Rule 2: a slice as long as an array says. Must not compile.

import octet.base;
import octet.trace;

using namespace octet;

Array cut(Array x, Array length) {
  return slice_in_dim(x, 0, length, 0);  // refused: X202: no extent, size or index can be taken from a traced Array
}
