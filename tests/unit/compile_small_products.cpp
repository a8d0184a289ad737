// Many small products: dot products side by side in vectors, a few rows, batches along dimensions in any order.
#include <algorithm>
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
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
// Needs the one above.
#include "compiled.hpp"

using namespace octet;

namespace {

/// Whether a program of two arguments has the reference's bits on every instruction set, on one thread and on three, in
/// both precisions. In that of f32, where some fuse their multiply-adds, numbers are so small that nothing is rounded.
template <class Function>
void check(const Function& function, const Shape& left, const Shape& right, DType dtype = DType::f32) {
  const Graph graph = trace([&](const Arrays& a) { return Arrays{function(a[0], a[1])}; },
                            std::vector<TensorType>{{dtype, left}, {dtype, right}});
  Dice dice{11};
  for (const Precision precision : {Precision::f32, Precision::bf16}) {
    std::vector<Tensor> arguments;
    for (const Shape& shape : {left, right}) {
      Tensor numbers{DType::f32, shape};
      const std::int64_t most = precision == Precision::f32 ? 9 : 99'999;
      for (float& number : numbers.mutable_span<float>()) {
        number = static_cast<float>(dice.between(-most, most));
        if (dice.likely(1)) number = dice.likely(50) ? HUGE_VALF : -NAN;
      }
      arguments.push_back(numbers.converted(dtype));
    }
    const auto expected = evaluate(graph, arguments, {.precision = precision});
    for (const Isa isa : available_isas())
      for (const unsigned count : {1u, 3u}) {
        Threads threads{count};
        const auto results = compile(graph, {.precision = precision, .isa = isa}).run(arguments, threads);
        INFO(std::string{name(isa)} << " on " << count << ", " << to_string(left) << " by " << to_string(right));
        if (!same_bits(results, expected)) FAIL(shown(results) << " and not " << shown(expected));
      }
  }
}

/// Of operands [2, 21, rows, depth] whose first two dimensions are the batch, in this order or the other one.
Array dot(const Array& a, const Array& b, const Dims& batch_of_b) {
  DotAttributes attributes;
  attributes.lhs_batching_dimensions = {0, 1};
  attributes.rhs_batching_dimensions = batch_of_b;
  attributes.lhs_contracting_dimensions = attributes.rhs_contracting_dimensions = {3};
  return dot_general(a, b, attributes);
}

}  // namespace

TEST_CASE("batches of small products have the reference's bits, whatever their rows, columns and depth") {
  for (const std::int64_t m : {1, 2, 4, 5})
    for (const std::int64_t n : {1, 4, 9})
      for (const std::int64_t k : {1, 8, 15, 40}) {
        check([](const Array& a, const Array& b) { return dot(a, b, {0, 1}); }, {2, 21, m, k}, {2, 21, n, k});
        check([](const Array& a, const Array& b) { return dot(a, b, {1, 0}); }, {2, 21, m, k}, {21, 2, n, k});
        check([](const Array& a, const Array& b) { return matmul(a, b); }, {2, 21, m, k}, {2, 21, k, n});
      }
}

TEST_CASE("dot products of rows that are stored rounded, of bf16, and of one row by many have the reference's bits") {
  for (const std::int64_t k : {1, 16, 17, 70, 512}) {
    const Shape rows{2, 21, 1, k}, turned{21, 2, 1, k};
    check([](const Array& a, const Array& b) { return dot(a * 3.0, b, {0, 1}); }, rows, rows);
    check([](const Array& a, const Array& b) { return dot(a * 3.0, b * 3.0, {1, 0}); }, rows, turned);
    check([](const Array& a, const Array& b) { return dot(a, b, {0, 1}); }, rows, rows, DType::bf16);
    check([](const Array& a, const Array& b) { return transpose(dot(a, b, {0, 1}), {1, 0, 2, 3}); }, rows, rows);
    check([&](const Array& a, const Array& b) { return dot(a, broadcast_in_dim(b, rows, {3}), {0, 1}); }, rows, {k});
    check([](const Array& a, const Array& b) { return dot(a, transpose(b, {1, 2, 3, 0}), {0, 1}); }, rows,
          {k, 2, 21, 1});
  }
}
