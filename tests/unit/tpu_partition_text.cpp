// Texts of programs that devices share, as JAX lowers them: what is judged of them, and what is not.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>
import octet.base;
import octet.graph;
import octet.tpu;

#include "check_lines.hpp"

using namespace octet;

namespace {

/// A step as JAX lowers it for a mesh of eight devices.
std::string step_of_jax(const std::string& module, const std::string& weights, const std::string& batch) {
  return module + R"(  func.func public @main(%arg0: tensor<128x128xf32> {tf.aliasing_output = 0 : i32)" + weights +
         R"(} loc("w"), %arg1: tensor<1024x128xf32> {)" + batch + R"(} loc("x")) -> (tensor<128x128xf32>, tensor<f32>) {
    %0 = stablehlo.dot_general %arg1, %arg0, contracting_dims = [1] x [0] : (tensor<1024x128xf32>, tensor<128x128xf32>) -> tensor<1024x128xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<1024x128xf32>, tensor<f32>) -> tensor<f32>
    %2 = stablehlo.dot_general %arg1, %0, contracting_dims = [0] x [0] : (tensor<1024x128xf32>, tensor<1024x128xf32>) -> tensor<128x128xf32>
    %3 = stablehlo.subtract %arg0, %2 : tensor<128x128xf32>
    return %3, %1 : tensor<128x128xf32>, tensor<f32>
  }
}
)";
}
const std::string parted_module =
    "module @jit_step attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {\n";
const std::string mesh =
    "  sdy.mesh @mesh = <[\"batch\"=8, \"model\"=1]> {stablehlo.mesh = {axes = [{name = \"batch\", size = 8 : "
    "i64}]}}\n";

TensorType f32(const Shape& shape) { return {DType::f32, shape}; }
std::ptrdiff_t count(const Graph& graph, Op op) {
  return std::ranges::count(graph.nodes(), op, [](const Node& node) { return node.op; });
}

}  // namespace

TEST_CASE("a program that JAX partitions by the batch is judged as one replica of it, by what its text says") {
  for (const auto& [head, weights, batch] :
       {std::tuple{parted_module, ", mhlo.sharding = \"{replicated}\"", "mhlo.sharding = \"{devices=[8,1]<=[8]}\""},
        {parted_module, ", mhlo.sharding = \"{devices=[1,1,8]<=[8] last_tile_dim_replicate}\"",
         "mhlo.sharding = \"{devices=[8,1]0,1,2,3,4,5,6,7}\""},
        {parted_module + mesh, ", sdy.sharding = #sdy.sharding<@mesh, [{}, {\"model\"}]>",
         "sdy.sharding = #sdy.sharding<@mesh, [{\"batch\"}, {}]>"}}) {
    const Readiness readiness = check_stablehlo(step_of_jax(head, weights, batch), "step.mlir", tpu::slice("v3-8"));
    INFO(to_string(readiness));
    CHECK(readiness.ready());
    CHECK(readiness.line("batch").verdict == Verdict::pass);
    CHECK(mentions(readiness.line("batch"), "'x': f32[128, 128] for each of 8 replicas"));
    CHECK(readiness.line("gradients").verdict == Verdict::pass);
    CHECK(figure(readiness.line("memory"), "parameter_bytes") == 2 * 128 * 128 * 4);
  }
}

TEST_CASE("weights that JAX cuts are each device's own part, in the arguments and in the results") {
  const std::string rows = "mhlo.sharding = \"{devices=[8,1]<=[8]}\"",
                    columns = "mhlo.sharding = \"{devices=[1,8]<=[8]}\"";
  for (const std::string& weights : {rows, columns}) {
    const Readiness readiness =
        check_stablehlo(step_of_jax(parted_module, ", " + weights, rows), "step.mlir", tpu::slice("v3-8"));
    INFO(to_string(readiness));
    CHECK(readiness.ready());
    CHECK(mentions(readiness.line("batch"), "'x': f32[128, 128] for each of 8 replicas"));
    CHECK(mentions(readiness.line("scope"), "its own part of 1 parameter"));
    CHECK(readiness.line("gradients").verdict == Verdict::pass);
    CHECK(figure(readiness.line("memory"), "parameter_bytes") == (128 * 128 + 16 * 128) * 4);
  }
}

