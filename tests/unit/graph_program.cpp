/// Graphs as values: building, comparing, hashing, splicing, and counting the turns of a loop.
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

import octet.base;
import octet.graph;

#include "refusal.hpp"

using namespace octet;

namespace {

const TensorType vector8{DType::f32, {8}};

/// x * factor, with the factor as a constant.
Graph scaled(float factor, std::string name = "main", Place place = {}) {
  Graph graph{std::move(name)};
  const ValueId x = graph.parameter(vector8, "x");
  const ValueId c = graph.constant(Tensor::full(Shape{8}, factor), place);
  graph.set_results(graph.append(Op::multiply, {x, c}, {}, {}, place));
  return graph;
}

struct Loop {
  Graph condition{"condition"}, body{"body"};
};

/// while (i < limit) i += step, over integers of type T.
template <class T>
Loop counted(T limit, T step) {
  Loop loop;
  const ValueId i = loop.condition.parameter({dtype_of<T>, {}});
  const ValueId bound = loop.condition.constant(Tensor::scalar(limit));
  loop.condition.set_results(loop.condition.append(Op::compare, {i, bound}, CompareAttributes{Comparison::LT}));
  const ValueId j = loop.body.parameter({dtype_of<T>, {}});
  loop.body.set_results(loop.body.append(Op::add, {j, loop.body.constant(Tensor::scalar(step))}));
  return loop;
}

std::int64_t trips_of(const Tensor& from, const Graph& condition, const Graph& body) {
  return trip_count(condition, body, [&](std::size_t) { return &from; });
}
template <class T>
std::int64_t trips(T from, T limit, T step) {
  const Loop loop = counted(limit, step);
  return trips_of(Tensor::scalar(from), loop.condition, loop.body);
}

}  // namespace

TEST_CASE("names and places do not make programs differ, constants do") {
  const Graph one = scaled(2), other = scaled(2, "elsewhere", {"model.cpp", 9, "f"});
  CHECK(equal(one, other));
  CHECK(hash(one) == hash(other));
  CHECK_FALSE(equal(one, scaled(3)));
  CHECK(hash(one) != hash(scaled(3)));
}

TEST_CASE("programs that differ in one attribute have different hashes") {
  std::set<std::uint64_t> hashes;
  const auto with = [&](Op op, const Attributes& attributes) {
    Graph graph;
    graph.set_results(graph.append(op, {graph.parameter({DType::f32, {4, 4}})}, attributes));
    hashes.insert(hash(graph));
  };
  with(Op::reduce, ReduceAttributes{{0}, Reducer::add});
  with(Op::reduce, ReduceAttributes{{1}, Reducer::add});
  with(Op::reduce, ReduceAttributes{{0}, Reducer::maximum});
  with(Op::reduce, ReduceAttributes{{}, Reducer::add});
  with(Op::transpose, TransposeAttributes{{1, 0}});
  with(Op::transpose, TransposeAttributes{{0, 1}});
  with(Op::reverse, DimensionsAttributes{{0, 1}});
  with(Op::all_reduce, AllReduceAttributes{{{0, 1}}, Reducer::add});
  with(Op::all_reduce, AllReduceAttributes{{{0}, {1}}, Reducer::add});
  CHECK(hashes.size() == 9);
}

TEST_CASE("a copy of a graph does not change with the original") {
  Graph graph = scaled(2);
  const Graph copy = graph;
  graph.append(Op::negate, {0});
  CHECK(copy.nodes().size() == 2);
  CHECK_FALSE(equal(graph, copy));
}

TEST_CASE("a refused operation leaves the graph as it was") {
  Graph graph = scaled(2);
  const Graph before = graph;
  CHECK(number_of([&] { graph.append(Op::add, {0, graph.parameters()[0] + 100}); }) == 404);
  CHECK(number_of([&] { graph.append(Op::add, {0, -1}); }) == 404);
  CHECK(number_of([&] { graph.append(Op::and_, {0, 0}); }) == 402);
  CHECK(number_of([&] { graph.set_results({3}); }) == 404);
  CHECK(equal(graph, before));
}

TEST_CASE("a spliced program computes with the arguments in place of its parameters") {
  Graph graph;
  const ValueId x = graph.parameter(vector8);
  const ValueId y = graph.append(Op::exponential, {x})[0];
  const std::vector<ValueId> results = graph.splice(scaled(2), {y});
  REQUIRE(results.size() == 1);
  const Node* product = graph.definition(results[0]);
  REQUIRE(product);
  CHECK(product->op == Op::multiply);
  CHECK(product->inputs[0] == y);
  CHECK(faults(graph).empty());

  CHECK(graph.splice(scaled(2), {x}) != results);
  CHECK(number_of([&] { graph.splice(scaled(2), {}); }) == 405);
  CHECK(number_of([&] { graph.splice(scaled(2), {99}); }) == 404);
  const ValueId matrix = graph.parameter({DType::f32, {8, 8}});
  CHECK(number_of([&] { graph.splice(scaled(2), {matrix}); }) == 401);
}

