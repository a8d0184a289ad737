/// Compiled operations that move elements give the reference's bits: random shapes and attributes, edges, many threads,
/// and results written over the operand.
#include <algorithm>
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

import octet.base;
import octet.graph;
import octet.compile;

#include "evaluated.hpp"
// Needs the one above.
#include "compiled.hpp"

using namespace octet;

namespace {

/// Checks one operation on one thread and on three, with the first operand kept and given away.
void check(Op op, const std::vector<Tensor>& operands, const Attributes& attributes = {}) {
  std::vector<TensorType> types;
  for (const Tensor& operand : operands) types.push_back(operand.type());
  const Graph graph = program(op, types, attributes);
  const std::vector<Tensor> expected = evaluate(graph, operands), untouched = operands;
  for (const unsigned count : {1u, 3u})
    for (const bool donates : {false, true}) {
      if (donates && operands.empty()) continue;
      CompileOptions options;
      if (donates) options.donated = {0};
      Threads threads{count};
      const std::vector<Tensor> results = compile(graph, options).run(operands, threads);
      if (!same_bits(results, expected))
        FAIL(name(op) << " of " << shown(operands) << " on " << count << (donates ? " with the first donated" : "")
                      << " gives " << shown(results) << ", and not " << shown(expected));
      REQUIRE(operands == untouched);
    }
}

/// A start index in or near [0, extent), or far away.
Tensor start_index(Dice& dice, DType dtype, std::int64_t extent) {
  std::int64_t value = dice.between(-2, extent + 2);
  if (dice.likely(10))
    value = dice.likely(50) ? std::numeric_limits<std::int32_t>::max() : std::numeric_limits<std::int32_t>::min();
  return Tensor::scalar(value).converted(DType::i64).converted(dtype);
}

DType index_dtype(Dice& dice) {
  constexpr DType dtypes[] = {DType::i32, DType::i64, DType::u32};
  return dtypes[dice.between(0, 2)];
}

/// Start indices for a random window, and its shape.
struct Window {
  Shape shape;
  std::vector<Tensor> starts;
  Window(Dice& dice, const Shape& operand) : shape{operand} {
    const DType dtype = index_dtype(dice);
    for (std::int64_t d = 0; d < operand.rank(); ++d) {
      shape[d] = dice.likely(30) ? operand[d] : dice.between(0, operand[d]);
      starts.push_back(start_index(dice, dtype, operand[d]));
    }
  }
};

std::vector<Tensor> joined(std::vector<Tensor> first, const std::vector<Tensor>& rest) {
  first.insert(first.end(), rest.begin(), rest.end());
  return first;
}

bool contains(const Dims& dims, std::int64_t d) { return std::find(dims.begin(), dims.end(), d) != dims.end(); }

/// A random way to point windows into an operand, as gather and scatter have it.
struct Indexing {
  Shape operand;
  Dims lacking, map, window_dims;  ///< operand dimensions; operand dimensions; dimensions of the result or the updates
  std::int64_t index_vector_dim = 0;
  Tensor indices;
  Dims sizes;   ///< of a window, in the operand
  Shape dense;  ///< of the result or the updates

  Indexing(Dice& dice, std::int64_t least_extent) : operand{dice.shape(dice.between(0, 4), least_extent, 5)} {
    const std::int64_t rank = operand.rank();
    lacking = dice.increasing(dice.between(0, rank), rank);
    map = dice.some(dice.between(0, rank), rank);
    Shape batch = dice.shape(dice.between(0, 3), dice.likely(10) ? 0 : 1, 4), index = batch;
    index_vector_dim = dice.between(0, batch.rank());
    if (map.size() == 1 && dice.likely(50)) {
      index_vector_dim = batch.rank();
    } else {
      Dims extents = batch.extents();
      extents.insert(extents.begin() + index_vector_dim, static_cast<std::int64_t>(map.size()));
      index = Shape{extents};
    }
    indices = Tensor{DType::i64, index};
    for (std::int64_t& element : indices.mutable_span<std::int64_t>())
      element = dice.likely(10) ? 1'000'000 : dice.between(-1, 5);
    indices = indices.converted(index_dtype(dice));

    Dims window;
    for (std::int64_t d = 0; d < rank; ++d) {
      const bool lacks = contains(lacking, d);
      sizes.push_back(lacks             ? std::min<std::int64_t>(operand[d], 1)
                      : dice.likely(50) ? operand[d]
                                        : dice.between(0, operand[d]));
      if (!lacks) window.push_back(sizes.back());
    }
    const auto dense_rank = static_cast<std::int64_t>(window.size()) + batch.rank();
    window_dims = dice.increasing(std::ssize(window), dense_rank);
    Dims extents;
    auto next_window = window.begin();
    auto next_batch = batch.begin();
    for (std::int64_t d = 0; d < dense_rank; ++d)
      extents.push_back(contains(window_dims, d) ? *next_window++ : *next_batch++);
    dense = Shape{extents};
  }
};

constexpr Reducer reducers[] = {Reducer::add,  Reducer::multiply, Reducer::maximum, Reducer::minimum,
                                Reducer::and_, Reducer::or_,      Reducer::replace};

bool takes(Reducer reducer, DType dtype) {
  if (reducer == Reducer::replace) return true;
  return reducer == Reducer::and_ || reducer == Reducer::or_ ? !is_floating(dtype) : dtype != DType::pred;
}

}  // namespace

