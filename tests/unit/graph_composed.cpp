/// Operations that other compilers write, JAX first of all, and the graph says by its own.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
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

constexpr float inf = std::numeric_limits<float>::infinity();

}  // namespace

TEST_CASE("an initial value is the one of its name that is nearest, and what is no neutral constant is combined") {
  const auto reduced = [](const std::string& inside) {
    return function("%x: tensor<3xf32>, %i: tensor<i32>, %y: tensor<f32>", "tensor<f32>",
                    R"(    %c = stablehlo.constant dense<0.0> : tensor<f32>
    %n = stablehlo.constant dense<2> : tensor<i32>
    %0:2 = stablehlo.while(%k = %i, %)" +
                        inside + R"( = %y) : tensor<i32>, tensor<f32>
     cond {
      %1 = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.constant dense<1> : tensor<i32>
      %2 = stablehlo.add %k, %1 : tensor<i32>
      %3 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
      stablehlo.return %2, %3 : tensor<i32>, tensor<f32>
    }
    return %0#1 : tensor<f32>)");
  };
  const std::vector<Tensor> given{Tensor::of<float>(Shape{3}, {1, 2, 3}), Tensor::scalar(0), Tensor::scalar(9.0f)};
  CHECK(evaluate(read(reduced("sum")), given)[0].item() == 6);
  CHECK(evaluate(read(reduced("c")), given)[0].item() == 9 + 6 + 6);
}

TEST_CASE("a reduction starts from any scalar") {
  const std::vector<Tensor> x{Tensor::of<float>(Shape{2, 3}, {1, 2, 3, 4, 5, 6}), Tensor::scalar(2.5f)};
  const auto of = [&](const std::string& start, const std::string& operation, const std::string& dimensions,
                      const std::string& type) {
    const std::vector<Tensor> results =
        evaluate(read(function("%x: tensor<2x3xf32>, %s: tensor<f32>", type,
                               "    %c = stablehlo.constant dense<7.0> : tensor<f32>\n"
                               "    %b = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<f32>\n"
                               "    %0 = stablehlo.reduce(%x init: " +
                                   start + ") applies stablehlo." + operation + " across dimensions = [" + dimensions +
                                   "] : (tensor<2x3xf32>, tensor<f32>) -> " + type + "\n    return %0 : " + type)),
                 x);
    return floats(results[0]);
  };
  CHECK(of("%c", "add", "0, 1", "tensor<f32>") == std::vector<float>{28});
  CHECK(of("%b", "add", "1", "tensor<2xf32>") == std::vector<float>{13, 22});
  CHECK(of("%s", "multiply", "0", "tensor<3xf32>") == std::vector<float>{10, 25, 45});
  CHECK(of("%c", "maximum", "0", "tensor<3xf32>") == std::vector<float>{7, 7, 7});
  CHECK(of("%s", "minimum", "1", "tensor<2xf32>") == std::vector<float>{1, 2.5f});
  // In regions, too, which it comes to from outside.
  const Graph branches = read(function("%x: tensor<3xf32>, %p: tensor<i1>, %s: tensor<f32>", "tensor<f32>",
                                       R"(    %0 = "stablehlo.if"(%p) ({
      %1 = stablehlo.reduce(%x init: %s) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }, {
      %2 = stablehlo.slice %x [0:1] : (tensor<3xf32>) -> tensor<1xf32>
      %3 = stablehlo.reshape %2 : (tensor<1xf32>) -> tensor<f32>
      stablehlo.return %3 : tensor<f32>
    }) : (tensor<i1>) -> tensor<f32>
    return %0 : tensor<f32>)"));
  for (const bool taken : {true, false})
    CHECK(evaluate(branches,
                   std::vector{Tensor::of<float>(Shape{3}, {1, 2, 3}), Tensor::scalar(taken), Tensor::scalar(0.5f)})[0]
              .item() == (taken ? 6.5 : 1));
  CHECK(refusal(function("%x: tensor<3xf32>, %s: tensor<bf16>", "tensor<f32>",
                         "    %0 = stablehlo.reduce(%x init: %s) applies stablehlo.add across dimensions = [0] : "
                         "(tensor<3xf32>, tensor<bf16>) -> tensor<f32>\n    return %0 : tensor<f32>"))
            .sentence.find("starts from bf16[], and reduces f32[3]") != std::string::npos);
}

