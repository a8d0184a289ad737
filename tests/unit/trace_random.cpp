/// Distributions that random numbers are drawn from.
#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

import octet.base;
import octet.graph;
import octet.trace;

#include "gradients.hpp"
#include "refusal.hpp"
#include "refused_trace.hpp"
#include "traced_results.hpp"

using namespace octet;

namespace {

constexpr std::int64_t many = 20'000;

std::vector<float> drawn(const std::function<Array(const Array& key, const Shape&)>& function) {
  std::vector<float> all =
      numbers<float>(result([&](const Arrays& in) { return function(in[0], {many}); }, {key_data(Key::of_seed(4))}));
  REQUIRE(std::ranges::all_of(all, [](float each) { return std::isfinite(each); }));
  std::ranges::sort(all);
  return all;
}

/// The largest distance between the share of numbers up to each of `all` and `share`, which it should be: of so many
/// numbers it exceeds 0.0138 once in a thousand times (Kolmogorov).
double distance(const std::vector<float>& all, const std::function<double(double)>& share) {
  double largest = 0;
  for (std::size_t i = 0; i < all.size(); ++i)
    largest = std::max(largest, std::abs(static_cast<double>(i) / static_cast<double>(many) - share(all[i])));
  return largest;
}

double normal_share(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

}  // namespace

TEST_CASE("numbers have the distribution that they are said to be drawn from") {
  const std::vector<float> uniform =
      drawn([](const Array& key, const Shape& shape) { return random_uniform(key, shape, -3, 5.0); });
  CHECK((uniform.front() >= -3 && uniform.back() < 5));
  CHECK(distance(uniform, [](double x) { return (x + 3) / 8; }) < 0.0138);
  CHECK(distance(drawn(random_exponential), [](double x) { return 1 - std::exp(-x); }) < 0.0138);
  CHECK(distance(drawn(random_gumbel), [](double x) { return std::exp(-std::exp(-x)); }) < 0.0138);
  const auto truncated = [](double low, double high) {
    const std::vector<float> all =
        drawn([=](const Array& key, const Shape& shape) { return random_truncated_normal(key, shape, low, high); });
    CHECK((all.front() >= low && all.back() <= high));
    const double below = normal_share(low), above = normal_share(high);
    CHECK(distance(all, [=](double x) { return (normal_share(x) - below) / (above - below); }) < 0.0138);
  };
  truncated(-2, 2);
  truncated(0.5, 0.75);
  truncated(-std::numeric_limits<double>::infinity(), 1);
}

TEST_CASE("each number has bounds of its own where they are arrays, and each row a key") {
  const Tensor keys = Tensor::of<std::uint32_t>({2, 2}, {1, 2, 3, 4}), low = Tensor::of<float>({2, 1}, {0, 10});
  const std::vector<Tensor> both = results(
      [](const Arrays& in) {
        return Arrays{random_uniform(in[0], {2, 3}, in[1], in[1] + 1), random_uniform(in[0], {2, 3})};
      },
      {keys, low});
  for (std::int64_t i = 0; i < 6; ++i)
    CHECK(both[0].at(i) == static_cast<float>(both[1].at(i)) + (i < 3 ? 0.0f : 10.0f));
  const Diagnostic fault = refused({{DType::u32, {2}}, f32({4})},
                                   [](const Arrays& in) { return random_truncated_normal(in[0], {2, 3}, in[1], 1); });
  CHECK(fault.number == 401);
}
