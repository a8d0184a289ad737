/// StableHLO text in short form, as JAX prints programs, gives the programs that the generic form gives.
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

import octet.base;
import octet.graph;

#include "stablehlo_text.hpp"

using namespace octet;
using namespace operation_samples;
using namespace stablehlo_text;

namespace {

std::string text_of(const Dims& dims) {
  std::string text;
  for (const std::int64_t d : dims) text += (text.empty() ? "" : ", ") + std::to_string(d);
  return "[" + text + "]";
}

/// A type as the generic form writes it.
std::string text_of(const TensorType& type) {
  Graph graph;
  graph.set_results({graph.parameter(type)});
  const std::string text = to_string(graph);
  const std::size_t from = text.find("tensor<");
  return text.substr(from, text.find('>', from) + 1 - from);
}

/// What stands between an operation's name and its colon: operands and attributes.
std::string items(const Graph& graph, const Node& node) {
  std::string operands;
  for (const ValueId input : node.inputs) operands += (operands.empty() ? "%arg" : ", %arg") + std::to_string(input);
  const Attributes& attributes = node.attributes;
  if (const auto* a = std::get_if<IotaAttributes>(&attributes)) return "dim = " + std::to_string(a->iota_dimension);
  if (const auto* a = std::get_if<BroadcastAttributes>(&attributes))
    return operands + ", dims = " + text_of(a->broadcast_dimensions);
  if (const auto* a = std::get_if<DimensionAttributes>(&attributes))
    return operands + ", dim = " + std::to_string(a->dimension);
  if (const auto* a = std::get_if<DimensionsAttributes>(&attributes))
    return operands + ", dims = " + text_of(a->dimensions);
  if (const auto* a = std::get_if<TransposeAttributes>(&attributes))
    return operands + ", dims = " + text_of(a->permutation);
  if (const auto* a = std::get_if<DynamicSliceAttributes>(&attributes))
    return operands + ", sizes = " + text_of(a->slice_sizes);
  if (const auto* a = std::get_if<PadAttributes>(&attributes))
    return operands + ", low = " + text_of(a->edge_padding_low) + ", high = " + text_of(a->edge_padding_high) +
           ", interior = " + text_of(a->interior_padding);
  if (const auto* a = std::get_if<SliceAttributes>(&attributes)) {
    std::string slices;
    for (std::size_t d = 0; d < a->strides.size(); ++d)
      slices += (d ? ", " : "") + std::to_string(a->start_indices[d]) + ":" + std::to_string(a->limit_indices[d]) +
                (a->strides[d] == 1 ? "" : ":" + std::to_string(a->strides[d]));
    return operands + " [" + slices + "]";
  }
  if (const auto* a = std::get_if<CompareAttributes>(&attributes)) {
    constexpr std::string_view directions[] = {"EQ", "NE", "GE", "GT", "LE", "LT"};
    const DType dtype = graph.type(node.inputs[0]).dtype;
    return " " + std::string{directions[static_cast<std::size_t>(a->comparison_direction)]} + ", " + operands + ",  " +
           (is_floating(dtype) ? "FLOAT"
            : is_signed(dtype) ? "SIGNED"
                               : "UNSIGNED");
  }
  if (const auto* a = std::get_if<DotAttributes>(&attributes)) {
    std::string text = operands;
    if (!a->lhs_batching_dimensions.empty())
      text += ", batching_dims = " + text_of(a->lhs_batching_dimensions) + " x " + text_of(a->rhs_batching_dimensions);
    text += ", contracting_dims = " + text_of(a->lhs_contracting_dimensions) + " x " +
            text_of(a->rhs_contracting_dimensions);
    const std::string precision = a->precision == DotPrecision::HIGHEST ? "HIGHEST" : "DEFAULT";
    return text + ", precision = [" + precision + ", " + precision + "]";
  }
  return operands;
}

/// The only node of `graph` as a statement in short form; empty where its operation has none.
std::string short_statement(const Graph& graph, const Node& node) {
  const std::string name{operation(node.op).name};
  std::string types, results, head;
  for (const ValueId input : node.inputs) types += (types.empty() ? "" : ", ") + text_of(graph.type(input));
  for (const ValueId output : node.outputs) results += (results.empty() ? "" : ", ") + text_of(graph.type(output));
  if (node.op == Op::constant) {
    const std::string generic = to_string(graph);
    const std::size_t from = generic.find("dense<");
    return "%0 = stablehlo.constant " + generic.substr(from, generic.find("}", from) - from);
  }
  if (const auto* a = std::get_if<ReduceAttributes>(&node.attributes)) {
    constexpr std::string_view applied[] = {"add", "multiply", "maximum", "minimum", "and", "or"};
    Graph neutral;
    neutral.set_results({neutral.constant(neutral_element(a->reducer, graph.type(node.inputs[0]).dtype))});
    const std::string constant = short_statement(neutral, neutral.nodes()[0]);
    return "%cst" + constant.substr(2) + "\n    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo." +
           std::string{applied[static_cast<std::size_t>(a->reducer)]} +
           " across dimensions = " + text_of(a->dimensions) + " : (" + types + ", " +
           text_of(neutral.result_types()[0]) + ") -> " + results;
  }
  if (!node.regions.empty() || std::holds_alternative<GatherAttributes>(node.attributes) ||
      std::holds_alternative<ScatterAttributes>(node.attributes) ||
      std::holds_alternative<SortAttributes>(node.attributes) || operation(node.op).kind == OpKind::collective)
    return {};
  const std::size_t count = node.outputs.size();
  head = (count > 1 ? "%0:" + std::to_string(count) : "%0") + " = " + name + " " + items(graph, node) + " : ";
  if (node.op == Op::optimization_barrier) return head + results;
  if (name.starts_with("chlo.")) return head + types + " -> " + results;
  if (node.op == Op::select) return head + text_of(graph.type(node.inputs[0])) + ", " + results;
  const bool alike = graph.types(node.inputs) == std::vector(node.inputs.size(), graph.type(node.outputs[0]));
  return head + (alike ? results : "(" + types + ") -> " + results);
}

}  // namespace

