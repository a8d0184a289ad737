/// Rule 1: the standard library's functions, which compare with < and branch by it. Must not compile; libstdc++ leads
/// to this line, libc++ to one of its own, as its functions pass the comparison on. The same of what they convert
/// within.
#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

import octet.base;
import octet.trace;

using namespace octet;

Array program(Array x, Array y) {
  Array z = std::max(x, y);    // refused: X101: a traced Array has no value to branch on
  z = std::min(x, z);          // refused: X101: a traced Array has no value to branch on
  return std::clamp(x, y, z);  // refused: X101: a traced Array has no value to branch on
}

Array largest(std::vector<Array> rows, Array x) {
  std::sort(rows.begin(), rows.end());  // refused: X101: a traced Array has no value to branch on
  const auto positive = [](const Array& row) { return sum(row) > 0; };
  auto row = rows.begin();
  row = std::find_if(row, rows.end(), positive);  // refused: X101: a traced Array has no value to branch on
  if (std::count(rows.begin(), row, x) > 1)       // refused: X101: a traced Array has no value to branch on
    return x;
  return *row;
}

std::optional<float> logged(std::vector<double> losses, Array loss) {
  losses.emplace_back(loss);  // refused: X106: a traced Array has no number to give
  return loss;                // refused: X106: a traced Array has no number to give
}