TEST_CASE("compiled concatenate has the reference's bits") {
  Dice dice{1};
  for (int round = 0; round < 100; ++round) {
    const DType dtype = dice.dtype();
    Shape shape = dice.shape(dice.between(1, 4), dice.likely(10) ? 0 : 1, 5);
    const std::int64_t dimension = dice.between(0, shape.rank() - 1);
    std::vector<Tensor> operands;
    for (std::int64_t count = dice.between(1, 4); count > 0; --count) {
      shape[dimension] = dice.between(0, 4);
      operands.push_back(dice.tensor(dtype, shape));
    }
    check(Op::concatenate, operands, DimensionAttributes{dimension});
  }
}

TEST_CASE("compiled dynamic_slice and dynamic_update_slice move their window into the operand") {
  Dice dice{2};
  for (int round = 0; round < 150; ++round) {
    const Tensor operand = dice.tensor(dice.dtype(), dice.shape(dice.between(0, 4), dice.likely(10) ? 0 : 1, 6));
    const Window window{dice, operand.shape()};
    check(Op::dynamic_slice, joined({operand}, window.starts), DynamicSliceAttributes{window.shape.extents()});
    check(Op::dynamic_update_slice, joined({operand, dice.tensor(operand.dtype(), window.shape)}, window.starts));
  }
}

TEST_CASE("compiled pad sets apart, adds edges and cuts them off as the reference does") {
  Dice dice{3};
  for (int round = 0; round < 300; ++round) {
    const Tensor operand = dice.tensor(dice.dtype(), dice.shape(dice.between(0, 4), dice.likely(10) ? 0 : 1, 5));
    PadAttributes attributes;
    for (const std::int64_t extent : operand.shape()) {
      const bool padded = dice.likely(60);
      const std::int64_t interior = padded && dice.likely(40) ? dice.between(1, 3) : 0;
      const std::int64_t full = extent + std::max<std::int64_t>(extent - 1, 0) * interior;
      const std::int64_t low = padded ? dice.between(-full, 4) : 0;
      attributes.edge_padding_low.push_back(low);
      attributes.edge_padding_high.push_back(padded ? dice.between(-full, 4) : 0);
      if (full + low + attributes.edge_padding_high.back() < 0) attributes.edge_padding_high.back() = -full - low;
      attributes.interior_padding.push_back(interior);
    }
    check(Op::pad, {operand, dice.tensor(operand.dtype(), {})}, attributes);
  }
}

TEST_CASE("compiled gather reads windows at clamped indices in every arrangement of dimensions") {
  Dice dice{4};
  for (int round = 0; round < 400; ++round) {
    const Indexing way{dice, dice.likely(5) ? 0 : 1};
    // Of a dimension without elements none can be taken.
    if (std::any_of(way.lacking.begin(), way.lacking.end(), [&](std::int64_t d) { return way.operand[d] == 0; }))
      continue;
    check(Op::gather, {dice.tensor(dice.dtype(), way.operand), way.indices},
          GatherAttributes{way.window_dims, way.lacking, way.map, way.index_vector_dim, way.sizes});
  }
}

