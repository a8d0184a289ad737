/// What if and while mean, and that replicas may part only where no collective waits for them.
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
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

const TensorType number{DType::i32, {}};
const TensorType truth{DType::pred, {}};

/// Takes one i32, returns it summed over `replicas` replicas.
Graph summed(std::int64_t replicas) {
  return program(Op::all_reduce, {number}, AllReduceAttributes{all_replicas(replicas), Reducer::add}, {},
                 {"model.cpp", 12, "step"});
}

Graph unchanged() {
  Graph graph;
  graph.set_results({graph.parameter(number)});
  return graph;
}

/// Takes one i32, returns what `op` makes of it and `other`.
Graph with_constant(Op op, std::int32_t other, Attributes attributes = {}) {
  Graph graph;
  const ValueId x = graph.parameter(number), constant = graph.constant(Tensor::scalar(other));
  graph.set_results(graph.append(op, {x, constant}, std::move(attributes)));
  return graph;
}

Graph less_than(std::int32_t limit) { return with_constant(Op::compare, limit, CompareAttributes{Comparison::LT}); }

std::string run(const Graph& graph, const std::vector<std::vector<Tensor>>& arguments) {
  std::string result;
  for (const std::vector<Tensor>& replica : evaluate(graph, arguments))
    result += (result.empty() ? "" : " | ") + text(replica);
  return result;
}

Diagnostic refused(const Graph& graph, const std::vector<std::vector<Tensor>>& arguments) {
  try {
    evaluate(graph, arguments);
  } catch (const Error& error) {
    return error.diagnostics().front();
  }
  return {};
}

}  // namespace

TEST_CASE("if takes one branch") {
  const std::vector<Graph> branches{with_constant(Op::add, 1), with_constant(Op::subtract, 1)};
  CHECK(evaluated(Op::if_, {Tensor::scalar(true), Tensor::scalar(5)}, {}, branches) == "i32[]: 6");
  CHECK(evaluated(Op::if_, {Tensor::scalar(false), Tensor::scalar(5)}, {}, branches) == "i32[]: 4");
}

TEST_CASE("while runs until its condition fails, and not at all if it fails at once") {
  CHECK(evaluated(Op::while_, {Tensor::scalar(0)}, {}, {less_than(1000), with_constant(Op::add, 3)}) == "i32[]: 1002");
  CHECK(evaluated(Op::while_, {Tensor::scalar(1000)}, {}, {less_than(1000), with_constant(Op::add, 3)}) ==
        "i32[]: 1000");
}

TEST_CASE("while passes all of its state on together") {
  Graph swap;  // (count, a, b) -> (count + 1, b, a + b): Fibonacci's
  const ValueId count = swap.parameter(number), a = swap.parameter(number), b = swap.parameter(number);
  const ValueId next = swap.append(Op::add, {count, swap.constant(Tensor::scalar(1))}).front();
  swap.set_results({next, b, swap.append(Op::add, {a, b}).front()});
  Graph test;
  const ValueId at = test.parameter(number);
  test.parameter(number);
  test.parameter(number);
  test.set_results(
      test.append(Op::compare, {at, test.constant(Tensor::scalar(10))}, CompareAttributes{Comparison::LT}));
  CHECK(evaluated(Op::while_, {Tensor::scalar(0), Tensor::scalar(0), Tensor::scalar(1)}, {}, {test, swap}) ==
        "i32[]: 10; i32[]: 55; i32[]: 89");
}

TEST_CASE("replicas part ways where nothing makes them meet") {
  const Graph branch =
      program(Op::if_, {truth, number}, {}, {with_constant(Op::add, 1), with_constant(Op::subtract, 1)});
  CHECK(run(branch, {{Tensor::scalar(true), Tensor::scalar(5)}, {Tensor::scalar(false), Tensor::scalar(5)}}) ==
        "i32[]: 6 | i32[]: 4");
  const Graph loop = program(Op::while_, {number}, {}, {less_than(10), with_constant(Op::multiply, 3)});
  CHECK(run(loop, {{Tensor::scalar(1)}, {Tensor::scalar(2)}, {Tensor::scalar(99)}}) ==
        "i32[]: 27 | i32[]: 18 | i32[]: 99");
}

TEST_CASE("replicas meet in a collective inside a branch or a loop that all take") {
  const Graph branch = program(Op::if_, {truth, number}, {}, {summed(2), unchanged()});
  CHECK(run(branch, {{Tensor::scalar(true), Tensor::scalar(5)}, {Tensor::scalar(true), Tensor::scalar(6)}}) ==
        "i32[]: 11 | i32[]: 11");
  CHECK(run(branch, {{Tensor::scalar(false), Tensor::scalar(5)}, {Tensor::scalar(false), Tensor::scalar(6)}}) ==
        "i32[]: 5 | i32[]: 6");
  const Graph loop = program(Op::while_, {number}, {}, {less_than(40), summed(2)});
  CHECK(run(loop, {{Tensor::scalar(5)}, {Tensor::scalar(6)}}) == "i32[]: 44 | i32[]: 44");
}

TEST_CASE("a part of the replicas that would reach a collective is refused with X105, its place and theirs") {
  const Graph branch = program(Op::if_, {truth, number}, {}, {summed(3), unchanged()}, {"model.cpp", 10, "step"});
  const Diagnostic fault = refused(branch, {{Tensor::scalar(true), Tensor::scalar(5)},
                                            {Tensor::scalar(false), Tensor::scalar(6)},
                                            {Tensor::scalar(true), Tensor::scalar(7)}});
  CHECK(fault.number == 105);
  CHECK(fault.sentence ==
        "The condition of this if is true on replicas 0, 2 and false on replica 1, and all_reduce inside needs all of "
        "them.");
  CHECK(to_string(fault.where) == "model.cpp:10, in step");
  REQUIRE(fault.because.size() == 1);
  CHECK(fault.because[0].where.line == 12);

  const Graph loop = program(Op::while_, {number}, {}, {less_than(6), summed(2)});
  CHECK(refused(loop, {{Tensor::scalar(5)}, {Tensor::scalar(6)}}).sentence ==
        "This while goes on on replica 0 and ends on replica 1, and all_reduce inside needs all of them.");
}

TEST_CASE("a collective deep inside keeps replicas together too") {
  Graph outer;  // an if inside an if
  const ValueId x = outer.parameter(number);
  outer.set_results(outer.append(Op::if_, {outer.constant(Tensor::scalar(true)), x}, {}, {summed(2), unchanged()}));
  const Graph branch = program(Op::if_, {truth, number}, {}, {outer, unchanged()});
  CHECK(
      refused(branch, {{Tensor::scalar(true), Tensor::scalar(5)}, {Tensor::scalar(false), Tensor::scalar(6)}}).number ==
      105);
}

TEST_CASE("a replica knows its number inside a branch that it takes alone") {
  const Graph id = program(Op::replica_id, {});
  const Graph branch = program(Op::if_, {truth}, {}, {id, id});
  CHECK(run(branch, {{Tensor::scalar(true)}, {Tensor::scalar(false)}}) == "ui32[]: 0 | ui32[]: 1");
}
