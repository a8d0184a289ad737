/// Elementary functions that StableHLO and CHLO have and the graph says by its own, against the C++ library's.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

import octet.base;
import octet.graph;

#include "stablehlo_text.hpp"

using namespace octet;
using namespace operation_samples;
using namespace stablehlo_text;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity(), not_a_number = std::numeric_limits<double>::quiet_NaN();

/// From -range to range, denser near zero, and what is special.
std::vector<double> numbers(double range) {
  constexpr double largest = std::numeric_limits<float>::max(), least = std::numeric_limits<float>::denorm_min();
  std::vector<double> result{0.0,  -0.0,  inf,    -inf,    not_a_number, 1.0,   -1.0,   0.5,
                             -0.5, 1e-30, -1e-30, largest, -largest,     least, -least, 1e-40};
  for (int i = -300; i <= 300; ++i) {
    const double x = i / 300.0;
    result.push_back(range * x);
    result.push_back(range * x * x * x);
  }
  return result;
}

Tensor of(DType dtype, const std::vector<double>& values) {
  return Tensor::of<double>(Shape{static_cast<std::int64_t>(values.size())}, std::span<const double>{values})
      .converted(dtype);
}

std::string type_text(const Tensor& tensor) {
  return "tensor<" + std::to_string(tensor.elements()) + "x" + std::string{name(tensor.dtype())} + ">";
}

Tensor computed(const std::string& function, const Tensor& x) {
  const std::string type = type_text(x);
  const std::string shape = function.starts_with("chlo.") ? type + " -> " + type : type;
  return run("%x: " + type, type, "    %0 = " + function + " %x : " + shape + "\n    return %0 : " + type, {x})[0];
}

/// Whether they are the same NaN, infinity or zero, or differ by at most so many units in f32's last place.
bool near(double a, double b, double ulps) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (a == b) return std::signbit(a) == std::signbit(b);
  return std::abs(a - b) <= ulps * 0x1p-24 * std::max(std::abs(b), 0x1p-126);
}

struct Case {
  const char* name;
  double (*expected)(double);
  double range, ulps;
};

double inverse_erf(double y) {
  if (std::abs(y) == 1) return y * inf;
  if (!(std::abs(y) < 1)) return not_a_number;
  double x = 0;
  for (int i = 0; i < 100; ++i) x -= (std::erf(x) - y) / (2 / std::sqrt(std::acos(-1.0)) * std::exp(-x * x));
  return y == 0 ? y : x;
}

}  // namespace

