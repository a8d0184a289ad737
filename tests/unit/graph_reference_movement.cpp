/// What the operations mean that move elements: edges, extents of 0, indices out of bounds.
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

/// 0, 1, 2, ... in `shape`.
Tensor counted(Shape shape) {
  Tensor result{DType::i32, std::move(shape)};
  std::int32_t next = 0;
  for (std::int32_t& element : result.mutable_span<std::int32_t>()) element = next++;
  return result;
}

const Tensor scalar = Tensor::scalar(7);
const Tensor none{DType::i32, {0, 3}};

}  // namespace

TEST_CASE("broadcast_in_dim repeats extents of 1 and new dimensions, in any order") {
  const auto broadcast = [](const Tensor& x, Shape shape, Dims dimensions) {
    return evaluated(Op::broadcast_in_dim, {x}, BroadcastAttributes{std::move(shape), std::move(dimensions)});
  };
  CHECK(broadcast(scalar, {2, 2}, {}) == "i32[2, 2]: 7 7 7 7");
  CHECK(broadcast(scalar, {}, {}) == "i32[]: 7");
  CHECK(broadcast(counted({3}), {2, 3}, {1}) == "i32[2, 3]: 0 1 2 0 1 2");
  CHECK(broadcast(counted({2, 1}), {2, 3}, {0, 1}) == "i32[2, 3]: 0 0 0 1 1 1");
  CHECK(broadcast(counted({2, 3}), {3, 2}, {1, 0}) == "i32[3, 2]: 0 3 1 4 2 5");
  CHECK(broadcast(counted({2, 3}), {3, 2, 2}, {2, 0}) == "i32[3, 2, 2]: 0 3 0 3 1 4 1 4 2 5 2 5");
  CHECK(broadcast(counted({1, 3}), {0, 3}, {0, 1}) == "i32[0, 3]:");
  CHECK(broadcast(none, {0, 3, 2}, {0, 1}) == "i32[0, 3, 2]:");
}

TEST_CASE("movement keeps the bits of every element type") {
  for (DType dtype : all_dtypes) {
    Tensor x{dtype, {2, 3}};
    std::byte next{};
    if (dtype != DType::pred)
      for (std::byte& byte : x.mutable_bytes()) byte = (next = std::byte(std::to_integer<int>(next) * 5 + 201));
    const auto apply = [](Op op, const Tensor& operand, Attributes attributes) {
      return evaluate(program(op, {operand.type()}, std::move(attributes)), std::vector{operand}).front();
    };
    const TransposeAttributes swap{{1, 0}};
    CHECK(apply(Op::transpose, apply(Op::transpose, x, swap), swap) == x);
    const DimensionsAttributes both{{0, 1}};
    CHECK(apply(Op::reverse, apply(Op::reverse, x, both), both) == x);
  }
}

TEST_CASE("concatenate joins operands of different extents, empty ones too") {
  const auto joined = [](std::vector<Tensor> operands, std::int64_t dimension) {
    return evaluated(Op::concatenate, operands, DimensionAttributes{dimension});
  };
  CHECK(joined({counted({2, 1}), counted({2, 2})}, 1) == "i32[2, 3]: 0 0 1 1 2 3");
  CHECK(joined({none, counted({1, 3}), none}, 0) == "i32[1, 3]: 0 1 2");
  CHECK(joined({none, none}, 0) == "i32[0, 3]:");
  CHECK(joined({counted({2, 2, 1})}, 2) == "i32[2, 2, 1]: 0 1 2 3");
}

TEST_CASE("slice takes strided parts and may take nothing") {
  const auto cut = [](const Tensor& x, Dims starts, Dims limits, Dims strides) {
    return evaluated(Op::slice, {x}, SliceAttributes{std::move(starts), std::move(limits), std::move(strides)});
  };
  CHECK(cut(counted({4, 5}), {1, 0}, {4, 5}, {2, 3}) == "i32[2, 2]: 5 8 15 18");
  CHECK(cut(counted({4, 5}), {4, 2}, {4, 5}, {1, 1}) == "i32[0, 3]:");
  CHECK(cut(counted({5}), {0}, {5}, {100}) == "i32[1]: 0");
  CHECK(cut(scalar, {}, {}, {}) == "i32[]: 7");
}

