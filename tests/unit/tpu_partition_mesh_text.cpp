// Texts of programs that devices share along the axes of a mesh, as JAX prints them with GSPMD and with Shardy: what is
// judged of them.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>
import octet.base;
import octet.graph;
import octet.tpu;

#include "check_lines.hpp"

using namespace octet;

namespace {

const std::string head = "module @jit_step attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {\n";
const std::string mesh = "  sdy.mesh @mesh = <[\"data\"=4, \"model\"=2]>\n";

/// How the weights of two layers and the batch are cut, in one notation.
struct Cuts {
  std::string columns, rows, batch;
};
std::string gspmd(const std::string& devices) { return "mhlo.sharding = \"{devices=" + devices + "}\""; }
std::string shardy(const std::string& axes) { return "sdy.sharding = #sdy.sharding<@mesh, [" + axes + "]>"; }
const Cuts by_gspmd{gspmd("[1,2,4]<=[4,2]T(1,0) last_tile_dim_replicate"),
                    gspmd("[2,1,4]<=[4,2]T(1,0) last_tile_dim_replicate"),
                    gspmd("[4,1,2]<=[8] last_tile_dim_replicate")};
const Cuts by_list{gspmd("[1,2,4]0,2,4,6,1,3,5,7 last_tile_dim_replicate"),
                   gspmd("[2,1,4]0,2,4,6,1,3,5,7 last_tile_dim_replicate"),
                   gspmd("[4,1,2]0,1,2,3,4,5,6,7 last_tile_dim_replicate")};
const Cuts by_shardy{shardy("{}, {\"model\"}"), shardy("{\"model\"}, {}"), shardy("{\"data\"}, {}")};

/// Two layers, and what is returned of a step: the second layer as it is learned, or what it gives.
std::string program(const Cuts& cuts, bool learns) {
  const std::string type = learns ? "tensor<1024x128xf32>" : "tensor<256x128xf32>";
  return head + mesh + "  func.func public @main(%w: tensor<128x1024xf32> {" + cuts.columns +
         "}, %v: tensor<1024x128xf32> {" + (learns ? "tf.aliasing_output = 0 : i32, " : "") + cuts.rows +
         "}, %x: tensor<256x128xf32> {" + cuts.batch + "}) -> " + type + R"( {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<256x128xf32>, tensor<128x1024xf32>) -> tensor<256x1024xf32>
    %1 = stablehlo.tanh %0 : tensor<256x1024xf32>
    %2 = stablehlo.dot_general %1, %v, contracting_dims = [1] x [0] : (tensor<256x1024xf32>, tensor<1024x128xf32>) -> tensor<256x128xf32>
    %3 = stablehlo.dot_general %1, %2, contracting_dims = [0] x [0] : (tensor<256x1024xf32>, tensor<256x128xf32>) -> tensor<1024x128xf32>
    %4 = stablehlo.subtract %v, %3 : tensor<1024x128xf32>
    return )" +
         (learns ? "%4" : "%2") + " : " + type + "\n  }\n}\n";
}
std::string step(const Cuts& cuts) { return program(cuts, true); }

}  // namespace

TEST_CASE("data and tensor parallelism on a mesh is judged as each device runs it, in every notation") {
  for (const Cuts& cuts : {by_gspmd, by_list, by_shardy}) {
    const Readiness readiness = check_stablehlo(step(cuts), "step.mlir", tpu::slice("v3-8"), {.batch = {"x"}});
    INFO(to_string(readiness));
    CHECK(readiness.ready());
    CHECK(mentions(readiness.line("batch"), "'x': f32[64, 128] for each of 8 replicas"));
    CHECK(mentions(readiness.line("scope"), "a part of 2 parameters"));
    CHECK(mentions(readiness.line("batch"), "2 replicas each are given the same share"));
    const double step = figure(readiness.line("input"), "step_seconds");
    CHECK(std::abs(figure(readiness.line("input"), "needed_examples_per_second") * step - 256) < 1e-6);
    CHECK(readiness.line("gradients").verdict == Verdict::pass);
    CHECK(figure(readiness.line("gradients"), "collectives") == 2);
    CHECK(figure(readiness.line("gradients"), "collective_bytes") == (64 * 128 + 512 * 128) * 4);
    CHECK(figure(readiness.line("memory"), "parameter_bytes") == (128 * 512 + 512 * 128 + 64 * 128) * 4);
  }
}