TEST_CASE("whatever devices share besides the batch is not judged, and fails nothing") {
  const auto of = [](const std::string& head, const std::string& weights, const std::string& batch) {
    return check_stablehlo(step_of_jax(head, weights, batch), "step.mlir", tpu::slice("v3-8"));
  };
  const std::string cut = "mhlo.sharding = \"{devices=[8,1]<=[8]}\"", none = ", mhlo.sharding = \"{replicated}\"";
  for (const Readiness& readiness : {
           of(parted_module, none, "mhlo.sharding = \"{devices=[1,8]<=[8]}\""),
           of(parted_module, none, "mhlo.sharding = \"{devices=[1,1,8]<=[8]}\""),
           of(parted_module, none, "mhlo.sharding = \"{devices=[\""),
           of(parted_module, ", mhlo.sharding = \"{maximal device=0}\"", cut),
           of(parted_module, none, "sdy.sharding = #sdy.sharding<@mesh, [{\"batch\"}, {}]>"),
           of(parted_module + mesh, none, "sdy.sharding = #sdy.sharding<@mesh, [{\"batch\":(1)3}, {}]>"),
           of(parted_module + mesh, none, "sdy.sharding = #sdy.sharding<@mesh, [{\"batch\"}, {\"batch\"}]>"),
           of(parted_module, none, "mhlo.sharding = \"{devices=[8,1]0,1,2,3,4,5,7,6}\""),
           of(parted_module, none, "mhlo.sharding = \"{devices=[8,1]<=[2,4]T(1,1)}\""),
           of("module @jit_step attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 2 : i32} {\n", none,
              cut),
       }) {
    INFO(to_string(readiness));
    CHECK(!readiness.ready());
    CHECK(!readiness.known());
    CHECK(readiness.count(Verdict::fail) == 0);
    CHECK(readiness.line("compiles").verdict == Verdict::not_judged);
    CHECK(readiness.line("compiles").number() == 410);
  }
  CHECK(of(parted_module, none, "sdy.sharding = #sdy.sharding<mesh<[\"a\"=8]>, [{\"a\"}, {}]>").ready());
}

TEST_CASE("a sharding that the body asks for is followed") {
  const auto of = [](const std::string& asked) {
    ProgramText program =
        read_program(parted_module + mesh + R"(  func.func public @main(%x: tensor<16x32xf32>) -> tensor<16x32xf32> {
    %0 = stablehlo.add %x, %x : tensor<16x32xf32>
    %1 = )" + asked + R"(
    %2 = stablehlo.multiply %1, %1 : tensor<16x32xf32>
    return %2 : tensor<16x32xf32>
  }
}
)");
    return tpu::one_part(program.graph, {{0, {.dimension = 0, .of_batch = true}}}, 8);
  };
  const auto sdy = [](const std::string& axes) {
    return "sdy.sharding_constraint %0 <@mesh, [" + axes + "]> : tensor<16x32xf32>";
  };
  const auto call = [](const std::string& sharding, const std::string& config = "") {
    return "stablehlo.custom_call @Sharding(%0) {backend_config = \"" + config + "\", mhlo.sharding = \"" + sharding +
           "\"} : (tensor<16x32xf32>) -> tensor<16x32xf32>";
  };
  for (const std::string& same : {sdy("{\"batch\"}, {\"model\"}"), sdy("{?}, {?}"), call("{devices=[8,1]<=[8]}"),
                                  call("{replicated}", "unspecified_dims=[0,1]")}) {
    INFO(same);
    CHECK(of(same).result_types() == std::vector{f32({2, 32})});
    CHECK(std::ranges::none_of(of(same).nodes(), [](const Node& node) { return is_collective(node.op); }));
  }
  for (const std::string& whole : {sdy("{}, {}"), call("{replicated}")}) {
    CHECK(count(of(whole), Op::all_gather) == 1);
    CHECK(of(whole).result_types() == std::vector{f32({16, 32})});
  }
  for (const std::string& other : {sdy("{}, {\"batch\"}"), call("{devices=[1,8]<=[8]}")}) {
    CHECK(count(of(other), Op::all_to_all) == 1);
    CHECK(of(other).result_types() == std::vector{f32({16, 4})});
  }
  const Graph both = of(call("{devices=[4,2]<=[8]}"));
  CHECK(count(both, Op::all_to_all) == 1);
  CHECK(both.result_types() == std::vector{f32({4, 16})});
}

