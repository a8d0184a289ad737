// What Octet does not have, in programs that are only to be judged: as JAX lowers random bits, convolutions, Pallas
// kernels and reductions of its own.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>
import octet.base;
import octet.graph;

#include "stablehlo_text.hpp"

using namespace octet;
using namespace stablehlo_text;

namespace {

/// The calls of a program, and that it is refused wherever it would have to run.
std::vector<CustomCallAttributes> calls(const std::string& arguments, const std::string& results,
                                        const std::string& body) {
  const std::string text = function(arguments, results, body);
  CHECK(refusal(text).number == 410);
  const ProgramText program = read_program(text, "step.mlir");
  verify(program.graph);
  CHECK(equal(read_program(to_string(program.graph)).graph, program.graph));
  std::vector<CustomCallAttributes> found;
  for (const Node& node : program.graph.nodes())
    if (const auto* call = std::get_if<CustomCallAttributes>(&node.attributes)) found.push_back(*call);
  for (const Diagnostic& unknown : program.unknown) {
    CHECK(unknown.number == 410);
    CHECK(unknown.where.line > 2);
  }
  return found;
}

}  // namespace

TEST_CASE("what Octet does not have becomes a call of what its types say, in either form") {
  const auto one = [](const std::string& arguments, const std::string& results, const std::string& body) {
    const auto found = calls(arguments, results, body);
    REQUIRE(found.size() == 1);
    return found.front();
  };
  const CustomCallAttributes bits = one("%key: tensor<4xui32>", "tensor<4xui32>, tensor<8x16xui32>",
                                        "    %state, %bits = stablehlo.rng_bit_generator %key, algorithm =  DEFAULT : "
                                        "(tensor<4xui32>) -> (tensor<4xui32>, tensor<8x16xui32>)\n"
                                        "    return %state, %bits : tensor<4xui32>, tensor<8x16xui32>");
  CHECK(bits.call_target_name == "stablehlo.rng_bit_generator");
  CHECK(bits.results == std::vector<TensorType>{{DType::u32, {4}}, {DType::u32, {8, 16}}});
  CHECK(bits.product.empty());

  const auto of_x = [&](const std::string& operation) {
    return one("%x: tensor<8x16xi32>", "tensor<8x16xi32>",
               "    %0 = " + operation + "\n    return %0 : tensor<8x16xi32>")
        .call_target_name;
  };
  CHECK(of_x("stablehlo.count_leading_zeros %x : tensor<8x16xi32>") == "stablehlo.count_leading_zeros");
  CHECK(of_x("stablehlo.popcnt %x : tensor<8x16xi32>") == "stablehlo.popcnt");
  CHECK(of_x("\"stablehlo.popcnt\"(%x) : (tensor<8x16xi32>) -> tensor<8x16xi32>") == "stablehlo.popcnt");
  CHECK(of_x("stablehlo.custom_call @tpu_custom_call(%x) {backend_config = \"{\\22custom_call_config\\22: "
             "{\\22body\\22: \\22TUzv\\22}}\", kernel_name = \"flash\", operand_layouts = [dense<[1, 0]> : "
             "tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tensor<8x16xi32>) -> "
             "tensor<8x16xi32>") == "tpu_custom_call");
  CHECK(one("%x: tensor<8xf32>", "tensor<8xf32>",
            "    %0 = stablehlo.reduce_precision %x, format = e5m2 : tensor<8xf32>\n    return %0 : tensor<8xf32>")
            .call_target_name == "stablehlo.reduce_precision");
  CHECK(one("%a: tensor<f32>, %b: tensor<f32>", "tensor<8x16xf32>",
            "    %s = stablehlo.constant dense<[8, 16]> : tensor<2xi64>\n"
            "    %0 = stablehlo.rng %a, %b, %s, distribution =  UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> "
            "tensor<8x16xf32>\n    return %0 : tensor<8x16xf32>")
            .call_target_name == "stablehlo.rng");
  CHECK(one("%x: tensor<8xf32>, %y: tensor<8xi32>", "tensor<f32>, tensor<i32>",
            "    %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
            "    %i = stablehlo.constant dense<0> : tensor<i32>\n"
            "    %0:2 = stablehlo.reduce(%x init: %z), (%y init: %i) across dimensions = [0] : (tensor<8xf32>, "
            "tensor<8xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)\n"
            "     reducer(%a: tensor<f32>, %b: tensor<f32>) (%c: tensor<i32>, %d: tensor<i32>)  {\n"
            "      %1 = stablehlo.add %a, %b : tensor<f32>\n      %2 = stablehlo.add %c, %d : tensor<i32>\n"
            "      stablehlo.return %1, %2 : tensor<f32>, tensor<i32>\n    }\n"
            "    return %0#0, %0#1 : tensor<f32>, tensor<i32>")
            .call_target_name == "stablehlo.reduce");
}

