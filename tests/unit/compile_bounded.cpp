/// Rule 2's bounded forms against what jax.numpy gives: by the reference and by compiled kernels, which must agree to
/// the bit.
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <initializer_list>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

import octet.base;
import octet.graph;
import octet.trace;
import octet.compile;

#include "evaluated.hpp"

using namespace octet;
using Arrays = std::vector<Array>;

namespace {

using Function = std::function<Arrays(const Arrays&)>;

/// The results of the reference, as text; the compiled program must give the same.
std::string made(const Function& function, const std::vector<Tensor>& arguments) {
  std::vector<TensorType> types;
  for (const Tensor& argument : arguments) types.push_back(argument.type());
  const Graph graph = trace(function, types);
  const std::string expected = text(evaluate(graph, arguments));
  Threads threads{2};
  CHECK(text(compile(graph).run(arguments, threads)) == expected);
  return expected;
}

std::string unique_of(const Tensor& x, Bound bound) {
  return made([&](const Arrays& in) { return Arrays{unique(in[0], bound)}; }, {x});
}
std::string nonzero_of(const Tensor& x, Bound bound) {
  return made([&](const Arrays& in) { return nonzero(in[0], bound); }, {x});
}
std::string repeat_of(const Tensor& x, const Tensor& counts, RepeatBound bound) {
  return made([&](const Arrays& in) { return Arrays{repeat(in[0], in[1], bound)}; }, {x, counts});
}

Diagnostic refused(const Function& function, const std::vector<TensorType>& types) {
  try {
    trace(function, types);
  } catch (const Error& error) {
    return error.diagnostics().front();
  }
  return {};
}

const Tensor empty{DType::f32, {0}};

}  // namespace

TEST_CASE("unique gives the different elements in increasing order, and the fill after them") {
  const Tensor x = row<std::int32_t>({3, 1, 3, -2, 1, 3});
  CHECK(unique_of(x, {.size = 3}) == "i32[3]: -2 1 3");
  CHECK(unique_of(x, {.size = 5, .fill = 9}) == "i32[5]: -2 1 3 9 9");
  CHECK(unique_of(x, {.size = 5}) == "i32[5]: -2 1 3 -2 -2");
  CHECK(unique_of(x, {.size = 2, .fill = 9}) == "i32[2]: -2 1");
  CHECK(unique_of(x, {.size = 0}) == "i32[0]:");
  CHECK(unique_of(x, {.size = 9, .fill = 0}) == "i32[9]: -2 1 3 0 0 0 0 0 0");
  CHECK(unique_of(Tensor::of<float>({2, 2}, {2, 2, 2, 2}), {.size = 2, .fill = -1}) == "f32[2]: 2 -1");
  CHECK(unique_of(row<float>({7}), {.size = 1}) == "f32[1]: 7");
  CHECK(unique_of(Tensor::scalar(7.0f), {.size = 2, .fill = 0}) == "f32[2]: 7 0");
  CHECK(unique_of(row<bool>({true, false, true}), {.size = 2}) == "i1[2]: 0 1");
  CHECK(unique_of(row<std::int64_t>({1LL << 60, (1LL << 60) + 1}), {.size = 3, .fill = 1LL << 61}) ==
        "i64[3]: 1152921504606846976 1152921504606846977 2305843009213693952");
}

TEST_CASE("unique counts all NaNs as one, last, and zero of either sign as one") {
  const float nan = std::nanf("");
  CHECK(unique_of(row<float>({nan, 1, -nan, nan, -INFINITY, INFINITY}), {.size = 5, .fill = 0}) ==
        "f32[5]: -inf 1 inf nan 0");
  CHECK(unique_of(row<float>({0.0f, -0.0f, 1}), {.size = 3, .fill = 5}) == "f32[3]: 0 1 5");
  CHECK(unique_of(row<float>({-0.0f, 0.0f}), {.size = 1}) == "f32[1]: -0");
  CHECK(unique_of(row<float>({nan, nan}), {.size = 2, .fill = 3}) == "f32[2]: nan 3");
  CHECK(unique_of(bf16_row({1, nan, 1}), {.size = 3, .fill = 0.5}) == "bf16[3]: 1 nan 0.5");
}

TEST_CASE("unique of nothing is the fill alone") {
  CHECK(unique_of(empty, {.size = 2, .fill = 4}) == "f32[2]: 4 4");
  CHECK(unique_of(empty, {.size = 0}) == "f32[0]:");
}

