// What only products read which round it is stored rounded: half the memory, and the bits of the reference.
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

using Function = std::function<std::vector<Array>(const std::vector<Array>&)>;

Array product(const Array& a, const Array& b, DotPrecision precision) {
  DotAttributes attributes;
  attributes.lhs_contracting_dimensions = {1};
  attributes.rhs_contracting_dimensions = {0};
  attributes.precision = precision;
  return dot_general(a, b, attributes);
}

std::size_t live_bytes(const Function& function, const std::vector<TensorType>& types, Precision precision) {
  return compile(trace(function, types), {.precision = precision}).statistics().live_bytes;
}

/// Bytes of what lies between the kernels, when the results are the reference's bits on every instruction set, on one
/// thread and on three, of ordinary numbers and of any.
std::size_t checked_bytes(const Function& function, const std::vector<TensorType>& types) {
  const Graph graph = trace(function, types);
  Dice dice{7};
  for (int round = 0; round < 3; ++round) {
    std::vector<Tensor> arguments;
    for (const TensorType& type : types) arguments.push_back(dice.tensor(type.dtype, type.shape));
    const auto expected = evaluate(graph, arguments, {.precision = Precision::bf16});
    for (const Isa isa : available_isas())
      for (const unsigned count : {1u, 3u}) {
        Threads threads{count};
        const Executable executable = compile(graph, {.isa = isa});
        const auto results = executable.run(arguments, threads);
        INFO(std::string{name(isa)} << " on " << count << "\n" << executable.describe());
        if (!same_bits(results, expected)) FAIL(shown(results) << " and not " << shown(expected));
      }
  }
  return live_bytes(function, types, Precision::bf16);
}

const TensorType matrix_of_64{DType::f32, Shape{64, 64}};
constexpr std::size_t of_f32 = 64 * 64 * 4, of_bf16 = of_f32 / 2;

}  // namespace

TEST_CASE("what only a rounding product reads is stored rounded, on either side") {
  const Function left = [](const auto& a) { return Arrays{matmul(tanh(a[0]), a[1])}; };
  const Function right = [](const auto& a) { return Arrays{matmul(a[1], tanh(a[0]))}; };
  const Function both = [](const auto& a) {
    const Array x = tanh(a[0]);
    return Arrays{matmul(x, x), matmul(matrix_transpose(x), a[1])};
  };
  for (const Function& function : {left, right, both}) {
    CHECK(checked_bytes(function, {matrix_of_64, matrix_of_64}) == of_bf16);
    CHECK(live_bytes(function, {matrix_of_64, matrix_of_64}, Precision::f32) == of_f32);
  }
}

TEST_CASE("what anyone else reads, or a product that does not round, is stored as it is") {
  const Function a_sum = [](const auto& a) {
    const Array x = tanh(a[0]);
    return Arrays{matmul(x, a[1]), sum(matrix_transpose(x), {0})};
  };
  const Function exact = [](const auto& a) { return Arrays{product(tanh(a[0]), a[1], DotPrecision::HIGHEST)}; };
  CHECK(checked_bytes(a_sum, {matrix_of_64, matrix_of_64}) == of_f32);
  CHECK(live_bytes(exact, {matrix_of_64, matrix_of_64}, Precision::bf16) == of_f32);
  // A result is what the caller asked for.
  const Function result = [](const auto& a) {
    const Array x = tanh(a[0]);
    return Arrays{matmul(x, a[1]), x};
  };
  CHECK(checked_bytes(result, {matrix_of_64, matrix_of_64}) == 0);
}

TEST_CASE("what its own loop reads, too, stays as it is there") {
  const Function function = [](const auto& a) {
    const Array x = tanh(a[0]);
    return Arrays{matmul(x, a[1]), exp(x)};
  };
  CHECK(checked_bytes(function, {matrix_of_64, matrix_of_64}) == of_bf16);
}

TEST_CASE("rounded values of ragged shapes are read as far as they go, and lying either way") {
  struct Extents {
    std::int64_t m, n, k;
  };
  for (const auto& [m, n, k] : {Extents{1, 1, 1}, {7, 33, 15}, {13, 18, 17}, {29, 40, 273}, {100, 20, 33}, {9, 65, 64}})
    for (const bool left : {false, true})
      for (const bool right : {false, true}) {
        const TensorType lhs{DType::f32, left ? Shape{k, m} : Shape{m, k}};
        const TensorType rhs{DType::f32, right ? Shape{n, k} : Shape{k, n}};
        const Function function = [&](const auto& a) {
          const Array x = tanh(a[0]), y = tanh(a[1]);  // so that no product leaves the range in which it is exact
          return Arrays{matmul(left ? matrix_transpose(x) : x, right ? matrix_transpose(y) : y)};
        };
        INFO(m << " x " << n << " x " << k << (left ? ", lhs" : "") << (right ? ", rhs transposed" : ""));
        CHECK(checked_bytes(function, {lhs, rhs}) > 0);
      }
}

