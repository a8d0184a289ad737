// Reductions are the reference's. The largest and the smallest of rows and columns: rows of any length, in several
// blocks and with a rest behind whole vectors, wherever in them it is, and whatever the numbers. Rows of several
// blocks, few or many of them, which threads share in different ways.
#include <algorithm>
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

import octet.base;
import octet.graph;
import octet.trace;
import octet.compile;

#include "evaluated.hpp"
// Needs the first one.
#include "compiled.hpp"

using namespace octet;

namespace {

constexpr std::int64_t rows = 12;
constexpr DType dtypes[] = {DType::f32, DType::bf16, DType::f64};

/// Of rows of so many numbers, or of as many columns; `extremes` says what is in row r, given its numbers.
template <class Extremes>
void check(DType dtype, std::int64_t length, const Extremes& extremes) {
  Threads threads{2};
  for (const Reducer reducer : {Reducer::maximum, Reducer::minimum})
    for (const bool along_rows : {true, false}) {
      Tensor numbers{dtype, along_rows ? Shape{rows, length} : Shape{length, rows}};
      visit_dtype(dtype, [&]<class T>(std::type_identity<T>) {
        if constexpr (std::is_floating_point_v<T> || std::is_same_v<T, bfloat16>) {
          std::vector<float> row(static_cast<std::size_t>(length));
          const std::span<T> to = numbers.mutable_span<T>();
          for (std::int64_t r = 0; r < rows; ++r) {
            extremes(r, reducer == Reducer::maximum ? 1.0f : -1.0f, row);
            for (std::int64_t i = 0; i < length; ++i)
              to[static_cast<std::size_t>(along_rows ? r * length + i : i * rows + r)] =
                  static_cast<T>(row[static_cast<std::size_t>(i)]);
          }
        }
      });
      const std::vector<Tensor> operands{numbers};
      const Graph graph = program(Op::reduce, {numbers.type()}, ReduceAttributes{{along_rows ? 1 : 0}, reducer});
      const auto expected = evaluate(graph, operands);
      for (const Isa isa : available_isas()) {
        INFO(name(isa) << ", " << to_string(graph));
        CHECK(same_bits(compile(graph, {.isa = isa}).run(operands, threads), expected));
      }
    }
}

}  // namespace

TEST_CASE("the largest and the smallest of a row are found wherever they are") {
  Dice dice{1};
  for (const DType dtype : dtypes)
    for (const std::int64_t length : {1, 3, 16, 17, 41, 256, 300, 512, 1100, 1024}) {
      const std::int64_t places[] = {0, 1, 15, 16, 255, 256, 511, 512, 1023, length - 2, length - 1, length / 2};
      check(dtype, length, [&](std::int64_t r, float sign, std::vector<float>& row) {
        for (float& number : row) number = static_cast<float>(dice.between(-40, 40)) / 4;
        row[static_cast<std::size_t>(std::clamp<std::int64_t>(places[r], 0, length - 1))] = 11 * sign;
      });
    }
}

TEST_CASE("the largest and the smallest of zeros, infinities and NaN are the reference's") {
  Dice dice{2};
  const float kinds[][3] = {{0.0f, -0.0f, -0.0f},
                            {-0.0f, -0.0f, -0.0f},
                            {HUGE_VALF, HUGE_VALF, HUGE_VALF},
                            {-HUGE_VALF, -HUGE_VALF, -HUGE_VALF},
                            {-HUGE_VALF, HUGE_VALF, 1},
                            {1, -HUGE_VALF, -2},
                            {3, HUGE_VALF, -2},
                            {1e-41f, -1e-41f, 0.0f},
                            {0.0f, -1e-41f, -0.0f},
                            {NAN, 1, 2},
                            {-NAN, 1, -HUGE_VALF},
                            {NAN, -NAN, NAN}};
  for (const DType dtype : dtypes)
    for (const std::int64_t length : {1, 2, 16, 19, 300, 1100})
      check(dtype, length, [&](std::int64_t r, float, std::vector<float>& row) {
        for (float& number : row) number = kinds[r][dice.between(0, 2)];
      });
}

