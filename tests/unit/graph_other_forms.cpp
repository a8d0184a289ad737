/// Forms of StableHLO that the graph has none of and says by others: what public programs hold beside what JAX prints
/// today.
#include <bit>
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

constexpr double inf = std::numeric_limits<double>::infinity(), no_number = std::numeric_limits<double>::quiet_NaN();

std::vector<bool> truths(const Tensor& tensor) {
  const auto span = tensor.span<bool>();
  return {span.begin(), span.end()};
}

Tensor mask(std::vector<bool> values) {
  Tensor result{DType::pred, {std::ssize(values)}};
  std::copy(values.begin(), values.end(), result.mutable_span<bool>().begin());
  return result;
}

}  // namespace

TEST_CASE("numbers compared in their total order, as JAX's searchsorted does") {
  // In that order, each but one of them equal to no other.
  const std::vector<double> ordered{-no_number, -inf, -2, -0.0, 0.0, 1e-300, 1, inf, no_number};
  const auto check = [&]<class T>(T, const std::string& type) {
    std::vector<T> left, right;
    for (const double a : ordered)
      for (const double b : ordered) {
        left.push_back(static_cast<T>(a));
        right.push_back(static_cast<T>(b));
      }
    const std::string tensor = "tensor<" + std::to_string(left.size()) + "x" + type + ">",
                      truth = "tensor<" + std::to_string(left.size()) + "xi1>";
    const std::vector<Tensor> given{Tensor::of<T>({std::ssize(left)}, std::span<const T>{left}),
                                    Tensor::of<T>({std::ssize(right)}, std::span<const T>{right})};
    for (const std::string direction : {"EQ", "NE", "LT", "LE", "GT", "GE"}) {
      const std::vector<bool> found =
          truths(run("%a: " + tensor + ", %b: " + tensor, truth,
                     "    %0 = stablehlo.compare " + direction + ", %a, %b, TOTALORDER : (" + tensor + ", " + tensor +
                         ") -> " + truth + "\n    return %0 : " + truth,
                     given)[0]);
      for (std::size_t i = 0; i < found.size(); ++i) {
        std::size_t a = i / ordered.size(), b = i % ordered.size();
        // Below what f32 has, a number is 0.
        for (std::size_t* each : {&a, &b})
          if (sizeof(T) < 8 && *each == 5) *each = 4;
        const bool expected = direction == "EQ"   ? a == b
                              : direction == "NE" ? a != b
                              : direction == "LT" ? a < b
                              : direction == "LE" ? a <= b
                              : direction == "GT" ? a > b
                                                  : a >= b;
        INFO(type << " " << static_cast<double>(left[i]) << " " << direction << " " << static_cast<double>(right[i]));
        CHECK(found[i] == expected);
      }
    }
  };
  check(float{}, "f32");
  check(double{}, "f64");
  check(bfloat16{}, "bf16");
  CHECK(refusal(function("%a: tensor<2xi32>", "tensor<2xi1>",
                         "    %0 = stablehlo.compare LT, %a, %a, TOTALORDER : (tensor<2xi32>, tensor<2xi32>) -> "
                         "tensor<2xi1>\n    return %0 : tensor<2xi1>"))
            .sentence.find("compare_type of stablehlo.compare is not SIGNED or NOTYPE") != std::string::npos);
}

