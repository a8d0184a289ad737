/// Rule 1: the value of an array as the index of an array of C++, in front of a library's functions, in a user's own. Must not
/// compile.
#include <algorithm>
#include <array>
#include <vector>

import octet.base;
import octet.trace;

using namespace octet;

template <class T>
T largest(T a, T b) {
  return a < b ? b : a; // refused: X101: a traced Array has no value to branch on
}

float program(std::array<float, 3> a, std::vector<float> losses, Array x, Array y) {
  losses.push_back(x); // refused: X106: a traced Array has no number to give
  Array z = std::min(x, largest(x, y)); // refused: X101: a traced Array has no value to branch on
  std::vector<Array> both{std::clamp(x, y, z)}; // refused: X101: a traced Array has no value to branch on
  return a[x] + (both.empty() ? 0 : 1); // refused: X107: a traced Array has no value to index, count or switch with
}