TEST_CASE("rows of several blocks are reduced as the reference says, few or many of them, on any number of threads") {
  Dice dice{3};
  const std::pair<std::int64_t, std::int64_t> shapes[] = {{1, 513},    {1, 768},   {1, 40'000}, {1, 40'961},
                                                          {2, 20'001}, {15, 1025}, {16, 1025},  {40, 900}};
  for (const auto& [count, length] : shapes)
    for (const DType dtype : {DType::f32, DType::bf16, DType::f64, DType::i32, DType::pred}) {
      const std::vector<Tensor> operands{dice.tensor(dtype, {count, length}), dice.tensor(dtype, {count, length})};
      const bool logical = dtype == DType::pred;
      const auto one_loop = [&](const std::vector<Array>& a) -> std::vector<Array> {
        const Array both = logical ? a[0] | a[1] : a[0] * a[1];
        if (logical) return {both, any(both, {1}), all(both, {1})};
        return {both, sum(both, {1}), product(both, {1}), max(both, {1}), min(both, {1})};
      };
      const Graph graph = trace(one_loop, std::vector{operands[0].type(), operands[1].type()});
      const auto expected = evaluate(graph, operands);
      for (const Isa isa : available_isas())
        for (const unsigned thread_count : {1u, 2u, 3u}) {
          Threads threads{thread_count};
          INFO(name(isa) << ", " << thread_count << " threads, " << to_string(graph));
          CHECK(same_bits(compile(graph, {.isa = isa}).run(operands, threads), expected));
        }
    }
}

TEST_CASE("what lies between other dimensions is reduced as the reference says, in one loop with what is before it") {
  Dice dice{4};
  Threads threads{3};
  const std::pair<Shape, Dims> reductions[] = {
      {{3, 20, 7}, {1}},   {{700, 2, 3}, {1}},        {{1100, 3, 1, 4}, {1, 2}}, {{5, 300, 3}, {1}},
      {{2, 40, 70}, {1}},  {{2, 18, 600}, {1}},       {{3, 3, 2100}, {1}},       {{9, 4, 5, 1, 6}, {1, 2, 3}},
      {{2, 600, 16}, {1}}, {{2, 600, 16, 1}, {1, 3}}, {{40, 6, 16}, {1}},        {{5000, 3}, {0}},
      {{2, 3000}, {0}},    {{37, 33}, {0}},           {{6, 1, 90, 2}, {0, 1}},   {{3, 0, 4}, {1}},
      {{0, 3, 4}, {1}},    {{4, 3, 0}, {1}}};
  for (const auto& [shape, dimensions] : reductions)
    for (const DType dtype : {DType::f32, DType::bf16, DType::f64, DType::i64, DType::pred}) {
      const std::vector<Tensor> operands{dice.tensor(dtype, shape), dice.tensor(dtype, shape)};
      const bool logical = dtype == DType::pred;
      const auto one_loop = [&](const std::vector<Array>& a) -> std::vector<Array> {
        const Array both = logical ? a[0] | a[1] : a[0] - a[1];
        if (logical) return {both, any(both, dimensions), all(both, dimensions)};
        return {both, sum(both, dimensions), product(both, dimensions), max(both, dimensions)};
      };
      const Graph graph = trace(one_loop, std::vector{operands[0].type(), operands[1].type()});
      const auto expected = evaluate(graph, operands);
      for (const Isa isa : available_isas()) {
        const Executable executable = compile(graph, {.donated = {0}, .isa = isa});
        INFO(name(isa) << ", " << to_string(graph));
        CHECK(same_bits(executable.run(operands, threads), expected));
        CHECK((executable.statistics().kernels == 1 || shape.elements() == 0));
      }
    }
}

TEST_CASE("sums and products of rows of any length are the reference's, of negative zeros too") {
  Dice dice{7};
  Threads threads{1};
  for (const DType dtype : dtypes)
    for (const Reducer reducer : {Reducer::add, Reducer::multiply})
      for (std::int64_t length = 1; length <= 50; ++length) {
        Tensor numbers = dice.tensor(dtype, {6, length});
        Tensor zeros = Tensor::of<float>({length}, std::vector<float>(static_cast<std::size_t>(length), -0.0f));
        zeros = zeros.converted(dtype);
        std::ranges::copy(zeros.bytes(), numbers.mutable_bytes().begin());
        const Graph graph = program(Op::reduce, {numbers.type()}, ReduceAttributes{{1}, reducer});
        const std::vector<Tensor> operands{numbers};
        const auto expected = evaluate(graph, operands);
        for (const Isa isa : available_isas()) {
          INFO(name(isa) << ", " << to_string(graph));
          CHECK(same_bits(compile(graph, {.isa = isa}).run(operands, threads), expected));
        }
      }
}

TEST_CASE("a sum of one element each is no loop, and +0 of -0") {
  Dice dice{8};
  Threads threads{1};
  for (const DType dtype : all_dtypes) {
    if (dtype == DType::pred) continue;
    const Tensor numbers = dice.tensor(dtype, {1, 40, 1});
    const Graph graph = program(Op::reduce, {numbers.type()}, ReduceAttributes{{0, 2}, Reducer::add});
    INFO(to_string(graph));
    const std::vector<Tensor> operands{numbers};
    CHECK(same_bits(compile(graph).run(operands, threads), evaluate(graph, operands)));
    CHECK(std::ranges::none_of(optimize(graph).nodes(), [](const Node& node) { return node.op == Op::reduce; }));
  }
}