TEST_CASE("of truth values, a sum and the greater one are `or`, a product and the smaller one are `and`") {
  const std::vector<Tensor> given{mask({false, false, true, true}), mask({false, true, false, true})};
  for (const auto& [name, expected] :
       std::map<std::string, std::vector<bool>>{{"add", {false, true, true, true}},
                                                {"maximum", {false, true, true, true}},
                                                {"multiply", {false, false, false, true}},
                                                {"minimum", {false, false, false, true}}})
    CHECK(truths(run("%a: tensor<4xi1>, %b: tensor<4xi1>", "tensor<4xi1>",
                     "    %0 = stablehlo." + name + " %a, %b : tensor<4xi1>\n    return %0 : tensor<4xi1>",
                     given)[0]) == expected);
  for (const auto& [name, initial] : std::vector<std::pair<std::string, bool>>{
           {"add", false}, {"maximum", false}, {"multiply", true}, {"minimum", true}})
    for (const std::vector<bool>& values :
         {std::vector{true, true, true}, {true, false, true}, {false, false, false}}) {
      const bool all = values[0] && values[1] && values[2], any = values[0] || values[1] || values[2];
      CHECK(truths(run("%a: tensor<3xi1>", "tensor<i1>",
                       "    %c = stablehlo.constant dense<" + std::string{initial ? "true" : "false"} +
                           "> : tensor<i1>\n    %0 = stablehlo.reduce(%a init: %c) applies stablehlo." + name +
                           " across dimensions = [0] : (tensor<3xi1>, tensor<i1>) -> tensor<i1>\n"
                           "    return %0 : tensor<i1>",
                       {mask(values)})[0]) == std::vector{initial ? all : any});
    }
  // As JAX asks for the first truth of a mask.
  const std::string argmax = R"(    %c = stablehlo.constant dense<false> : tensor<i1>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.iota dim = 0 : tensor<5xi32>
    %1:2 = stablehlo.reduce(%x init: %c), (%0 init: %c_0) across dimensions = [0] : (tensor<5xi1>, tensor<5xi32>, tensor<i1>, tensor<i32>) -> (tensor<i1>, tensor<i32>)
     reducer(%a: tensor<i1>, %b: tensor<i1>) (%i: tensor<i32>, %j: tensor<i32>)  {
      %2 = stablehlo.compare  GT, %a, %b,  UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %3 = stablehlo.compare  NE, %a, %a,  UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare  EQ, %a, %b,  UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %6 = stablehlo.compare  LT, %i, %j,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %a, %b : tensor<i1>, tensor<i1>
      %10 = stablehlo.select %8, %i, %j : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<i1>, tensor<i32>
    }
    return %1#0, %1#1 : tensor<i1>, tensor<i32>)";
  for (const auto& [values, first] : std::vector<std::pair<std::vector<bool>, std::int32_t>>{
           {{false, false, true, false, true}, 2}, {{false, false, false, false, false}, 0}}) {
    const auto found = run("%x: tensor<5xi1>", "tensor<i1>, tensor<i32>", argmax, {mask(values)});
    CHECK(truths(found[0])[0] == (first > 0));
    CHECK(integers(found[1]) == std::vector{first});
  }
}

TEST_CASE("the places of the greatest value, as PyTorch asks for them: NaN has none of its own") {
  const std::string text = R"(    %c = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.iota dim = 0 : tensor<4xi32>
    %1:2 = stablehlo.reduce(%x init: %c), (%0 init: %c_0) across dimensions = [0] : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
     reducer(%a: tensor<f32>, %b: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>)  {
      %2 = stablehlo.compare  GE, %a, %b,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = stablehlo.select %2, %a, %b : tensor<i1>, tensor<f32>
      %4 = stablehlo.compare  EQ, %a, %b,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %5 = stablehlo.minimum %i, %j : tensor<i32>
      %6 = stablehlo.select %2, %i, %j : tensor<i1>, tensor<i32>
      %7 = stablehlo.select %4, %5, %6 : tensor<i1>, tensor<i32>
      stablehlo.return %3, %7 : tensor<f32>, tensor<i32>
    }
    return %1#0, %1#1 : tensor<f32>, tensor<i32>)";
  const auto found =
      run("%x: tensor<4xf32>", "tensor<f32>, tensor<i32>", text, {Tensor::of<float>({4}, {1, 7, 7, -3})});
  CHECK(floats(found[0]) == std::vector<float>{7});
  CHECK(integers(found[1]) == std::vector<std::int32_t>{1});
  const auto lost = run("%x: tensor<4xf32>", "tensor<f32>, tensor<i32>", text,
                        {Tensor::of<float>({4}, {1, static_cast<float>(no_number), 7, -3})});
  CHECK(std::isnan(floats(lost[0])[0]));
  CHECK(integers(lost[1]) == std::vector<std::int32_t>{1});
  // One that never chooses a NaN says something else.
  std::string numbers = text;
  const std::string never =
      "      %8 = stablehlo.compare  NE, %b, %b,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
      "      %9 = stablehlo.or %2, %8 : tensor<i1>\n";
  numbers.insert(numbers.find("      %3 ="), never);
  for (std::size_t at = numbers.find("select %2"); at != std::string::npos; at = numbers.find("select %2"))
    numbers.replace(at, 9, "select %9");
  CHECK(refusal(function("%x: tensor<4xf32>", "tensor<f32>, tensor<i32>", numbers))
            .sentence.find("does not select the greatest") != std::string::npos);
}

