/// StableHLO text: a printed program reads back as the same program, and text that is no program is refused by line.
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

import octet.base;
import octet.graph;

#include "operation_samples.hpp"

using namespace octet;
using namespace operation_samples;

namespace {

std::string round_trip(const Graph& graph, const PrintOptions& options = {}) {
  const std::string text = to_string(graph, options);
  INFO(text);
  const Graph again = read(text);
  CHECK(equal(graph, again));
  // Where the text has no place for an operation, its place is the line of the text.
  if (!options.places) CHECK(to_string(again, options) == text);
  CHECK(again.name() == graph.name());
  return text;
}

Tensor round_trip(const Tensor& constant, std::size_t elements = 0) {
  Graph graph;
  graph.set_results({graph.constant(constant)});
  const Graph again = read(to_string(graph, {.constant_elements = elements}));
  return std::get<ConstantAttributes>(again.nodes().front().attributes).value;
}

Diagnostic refusal(const std::string& text) {
  try {
    read(text, "model.mlir");
  } catch (const Error& error) {
    return error.diagnostics().front();
  }
  return {};
}

/// A function around `body`; the first line of `body` is line 3.
std::string function(const std::string& arguments, const std::string& results, const std::string& body) {
  return "module {\n  func.func @main(" + arguments + ") -> (" + results + ") {\n" + body + "\n  }\n}\n";
}

/// A program with everything that text must bring through: names, constants, regions in regions, a reduction.
Graph rich_program() {
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

}  // namespace

TEST_CASE("every operation has a sample that reads back equal to what was printed") {
  const auto all = samples();
  for (const Operation& row : operations()) {
    INFO(row.name);
    CHECK(all.contains(row.op));
  }
  for (const auto& [op, graph] : all) {
    INFO(name(op));
    round_trip(graph);
    round_trip(graph, {.places = true, .constant_elements = 1, .replicas = 8});
  }
}

TEST_CASE("a small program prints as this text") {
  Graph graph{"loss"};
  const ValueId x = graph.parameter(f32({8, 64}), "x");
  const ValueId w = graph.parameter(f32({64}), "w");
  const ValueId y = graph.append(Op::dot_general, {x, w}, DotAttributes{{}, {}, {1}, {0}})[0];
  const ValueId sum =
      graph.append(Op::reduce, {y}, ReduceAttributes{{0}, Reducer::add}, {}, {"model.cpp", 12, "loss"})[0];
  const ValueId all = graph.append(Op::all_reduce, {sum}, AllReduceAttributes{all_replicas(2), Reducer::add})[0];
  graph.set_results({all});
  CHECK(to_string(graph, {.places = true}) ==
        R"(module @loss attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 2 : i32} {
  func.func public @main(%arg0: tensor<8x64xf32> {jax.arg_info = "x"}, %arg1: tensor<64xf32> {jax.arg_info = "w"}) -> (tensor<f32>) {
    %0 = "stablehlo.dot_general"(%arg0, %arg1) {precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<8x64xf32>, tensor<64xf32>) -> tensor<8xf32>
    %1 = "stablehlo.constant"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
    %2 = "stablehlo.reduce"(%0, %1) ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %3 = "stablehlo.add"(%arg2, %arg3) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%3) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<8xf32>, tensor<f32>) -> tensor<f32> loc("loss"("model.cpp":12:0))
    %4 = "stablehlo.all_reduce"(%2) ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %5 = "stablehlo.add"(%arg4, %arg5) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%5) : (tensor<f32>) -> ()
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<f32>) -> tensor<f32>
    "func.return"(%4) : (tensor<f32>) -> ()
  }
}
)");
}