TEST_CASE("every operation that has a short form reads as its generic form does") {
  std::size_t read_short = 0;
  for (const auto& [op, graph] : samples()) {
    const std::string statement = short_statement(graph, graph.nodes()[0]);
    if (statement.empty()) continue;
    std::string arguments, results, returned;
    for (const ValueId parameter : graph.parameters())
      arguments += (parameter ? ", %arg" : "%arg") + std::to_string(parameter) + ": " + text_of(graph.type(parameter));
    const std::size_t count = graph.results().size();
    for (std::size_t r = 0; r < count; ++r) {
      results += (r ? ", " : "") + text_of(graph.result_types()[r]);
      returned += (r ? ", %0" : "%0") + (count > 1 ? "#" + std::to_string(r) : "");
    }
    const std::string text =
        function(arguments, results, "    " + statement + "\n    return " + returned + " : " + results);
    INFO(text);
    CHECK(equal(read(text), graph));
    ++read_short;
  }
  CHECK(read_short > 60);
}

TEST_CASE("a program as JAX prints it is read: calls, loops, reductions with regions, places") {
  const Graph graph = read(R"(#loc1 = loc("x")
module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x8xf32> {jax.buffer_donor = true} loc("x"), %arg1: tensor<8x8xf32> loc("w")) -> (tensor<4xf32> {jax.result_info = "result[0]"}, tensor<i32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32> loc(#loc2)
    %1 = call @relu(%0) : (tensor<4x8xf32>) -> tensor<4x8xf32> loc(#loc2)
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.reduce(%1 init: %cst) across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
     reducer(%arg2: tensor<f32>, %arg3: tensor<f32>)  {
      %4 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %4 : tensor<f32>
    }
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<3> : tensor<i32>
    %3:2 = stablehlo.while(%iterArg = %c, %iterArg_1 = %2) : tensor<i32>, tensor<4xf32> attributes {mhlo.frontend_attributes = {}}
     cond {
      %4 = stablehlo.compare  LT, %iterArg, %c_0,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    } do {
      %c_2 = stablehlo.constant dense<1> : tensor<i32>
      %4 = stablehlo.add %iterArg, %c_2 {mhlo.frontend_attributes = {a = "b"}} : tensor<i32>
      %5 = "stablehlo.multiply"(%iterArg_1, %2) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      stablehlo.return %4, %5 : tensor<i32>, tensor<4xf32>
    }
    return %3#1, %3#0 : tensor<4xf32>, tensor<i32> loc(#loc)
  } loc(#loc)
  func.func private @relu(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<4x8xf32>
    return %1 : tensor<4x8xf32>
  }
} loc(#loc)
#loc = loc(unknown)
#loc2 = loc("jit(step)/dot_general"("model.py":7:3 to :20))
)");
  CHECK(graph.name() == "jit_step");
  CHECK(graph.values()[1].name == "w");
  CHECK(graph.nodes()[0].place == Place{"model.py", 7, "jit(step)/dot_general"});
  std::vector<float> x(32), w(64);
  for (std::size_t i = 0; i < 32; ++i) x[i] = static_cast<float>(i) / 8 - 2;
  for (std::size_t i = 0; i < 8; ++i) w[i * 9] = i % 2 ? -1.0f : 0.5f;
  const auto results =
      evaluate(graph, std::vector{Tensor::of<float>(Shape{4, 8}, x), Tensor::of<float>(Shape{8, 8}, w)});
  for (std::size_t row = 0; row < 4; ++row) {
    float sum = 0;
    for (std::size_t i = 0; i < 8; ++i) sum += std::max(0.0f, x[row * 8 + i] * w[i * 9]);
    CHECK(results[0].span<float>()[row] == sum * sum * sum * sum);
  }
  CHECK(results[1] == Tensor::scalar(3));
  round_trip(graph);
}

TEST_CASE("a short form that is no program is refused with its place and what was expected") {
  const auto says = [](const std::string& line) {
    const Diagnostic found = refusal(function("%a: tensor<2x3xf32>, %p: tensor<2x3xi1>", "tensor<2x3xf32>",
                                              line + "\n    return %a : tensor<2x3xf32>"));
    return diagnostic_name(found.number) + " " + found.sentence;
  };
  CHECK(says("    %0 = stablehlo.cholesky %a : tensor<2x3xf32>") ==
        "X410 Line 3, column 10: 'stablehlo.cholesky' is not an operation that Octet has.");
  CHECK(says("    %0 = stablehlo.add %a %a : tensor<2x3xf32>") ==
        "X407 Line 3, column 27: expected ',' and found '%'.");
  CHECK(says("    %0 = stablehlo.add %a, %a, : tensor<2x3xf32>") ==
        "X407 Line 3, column 32: expected an operand or ':' and found ':'.");
  CHECK(says("    %0 = stablehlo.add %a, %a : (tensor<2x3xf32>) -> tensor<2x3xf32>") ==
        "X407 Line 3, column 33: there are 2 operands and the types of 1.");
  CHECK(says("    %0 = stablehlo.add %a, %a : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>") ==
        "X407 Line 3, column 33: there are 2 operands and the types of 3.");
  CHECK(says("    %0 = stablehlo.add %a, LT : tensor<2x3xf32>") ==
        "X407 Line 3, column 28: expected an operand of stablehlo.add and found 'LT'.");
  CHECK(says("    %0 = stablehlo.transpose %a, dimensions = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>") ==
        "X407 Line 3, column 34: 'dimensions' of stablehlo.transpose is something Octet does not have.");
  CHECK(says("    %0 = stablehlo.transpose %a, dims = 1 : (tensor<2x3xf32>) -> tensor<3x2xf32>") ==
        "X407 Line 3, column 34: permutation of stablehlo.transpose is not a list of integers.");
  CHECK(says("    %0 = stablehlo.transpose %a : (tensor<2x3xf32>) -> tensor<3x2xf32>") ==
        "X407 Line 3, column 10: stablehlo.transpose lacks its attribute permutation.");
  CHECK(says("    %0 = stablehlo.compare BIG, %a, %a : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>") ==
        "X407 Line 3, column 28: comparison_direction of stablehlo.compare is not EQ or NE or GE or GT or LE or LT.");
  CHECK(says("    %0 = stablehlo.slice %a [0:1:2:3, 0:1] : (tensor<2x3xf32>) -> tensor<1x1xf32>") ==
        "X407 Line 3, column 35: expected ',' and found ':'.");
  CHECK(says("    %0 = stablehlo.dot_general %a, %a, precision = [DEFAULT], contracting_dims = [0] x [0] : "
             "(tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<3x3xf32>") ==
        "X407 Line 3, column 63: dimensions of a product stand before its precision.");
  CHECK(says("    %0 = stablehlo.constant 5 : tensor<f32>") ==
        "X407 Line 3, column 29: value of stablehlo.constant is not dense<...> of an element type that Octet has.");
  CHECK(says("    %0 = stablehlo.reduce(%a init: %a) across dimensions = [1] : (tensor<2x3xf32>, tensor<2x3xf32>) -> "
             "tensor<2xf32> reducer(%x: tensor<f32>) { stablehlo.return %x : tensor<f32> }") ==
        "X407 Line 3, column 125: a reducer takes two arguments of each operand.");
  CHECK(says("    %0 = stablehlo.while(%x = %a) : tensor<2x3xf32> do { stablehlo.return %x : tensor<2x3xf32> }") ==
        "X407 Line 3, column 53: expected 'cond' and found 'do'.");
  CHECK(says("    %0 = stablehlo.select %p, %a, %a : tensor<2x3xf32>") ==
        "X404 Line 3: the value %p is i1[2, 3] and is used as f32[2, 3].");
  CHECK(says("    %0 = stablehlo.transpose %a, dims = [1, 0], dims = [0, 1] : (tensor<2x3xf32>) -> tensor<3x2xf32>") ==
        "X407 Line 3, column 49: permutation of stablehlo.transpose is said a second time.");
  CHECK(says("    %0 = stablehlo.transpose %a, dims = [1, 0] {permutation = [0, 1]} : (tensor<2x3xf32>) -> "
             "tensor<3x2xf32>") == "X407 Line 3, column 49: permutation of stablehlo.transpose is said a second time.");
  const Diagnostic parted =
      refusal("module attributes {mhlo.num_partitions = 8 : i32} {\n  func.func @main() {\n    return\n  }\n}");
  CHECK(parted.number == 410);
  CHECK(parted.sentence == "The program is partitioned over 8 devices, and Octet's replicas each run a whole one.");
  const Diagnostic none =
      refusal("module attributes {mhlo.num_partitions = 0 : i32} {\n  func.func @main() {\n    return\n  }\n}");
  CHECK(none.number == 404);
  CHECK(none.sentence == "Line 1: mhlo.num_partitions = 0 is no number of devices.");
  CHECK(none.fix == std::vector<std::string>{"write that number, or leave mhlo.num_partitions out where it is 1"});
}
