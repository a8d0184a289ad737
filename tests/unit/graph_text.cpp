/// StableHLO text: a printed program reads back as the same program.
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

#include "stablehlo_text.hpp"

using namespace octet;
using namespace operation_samples;
using namespace stablehlo_text;

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

TEST_CASE("truth values of a byte each are read, and those that are packed, as MLIR wrote them before") {
  const auto holding = [](const std::string& bytes) {
    return function("", "tensor<9xi1>",
                    "    %0 = \"stablehlo.constant\"() {value = dense<\"0x" + bytes +
                        "\"> : tensor<9xi1>} : () -> tensor<9xi1>\n    \"func.return\"(%0) : (tensor<9xi1>) -> ()");
  };
  for (const char* bytes : {"0D01", "010001010000000001"})
    CHECK(std::get<ConstantAttributes>(read(holding(bytes)).nodes()[0].attributes).value ==
          Tensor::of<bool>(Shape{9}, {true, false, true, true, false, false, false, false, true}));
  CHECK(refusal(holding("010001010000000002")).sentence.find("a byte above 1") != std::string::npos);
  CHECK(refusal(holding("0D0100")).sentence.find("has 3 bytes") != std::string::npos);
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

TEST_CASE("a result may be written over a parameter of its own type") {
  Graph graph;
  const ValueId x = graph.parameter({DType::f32, {2}}, "x"), y = graph.parameter({DType::f32, {}});
  graph.set_results({y, graph.append(Op::negate, {x})[0]});
  const std::string text = to_string(graph, {.written_over = {{0, 1}, {1, 0}}});
  CHECK(text.find("{jax.arg_info = \"x\", tf.aliasing_output = 1 : i32}") != std::string::npos);
  CHECK(text.find("%arg1: tensor<f32> {tf.aliasing_output = 0 : i32}") != std::string::npos);
  CHECK(equal(read(text), graph));
  CHECK_THROWS_AS(to_string(graph, {.written_over = {{0, 0}}}), Error);
  CHECK_THROWS_AS(to_string(graph, {.written_over = {{0, 2}}}), Error);
}

TEST_CASE("that each replica keeps a part of a parameter is written beside its name, and read") {
  Graph graph;
  const ValueId x = graph.parameter({DType::f32, {2}}, "x"), y = graph.parameter({DType::f32, {}});
  graph.set_results({x, y});
  const std::string text = to_string(graph, {.written_over = {{1, 1}}, .sharded = {0, 1}});
  CHECK(text.find("{jax.arg_info = \"x\", octet.sharded = true}") != std::string::npos);
  CHECK(text.find("{tf.aliasing_output = 1 : i32, octet.sharded = true}") != std::string::npos);
  const ProgramText program = read_program(text);
  CHECK(equal(program.graph, graph));
  CHECK(program.sharded == std::vector<std::size_t>{0, 1});
  CHECK(program.donated == std::vector<std::size_t>{1});
  CHECK(read_program(to_string(graph)).sharded.empty());
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