TEST_CASE("control flow prints as this text") {
  CHECK(to_string(rich_program()) ==
        R"(module @train_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xf32> {jax.arg_info = "batch"}) -> (tensor<4xf32>, tensor<f32>) {
    %0 = "stablehlo.constant"() {value = dense<1.5> : tensor<f32>} : () -> tensor<f32>
    %1 = "stablehlo.constant"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
    %2 = "stablehlo.reduce"(%arg0, %1) ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %3 = "stablehlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%3) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %4 = "stablehlo.compare"(%2, %0) {comparison_direction = #stablehlo<comparison_direction GT>, compare_type = #stablehlo<comparison_type FLOAT>} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %5 = "stablehlo.if"(%4) ({
      %6 = "stablehlo.negate"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
      "stablehlo.return"(%6) : (tensor<4xf32>) -> ()
    }, {
      %7 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
      %8:2 = "stablehlo.while"(%7, %arg0) ({
      ^bb0(%arg3: tensor<i32>, %arg4: tensor<4xf32>):
        %9 = "stablehlo.constant"() {value = dense<10> : tensor<i32>} : () -> tensor<i32>
        %10 = "stablehlo.compare"(%arg3, %9) {comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
        "stablehlo.return"(%10) : (tensor<i1>) -> ()
      }, {
      ^bb0(%arg5: tensor<i32>, %arg6: tensor<4xf32>):
        %11 = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
        %12 = "stablehlo.add"(%arg5, %11) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%12, %arg6) : (tensor<i32>, tensor<4xf32>) -> ()
      }) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)
      "stablehlo.return"(%8#1) : (tensor<4xf32>) -> ()
    }) : (tensor<i1>) -> tensor<4xf32>
    "func.return"(%5, %2) : (tensor<4xf32>, tensor<f32>) -> ()
  }
}
)");
  round_trip(rich_program());
}

TEST_CASE("floating-point constants keep their bits") {
  const auto f = [](std::uint32_t bits) { return std::bit_cast<float>(bits); };
  std::vector<float> singles{0.0f,          -0.0f,         0.1f,          1e10f,           -1e-10f,
                             16777217.0f,   3.4028235e38f, 1e-45f,        1.17549435e-38f, f(0x7f800000),
                             f(0xff800000), f(0x7fc00000), f(0xffc00001), f(0x7f800001)};
  std::vector<double> doubles{0.0,
                              -0.0,
                              0.1,
                              1e300,
                              5e-324,
                              1.7976931348623157e308,
                              std::nextafter(1.0, 2.0),
                              std::numeric_limits<double>::infinity(),
                              std::bit_cast<double>(0x7ff8000000000001u)};
  std::vector<bfloat16> halves;
  std::uint32_t bits = 12345;
  for (int i = 0; i < 5000; ++i) {
    bits = bits * 1664525u + 1013904223u;
    singles.push_back(f(bits));
    doubles.push_back(std::bit_cast<double>((static_cast<std::uint64_t>(bits) << 32) | (bits * 2654435761u)));
    halves.push_back(bfloat16::from_bits(static_cast<std::uint16_t>(bits >> 16)));
  }
  const auto check = [](const auto& values) {
    using T = typename std::decay_t<decltype(values)>::value_type;
    const Tensor tensor = Tensor::of<T>(Shape{static_cast<std::int64_t>(values.size())}, std::span<const T>{values});
    CHECK(round_trip(tensor) == tensor);
    CHECK(round_trip(tensor, 1) == tensor);
    for (std::size_t i = 0; i < 14 && i < values.size(); ++i) {
      const Tensor splat = Tensor::full(Shape{2, 2}, values[i]);
      CHECK(round_trip(splat) == splat);
    }
  };
  check(singles);
  check(doubles);
  check(halves);
}

