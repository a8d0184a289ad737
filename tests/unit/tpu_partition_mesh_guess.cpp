// What cannot be known of programs that devices share along the axes of a mesh: what is the batch where nobody says it,
// and whether replicas do the same work.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>
import octet.base;
import octet.tpu;

#include "check_lines.hpp"

using namespace octet;

namespace {

const std::string head =
    "module @jit_step attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {\n"
    "  sdy.mesh @mesh = <[\"data\"=4, \"model\"=2]>\n  func.func public @main(";
const std::string updated = "tf.aliasing_output = 0 : i32";

std::string on(const std::string& axes) { return "sdy.sharding = #sdy.sharding<@mesh, [" + axes + "]>"; }
const std::string by_data = on("{\"data\"}, {}"), by_model = on("{\"model\"}, {}"), columns = on("{}, {\"model\"}");

std::string parameter(const std::string& name, const std::string& type, const std::string& attributes) {
  return "%" + name + ": tensor<" + type + ">" + (attributes.empty() ? "" : " {" + attributes + "}");
}
Readiness judged(const std::vector<std::string>& parameters, const std::string& type, const std::string& body,
                 std::vector<std::string> batch = {}) {
  std::string text = head;
  for (const std::string& each : parameters) text += (&each == parameters.data() ? "" : ", ") + each;
  return check_stablehlo(text + ") -> tensor<" + type + "> {\n" + body + "  }\n}\n", "step.mlir", tpu::slice("v3-8"),
                         {.batch = std::move(batch)});
}
bool asks(const Readiness& readiness) {
  return readiness.line("compiles").number() == 410 && mentions(readiness.line("compiles"), "--batch-argument NAME");
}

/// A product of matrices, contracted over columns and rows.
std::string product(const std::string& name, const std::string& of, const std::string& types) {
  return "    %" + name + " = stablehlo.dot_general " + of + ", contracting_dims = [1] x [0] : " + types + "\n";
}
const std::string forward =
    product("0", "%x, %w", "(tensor<256x128xf32>, tensor<128x256xf32>) -> tensor<256x256xf32>") +
    product("1", "%0, %v", "(tensor<256x256xf32>, tensor<256x128xf32>) -> tensor<256x128xf32>");

/// Two layers on the batch `x`.
Readiness two_layers(const std::string& w, const std::string& v, const std::string& x,
                     std::vector<std::string> batch = {}) {
  return judged({parameter("w", "128x256xf32", w), parameter("v", "256x128xf32", v), parameter("x", "256x128xf32", x)},
                "256x128xf32", forward + "    return %1 : tensor<256x128xf32>\n", std::move(batch));
}
/// One layer whose weights are learned.
Readiness learned(const std::string& w, const std::string& x, std::vector<std::string> batch = {}) {
  return judged(
      {parameter("w", "128x128xf32", w), parameter("x", "256x128xf32", x)}, "128x128xf32",
      product("0", "%x, %w", "(tensor<256x128xf32>, tensor<128x128xf32>) -> tensor<256x128xf32>") +
          R"(    %1 = stablehlo.dot_general %x, %0, contracting_dims = [0] x [0] : (tensor<256x128xf32>, tensor<256x128xf32>) -> tensor<128x128xf32>
    %2 = stablehlo.subtract %w, %1 : tensor<128x128xf32>
    return %2 : tensor<128x128xf32>
)",
      std::move(batch));
}
/// Examples along the second dimension.
Readiness second_dimension(std::vector<std::string> batch) {
  return judged(
      {parameter("w", "128x128xf32", updated), parameter("x", "4x64x128xf32", on("{}, {\"data\"}, {}"))}, "128x128xf32",
      R"(    %0 = stablehlo.dot_general %x, %x, contracting_dims = [0, 1] x [0, 1] : (tensor<4x64x128xf32>, tensor<4x64x128xf32>) -> tensor<128x128xf32>
    %1 = stablehlo.subtract %w, %0 : tensor<128x128xf32>
    return %1 : tensor<128x128xf32>
)",
      std::move(batch));
}

}  // namespace