TEST_CASE("compiled scatter combines update by update in every arrangement of dimensions") {
  Dice dice{5};
  for (int round = 0; round < 400; ++round) {
    const Indexing way{dice, dice.likely(5) ? 0 : 1};
    const DType dtype = dice.dtype();
    const Reducer reducer = reducers[dice.between(0, std::ssize(reducers) - 1)];
    if (!takes(reducer, dtype)) continue;
    check(Op::scatter, {dice.tensor(dtype, way.operand), way.indices, dice.tensor(dtype, way.dense)},
          ScatterAttributes{way.window_dims, way.lacking, way.map, way.index_vector_dim, reducer});
  }
}

TEST_CASE("compiled sort is the reference's total, stable order of every element type") {
  Dice dice{6};
  for (int round = 0; round < 200; ++round) {
    const Shape shape = dice.shape(dice.between(1, 3), dice.likely(10) ? 0 : 1, 9);
    std::vector<Tensor> operands;
    for (std::int64_t count = dice.between(1, 3); count > 0; --count)
      operands.push_back(dice.tensor(dice.dtype(), shape));
    check(Op::sort, operands,
          SortAttributes{dice.between(0, shape.rank() - 1), dice.likely(50),
                         dice.likely(50) ? SortDirection::ascending : SortDirection::descending});
  }
}

TEST_CASE("compiled sort keeps each NaN's bits and puts those with a sign first") {
  for (const SortDirection direction : {SortDirection::ascending, SortDirection::descending}) {
    const Tensor bits =
        row<std::uint32_t>({0x7fc0'0001, 0xff80'0000, 0x8000'0000, 0xffc0'0001, 0, 0x7f80'0000, 0x7fc0'0000});
    const Graph graph = program(Op::sort, {{DType::f32, {7}}}, SortAttributes{0, true, direction});
    const std::vector<Tensor> operands{Tensor::of_bytes({DType::f32, {7}}, bits.bytes())};
    Threads threads;
    CHECK(compile(graph).run(operands, threads) == evaluate(graph, operands));
  }
}