TEST_CASE("special values are written by their bits, as MLIR does") {
  const auto text = [](const Tensor& value) {
    Graph graph;
    graph.constant(value);
    const std::string all = to_string(graph);
    const std::size_t from = all.find("dense<");
    return all.substr(from, all.find('}', from) - from);
  };
  const float infinity = std::numeric_limits<float>::infinity();
  CHECK(text(Tensor::of<float>(Shape{4}, {infinity, -infinity, -0.0f, 1e10f})) ==
        "dense<[0x7F800000, 0xFF800000, -0.0, 1.0e+10]> : tensor<4xf32>");
  CHECK(text(Tensor::scalar(bfloat16::from_bits(0x7fc0))) == "dense<0x7FC0> : tensor<bf16>");
  CHECK(text(Tensor::scalar(-std::numeric_limits<double>::infinity())) == "dense<0xFFF0000000000000> : tensor<f64>");
  CHECK(text(Tensor::of<bool>(Shape{2, 2}, {true, false, false, true})) ==
        "dense<[[true, false], [false, true]]> : tensor<2x2xi1>");
  CHECK(text(Tensor::full(Shape{3, 2}, true)) == "dense<true> : tensor<3x2xi1>");
  CHECK(text(Tensor{DType::f32, Shape{2, 0}}) == "dense<> : tensor<2x0xf32>");
  CHECK(text(Tensor::scalar(std::numeric_limits<std::int64_t>::min())) == "dense<-9223372036854775808> : tensor<i64>");
  CHECK(text(Tensor::scalar(std::uint32_t{4294967295u})) == "dense<4294967295> : tensor<ui32>");
}

TEST_CASE("long constants are written as hexadecimal bytes, least significant first") {
  Graph graph;
  graph.set_results({graph.constant(Tensor::of<std::int32_t>(Shape{3}, {1, 2, -1}))});
  const std::string text = round_trip(graph, {.constant_elements = 2});
  CHECK(text.find("dense<\"0x0100000002000000FFFFFFFF\"> : tensor<3xi32>") != std::string::npos);
  CHECK(to_string(graph, {.constant_elements = 3}).find("dense<[1, 2, -1]>") != std::string::npos);
}

TEST_CASE("constants of every type and of no elements read back equal") {
  for (DType dtype : all_dtypes)
    for (const Shape& shape : {Shape{}, Shape{0}, Shape{3, 0, 2}, Shape{1}, Shape{2, 3}}) {
      Tensor tensor = Tensor{DType::i32, shape};
      auto values = tensor.mutable_span<std::int32_t>();
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::int32_t>(i % 4);
      tensor = tensor.converted(dtype);
      INFO(to_string(tensor.type()));
      CHECK(round_trip(tensor) == tensor);
      CHECK(round_trip(tensor, 1) == tensor);
    }
  const Tensor mask = Tensor::of<bool>(Shape{9}, {true, false, true, true, false, false, false, false, true});
  CHECK(round_trip(mask, 1) == mask);
}

TEST_CASE("packed truth values, as MLIR writes them, are read") {
  const Graph graph = read(
      function("", "tensor<9xi1>",
               "    %0 = \"stablehlo.constant\"() {value = dense<\"0x0D01\"> : tensor<9xi1>} : () -> tensor<9xi1>\n"
               "    \"func.return\"(%0) : (tensor<9xi1>) -> ()"));
  CHECK(std::get<ConstantAttributes>(graph.nodes()[0].attributes).value ==
        Tensor::of<bool>(Shape{9}, {true, false, true, true, false, false, false, false, true}));
}

TEST_CASE("names of parameters and of the program survive, whatever is in them") {
  for (const char* name : {"x", "한국어 이름", "a\"b\\c\nd\te", "🙂", "params['w'][0]", "\xff\xfe", "}{ // %0"}) {
    Graph graph{name};
    graph.parameter(f32({2}), name);
    graph.set_results({0});
    round_trip(graph);
    CHECK(read(to_string(graph)).values()[0].name == name);
  }
}

TEST_CASE("places survive when they are printed") {
  const Graph graph = rich_program();
  const Graph with = read(to_string(graph, {.places = true}), "step.mlir");
  CHECK(with.nodes()[0].place == Place{"model.cpp", 7, "loss"});
  CHECK(with.nodes()[1].place == Place{"model.cpp", 8, "loss"});
  CHECK(with.nodes()[2].place == Place{"step.mlir", 10, ""});
  const Graph without = read(to_string(graph), "step.mlir");
  CHECK(without.nodes()[0].place == Place{"step.mlir", 3, ""});
  Graph odd;
  odd.set_results({odd.constant(Tensor::scalar(1), {"폴더/모델 \"1\".cpp", 3, "f(int)::<lambda()>"})});
  CHECK(read(to_string(odd, {.places = true})).nodes()[0].place == odd.nodes()[0].place);
}