TEST_CASE("a convolution is the product that it is, however its dimensions lie") {
  const auto product = [](const std::string& kernel, const std::string& said) {
    const auto found = calls("%x: tensor<32x28x28x16xf32>, %w: tensor<" + kernel + "xf32>", "tensor<32x28x28x64xf32>",
                             "    %0 = " + said + " : (tensor<32x28x28x16xf32>, tensor<" + kernel +
                                 "xf32>) -> tensor<32x28x28x64xf32>\n    return %0 : tensor<32x28x28x64xf32>");
    REQUIRE(found.size() == 1);
    return found.front().product;
  };
  const Dims expected{32 * 28 * 28, 64, 3 * 3 * 16};
  CHECK(product("3x3x16x64",
                "stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride "
                "= [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} "
                "{batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = "
                "[#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}") == expected);
  CHECK(product("64x16x3x3",
                "\"stablehlo.convolution\"(%x, %w) {batch_group_count = 1 : i64, dimension_numbers = "
                "#stablehlo.conv<[b, 0, 1, f]x[o, i, 0, 1]->[b, 0, 1, f]>, feature_group_count = 1 : i64}") ==
        expected);
  CHECK(product("3x3x16x64",
                "\"stablehlo.convolution\"(%x, %w) {batch_group_count = 1 : i64, dimension_numbers = "
                "#stablehlo.conv<raw input_batch_dimension = 0, kernel_input_feature_dimension = 2, "
                "kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1]>, feature_group_count = 1 : "
                "i64}") == expected);
  CHECK(product("3x3x16x64",
                "\"stablehlo.convolution\"(%x, %w) {batch_group_count = 1 : i64, dimension_numbers = "
                "#stablehlo.conv<raw input_batch_dimension = 0>, feature_group_count = 1 : i64}")
            .empty());
}

TEST_CASE("bits of numbers as those of another width are unknown where one becomes as many, and refused elsewhere") {
  const auto taken = [](const std::string& from, const std::string& to) {
    const std::string operand = "tensor<" + from + ">", result = "tensor<" + to + ">";
    const std::string body =
        "    %0 = stablehlo.bitcast_convert %x : (" + operand + ") -> " + result + "\n    return %0 : " + result;
    return refusal(function("%x: " + operand, result, body)).number;
  };
  CHECK(taken("2x2xui32", "2xui64") == 410);  // JAX's keys of rbg
  CHECK(taken("3xi64", "3x2xi32") == 410);
  CHECK(taken("f32", "2xbf16") == 410);
  CHECK(taken("3xf32", "3xi32") == 0);
  CHECK(taken("3xf32", "3xbf16") == 402);
  CHECK(taken("2x2xui32", "2xi32") == 401);
  CHECK(taken("2x2xui32", "2x1xi64") == 402);
  CHECK(taken("3x2xi64", "2x3x2xi32") == 402);
  CHECK(calls("%x: tensor<2x2xui32>", "tensor<2xi64>",
              "    %0 = stablehlo.bitcast_convert %x : (tensor<2x2xui32>) -> tensor<2xi64>\n"
              "    return %0 : tensor<2xi64>")
            .front()
            .results == std::vector<TensorType>{{DType::i64, {2}}});
}

