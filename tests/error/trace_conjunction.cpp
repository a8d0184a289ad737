/// Rule 1: &&, which would have to branch. Must not compile.
import octet.base;
import octet.trace;

using namespace octet;

Array program(Array x, Array y) {
  return select(x > 0 && y > 0, x, y);  // refused: X101: a traced Array has no value to branch on
}