TEST_CASE("rounded values are read through slices, transposes and batches, and copied where no stride reaches") {
  for (const std::int64_t n : {1, 2, 13, 17, 64, 130}) {
    const TensorType heads{DType::f32, Shape{3, n, 2 * 5}};
    CHECK(checked_bytes(
              [n](const auto& a) {
                const auto split = [n](const Array& x) { return transpose(reshape(x, {3, n, 2, 5}), {0, 2, 1, 3}); };
                const Array scores = matmul(split(tanh(a[0])), matrix_transpose(split(a[1] * 0.5)));
                return Arrays{matmul(exp(scores * 0.1), split(a[2] + 1.0))};
              },
              {heads, heads, heads}) > 0);
    const TensorType matrix{DType::f32, Shape{n, n + 3}};
    CHECK(checked_bytes(
              [n](const auto& a) {
                const Array x = tanh(a[0]);
                return Arrays{matmul(slice_in_dim(x, 1, n + 1, 1), a[1]), matmul(reshape(x, {n + 3, n}), a[1])};
              },
              {matrix, TensorType{DType::f32, Shape{n, 7}}}) > 0);
    // Two contracted dimensions that no stride joins.
    const TensorType cube{DType::f32, Shape{n, 3, 4}};
    CHECK(checked_bytes(
              [](const auto& a) {
                DotAttributes attributes;
                attributes.lhs_contracting_dimensions = attributes.rhs_contracting_dimensions = {0, 2};
                return Arrays{dot_general(tanh(a[0]), tanh(a[1]), attributes)};
              },
              {cube, cube}) > 0);
  }
}

TEST_CASE("a result is not written over an operand of as many bytes but other elements") {
  for (const std::int64_t n : {8, 600, 40000}) {
    // A leading slice is read in place; as f32 it has the bytes of the whole.
    const Function widened = [n](const auto& a) {
      const Array wide = cast<float>(slice_in_dim(a[0] + a[0], 0, n, 0));
      return Arrays{transpose(reshape(wide, {n / 8, 8}), {1, 0}) + a[1]};
    };
    checked_bytes(widened, {TensorType{DType::bf16, Shape{2 * n}}, TensorType{DType::f32, Shape{8, n / 8}}});
    const Function masked = [n](const auto& a) {
      const Array small = a[0] < 1.0;
      const Array near = tanh(a[1]);  // so that no product leaves the range in which it is exact
      const Array kept = select(slice_in_dim(small, 0, n, 0), near, near * 0.5);
      return Arrays{matmul(reshape(kept, {n / 8, 8}), tanh(a[2]))};
    };
    checked_bytes(masked, {TensorType{DType::f32, Shape{2 * n}}, TensorType{DType::f32, Shape{n}},
                           TensorType{DType::f32, Shape{8, 8}}});
  }
}

TEST_CASE("what is stored rounded may be denormal, or make denormal sums") {
  // Every product is a multiple of 2^-144, so that nothing is lost of it, fused or not.
  Tensor argument{matrix_of_64};
  std::int64_t i = 0;
  for (float& number : argument.mutable_span<float>()) {
    number = (i % 3 == 0 ? -1.0f : 1.0f) * (1 + static_cast<float>(i % 128) / 128);
    ++i;
  }
  const std::vector<Tensor> arguments{argument, argument};
  for (const auto& [left, right] : {std::pair{-60, -50}, {-60, -57}, {-65, -65}, {-127, -3}, {-130, -1}, {-3, -127}}) {
    const Function function = [&](const auto& a) {
      return Arrays{matmul(a[0] * std::ldexp(1.0f, left), a[1] * std::ldexp(1.0f, right))};
    };
    const Graph graph = trace(function, {matrix_of_64, matrix_of_64});
    const auto expected = evaluate(graph, arguments, {.precision = Precision::bf16});
    CHECK(live_bytes(function, {matrix_of_64, matrix_of_64}, Precision::bf16) == 2 * of_bf16);
    for (const Isa isa : available_isas()) {
      Threads threads;
      INFO(name(isa) << ", 2^" << left << " times 2^" << right);
      CHECK(same_bits(compile(graph, {.isa = isa}).run(arguments, threads), expected));
    }
  }
}