TEST_CASE("nonzero gives the places of true elements in order, and the fill after them") {
  CHECK(nonzero_of(row<bool>({false, true, true, false, true}), {.size = 3}) == "i32[3]: 1 2 4");
  CHECK(nonzero_of(row<bool>({false, true, true, false, true}), {.size = 2}) == "i32[2]: 1 2");
  CHECK(nonzero_of(row<bool>({false, true, true, false, true}), {.size = 7, .fill = -1}) ==
        "i32[7]: 1 2 4 -1 -1 -1 -1");
  CHECK(nonzero_of(row<bool>({false, false}), {.size = 2, .fill = 5}) == "i32[2]: 5 5");
  CHECK(nonzero_of(row<bool>({true, true, true}), {.size = 3}) == "i32[3]: 0 1 2");
  CHECK(nonzero_of(row<bool>({true}), {.size = 4}) == "i32[4]: 0 0 0 0");
  CHECK(nonzero_of(row<float>({0, std::nanf(""), -0.0f, 2}), {.size = 3, .fill = 9}) == "i32[3]: 1 3 9");
  CHECK(nonzero_of(empty, {.size = 2, .fill = 3}) == "i32[2]: 3 3");
  CHECK(nonzero_of(row<bool>({true}), {.size = 0}) == "i32[0]:");
}

TEST_CASE("nonzero and argwhere name the index in every dimension") {
  const Tensor x = Tensor::of<std::int32_t>({2, 3}, {0, 5, 0, 7, 0, 8});
  CHECK(nonzero_of(x, {.size = 4, .fill = -1}) == "i32[4]: 0 1 1 -1; i32[4]: 1 0 2 -1");
  CHECK(made([](const Arrays& in) { return Arrays{argwhere(in[0], {.size = 4, .fill = -1})}; }, {x}) ==
        "i32[4, 2]: 0 1 1 0 1 2 -1 -1");
  CHECK(nonzero_of(Tensor{DType::pred, {2, 0, 3}}, {.size = 1}) == "i32[1]: 0; i32[1]: 0; i32[1]: 0");
}