TEST_CASE("a program that returns its parameter is spliced into its argument") {
  Graph identity;
  identity.set_results({identity.parameter(vector8)});
  Graph graph;
  const ValueId x = graph.parameter(vector8);
  CHECK(graph.splice(identity, {x}) == std::vector<ValueId>{x});
  CHECK(graph.nodes().empty());
}

TEST_CASE("a counted loop's turns are read off its constants") {
  CHECK(trips<std::int32_t>(0, 10, 1) == 10);
  CHECK(trips<std::int32_t>(0, 10, 3) == 4);
  CHECK(trips<std::int32_t>(10, 10, 1) == 0);
  CHECK(trips<std::int32_t>(11, 10, 1) == 0);
  CHECK(trips<std::int32_t>(-5, 5, 5) == 2);
  CHECK(trips<std::uint32_t>(0, 4'000'000'000u, 1'000'000'000u) == 4);
  CHECK(trips<std::int64_t>(0, std::int64_t{1} << 40, 1) == std::int64_t{1} << 40);
  constexpr std::int64_t beyond_f64 = (std::int64_t{1} << 53) - 1;
  CHECK(trips<std::int64_t>(beyond_f64, beyond_f64 + 2, 1) == 2);
}

TEST_CASE("a loop that is never left is told from one whose turns are not known") {
  CHECK(trips<std::int32_t>(0, 10, 0) == endless_trips);
  CHECK(trips<std::int32_t>(10, 10, 0) == 0);
  // It wraps around, and ends there after some two thousand million turns.
  CHECK(trips<std::int32_t>(0, 10, -1) == unknown_trips);
  CHECK(trips<float>(0.0f, 10.0f, 0.0f) == endless_trips);

  Loop loop = counted<std::int32_t>(10, 1);
  loop.body.set_results(loop.body.parameters());
  CHECK(trips_of(Tensor::scalar<std::int32_t>(9), loop.condition, loop.body) == endless_trips);
  CHECK(trips_of(Tensor::scalar<std::int32_t>(10), loop.condition, loop.body) == 0);
  CHECK(trip_count(loop.condition, loop.body, [](std::size_t) { return nullptr; }) == unknown_trips);

  loop = counted<std::int32_t>(10, 1);
  loop.condition.set_results({loop.condition.constant(Tensor::scalar(true))});
  CHECK(trips_of(Tensor::scalar<std::int32_t>(0), loop.condition, loop.body) == endless_trips);
  loop.condition.set_results({loop.condition.constant(Tensor::scalar(false))});
  CHECK(trips_of(Tensor::scalar<std::int32_t>(0), loop.condition, loop.body) == 0);
}

TEST_CASE("a loop over floating numbers is counted where these are whole and exact") {
  CHECK(trips<float>(0.0f, 10.0f, 3.0f) == 4);
  CHECK(trips<double>(-5.0, 5.0, 5.0) == 2);
  CHECK(trips<float>(0.0f, 1.0f, 0.25f) == unknown_trips);
  CHECK(trips<float>(0.0f, 16'777'216.0f, 1.0f) == 16'777'216);
  CHECK(trips<float>(0.0f, 33'554'432.0f, 1.0f) == unknown_trips);
  CHECK(trips<float>(0.0f, std::numeric_limits<float>::infinity(), 1.0f) == unknown_trips);
  CHECK(trips<float>(0.0f, std::numeric_limits<float>::quiet_NaN(), 1.0f) == unknown_trips);
  CHECK(trips<bfloat16>(bfloat16{0.0f}, bfloat16{256.0f}, bfloat16{1.0f}) == 256);
  CHECK(trips<bfloat16>(bfloat16{0.0f}, bfloat16{512.0f}, bfloat16{1.0f}) == unknown_trips);
}

TEST_CASE("a counter is found among what a loop carries, and a limit that it carries unchanged") {
  // (x, limit, i): while (i < limit) x += x, i = 1 + i
  const auto loop = [](bool carried, bool grows) {
    const TensorType number{DType::i32, {}};
    Graph graph, condition{"condition"}, body{"body"};
    condition.parameter(vector8);
    const ValueId given = condition.parameter(number), i = condition.parameter(number);
    const ValueId bound = carried ? given : condition.constant(Tensor::scalar<std::int32_t>(5));
    condition.set_results(condition.append(Op::compare, {i, bound}, CompareAttributes{Comparison::LT}));
    const ValueId x = body.parameter(vector8), limit = body.parameter(number), j = body.parameter(number);
    const ValueId one = body.constant(Tensor::scalar<std::int32_t>(1));
    const ValueId twice = body.append(Op::add, {x, x}).front(), next = body.append(Op::add, {one, j}).front();
    body.set_results({twice, grows ? body.append(Op::add, {limit, one}).front() : limit, next});
    const ValueId start = graph.parameter(vector8);
    const ValueId seven = graph.constant(Tensor::scalar<std::int32_t>(7));
    const ValueId zero = graph.constant(Tensor::scalar<std::int32_t>(0));
    graph.append(Op::while_, {start, seven, zero}, NoAttributes{}, {condition, body});
    return trip_count(graph, graph.nodes().back());
  };
  CHECK(loop(false, false) == 5);
  CHECK(loop(false, true) == 5);
  CHECK(loop(true, false) == 7);
  CHECK(loop(true, true) == unknown_trips);
}