TEST_CASE("what only hands its operand on is passed over, and a square is a product") {
  const auto results = run("%x: tensor<3xf32>", "tensor<3xf32>, tensor<3xf32>",
                           R"(    %0 = chlo.square %x : tensor<3xf32> -> tensor<3xf32>
    %1:2 = stablehlo.optimization_barrier %0, %x : tensor<3xf32>, tensor<3xf32>
    %2 = stablehlo.custom_call @Sharding(%1#0) {backend_config = "", mhlo.sharding = "{replicated}"} : (tensor<3xf32>) -> tensor<3xf32>
    %3 = sdy.sharding_constraint %1#1 <@mesh, [{"data"}]> : tensor<3xf32>
    return %2, %3 : tensor<3xf32>, tensor<3xf32>)",
                           {Tensor::of<float>(Shape{3}, {1.5f, -2, 0})});
  CHECK(floats(results[0]) == std::vector<float>{2.25f, 4, 0});
  CHECK(floats(results[1]) == std::vector<float>{1.5f, -2, 0});
  CHECK(refusal(function("%x: tensor<3xf32>", "",
                         "    %0 = stablehlo.custom_call @cublas(%x) : (tensor<3xf32>) -> "
                         "tensor<3xf32>\n    return"))
            .sentence == "Line 3, column 10: stablehlo.custom_call calls @cublas, which is not in the text.");
  for (const char* target : {"annotate_device_placement", "LayoutConstraint"})
    CHECK(floats(run("%x: tensor<2xf32>", "tensor<2xf32>",
                     "    %0 = stablehlo.custom_call @" + std::string{target} +
                         "(%x) {has_side_effect = true} : (tensor<2xf32>) -> tensor<2xf32>\n"
                         "    return %0 : tensor<2xf32>",
                     {Tensor::of<float>(Shape{2}, {1, 2})})[0]) == std::vector<float>{1, 2});
  const auto top = [](const std::string& largest) {
    return function(
        "%x: tensor<4xf32>", "tensor<2xf32>, tensor<2xi32>",
        "    %0:2 = stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {k = 2 : i64, largest = " + largest +
            "}, mhlo.version = 1 : i64} : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xi32>)\n"
            "    return %0#0, %0#1 : tensor<2xf32>, tensor<2xi32>");
  };
  const auto found = evaluate(read(top("true")), std::vector{Tensor::of<float>(Shape{4}, {1, 5, 3, 4})});
  CHECK(floats(found[0]) == std::vector<float>{5, 4});
  CHECK(found[1] == Tensor::of<std::int32_t>(Shape{2}, {1, 3}));
  CHECK(refusal(top("false")).sentence.find("@mhlo.topk") != std::string::npos);
  CHECK(refusal(function("", "tensor<2xf32>",
                         "    %0 = stablehlo.constant dense<__elided__> : tensor<2xf32>\n    return %0 : "
                         "tensor<2xf32>"))
            .sentence.find("left out when the text was printed") != std::string::npos);
  CHECK(refusal(function("", "tensor<2xf32>",
                         "    %0 = stablehlo.constant dense_resource<__elided__> : tensor<2xf32>\n    return %0 : "
                         "tensor<2xf32>"))
            .sentence.find("do not stand where it stands") != std::string::npos);
  CHECK_NOTHROW(read("sdy.mesh @mesh = <[\"data\"=1]> loc(#loc)\n" + to_string(rich_program())));
}

TEST_CASE("the complement of erf, to its own last places") {
  for (const bool called : {false, true}) {
    const std::vector<float> points{-inf, -3, -1, -0.2f, 0, 0.5f, 0.999f, 1, 1.5f, 1.999f, 2, 3, 5, 9, 12, inf};
    const std::string type = "tensor<" + std::to_string(points.size()) + "xf32>";
    const Tensor x = Tensor::of<float>(Shape{static_cast<std::int64_t>(points.size())}, points);
    const std::vector<Tensor> results =
        run("%x: " + type, type,
            (called ? "    %0 = stablehlo.custom_call @mhlo.erfc(%x) {mhlo.attributes = {}} : (" + type + ") -> "
                    : "    %0 = chlo.erfc %x : " + type + " -> ") +
                type + "\n    return %0 : " + type,
            {x});
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double right = std::erfc(static_cast<double>(points[i]));
      INFO(points[i] << ": " << floats(results[0])[i] << " for " << right);
      CHECK(std::abs(floats(results[0])[i] - right) <= std::max(2e-5 * std::abs(right), 1e-44));
    }
  }
}