TEST_CASE("pad sets apart, adds edges and cuts them off") {
  const auto padded = [](const Tensor& x, Dims low, Dims high, Dims interior) {
    return evaluated(Op::pad, {x, Tensor::scalar(-1)},
                     PadAttributes{std::move(low), std::move(high), std::move(interior)});
  };
  CHECK(padded(counted({3}), {1}, {2}, {0}) == "i32[6]: -1 0 1 2 -1 -1");
  CHECK(padded(counted({3}), {0}, {0}, {2}) == "i32[7]: 0 -1 -1 1 -1 -1 2");
  CHECK(padded(counted({3}), {-1}, {1}, {0}) == "i32[3]: 1 2 -1");
  CHECK(padded(counted({3}), {1}, {-2}, {0}) == "i32[2]: -1 0");
  CHECK(padded(counted({3}), {-1}, {-1}, {2}) == "i32[5]: -1 -1 1 -1 -1");
  CHECK(padded(counted({3}), {-4}, {3}, {2}) == "i32[6]: -1 -1 2 -1 -1 -1");
  CHECK(padded(counted({3}), {-3}, {2}, {0}) == "i32[2]: -1 -1");
  CHECK(padded(counted({2, 2}), {0, 1}, {1, 0}, {0, 0}) == "i32[3, 3]: -1 0 1 -1 2 3 -1 -1 -1");
  CHECK(padded(none, {1, 0}, {0, 0}, {5, 0}) == "i32[1, 3]: -1 -1 -1");
  CHECK(padded(scalar, {}, {}, {}) == "i32[]: 7");
}

TEST_CASE("reverse and transpose turn every dimension they name") {
  CHECK(evaluated(Op::reverse, {counted({2, 3})}, DimensionsAttributes{{0, 1}}) == "i32[2, 3]: 5 4 3 2 1 0");
  CHECK(evaluated(Op::reverse, {counted({2, 3})}, DimensionsAttributes{{}}) == "i32[2, 3]: 0 1 2 3 4 5");
  CHECK(evaluated(Op::reverse, {none}, DimensionsAttributes{{0, 1}}) == "i32[0, 3]:");
  CHECK(evaluated(Op::transpose, {counted({2, 3, 2})}, TransposeAttributes{{2, 0, 1}}) ==
        "i32[2, 2, 3]: 0 2 4 6 8 10 1 3 5 7 9 11");
  CHECK(evaluated(Op::transpose, {none}, TransposeAttributes{{1, 0}}) == "i32[3, 0]:");
  CHECK(evaluated(Op::transpose, {scalar}, TransposeAttributes{{}}) == "i32[]: 7");
  CHECK(evaluated(Op::reshape, {none}, ResultAttributes{{DType::i32, {2, 0}}}) == "i32[2, 0]:");
}