TEST_CASE("an if keeps operands that are unused, repeated or used in another order") {
  const Types two{f32({2}), f32({2})};
  const auto second = [&] {
    Graph graph;
    graph.parameter(two[0]);
    graph.parameter(two[1]);
    graph.set_results({1});
    return graph;
  };
  Graph swapped = second();
  swapped.set_results({swapped.append(Op::subtract, {1, 0})[0]});
  for (const std::vector<Graph>& regions : {std::vector{second(), second()}, std::vector{swapped, second()},
                                            std::vector{region(Op::negate, two), swapped}}) {
    round_trip(applied(Op::if_, {pred(), two[0], two[1]}, {}, regions));
    Graph repeated;
    const ValueId test = repeated.parameter(pred());
    const ValueId x = repeated.parameter(f32({2}));
    repeated.set_results(repeated.append(Op::if_, {test, x, x}, {}, regions));
    round_trip(repeated);
  }
  Graph constant;
  constant.set_results({constant.constant(Tensor::scalar(1.0f))});
  round_trip(applied(Op::if_, {pred()}, {}, {constant, constant}));
  Graph test;
  test.parameter(pred());
  test.set_results({0});
  Graph same;
  const ValueId predicate = same.parameter(pred());
  same.set_results(same.append(Op::if_, {predicate, predicate}, {}, {test, test}));
  round_trip(same);
}

namespace {

/// Random programs of scalars, with branches and loops in each other.
struct Wild {
  std::uint32_t state;
  std::size_t below(std::size_t bound) {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % bound;
  }

  /// A closed graph of these parameters that returns `results` f32 scalars, or a truth value where it is a condition.
  Graph graph(const Types& parameters, std::size_t results, int depth, bool condition = false) {
    Graph graph;
    std::vector<ValueId> numbers;
    for (const TensorType& type : parameters) {
      const ValueId id = graph.parameter(type);
      if (type == f32()) numbers.push_back(id);
    }
    numbers.push_back(graph.constant(Tensor::scalar(static_cast<float>(below(3)))));
    const auto any = [&] { return numbers[below(numbers.size())]; };
    const auto test = [&] {
      return graph.append(Op::compare, {any(), any()}, CompareAttributes{static_cast<Comparison>(below(6))})[0];
    };
    for (std::size_t i = below(4); i > 0; --i) {
      const std::size_t kind = below(depth > 0 ? 6 : 3);
      if (kind == 0) {
        numbers.push_back(graph.append(Op::negate, {any()})[0]);
      } else if (kind == 1) {
        numbers.push_back(graph.append(Op::reduce, {any()}, ReduceAttributes{{}, Reducer::add})[0]);
      } else if (kind == 2) {
        numbers.push_back(graph.append(Op::subtract, {any(), any()})[0]);
      } else {
        std::vector<ValueId> inputs;
        for (std::size_t n = below(4); n > 0; --n) inputs.push_back(any());
        Types types(inputs.size(), f32());
        std::vector<ValueId> outputs;
        if (kind == 3) {
          inputs.push_back(any());
          types.push_back(f32());
          outputs = graph.append(Op::while_, inputs, {},
                                 {this->graph(types, 1, depth - 1, true), this->graph(types, types.size(), depth - 1)});
        } else {
          const ValueId predicate = test();
          inputs.insert(inputs.begin(), predicate);
          if (below(3) == 0) {
            inputs.push_back(predicate);
            types.push_back(pred());
          }
          const std::size_t count = 1 + below(2);
          outputs = graph.append(Op::if_, inputs, {},
                                 {this->graph(types, count, depth - 1), this->graph(types, count, depth - 1)});
        }
        numbers.insert(numbers.end(), outputs.begin(), outputs.end());
      }
    }
    std::vector<ValueId> chosen;
    if (condition)
      chosen.push_back(test());
    else
      for (std::size_t i = 0; i < results; ++i) chosen.push_back(any());
    graph.set_results(chosen);
    return graph;
  }
};

}  // namespace

