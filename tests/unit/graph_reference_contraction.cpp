/// What dot_general and reduce mean. The order of additions is pinned by sums whose bits depend on it: 1e8 + 1 is 1e8
/// in f32.
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

import octet.base;
import octet.graph;

#include "evaluated.hpp"

using namespace octet;

namespace {

std::string dot(const Tensor& a, const Tensor& b, DotPrecision precision = DotPrecision::DEFAULT,
                Precision compiled = Precision::f32) {
  DotAttributes attributes{{}, {}, {0}, {0}};
  attributes.precision = precision;
  return evaluated(Op::dot_general, {a, b}, attributes, {}, {.precision = compiled});
}

/// Zero but at the places given.
Tensor sparse(std::initializer_list<std::pair<std::size_t, float>> elements, std::int64_t size = 48) {
  Tensor result{DType::f32, {size}};
  for (auto [place, value] : elements) result.mutable_span<float>()[place] = value;
  return result;
}

std::string reduced(const Tensor& x, Reducer reducer, Dims dimensions = {0}) {
  return evaluated(Op::reduce, {x}, ReduceAttributes{std::move(dimensions), reducer});
}

}  // namespace

TEST_CASE("dot_general adds products in the order of the contracted index") {
  const Tensor ones = row({1.0f, 1.0f, 1.0f});
  CHECK(dot(row({1e8f, 1.0f, -1e8f}), ones) == "f32[]: 0");
  CHECK(dot(row({1e8f, -1e8f, 1.0f}), ones) == "f32[]: 1");
  CHECK(dot(row({-0.0f}), row({1.0f})) == "f32[]: 0");
}

TEST_CASE("dot_general walks several contracted dimensions in the order that the attribute lists them") {
  const Tensor a = Tensor::of<float>({2, 2}, {1e8f, 1.0f, -1e8f, 0.0f}), ones = Tensor::full<float>({2, 2}, 1.0f);
  CHECK(evaluated(Op::dot_general, {a, ones}, DotAttributes{{}, {}, {0, 1}, {0, 1}}) == "f32[]: 0");
  CHECK(evaluated(Op::dot_general, {a, ones}, DotAttributes{{}, {}, {1, 0}, {1, 0}}) == "f32[]: 1");
}