TEST_CASE("dynamic slices are moved back into the operand") {
  const auto cut = [](const Tensor& x, std::vector<Tensor> starts, Dims sizes) {
    starts.insert(starts.begin(), x);
    return evaluated(Op::dynamic_slice, starts, DynamicSliceAttributes{std::move(sizes)});
  };
  CHECK(cut(counted({5}), {Tensor::scalar(9)}, {2}) == "i32[2]: 3 4");
  CHECK(cut(counted({5}), {Tensor::scalar(-9)}, {2}) == "i32[2]: 0 1");
  CHECK(cut(counted({5}), {Tensor::scalar(4294967295u)}, {5}) == "i32[5]: 0 1 2 3 4");
  CHECK(cut(counted({5}), {Tensor::scalar(INT64_MAX)}, {1}) == "i32[1]: 4");
  CHECK(cut(counted({3, 3}), {Tensor::scalar(2), Tensor::scalar(1)}, {2, 1}) == "i32[2, 1]: 4 7");
  CHECK(cut(counted({5}), {Tensor::scalar(9)}, {0}) == "i32[0]:");

  const auto updated = [](const Tensor& x, const Tensor& update, std::vector<Tensor> starts) {
    starts.insert(starts.begin(), {x, update});
    return evaluated(Op::dynamic_update_slice, starts);
  };
  CHECK(updated(counted({4}), row({8, 9}), {Tensor::scalar(9)}) == "i32[4]: 0 1 8 9");
  CHECK(updated(counted({4}), row({8, 9}), {Tensor::scalar(-9)}) == "i32[4]: 8 9 2 3");
  CHECK(updated(counted({2, 2}), Tensor::of<std::int32_t>({2, 1}, {8, 9}), {Tensor::scalar(0), Tensor::scalar(1)}) ==
        "i32[2, 2]: 0 8 2 9");
  CHECK(updated(counted({4}), Tensor{DType::i32, {0}}, {Tensor::scalar(2)}) == "i32[4]: 0 1 2 3");
  CHECK(updated(scalar, Tensor::scalar(8), {}) == "i32[]: 8");
}

TEST_CASE("gather reads windows at clamped indices") {
  const Tensor table = counted({4, 3});
  const GatherAttributes rows{{1}, {0}, {0}, 1, {1, 3}};
  CHECK(evaluated(Op::gather, {table, row({2, 0})}, rows) == "i32[2, 3]: 6 7 8 0 1 2");
  CHECK(evaluated(Op::gather, {table, row({99, -99})}, rows) == "i32[2, 3]: 9 10 11 0 1 2");
  CHECK(evaluated(Op::gather, {table, Tensor{DType::i32, {0}}}, rows) == "i32[0, 3]:");
  // One element for each pair of indices, the pairs along dimension 0 of the indices and named in reverse.
  CHECK(evaluated(Op::gather, {table, Tensor::of<std::int64_t>({2, 2}, {1, 2, 3, 0})},
                  GatherAttributes{{}, {0, 1}, {1, 0}, 0, {1, 1}}) == "i32[2]: 10 2");
  // Windows of 2 by 2, clamped to begin at 2 and 1 at most, before the batch dimension.
  CHECK(evaluated(Op::gather, {table, Tensor::of<std::int32_t>({1, 2}, {3, 2})},
                  GatherAttributes{{0, 1}, {}, {0, 1}, 1, {2, 2}}) == "i32[2, 2, 1]: 7 8 10 11");
  // A dimension that no index names begins at 0.
  CHECK(evaluated(Op::gather, {table, row({1})}, GatherAttributes{{0}, {0}, {0}, 0, {1, 2}}) == "i32[2]: 3 4");
}

