// The readiness check of programs as text: Octet's own and JAX's.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
import octet.base;
import octet.graph;
import octet.trace;
import octet.compile;
import octet.tpu;

#include "check_lines.hpp"

using namespace octet;

namespace {

const tpu::Slice eight = tpu::slice("v3-8");

using Arrays = std::vector<Array>;

/// A step as JAX prints it with the names of its arguments: new weights, which take the memory of the old ones, and the
/// mean of what was computed.
std::string step_of_jax(const std::string& attributes) {
  return R"(#loc1 = loc("params['w']")
#loc2 = loc("batch['x']")
module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<128x128xf32>)" +
         attributes +
         R"( loc("params['w']"), %arg1: tensor<16x128xf32> loc("batch['x']")) -> (tensor<128x128xf32> {jax.result_info = "result[0]"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.dot_general %arg1, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x128xf32>, tensor<128x128xf32>) -> tensor<16x128xf32> loc(#loc3)
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32> loc(#loc)
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x128xf32>, tensor<f32>) -> tensor<f32> loc(#loc3)
    %2 = stablehlo.dot_general %arg1, %0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x128xf32>, tensor<16x128xf32>) -> tensor<128x128xf32> loc(#loc3)
    %3 = stablehlo.subtract %arg0, %2 : tensor<128x128xf32> loc(#loc3)
    return %3, %1 : tensor<128x128xf32>, tensor<f32> loc(#loc)
  } loc(#loc)
} loc(#loc)
#loc = loc(unknown)
#loc3 = loc("jit(step)/dot_general"("model.py":12:4 to :30))
)";
}

}  // namespace

TEST_CASE("a program in text is checked, and what a TPU cannot take is found with its line") {
  const Graph graph = trace([](const Arrays& in) { return Arrays{matmul(in[0], in[1])}; },
                            {{DType::f32, {16, 128}}, {DType::f32, {128, 128}}});
  const std::string text = to_string(graph);
  const Readiness right = check_stablehlo(text, "right.mlir", eight);
  INFO(to_string(right));
  CHECK(right.ready());
  CHECK(right.line("matrix_unit").verdict == Verdict::pass);

  std::string dynamic = text;
  for (std::size_t at = dynamic.find("16x128x"); at != dynamic.npos; at = dynamic.find("16x128x"))
    dynamic.replace(at, 3, "?x");
  const Readiness shapeless = check_stablehlo(dynamic, "dynamic.mlir", eight);
  CHECK(shapeless.line("rule_2").verdict == Verdict::fail);
  CHECK(shapeless.line("rule_2").number() == 201);
  CHECK(shapeless.line("rule_2").faults.front().where.file.string() == "dynamic.mlir");
  CHECK(shapeless.line("rule_2").faults.front().where.line > 0);
  CHECK(shapeless.line("memory").verdict == Verdict::not_judged);

  CHECK(check_stablehlo("// tensor<?xf32>\n" + text, "comment.mlir", eight).ready());
  CHECK(check_stablehlo(text + "// \"x\" xla_python_cpu_callback\n", "comment.mlir", eight).ready());
  CHECK(check_stablehlo("\"stablehlo.custom_call\"(%0) {call_target_name = \"xla_python_cpu_callback\"}",
                        "callback.mlir", eight)
            .line("pipeline")
            .number() == 607);
  for (const char* odd : {"", "\n", "한국어 텍스트", "😀", "module {", "\"builtin.module\"() ({", "tensor<", "\0x"}) {
    const Readiness readiness = check_stablehlo(odd, "odd.mlir", eight);
    CHECK(!readiness.ready());
    CHECK(readiness.line("compiles").number() == 407);
    for (const char* line : {"scope", "batch"}) {
      CHECK(readiness.line(line).verdict == Verdict::not_judged);
      CHECK(mentions(readiness.line(line), "could not be traced (X407)"));
    }
  }
  CHECK(check_stablehlo("f16: tensor<4xf16>", "half.mlir", eight).line("precision").verdict == Verdict::fail);
}

TEST_CASE("a step as JAX prints it: arguments by the names that its locations give, donated as the text says") {
  CheckOptions options;
  options.batch = {"batch"};
  const auto memory = [&](const std::string& attributes) {
    const Readiness readiness = check_stablehlo(step_of_jax(attributes), "step.mlir", eight, options);
    INFO(to_string(readiness));
    CHECK(readiness.line("rule_1").verdict == Verdict::pass);
    // What each replica subtracts is its own gradient, and the line of the program is named.
    CHECK(readiness.line("gradients").number() == 602);
    CHECK(to_string(readiness).find("model.py:12") != std::string::npos);
    return readiness.line("memory");
  };
  const std::string said = "the text says of 1 parameter that results may take the memory";
  const CheckLine kept = memory(""), donated = memory(" {tf.aliasing_output = 0 : i32}");
  CHECK(!mentions(kept, said));
  CHECK(mentions(donated, said));
  CHECK(figure(kept, "needed_bytes") >= figure(donated, "needed_bytes") + 128 * 128 * 4);
  CHECK(read_program(step_of_jax(" {jax.buffer_donor = false}")).donated.empty());
  CHECK(read_program(step_of_jax(" {jax.buffer_donor = true}")).donated == std::vector<std::size_t>{0});
}

TEST_CASE("labels that several arguments have name none of them, and a loop without state is judged") {
  std::string text = step_of_jax(" {tf.aliasing_output = 0 : i32}");
  for (std::size_t at; (at = text.find("batch['x']")) != text.npos;) text.replace(at, 10, "params['w']");
  const Readiness readiness = check_stablehlo(text, "step.mlir", eight, {.batch = {"arg1"}});
  CHECK(mentions(readiness.line("memory"), "of 1 parameter that results"));
  const Readiness loop = check_stablehlo(
      "func.func @main() { stablehlo.while() cond { %1 = stablehlo.constant dense<false> : tensor<i1> "
      "stablehlo.return %1 : tensor<i1> } do { stablehlo.return } return }",
      "loop.mlir", eight);
  CHECK(loop.line("compiles").verdict == Verdict::pass);
}

TEST_CASE("a loop whose state fills a replica does not fit") {
  const std::string text = R"(module @step {
  func.func public @main(%w: tensor<1024x1024xf32>) -> tensor<f32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %n = stablehlo.constant dense<10> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %begin = stablehlo.broadcast_in_dim %z, dims = [] : (tensor<f32>) -> tensor<6144x1024x1024xf32>
    %0:2 = stablehlo.while(%i = %c, %x = %begin) : tensor<i32>, tensor<6144x1024x1024xf32>
    cond {
      %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %e = stablehlo.exponential %x : tensor<6144x1024x1024xf32>
      %j = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %j, %e : tensor<i32>, tensor<6144x1024x1024xf32>
    }
    %r = stablehlo.reduce(%0#1 init: %z) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<6144x1024x1024xf32>, tensor<f32>) -> tensor<f32>
    return %r : tensor<f32>
  }
}
)";
  const CheckLine memory = check_stablehlo(text, "loop.mlir", eight).line("memory");
  CHECK(memory.verdict == Verdict::fail);
  CHECK(memory.number() == 501);
  CHECK(figure(memory, "temporary_bytes") >= 6144.0 * 1024 * 1024 * 4);
  CHECK(figure(memory, "temporary_bytes") < 6145.0 * 1024 * 1024 * 4);
}