TEST_CASE("the complement of erf in f64, however small it is") {
  const std::vector<double> points{-inf, -30, -8.5, -2, -0.5, 0,  0.5, 0.999, 1,  1.5,
                                   3,    5,   7.99, 8,  8.01, 12, 20,  26,    40, inf};
  const std::string type = "tensor<" + std::to_string(points.size()) + "xf64>";
  const Tensor x = Tensor::of<double>(Shape{static_cast<std::int64_t>(points.size())}, points);
  const Tensor found =
      run("%x: " + type, type, "    %0 = chlo.erfc %x : " + type + " -> " + type + "\n    return %0 : " + type, {x})[0];
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double right = std::erfc(points[i]);
    INFO(points[i] << ": " << found.at(static_cast<std::int64_t>(i)) << " for " << right);
    CHECK(std::abs(found.at(static_cast<std::int64_t>(i)) - right) <= 3e-13 * std::abs(right));
  }
  const std::string one = "tensor<f64>";
  CHECK(std::isnan(run("%x: " + one, one, "    %0 = chlo.erfc %x : " + one + " -> " + one + "\n    return %0 : " + one,
                       {Tensor::scalar(std::nan(""))})[0]
                       .item()));
}

TEST_CASE("windows that accumulate add up all before an element, or all behind it, along one dimension") {
  const auto accumulated = [](const std::string& operation, const std::string& initial, const std::string& padding,
                              const std::string& window) {
    return function("%x: tensor<2x5xf32>", "tensor<2x5xf32>",
                    "    %c = stablehlo.constant dense<" + initial + R"(> : tensor<f32>
    %0 = "stablehlo.reduce_window"(%x, %c) <{padding = dense<)" +
                        padding + R"(> : tensor<2x2xi64>, window_dimensions = array<i64: )" + window + R"(>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.)" +
                        operation + R"( %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<2x5xf32>, tensor<f32>) -> tensor<2x5xf32>
    return %0 : tensor<2x5xf32>)");
  };
  const std::vector<Tensor> x{Tensor::of<float>(Shape{2, 5}, {1, 2, 3, 4, 5, 5, -1, 7, 2, 9})};
  const auto of = [&](const std::string& text) { return floats(evaluate(read(text), x)[0]); };
  CHECK(of(accumulated("add", "0.0", "[[0, 0], [4, 0]]", "1, 5")) ==
        std::vector<float>{1, 3, 6, 10, 15, 5, 4, 11, 13, 22});
  CHECK(of(accumulated("add", "0.0", "[[0, 0], [0, 4]]", "1, 5")) ==
        std::vector<float>{15, 14, 12, 9, 5, 22, 17, 18, 11, 9});
  CHECK(of(accumulated("maximum", "0xFF800000", "[[1, 0], [0, 0]]", "2, 1")) ==
        std::vector<float>{1, 2, 3, 4, 5, 5, 2, 7, 4, 9});
  CHECK(of(accumulated("multiply", "1.0", "[[0, 0], [0, 0]]", "1, 1")) == floats(x[0]));
  for (const auto& [padding, window] : {std::pair{"[[0, 0], [1, 0]]", "1, 2"},
                                        {"[[1, 0], [4, 0]]", "2, 5"},
                                        {"[[0, 0], [2, 2]]", "1, 5"},
                                        {"[[0, 0], [4, 0]]", "5"}})
    CHECK(refusal(accumulated("add", "0.0", padding, window)).sentence.find("windows that accumulate") !=
          std::string::npos);
  CHECK(refusal(accumulated("add", "1.0", "[[0, 0], [4, 0]]", "1, 5")).sentence.find("its neutral element") !=
        std::string::npos);
  // As JAX writes a cumsum.
  std::string renamed = accumulated("add", "0.0", "[[0, 0], [4, 0]]", "1, 5");
  renamed.replace(renamed.find("(%x, %c)"), 8, "(%x, %b)");
  renamed.insert(renamed.find("    %0 = "),
                 "    %b = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<f32>\n");
  CHECK(of(renamed) == std::vector<float>{1, 3, 6, 10, 15, 5, 4, 11, 13, 22});
}

TEST_CASE("a composite is what its decomposition does") {
  const std::string text = R"(module {
  func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = stablehlo.composite "mine.twice" %x {composite_attributes = {n = 2 : i64}, decomposition = @twice, version = 1 : i32} : (tensor<2xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
  func.func private @twice(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = stablehlo.add %x, %x : tensor<2xf32>
    return %0 : tensor<2xf32>
  }
})";
  CHECK(floats(evaluate(read(text), std::vector{Tensor::of<float>(Shape{2}, {3, 4})})[0]) == std::vector<float>{6, 8});
}

