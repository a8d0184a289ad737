/// Assigning to an element of an array, which is another array. Must not compile, each at its own line.
import octet.base;
import octet.trace;

using namespace octet;

Array program(Array x, Array y) {
  x[0] = y;         // refused: X109: an Array never changes, and x[i] is another one
  x[1] = x[0] * y;  // refused: X109: an Array never changes, and x[i] is another one
  x + y = y;        // refused: X109: an Array never changes, and x[i] is another one
  x[0] += y;        // refused: X109: an Array never changes, and x[i] is another one
  x[0] *= 2.0;      // refused: X109: an Array never changes, and x[i] is another one
  return x;
}
