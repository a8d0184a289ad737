// The readiness check of programs as text: Octet's own and JAX's.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <optional>
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

/// A function that reduces its argument among replicas.
std::string all_reduce_of(const std::string& groups) {
  return R"(func.func @main(%x: tensor<16x128xf32>) -> tensor<16x128xf32> {
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = )" +
         groups + R"(}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<16x128xf32>) -> tensor<16x128xf32>
  return %0 : tensor<16x128xf32>
}
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
    CHECK(readiness.known());
    for (const char* line : {"scope", "batch"}) {
      CHECK(readiness.line(line).verdict == Verdict::not_judged);
      CHECK(mentions(readiness.line(line), "could not be traced (X407)"));
    }
  }
  CHECK(check_stablehlo("f16: tensor<4xf16>", "half.mlir", eight).line("precision").verdict == Verdict::fail);
}

TEST_CASE("types are looked for in what runs, whatever texts and locations say") {
  const auto checked = [](const std::string& types, const std::string& operation) {
    return check_stablehlo("func.func @main(%x: " + types + ") -> (" + types +
                               " {jax.result_info = \"r['tensor<?>']\"}) {\n  %0 = " + operation +
                               "\n  return %0 : " + types + "\n}\n",
                           "step.mlir", eight, {.batch = {"x"}});
  };
  const std::string known = "tensor<8x16xf32>", add = "stablehlo.add %x, %x : ";
  for (const char* location : {"loc(\"tensor<?x4xf32>\")", "loc(\"tensor<?xf16>\"(\"xla_python_cpu_callback\":1:2))",
                               "loc(fused[\"a\", \"tensor<?xf32>\"(\"f\")])"}) {
    const Readiness readiness = checked(known, add + known + " " + location);
    INFO(to_string(readiness));
    CHECK(readiness.line("rule_2").verdict == Verdict::pass);
    CHECK(readiness.line("pipeline").number() != 607);
    CHECK(readiness.line("precision").verdict != Verdict::fail);
  }
  const std::string bounded = "tensor<?x16xf32, #stablehlo.bounds<8, ?>>";
  const CheckLine dynamic = checked(bounded, add + bounded).line("rule_2");
  CHECK(dynamic.number() == 201);
  CHECK(dynamic.faults.front().sentence ==
        "'" + bounded + "' has a shape that is not known when the program is compiled.");
  // By its name alone an operation has no unknown shape.
  const Readiness of_known = checked(known, "stablehlo.dynamic_iota %x, dim = 0 : (" + known + ") -> " + known);
  CHECK(of_known.line("rule_2").verdict == Verdict::pass);
  CHECK(of_known.line("compiles").number() == 410);
  CHECK(!of_known.known());
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

TEST_CASE("what Octet does not know is said to be not judged, and the rest of the program is judged") {
  const auto with = [](const std::string& operation, const std::string& type) {
    std::string text = step_of_jax(" {tf.aliasing_output = 0 : i32}");
    const std::string before = "    %cst = ";
    return check_stablehlo(text.insert(text.find(before), "    %u = " + operation +
                                                              "\n    %kept = stablehlo.custom_call "
                                                              "@Sharding(%u) : (" +
                                                              type + ") -> " + type + "\n"),
                           "step.mlir", eight, {.batch = {"batch"}});
  };
  const Readiness readiness = with(
      "stablehlo.custom_call @tpu_custom_call(%0) : (tensor<16x128xf32>) -> tensor<16x128xf32>", "tensor<16x128xf32>");
  INFO(to_string(readiness));
  const CheckLine& compiles = readiness.line("compiles");
  CHECK(compiles.verdict == Verdict::not_judged);
  CHECK(compiles.number() == 410);
  CHECK(compiles.finding ==
        "Line 6, column 10: stablehlo.custom_call calls @tpu_custom_call, which is not in the text.");
  CHECK(compiles.faults.front().fix.front().find("octet check --program") == std::string::npos);  // the reader ran it
  CHECK(compiles.faults.front().where.line == 6);
  CHECK(!readiness.known());
  CHECK(!readiness.ready());
  // The gradients of the step are not reduced, whatever the kernel does.
  CHECK(readiness.line("gradients").number() == 602);
  for (const char* line : {"memory", "matrix_unit", "time"}) CHECK(readiness.line(line).verdict != Verdict::not_judged);
  // A type that is not known leaves nothing to judge, and fails nothing.
  const Readiness nothing =
      with("stablehlo.convert %0 : (tensor<16x128xf32>) -> tensor<16x128xcomplex<f32>>", "tensor<16x128xcomplex<f32>>");
  CHECK(nothing.count(Verdict::fail) == 0);
  CHECK(nothing.line("compiles").verdict == Verdict::not_judged);
  CHECK(!nothing.known());
  CHECK(nothing.summary().find("not judged in full, for it holds what Octet does not know") != std::string::npos);
}

TEST_CASE("memory that types of more bytes would not fit into is not judged") {
  const auto memory = [](const std::string& type) {
    return check_stablehlo("func.func @main(%x: tensor<5000000x1000x" + type + ">) -> tensor<1000xf32> {\n" +
                               "  %0 = stablehlo.slice %x [0:1, 0:1000] : (tensor<5000000x1000x" + type +
                               ">) -> tensor<1x1000x" + type + ">\n" + "  %1 = stablehlo.reshape %0 : (tensor<1x1000x" +
                               type + ">) -> tensor<1000x" + type + ">\n" +
                               "  %2 = stablehlo.convert %1 : (tensor<1000x" + type +
                               ">) -> tensor<1000xf32>\n  return %2 : tensor<1000xf32>\n}\n",
                           "lookup.mlir", tpu::slice("v3-8"))
        .line("memory");
  };
  CHECK(memory("ui8").verdict == Verdict::not_judged);
  CHECK(mentions(memory("ui8"), "it may fit"));
  CHECK(memory("i32").verdict == Verdict::fail);
}

TEST_CASE("time and input that types of more bytes lengthen are not judged") {
  const auto images = [](const std::string& type) {
    const std::string batch = "tensor<256x3072x" + type + ">";
    return check_stablehlo("func.func @main(%w: tensor<3072x16xf32>, %x: " + batch + R"() -> tensor<256x16xf32> {
  %0 = stablehlo.convert %x : ()" +
                               batch + R"() -> tensor<256x3072xf32>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0] : (tensor<256x3072xf32>, tensor<3072x16xf32>) -> tensor<256x16xf32>
  return %1 : tensor<256x16xf32>
})",
                           "step.mlir", tpu::slice("v3-8"), {.batch = {"x"}});
  };
  CHECK(images("i32").line("input").verdict == Verdict::warn);
  CHECK(images("i32").line("time").verdict == Verdict::pass);
  const Readiness narrow = images("ui8");
  INFO(to_string(narrow));
  CHECK(narrow.line("input").verdict == Verdict::not_judged);
  CHECK(mentions(narrow.line("input"), "both may take less"));
  CHECK(narrow.line("time").verdict == Verdict::not_judged);
  CHECK(mentions(narrow.line("time"), "it may take less"));
}