TEST_CASE("weights are not taken for the batch, where nobody says what it is") {
  CHECK(asks(two_layers(columns, by_model, by_data)));  // of one extent, and cut over other devices
  CHECK(asks(two_layers("", by_model, "")));            // rows that a product sums
  CHECK(asks(two_layers("", by_data, by_data)));
  CHECK(mentions(two_layers(columns, by_model, by_data, {"x"}).line("batch"), "'x': f32[64, 128] for each"));
  CHECK(mentions(two_layers("", "", by_data).line("batch"), "'x': f32[64, 128] for each"));
  const std::string type = "(tensor<256x128xf32>, tensor<128x256xf32>) -> tensor<256x256xf32>";
  const std::string bias =
      R"(    %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<256xf32>) -> tensor<256x256xf32>
    %2 = stablehlo.add %0, %1 : tensor<256x256xf32>
    return %2 : tensor<256x256xf32>
)";
  for (const std::string& x : {by_data, std::string{}})
    CHECK(asks(judged({parameter("w", "128x256xf32", x.empty() ? "" : columns),
                       parameter("b", "256xf32", on("{\"model\"}")), parameter("x", "256x128xf32", x)},
                      "256x256xf32", product("0", "%x, %w", type) + bias)));
  CHECK(asks(judged(
      {parameter("t", "1000x64xf32", by_model), parameter("i", "32x1xi32", "")}, "32x64xf32",
      R"(    %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 64>}> : (tensor<1000x64xf32>, tensor<32x1xi32>) -> tensor<32x64xf32>
    return %0 : tensor<32x64xf32>
)")));
  CHECK(asks(judged(
      {parameter("w", "8x64x64xf32", on("{\"model\"}, {}, {}")), parameter("x", "8x32x64xf32", "")},
      "8x32x64xf32",  // experts
      R"(    %0 = stablehlo.dot_general %x, %w, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x32x64xf32>, tensor<8x64x64xf32>) -> tensor<8x32x64xf32>
    return %0 : tensor<8x32x64xf32>
)")));
}

TEST_CASE("rows of weights that shard_map passes are not taken for the batch beside columns") {
  CHECK(asks(judged(
      {parameter("w", "128x64xf32", ""), parameter("x", "256x128xf32", "")}, "256x64xf32",
      R"(    %0 = sdy.manual_computation(%w, %x) in_shardings=[<@mesh, [{"model"}, {}]>, <@mesh, [{}, {"model"}]>] out_shardings=[<@mesh, [{}, {}]>] manual_axes={"data", "model"} (%a: tensor<64x64xf32>, %b: tensor<256x64xf32>) {
      %p = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<256x64xf32>, tensor<64x64xf32>) -> tensor<256x64xf32>
      sdy.return %p : tensor<256x64xf32>
    } : (tensor<128x64xf32>, tensor<256x128xf32>) -> tensor<256x64xf32>
    return %0 : tensor<256x64xf32>
)")));
}

TEST_CASE("a batch that is cut along another dimension is no weight") {
  CHECK(asks(second_dimension({})));
  const CheckLine named = second_dimension({"x"}).line("compiles");
  CHECK(named.number() == 410);
  CHECK(mentions(named, "'x' is to hold the batch, and is cut along dimension 1"));
}

TEST_CASE("replicas that do the same work are told of") {
  const auto batch = [](const Readiness& readiness) { return readiness.line("batch"); };
  const auto same = [&](const CheckLine& line, const std::string& how_many) {
    return line.verdict == Verdict::warn && mentions(line, how_many + " do the same work");
  };
  CHECK(same(batch(learned(updated, by_data)), "2 replicas each"));
  CHECK(same(batch(learned(updated + ", " + by_data, by_data, {"x"})), "2 replicas each"));
  const CheckLine shared = batch(learned(updated + ", " + columns, by_data, {"x"}));
  CHECK(shared.verdict == Verdict::pass);
  CHECK(mentions(shared, "2 replicas each are given the same share, and compute with their own parts of the rest"));
  CHECK(batch(learned(updated, on("{\"data\", \"model\"}, {}"))).verdict == Verdict::pass);
  const Readiness whole = learned(updated, "", {"x"});
  CHECK(same(batch(whole), "all 8 replicas"));
  const Readiness nothing = judged({parameter("x", "256x128xf32", "")}, "256x128xf32",
                                   R"(    %0 = stablehlo.negate %x : tensor<256x128xf32>
    return %0 : tensor<256x128xf32>
)",
                                   {"x"});
  CHECK(same(batch(nothing), "all 8 replicas"));
  CHECK(nothing.line("scope").finding == "Each of 8 replicas is given all of the batch, and nothing is kept.");
}

TEST_CASE("parts of the same examples are no same share") {
  const Readiness readiness = judged({parameter("x", "256x128xf32", on("{\"data\"}, {\"model\"}"))}, "256x128xf32",
                                     R"(    %0 = stablehlo.negate %x : tensor<256x128xf32>
    return %0 : tensor<256x128xf32>
)",
                                     {"x"});
  CHECK(mentions(readiness.line("batch"), "2 replicas each are given parts of the same examples"));
}

TEST_CASE("an order of devices in which no steps are equal is not judged") {
  const auto of = [](const std::string& devices) {
    const std::string cut = "mhlo.sharding = \"{devices=[8,1]" + devices + "}\"";
    return judged({parameter("x", "256x128xf32", cut)}, "256x128xf32",
                  R"(    %0 = stablehlo.negate %x : tensor<256x128xf32>
    return %0 : tensor<256x128xf32>
)",
                  {"x"});
  };
  CHECK(of("0,2,4,6,1,5,3,7").line("compiles").number() == 410);
  CHECK(of("0,2,4,6,1,3,5,7").ready());
}

