// How far octet::math is from the mathematical functions, and whether its results are the same bits in every build: the
// hashes are pinned here, and this test runs natively and to WebAssembly.
#include <algorithm>
#include <array>
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

import octet.base;

using namespace octet;

namespace {

struct Function {
  const char* name;
  float (*f32)(float);
  double (*f64)(double);
  long double (*exact)(long double);
  double f32_error;  // in units in the last place, at most
  const char* f32_hash;
  const char* f64_hash;
};

const Function functions[] = {
    {"exp", [](float x) { return math::exp(x); }, [](double x) { return math::exp(x); },
     [](long double x) { return std::exp(x); }, 0.99, "67e381cd9b9e2fe9", "7a3f5eb1d7cb68dc"},
    {"expm1", [](float x) { return math::expm1(x); }, [](double x) { return math::expm1(x); },
     [](long double x) { return std::expm1(x); }, 1.65, "319f5bd5bb3d989a", "2fd211b298fe64b3"},
    {"log", [](float x) { return math::log(x); }, [](double x) { return math::log(x); },
     [](long double x) { return std::log(x); }, 0.85, "61c2d82e94c19e34", "463a78bb85c9de32"},
    {"log1p", [](float x) { return math::log1p(x); }, [](double x) { return math::log1p(x); },
     [](long double x) { return std::log1p(x); }, 1.39, "1558229da8c7b009", "da80057d277918cb"},
    {"tanh", [](float x) { return math::tanh(x); }, [](double x) { return math::tanh(x); },
     [](long double x) { return std::tanh(x); }, 1.43, "d1858e2891495489", "375eb821ddb0b76f"},
    {"logistic", [](float x) { return math::logistic(x); }, [](double x) { return math::logistic(x); },
     [](long double x) { return 1 / (1 + std::exp(-x)); }, 2.41, "97ef871505342371", "8a74ecb96bd72f66"},
    {"erf", [](float x) { return math::erf(x); }, [](double x) { return math::erf(x); },
     [](long double x) { return std::erf(x); }, 1.35, "626cfecfc5edd229", "0895487bb04b1504"},
    {"sin", [](float x) { return math::sin(x); }, [](double x) { return math::sin(x); },
     [](long double x) { return std::sin(x); }, 0.51, "2fba7aee48d61a65", "40f63ee52756bd69"},
    {"cos", [](float x) { return math::cos(x); }, [](double x) { return math::cos(x); },
     [](long double x) { return std::cos(x); }, 0.51, "03cd38e4c9b4f855", "eec29f22cab0b232"},
    {"sqrt", [](float x) { return math::sqrt(x); }, [](double x) { return math::sqrt(x); },
     [](long double x) { return std::sqrt(x); }, 0.5, "3329f6203449ce2b", "b86386ae5058e659"},
    {"rsqrt", [](float x) { return math::rsqrt(x); }, [](double x) { return math::rsqrt(x); },
     [](long double x) { return 1 / std::sqrt(x); }, 1.5, "d3bd32c4afed1ac0", "b9f0938f8a13b9e2"},
};

/// |got - want| in units in the last place of `want` as a T.
template <class T>
double error_in_ulp(T got, long double want) {
  using Limits = std::numeric_limits<T>;
  constexpr double wrong = 1e9;
  if (std::isnan(want) || std::isnan(got)) return std::isnan(want) && std::isnan(got) ? 0 : wrong;
  const T rounded = static_cast<T>(want);
  if (got == rounded && std::signbit(got) != std::signbit(rounded)) return wrong;
  if (std::isinf(got) && got == rounded) return 0;
  if (std::isinf(got) || std::isinf(rounded)) {  // one step from the largest number to infinity
    const bool close = std::abs(want) > Limits::max() / 2 && (std::isinf(got) || std::abs(got) == Limits::max());
    return close && std::signbit(got) == std::signbit(rounded) ? 1 : wrong;
  }
  int exponent;
  std::frexp(want, &exponent);
  const int last = std::max(exponent, Limits::min_exponent) - Limits::digits;
  return static_cast<double>(std::abs(got - want) / std::ldexp(1.0L, last));
}

/// Every exponent with both signs and `each` fractions, then as many numbers again of ordinary size, then the odd ones.
template <class T>
std::vector<T> sample(std::uint64_t each) {
  constexpr int digits = std::numeric_limits<T>::digits - 1;
  constexpr bool wide = sizeof(T) == 8;
  constexpr std::uint64_t exponents = wide ? 2048 : 256;
  using Bits = std::conditional_t<wide, std::uint64_t, std::uint32_t>;
  const Key key = Key::of_seed(2026);
  const auto random = [&](std::uint64_t counter) {
    const auto [high, low] = threefry(key, counter);
    return static_cast<std::uint64_t>(high) << 32 | low;
  };
  constexpr std::uint64_t fraction = (std::uint64_t{1} << digits) - 1;
  std::vector<T> result;
  for (std::uint64_t exponent = 0; exponent < exponents; ++exponent)
    for (std::uint64_t i = 0; i < each; ++i)
      for (std::uint64_t sign = 0; sign < 2; ++sign) {
        const std::uint64_t low = i == 0 ? 0 : i == 1 ? fraction : random(exponent * each + i) & fraction;
        result.push_back(std::bit_cast<T>(static_cast<Bits>((sign * exponents + exponent) << digits | low)));
      }
  const std::size_t count = result.size();
  for (std::size_t i = 0; i < count; ++i)
    result.push_back(static_cast<T>(static_cast<double>(random(~std::uint64_t{i})) * 0x1p-64 * 40 - 20));
  const double odd[] = {1,
                        0.5,
                        2,
                        17,
                        88.72283,
                        88.72284,
                        -87.33654,
                        -103.9720764,
                        -103.9720840,
                        709.78,
                        709.79,
                        -745.13,
                        -745.14,
                        3.925,
                        3.93,
                        5.92,
                        6,
                        0.9,
                        0.5493,
                        20,
                        40,
                        1e22,
                        1.5707964,
                        3.1415927,
                        16367173 * 0x1p+72,
                        0.78,
                        0.7853982};
  for (double x : odd) {
    result.push_back(static_cast<T>(x));
    result.push_back(static_cast<T>(-x));
  }
  return result;
}

/// What a NaN looks like may differ from machine to machine; that it is one may not.
template <class T>
void add_result(Hasher& hasher, T value) {
  if (value != value) value = std::numeric_limits<T>::quiet_NaN();
  if constexpr (sizeof(T) == 4)
    hasher.add(std::uint64_t{std::bit_cast<std::uint32_t>(value)});
  else
    hasher.add(std::bit_cast<std::uint64_t>(value));
}

}  // namespace