TEST_CASE("tensor parallelism alone has one batch for all, and its collectives are judged") {
  const Cuts cuts{gspmd("[1,8]<=[8]"), gspmd("[8,1]<=[8]"), "mhlo.sharding = \"{replicated}\""};
  for (const bool learns : {true, false}) {
    const Readiness readiness = check_stablehlo(program(cuts, learns), "step.mlir", tpu::slice("v3-8"));
    INFO(to_string(readiness));
    CHECK(readiness.ready());
    CHECK(mentions(readiness.line("batch"), "compute with the same batch, and each with its own part of 2 parameters"));
    CHECK(figure(readiness.line("gradients"), "collectives") == 1);
    CHECK(mentions(readiness.line("input"), "All replicas take the same batch"));
    CHECK(figure(readiness.line("memory"), "parameter_bytes") == (128 * 128 + 128 * 128 + 256 * 128) * 4);
  }
}

TEST_CASE("weights of several lengths that are cut are no batch, where all is computed with parts of them") {
  const auto of = [](const std::string& columns) {
    return check_stablehlo(
        head + "  sdy.mesh @mesh = <[\"model\"=8]>\n  func.func public @main(%u: tensor<128x512xf32> {" +
            by_shardy.columns + "}, %v: tensor<512x128xf32> {" + by_shardy.rows + "}, %w: tensor<128x1024xf32> {" +
            columns + "}, %b: tensor<1024xf32> {" + shardy("{\"model\"}") +
            "}, %x: tensor<256x128xf32>) -> tensor<256x1024xf32> {" + R"(
    %0 = stablehlo.dot_general %x, %u, contracting_dims = [1] x [0] : (tensor<256x128xf32>, tensor<128x512xf32>) -> tensor<256x512xf32>
    %1 = stablehlo.dot_general %0, %v, contracting_dims = [1] x [0] : (tensor<256x512xf32>, tensor<512x128xf32>) -> tensor<256x128xf32>
    %2 = stablehlo.dot_general %1, %w, contracting_dims = [1] x [0] : (tensor<256x128xf32>, tensor<128x1024xf32>) -> tensor<256x1024xf32>
    %3 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<1024xf32>) -> tensor<256x1024xf32>
    %4 = stablehlo.add %2, %3 : tensor<256x1024xf32>
    return %4 : tensor<256x1024xf32>
  }
}
)",
        "forward.mlir", tpu::slice("v3-8"));
  };
  const Readiness readiness = of(by_shardy.columns);
  INFO(to_string(readiness));
  CHECK(readiness.ready());
  CHECK(readiness.line("batch").finding ==
        "All 8 replicas compute with the same batch, and each with its own part of 4 parameters.");
  const Readiness rows = of(shardy("{\"model\"}, {}"));  // gathered, so that nothing says that it is a weight
  CHECK(rows.line("compiles").number() == 410);
  CHECK(mentions(rows.line("compiles"), "--batch-argument NAME"));
}

TEST_CASE("a batch over all devices and weights over some of them is judged, also where an axis is named in parts") {
  const auto of = [](const std::string& batch, const std::string& weights) {
    return check_stablehlo(step({weights, weights, batch}), "step.mlir", tpu::slice("v3-8"), {.batch = {"x"}});
  };
  for (const Readiness& readiness : {of(gspmd("[8,1]<=[8]"), gspmd("[2,1,4]<=[4,2]T(1,0) last_tile_dim_replicate")),
                                     of(shardy("{\"data\", \"model\"}, {}"), shardy("{\"model\"}, {}")),
                                     of("sdy.sharding = #sdy.sharding<mesh<[\"a\"=8]>, [{\"a\"}, {}]>",
                                        "sdy.sharding = #sdy.sharding<mesh<[\"a\"=8]>, [{\"a\":(4)2}, {}]>")}) {
    INFO(to_string(readiness));
    CHECK(readiness.ready());
    CHECK(mentions(readiness.line("batch"), "'x': f32[32, 128] for each of 8 replicas"));
    CHECK(figure(readiness.line("memory"), "parameter_bytes") == (64 * 1024 + 512 * 128 + 32 * 128) * 4);
  }
}

