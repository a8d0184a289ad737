/// The verifier: what the builder makes is accepted, and each way in which a pass could damage it is named.
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

import octet.base;
import octet.graph;

using namespace octet;

namespace {

const TensorType vector8{DType::f32, {8}};
const TensorType count{DType::i32, {}};

/// tanh(x) + x: values 0, 1 and 2.
Graph small() {
  Graph graph;
  const ValueId x = graph.parameter(vector8, "x");
  const ValueId y = graph.append(Op::tanh, {x}, {}, {}, {"model.cpp", 3, "f"})[0];
  graph.set_results({graph.append(Op::add, {y, x}, {}, {}, {"model.cpp", 4, "f"})[0]});
  return graph;
}

/// A loop that counts to ten.
Graph counting() {
  Graph condition{"condition"}, body{"body"}, graph{"count"};
  const ValueId i = condition.parameter(count);
  const ValueId limit = condition.constant(Tensor::scalar<std::int32_t>(10));
  condition.set_results({condition.append(Op::compare, {i, limit}, CompareAttributes{Comparison::LT})[0]});
  const ValueId j = body.parameter(count);
  body.set_results({body.append(Op::add, {j, body.constant(Tensor::scalar<std::int32_t>(1))})[0]});
  graph.set_results(graph.append(Op::while_, {graph.constant(Tensor::scalar<std::int32_t>(0))}, {}, {condition, body}));
  return graph;
}

/// A node or a value, to be damaged: the builder itself makes no such graph.
Node& node(const Graph& graph, std::size_t n) { return const_cast<Node&>(graph.nodes()[n]); }
Value& value(const Graph& graph, std::size_t v) { return const_cast<Value&>(graph.values()[v]); }

using Sentences = std::vector<std::string>;

Sentences sentences(const Graph& graph) {
  Sentences result;
  for (const Diagnostic& diagnostic : faults(graph)) result.push_back(diagnostic.sentence);
  return result;
}

}  // namespace

TEST_CASE("what the builder makes has no faults") {
  CHECK(faults(Graph{}).empty());
  CHECK(faults(small()).empty());
  CHECK(faults(counting()).empty());
  CHECK_NOTHROW(verify(counting()));
}

TEST_CASE("a value used before it is defined is a fault at the line of its user") {
  Graph graph = small();
  node(graph, 0).inputs = {2};
  const auto found = faults(graph);
  REQUIRE(found.size() == 1);
  CHECK(found[0].number == 404);
  CHECK(found[0].sentence == "main: node 0, tanh, uses value 2, which is not defined before it.");
  CHECK(found[0].where == Place{"model.cpp", 3, "f"});
}

TEST_CASE("a value number out of range is a fault and no crash") {
  for (const ValueId wrong : {-1, 3, 1'000'000}) {
    Graph used = small(), defined = small(), returned = small();
    node(used, 1).inputs[0] = wrong;
    CHECK(sentences(used).size() == 1);
    node(defined, 1).outputs[0] = wrong;
    CHECK(sentences(defined) ==
          Sentences{"main: node 1, add, defines value " + std::to_string(wrong) + ", and there are 3 values.",
                    "main: value 2 is never defined.", "main: result 0 is value 2, which is not defined."});
    const_cast<ValueId&>(returned.results()[0]) = wrong;
    CHECK(sentences(returned) ==
          Sentences{"main: result 0 is value " + std::to_string(wrong) + ", which is not defined."});
  }
}

TEST_CASE("a value defined twice is a fault") {
  Graph graph = small();
  node(graph, 1).outputs = {1};
  CHECK(sentences(graph) == Sentences{"main: node 1, add, defines value 1 once more.",
                                      "main: node 1, add, defines value 1, which says that node 0 does.",
                                      "main: value 2 is never defined.",
                                      "main: result 0 is value 2, which is not defined."});
}

TEST_CASE("a type other than the inferred one is a fault") {
  Graph graph = small();
  value(graph, 2).type.dtype = DType::bf16;
  CHECK(sentences(graph) ==
        Sentences{"main: node 1, add, defines value 2 as bf16[8], and its operation gives f32[8]."});
}

TEST_CASE("an operation that its inputs do not suit is refused as the builder would") {
  Graph graph = small();
  node(graph, 1).op = Op::and_;
  const auto found = faults(graph);
  REQUIRE(found.size() == 1);
  CHECK(found[0].number == 402);
  CHECK(found[0].where.line == 4);
  CHECK_THROWS_AS(verify(graph), Error);
}

TEST_CASE("too many outputs are a fault") {
  Graph graph = counting();
  node(graph, 1).outputs.clear();
  CHECK(sentences(graph) == Sentences{"count: node 1, while, defines 0 values, and its operation has 1.",
                                      "count: value 1 is never defined.",
                                      "count: result 0 is value 1, which is not defined."});
}

TEST_CASE("a fault inside a region names the region") {
  Graph graph = counting();
  node(node(graph, 1).regions[1], 1).inputs[1] = 7;
  CHECK(sentences(graph) ==
        Sentences{"count, region 1 of node 1 (while): node 1, add, uses value 7, which is not defined before it."});
}

TEST_CASE("every fault is found, not the first alone") {
  Graph graph = small();
  node(graph, 0).inputs = {9};
  node(graph, 1).op = Op::or_;
  CHECK(faults(graph).size() == 2);
}

TEST_CASE("a parameter of negative or immense extents is a fault") {
  Graph graph;
  graph.parameter({DType::f32, {-1}});
  graph.parameter({DType::f32, {std::int64_t{1} << 40, 2}});
  CHECK(
      sentences(graph) ==
      Sentences{"main: parameter 0 is f32[-1], which has a negative extent or more than 2^40 elements.",
                "main: parameter 1 is f32[1099511627776, 2], which has a negative extent or more than 2^40 elements."});
}