TEST_CASE("a row that is written into a table given away takes no copy of the table") {
  const auto checked = [](const std::string& attributes) {
    return check_stablehlo(R"(func.func public @main(%w: tensor<1048576x1024xf32>)" + attributes +
                               R"(, %x: tensor<1x1024xf32>) -> tensor<1048576x1024xf32> {
    %z = stablehlo.constant dense<0> : tensor<i32>
    %y = stablehlo.dynamic_update_slice %w, %x, %z, %z : (tensor<1048576x1024xf32>, tensor<1x1024xf32>, tensor<i32>, tensor<i32>) -> tensor<1048576x1024xf32>
    return %y : tensor<1048576x1024xf32>
  })",
                           "table.mlir", eight);
  };
  const Readiness kept = checked(""), given = checked(" {tf.aliasing_output = 0 : i32}");
  CHECK(figure(kept.line("time"), "step_seconds") > 0.02);
  CHECK(figure(given.line("time"), "step_seconds") < 1e-5);
  CHECK(figure(given.line("memory"), "temporary_bytes") == 0);
}

TEST_CASE("weights whose shape is another on the way are updated all the same, as pmap writes them") {
  const auto checked = [](const std::string& one, const std::string& in, const std::string& out) {
    return check_stablehlo(
        R"(module @pmap_step attributes {mhlo.num_replicas = 8 : i32} {
  func.func public @main(%arg0: tensor<)" +
            one +
            R"(65536x32768xf32> {tf.aliasing_output = 0 : i32} loc("w"), %x: tensor<128x65536xf32> loc("batch")) -> tensor<)" +
            one + "65536x32768xf32> {\n" + in + R"(
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<128x65536xf32>, tensor<65536x32768xf32>) -> tensor<128x32768xf32>
    %1 = stablehlo.dot_general %x, %0, contracting_dims = [0] x [0] : (tensor<128x65536xf32>, tensor<128x32768xf32>) -> tensor<65536x32768xf32>
    %2 = stablehlo.subtract %w, %1 : tensor<65536x32768xf32>
)" + out + "  }\n}",
        "pmap.mlir", eight, {.batch = {"batch"}});
  };
  const std::string plain = "    %w = stablehlo.optimization_barrier %arg0 : tensor<65536x32768xf32>";
  const Readiness two = checked("", plain, "    return %2 : tensor<65536x32768xf32>\n");
  const Readiness three = checked(
      "1x", "    %w = stablehlo.reshape %arg0 : (tensor<1x65536x32768xf32>) -> tensor<65536x32768xf32>",
      R"(    %3 = stablehlo.broadcast_in_dim %2, dims = [1, 2] : (tensor<65536x32768xf32>) -> tensor<1x65536x32768xf32>
    return %3 : tensor<1x65536x32768xf32>
)");
  INFO(to_string(two));
  CHECK(two.line("memory").verdict == Verdict::pass);
  for (const char* line : {"gradients", "memory"}) CHECK(three.line(line).verdict == two.line(line).verdict);
  CHECK(two.line("gradients").verdict == Verdict::fail);
  CHECK(figure(three.line("memory"), "temporary_bytes") == figure(two.line("memory"), "temporary_bytes"));
}