TEST_CASE("a case takes the branch of that number, or the last one, and what branches use from outside") {
  const std::string body = R"(    %0 = "stablehlo.case"(%i) ({
      %1 = stablehlo.negate %x : tensor<f32>
      stablehlo.return %1, %i : tensor<f32>, tensor<i32>
    }, {
      %1 = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %1, %i : tensor<f32>, tensor<i32>
    }, {
      stablehlo.return %y, %i : tensor<f32>, tensor<i32>
    }) : (tensor<i32>) -> (tensor<f32>, tensor<i32>)
    return %0#0, %0#1 : tensor<f32>, tensor<i32>)";
  const std::string named = "    %0:2" + body.substr(body.find(" = "));
  for (const auto& [index, expected] : {std::pair{0, -2.0f}, {1, 7.0f}, {2, 5.0f}, {3, 5.0f}, {-1, 5.0f}}) {
    const auto results = run("%i: tensor<i32>, %x: tensor<f32>, %y: tensor<f32>", "tensor<f32>, tensor<i32>", named,
                             {Tensor::scalar(index), Tensor::scalar(2.0f), Tensor::scalar(5.0f)});
    CHECK(results[0].item() == expected);
    CHECK(results[1].item() == index);
  }
  CHECK(floats(run("%i: tensor<i32>, %x: tensor<1xf32>", "tensor<1xf32>",
                   "    %0 = \"stablehlo.case\"(%i) ({ stablehlo.return %x : tensor<1xf32> }) : (tensor<i32>) -> "
                   "tensor<1xf32>\n    return %0 : tensor<1xf32>",
                   {Tensor::scalar(9), Tensor::of<float>(Shape{1}, {4})})[0]) == std::vector<float>{4});
  CHECK(refusal(function("%i: tensor<ui32>", "",
                         "    \"stablehlo.case\"(%i) ({ stablehlo.return }) : (tensor<ui32>) -> "
                         "()\n    return"))
            .sentence == "Line 3, column 5: the index of stablehlo.case is not tensor<i32>.");
}

TEST_CASE("a case of many branches is no deeper than their logarithm, and each is taken by its number") {
  constexpr int count = 300;
  std::string body = "    %0 = \"stablehlo.case\"(%i) (";
  for (int branch = 0; branch < count; ++branch)
    body += (branch ? ", {" : "{") + std::string{" %1 = stablehlo.constant dense<"} + std::to_string(branch) +
            "> : tensor<i32> stablehlo.return %1 : tensor<i32> }";
  const Graph graph = read(function("%i: tensor<i32>", "tensor<i32>",
                                    body + ") : (tensor<i32>) -> tensor<i32>\n    return %0 : tensor<i32>"));
  round_trip(graph);
  for (const int index : {0, 1, 149, 150, 298, 299, 300, 1 << 30, -1, std::numeric_limits<int>::min()})
    CHECK(evaluate(graph, std::vector{Tensor::scalar(index)})[0].item() ==
          (index < 0 || index >= count ? count - 1 : index));
}

TEST_CASE("the k greatest values and their places") {
  const auto results =
      run("%x: tensor<2x4xf32>", "tensor<2x2xf32>, tensor<2x2xi32>",
          R"(    %values, %indices = chlo.top_k(%x, k = 2) : tensor<2x4xf32> -> (tensor<2x2xf32>, tensor<2x2xi32>)
    return %values, %indices : tensor<2x2xf32>, tensor<2x2xi32>)",
          {Tensor::of<float>(Shape{2, 4}, {1, 5, 5, 2, -1, -2, -3, -4})});
  CHECK(floats(results[0]) == std::vector<float>{5, 5, -1, -2});
  CHECK(integers(results[1]) == std::vector<std::int32_t>{1, 2, 0, 1});
  CHECK(refusal(
            function("%x: tensor<4xf32>", "",
                     "    %0:2 = chlo.top_k(%x, k = 5) : tensor<4xf32> -> (tensor<5xf32>, tensor<5xi32>)\n    return"))
            .number == 407);
}