TEST_CASE("each f32 function is as accurate as it says, over its whole range") {
  const std::vector<float> arguments = sample<float>(200);
  for (const Function& function : functions) {
    double worst = 0;
    float at = 0;
    for (float x : arguments) {
      const double error = error_in_ulp(function.f32(x), function.exact(x));
      if (error > worst) worst = error, at = x;
    }
    INFO(function.name << " is wrong by " << worst << " ulp at " << at << ": " << function.f32(at));
    CHECK(worst <= function.f32_error);
  }
}

TEST_CASE("each f64 function is within 1 ulp, over its whole range") {
  if (std::numeric_limits<long double>::digits < 64) SKIP("there is nothing more precise than f64 to compare with");
#ifdef __EMSCRIPTEN__
  SKIP("Emscripten's long double functions are no more precise than f64");
#endif
  const std::vector<double> arguments = sample<double>(6);
  for (const Function& function : functions) {
    double worst = 0, at = 0;
    for (double x : arguments) {
      const double error = error_in_ulp(function.f64(x), function.exact(x));
      if (error > worst) worst = error, at = x;
    }
    INFO(function.name << " is wrong by " << worst << " ulp at " << at << ": " << function.f64(at));
    CHECK(worst <= (std::string{function.name} == "rsqrt" ? 1.5 : 1));
  }
}

TEST_CASE("each function gives the same bits in every build") {
  const std::vector<float> f32_arguments = sample<float>(200);
  const std::vector<double> f64_arguments = sample<double>(6);
  for (const Function& function : functions) {
    INFO(function.name);
    Hasher f32, f64;
    for (float x : f32_arguments) add_result(f32, function.f32(x));
    for (double x : f64_arguments) add_result(f64, function.f64(x));
    CHECK(f32.text() == function.f32_hash);
    CHECK(f64.text() == function.f64_hash);
  }
  Hasher normals;
  for (std::uint64_t i = 0; i < 10'000; ++i) add_result(normals, normal(Key::of_seed(1), i));
  CHECK(normals.text() == "4f84cd8f4019bf44");
}

TEST_CASE("odd functions keep the sign of zero, and small arguments go through unchanged") {
  using F = float (*)(float);
  for (F f : {F{[](float x) { return math::expm1(x); }}, F{[](float x) { return math::log1p(x); }},
              F{[](float x) { return math::tanh(x); }}, F{[](float x) { return math::sin(x); }}}) {
    REQUIRE(std::signbit(f(-0.0f)));
    REQUIRE_FALSE(std::signbit(f(0.0f)));
    REQUIRE(f(1e-45f) == 1e-45f);
    REQUIRE(f(-1e-30f) == -1e-30f);
  }
  REQUIRE(std::signbit(math::erf(-0.0f)));
  REQUIRE(math::exp(0.0f) == 1.0f);
  REQUIRE(math::logistic(0.0f) == 0.5f);
}
