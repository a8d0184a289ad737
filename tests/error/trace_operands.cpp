/// What is no operand: a number that is no index, and a key that is no number. Must not compile, each at its own line.
import octet.base;
import octet.trace;

using namespace octet;

Array half(Array x) { return take(x, 2.5); }      // refused: X402: take.x, i. takes elements by their numbers
Array first(Array x) { return take(x, true); }    // refused: X402: take.x, i. takes elements by their numbers
Array noisy(Array x) { return x + Key{}; }        // refused: X402: a Key is two numbers that random bits are made of
Array scaled(Array x) { return Key{7} * x; }      // refused: X402: a Key is two numbers that random bits are made of
Array spread(Tensor x) { return x - Key{1, 2}; }  // refused: X402: a Key is two numbers that random bits are made of
