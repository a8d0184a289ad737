/// The right twin of trace_numbers.cpp.
#include <cmath>
#include <cstdint>
#include <iostream>
#include <vector>

import octet.base;
import octet.trace;

using namespace octet;

Array mean_loss(Array loss) {
  std::cout << to_string(loss.type()) << "\n";
  Array total = loss;
  total += exp(loss);
  total *= 2;
  return cast<double>(total) + exp(loss) + pow(loss, 2) + abs(1.0f - loss);
}

float read(Tensor result) { return result.item(); }

Array looked_up(std::vector<float> v, Array i) {
  const Array table = constant(Tensor::of<float>({static_cast<std::int64_t>(v.size())}, v));
  return cond(i == 0, [&] { return take(table, i); }, [&] { return take(table, 0 * i); });
}

Array eighths(Array x) { return cast<int>(clamp(-128, round(x), 127)); }

Array largest(Array x, Array y, Array n) {
  Array sum = y;
  for (std::int64_t i = 0; i < x.extent(0); ++i) sum = sum + x[i];
  sum = scan([](Array carry, Array row) { return std::pair{carry + row, carry}; }, sum, x).first;
  sum = while_loop([&](std::pair<Array, Array> s) { return s.first < n; },
                   [](std::pair<Array, Array> s) { return std::pair{s.first + 1, s.second + 1.0f}; },
                   std::pair{0 * n, sum})
            .second;
  return maximum(x, sum);
}