TEST_CASE("a sort by IEEE's comparison sorts numbers, and takes NaN for the greatest") {
  const auto sorted = [](const std::string& direction, const std::string& more = {}) {
    return R"(    %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.compare )" +
           direction + R"(, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
)" + more + R"(      stablehlo.return %1 : tensor<i1>
    }) : (tensor<6xf32>) -> tensor<6xf32>
    return %0 : tensor<6xf32>)";
  };
  const Tensor x =
      Tensor::of<float>({6}, {3, -1, 0.0f, -0.0f, static_cast<float>(no_number), static_cast<float>(-inf)});
  const auto up = floats(run("%x: tensor<6xf32>", "tensor<6xf32>", sorted("LT"), {x})[0]);
  CHECK(up[0] == -static_cast<float>(inf));
  CHECK((up[1] == -1 && up[4] == 3));
  CHECK((!std::signbit(up[2]) && std::signbit(up[3])));  // equal, so as they were
  CHECK(std::isnan(up[5]));
  const auto down = floats(run("%x: tensor<6xf32>", "tensor<6xf32>", sorted("GT"), {x})[0]);
  CHECK(std::isnan(down[0]));
  CHECK((down[1] == 3 && down[4] == -1 && down[5] == -static_cast<float>(inf)));
  // NaN before all numbers is an order of its own.
  std::string first =
      sorted("LT",
             "      %2 = stablehlo.compare NE, %a, %a, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
             "      %3 = stablehlo.or %1, %2 : tensor<i1>\n");
  first.replace(first.find("return %1 : tensor<i1>"), 9, "return %3");
  CHECK(refusal(function("%x: tensor<6xf32>", "tensor<6xf32>", first)).number == 410);
}

TEST_CASE("collectives of several tensors are one for each") {
  const auto text = [](const std::string& calls) {
    return function("%a: tensor<4xf32>, %b: tensor<2x2xf32>", "tensor<4xf32>, tensor<2x2xf32>", calls);
  };
  const auto reduced = [](const std::string& results, const std::string& operands, const std::string& types) {
    return "    " + results + " = \"stablehlo.all_reduce\"(" + operands +
           R"() <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : ()" +
           types + ") -> (" + types + ")\n";
  };
  const Graph both = read(text(reduced("%0:2", "%a, %b", "tensor<4xf32>, tensor<2x2xf32>") +
                               "    return %0#0, %0#1 : tensor<4xf32>, tensor<2x2xf32>"));
  const Graph each = read(text(reduced("%0", "%a", "tensor<4xf32>") + reduced("%1", "%b", "tensor<2x2xf32>") +
                               "    return %0, %1 : tensor<4xf32>, tensor<2x2xf32>"));
  CHECK(equal(both, each));
  CHECK(both.nodes().size() == 2);
}

TEST_CASE("a call of code that the text does not hold is named, however many operands it has") {
  for (const std::string call : {"@tpu_custom_call(%a, %a) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>",
                                 "@xla_ffi_python_cpu_callback() : () -> tensor<2xf32>",
                                 "@Sharding(%a, %a) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>"}) {
    const Diagnostic found =
        refusal(function("%a: tensor<2xf32>", "tensor<2xf32>",
                         "    %0 = stablehlo.custom_call " + call + "\n    return %0 : tensor<2xf32>"));
    CHECK(found.sentence == "Line 3, column 10: stablehlo.custom_call calls " + call.substr(0, call.find('(')) +
                                ", which is not in the text.");
    CHECK(found.fix == std::vector<std::string>{"write what it computes as operations of the program"});
  }
}