TEST_CASE("a part of a step that is a program of one device is a part of what one device runs") {
  const auto step = [](const std::string& weights, const std::string& mapped) {
    return parted_module + mesh + "  func.func public @main(%w: tensor<64x64xf32> {tf.aliasing_output = 0 : i32" +
           weights +
           R"(} loc("w"), %x: tensor<16x64xf32> {mhlo.sharding = "{devices=[8,1]<=[8]}"} loc("x")) -> tensor<64x64xf32> {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<16x64xf32>, tensor<64x64xf32>) -> tensor<16x64xf32>
)" + mapped +
           R"(
    %2 = stablehlo.dot_general %x, %1, contracting_dims = [0] x [0] : (tensor<16x64xf32>, tensor<16x64xf32>) -> tensor<64x64xf32>
    %3 = stablehlo.subtract %w, %2 : tensor<64x64xf32>
    return %3 : tensor<64x64xf32>
  }
)";
  };
  const std::string body = R"(
      %m = "stablehlo.all_reduce"(%arg) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %s = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %s : tensor<f32>
      }) : (tensor<2x64xf32>) -> tensor<2x64xf32>
      %p = stablehlo.multiply %arg, %m : tensor<2x64xf32>
)";
  const auto shardy = [&](const std::string& axes) {
    return "    %1 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{\"batch\"}, {}]>] out_shardings=[<@mesh, "
           "[{\"batch\"}, {}]>] manual_axes={" +
           axes + "} (%arg: tensor<2x64xf32>) {" + body +
           "      sdy.return %p : tensor<2x64xf32>\n    } : (tensor<16x64xf32>) -> tensor<16x64xf32>";
  };
  const std::string gspmd =
      R"(    %c = stablehlo.custom_call @Sharding(%0) {backend_config = "", mhlo.sharding = "{devices=[8,1]<=[8]}"} : (tensor<16x64xf32>) -> tensor<16x64xf32>
    %d = stablehlo.custom_call @SPMDFullToShardShape(%c) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<16x64xf32>) -> tensor<2x64xf32>
    %e = call @shmap_body(%d) : (tensor<2x64xf32>) -> tensor<2x64xf32>
    %f = stablehlo.custom_call @Sharding(%e) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<2x64xf32>) -> tensor<2x64xf32>
    %1 = stablehlo.custom_call @SPMDShardToFullShape(%f) {backend_config = "", mhlo.sharding = "{devices=[8,1]<=[8]}"} : (tensor<2x64xf32>) -> tensor<16x64xf32>)";
  const std::string function = "  func.func private @shmap_body(%arg: tensor<2x64xf32>) -> tensor<2x64xf32> {" + body +
                               "    return %p : tensor<2x64xf32>\n  }\n";
  const std::string cut = ", mhlo.sharding = \"{devices=[8,1]<=[8]}\"";
  for (const std::string& weights : {std::string{}, cut})
    for (const std::string& text :
         {step(weights, shardy("\"batch\", \"model\"")) + "}\n", step(weights, shardy("\"batch\"")) + "}\n",
          step(weights, gspmd) + function + "}\n"}) {
      const Readiness readiness = check_stablehlo(text, "step.mlir", tpu::slice("v3-8"));
      INFO(text << to_string(readiness));
      CHECK(readiness.ready());
      CHECK(mentions(readiness.line("batch"), "'x': f32[2, 64] for each of 8 replicas"));
      CHECK(readiness.line("gradients").number() != 602);
      CHECK(figure(readiness.line("gradients"), "collectives") == (weights.empty() ? 2 : 3));
    }
  const Readiness some = check_stablehlo(step("", shardy("\"model\"")) + "}\n", "step.mlir", tpu::slice("v3-8"));
  INFO(to_string(some));
  CHECK(some.line("compiles").number() == 410);
  CHECK(mentions(some.line("compiles"), "leaves the axis 'batch' of a mesh to the compiler"));
}