TEST_CASE("a bias of as many numbers as the batch has examples is no batch") {
  const std::string cut = "{mhlo.sharding = \"{devices=[8,1]<=[8]}\"}";
  const Readiness readiness = check_stablehlo(head +
                                                  "  func.func public @main(%b: tensor<128xf32> {mhlo.sharding = "
                                                  "\"{devices=[8]<=[8]}\"}, %x: tensor<128x128xf32> " +
                                                  cut + R"() -> tensor<128x128xf32> {
    %0 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<128xf32>) -> tensor<128x128xf32>
    %1 = stablehlo.add %x, %0 : tensor<128x128xf32>
    return %1 : tensor<128x128xf32>
  }
}
)",
                                              "bias.mlir", tpu::slice("v3-8"));
  INFO(to_string(readiness));
  CHECK(readiness.ready());
  CHECK(mentions(readiness.line("batch"), "f32[16, 128] for each of 8 replicas"));
  CHECK(figure(readiness.line("memory"), "parameter_bytes") == (128 + 16 * 128) * 4);
}

TEST_CASE("a batch that is reshaped to microbatches stays in parts, and is exchanged where the text asks for it") {
  const auto of = [](const std::string& body, const std::string& type) {
    ProgramText program = read_program(
        head + mesh + "  func.func public @main(%x: tensor<256x8xf32>) -> " + type +
        " {\n    %0 = stablehlo.reshape %x : (tensor<256x8xf32>) -> tensor<4x64x8xf32>\n" + body + "  }\n}\n");
    return tpu::one_part(program.graph, {{0, {.dimension = 0, .of_batch = true}}}, 8);
  };
  const Graph back = of(R"(    %1 = stablehlo.add %0, %0 : tensor<4x64x8xf32>
    %2 = stablehlo.reshape %1 : (tensor<4x64x8xf32>) -> tensor<256x8xf32>
    return %2 : tensor<256x8xf32>
)",
                        "tensor<256x8xf32>");
  CHECK(back.result_types() == std::vector{TensorType{DType::f32, {32, 8}}});
  CHECK(std::ranges::none_of(back.nodes(), [](const Node& node) { return is_collective(node.op); }));
  const Graph asked = of(
      R"(    %1 = sdy.sharding_constraint %0 <@mesh, [{}, {"data", "model"}, {}]> : tensor<4x64x8xf32>
    return %1 : tensor<4x64x8xf32>
)",
      "tensor<4x64x8xf32>");
  CHECK(asked.result_types() == std::vector{TensorType{DType::f32, {4, 8, 8}}});
  CHECK(std::ranges::count(asked.nodes(), Op::all_to_all, &Node::op) == 1);
}

TEST_CASE("of a product that is cut in two ways, what is asked for decides which operand is gathered") {
  const auto gathered = [](const std::string& asked) {
    ProgramText program =
        read_program(head + mesh +
                     R"(  func.func public @main(%x: tensor<64x32xf32>, %w: tensor<32x16xf32>) -> tensor<64x16xf32> {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x16xf32>) -> tensor<64x16xf32>
)" + asked + "    return %1 : tensor<64x16xf32>\n  }\n}\n");
    const Graph part = tpu::one_part(
        program.graph, std::map<std::size_t, tpu::MeshSharding>{{0, {{{0, 2, 1}}}}, {1, {{{1, 2, 1}}}}}, 8, {});
    for (const Node& node : part.nodes())
      if (node.op == Op::all_gather) return part.type(node.outputs[0]).shape;
    return Shape{};
  };
  CHECK(gathered("    %1 = stablehlo.negate %0 : tensor<64x16xf32>\n") == Shape{32, 16});  // the smaller
  CHECK(gathered("    %1 = sdy.sharding_constraint %0 <@mesh, [{}, {\"model\"}]> : tensor<64x16xf32>\n") ==
        Shape{64, 32});
}

