/// What regions of sorts and of reductions to the greatest value order by, whichever way they say it.
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
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

constexpr float no_number = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();

std::vector<std::uint32_t> bits(const Tensor& tensor) {
  std::vector<std::uint32_t> result;
  for (const float value : tensor.span<float>()) result.push_back(std::bit_cast<std::uint32_t>(value));
  return result;
}

/// The reduction by which JAX asks for the greatest value (GT) or the smallest (LT) and its place.
std::string selection(const std::string& direction, const std::string& initial) {
  return R"(    %cst = stablehlo.constant dense<)" + initial + R"(> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.iota dim = 1 : tensor<3x4xi32>
    %1:2 = stablehlo.reduce(%x init: %cst), (%0 init: %c) across dimensions = [1] : (tensor<3x4xf32>, tensor<3x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)
     reducer(%a: tensor<f32>, %b: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>)  {
      %2 = stablehlo.compare  )" +
         direction + R"(, %a, %b,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = stablehlo.compare  NE, %a, %a,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare  EQ, %a, %b,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.compare  LT, %i, %j,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %a, %b : tensor<i1>, tensor<f32>
      %10 = stablehlo.select %8, %i, %j : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
    }
    return %1#0, %1#1 : tensor<3xf32>, tensor<3xi32>)";
}

/// The comparator of JAX's sort of f32, for which any NaN is the greatest number and -0 is 0.
std::string canonical_comparison(const std::string& type) {
  return R"(      %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %nan = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %2 = stablehlo.compare  EQ, %a, %zero,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = stablehlo.select %2, %zero, %a : tensor<i1>, tensor<f32>
      %4 = stablehlo.compare  NE, %a, %a,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %5 = stablehlo.select %4, %nan, %3 : tensor<i1>, tensor<f32>
      %6 = stablehlo.compare  EQ, %b, %zero,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %7 = stablehlo.select %6, %zero, %b : tensor<i1>, tensor<f32>
      %8 = stablehlo.compare  NE, %b, %b,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %9 = stablehlo.select %8, %nan, %7 : tensor<i1>, tensor<f32>
      %10 = stablehlo.compare  LT, %5, %9,  )" +
         type + R"( : (tensor<f32>, tensor<f32>) -> tensor<i1>
)";
}

}  // namespace

TEST_CASE("the greatest value and its place: the first of equal ones, and of NaN") {
  const Tensor x = Tensor::of<float>(Shape{3, 4}, {1, 7, 7, -3, -inf, -inf, -inf, -inf, 2, no_number, 9, no_number});
  const auto greatest = run("%x: tensor<3x4xf32>", "tensor<3xf32>, tensor<3xi32>", selection("GT", "0xFF800000"), {x});
  CHECK(integers(greatest[1]) == std::vector<std::int32_t>{1, 0, 1});
  CHECK(floats(greatest[0])[0] == 7);
  CHECK(floats(greatest[0])[1] == -inf);
  CHECK(std::isnan(floats(greatest[0])[2]));
  const auto smallest = run("%x: tensor<3x4xf32>", "tensor<3xf32>, tensor<3xi32>", selection("LT", "0x7F800000"), {x});
  CHECK(integers(smallest[1]) == std::vector<std::int32_t>{3, 0, 1});

  const auto refused = [](const std::string& text, const std::string& from, const std::string& to) {
    std::string changed = text;
    const std::size_t at = changed.find(from);
    REQUIRE(at != std::string::npos);
    changed.replace(at, from.size(), to);
    return refusal(function("%x: tensor<3x4xf32>", "tensor<3xf32>, tensor<3xi32>", changed)).sentence;
  };
  const std::string text = selection("GT", "0xFF800000");
  CHECK(refused(text, "  LT, %i", "  GT, %i").find("does not select the greatest") != std::string::npos);
  CHECK(refused(text, "select %8, %i, %j", "select %8, %j, %i").find("does not select") != std::string::npos);
  CHECK(refused(text, "or %2, %3", "and %2, %3").find("does not select") != std::string::npos);
  CHECK(refused(text, "0xFF800000", "0.0").find("its neutral element") != std::string::npos);
  CHECK(refused(text, "dense<0> : tensor<i32>", "dense<1> : tensor<i32>").find("neutral") != std::string::npos);
  CHECK(refused(text, "iota dim = 1", "iota dim = 0").find("are no iota along") != std::string::npos);
}

TEST_CASE("a sort by JAX's comparator takes any NaN for the greatest number, and keeps the order of -0 and 0") {
  const std::string body = R"(    %0 = stablehlo.iota dim = 0 : tensor<7xi32>
    %1:2 = "stablehlo.sort"(%x, %0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>):
)" + canonical_comparison("TOTALORDER") +
                           R"(      stablehlo.return %10 : tensor<i1>
    }) : (tensor<7xf32>, tensor<7xi32>) -> (tensor<7xf32>, tensor<7xi32>)
    return %1#0, %1#1 : tensor<7xf32>, tensor<7xi32>)";
  const Tensor x = Tensor::of<float>(Shape{7}, {0.0f, -no_number, 3, -0.0f, no_number, -inf, 0.0f});
  const auto results = run("%x: tensor<7xf32>", "tensor<7xf32>, tensor<7xi32>", body, {x});
  const std::vector<std::int32_t> order = integers(results[1]);
  CHECK(order == std::vector<std::int32_t>{5, 0, 3, 6, 2, 1, 4});
  for (std::size_t i = 0; i < 7; ++i) CHECK(bits(results[0])[i] == bits(x)[static_cast<std::size_t>(order[i])]);
  // By IEEE's order alone NaN may stand anywhere, and stands there, too.
  std::string unordered = body;
  unordered.replace(unordered.find("TOTALORDER"), 10, "FLOAT");
  CHECK(integers(run("%x: tensor<7xf32>", "tensor<7xf32>, tensor<7xi32>", unordered, {x})[1]) == order);
}