TEST_CASE("operations of several tensors are unknown where their region has two arguments for each") {
  const auto targets = [](const std::string& arguments, const std::string& results, const std::string& body) {
    const auto found = calls(arguments, results, body);
    return found.size() == 1 ? found.front().call_target_name : "";
  };
  const std::string two_smaller = R"( ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
      %p = stablehlo.compare LE, %a, %c, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %1 = stablehlo.select %p, %a, %c : tensor<i1>, tensor<f32>
      %2 = stablehlo.select %p, %b, %d : tensor<i1>, tensor<f32>
      stablehlo.return %1, %2 : tensor<f32>, tensor<f32>
    }) : )";
  CHECK(targets("%x: tensor<4x6xf32>", "tensor<3x5xf32>",
                "    %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
                "    %0:2 = \"stablehlo.reduce_window\"(%x, %x, %z, %z) <{window_dimensions = array<i64: 2, 2>}>" +
                    two_smaller +
                    "(tensor<4x6xf32>, tensor<4x6xf32>, tensor<f32>, tensor<f32>) -> (tensor<3x5xf32>, "
                    "tensor<3x5xf32>)\n    return %0#1 : tensor<3x5xf32>") == "stablehlo.reduce_window");
  CHECK(targets("%x: tensor<6xf32>, %i: tensor<2x1xi32>, %u: tensor<2xf32>", "tensor<6xf32>",
                "    %0:2 = \"stablehlo.scatter\"(%x, %x, %i, %u, %u) <{scatter_dimension_numbers = "
                "#stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = "
                "1>}>" +
                    two_smaller +
                    "(tensor<6xf32>, tensor<6xf32>, tensor<2x1xi32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<6xf32>, "
                    "tensor<6xf32>)\n    return %0#1 : tensor<6xf32>") == "stablehlo.scatter");
  CHECK(targets("%x: tensor<6xf32>", "tensor<f32>",
                "    %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
                "    %0:3 = stablehlo.reduce(%x init: %z), (%x init: %z), (%x init: %z) across dimensions = [0] : "
                "(tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, "
                "tensor<f32>, tensor<f32>)\n"
                "     reducer(%a: tensor<f32>, %b: tensor<f32>) (%c: tensor<f32>, %d: tensor<f32>) (%e: tensor<f32>, "
                "%f: tensor<f32>) {\n      stablehlo.return %a, %c, %e : tensor<f32>, tensor<f32>, tensor<f32>\n    }\n"
                "    return %0#0 : tensor<f32>") == "stablehlo.reduce");
}

TEST_CASE("a sort by another operand than its first, and dynamic operations of known shapes, are unknown") {
  const std::string sort = R"(    %0:2 = "stablehlo.sort"(%x, %y) <{dimension = 0 : i64}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
      %p = stablehlo.compare LT, %c, %d, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    }) : (tensor<4xf32>, tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>)
    return %0#0 : tensor<4xf32>)";
  CHECK(calls("%x: tensor<4xf32>, %y: tensor<4xi32>", "tensor<4xf32>", sort).size() == 1);
  std::string of_others = sort;
  of_others.replace(of_others.find("(tensor<i32>, tensor<i32>)"), 26, "(tensor<f32>, tensor<f32>)");
  CHECK(refusal(function("%x: tensor<4xf32>, %y: tensor<4xi32>", "tensor<4xf32>", of_others)).number == 407);
  CHECK(calls("%x: tensor<4xf32>", "tensor<2x2xf32>",
              "    %s = stablehlo.constant dense<2> : tensor<2xi32>\n"
              "    %0 = stablehlo.dynamic_reshape %x, %s : (tensor<4xf32>, tensor<2xi32>) -> tensor<2x2xf32>\n"
              "    return %0 : tensor<2x2xf32>")
            .size() == 1);
}