TEST_CASE("what is not known takes memory and time by its types, and a convolution those of its product") {
  const auto checked = [](const std::string& operation) {
    return check_stablehlo(
        "func.func @main(%x: tensor<64x32x32x256xf32>, %w: tensor<3x3x256x256xf32>) -> tensor<f32> {\n" +
            ("  %y = " + operation) + R"(
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.reduce(%y init: %z) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<64x32x32x256xf32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
})",
        "step.mlir", tpu::slice("v3-8"), {.batch = {"x"}});
  };
  const std::string types = " : (tensor<64x32x32x256xf32>, tensor<3x3x256x256xf32>) -> tensor<64x32x32x256xf32>";
  const Readiness call = checked("stablehlo.custom_call @kernel(%x, %w)" + types);
  const double bytes = 64.0 * 32 * 32 * 256 * 4;
  CHECK(figure(call.line("memory"), "temporary_bytes") >= bytes);
  CHECK(figure(call.line("memory"), "temporary_bytes") < 1.01 * bytes);
  CHECK(mentions(call.line("memory"), "of kernel f32[64, 32, 32, 256]"));
  CHECK(mentions(call.line("time"), "counted by what it reads and writes"));
  const Readiness convolution = checked(
      "stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], "
      "pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}" +
      types);
  CHECK(figure(convolution.line("matrix_unit"), "flops") == 2.0 * 64 * 32 * 32 * 256 * 3 * 3 * 256);
  CHECK(figure(convolution.line("time"), "step_seconds") > 1.5 * figure(call.line("time"), "step_seconds"));
}

