/// Rule 1: a host loop until an array is large enough. Must not compile.
import octet.base;
import octet.trace;

using namespace octet;

Array program(Array x, Array y) {
  Array last = x;
  while (last < y)  // refused: X101: a traced Array has no value to branch on
    last = last * 2.0f;
  return last;
}