TEST_CASE("products of another precision than their operands', and by the algorithm that is asked for") {
  const auto product = [](const std::string& of, const std::string& to, const std::string& more = {}) {
    return "    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]" + more + " : (tensor<1x2x" + of +
           ">, tensor<2x1x" + of + ">) -> tensor<1x1x" + to + ">\n    return %0 : tensor<1x1x" + to + ">";
  };
  const float third = 1.0f / 3;
  const std::vector<Tensor> given{Tensor::of<float>({1, 2}, {third, 1}), Tensor::of<float>({2, 1}, {third, 1})};
  CHECK(run("%x: tensor<1x2xf32>, %y: tensor<2x1xf32>", "tensor<1x1xf64>", product("f32", "f64"), given)[0]
            .span<double>()[0] == static_cast<double>(third) * third + 1);
  CHECK(run("%x: tensor<1x2xf32>, %y: tensor<2x1xf32>", "tensor<1x1xbf16>", product("f32", "bf16"), given)[0]
            .span<bfloat16>()[0] == bfloat16{third * third + 1});
  const auto asks = [&](const std::string& type, const std::string& products, const std::string& sums = "f32") {
    return function("%x: tensor<1x2xf32>, %y: tensor<2x1xf32>", "tensor<1x1xf32>",
                    product("f32", "f32",
                            ", precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = " + type +
                                ", rhs_precision_type = " + type + ", accumulation_type = " + sums +
                                ", lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = " +
                                products + ", allow_imprecise_accumulation = false>"));
  };
  const auto precision = [&](const std::string& type, const std::string& products) {
    return std::get<DotAttributes>(read(asks(type, products)).nodes().back().attributes).precision;
  };
  CHECK(precision("bf16", "1") == DotPrecision::DEFAULT);
  CHECK(precision("bf16", "3") == DotPrecision::HIGH);
  CHECK(precision("bf16", "6") == DotPrecision::HIGHEST);
  CHECK(precision("f32", "1") == DotPrecision::HIGHEST);
  for (const std::string& text : {asks("tf32", "1"), asks("bf16", "2"), asks("bf16", "1", "bf16")})
    CHECK(refusal(text).sentence.find("is none that a matrix unit of bf16 products runs") != std::string::npos);
  // What an algorithm rounds is rounded whatever the program is compiled for.
  const std::vector<Tensor> fine{Tensor::of<float>({1, 2}, {1.00390625f, 1}),
                                 Tensor::of<float>({2, 1}, {1.00390625f, 1})};
  CHECK(floats(evaluate(read(asks("bf16", "1")), fine, {.precision = Precision::f32})[0]) == std::vector<float>{2});
  CHECK(floats(evaluate(read(asks("f32", "1")), fine, {.precision = Precision::f32})[0])[0] > 2.007f);
  for (const std::string& text : {asks("f64", "1", "f64"), asks("f32", "1", "f64")}) CHECK(refusal(text).number == 410);
  const std::string generic = function(
      "%x: tensor<1x2xf32>, %y: tensor<2x1xf32>", "tensor<1x1xf32>",
      R"(    %0 = "stablehlo.dot_general"(%x, %y) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false>, dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<1x2xf32>, tensor<2x1xf32>) -> tensor<1x1xf32>
    return %0 : tensor<1x1xf32>)");
  CHECK(std::get<DotAttributes>(read(generic).nodes().front().attributes).precision == DotPrecision::HIGH);
}

TEST_CASE("dot and broadcast as StableHLO had them before their general forms, and the number of a partition") {
  const std::vector<Tensor> given{Tensor::of<float>({2}, {1, 2}), Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, 6})};
  CHECK(floats(run("%x: tensor<2xf32>, %y: tensor<2x3xf32>", "tensor<3xf32>",
                   "    %0 = stablehlo.dot %x, %y, precision = [HIGHEST, HIGHEST] : (tensor<2xf32>, tensor<2x3xf32>) "
                   "-> tensor<3xf32>\n    return %0 : tensor<3xf32>",
                   given)[0]) == std::vector<float>{9, 12, 15});
  CHECK(refusal(function("%x: tensor<2x2x2xf32>, %y: tensor<2xf32>", "tensor<2x2xf32>",
                         "    %0 = \"stablehlo.dot\"(%x, %y) : (tensor<2x2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>\n"
                         "    return %0 : tensor<2x2xf32>"))
            .sentence.find("multiplies matrices and vectors") != std::string::npos);
  CHECK(floats(run("%x: tensor<2xf32>, %y: tensor<2x3xf32>", "tensor<3x2xf32>",
                   "    %0 = stablehlo.broadcast %x, sizes = [3] : (tensor<2xf32>) -> tensor<3x2xf32>\n"
                   "    return %0 : tensor<3x2xf32>",
                   given)[0]) == std::vector<float>{1, 2, 1, 2, 1, 2});
  CHECK(run("", "tensor<ui32>", "    %0 = stablehlo.partition_id : tensor<ui32>\n    return %0 : tensor<ui32>", {})[0]
            .span<std::uint32_t>()[0] == 0);
}

TEST_CASE("a scatter that subtracts adds what is negated") {
  const std::string text =
      R"(    %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.subtract %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<3xf32>, tensor<2x1xi32>, tensor<2xf32>) -> tensor<3xf32>
    return %0 : tensor<3xf32>)";
  const std::string arguments = "%x: tensor<3xf32>, %i: tensor<2x1xi32>, %u: tensor<2xf32>";
  CHECK(floats(run(arguments, "tensor<3xf32>", text,
                   {Tensor::of<float>({3}, {1, 2, 3}), Tensor::of<std::int32_t>({2, 1}, {2, 2}),
                    Tensor::of<float>({2}, {10, 0.5f})})[0]) == std::vector<float>{1, 2, -7.5f});
  std::string reversed = text;
  reversed.replace(reversed.find("%a, %b : tensor<f32>"), 6, "%b, %a");
  CHECK(refusal(function(arguments, "tensor<3xf32>", reversed)).number == 410);
}