TEST_CASE("each kind of what is unknown is told once, where it first stands, within loops and functions too") {
  const ProgramText program = read_program(R"(module {
  func.func private @bits(%x: tensor<4xi32>) -> tensor<4xi32> {
    %0 = stablehlo.popcnt %x : tensor<4xi32>
    return %0 : tensor<4xi32>
  }
  func.func public @main(%x: tensor<4xi32>) -> tensor<4xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %n = stablehlo.constant dense<10> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %0:2 = stablehlo.while(%i = %c, %y = %x) : tensor<i32>, tensor<4xi32>
    cond {
      %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %e = stablehlo.count_leading_zeros %y : tensor<4xi32>
      %j = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %j, %e : tensor<i32>, tensor<4xi32>
    }
    %1 = func.call @bits(%0#1) : (tensor<4xi32>) -> tensor<4xi32>
    %2 = func.call @bits(%1) : (tensor<4xi32>) -> tensor<4xi32>
    return %2 : tensor<4xi32>
  }
}
)",
                                           "step.mlir");
  REQUIRE(program.unknown.size() == 2);
  CHECK(program.unknown[0].where.line == 15);
  CHECK(program.unknown[1].where.line == 3);
  const auto refused = [&](const auto& attempt) {
    try {
      attempt();
    } catch (const Error& error) {
      return error.number();
    }
    return 0;
  };
  CHECK(refused([&] { evaluate(program.graph, std::vector{Tensor{{DType::i32, {4}}}}); }) == 410);
}

TEST_CASE("narrow types are read as wider ones, to be judged, and not to be run") {
  for (const auto& [type, wider] : {std::pair{"i8", DType::i32},
                                    {"ui8", DType::i32},
                                    {"i16", DType::i32},
                                    {"ui16", DType::i32},
                                    {"i4", DType::i32},
                                    {"f8E4M3FN", DType::bf16},
                                    {"f4E2M1FN", DType::bf16}}) {
    const std::string tensor = "tensor<4x" + std::string{type} + ">";
    const std::string text =
        function("%x: " + tensor, tensor,
                 "    %0 = stablehlo.constant dense<3> : " + tensor + "\n    %1 = stablehlo.add %x, %0 : " + tensor +
                     "\n    return %1 : " + tensor);
    const ProgramText program = read_program(text);
    CHECK(program.graph.result_types() == std::vector{TensorType{wider, {4}}});
    CHECK(program.widened);
    REQUIRE(program.unknown.size() == 1);
    CHECK(program.unknown.front().number == 410);
    CHECK(program.unknown.front().sentence.find("has tensors of " + std::string{type} + ",") != std::string::npos);
    CHECK(refusal(text).number == 410);
  }
  const auto constant = [](const std::string& type, const std::string& bytes) {
    const std::string tensor = "tensor<2x" + type + ">";
    const ProgramText program = read_program(
        function("", tensor,
                 "    %0 = stablehlo.constant dense<\"" + bytes + "\"> : " + tensor + "\n    return %0 : " + tensor));
    return std::get<ConstantAttributes>(program.graph.nodes().front().attributes).value;
  };
  CHECK(constant("ui8", "0x02FF") == Tensor::of<std::int32_t>({2}, {2, 255}));
  CHECK(constant("i8", "0x02FF") == Tensor::of<std::int32_t>({2}, {2, -1}));
  CHECK(constant("i16", "0x0200FEFF") == Tensor::of<std::int32_t>({2}, {2, -2}));
  CHECK(constant("i32", "0x0200000001000000") == Tensor::of<std::int32_t>({2}, {2, 1}));
}

