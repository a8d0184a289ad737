/// Rule 1: the value of an array as the index of a container of C++, and in a user's own template. Must not compile.
#include <array>
#include <vector>

import octet.base;
import octet.trace;

using namespace octet;

template <class T>
T largest(T a, T b) {
  return a < b ? b : a;  // refused: X101: a traced Array has no value to branch on
}

float program(std::array<float, 3> a, std::vector<float> losses, Array x, Array y) {
  losses.push_back(x);                     // refused: X106: a traced Array has no number to give
  std::vector<Array> both{largest(x, y)};  // refused: X101: a traced Array has no value to branch on
  return both.empty() ? 0 : a[x];          // refused: X107: a traced Array has no value to index, count or switch with
}