TEST_CASE("a scalar and a key of random numbers below the batch are whole on each replica, unless they are named") {
  const std::string text =
      R"(func.func @main(%w: tensor<128x128xf32> {tf.aliasing_output = 0 : i32} loc("w"), %x: tensor<16x128xf32> loc("batch['x']"), %rate: tensor<f32> loc("batch['rate']"), %key: tensor<2xui32> loc("batch['key']")) -> tensor<128x128xf32> {
  %k = stablehlo.convert %key : (tensor<2xui32>) -> tensor<2xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%k init: %z) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  %r = stablehlo.multiply %rate, %s : tensor<f32>
  %b = stablehlo.broadcast_in_dim %r, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
  %0 = stablehlo.multiply %w, %b : tensor<128x128xf32>
  return %0 : tensor<128x128xf32>
})";
  const auto gradients = [&](std::vector<std::string> batch) {
    return check_stablehlo(text, "step.mlir", eight, {.batch = std::move(batch)}).line("gradients");
  };
  CHECK(gradients({"batch"}).verdict == Verdict::pass);
  CHECK(gradients({"batch", "batch['key']"}).number() == 602);
}

TEST_CASE("a collective that meets all devices must have as many as the slice has replicas") {
  const auto gradients = [](int replicas) {
    return check_stablehlo("module attributes {mhlo.num_replicas = " + std::to_string(replicas) + " : i32} {\n" +
                               all_reduce_of("dense<> : tensor<0x0xi64>") + "}\n",
                           "step.mlir", eight, {.batch = {"x"}})
        .line("gradients");
  };
  CHECK(gradients(8).verdict == Verdict::pass);
  CHECK(gradients(1).verdict == Verdict::pass);  // lowered before it was known where it runs
  CHECK(gradients(4).number() == 603);
  CHECK(gradients(4).finding == "The program is lowered for 4 devices, and v3-8 has 8 replicas.");
  CHECK(gradients(4).faults.front().rule.find("replica_groups") == std::string::npos);  // it has none
}

TEST_CASE("Python that JAX calls back is waited for on a TPU VM and fails on a node, TensorFlow's fails anywhere") {
  const auto pipeline = [](const std::string& target, std::optional<tpu::DataPlacement> data) {
    return check_stablehlo("func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {\n  %0 = stablehlo.custom_call @" +
                               target + "(%x) : (tensor<8xf32>) -> tensor<8xf32>\n  return %0 : tensor<8xf32>\n}\n",
                           "step.mlir", eight, {.data = data, .batch = {"x"}})
        .line("pipeline");
  };
  for (const char* of_jax :
       {"xla_python_cpu_callback", "xla_ffi_python_cpu_callback", "xla_ffi_partitioned_python_gpu_callback"}) {
    CHECK(pipeline(of_jax, {}).verdict == Verdict::warn);
    CHECK(pipeline(of_jax, tpu::DataPlacement{.host = tpu::HostKind::vm}).verdict == Verdict::warn);
    CHECK(pipeline(of_jax, tpu::DataPlacement{.host = tpu::HostKind::node}).verdict == Verdict::fail);
    CHECK(pipeline(of_jax, {}).number() == 607);
  }
  CHECK(pipeline("tf.PyFunc", {}).verdict == Verdict::fail);
}

TEST_CASE("a program is judged by the chip where that is asked for and it does not name more replicas") {
  const auto replicas = [](const std::string& groups, bool by_chip) {
    const Readiness readiness =
        check_stablehlo(all_reduce_of(groups), "step.mlir", tpu::slice("v4-8"), {.batch = {"x"}, .by_chip = by_chip});
    CHECK(readiness.line("gradients").number() == 0);
    return figure(readiness.line("batch"), "replicas");
  };
  const std::string none = "dense<> : tensor<0x0xi64>", four = "dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>",
                    eight_of_them = "dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>";
  CHECK(replicas(none, false) == 8);
  CHECK(replicas(none, true) == 4);
  for (const bool by_chip : {false, true}) {
    CHECK(replicas(four, by_chip) == 4);
    CHECK(replicas(eight_of_them, by_chip) == 8);
  }
}
