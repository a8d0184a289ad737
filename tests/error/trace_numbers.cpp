/// Rule 1: asking an array for its number. Must not compile.
#include <cstdint>
#include <iostream>
#include <map>
#include <vector>

import octet.base;
import octet.trace;

using namespace octet;

// The compiler tells one line for each type of number.
float mean_loss(Array loss) {
  float f = loss;                      // refused: X106: a traced Array has no number to give
  auto d = static_cast<double>(loss);  // refused: X106: a traced Array has no number to give
  using extended = long double;
  auto e = extended(loss);    // refused: X106: a traced Array has no number to give
  std::cout << loss << "\n";  // refused: X106: a traced Array has no value to print
  int n = loss;               // refused: X106: a traced Array has no number to give
  auto g = loss.item();       // refused: X106: a traced Array has no item
  f += loss;                  // refused: X106: a traced Array has no number to add up on the host
  return f + d + e + n + g;
}

float looked_up(std::vector<float> v, float* p, Array i) {
  float sum = v[i];          // refused: X107: a traced Array has no value to index, count or switch with
  sum += p[i];               // refused: X(202: no extent, size or index can|107: a traced Array has no value to index)
  unsigned short small = i;  // refused: X107: a traced Array has no value to index, count or switch with
  switch (i) {               // refused: X107: a traced Array has no value to index, count or switch with
    case 0:
      return sum;
    default:
      return small;
  }
}

float of_a_map(std::map<unsigned, float> m, std::vector<signed char> v, Array i) {
  v.push_back(i);  // refused: X107: a traced Array has no value to index, count or switch with
  return m[i];     // refused: X107: a traced Array has no value to index, count or switch with
}

Array eighths(Array x) { return cast<std::int8_t>(x); }  // refused: X402: there is no such element type

Array largest(Array x, Array y) {
  Array sum = y;
  for (Array row : x)  // refused: X108: a traced Array is no container to loop over
    sum = sum + row;
  for (int i = 0; i < x; ++i) sum = sum + 1;  // refused: X101: a traced Array has no value to branch on
  return sum;
}