TEST_CASE("narrow types are multiplied and compared as wider ones, and their bits are not read") {
  const auto product = [](const std::string& left, const std::string& right, const std::string& asked) {
    const std::string types = "tensor<4x8x" + left + ">, tensor<8x2x" + right + ">",
                      result = "tensor<4x2x" + asked + ">";
    return read_program(function("%x: tensor<4x8x" + left + ">, %w: tensor<8x2x" + right + ">", result,
                                 "    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (" + types +
                                     ") -> " + result + "\n    return %0 : " + result))
        .graph.result_types();
  };
  CHECK(product("i8", "i8", "i32") == std::vector{TensorType{DType::i32, {4, 2}}});
  CHECK(product("i8", "i8", "f32") == std::vector{TensorType{DType::f32, {4, 2}}});
  CHECK(product("i8", "bf16", "f32") == std::vector{TensorType{DType::f32, {4, 2}}});
  CHECK(product("f32", "i4", "bf16") == std::vector{TensorType{DType::bf16, {4, 2}}});
  CHECK(product("f8E4M3FN", "f8E5M2", "f32") == std::vector{TensorType{DType::f32, {4, 2}}});
  CHECK_THROWS(product("i32", "bf16", "f32"));

  const auto compared = [](const std::string& type) {
    const std::string operand = "tensor<4x" + type + ">";
    return read_program(function("%x: " + operand, "tensor<4xi1>",
                                 "    %0 = stablehlo.compare LT, %x, %x, UNSIGNED : (" + operand + ", " + operand +
                                     ") -> tensor<4xi1>\n    return %0 : tensor<4xi1>"))
        .graph.nodes()
        .size();
  };
  CHECK(compared("ui8") == 1);
  CHECK_THROWS(compared("i32"));

  for (const auto& [from, to] : {std::pair{"4x4xi8", "4xf32"}, {"4xi16", "4xbf16"}, {"4xf8E5M2", "4xui8"}}) {
    const std::string operand = "tensor<" + std::string{from} + ">", result = "tensor<" + std::string{to} + ">";
    const std::string body =
        "    %0 = stablehlo.bitcast_convert %x : (" + operand + ") -> " + result + "\n    return %0 : " + result;
    const ProgramText program = read_program(function("%x: " + operand, result, body));
    CHECK(program.graph.nodes().front().op == Op::custom_call);
    CHECK(program.unknown.back().sentence.find("the bits of types that Octet does not have") != std::string::npos);
  }
}

TEST_CASE("a type that Octet does not have leaves nothing to judge by, and a collective of an odd reducer neither") {
  const auto number = [](const std::string& arguments, const std::string& results, const std::string& body) {
    try {
      read_program(function(arguments, results, body));
    } catch (const Error& error) {
      return error.number();
    }
    return 0;
  };
  CHECK(number("%x: tensor<4xcomplex<f32>>", "", "    return") == 410);
  CHECK(number("", "", "    %0 = stablehlo.constant dense<(1.0,2.0)> : tensor<complex<f32>>\n    return") == 410);
  CHECK(number("%x: tensor<4xi32>", "tensor<4xi32>",
               R"(    %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %1 = stablehlo.xor %a, %b : tensor<i32>
      stablehlo.return %1 : tensor<i32>
    }) : (tensor<4xi32>) -> tensor<4xi32>
    return %0 : tensor<4xi32>)") == 410);
  const auto summed = [&](const std::string& groups) {
    return number("%x: tensor<4xi32>", "tensor<4xi32>",
                  "    %0 = \"stablehlo.all_reduce\"(%x) <{replica_groups = " + groups + R"(}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %1 = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %1 : tensor<i32>
    }) : (tensor<4xi32>) -> tensor<4xi32>
    return %0 : tensor<4xi32>)");
  };
  CHECK(summed("dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>") == 0);
  CHECK(summed("dense<[[0, 2, 3], [1, -1, -1]]> : tensor<2x3xi64>") == 410);  // XLA takes groups of any size here
  CHECK(summed("dense<[[0, 2, 3], [2, -1, -1]]> : tensor<2x3xi64>") == 603);
  CHECK(summed("#stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = \"x\">]>") == 410);
  CHECK(summed("#groups") == 410);
  CHECK(summed("7 : i64") == 407);
  CHECK(number("%x: tensor<8xf32>", "tensor<8xf32>",
               "    %0 = sdy.named_computation<\"f\">(%x) in_shardings=[<@mesh, [{\"x\"}]>] out_shardings=[<@mesh, "
               "[{}]>] (%a: tensor<8xf32>) {\n      %1 = stablehlo.add %a, %a : tensor<8xf32>\n      sdy.return %1 : "
               "tensor<8xf32>\n    } : (tensor<8xf32>) -> tensor<8xf32>\n    return %0 : tensor<8xf32>") == 410);
  CHECK(number("%x: tensor<8xf32>", "tensor<2xf32>",
               "    %0 = stablehlo.custom_call @SPMDFullToShardShape(%x) {mhlo.sharding = \"{manual}\"} : "
               "(tensor<8xf32>) -> tensor<2xf32>\n    return %0 : tensor<2xf32>") == 410);
}
