/// The right twin of trace_host_functions.cpp. Numbers are the host's own matter, and in a file that uses both
/// namespaces ours are chosen for arrays.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

import octet.base;
import octet.trace;

octet::Array swish(octet::Array x) { return x / (1.0f + octet::exp(-x)) + exp(x); }

using namespace octet;

Array norm(Array x) { return octet::sqrt(sum(x * x)); }

Array powers(Array x) {
  Array y = octet::pow(x, 3);
  y = y + octet::pow(2.0, x);
  return octet::pow(x, y * 2.0);
}

Array distance(Array x, Array y) {
  Array far = octet::abs(x - y);
  far = abs(far);
  far = maximum(far, 0.5f);
  far = minimum(far, x);
  far = far * 2 + 1.0;
  return sqrt(far * far + y * y);
}

Array guarded(Array loss) { return select((loss != loss) | ~is_finite(loss), 0, loss); }

std::string shown(Array loss, float learning_rate) {
  std::printf("%f %d\n", learning_rate, 3);
  return "loss " + to_string(loss.type()) + std::to_string(learning_rate);
}

Array all_positive(Array x, Array all) {
  all &= sum(x) > 0;
  return all;
}

Array of_numbers(Array x, double base, int steps) {
  using std::tanh;
  const float scale = std::sqrt(2.0f) * static_cast<float>(std::pow(base, steps)) + std::fmax(1.0f, 2.0f);
  bool known = std::isnan(base) || std::abs(steps) > 3;
  known &= std::isfinite(scale);
  return known ? tanh(x) : tanh(x * scale) + std::exp(1.0f) + std::fma(2.0, 3.0, 4.0) + std::round(base);
}

namespace both {
using namespace std;
Array of_arrays(Array x, Array y) {
  Array z = exp(x) + sqrt(y) + abs(x) + floor(x) + round(y) + log1p(x) + cos(tanh(y));
  z = z + pow(x, 2) + pow(2.0, y) + pow(x, y) + pow(x, Tensor::scalar(2.0f));
  return z * pow(2.0, 3) + fmax(1.0, 2.0) + abs(-3);
}
}  // namespace both

/// A user's own function of that name.
struct Point {
  Array x, y;
};
Array hypot(const Array& x, const Array& y) { return sqrt(x * x + y * y); }
Array trunc(operand x) { return cast<float>(cast<std::int32_t>(x)); }
template <class T>
T lerp(T a, T b, float t) {
  return a + (b - a) * t;
}
Array of_their_own(Point p) { return hypot(p.x, p.y) + trunc(p.x) + lerp(p.x, p.y, 0.5f); }