TEST_CASE("a program of one device within one of a mesh has its parts along all axes") {
  const auto of = [](const std::string& body) {
    return read_program(head + mesh +
                        R"(  func.func public @main(%x: tensor<16x8xf32>, %w: tensor<8x4xf32>) -> tensor<16x4xf32> {
)" + body + "    %1 = stablehlo.negate %0 : tensor<16x4xf32>\n    return %1 : tensor<16x4xf32>\n  }\n}\n")
        .graph;
  };
  const Graph whole =
      of("    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<16x8xf32>, tensor<8x4xf32>) -> "
         "tensor<16x4xf32>\n");
  const Graph mapped = of(
      R"(    %0 = sdy.manual_computation(%x, %w) in_shardings=[<@mesh, [{"data"}, {"model"}]>, <@mesh, [{"model"}, {}]>] out_shardings=[<@mesh, [{"data"}, {}]>] manual_axes={"data", "model"} (%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) {
      %p = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      %s = "stablehlo.all_reduce"(%p) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%l: tensor<f32>, %r: tensor<f32>):
        %t = stablehlo.add %l, %r : tensor<f32>
        stablehlo.return %t : tensor<f32>
      }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
      sdy.return %s : tensor<4x4xf32>
    } : (tensor<16x8xf32>, tensor<8x4xf32>) -> tensor<16x4xf32>
)");
  const Graph part =
      tpu::one_part(mapped, std::map<std::size_t, tpu::MeshSharding>{{0, {{{0, 4, 2}}, true}}}, 8, {{0, {}}});
  verify(part);
  std::vector<Tensor> arguments;
  for (const TensorType& type : whole.parameter_types()) {
    Tensor tensor{type};
    float next = 0;
    for (float& each : tensor.mutable_span<float>()) each = next = next > 5 ? 0 : next + 1;
    arguments.push_back(std::move(tensor));
  }
  std::vector<std::vector<Tensor>> each;
  for (std::int64_t d = 0; d < 8; ++d) {
    Tensor rows{{DType::f32, {4, 8}}};
    const auto from = arguments[0].span<float>().subspan(static_cast<std::size_t>(d / 2 * 32), 32);
    std::ranges::copy(from, rows.mutable_span<float>().begin());
    each.push_back({rows, arguments[1]});
  }
  const Tensor expected = evaluate(whole, arguments)[0];
  for (const std::vector<Tensor>& own : evaluate(part, each)) CHECK(own[0] == expected);
}

TEST_CASE("shard_map around a step on a mesh is judged, but for what devices agree on along its axes") {
  const Readiness readiness = check_stablehlo(
      head + mesh +
          R"(  func.func public @main(%v: tensor<1024x128xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<256x1024xf32>) -> tensor<1024x128xf32> {
    %0 = sdy.manual_computation(%v, %x) in_shardings=[<@mesh, [{"model"}, {}]>, <@mesh, [{"data"}, {"model"}]>] out_shardings=[<@mesh, [{"model"}, {}]>] manual_axes={"data", "model"} (%a: tensor<512x128xf32>, %b: tensor<64x512xf32>) {
      %p = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<64x512xf32>, tensor<512x128xf32>) -> tensor<64x128xf32>
      %s = "stablehlo.all_reduce"(%p) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%l: tensor<f32>, %r: tensor<f32>):
        %t = stablehlo.add %l, %r : tensor<f32>
        stablehlo.return %t : tensor<f32>
      }) : (tensor<64x128xf32>) -> tensor<64x128xf32>
      %g = stablehlo.dot_general %b, %s, contracting_dims = [0] x [0] : (tensor<64x512xf32>, tensor<64x128xf32>) -> tensor<512x128xf32>
      %n = stablehlo.subtract %a, %g : tensor<512x128xf32>
      sdy.return %n : tensor<512x128xf32>
    } : (tensor<1024x128xf32>, tensor<256x1024xf32>) -> tensor<1024x128xf32>
    return %0 : tensor<1024x128xf32>
  }
}
)",
      "step.mlir", tpu::slice("v3-8"));
  INFO(to_string(readiness));
  CHECK(readiness.count(Verdict::fail) == 0);
  CHECK(mentions(readiness.line("gradients"), "which devices agree on what is not followed"));
  CHECK(mentions(readiness.line("batch"), "f32[64, 512] for each of 8 replicas"));
  CHECK(figure(readiness.line("memory"), "parameter_bytes") == (512 * 128 + 64 * 512) * 4);
}
