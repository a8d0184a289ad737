/// matmul against a plain loop, of all pairs of ranks up to 4 and of extents 1, 2 and 3, as numpy.matmul has it.
#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

import octet.base;
import octet.graph;
import octet.trace;

#include "gradients.hpp"
#include "refused_trace.hpp"

using namespace octet;

namespace {

Arrays matmul_of(const Arrays& in) { return {matmul(in[0], in[1])}; }

/// Leading dimensions, the rows and the columns: a vector is one row on the left, one column on the right.
struct Matrices {
  Dims batch;
  std::int64_t rows, columns;
};
Matrices left(const Shape& shape) {
  if (shape.rank() == 1) return {{}, 1, shape[0]};
  return {{shape.begin(), shape.end() - 2}, shape[-2], shape[-1]};
}
Matrices right(const Shape& shape) {
  if (shape.rank() == 1) return {{}, shape[0], 1};
  return {{shape.begin(), shape.end() - 2}, shape[-2], shape[-1]};
}

/// The number of the matrix of `own` that stands at `index` of `batch`.
std::int64_t matrix_at(const Dims& own, const Dims& batch, std::int64_t index) {
  std::int64_t number = 0, stride = 1;
  for (std::size_t from_end = 1; from_end <= batch.size(); ++from_end) {
    const std::int64_t extent = batch[batch.size() - from_end], here = index % extent;
    index /= extent;
    if (from_end > own.size()) continue;
    const std::int64_t mine = own[own.size() - from_end];
    if (mine != 1) number += here * stride;
    stride *= mine;
  }
  return number;
}

/// What NumPy says; none where it refuses.
std::optional<Tensor> looped(const Tensor& x, const Tensor& y) {
  const Matrices a = left(x.shape()), b = right(y.shape());
  if (a.columns != b.rows) return std::nullopt;
  Dims batch(std::max(a.batch.size(), b.batch.size()), 1);
  for (const Dims* own : {&a.batch, &b.batch})
    for (std::size_t d = 1; d <= own->size(); ++d) {
      std::int64_t& common = batch[batch.size() - d];
      const std::int64_t mine = (*own)[own->size() - d];
      if (common != 1 && mine != 1 && common != mine) return std::nullopt;
      if (mine != 1) common = mine;
    }
  Dims shape = batch;
  if (x.shape().rank() > 1) shape.push_back(a.rows);
  if (y.shape().rank() > 1) shape.push_back(b.columns);
  Tensor result{DType::f64, Shape{shape}};
  std::span<double> to = result.mutable_span<double>();
  std::size_t at = 0;
  for (std::int64_t m = 0; m < Shape{batch}.elements(); ++m) {
    const std::int64_t one = matrix_at(a.batch, batch, m) * a.rows * a.columns,
                       other = matrix_at(b.batch, batch, m) * b.rows * b.columns;
    for (std::int64_t i = 0; i < a.rows; ++i)
      for (std::int64_t j = 0; j < b.columns; ++j) {
        double sum = 0;
        for (std::int64_t k = 0; k < a.columns; ++k)
          sum += x.span<double>()[static_cast<std::size_t>(one + i * a.columns + k)] *
                 y.span<double>()[static_cast<std::size_t>(other + k * b.columns + j)];
        to[at++] = sum;
      }
  }
  return result;
}

/// Small whole numbers: their products are exact in bf16, their sums in f32.
Tensor numbers(Draw& draw, const Shape& shape) {
  Tensor result{DType::f64, shape};
  for (double& element : result.mutable_span<double>()) element = static_cast<double>(draw.integer(-9, 9));
  return result;
}

std::vector<Shape> all_shapes(std::int64_t rank) {
  std::vector<Shape> result{Shape{}};
  for (std::int64_t d = 0; d < rank; ++d) {
    std::vector<Shape> longer;
    for (const Shape& shape : result)
      for (const std::int64_t extent : {1, 2, 3}) {
        Dims extents = shape.extents();
        extents.push_back(extent);
        longer.emplace_back(extents);
      }
    result = std::move(longer);
  }
  return result;
}

std::int64_t count(const Graph& graph, Op op) {
  std::int64_t found = 0;
  for (const Node& node : graph.nodes()) found += node.op == op;
  return found;
}

}  // namespace