TEST_CASE("a counter may fall, meet its limit, or stand on the right of the comparison") {
  const auto turns = [](std::int32_t from, Comparison direction, std::int32_t limit, Op op, std::int32_t by,
                        bool mirrored = false) {
    Loop loop;
    const ValueId i = loop.condition.parameter({DType::i32, {}});
    const ValueId bound = loop.condition.constant(Tensor::scalar(limit));
    loop.condition.set_results(loop.condition.append(
        Op::compare, mirrored ? std::vector{bound, i} : std::vector{i, bound}, CompareAttributes{direction}));
    const ValueId j = loop.body.parameter({DType::i32, {}});
    loop.body.set_results(loop.body.append(op, {j, loop.body.constant(Tensor::scalar(by))}));
    return trips_of(Tensor::scalar(from), loop.condition, loop.body);
  };
  // Run by hand.
  const auto by_hand = [](std::int64_t i, Comparison direction, std::int64_t limit, std::int64_t by) {
    std::int64_t count = 0;
    const auto holds = [&] {
      return direction == Comparison::LT   ? i < limit
             : direction == Comparison::LE ? i <= limit
             : direction == Comparison::GT ? i > limit
             : direction == Comparison::GE ? i >= limit
             : direction == Comparison::EQ ? i == limit
                                           : i != limit;
    };
    for (; holds(); i += by)
      if (++count > 100) return std::int64_t{-1};
    return count;
  };
  for (const Comparison direction :
       {Comparison::LT, Comparison::LE, Comparison::GT, Comparison::GE, Comparison::NE, Comparison::EQ})
    for (std::int32_t from = -4; from <= 4; ++from)
      for (std::int32_t limit = -4; limit <= 4; ++limit)
        for (const std::int32_t by : {-3, -2, -1, 1, 2, 3}) {
          INFO(from << " " << static_cast<int>(direction) << " " << limit << " by " << by);
          const std::int64_t wanted = by_hand(from, direction, limit, by);
          CHECK(turns(from, direction, limit, Op::add, by) == wanted);
          CHECK(turns(from, direction, limit, Op::subtract, -by) == wanted);
        }
  CHECK(turns(0, Comparison::GT, 7, Op::add, 1, true) == 7);
  CHECK(turns(9, Comparison::LE, 3, Op::subtract, 2, true) == 4);
  CHECK(turns(0, Comparison::EQ, 0, Op::add, 0) == endless_trips);
  CHECK(turns(0, Comparison::NE, 7, Op::add, 2) == unknown_trips);
  CHECK(turns(0, Comparison::LE, std::numeric_limits<std::int32_t>::max(), Op::add, 1) == endless_trips);
  CHECK(turns(0, Comparison::GE, std::numeric_limits<std::int32_t>::min(), Op::subtract, 1) == endless_trips);
}

TEST_CASE("a loop that steps back, wraps around or has no constant bound has no known count") {
  CHECK(trips<std::int32_t>(0, 10, -1) == unknown_trips);
  CHECK(trips<std::int32_t>(0, std::numeric_limits<std::int32_t>::max(), 2) == unknown_trips);
  CHECK(trips<std::int64_t>(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max(), 1) ==
        unknown_trips);

  const Loop loop = counted<std::int32_t>(10, 1);
  CHECK(trips_of(Tensor::scalar<std::int32_t>(0), Graph{}, Graph{}) == unknown_trips);
  CHECK(trips_of(Tensor::scalar<std::int32_t>(0), loop.body, loop.condition) == unknown_trips);
}

TEST_CASE("operations are found by the names that StableHLO text gives them") {
  for (const Operation& row : operations()) {
    CAPTURE(row.name);
    CHECK(operation_named(row.name) == row.op);
    CHECK(row.name.ends_with(name(row.op)));
  }
  CHECK(name(Op::and_) == "and");
  CHECK(operation_named("stablehlo.softmax") == std::nullopt);
  CHECK(operation_named("add") == std::nullopt);
  CHECK(operation_named("") == std::nullopt);
}