TEST_CASE("integers are written by their bits, too, and those of ui64 up to their last") {
  const auto found = run("", "tensor<2xi32>, tensor<i64>, tensor<3xi1>",
                         R"(    %0 = stablehlo.constant dense<[0xFF, 0xFFFFFFFF]> : tensor<2xi32>
    %1 = stablehlo.constant dense<0x0123456789ABCDEF> : tensor<i64>
    %2 = stablehlo.constant dense<[0, 4294967296, 18446744073709551615]> : tensor<3xui64>
    %3 = stablehlo.not %2 : tensor<3xui64>
    %c = stablehlo.constant dense<0> : tensor<3xui64>
    %4 = stablehlo.compare EQ, %3, %c, UNSIGNED : (tensor<3xui64>, tensor<3xui64>) -> tensor<3xi1>
    return %0, %1, %4 : tensor<2xi32>, tensor<i64>, tensor<3xi1>)",
                         {});
  CHECK(integers(found[0]) == std::vector<std::int32_t>{255, -1});
  CHECK(found[1].span<std::int64_t>()[0] == 0x0123456789ABCDEF);
  CHECK(truths(found[2]) == std::vector{false, false, true});
  const auto constant = [](const std::string& number, const std::string& type) {
    return refusal(function("", "tensor<" + type + ">",
                            "    %0 = stablehlo.constant dense<" + number + "> : tensor<" + type +
                                ">\n    return %0 : tensor<" + type + ">"))
        .sentence;
  };
  CHECK(constant("0x1FFFFFFFF", "i32").ends_with("'0x1FFFFFFFF' is no i32."));
  CHECK(constant("0x", "i32").ends_with("'0x' is no i32."));
  CHECK(constant("-1", "ui64").ends_with("'-1' is no ui64."));
  CHECK(constant("18446744073709551616", "ui64").ends_with("'18446744073709551616' is no ui64."));
  CHECK(constant("18446744073709551615", "i64").ends_with("'18446744073709551615' is no i64."));
}

TEST_CASE("a loop carries ui64, and its bits may be taken for a number") {
  const auto found = run("", "tensor<f64>", R"(    %c = stablehlo.constant dense<4607182418800017408> : tensor<ui64>
    %n = stablehlo.constant dense<0> : tensor<i32>
    %three = stablehlo.constant dense<3> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %step = stablehlo.constant dense<4503599627370496> : tensor<ui64>
    %0:2 = stablehlo.while(%i = %n, %x = %c) : tensor<i32>, tensor<ui64>
    cond {
      %1 = stablehlo.compare LT, %i, %three, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.add %i, %one : tensor<i32>
      %2 = stablehlo.add %x, %step : tensor<ui64>
      stablehlo.return %1, %2 : tensor<i32>, tensor<ui64>
    }
    %3 = stablehlo.bitcast_convert %0#1 : (tensor<ui64>) -> tensor<f64>
    return %3 : tensor<f64>)",
                         {});
  CHECK(found[0].span<double>()[0] == 8);
}

TEST_CASE("parameters are called as the text calls them, unless it only numbers them") {
  const auto names = [](const std::string& arguments) {
    const Graph graph = read(function(arguments, "", "    return"));
    std::vector<std::string> result;
    for (const ValueId parameter : graph.parameters())
      result.push_back(graph.values()[static_cast<std::size_t>(parameter)].name);
    return result;
  };
  CHECK(
      names("%x: tensor<f32>, %W0: tensor<f32>, %arg2: tensor<f32>, %3: tensor<f32>, %lr: tensor<f32> loc(\"rate\")") ==
      std::vector<std::string>{"x", "W0", "", "", "rate"});
  // What the user calls one is no other's name.
  CHECK(names("%x: tensor<f32> loc(\"y\"), %y: tensor<f32>") == std::vector<std::string>{"y", ""});
}

TEST_CASE("a type that Octet does not have is quoted without the blanks behind it") {
  CHECK(refusal(function("", "", "    %0 = \"stablehlo.after_all\"() : () -> !stablehlo.token\n\n    return"))
            .sentence.find("'!stablehlo.token' is no type that Octet has") != std::string::npos);
}
