/// Rule 1: every other way to ask an array for its truth. None must compile.
#undef NDEBUG
#include <cassert>

import octet.base;
import octet.trace;

using namespace octet;

Array chosen(Array x, Array y) {
  return x > y ? x : y;  // refused: X101: a traced Array has no value to branch on
}

Array largest_of_loop(Array x, Array y) {
  for (; x < y;) x = x * 2.0f;  // refused: X101: a traced Array has no value to branch on
  do x = x + 1.0f;
  while (x < y);  // refused: X101: a traced Array has no value to branch on
  return x;
}

Array until_done(Array done, Array x) {
  while (!done) x = x + 1.0f;  // refused: X101: a traced Array has no value to branch on, and ! asks for one
  return x;
}

Array inside(Array x, Array y) {
  if (x > 0.0f && y > 0.0f) return x;  // refused: X101: a traced Array has no value to branch on, and && must branch
  if (sum(x) > 3) return y;            // refused: X101: a traced Array has no value to branch on
  if (Array both = x > y) return x;    // refused: X101: a traced Array has no value to branch on
  if (bool known = x.rank() > 1; known || x > y) return x;  // refused: X101: a traced .*, and .. must branch
  return not(x == y);  // refused: X101: a traced Array has no value to branch on, and ! asks for one
}

bool positive(Array x) {
  bool all_of_them = x > 0;                      // refused: X101: a traced Array has no value to branch on
  assert(x > 0);                                 // refused: X101: a traced Array has no value to branch on
  if (all_of_them) return static_cast<bool>(x);  // refused: X101: a traced Array has no value to branch on
  return x > 0;                                  // refused: X101: a traced Array has no value to branch on
}
