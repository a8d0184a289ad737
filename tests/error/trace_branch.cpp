/// Rule 1: a host branch on what two arrays compare to. Must not compile.
import octet.base;
import octet.trace;

using namespace octet;

Array program(Array x, Array y) {
  if (x > y)  // refused: X101: a traced Array has no value to branch on
    return x;
  return y;
}