TEST_CASE("what is asked for in a branch is followed, and results are cut where no parameter is") {
  const Readiness branch = check_stablehlo(
      parted_module +
          R"(  func.func public @main(%x: tensor<16x32xf32> {mhlo.sharding = "{devices=[8,1]<=[8]}"}, %p: tensor<i1>) -> tensor<16x32xf32> {
    %0 = "stablehlo.if"(%p) ({
      %1 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{devices=[8,1]<=[8]}"} : (tensor<16x32xf32>) -> tensor<16x32xf32>
      stablehlo.return %1 : tensor<16x32xf32>
    }, {
      stablehlo.return %x : tensor<16x32xf32>
    }) : (tensor<i1>) -> tensor<16x32xf32>
    return %0 : tensor<16x32xf32>
  }
}
)",
      "branch.mlir", tpu::slice("v3-8"));
  INFO(to_string(branch));
  CHECK(branch.ready());
  const Readiness made = check_stablehlo(
      parted_module +
          R"(  func.func public @main() -> (tensor<65536x65536xf32> {mhlo.sharding = "{devices=[8,1]<=[8]}"}) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<65536x65536xf32>
    return %0 : tensor<65536x65536xf32>
  }
}
)",
      "init.mlir", tpu::slice("v3-8"));
  INFO(to_string(made));
  CHECK(made.ready());
  CHECK(figure(made.line("memory"), "needed_bytes") < 2.2e9);
}

TEST_CASE("weights and gradients that are cut are not taken for the batch") {
  const std::string cut = R"({mhlo.sharding = "{devices=[8,1]<=[8]}"})";
  const Readiness inference = check_stablehlo(parted_module + "  func.func public @main(%w: tensor<64x32xf32> " + cut +
                                                  R"( loc("w"), %x: tensor<16x64xf32>) -> tensor<16x32xf32> {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<16x64xf32>, tensor<64x32xf32>) -> tensor<16x32xf32>
    return %0 : tensor<16x32xf32>
  }
}
)",
                                              "inference.mlir", tpu::slice("v3-8"));
  INFO(to_string(inference));
  CHECK(inference.line("compiles").number() == 410);
  CHECK(mentions(inference.line("compiles"), "--batch-argument NAME"));
  const std::string updated = R"({mhlo.sharding = "{devices=[8,1]<=[8]}", tf.aliasing_output = 0 : i32})";
  const Readiness update = check_stablehlo(parted_module + "  func.func public @main(%w: tensor<64x32xf32> " + updated +
                                               ", %g: tensor<64x32xf32> " + cut + R"() -> tensor<64x32xf32> {
    %0 = stablehlo.negate %g : tensor<64x32xf32>
    %1 = stablehlo.add %w, %0 : tensor<64x32xf32>
    return %1 : tensor<64x32xf32>
  }
}
)",
                                           "update.mlir", tpu::slice("v3-8"));
  INFO(to_string(update));
  CHECK(update.ready());
  CHECK(mentions(update.line("batch"), "each with its own part of 2 parameters"));
}

TEST_CASE("which of what is cut is the batch follows from what is updated, from ids, and from what one says") {
  const auto of = [](const std::string& ids, const CheckOptions& options) {
    const std::string cut = R"({mhlo.sharding = "{devices=[8,1]<=[8]}"})";
    return check_stablehlo(parted_module + "  func.func public @main(%w: tensor<16x4xf32> " + cut +
                               " loc(\"w\"), %x: tensor<32x16xf32> " + cut + " loc(\"x\"), %i: tensor<32x1x" + ids +
                               "> " + cut + R"( loc("ids")) -> (tensor<32x4xf32>, tensor<32x1x)" + ids + R"(>) {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<32x16xf32>, tensor<16x4xf32>) -> tensor<32x4xf32>
    return %0, %i : tensor<32x4xf32>, tensor<32x1x)" +
                               ids + R"(>
  }
}
)",
                           "forward.mlir", tpu::slice("v3-8"), options);
  };
  const Readiness told = of("i32", {});
  INFO(to_string(told));
  CHECK(told.ready());
  CHECK(mentions(told.line("scope"), "its own part of 1 parameter"));
  const Readiness unknown = of("f32", {});
  CHECK(unknown.line("compiles").number() == 410);
  CHECK(mentions(unknown.line("compiles"), "--batch-argument NAME"));
  CHECK(of("f32", {.batch = {"x", "ids"}}).ready());
  const Readiness quantized = of("i8", {});  // ids are of more: what is narrow may be weights
  CHECK(mentions(quantized.line("compiles"), "--batch-argument NAME"));
}