TEST_CASE("rounds of collectives in a loop are told of where all that is updated is cut") {
  const Readiness readiness =
      judged({parameter("w", "128x128xf32", updated + ", " + columns), parameter("x", "256x128xf32", by_data)},
             "128x128xf32", R"(    %z = stablehlo.constant dense<0> : tensor<i32>
    %g = stablehlo.constant dense<0.0> : tensor<128x128xf32>
    %0:4 = stablehlo.while(%i = %z, %xs = %x, %u = %w, %sum = %g) : tensor<i32>, tensor<256x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>
    cond {
      %n = stablehlo.constant dense<8> : tensor<i32>
      %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %y = stablehlo.dot_general %xs, %u, contracting_dims = [1] x [0] : (tensor<256x128xf32>, tensor<128x128xf32>) -> tensor<256x128xf32>
      %d = stablehlo.dot_general %xs, %y, contracting_dims = [0] x [0] : (tensor<256x128xf32>, tensor<256x128xf32>) -> tensor<128x128xf32>
      %s = stablehlo.add %sum, %d : tensor<128x128xf32>
      %j = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %j, %xs, %u, %s : tensor<i32>, tensor<256x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>
    }
    %v = stablehlo.subtract %w, %0#3 : tensor<128x128xf32>
    return %v : tensor<128x128xf32>
)",
             {"x"});
  INFO(to_string(readiness));
  CHECK(readiness.line("gradients").verdict == Verdict::warn);
  CHECK(readiness.line("gradients").number() == 611);
}

TEST_CASE("of a constant of one number each device has its part") {
  const auto memory = [](const std::string& constant) {
    return figure(
        judged(
            {parameter("x", "4096x512xf32", by_data)}, "4096x512xf32",
            constant + "    %0 = stablehlo.add %x, %c : tensor<4096x512xf32>\n    return %0 : tensor<4096x512xf32>\n",
            {"x"})
            .line("memory"),
        "temporary_bytes");
  };
  CHECK(memory("    %c = stablehlo.constant dense<2.0> : tensor<4096x512xf32>\n") ==
        memory(
            "    %s = stablehlo.constant dense<2.0> : tensor<f32>\n    %c = stablehlo.broadcast_in_dim %s, dims = [] : "
            "(tensor<f32>) -> tensor<4096x512xf32>\n"));
}

TEST_CASE("axes that go on where another ends are one, in all notations") {
  const std::string both = on("{\"data\", \"model\"}, {}"), tiles = "mhlo.sharding = \"{devices=[8,1]<=[8]}\"";
  const auto gradients = [](const std::string& cut) {
    return learned(updated + ", " + cut, cut, {"x"}).line("gradients");
  };
  CHECK(figure(gradients(both), "collectives") == figure(gradients(tiles), "collectives"));
  CHECK(figure(gradients(both), "collective_bytes") == figure(gradients(tiles), "collective_bytes"));
}