TEST_CASE("random programs with branches and loops in each other read back equal") {
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    INFO(seed);
    const Graph graph = Wild{seed}.graph({f32(), f32()}, 2, 3);
    REQUIRE(faults(graph).empty());
    round_trip(graph);
  }
}

TEST_CASE("a reduction's initial value is no constant of the program, and the program's own constants stay") {
  Graph graph;
  const ValueId x = graph.parameter(f32({2, 3}));
  const ValueId zero = graph.constant(Tensor::scalar(0.0f));
  graph.constant(Tensor::scalar(0.0f));
  const ValueId sum = graph.append(Op::reduce, {x}, ReduceAttributes{{0, 1}, Reducer::add})[0];
  graph.set_results({sum, zero});
  round_trip(graph);
}

TEST_CASE("programs without parameters, results or operations read back equal") {
  Graph graph;
  round_trip(graph);
  graph.parameter(f32({0, 3}), "");
  round_trip(graph);
  graph.set_results({0, 0});
  round_trip(graph);
}

TEST_CASE("MLIR's fully generic form is read, with properties, aliases of locations and calls") {
  const Graph graph = read(R"(#loc1 = loc("model.py":7:3)
"builtin.module"() <{sym_name = "jit_f"}> ({
  "func.func"() <{arg_attrs = [{jax.arg_info = "x"}], function_type = (tensor<4xf32>) -> tensor<f32>, res_attrs = [{jax.result_info = ""}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<4xf32> loc("x")):
    %0 = "func.call"(%arg0) <{callee = @relu}> : (tensor<4xf32>) -> tensor<4xf32> loc(#loc2)
    %1 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %3 = "stablehlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%3) : (tensor<f32>) -> ()
    }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32> loc(#loc2)
    "func.return"(%2) : (tensor<f32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4xf32>) -> tensor<4xf32>, sym_name = "relu", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<4xf32>):
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<4xf32>}> : () -> tensor<4xf32>
    %1 = "stablehlo.maximum"(%arg0, %0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "func.return"(%1) : (tensor<4xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
#loc2 = loc("jit(f)/reduce_sum"(#loc1))
)");
  CHECK(graph.name() == "jit_f");
  CHECK(graph.values()[0].name == "x");
  REQUIRE(graph.nodes().size() == 3);
  CHECK(graph.nodes()[1].op == Op::maximum);
  CHECK(graph.nodes()[2].op == Op::reduce);
  CHECK(graph.nodes()[2].place == Place{"model.py", 7, "jit(f)/reduce_sum"});
  round_trip(graph);
}

TEST_CASE("attributes are read in the ways in which StableHLO has written them") {
  const auto gather = [](const std::string& attributes) {
    return read(
        function("%a: tensor<10x8xf32>, %i: tensor<5x1xi32>", "tensor<5x8xf32>",
                 "    %0 = \"stablehlo.gather\"(%a, %i) " + attributes +
                     " : (tensor<10x8xf32>, tensor<5x1xi32>) -> tensor<5x8xf32>\n    return %0 : tensor<5x8xf32>"));
  };
  const Graph expected = applied(Op::gather, {f32({10, 8}), i32({5, 1})}, GatherAttributes{{1}, {0}, {0}, 1, {1, 8}});
  CHECK(
      equal(expected, gather("<{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], "
                             "start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = "
                             "array<i64: 1, 8>}>")));
  CHECK(equal(expected,
              gather("{\n dimension_numbers = #stablehlo.gather<\n index_vector_dim = 1, start_index_map = [0],\n"
                     "collapsed_slice_dims = [0], // a comment }\n offset_dims = [1],>,\n"
                     "slice_sizes = dense<[1, 8]> : tensor<2xi64>, mhlo.sharding = \"{replicated}\",\n"
                     "xla_shape = #mhlo<a < b > [2]>, layout = dense<[1, 0]> : tensor<2xindex>}")));
  CHECK_THROWS_AS(gather("{slice_sizes = array<i64: 1, 8>, dimension_numbers = #stablehlo.gather<offset_dims = [1], "
                         "operand_batching_dims = [0], start_indices_batching_dims = [0], index_vector_dim = 1>}"),
                  Error);
}

TEST_CASE("what a while uses from outside becomes state that does not change, but constants are repeated within") {
  const Graph graph =
      read(function("%n: tensor<i32>", "tensor<i32>",
                    R"(    %c = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %r = "stablehlo.while"(%c) ({
    ^cond(%i: tensor<i32>):
      %p = "stablehlo.compare"(%i, %n) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    }, {
    ^body(%i: tensor<i32>):
      %j = "stablehlo.add"(%i, %c) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      stablehlo.return %j : tensor<i32>
    }) : (tensor<i32>) -> tensor<i32>
    return %r : tensor<i32>)"));
  REQUIRE(graph.nodes().size() == 2);
  CHECK(graph.nodes()[1].inputs == std::vector<ValueId>{1, 0});
  CHECK(graph.results() == std::vector<ValueId>{2});
  CHECK(graph.nodes()[1].regions[1].nodes()[0].op == Op::constant);
  CHECK(faults(graph).empty());
  round_trip(graph);
  CHECK(evaluate(graph, std::vector{Tensor::scalar(5)})[0] == Tensor::scalar(5));
}

TEST_CASE("text that is no program is refused with its line, its column and what was expected") {
  const auto says = [](const std::string& text) {
    const Diagnostic found = refusal(text);
    CHECK(found.where.file.string() == (found.number ? "model.mlir" : ""));
    return diagnostic_name(found.number) + " " + found.sentence;
  };
  const auto body = [&](const std::string& line) {
    return says(
        function("%a: tensor<2xf32>, %p: tensor<i1>", "tensor<2xf32>", line + "\n    return %a : tensor<2xf32>"));
  };
  CHECK(says("") == "X407 Line 1, column 1: the text holds no function.");
  CHECK(says("안녕하세요") == "X407 Line 1, column 1: expected an operation.");
  CHECK(says("module {") == "X407 Line 1, column 9: expected an operation.");
  CHECK(says("module {\n  func.func @f(") == "X407 Line 2, column 16: expected a type and found the end of the text.");
  CHECK(body("    %0 = \"stablehlo.add\"(%a %a)") == "X407 Line 3, column 29: expected ',' and found '%'.");
  CHECK(body("    %0 = stablehlo.add %a, %a : tensor<2xf32>") ==
        "X407 Line 3, column 10: 'stablehlo.add' is written in MLIR's short form.");
  CHECK(body("    %0 = \"stablehlo.cholesky\"(%a) : (tensor<2xf32>) -> tensor<2xf32>") ==
        "X407 Line 3, column 10: 'stablehlo.cholesky' is not an operation that Octet has.");
  CHECK(body("    %0 = \"stablehlo.abs\"(%b) : (tensor<2xf32>) -> tensor<2xf32>") ==
        "X404 Line 3: the value %b is used and not defined before.");
  CHECK(body("    %a = \"stablehlo.abs\"(%a) : (tensor<2xf32>) -> tensor<2xf32>") ==
        "X404 Line 3: the value %a is defined a second time.");
  CHECK(body("    %0 = \"stablehlo.abs\"(%a) : (tensor<3xf32>) -> tensor<3xf32>") ==
        "X404 Line 3: the value %a is f32[2] and is used as f32[3].");
  CHECK(body("    %0 = \"stablehlo.abs\"(%a) : (tensor<2xf32>) -> tensor<3xf32>") ==
        "X404 Line 3: stablehlo.abs gives (tensor<2xf32>), and the text says otherwise.");
  CHECK(body("    %0 = \"stablehlo.transpose\"(%a) : (tensor<2xf32>) -> tensor<2xf32>") ==
        "X407 Line 3, column 10: stablehlo.transpose lacks its attribute permutation.");
  CHECK(body("    %0 = \"stablehlo.transpose\"(%a) {permutation = \"x\"} : (tensor<2xf32>) -> tensor<2xf32>") ==
        "X407 Line 3, column 37: permutation of stablehlo.transpose is not a list of integers.");
  CHECK(body("    %0 = \"stablehlo.abs\"(%a) : (tensor<2xf16>) -> tensor<2xf16>") ==
        "X407 Line 3, column 33: expected a tensor type with elements of i1, i32, i64, ui32, bf16, f32, f64 and found "
        "'tensor<2xf16>'.");
  CHECK(body("    %0 = \"stablehlo.abs\"(%a) : (tensor<?xf32>) -> tensor<?xf32>") ==
        "X407 Line 3, column 33: the shape has a dimension that is not known when the program is compiled.");
  CHECK(body("    %0 = \"stablehlo.constant\"() {value = dense<[1, 2]> : tensor<3xi32>} : () -> tensor<3xi32>") ==
        "X407 Line 3, column 47: the constant has the shape [2], its type says tensor<3xi32>.");
  CHECK(body("    %0 = \"stablehlo.constant\"() {value = dense<1.5> : tensor<3xi32>} : () -> tensor<3xi32>") ==
        "X407 Line 3, column 47: '1.5' is no i32.");
  CHECK(
      body(
          "    %0 = \"stablehlo.constant\"() {value = dense<0> : tensor<99999999xi64>} : () -> tensor<99999999xi64>") ==
      "X407 Line 3, column 47: a constant of type tensor<99999999xi64> is larger than 256 MiB.");
  CHECK(says(function("%a: tensor<2xf32", "", "")) == "X407 Line 2, column 35: expected '>' and found ')'.");
  CHECK(
      refusal(function(
                  "%a: tensor<2xf32>, %b: tensor<3xf32>", "",
                  "\n    %0 = \"stablehlo.add\"(%a, %b) : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>\n    return"))
          .number == 401);
}

TEST_CASE("a fault of shapes is said to be in the text, and also where the user wrote it") {
  const Diagnostic found = refusal(function("%a: tensor<2xf32>, %b: tensor<3xf32>", "",
                                            "    %0 = \"stablehlo.add\"(%a, %b) : (tensor<2xf32>, tensor<3xf32>) -> "
                                            "tensor<2xf32> loc(\"model.cpp\":41:0)\n    return"));
  CHECK(found.where == Place{"model.mlir", 3, ""});
  REQUIRE(!found.because.empty());
  CHECK(found.because.back().where == Place{"model.cpp", 41, ""});
}

TEST_CASE("reductions and sorts that the graph cannot say are refused") {
  const auto reduce = [](const std::string& initial, const std::string& operation) {
    return refusal(
               function("%a: tensor<2xf32>, %z: tensor<f32>", "tensor<f32>",
                        "    %i = \"stablehlo.constant\"() {value = dense<" + initial +
                            "> : tensor<f32>} : () -> tensor<f32>\n"
                            "    %0 = \"stablehlo.reduce\"(%a, %i) ({\n    ^bb0(%x: tensor<f32>, %y: tensor<f32>):\n"
                            "      %1 = \"stablehlo." +
                            operation +
                            "\"(%y, %x) : (tensor<f32>, tensor<f32>) -> tensor<f32>\n"
                            "      stablehlo.return %1 : tensor<f32>\n"
                            "    }) {dimensions = array<i64: 0>} : (tensor<2xf32>, tensor<f32>) -> tensor<f32>\n"
                            "    return %0 : tensor<f32>"))
        .sentence;
  };
  CHECK(reduce("0.0", "add").empty());
  CHECK(reduce("-0.0", "add").empty());
  CHECK(reduce("0xFF800000", "maximum").empty());
  CHECK(reduce("1.0", "add") ==
        "Line 4, column 33: the initial value of stablehlo.reduce is not a constant that holds its "
        "neutral element, dense<0.0>.");
  CHECK(reduce("0.0", "subtract") ==
        "Line 4, column 38: the region of stablehlo.reduce is not one of add, multiply, maximum, minimum, and, or of "
        "its two "
        "arguments.");
  const std::string sort = to_string(applied(Op::sort, {f32({4})}, SortAttributes{}));
  std::string ieee = sort;
  ieee.replace(ieee.find("TOTALORDER"), 10, "FLOAT");
  CHECK(refusal(ieee).number == 407);
}

TEST_CASE("functions that call themselves, or double at every call, are refused") {
  const std::string call =
      "    %0 = \"func.call\"(%a) {callee = @f} : (tensor<f32>) -> tensor<f32>\n    return %0 : tensor<f32>";
  CHECK(refusal("func.func @f(%a: tensor<f32>) -> tensor<f32> {\n" + call + "\n}").sentence ==
        "Line 1, column 1: the function @f calls itself.");
  std::string text =
      "func.func @f0(%a: tensor<f32>) -> tensor<f32> {\n %0 = \"stablehlo.abs\"(%a) : (tensor<f32>) -> "
      "tensor<f32>\n return %0 : tensor<f32>\n}\n";
  for (int i = 1; i <= 60; ++i) {
    const std::string callee =
        "\"func.call\"(%a) {callee = @f" + std::to_string(i - 1) + "} : (tensor<f32>) -> tensor<f32>\n";
    text += "func.func @" + (i == 60 ? "main" : "f" + std::to_string(i)) +
            "(%a: tensor<f32>) -> tensor<f32> {\n %0 = " + callee + " %1 = " + callee + " return %1 : tensor<f32>\n}\n";
  }
  CHECK(refusal(text).sentence.find("more than 1048576 operations") != std::string::npos);
}

TEST_CASE("deep nesting is refused and does not exhaust the stack") {
  for (const char* open : {"module {", "[", "{a=", "loc(callsite(", "(", "<", "dense<[[", "\"x\"() ({"}) {
    std::string text;
    for (int i = 0; i < 100000; ++i) text += open;
    CHECK(refusal(text).number == 407);
    CHECK(refusal("module attributes {a = " + text).number == 407);
    CHECK(refusal(function("%a: tensor<f32>", "", "return loc(" + text)).number == 407);
    CHECK(refusal(function("", "", "%0 = \"stablehlo.constant\"() {value = dense<" + text)).number == 407);
  }
}

TEST_CASE("no text, however cut or damaged, does more than be refused") {
  std::string text = to_string(rich_program(), {.places = true});
  text += to_string(applied(Op::sort, {f32({4}), i32({4})}, SortAttributes{}));
  text.replace(text.rfind("@main"), 5, "@sort");
  Graph more;
  more.set_results(more.append(
      Op::gather, {more.parameter(f32({10, 8}), "이름"), more.constant(Tensor::of<std::int32_t>(Shape{2, 1}, {1, 2}))},
      GatherAttributes{{1}, {0}, {0}, 1, {1, 8}}));
  more.append(Op::all_reduce, {0}, AllReduceAttributes{all_replicas(2), Reducer::maximum});
  more.append(Op::pad, {0, more.constant(Tensor::scalar(0.0f))}, PadAttributes{{1, 0}, {0, 1}, {0, 0}});
  text += to_string(more, {.constant_elements = 1});
  text.replace(text.rfind("@main"), 5, "@more");
  REQUIRE_NOTHROW(read(text));

  std::size_t refused = 0, accepted = 0;
  const auto attempt = [&](const std::string& damaged) {
    try {
      read(damaged);
      ++accepted;
    } catch (const Error& error) {
      ++refused;
      if (error.number() < 101 || error.number() >= 800) FAIL(error.what());
    }
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    attempt(text.substr(0, i));
    attempt(text.substr(i));
    constexpr std::string_view others = "\"}9-%#<x\xff";
    std::string damaged = text;
    damaged[i] = others[i % others.size()];
    attempt(damaged);
    damaged.erase(i, 1);
    attempt(damaged);
    damaged.insert(i, text, i, 7);
    attempt(damaged);
    damaged.replace(i, 2, 1, '\0');
    attempt(damaged);
  }
  CHECK(refused > accepted);
}