TEST_CASE("dot_general puts batches first, then what is left of the left, then of the right") {
  const Tensor a = Tensor::of<std::int32_t>({2, 1, 2}, {1, 2, 3, 4}),
               b = Tensor::of<std::int32_t>({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  CHECK(evaluated(Op::dot_general, {a, b}, DotAttributes{{0}, {0}, {2}, {1}}) == "i32[2, 1, 2]: 7 10 43 50");
  CHECK(evaluated(Op::dot_general, {a, b}, DotAttributes{{0}, {2}, {2}, {0}}) == "i32[2, 1, 2]: 11 17 30 44");
  CHECK(evaluated(Op::dot_general, {row({1, 2}), row({3, 4})}, DotAttributes{}) == "i32[2, 2]: 3 4 6 8");
}

TEST_CASE("dot_general rounds f32 operands to bf16 only where bf16 precision is asked for") {
  const Tensor a = row({1.001953125f}), b = row({3.0f});
  CHECK(dot(a, b, DotPrecision::DEFAULT, Precision::bf16) == "f32[]: 3");
  CHECK(dot(a, b, DotPrecision::DEFAULT, Precision::f32) == "f32[]: 3.00585938");
  CHECK(dot(a, b, DotPrecision::HIGHEST, Precision::bf16) == "f32[]: 3.00585938");
  CHECK(dot(a.converted(DType::f64), b.converted(DType::f64), DotPrecision::DEFAULT, Precision::bf16) ==
        "f64[]: 3.005859375");
}

TEST_CASE("dot_general adds products of bf16 numbers in chains of 16, those in pairs, and the pairs in their order") {
  // Beside 2^24 a one is lost, in f32: where it stands decides with what it meets.
  const float large = 0x1p24f;
  const auto sum = [&](const std::vector<std::pair<std::size_t, float>>& places, Precision precision) {
    Tensor numbers{DType::f32, {80}};
    for (const auto& [place, number] : places) numbers.mutable_span<float>()[place] = number;
    return dot(numbers, Tensor::full<float>({80}, 1.0f), DotPrecision::DEFAULT, precision);
  };
  using enum Precision;
  CHECK(sum({{0, large}, {1, 1}, {2, 1}, {3, -large}}, bf16) == "f32[]: 0");     // within a chain: one by one
  CHECK(sum({{0, large}, {16, 1}, {17, 1}, {32, -large}}, bf16) == "f32[]: 2");  // 1 + 1 first, in a chain of their own
  CHECK(sum({{0, large}, {16, 1}, {17, 1}, {32, -large}}, f32) == "f32[]: 0");   // one by one
  CHECK(sum({{0, large}, {16, 1}, {32, 1}, {64, -large}}, bf16) == "f32[]: 0");  // blocks in their order
  CHECK(sum({{0, large}, {40, 1}, {50, 1}, {64, -large}}, bf16) == "f32[]: 2");  // a block's two chains first
  CHECK(sum({{64, large}, {79, -large}, {0, 1}}, bf16) == "f32[]: 1");           // an odd last chain
}

TEST_CASE("dot_general of bf16 adds in f32 and rounds once") {
  CHECK(dot(bf16_row({256, 1, 1}), bf16_row({1, 1, 1})) == "bf16[]: 258");
}

TEST_CASE("dot_general over nothing is zero, and of nothing is nothing") {
  const DotAttributes matrices{{}, {}, {1}, {0}};
  CHECK(evaluated(Op::dot_general, {Tensor{DType::f32, {2, 0}}, Tensor{DType::f32, {0, 1}}}, matrices) ==
        "f32[2, 1]: 0 0");
  CHECK(evaluated(Op::dot_general, {Tensor{DType::f32, {0, 2}}, Tensor{DType::f32, {2, 3}}}, matrices) == "f32[0, 3]:");
}

TEST_CASE("dot_general of integers wraps around") { CHECK(dot(row({65536, 1}), row({65536, -1})) == "i32[]: -1"); }

TEST_CASE("reduce joins element k to partial k mod 16") {
  CHECK(reduced(sparse({{0, 1e8f}, {1, 1.0f}, {16, -1e8f}}), Reducer::add) == "f32[]: 1");
  CHECK(reduced(sparse({{0, 1e8f}, {16, 1.0f}, {32, -1e8f}}), Reducer::add) == "f32[]: 0");
}

TEST_CASE("reduce joins partials 8, 4, 2 and 1 apart") {
  CHECK(reduced(sparse({{0, 1e8f}, {8, -1e8f}, {4, 1.0f}}), Reducer::add) == "f32[]: 1");
  CHECK(reduced(sparse({{0, 1e8f}, {4, -1e8f}, {8, 1.0f}}), Reducer::add) == "f32[]: 0");
  CHECK(reduced(sparse({{0, 1e8f}, {4, -1e8f}, {2, 1.0f}}), Reducer::add) == "f32[]: 1");
  CHECK(reduced(sparse({{0, 1e8f}, {2, -1e8f}, {4, 1.0f}}), Reducer::add) == "f32[]: 0");
  CHECK(reduced(sparse({{0, 1e8f}, {1, -1e8f}, {2, 1.0f}}), Reducer::add) == "f32[]: 0");
}

TEST_CASE("reduce joins runs of 256 in increasing order") {
  // Were it one run, 1e8 and -1e8 would be one partial result, and the rest another.
  CHECK(reduced(sparse({{0, 1e8f}, {256, -1e8f}, {1, 1.0f}}, 600), Reducer::add) == "f32[]: 0");
  CHECK(reduced(sparse({{0, 1e8f}, {240, -1e8f}, {1, 1.0f}}, 600), Reducer::add) == "f32[]: 1");
  CHECK(reduced(sparse({{0, 1e8f}, {256, -1e8f}, {512, 1.0f}}, 600), Reducer::add) == "f32[]: 1");
  CHECK(reduced(sparse({{0, 1e8f}, {512, -1e8f}, {256, 1.0f}}, 600), Reducer::add) == "f32[]: 0");
}

TEST_CASE("neutral elements at the end of what is reduced change nothing, however many") {
  std::vector<float> values;
  for (int i = 0; i < 700; ++i) values.push_back(1.0f / static_cast<float>(3 * i + 1) - 0.0125f);
  const std::string sum = reduced(Tensor::of<float>({700}, values), Reducer::add);
  for (const std::size_t padded : {701u, 768u, 769u, 1400u, 5000u}) {
    values.resize(padded);
    CHECK(reduced(Tensor::of<float>({static_cast<std::int64_t>(padded)}, values), Reducer::add) == sum);
  }
}

TEST_CASE("reduce of bf16 adds in f32 and rounds once") {
  CHECK(reduced(sparse({{0, 256.0f}, {16, 1.0f}, {32, 1.0f}}).converted(DType::bf16), Reducer::add) == "bf16[]: 258");
}

TEST_CASE("reduce over several dimensions runs row-major, however they are listed") {
  const Tensor x = sparse({{0, 1e8f}, {1, 1.0f}, {16, -1e8f}}).reshaped({3, 1, 16});
  CHECK(reduced(x, Reducer::add, {0, 2}) == "f32[1]: 1");
  CHECK(reduced(x, Reducer::add, {2, 0}) == "f32[1]: 1");
  CHECK(reduced(Tensor::of<std::int32_t>({2, 3}, {1, 2, 3, 4, 5, 6}), Reducer::add, {0}) == "i32[3]: 5 7 9");
  CHECK(reduced(row({1, 2}), Reducer::add, {}) == "i32[2]: 1 2");
}

TEST_CASE("reduce knows every reducer") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(reduced(row({2, 3, 4}), Reducer::multiply) == "i32[]: 24");
  CHECK(reduced(row({-2.0f, 3.0f}), Reducer::maximum) == "f32[]: 3");
  CHECK(reduced(row({-2.0f, nan, 3.0f}), Reducer::maximum) == "f32[]: nan");
  CHECK(reduced(row({0.0f, -0.0f}), Reducer::minimum) == "f32[]: -0");
  CHECK(reduced(row({-0.0f, -0.0f}), Reducer::add) == "f32[]: 0");
  CHECK(reduced(row({12, 10}), Reducer::and_) == "i32[]: 8");
  CHECK(reduced(row({12, 10}), Reducer::or_) == "i32[]: 14");
  CHECK(reduced(row({true, false}), Reducer::and_) == "i1[]: 0");
  CHECK(reduced(row({true, false}), Reducer::or_) == "i1[]: 1");
}

TEST_CASE("reduce over nothing is the neutral element") {
  const auto over_nothing = [](DType dtype, Reducer reducer) { return reduced(Tensor{dtype, {0, 1}}, reducer); };
  CHECK(over_nothing(DType::f32, Reducer::add) == "f32[1]: 0");
  CHECK(over_nothing(DType::bf16, Reducer::maximum) == "bf16[1]: -inf");
  CHECK(over_nothing(DType::f64, Reducer::minimum) == "f64[1]: inf");
  CHECK(over_nothing(DType::i32, Reducer::maximum) == "i32[1]: -2147483648");
  CHECK(over_nothing(DType::u32, Reducer::minimum) == "ui32[1]: 4294967295");
  CHECK(over_nothing(DType::i64, Reducer::multiply) == "i64[1]: 1");
  CHECK(over_nothing(DType::i32, Reducer::and_) == "i32[1]: -1");
  CHECK(over_nothing(DType::pred, Reducer::and_) == "i1[1]: 1");
  CHECK(over_nothing(DType::pred, Reducer::or_) == "i1[1]: 0");
  CHECK(reduced(Tensor{DType::f32, {0, 2}}, Reducer::add, {1}) == "f32[0]:");
}

TEST_CASE("the neutral element changes nothing that it is combined with") {
  for (DType dtype : all_dtypes)
    for (Reducer reducer :
         {Reducer::add, Reducer::multiply, Reducer::maximum, Reducer::minimum, Reducer::and_, Reducer::or_}) {
      const bool logical = reducer == Reducer::and_ || reducer == Reducer::or_;
      if (logical ? is_floating(dtype) : dtype == DType::pred) continue;
      const Tensor x = row({1, 0}).converted(dtype), neutral = neutral_element(reducer, dtype);
      CHECK(neutral.type() == TensorType{dtype, {}});
      const Op op = reducer == Reducer::add        ? Op::add
                    : reducer == Reducer::multiply ? Op::multiply
                    : reducer == Reducer::maximum  ? Op::maximum
                    : reducer == Reducer::minimum  ? Op::minimum
                    : reducer == Reducer::and_     ? Op::and_
                                                   : Op::or_;
      Tensor spread{dtype, {2}};
      for (std::size_t i = 0; i < spread.bytes().size(); ++i)
        spread.mutable_bytes()[i] = neutral.bytes()[i % neutral.bytes().size()];
      CHECK(evaluate(program(op, {x.type(), x.type()}), std::vector{spread, x}).front() == x);
    }
}