TEST_CASE("repeat gives each row as often as its count says, up to the total") {
  const Tensor x = row<float>({10, 20, 30});
  CHECK(repeat_of(x, row<std::int32_t>({1, 0, 3}), {.total = 4}) == "f32[4]: 10 30 30 30");
  CHECK(repeat_of(x, row<std::int32_t>({2, 2, 2}), {.total = 3}) == "f32[3]: 10 10 20");
  CHECK(repeat_of(x, row<std::int32_t>({1, 1, 1}), {.total = 6}) == "f32[6]: 10 20 30 30 30 30");
  CHECK(repeat_of(x, row<std::int32_t>({1, 2, 0}), {.total = 5}) == "f32[5]: 10 20 20 30 30");
  CHECK(repeat_of(x, row<std::int32_t>({0, 0, 0}), {.total = 2}) == "f32[2]: 30 30");
  CHECK(repeat_of(x, row<std::int64_t>({0, -4, 1}), {.total = 2}) == "f32[2]: 30 30");
  CHECK(repeat_of(x, Tensor::scalar<std::int32_t>(2), {.total = 6}) == "f32[6]: 10 10 20 20 30 30");
  CHECK(repeat_of(x, row<std::int32_t>({1, 1, 1}), {.total = 0}) == "f32[0]:");
  CHECK(repeat_of(empty, Tensor{DType::i32, {0}}, {.total = 0}) == "f32[0]:");
  constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
  CHECK(repeat_of(x, row<std::int32_t>({1, most, 5}), {.total = 4}) == "f32[4]: 10 20 20 20");
  CHECK(repeat_of(x, row<std::uint32_t>({1, 0xffff'ffff, 5}), {.total = 3}) == "f32[3]: 10 20 20");
  CHECK(repeat_of(x, row<std::int64_t>({1, std::numeric_limits<std::int64_t>::max(), 5}), {.total = 3}) ==
        "f32[3]: 10 20 20");
  const Tensor matrix = Tensor::of<float>({2, 2}, {1, 2, 3, 4});
  CHECK(repeat_of(matrix, row<std::int32_t>({2, 1}), {.total = 3}) == "f32[3, 2]: 1 2 1 2 3 4");
  CHECK(repeat_of(matrix, row<std::int32_t>({2, 1}), {.total = 3, .dimension = -1}) == "f32[2, 3]: 1 1 2 3 3 4");
}

TEST_CASE("repeat compares no row with each place of the result") {
  const Graph graph = trace([](const Arrays& in) { return Arrays{repeat(in[0], in[1], {.total = 300})}; },
                            {{DType::f32, {200}}, {DType::i32, {200}}});
  for (const Value& value : graph.values()) CHECK(value.type.shape.elements() <= 300);
}

TEST_CASE("repeat by a number of the host needs no bound") {
  const Tensor matrix = Tensor::of<float>({2, 2}, {1, 2, 3, 4});
  CHECK(made([](const Arrays& in) { return Arrays{repeat(in[0], 2), repeat(in[0], 2, 1), repeat(in[0], 0)}; },
             {matrix}) == "f32[4, 2]: 1 2 1 2 3 4 3 4; f32[2, 4]: 1 1 2 2 3 3 4 4; f32[0, 2]:");
}

TEST_CASE("cumulative sums are those of numpy.cumsum") {
  CHECK(made([](const Arrays& in) { return Arrays{cumulative_sum(in[0])}; },
             {row<std::int32_t>({1, 2, 3, 4, 5, 6, 7})}) == "i32[7]: 1 3 6 10 15 21 28");
  CHECK(made([](const Arrays& in) { return Arrays{cumulative_sum(in[0], 0), cumulative_sum(in[0])}; },
             {Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, 6})}) == "f32[2, 3]: 1 2 3 5 7 9; f32[2, 3]: 1 3 6 4 9 15");
  CHECK(made([](const Arrays& in) { return Arrays{cumulative_sum(in[0])}; }, {empty}) == "f32[0]:");
}

TEST_CASE("a number of the host takes one element of the leading axis") {
  const Tensor matrix = Tensor::of<float>({2, 2}, {1, 2, 3, 4});
  CHECK(made([](const Arrays& in) { return Arrays{in[0][0], in[0][-1], in[0][1][0]}; }, {matrix}) ==
        "f32[2]: 1 2; f32[2]: 3 4; f32[]: 3");
  const TensorType type = matrix.type();
  const unsigned line = __LINE__ + 1;
  const Diagnostic fault = refused([](const Arrays& in) { return Arrays{in[0][2]}; }, {type});
  CHECK(fault.number == 403);
  CHECK(fault.where.line == line);
  CHECK(refused([](const Arrays& in) { return Arrays{in[0][-3]}; }, {type}).number == 403);
  CHECK(refused([](const Arrays& in) { return Arrays{in[0][0]}; }, {{DType::f32, {}}}).number == 403);
  CHECK(refused([](const Arrays& in) { return Arrays{in[0][0]}; }, {{DType::f32, {0}}}).number == 403);
}

TEST_CASE("a bound that no result can have is refused with X205 at the user's line") {
  const std::vector<TensorType> types{{DType::f32, {3}}, {DType::i32, {3}}, {DType::f32, {0}}};
  const unsigned line = __LINE__ + 1;
  const Diagnostic fault = refused([](const Arrays& in) { return Arrays{unique(in[0], {.size = -1})}; }, types);
  CHECK(fault.number == 205);
  CHECK(fault.where.line == line);
  CHECK(fault.because.size() == 1);
  CHECK(refused([](const Arrays& in) { return nonzero(in[0], {.size = -1}); }, types).number == 205);
  CHECK(refused([](const Arrays& in) { return Arrays{repeat(in[0], in[1], {.total = -1})}; }, types).number == 205);
  CHECK(refused([](const Arrays& in) { return Arrays{repeat(in[0], -1)}; }, types).number == 205);
  CHECK(refused([](const Arrays& in) { return Arrays{unique(in[2], {.size = 1})}; }, types).number == 205);
  CHECK(refused([](const Arrays& in) { return Arrays{repeat(in[2], in[1], {.total = 1})}; }, types).number == 205);
}

TEST_CASE("a fill of another kind and counts of another type or number are refused") {
  const std::vector<TensorType> types{{DType::f32, {3}}, {DType::i32, {2}}, {DType::i32, {3}}};
  CHECK(refused([](const Arrays& in) { return Arrays{unique(in[2], {.size = 4, .fill = 0.5})}; }, types).number == 402);
  CHECK(refused([](const Arrays& in) { return nonzero(in[0], {.size = 4, .fill = 0.5}); }, types).number == 402);
  CHECK(refused([](const Arrays& in) { return Arrays{repeat(in[0], in[0], {.total = 4})}; }, types).number == 402);
  CHECK(refused([](const Arrays& in) { return Arrays{repeat(in[0], in[1], {.total = 4})}; }, types).number == 401);
  CHECK(refused([](const Arrays& in) { return Arrays{repeat(in[0], in[2], {.total = 4, .dimension = 1})}; }, types)
            .number == 403);
  CHECK(refused([](const Arrays&) { return nonzero(Tensor::scalar(1.0f), {.size = 1}); }, types).number == 403);
}
