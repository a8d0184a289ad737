/// Compiled operations in which replicas meet give the reference's bits, on any number of replicas and threads.
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

using ReplicaTensors = std::vector<std::vector<Tensor>>;

void check(const Graph& graph, const ReplicaTensors& operands) {
  const ReplicaTensors expected = evaluate(graph, operands);
  for (const unsigned count : {1u, 3u}) {
    Threads threads{count};
    const ReplicaTensors results = compile(graph).run(operands, threads);
    REQUIRE(results.size() == operands.size());
    for (std::size_t r = 0; r < results.size(); ++r) {
      if (!same_bits(results[r], expected[r]))
        FAIL(name(graph.nodes()[0].op) << ": replica " << r << " of " << operands.size() << " has "
                                       << shown(operands[r]) << " and receives " << shown(results[r]) << ", not "
                                       << shown(expected[r]));
    }
  }
}

void check(Op op, const Attributes& attributes, Dice& dice, const TensorType& type, std::int64_t replicas) {
  ReplicaTensors operands;
  for (std::int64_t r = 0; r < replicas; ++r) operands.push_back({dice.tensor(type.dtype, type.shape)});
  check(program(op, {type}, attributes), operands);
}

/// The replicas in random order, in groups of one size.
ReplicaGroups groups(Dice& dice, std::int64_t count, std::int64_t size) {
  ReplicaGroups result;
  const Dims order = dice.some(count * size, count * size);
  for (std::int64_t g = 0; g < count; ++g)
    result.emplace_back(order.begin() + g * size, order.begin() + (g + 1) * size);
  return result;
}

constexpr Reducer reducers[] = {Reducer::add,     Reducer::multiply, Reducer::maximum,
                                Reducer::minimum, Reducer::and_,     Reducer::or_};

bool takes(Reducer reducer, DType dtype) {
  return reducer == Reducer::and_ || reducer == Reducer::or_ ? !is_floating(dtype) : dtype != DType::pred;
}

/// The whole message of the compiled program where the reference refuses with the same.
std::string refusal(Op op, const Attributes& attributes, std::size_t replicas) {
  const Graph graph = program(op, {{DType::f32, {4}}}, attributes, {}, {"model.cpp", 7, "loss"});
  const ReplicaTensors operands(replicas, {Tensor{DType::f32, {4}}});
  std::string expected;
  try {
    evaluate(graph, operands);
  } catch (const Error& error) {
    expected = error.what();
  }
  try {
    Threads threads;
    compile(graph).run(operands, threads);
  } catch (const Error& error) {
    CHECK(error.number() == 603);
    CHECK(error.what() == expected);
    return error.what();
  }
  return "nothing was refused";
}

}  // namespace

TEST_CASE("compiled all_reduce adds in the reference's tree for any number of replicas") {
  Dice dice{1};
  for (std::int64_t replicas = 1; replicas <= 17; ++replicas)
    for (const DType dtype : {DType::f32, DType::bf16, DType::f64})
      check(Op::all_reduce, AllReduceAttributes{{}, Reducer::add}, dice, {dtype, {3, 5}}, replicas);
}

TEST_CASE("compiled all_reduce combines every element type by every reducer it has") {
  Dice dice{2};
  for (const Reducer reducer : reducers)
    for (const DType dtype : all_dtypes)
      if (takes(reducer, dtype))
        check(Op::all_reduce, AllReduceAttributes{groups(dice, 2, 3), reducer}, dice, {dtype, {41}}, 6);
}