TEST_CASE("products that ask for HIGH take half of the passes of HIGHEST") {
  const auto precision = [](const std::string& asked) {
    std::string text = step_of_jax("");
    for (std::size_t at; (at = text.find("[DEFAULT, DEFAULT]")) != text.npos;)
      text.replace(at, 18, "[" + asked + ", DEFAULT ]");
    return check_stablehlo(text, "step.mlir", eight, {.batch = {"batch"}}).line("precision");
  };
  CHECK(mentions(precision("HIGH"), "2 products ask for HIGH precision, which takes three passes"));
  CHECK(mentions(precision("HIGHEST"), "2 products ask for HIGHEST precision, which takes six passes"));
  CHECK(!mentions(precision("DEFAULT"), "passes"));
}

TEST_CASE("state that a branch updates lies where it lay, as it does without one") {
  const auto needed = [](const std::string& body) {
    const std::string text =
        "func.func @main(%ok: tensor<i1>, %w: tensor<1024x1024xf32> {tf.aliasing_output = 0 : i32}, "
        "%g: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {\n" +
        body + "}\n";
    return figure(check_stablehlo(text, "step.mlir", tpu::slice("v3-8")).line("memory"), "needed_bytes");
  };
  const std::string update = "  %w2 = stablehlo.subtract %w, %g : tensor<1024x1024xf32>\n";
  const double plain = needed(update + "  return %w2 : tensor<1024x1024xf32>\n");
  const double within = needed("  %r = \"stablehlo.if\"(%ok) ({\n" + update +
                               "    stablehlo.return %w2 : tensor<1024x1024xf32>\n"
                               "  }, {\n    stablehlo.return %w : tensor<1024x1024xf32>\n"
                               "  }) : (tensor<i1>) -> tensor<1024x1024xf32>\n"
                               "  return %r : tensor<1024x1024xf32>\n");
  CHECK(plain > 2 * 4.0 * 1024 * 1024);
  CHECK(within == plain);
}