TEST_CASE("scatter joins updates one by one and leaves out windows that reach out") {
  const ScatterAttributes add{{}, {0}, {0}, 1, Reducer::add};
  CHECK(evaluated(Op::scatter, {counted({3}), row({1, 1, 3, -1}), row({10, 20, 99, 99})}, add) == "i32[3]: 0 31 2");
  const ScatterAttributes replace{{}, {0}, {0}, 1, Reducer::replace};
  CHECK(evaluated(Op::scatter, {counted({3}), row({1, 1}), row({10, 20})}, replace) == "i32[3]: 0 20 2");
  const ScatterAttributes multiply{{}, {0}, {0}, 1, Reducer::multiply}, maximum{{}, {0}, {0}, 1, Reducer::maximum};
  CHECK(evaluated(Op::scatter, {counted({3}), row({2, 2}), row({3, 5})}, multiply) == "i32[3]: 0 1 30");
  CHECK(evaluated(Op::scatter, {counted({3}), row({2, 0}), row({1, 5})}, maximum) == "i32[3]: 5 1 2");
  // A window of 2 that begins at 2 of 3 is left out whole.
  const ScatterAttributes windows{{1}, {}, {0}, 1, Reducer::replace};
  CHECK(evaluated(Op::scatter, {counted({3}), row({2, 0}), Tensor::of<std::int32_t>({2, 2}, {7, 7, 8, 9})}, windows) ==
        "i32[3]: 8 9 2");
  CHECK(evaluated(Op::scatter, {counted({3}), Tensor{DType::i32, {0}}, Tensor{DType::i32, {0}}}, add) ==
        "i32[3]: 0 1 2");
  // Rows of a table, as the gradient of an embedding adds them.
  const ScatterAttributes rows{{1}, {0}, {0}, 1, Reducer::add};
  CHECK(evaluated(Op::scatter, {Tensor{DType::i32, {2, 2}}, row({1, 1}), counted({2, 2})}, rows) ==
        "i32[2, 2]: 0 0 2 4");
}

TEST_CASE("scatter adds in the order of the updates, and rounds bf16 each time") {
  const ScatterAttributes add{{}, {0}, {0}, 1, Reducer::add};
  const Tensor one = row({0.0f}), indices = row({0, 0, 0});
  CHECK(evaluated(Op::scatter, {one, indices, row({1e8f, 1.0f, -1e8f})}, add) == "f32[1]: 0");
  CHECK(evaluated(Op::scatter, {one, indices, row({1e8f, -1e8f, 1.0f})}, add) == "f32[1]: 1");
  CHECK(evaluated(Op::scatter, {bf16_row({256}), indices, bf16_row({1, 1, 1})}, add) == "bf16[1]: 256");
}

TEST_CASE("sort orders totally, stably, all operands by the first") {
  const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  const auto sorted = [](std::vector<Tensor> operands, SortAttributes attributes) {
    return evaluated(Op::sort, operands, attributes);
  };
  CHECK(sorted({row({nan, 0.0f, inf, -0.0f, -inf, 1.0f, -1.0f})}, {0}) == "f32[7]: -inf -1 -0 0 1 inf nan");
  const Tensor keys = row({2, 1, 2, 1}), places = row({0.0f, 1.0f, 2.0f, 3.0f});
  CHECK(sorted({keys, places}, {0}) == "i32[4]: 1 1 2 2; f32[4]: 1 3 0 2");
  CHECK(sorted({keys, places}, {0, true, SortDirection::descending}) == "i32[4]: 2 2 1 1; f32[4]: 0 2 1 3");
  CHECK(sorted({Tensor::of<std::int32_t>({2, 2}, {3, 2, 1, 4})}, {0}) == "i32[2, 2]: 1 2 3 4");
  CHECK(sorted({Tensor::of<std::int32_t>({2, 2}, {3, 2, 1, 4})}, {1}) == "i32[2, 2]: 2 3 1 4");
  CHECK(sorted({row({0x80000000u, 1u})}, {0}) == "ui32[2]: 1 2147483648");
  CHECK(sorted({row({true, false})}, {0}) == "i1[2]: 0 1");
  CHECK(sorted({bf16_row({1, -1, 0})}, {0}) == "bf16[3]: -1 0 1");
  CHECK(sorted({none}, {0}) == "i32[0, 3]:");
  CHECK(sorted({none}, {1}) == "i32[0, 3]:");
}

TEST_CASE("sort puts a NaN with a sign before all numbers") {
  const std::uint64_t negative_nan = 0xfff8'0000'0000'0000;
  const Tensor bits = row<std::int64_t>({0, static_cast<std::int64_t>(negative_nan)});
  const Tensor keys = Tensor::of_bytes({DType::f64, {2}}, bits.bytes());
  CHECK(evaluated(Op::sort, {keys}, SortAttributes{0}) == "f64[2]: nan 0");
}
