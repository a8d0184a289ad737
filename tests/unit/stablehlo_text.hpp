/// Of the tests of StableHLO text: programs to print, and what reading gives. To be included after the imports, with
/// <string>, <cstddef>, <cstdint>, <variant>, <vector> and Catch2 before it.
#pragma once
#include "operation_samples.hpp"

namespace stablehlo_text {

using namespace octet;
using namespace operation_samples;
inline std::string round_trip(const Graph& graph, const PrintOptions& options = {}) {
  const std::string text = to_string(graph, options);
  INFO(text);
  const Graph again = read(text);
  CHECK(equal(graph, again));
  // Where the text has no place for an operation, its place is the line of the text.
  if (!options.places) CHECK(to_string(again, options) == text);
  CHECK(again.name() == graph.name());
  return text;
}

inline Tensor round_trip(const Tensor& constant, std::size_t elements = 0) {
  Graph graph;
  graph.set_results({graph.constant(constant)});
  const Graph again = read(to_string(graph, {.constant_elements = elements}));
  return std::get<ConstantAttributes>(again.nodes().front().attributes).value;
}

inline Diagnostic refusal(const std::string& text) {
  try {
    read(text, "model.mlir");
  } catch (const Error& error) {
    return error.diagnostics().front();
  }
  return {};
}

/// A function around `body`; the first line of `body` is line 3.
inline std::string function(const std::string& arguments, const std::string& results, const std::string& body) {
  return "module {\n  func.func @main(" + arguments + ") -> (" + results + ") {\n" + body + "\n  }\n}\n";
}

/// What the body of a function, which ends with its return, makes of these.
inline std::vector<Tensor> run(const std::string& arguments, const std::string& results, const std::string& body,
                               const std::vector<Tensor>& inputs) {
  const Graph graph = read(function(arguments, results, body));
  round_trip(graph);
  return evaluate(graph, inputs);
}

inline std::vector<float> floats(const Tensor& tensor) {
  const auto span = tensor.span<float>();
  return {span.begin(), span.end()};
}
inline std::vector<std::int32_t> integers(const Tensor& tensor) {
  const auto span = tensor.span<std::int32_t>();
  return {span.begin(), span.end()};
}
/// A program with everything that text must bring through: names, constants, regions in regions, a reduction.
inline Graph rich_program() {
  Graph negate = region(Op::negate, {f32({4})});
  Graph loop;
  const ValueId x = loop.parameter(f32({4}));
  const ValueId zero = loop.constant(Tensor::scalar(0));
  const auto outputs = loop.append(Op::while_, {zero, x}, {}, counted_loop({f32({4})}));
  loop.set_results({outputs[1]});

  Graph graph{"train_step"};
  const ValueId batch = graph.parameter(f32({4}), "batch");
  const ValueId big = graph.constant(Tensor::scalar(1.5f), {"model.cpp", 7, "loss"});
  const ValueId sum =
      graph.append(Op::reduce, {batch}, ReduceAttributes{{0}, Reducer::add}, {}, {"model.cpp", 8, "loss"})[0];
  const ValueId test = graph.append(Op::compare, {sum, big}, CompareAttributes{Comparison::GT})[0];
  const ValueId chosen = graph.append(Op::if_, {test, batch}, {}, {negate, loop})[0];
  graph.set_results({chosen, sum});
  return graph;
}

}  // namespace stablehlo_text