TEST_CASE("matmul is a loop over matrices, whose leading dimensions are paired from the right") {
  Draw draw{1};
  std::int64_t multiplied = 0, refused_pairs = 0;
  for (std::int64_t one = 1; one <= 4; ++one)
    for (std::int64_t other = 1; other <= 4; ++other)
      for (const Shape& x_shape : all_shapes(one))
        for (const Shape& y_shape : all_shapes(other)) {
          const bool fits = left(x_shape).columns == right(y_shape).rows;
          if (one + other > 6 && draw.integer(0, fits ? 3 : 40) != 0) continue;
          const Tensor x = numbers(draw, x_shape), y = numbers(draw, y_shape);
          const std::optional<Tensor> expected = looped(x, y);
          const std::vector<TensorType> types{x.type(), y.type()};
          INFO(to_string(x_shape) << " by " << to_string(y_shape));
          if (expected) {
            const Graph graph = trace(matmul_of, types);
            ++multiplied;
            if (evaluate(graph, std::vector{x, y}).front() != *expected) FAIL("other than the loop");
            if (count(graph, Op::broadcast_in_dim) != 0) FAIL("something is repeated in memory");
          } else {
            ++refused_pairs;
            const Diagnostic fault = refused(types, [](const Arrays& in) { return matmul_of(in)[0]; });
            if (fault.number != 401) FAIL("refused with " << fault.number);
            if (!fault.where.file.string().ends_with("trace_matmul.cpp")) FAIL("its line is not here");
          }
        }
  CHECK(multiplied > 1000);
  CHECK(refused_pairs > 1000);
}

TEST_CASE("matmul gives what NumPy gives for the pairs that are easily mistaken") {
  const Tensor a = Tensor::of<double>({2, 2, 1, 1}, {1, 2, 3, 4}), b = Tensor::of<double>({2, 1, 1}, {10, 100});
  CHECK(evaluate(trace(matmul_of, {a.type(), b.type()}), std::vector{a, b}).front() ==
        Tensor::of<double>({2, 2, 1, 1}, {10, 200, 30, 400}));
  const auto shape = [](Shape x, Shape y) {
    return trace(matmul_of, {f32(std::move(x)), f32(std::move(y))}).result_types().front().shape;
  };
  CHECK(shape({2, 4}, {2, 4, 5}) == Shape{2, 2, 5});
  CHECK(shape({5, 2, 3, 4}, {2, 4, 5}) == Shape{5, 2, 3, 5});
  CHECK(shape({4}, {2, 4, 5}) == Shape{2, 5});
  CHECK(shape({2, 3, 4}, {4}) == Shape{2, 3});
  CHECK(shape({4}, {4}) == Shape{});
  CHECK(shape({0, 2, 3}, {1, 3, 4}) == Shape{0, 2, 4});
  CHECK(shape({5, 1, 2, 3}, {7, 3, 4}) == Shape{5, 7, 2, 4});
}

TEST_CASE("a matrix on the right of a batch, and a batch of both, is one product and nothing else") {
  for (const auto& [x, y] : {std::pair{Shape{5, 2, 3, 4}, Shape{4, 6}},
                             {Shape{2, 3, 4}, Shape{2, 4, 6}},
                             {Shape{3, 4}, Shape{4, 6}},
                             {Shape{2, 3, 4}, Shape{4}},
                             {Shape{4}, Shape{2, 4, 6}}}) {
    INFO(to_string(x) << " by " << to_string(y));
    CHECK(trace(matmul_of, {f32(x), f32(y)}).nodes().size() == 1);
  }
}

TEST_CASE("leading dimensions that fit neither way are refused with both arrays, their dimensions and what would fit") {
  const Diagnostic fault =
      refused({f32({5, 2, 3, 4}), f32({3, 4, 5})}, [](const Arrays& in) { return matmul(in[0], in[1]); });
  CHECK(fault.sentence ==
        "matmul: dimension 1 of the left operand f32[5, 2, 3, 4] goes with dimension 0 of the right "
        "operand f32[3, 4, 5], and 2 is not 3.");
  REQUIRE(fault.fix.size() == 1);
  CHECK(fault.fix[0] == "make them equal, or one of them 1, which serves all of the other");
  const Diagnostic inner =
      refused({f32({1, 2, 3}), f32({5, 2, 4})}, [](const Arrays& in) { return matmul(in[0], in[1]); });
  CHECK(inner.sentence ==
        "matmul: dimension 2 of the left operand f32[1, 2, 3] goes with dimension 1 of the right "
        "operand f32[5, 2, 4], and 3 is not 2.");
}

TEST_CASE("the derivatives of matmul are those of finite differences, whatever is paired") {
  Draw draw{7};
  for (const auto& [x, y] : {std::pair{Shape{2, 2, 1, 1}, Shape{2, 1, 1}},
                             {Shape{2, 3}, Shape{2, 3, 2}},
                             {Shape{3}, Shape{2, 3, 2}},
                             {Shape{2, 2, 3}, Shape{3}},
                             {Shape{3, 1, 2, 3}, Shape{2, 3, 1}},
                             {Shape{1, 2, 3}, Shape{2, 2, 3, 2}},
                             {Shape{2, 1, 2, 2}, Shape{1, 3, 2, 2}},
                             {Shape{3}, Shape{3}},
                             {Shape{3}, Shape{3, 2}}}) {
    const Sample sample{
        "matmul of " + to_string(x) + " by " + to_string(y), matmul_of, {{draw.tensor(x), draw.tensor(y)}}};
    CHECK(gradient_fault(sample) == "");
    CHECK(gradient_fault(second(sample), 1e-6) == "");
  }
}
