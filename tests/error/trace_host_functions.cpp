/// Rule 1: the functions of <cmath>, and printing by others than streams, which take numbers. None must compile.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

import octet.base;
import octet.trace;

// Without the names of octet.
octet::Array swish(octet::Array x) {
  return x / (1.0f + std::exp(-x));  // refused: X106: std::exp takes a number, .* Write octet::exp.x.
}

using namespace octet;

Array norm(Array x) {
  return std::sqrt(sum(x * x));  // refused: X106: std::sqrt takes a number, .* Write octet::sqrt.x.
}

Array powers(Array x) {
  Array y = std::pow(x, 3);     // refused: X106: std::pow takes a number, .* Write octet::pow.x, y.
  y = y + std::pow(2.0, x);     // refused: X106: std::pow takes a number, .* Write octet::pow.x, y.
  return std::pow(x, y * 2.0);  // refused: X106: std::pow takes a number, .* Write octet::pow.x, y.
}

Array distance(Array x, Array y) {
  Array far = std::abs(x - y);  // refused: X106: std::abs takes a number, .* Write octet::abs.x.
  far = std::fabs(far);         // refused: X106: std::fabs takes a number, .* Write abs.x.
  far = std::fmax(far, 0.5f);   // refused: X106: std::fmax takes a number, .* Write maximum.x, y.
  far = fmin(far, x);           // refused: X106: std::fmin takes a number, .* Write minimum.x, y.
  far = std::max(far, 0.5f);    // refused: X106: std::max takes a number, .* Write maximum.x, y.
  far = std::min(1, far);       // refused: X106: std::min takes a number, .* Write minimum.x, y.
  far = std::clamp(far, 0, 1);  // refused: X106: std::clamp takes a number, .* Write octet::clamp.low, x, high.
  far = std::fma(far, 2, 1.0);  // refused: X106: std::fma takes a number, .* Write x . y . z
  return std::hypot(far, y);    // refused: X106: std::hypot takes a number, .* Write sqrt.x . x . y . y.
}

Array guarded(Array loss) {
  if (std::isnan(loss)) return loss;      // refused: X106: std::isnan takes a number, .* Write x != x
  if (!std::isfinite(loss)) return loss;  // refused: X106: std::isfinite takes a number, .* Write is_finite.x.
  return loss;
}

std::string shown(Array loss) {
  std::printf("%f\n", loss);              // refused: X106: a traced Array has no value to print
  return "loss " + std::to_string(loss);  // refused: X106: a traced Array has no value to print
}

bool all_positive(Array x, bool all) {
  all &= sum(x) > 0;  // refused: X101: a traced Array has no value that a bool or a number of the host could take in
  return all;
}
