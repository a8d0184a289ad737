// A program in f16, as PyTorch's AMP and JAX with float16 print it.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>
import octet.base;
import octet.tpu;

#include "check_lines.hpp"

using namespace octet;

TEST_CASE("a program in f16 fails at its numbers, and is judged in all else as it would be in bf16") {
  const auto of = [](const std::string& type) {
    return check_stablehlo("module {\n  func.func @main(%x: tensor<128x256x" + type + ">, %w: tensor<256x512x" + type +
                               ">) -> tensor<128x512x" + type +
                               "> {\n    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : "
                               "(tensor<128x256x" +
                               type + ">, tensor<256x512x" + type + ">) -> tensor<128x512x" + type +
                               ">\n    %1 = stablehlo.exponential %0 : tensor<128x512x" + type +
                               ">\n    return %1 : tensor<128x512x" + type + ">\n  }\n}\n",
                           "half.mlir", tpu::slice("v3-8"), {.batch = {"x"}});
  };
  const Readiness half = of("f16"), brain = of("bf16");
  INFO(to_string(half));
  CHECK(half.line("precision").verdict == Verdict::fail);
  CHECK(mentions(half.line("precision"), "bf16 in place of f16"));
  CHECK(half.known() == brain.known());
  for (const CheckItem& item : checklist()) {
    if (item.id == "precision") continue;
    INFO(item.id);
    CHECK(half.line(item.id).verdict == brain.line(item.id).verdict);
    if (item.id != "compiles")  // which tells how long it took
      CHECK(half.line(item.id).finding == brain.line(item.id).finding);
  }
}