TEST_CASE("a program for other devices than the slice has fails, and so does a batch that they cannot share") {
  const auto of = [](const std::string& devices) {
    return check_stablehlo(step_of_jax("module @jit_step attributes {mhlo.num_partitions = " + devices + " : i32} {\n",
                                       "", "mhlo.sharding = \"{devices=[" + devices + ",1]<=[" + devices + "]}\""),
                           "step.mlir", tpu::slice("v3-8"));
  };
  CHECK(of("4").line("gradients").number() == 603);
  CHECK(of("7").line("compiles").number() == 601);
  CHECK(mentions(of("7").line("compiles"), "'x' has 1024 examples, which 7 devices cannot share equally"));
  for (const char* devices : {"0", "-8", "1073741824"}) CHECK(of(devices).line("compiles").number() == 404);
}

TEST_CASE("shard_map has the program of one device in the text") {
  const std::string text =
      parted_module + mesh +
      R"(  func.func public @main(%w: tensor<128x128xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<1024x128xf32>) -> tensor<128x128xf32> {
    %0 = sdy.manual_computation(%w, %x) in_shardings=[<@mesh, [{}, {}]>, <@mesh, [{"batch"}, {}]>] out_shardings=[<@mesh, [{}, {}]>] manual_axes={"batch", "model"} (%arg0: tensor<128x128xf32>, %arg1: tensor<128x128xf32>) {
      %1 = stablehlo.dot_general %arg1, %arg0, contracting_dims = [0] x [0] : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
      %2 = "stablehlo.all_reduce"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %s = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %s : tensor<f32>
      }) : (tensor<128x128xf32>) -> tensor<128x128xf32>
      %3 = stablehlo.subtract %arg0, %2 : tensor<128x128xf32>
      sdy.return %3 : tensor<128x128xf32>
    } : (tensor<128x128xf32>, tensor<1024x128xf32>) -> tensor<128x128xf32>
    return %0 : tensor<128x128xf32>
  }
}
)";
  const Readiness readiness = check_stablehlo(text, "step.mlir", tpu::slice("v3-8"));
  INFO(to_string(readiness));
  CHECK(readiness.ready());
  CHECK(readiness.line("gradients").verdict == Verdict::pass);
  CHECK(readiness.line("batch").verdict == Verdict::pass);
}

TEST_CASE("what a shard_map around a program takes or makes in other parts is gathered or cut around it") {
  const auto of = [](const std::string& weights, const std::string& returned) {
    const std::string text = parted_module + mesh + "  func.func public @main(%w: tensor<128x128xf32> " + weights +
                             R"(, %x: tensor<1024x128xf32> loc("x")) -> (tensor<1024x128xf32> )" + returned + R"() {
    %0 = sdy.manual_computation(%w, %x) in_shardings=[<@mesh, [{}, {}]>, <@mesh, [{"batch"}, {}]>] out_shardings=[<@mesh, [{"batch"}, {}]>] manual_axes={"batch", "model"} (%arg0: tensor<128x128xf32>, %arg1: tensor<128x128xf32>) {
      %1 = stablehlo.dot_general %arg1, %arg0, contracting_dims = [1] x [0] : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
      sdy.return %1 : tensor<128x128xf32>
    } : (tensor<128x128xf32>, tensor<1024x128xf32>) -> tensor<1024x128xf32>
    return %0 : tensor<1024x128xf32>
  }
}
)";
    return check_stablehlo(text, "step.mlir", tpu::slice("v3-8"), {.batch = {"x"}});
  };
  const std::string cut = "{sdy.sharding = #sdy.sharding<@mesh, [{\"batch\"}, {}]>}",
                    whole = "{sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}";
  const auto arguments = [](const Readiness& readiness) {
    INFO(to_string(readiness));
    CHECK(readiness.ready());
    return figure(readiness.line("memory"), "parameter_bytes") / (128 * 4);
  };
  CHECK(arguments(of("", "")) == 128 + 128);
  CHECK(arguments(of(whole, cut)) == 128 + 128);
  CHECK(arguments(of(cut, "")) == 16 + 128);
  const auto needed = [&](const std::string& returned) {
    return figure(of("", returned).line("memory"), "needed_bytes");
  };
  CHECK(needed(whole) > needed(cut) + 800 * 128 * 4);  // all 1024 rows are gathered
}