TEST_CASE("a sort that asks a second operand where the first are equal") {
  const std::string body = R"(    %0:3 = "stablehlo.sort"(%x, %y, %z) <{dimension = 0 : i64, is_stable = false}> ({
    ^bb0(%a: tensor<ui32>, %b: tensor<ui32>, %c: tensor<i32>, %d: tensor<i32>, %e: tensor<f32>, %f: tensor<f32>):
      %1 = stablehlo.compare  LT, %a, %b,  UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
      %2 = stablehlo.compare  EQ, %a, %b,  UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
      %3 = stablehlo.compare  GT, %c, %d,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %4 = stablehlo.and %2, %3 : tensor<i1>
      %5 = stablehlo.or %1, %4 : tensor<i1>
      stablehlo.return %5 : tensor<i1>
    }) : (tensor<5xui32>, tensor<5xi32>, tensor<5xf32>) -> (tensor<5xui32>, tensor<5xi32>, tensor<5xf32>)
    return %0#2 : tensor<5xf32>)";
  const std::vector<Tensor> inputs{Tensor::of<std::uint32_t>(Shape{5}, {7, 4000000000u, 7, 1, 7}),
                                   Tensor::of<std::int32_t>(Shape{5}, {-1, 0, 5, 0, 5}),
                                   Tensor::of<float>(Shape{5}, {0, 1, 2, 3, 4})};
  CHECK(floats(run("%x: tensor<5xui32>, %y: tensor<5xi32>, %z: tensor<5xf32>", "tensor<5xf32>", body, inputs)[0]) ==
        std::vector<float>{3, 2, 4, 0, 1});
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = body;
    REQUIRE(text.find(from) != std::string::npos);
    text.replace(text.find(from), from.size(), to);
    return refusal(function("%x: tensor<5xui32>, %y: tensor<5xi32>, %z: tensor<5xf32>", "tensor<5xf32>", text))
        .sentence;
  };
  CHECK(changed("or %1, %4", "or %1, %3").find("does not order by its first operand") != std::string::npos);
  CHECK(changed("  LT, %a, %b", "  BIG, %a, %b").find("does not order") != std::string::npos);
  CHECK(changed("LT, %a, %b,  UNSIGNED", "LT, %a, %b,  FLOAT").find("does not order") != std::string::npos);
  CHECK(changed("(tensor<ui32>, tensor<ui32>) -> tensor<i1>", "(tensor<ui32>, tensor<i32>) -> tensor<i1>")
            .find("does not order") != std::string::npos);
  CHECK(changed("is_stable = false", "is_stable = 5 : i64").find("is not true or false") != std::string::npos);
  CHECK(changed("dimension = 0 : i64, ", "").empty());  // the last one, then
}

TEST_CASE("a sort that compares its arguments the other way round, and one whose keys are compared with each other") {
  const auto sorted = [](const std::string& statements) {
    return function("%x: tensor<3xi32>, %y: tensor<3xi32>", "tensor<3xi32>, tensor<3xi32>",
                    R"(    %0:2 = "stablehlo.sort"(%x, %y) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
)" + statements + R"(
    }) : (tensor<3xi32>, tensor<3xi32>) -> (tensor<3xi32>, tensor<3xi32>)
    return %0#0, %0#1 : tensor<3xi32>, tensor<3xi32>)");
  };
  const std::vector<Tensor> inputs{Tensor::of<std::int32_t>(Shape{3}, {2, 9, 5}),
                                   Tensor::of<std::int32_t>(Shape{3}, {0, 1, 2})};
  const auto swapped = evaluate(read(sorted("      %1 = stablehlo.compare GT, %b, %a : (tensor<i32>, tensor<i32>) -> "
                                            "tensor<i1>\n      stablehlo.return %1 : tensor<i1>")),
                                inputs);
  CHECK(integers(swapped[1]) == std::vector<std::int32_t>{0, 2, 1});
  // By the greater of both first: values of two operands are compared, of which a trial knows too little.
  CHECK(refusal(sorted(R"(      %1 = stablehlo.compare GT, %a, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %2 = stablehlo.select %1, %a, %c : tensor<i1>, tensor<i32>
      %3 = stablehlo.compare GT, %b, %d : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %4 = stablehlo.select %3, %b, %d : tensor<i1>, tensor<i32>
      %5 = stablehlo.compare LT, %2, %4 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %5 : tensor<i1>)"))
            .sentence.find("does not order") != std::string::npos);
}