TEST_CASE("compiled all_reduce agrees where operands are longer than a chunk, shared by threads or not") {
  Dice dice{3};
  for (const std::int64_t elements : {0, 1, 1023, 1024, 1025, 70'001})
    check(Op::all_reduce, AllReduceAttributes{all_replicas(8), Reducer::add}, dice, {DType::f32, {elements}}, 8);
  check(Op::all_reduce, AllReduceAttributes{groups(dice, 2, 2), Reducer::maximum}, dice, {DType::f64, {20'001}}, 4);
}

TEST_CASE("compiled reduce_scatter gives each replica its part") {
  Dice dice{4};
  for (int round = 0; round < 60; ++round) {
    const std::int64_t size = dice.between(1, 5), count = dice.between(1, 3);
    const Reducer reducer = reducers[dice.between(0, std::ssize(reducers) - 1)];
    const DType dtype = dice.dtype();
    if (!takes(reducer, dtype)) continue;
    Shape shape = dice.shape(dice.between(1, 3), dice.likely(10) ? 0 : 1, 4);
    const std::int64_t dimension = dice.between(0, shape.rank() - 1);
    shape[dimension] *= size;
    check(Op::reduce_scatter, ReduceScatterAttributes{dimension, groups(dice, count, size), reducer}, dice,
          {dtype, shape}, count * size);
  }
  check(Op::reduce_scatter, ReduceScatterAttributes{1, all_replicas(3), Reducer::add}, dice, {DType::f32, {2, 9000}},
        3);
}

TEST_CASE("compiled all_gather and all_to_all exchange along any dimensions") {
  Dice dice{5};
  for (int round = 0; round < 80; ++round) {
    const std::int64_t size = dice.between(1, 4), count = dice.between(1, 3);
    Shape shape = dice.shape(dice.between(1, 4), dice.likely(10) ? 0 : 1, 3);
    const std::int64_t split = dice.between(0, shape.rank() - 1), concat = dice.between(0, shape.rank() - 1);
    check(Op::all_gather, AllGatherAttributes{concat, groups(dice, count, size)}, dice, {dice.dtype(), shape},
          count * size);
    shape[split] *= size;
    check(Op::all_to_all, AllToAllAttributes{split, concat, size, groups(dice, count, size)}, dice,
          {dice.dtype(), shape}, count * size);
  }
}

TEST_CASE("compiled collective_permute sends along its pairs and leaves zeros elsewhere") {
  Dice dice{6};
  for (int round = 0; round < 60; ++round) {
    const std::int64_t replicas = dice.between(1, 8), count = dice.between(0, replicas);
    const Dims sources = dice.some(count, replicas), targets = dice.some(count, replicas);
    ReplicaGroups pairs;
    for (std::size_t i = 0; i < sources.size(); ++i) pairs.push_back({sources[i], targets[i]});
    check(Op::collective_permute, PermuteAttributes{pairs}, dice, {dice.dtype(), dice.shape(2, 0, 4)}, replicas);
  }
}

TEST_CASE("compiled replica_id is each replica's number") { check(program(Op::replica_id, {}), ReplicaTensors(5)); }

TEST_CASE("a compiled collective that does not name each replica once is refused as the reference refuses it") {
  CHECK(refusal(Op::all_reduce, AllReduceAttributes{all_replicas(4), Reducer::add}, 3)
            .find("This all_reduce names replica 3, and there are replicas 0 to 2.") != std::string::npos);
  CHECK(
      refusal(Op::all_reduce, AllReduceAttributes{all_replicas(8), Reducer::add}, 1).find("there is replica 0 only.") !=
      std::string::npos);
  CHECK(refusal(Op::all_gather, AllGatherAttributes{0, {{0, 1}}}, 3).find("leave out replica 2.") != std::string::npos);
  CHECK(refusal(Op::reduce_scatter, ReduceScatterAttributes{0, {{0, 1}, {2, 3}}, Reducer::add}, 2)
            .find("replicas 2 to 3") != std::string::npos);
  CHECK(refusal(Op::all_to_all, AllToAllAttributes{0, 0, 2, {{0, 1}, {2, 3}}}, 2).find("replicas 2 to 3") !=
        std::string::npos);
  CHECK(refusal(Op::collective_permute, PermuteAttributes{{{0, 3}}}, 3).find("names replica 3") != std::string::npos);
}

TEST_CASE("a kernel that one replica computes for all is timed like any other") {
  Graph graph;
  const ValueId x = graph.parameter({DType::f32, {4}});
  const ValueId sum = graph.append(Op::all_reduce, {x}, AllReduceAttributes{{}, Reducer::add}).front();
  graph.set_results({graph.append(Op::negate, {sum}).front()});
  Threads threads;
  std::vector<KernelProfile> profile;
  const Tensor three = Tensor::full<float>({4}, 3);
  CHECK(compile(graph).run_profiled({three}, threads, profile).front() == Tensor::full<float>({4}, -3));
  CHECK(profile.size() == 2);
}