TEST_CASE("compiled transpose turns what lies across, of any shape, order and element type") {
  Dice dice{9};
  const std::pair<Shape, Dims> cases[] = {{{17, 16}, {1, 0}},        {{40, 70}, {1, 0}},
                                          {{600, 40}, {1, 0}},       {{3, 700}, {1, 0}},
                                          {{700, 3}, {1, 0}},        {{5, 33, 130}, {0, 2, 1}},
                                          {{5, 33, 130}, {1, 2, 0}}, {{5, 33, 130}, {2, 0, 1}},
                                          {{5, 33, 130}, {2, 1, 0}}, {{4, 5, 18, 20}, {0, 3, 1, 2}},
                                          {{33'000, 9}, {1, 0}},     {{0, 9}, {1, 0}}};
  for (const auto& [shape, permutation] : cases)
    for (const DType dtype : {DType::f32, DType::bf16, DType::f64, DType::pred})
      check(Op::transpose, {dice.tensor(dtype, shape)}, TransposeAttributes{permutation});
}

TEST_CASE("a loop that reads what lies across has the reference's bits, and so have its sums") {
  Dice dice{10};
  Threads threads{2};
  for (const Shape& shape : {Shape{40, 70}, Shape{600, 48}, Shape{30, 1100}, Shape{3, 40, 33}})
    for (const std::int64_t dimension : {0, 1}) {
      Dims permutation;
      for (std::int64_t d = 0; d < shape.rank(); ++d) permutation.push_back(d);
      std::swap(permutation.end()[-1], permutation.end()[-2]);
      Graph graph{"across"};
      const ValueId x = graph.parameter({DType::f32, shape}, "x");
      const ValueId back = graph.append(Op::reverse, {x}, DimensionsAttributes{{shape.rank() - 1}}, {})[0];
      const ValueId turned = graph.append(Op::transpose, {back}, TransposeAttributes{permutation}, {})[0];
      const ValueId square = graph.append(Op::multiply, {turned, turned}, {}, {})[0];
      graph.set_results(
          {square, graph.append(Op::reduce, {square}, ReduceAttributes{{dimension}, Reducer::add}, {})[0]});
      const std::vector<Tensor> operands{dice.tensor(DType::f32, shape)};
      INFO(to_string(graph));
      CHECK(same_bits(compile(graph).run(operands, threads), evaluate(graph, operands)));
    }
}

TEST_CASE("threads that share a large move give one thread's bits") {
  Dice dice{7};
  const Tensor wide = dice.tensor(DType::f32, {301, 257}), narrow = dice.tensor(DType::f32, {301, 3});
  check(Op::concatenate, {wide, narrow, wide}, DimensionAttributes{1});
  check(Op::concatenate, {wide, wide}, DimensionAttributes{0});
  check(Op::dynamic_slice, {wide, Tensor::scalar(7), Tensor::scalar(1)}, DynamicSliceAttributes{{290, 255}});
  check(Op::dynamic_update_slice, {wide, dice.tensor(DType::f32, {290, 255}), Tensor::scalar(7), Tensor::scalar(1)});
  check(Op::pad, {wide, Tensor::scalar(-1.5f)}, PadAttributes{{3, -1}, {-2, 5}, {1, 0}});
  check(Op::pad, {wide, Tensor::scalar(-1.5f)}, PadAttributes{{0, 1}, {0, 1}, {0, 2}});
  check(Op::sort, {wide, wide}, SortAttributes{0});
  check(Op::sort, {wide}, SortAttributes{1});
}

TEST_CASE("rows are gathered and added up as an embedding does it") {
  Dice dice{8};
  const Tensor table = dice.tensor(DType::f32, {500, 96});
  Tensor tokens{DType::i32, {8, 60}};
  for (std::int32_t& token : tokens.mutable_span<std::int32_t>())
    token = static_cast<std::int32_t>(dice.between(-3, 520));
  check(Op::gather, {table, tokens}, GatherAttributes{{2}, {0}, {0}, 2, {1, 96}});
  const Tensor gradient = dice.tensor(DType::f32, {8, 60, 96});
  check(Op::scatter, {table, tokens, gradient}, ScatterAttributes{{2}, {0}, {0}, 2, Reducer::add});
  check(Op::scatter, {table.converted(DType::bf16), tokens, gradient.converted(DType::bf16)},
        ScatterAttributes{{2}, {0}, {0}, 2, Reducer::add});
  check(Op::scatter, {table, tokens, gradient}, ScatterAttributes{{2}, {0}, {0}, 2, Reducer::replace});
}

TEST_CASE("of a sort whose first elements alone are read, those are the reference's") {
  for (const std::int64_t dimension : {0, 1})
    for (const SortDirection direction : {SortDirection::ascending, SortDirection::descending})
      for (const std::int64_t kept : {0, 1, 5, 40}) {
        Graph graph{"first"};
        const TensorType type{DType::f32, {40, 40}};
        const ValueId x = graph.parameter(type, "x");
        const ValueId places = graph.append(Op::iota, {}, IotaAttributes{{DType::i32, type.shape}, dimension}, {})[0];
        const auto sorted = graph.append(Op::sort, {x, places}, SortAttributes{dimension, true, direction}, {});
        SliceAttributes slice{{0, 0}, {40, 40}, {1, 1}};
        slice.limit_indices[static_cast<std::size_t>(dimension)] = kept;
        SliceAttributes fewer = slice;
        fewer.limit_indices[static_cast<std::size_t>(dimension)] = kept / 2;
        graph.set_results(
            {graph.append(Op::slice, {sorted[0]}, slice, {})[0], graph.append(Op::slice, {sorted[1]}, fewer, {})[0]});
        Tensor given{type};
        std::uint64_t counter = 0;
        // Many are equal, and some are no numbers.
        for (float& element : given.mutable_span<float>()) {
          const std::uint64_t drawn = below(Key::of_seed(5), counter++, 23);
          element = drawn == 0   ? std::numeric_limits<float>::quiet_NaN()
                    : drawn == 1 ? -std::numeric_limits<float>::infinity()
                                 : static_cast<float>(drawn) - 11;
        }
        const std::vector<Tensor> arguments{given};
        const Executable executable = compile(graph);
        INFO(executable.describe());
        CHECK((executable.describe().find(", the first " + std::to_string(kept)) != std::string::npos) == (kept < 40));
        Threads threads{1};
        CHECK(executable.run(arguments, threads) == evaluate(graph, arguments, {.precision = Precision::bf16}));
      }
}