TEST_CASE("batching dimensions of gather and scatter are components of the indices") {
  // Of each row of x the elements that the same row of i names: take_along_axis.
  const Tensor x = Tensor::of<float>(Shape{2, 3}, {10, 11, 12, 20, 21, 22});
  for (const bool implicit : {false, true}) {
    const std::string type = implicit ? "tensor<2x2xi32>" : "tensor<2x2x1xi32>";
    const auto taken = run(
        "%x: tensor<2x3xf32>, %i: " + type, "tensor<2x2xf32>",
        R"(    %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<2x3xf32>, )" +
            type + R"() -> tensor<2x2xf32>
    return %0 : tensor<2x2xf32>)",
        {x, implicit ? Tensor::of<std::int32_t>(Shape{2, 2}, {2, 0, 1, 1})
                     : Tensor::of<std::int32_t>(Shape{2, 2, 1}, {2, 0, 1, 1})});
    CHECK(floats(taken[0]) == std::vector<float>{12, 10, 21, 21});
  }
  const auto added = run(
      "%x: tensor<2x3xf32>, %i: tensor<2x2x1xi32>, %u: tensor<2x2xf32>", "tensor<2x3xf32>",
      R"(    %0 = "stablehlo.scatter"(%x, %i, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<2x3xf32>, tensor<2x2x1xi32>, tensor<2x2xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>)",
      {x, Tensor::of<std::int32_t>(Shape{2, 2, 1}, {2, 0, 1, 1}), Tensor::of<float>(Shape{2, 2}, {1, 2, 3, 4})});
  CHECK(floats(added[0]) == std::vector<float>{12, 11, 13, 20, 28, 22});
  CHECK(
      refusal(
          function(
              "%x: tensor<2x3xf32>, %i: tensor<3x2x1xi32>", "tensor<3x2xf32>",
              R"(    %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<2x3xf32>, tensor<3x2x1xi32>) -> tensor<3x2xf32>
    return %0 : tensor<3x2xf32>)"))
          .sentence.find("that are equally long") != std::string::npos);
}

TEST_CASE("a product of bf16 that is of f32 has all its digits") {
  const auto results = run(
      "%x: tensor<1x2xbf16>, %y: tensor<2x1xbf16>", "tensor<1x1xf32>",
      R"(    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<1x2xbf16>, tensor<2x1xbf16>) -> tensor<1x1xf32>
    return %0 : tensor<1x1xf32>)",
      {Tensor::of<bfloat16>(Shape{1, 2}, {bfloat16{1.0078125f}, bfloat16{1}}),
       Tensor::of<bfloat16>(Shape{2, 1}, {bfloat16{1.0078125f}, bfloat16{256}})});
  CHECK(floats(results[0]) == std::vector<float>{257.01568603515625f});
}

TEST_CASE("ui64 is read where it has the bits of i64, as JAX's random numbers count, and refused elsewhere") {
  const auto results = run("", "tensor<4xui32>, tensor<4xui32>",
                           R"(    %0 = stablehlo.iota dim = 0 : tensor<4xui64>
    %c = stablehlo.constant dense<3000000000> : tensor<ui64>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui64>) -> tensor<4xui64>
    %2 = stablehlo.multiply %0, %1 : tensor<4xui64>
    %c_0 = stablehlo.constant dense<32> : tensor<ui64>
    %3 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui64>) -> tensor<4xui64>
    %4 = stablehlo.shift_right_logical %2, %3 : tensor<4xui64>
    %5 = stablehlo.convert %4 : (tensor<4xui64>) -> tensor<4xui32>
    %6 = stablehlo.convert %2 : (tensor<4xui64>) -> tensor<4xui32>
    return %5, %6 : tensor<4xui32>, tensor<4xui32>)",
                           {});
  for (std::size_t i = 0; i < 4; ++i) {
    const std::uint64_t product = i * std::uint64_t{3000000000};
    CHECK(results[0].span<std::uint32_t>()[i] == static_cast<std::uint32_t>(product >> 32));
    CHECK(results[1].span<std::uint32_t>()[i] == static_cast<std::uint32_t>(product));
  }
  const std::string iota = "    %0 = stablehlo.iota dim = 0 : tensor<4xui64>\n";
  for (const std::string statement :
       {"%1 = stablehlo.divide %0, %0 : tensor<4xui64>",
        "%1 = stablehlo.convert %0 : (tensor<4xui64>) -> tensor<4xf32>",
        "%1 = stablehlo.compare LT, %0, %0 : (tensor<4xui64>, tensor<4xui64>) -> tensor<4xi1>"})
    CHECK(
        refusal(function("", "", iota + "    " + statement + "\n    return")).sentence.find(" of ui64 is something") !=
        std::string::npos);
  CHECK(refusal(
            function("", "tensor<4xui64>, tensor<4xui64>", iota + "    return %0, %0 : tensor<4xui64>, tensor<4xui64>"))
            .sentence.find("a parameter or a result of ui64") != std::string::npos);
  CHECK(refusal(function("%a: tensor<ui64>", "", "    return")).sentence.find("a parameter or a result of ui64") !=
        std::string::npos);
}