TEST_CASE("functions that the graph says by others have the values of the C++ library, special ones too") {
  const Case cases[] = {{"chlo.acos", [](double x) { return std::acos(x); }, 1, 16},
                        {"chlo.acosh", [](double x) { return std::acosh(x); }, 3e38, 8},
                        {"chlo.asin", [](double x) { return std::asin(x); }, 1, 16},
                        {"chlo.asinh", [](double x) { return std::asinh(x); }, 3e38, 8},
                        {"chlo.atan", [](double x) { return std::atan(x); }, 100, 8},
                        {"chlo.atanh", [](double x) { return std::atanh(x); }, 1, 8},
                        {"chlo.cosh", [](double x) { return std::cosh(x); }, 88, 16},
                        {"chlo.sinh", [](double x) { return std::sinh(x); }, 88, 16},
                        {"chlo.tan", [](double x) { return std::tan(x); }, 50, 8},
                        {"stablehlo.cbrt", [](double x) { return std::cbrt(x); }, 3e38, 4},
                        {"stablehlo.round_nearest_afz", [](double x) { return std::round(x); }, 6, 0},
                        {"stablehlo.tan", [](double x) { return std::tan(x); }, 1e6, 8}};
  for (const Case& each : cases) {
    const Tensor x = of(DType::f32, numbers(each.range)), result = computed(each.name, x);
    for (std::int64_t i = 0; i < x.elements(); ++i) {
      const double expected = static_cast<double>(static_cast<float>(each.expected(x.at(i))));
      INFO(each.name << " of " << x.at(i) << " is " << result.at(i) << " and should be " << expected);
      CHECK(near(result.at(i), expected, each.ulps));
    }
  }
}
TEST_CASE("the inverse of the error function, which random numbers of JAX's go through") {
  std::vector<double> values{0.0, -0.0, 1.0, -1.0, 1.5, not_a_number, 0.99999994, -0.99999994, 1e-20};
  for (int i = -99; i <= 99; ++i) values.push_back(i / 100.0);
  const Tensor y = of(DType::f32, values), x = computed("chlo.erf_inv", y);
  for (std::int64_t i = 0; i < y.elements(); ++i) {
    INFO("of " << y.at(i) << " it is " << x.at(i) << " and should be " << inverse_erf(y.at(i)));
    CHECK(near(x.at(i), inverse_erf(y.at(i)), 16));
  }
}
TEST_CASE("the angle of a point, signs of zeros included") {
  const double some[] = {0.0, -0.0, 1.0, -1.0, 3.5, -0.25, 1e30, -1e-30, inf, -inf, not_a_number};
  std::vector<double> ys, xs;
  for (const double y : some)
    for (const double x : some) ys.push_back(y), xs.push_back(x);
  const Tensor y = of(DType::f32, ys), x = of(DType::f32, xs);
  const std::string type = type_text(x);
  const Tensor angle = run("%y: " + type + ", %x: " + type, type,
                           "    %0 = stablehlo.atan2 %y, %x : " + type + "\n    return %0 : " + type, {y, x})[0];
  for (std::int64_t i = 0; i < x.elements(); ++i) {
    const double expected = static_cast<double>(static_cast<float>(std::atan2(y.at(i), x.at(i))));
    INFO("atan2(" << y.at(i) << ", " << x.at(i) << ") is " << angle.at(i) << " and should be " << expected);
    CHECK(near(angle.at(i), expected, 8));
  }
}
TEST_CASE("such functions of bf16 are rounded once, and those of f64 are as exact as f64 or refused") {
  const Tensor wide = of(DType::f32, {0.5, -0.25, 0.75, 3e-5}).converted(DType::bf16);
  for (const char* name : {"chlo.sinh", "chlo.erf_inv", "chlo.asin"})
    CHECK(computed(name, wide) == computed(name, wide.converted(DType::f32)).converted(DType::bf16));
  const Tensor x = of(DType::f64, {0.3, -2, 40});
  for (std::int64_t i = 0; i < 3; ++i)
    CHECK(std::abs(computed("chlo.asinh", x).at(i) / std::asinh(x.at(i)) - 1) < 1e-15);
  const auto refused = [](const std::string& type, const std::string& name) {
    const std::string typed = "tensor<" + type + ">";
    return refusal(
               function("%x: " + typed, typed, "    %0 = " + name + " %x : " + typed + "\n    return %0 : " + typed))
        .sentence;
  };
  CHECK(refused("f64", "chlo.erf_inv") == "Line 3, column 10: chlo.erf_inv of f64 is something Octet does not have.");
  CHECK(refused("i32", "stablehlo.tan") == "Line 3, column 10: stablehlo.tan of i32 is something Octet does not have.");
}
TEST_CASE("which numbers are infinite, of either sign or of one") {
  const Tensor x = of(DType::f32, {inf, -inf, not_a_number, 3e38, 0});
  const auto results = run("%x: tensor<5xf32>", "tensor<5xi1>, tensor<5xi1>, tensor<5xi1>",
                           R"(    %0 = chlo.is_inf %x : tensor<5xf32> -> tensor<5xi1>
    %1 = chlo.is_pos_inf %x : tensor<5xf32> -> tensor<5xi1>
    %2 = chlo.is_neg_inf %x : tensor<5xf32> -> tensor<5xi1>
    return %0, %1, %2 : tensor<5xi1>, tensor<5xi1>, tensor<5xi1>)",
                           {x});
  CHECK(results[0] == Tensor::of<bool>(Shape{5}, {true, true, false, false, false}));
  CHECK(results[1] == Tensor::of<bool>(Shape{5}, {true, false, false, false, false}));
  CHECK(results[2] == Tensor::of<bool>(Shape{5}, {false, true, false, false, false}));
}
TEST_CASE("f32 is rounded to what bf16 keeps, in both forms, and to no other format") {
  const Tensor x = of(DType::f32, {1.00390625, 3.14159265, -1e-40, inf});
  const auto short_form = [](const std::string& format) {
    return "    %0 = stablehlo.reduce_precision %x, format = " + format +
           " : tensor<4xf32>\n    return %0 : tensor<4xf32>";
  };
  const Tensor rounded = x.converted(DType::bf16).converted(DType::f32);
  CHECK(run("%x: tensor<4xf32>", "tensor<4xf32>", short_form("e8m7"), {x})[0] == rounded);
  CHECK(run("%x: tensor<4xf32>", "tensor<4xf32>", short_form("e8m23"), {x})[0] == x);
  CHECK(
      run("%x: tensor<4xf32>", "tensor<4xf32>",
          R"(    %0 = "stablehlo.reduce_precision"(%x) <{exponent_bits = 8 : i32, mantissa_bits = 7 : i32}> : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>)",
          {x})[0] == rounded);
  const auto refused = [&](const std::string& format) {
    return refusal(function("%x: tensor<4xf32>", "tensor<4xf32>", short_form(format))).sentence;
  };
  CHECK(refused("e5m10") ==
        "Line 3, column 10: stablehlo.reduce_precision rounds f32 to the 8 and 7 bits of bf16 here, and to nothing "
        "else.");
  for (const char* odd : {"e8", "m7", "e8m", "em7", "e8m7x", "8m7", "e888m7"})
    CHECK(refused(odd).find("the format of stablehlo.reduce_precision is written as e8m7") != std::string::npos);
}
