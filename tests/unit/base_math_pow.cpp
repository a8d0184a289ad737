#include <algorithm>
#include <array>
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

import octet.base;

using namespace octet;

namespace {

template <class T>
std::vector<T> odd_numbers() {
  using Limits = std::numeric_limits<T>;
  const T many = static_cast<T>(1 / Limits::epsilon());  // from here on all numbers are integers
  std::vector<T> result;
  for (T x : {T{0}, T{1}, T{2}, T{3}, T{0.5}, T{1.5}, T{10}, many, 2 * many, 2 * many - 1, many - T{0.5}, many + 1,
              Limits::denorm_min(), Limits::min(), Limits::max(), Limits::infinity(), 1 + Limits::epsilon(),
              1 - Limits::epsilon() / 2, Limits::quiet_NaN()}) {
    result.push_back(x);
    result.push_back(-x);
  }
  return result;
}

template <class T>
bool same(T a, T b) {
  return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
}

/// Within `ulp` units in the last place of b.
template <class T>
bool close(T a, T b, T ulp) {
  if (same(a, b)) return true;
  const T size = std::abs(b);
  const T unit = std::nextafter(size, std::numeric_limits<T>::infinity()) - size;
  return std::abs(a - b) <= ulp * unit;
}

}  // namespace

TEST_CASE("f32 powers of odd numbers are those of IEEE 754") {
  for (float x : odd_numbers<float>())
    for (float y : odd_numbers<float>()) {
      const auto wanted = static_cast<float>(std::pow(static_cast<double>(x), static_cast<double>(y)));
      INFO(x << " to the power " << y << " is " << math::pow(x, y) << ", not " << wanted);
      REQUIRE(same(math::pow(x, y), wanted));
    }
}

TEST_CASE("f64 powers of odd numbers are those of IEEE 754") {
  for (double x : odd_numbers<double>())
    for (double y : odd_numbers<double>()) {
      const double wanted = std::pow(x, y);
      INFO(x << " to the power " << y << " is " << math::pow(x, y) << ", not " << wanted);
      REQUIRE(close(math::pow(x, y), wanted, 1.0));
    }
}

TEST_CASE("powers are accurate up to the ends of the range, and the same bits in every build") {
  const Key key = Key::of_seed(9);
  Hasher f32, f64;
  for (std::uint64_t i = 0; i < 40'000; ++i) {
    // Every third base is close to 1; the exponent makes a result of any size.
    const float x = i % 3 ? std::bit_cast<float>(bits(key, 2 * i) & 0x7f7f'ffff) : 0.9f + 0.2f * uniform(key, 2 * i);
    const float limit = 104 / std::abs(math::log(x));
    const float y = (2 * uniform(key, 2 * i + 1) - 1) * limit;
    const float power = math::pow(x, y);
    INFO(x << " to the power " << y);
    REQUIRE(close(power, static_cast<float>(std::pow(static_cast<double>(x), static_cast<double>(y))), 1.0f));
    f32.add(std::uint64_t{std::bit_cast<std::uint32_t>(power)});
    const double wide = math::pow(static_cast<double>(x), 7.0 * static_cast<double>(y));
    REQUIRE(close(wide, std::pow(static_cast<double>(x), 7.0 * static_cast<double>(y)), 1.0));
    f64.add(std::bit_cast<std::uint64_t>(wide));
  }
  CHECK(f32.text() == "eded131e4b297197");
  CHECK(f64.text() == "fbe6ade26aba93b5");
}
