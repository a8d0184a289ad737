/// StableHLO text as others write it is read, and text that is no program is refused by line.
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

namespace {

std::string says(const std::string& text) {
  const Diagnostic found = refusal(text);
  CHECK(found.where.file.string() == (found.number ? "model.mlir" : ""));
  return diagnostic_name(found.number) + " " + found.sentence;
}

}  // namespace

TEST_CASE("text that is no program is refused with its line, its column and what was expected") {
  const auto body = [](const std::string& line) {
    return says(
        function("%a: tensor<2xf32>, %p: tensor<i1>", "tensor<2xf32>", line + "\n    return %a : tensor<2xf32>"));
  };
  CHECK(says("") == "X407 Line 1, column 1: the text holds no function.");
  CHECK(says("안녕하세요") == "X407 Line 1, column 1: expected an operation.");
  CHECK(says("module {") == "X407 Line 1, column 9: expected an operation.");
  CHECK(says("module {\n  func.func @f(") == "X407 Line 2, column 16: expected a type and found the end of the text.");
  CHECK(body("    %0 = \"stablehlo.add\"(%a %a)") == "X407 Line 3, column 29: expected ',' and found '%'.");
  CHECK(body("    %0 = \"stablehlo.cholesky\"(%a) : (tensor<2xf32>) -> tensor<2xf32>") ==
        "X410 Line 3, column 10: 'stablehlo.cholesky' is not an operation that Octet has.");
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
  CHECK(
      body("    %0 = \"stablehlo.abs\"(%a) : (tensor<2xf16>) -> tensor<2xf16>") ==
      "X410 Line 3, column 33: 'tensor<2xf16>' is no type that Octet has: its tensors are of i1, i32, i64, ui32, bf16, "
      "f32, f64.");
  CHECK(body("    %0 = \"stablehlo.abs\"(%a) : (tensor<?xf32>) -> tensor<?xf32>") ==
        "X407 Line 3, column 33: the shape has a dimension that is not known when the program is compiled.");
  CHECK(body("    %0 = \"stablehlo.constant\"() {value = dense<[1, 2]> : tensor<3xi32>} : () -> tensor<3xi32>") ==
        "X407 Line 3, column 47: the constant has the shape [2], its type says tensor<3xi32>.");
  CHECK(body("    %0 = \"stablehlo.constant\"() {value = dense<> : tensor<i32>} : () -> tensor<i32>")
            .find("its type says tensor<i32>") != std::string::npos);
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

TEST_CASE("a function in generic form takes and returns what it says") {
  const auto text = [](const std::string& type) {
    return "\"builtin.module\"() ({\n  \"func.func\"() <{function_type = " + type +
           ", sym_name = \"main\"}> ({\n  ^bb0(%a: tensor<4xf32>):\n"
           "    \"func.return\"(%a) : (tensor<4xf32>) -> ()\n  }) : () -> ()\n}) : () -> ()\n";
  };
  CHECK(refusal(text("(tensor<4xf32>) -> tensor<4xf32>")).number == 0);
  CHECK(refusal(text("(tensor<4xf32>) -> (tensor<4xf32>)")).number == 0);
  CHECK(says(text("(tensor<5xf32>) -> tensor<4xf32>")) ==
        "X404 Line 2: the function @main takes other types than it says.");
  CHECK(refusal(text("() -> tensor<4xf32>")).number == 404);
  CHECK(says(text("(tensor<4xf32>) -> tensor<5xf32>")) ==
        "X404 Line 2: the function @main returns other types than it says.");
  CHECK(refusal(text("(tensor<4xf32>) -> ()")).number == 404);
  CHECK(refusal(text("(tensor<4xf32>) -> !stablehlo.token")).number == 0);  // not compared
}

TEST_CASE("a sort says its dimension from either end, or leaves it to be the last") {
  const auto sorted = [](const std::string& dimension) {
    return function("%x: tensor<2x3xf32>", "tensor<2x3xf32>",
                    "    %0 = \"stablehlo.sort\"(%x) <{" + dimension +
                        "}> ({\n    ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
                        "      %p = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> "
                        "tensor<i1>\n      stablehlo.return %p : tensor<i1>\n    }) : (tensor<2x3xf32>) -> "
                        "tensor<2x3xf32>\n    return %0 : tensor<2x3xf32>");
  };
  const Graph last = read(sorted("dimension = 1 : i64"));
  CHECK(equal(read(sorted("")), last));
  CHECK(equal(read(sorted("dimension = -1 : i64")), last));
  CHECK(equal(read(sorted("dimension = -2 : i64")), read(sorted("dimension = 0 : i64"))));
  CHECK(refusal(sorted("dimension = -3 : i64")).number == 403);
  CHECK(refusal(sorted("dimension = 2 : i64")).number == 403);
}

TEST_CASE("what stands behind a return, branches that differ and pairs below zero are named as what they are") {
  const std::string twice = "    return %x : tensor<f32>";
  CHECK(says(function("%x: tensor<f32>", "tensor<f32>", twice + "\n" + twice)) ==
        "X407 Line 3, column 5: func.return ends a region, and something follows it here.");
  CHECK(says(function("%i: tensor<i32>, %a: tensor<f32>, %b: tensor<i32>", "tensor<f32>",
                      "    %0 = \"stablehlo.case\"(%i) ({\n      stablehlo.return %a : tensor<f32>\n    }, {\n"
                      "      stablehlo.return %b : tensor<i32>\n    }, {\n      stablehlo.return %a : tensor<f32>\n"
                      "    }) : (tensor<i32>) -> tensor<f32>\n    return %0 : tensor<f32>")) ==
        "X404 Line 5: branch 1 of stablehlo.case returns other types than branch 0.");
  CHECK(refusal(function("%x: tensor<4xf32>", "tensor<4xf32>",
                         "    %0 = \"stablehlo.collective_permute\"(%x) <{source_target_pairs = dense<[[0, -1]]> : "
                         "tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>\n    return %0 : tensor<4xf32>"))
            .sentence.find("[[0, -1]] names replica -1") != std::string::npos);
}

TEST_CASE("names that stand for attributes and types, and constants that stand elsewhere, are not looked up") {
  const std::string transposed =
      function("%a: tensor<2x3xf32>", "tensor<3x2xf32>",
               "    %0 = \"stablehlo.transpose\"(%a) {permutation = #perm, note = @a::@b} : (tensor<2x3xf32>) -> "
               "tensor<3x2xf32>\n    return %0 : tensor<3x2xf32>");
  CHECK(refusal("#perm = array<i64: 1, 0>\n" + transposed).number == 410);
  std::string written = transposed;
  written.replace(written.find("#perm"), 5, "array<i64: 1, 0>");
  CHECK(refusal(written + "{-#\n  dialect_resources: {\n    builtin: {\n      r: \"0x04\"\n    }\n  }\n#-}\n").number ==
        0);
  CHECK(refusal("!t = tensor<4xf32>\n" + function("%a: !t", "!t", "    return %a : !t")).number == 410);
  CHECK(refusal(function("", "tensor<2xf32>",
                         "    %0 = stablehlo.constant dense_resource<r> : tensor<2xf32>\n"
                         "    return %0 : tensor<2xf32>"))
            .number == 410);
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
  CHECK(reduce("1.0", "add").empty());
  CHECK(reduce("0.0", "subtract") ==
        "Line 4, column 38: the region of stablehlo.reduce is not one of add, multiply, maximum, minimum, and, or of "
        "its two "
        "arguments.");
  // A number of 64 bits, to the last one.
  const Graph bounded = read(R"(
module {
  func.func @main(%a: tensor<2xi64>) -> tensor<i64> {
    %c = stablehlo.constant dense<9223372036854775500> : tensor<i64>
    %0 = stablehlo.reduce(%a init: %c) applies stablehlo.minimum across dimensions = [0] : (tensor<2xi64>, tensor<i64>) -> tensor<i64>
    return %0 : tensor<i64>
  }
})");
  CHECK(
      evaluate(bounded, std::vector{Tensor::full<std::int64_t>({2}, 9223372036854775807)})[0].span<std::int64_t>()[0] ==
      9223372036854775500);
  const std::string sort = to_string(applied(Op::sort, {f32({4})}, SortAttributes{}));
  std::string not_before = sort;
  not_before.replace(not_before.find("comparison_direction LT"), 23, "comparison_direction LE");
  CHECK(refusal(not_before).number == 410);
}

TEST_CASE("a region that combines other elements than those of its tensor is refused") {
  // XLA refuses what this program says of its region.
  const std::string text = to_string(applied(Op::all_reduce, {f32({2})}, AllReduceAttributes{{}, Reducer::add}));
  for (const char* const other : {"tensor<1xf32>", "tensor<ui32>"}) {
    std::string changed = text;
    for (std::size_t at; (at = changed.find("tensor<f32>")) != std::string::npos;) changed.replace(at, 11, other);
    CHECK(refusal(changed).sentence.ends_with(std::string{"the region of stablehlo.all_reduce is of "} + other +
                                              " where it takes one element, tensor<f32>."));
  }
  std::string sort = to_string(applied(Op::sort, {f32({4}), i32({4})}, SortAttributes{}));
  const std::size_t last = sort.find("%arg5: tensor<i32>");
  REQUIRE(last != std::string::npos);
  sort.replace(last + 14, 3, "f32");
  CHECK(refusal(sort).number == 407);
  std::string pairs = to_string(applied(Op::sort, {pred({4})}, SortAttributes{}));
  for (std::size_t at = 0; (at = pairs.find("-> tensor<i1>", at)) != std::string::npos;)
    pairs.replace(at, 13, "-> tensor<4xi1>");
  CHECK(refusal(pairs).sentence.ends_with("is of tensor<4xi1> where it takes one element, tensor<i1>."));
  // Without operands there is no type to hold it to.
  CHECK(refusal(function("", "",
                         "    \"stablehlo.sort\"() ({\n"
                         "      %1 = \"stablehlo.constant\"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>\n"
                         "      stablehlo.return %1 : tensor<f32>\n    }) : () -> ()\n    return"))
            .number == 410);
  std::string selected = to_string(applied(Op::sort, {f32({4})}, SortAttributes{}));
  selected.insert(selected.find("%1 = \"stablehlo.compare\""),
                  "%9 = \"stablehlo.is_finite\"(%arg1) : (tensor<f32>) -> tensor<i1>\n        ");
  CHECK(refusal(selected).fix.front().find("TOTALORDER") != std::string::npos);
}

TEST_CASE("of the precisions that a product asks for, the highest is read and written") {
  const auto asked = [](const std::string& precisions) {
    const Graph graph = read(
        "func.func @main(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {\n  %0 = stablehlo.dot_general %a, %a, "
        "contracting_dims = [1] x [0], precision = [" +
        precisions + "] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>\n  return %0 : tensor<8x8xf32>\n}");
    CHECK(to_string(read(to_string(graph))) == to_string(graph));
    return std::get<DotAttributes>(graph.nodes()[0].attributes).precision;
  };
  CHECK(asked("DEFAULT, DEFAULT") == DotPrecision::DEFAULT);
  CHECK(asked("DEFAULT, HIGH") == DotPrecision::HIGH);
  CHECK(asked("HIGHEST, HIGH") == DotPrecision::HIGHEST);
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
#ifdef __EMSCRIPTEN__  // whose exceptions take ten times as long
  constexpr std::size_t step = 7;
#else
  constexpr std::size_t step = 1;
#endif
  for (std::size_t i = 0; i < text.size(); i += step) {
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

TEST_CASE("memory that a text gives to a result must be its own, and of its type") {
  const auto text = [](const std::string& first, const std::string& second) {
    return function(
        "%a: tensor<4xf32>" + first + ", %b: tensor<4xf32>" + second, "tensor<4xf32>, tensor<f32>",
        "    %0 = stablehlo.constant dense<1.0> : tensor<f32>\n    return %a, %0 : tensor<4xf32>, tensor<f32>");
  };
  const auto alias = [](int result) { return " {tf.aliasing_output = " + std::to_string(result) + " : i32}"; };
  CHECK(read_program(text(alias(0), "")).written_over.at(0) == 0);
  CHECK(refusal(text(alias(2), "")).number == 404);
  CHECK(refusal(text(alias(2), "")).rule.starts_with("The memory of a donated parameter goes to a result of its type"));
  CHECK(refusal(text(alias(2), "")).fix.front().starts_with("lower the program again"));
  CHECK(refusal(text(alias(2), "")).sentence.find("names a result that is not there") != std::string::npos);
  CHECK(refusal(text(alias(1), "")).sentence.find("gives the memory of f32[4] to a result of type f32[]") !=
        std::string::npos);
  CHECK(refusal(text(alias(0), alias(0))).sentence.find("takes the memory of parameter 0 already") !=
        std::string::npos);
}

TEST_CASE("groups name no more replicas than the module has") {
  const auto text = [](int replicas) {
    return "module attributes {mhlo.num_replicas = " + std::to_string(replicas) +
           " : i32} {\n  func.func @main(%a: tensor<4xf32>) -> tensor<16xf32> {\n"
           "    %0 = \"stablehlo.all_gather\"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : "
           "tensor<1x4xi64>}> : (tensor<4xf32>) -> tensor<16xf32>\n    return %0 : tensor<16xf32>\n  }\n}\n";
  };
  CHECK(refusal(text(4)).number == 0);
  CHECK(refusal(text(1)).number == 0);  // XLA asks no further there
  CHECK(refusal(text(2)).number == 404);
  CHECK(refusal(text(2)).sentence.find("names 4 replicas") != std::string::npos);
  CHECK(refusal(text(2)).fix.front() == "lower the program for as many devices as its groups name");
}
