// A program of many equal layers is made of what two of few have in common. It costs and keeps what the same program
// does that is traced as a whole. ALBERT, whose layers share their weights, is always traced as a whole: its gradients
// are sums over all layers.
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>
import octet.base;
import octet.tpu;
import octet.nn;

using namespace octet;

namespace {

bool alike(double a, double b) { return a == b || std::fabs(a / b - 1) < 1e-9; }

void compare(const nn::TransformerConfig& config, const nn::PretrainingBatch& batch, const nn::CodeStyle& code) {
  const tpu::Slice slice = tpu::slice("v4-8");
  tpu::EstimateOptions options;
  options.costing.activations = code.activations;
  options.fuse.reshapes_move = code.reshapes_move;
  options.fuse.draws_bits = !code.program.keyed_bits;
  const auto of = [&](std::int64_t layers) {
    return tpu::fused(nn::pretraining_program(config, layers, batch, code.program), options.fuse);
  };
  const tpu::FusedProgram whole = of(config.layers);
  const std::optional<tpu::FusedProgram> repeated = tpu::with_layers(of(3), of(4), config.layers - 4);
  REQUIRE(repeated);
  CHECK(repeated->operations.size() == whole.operations.size());
  CHECK(repeated->parameters.size() == whole.parameters.size());
  CHECK(repeated->results.size() == whole.results.size());
  const tpu::ProgramEstimate a = tpu::estimate(*repeated, slice, options), b = tpu::estimate(whole, slice, options);
  CHECK(alike(a.seconds, b.seconds));
  CHECK(alike(a.bytes, b.bytes));
  CHECK(alike(a.flops, b.flops));
  CHECK(alike(a.memory.parameters, b.memory.parameters));
  CHECK(alike(a.memory.results, b.memory.results));
  CHECK(alike(a.memory.peak, b.memory.peak));
  REQUIRE(a.recomputed.size() == b.recomputed.size());
  for (std::size_t i = 0; i < a.recomputed.size(); ++i) {
    CHECK(alike(a.recomputed[i].peak, b.recomputed[i].peak));
    CHECK(alike(a.recomputed[i].recompute_seconds, b.recomputed[i].recompute_seconds));
  }
}

}  // namespace

TEST_CASE("equal layers cost and keep what they do when each is traced", "[native]") {
  for (const char* model :
       {"bert-base", "bert-large", "electra-small", "electra-base", "gpt2", "gpt2-medium", "gpt2-large"})
    for (const nn::CodeStyle& code : nn::code_styles()) {
      INFO(model << ", " << code.name);
      compare(nn::published_transformer(model), {4, 128, 20}, code);
    }
}

TEST_CASE("equal layers do so in batches of any size", "[native]") {
  for (const std::int64_t sequences : {1, 3, 16, 100, 1000}) {
    INFO(sequences << " sequences");
    for (const char* code : {"mlperf-bf16", "tf1-f32"}) {
      compare(nn::published_transformer("bert-base"), {sequences, 512, 76}, *nn::find_code_style(code));
      compare(nn::published_transformer("gpt2"), {sequences, 64, 1}, *nn::find_code_style(code));
    }
  }
}

TEST_CASE("equal layers do so where each is computed a second time", "[native]") {
  for (const char* model : {"bert-base", "gpt2"})
    for (nn::CodeStyle code : nn::code_styles()) {
      INFO(model << ", " << code.name);
      code.program.gradient_checkpointing = true;
      compare(nn::published_transformer(model), {4, 128, 20}, code);
    }
}

TEST_CASE("programs that do not differ by a layer are not put together") {
  const auto of = [](const char* model, std::int64_t layers) {
    return tpu::fused(nn::pretraining_program(nn::published_transformer(model), layers, {2, 64, 10}));
  };
  CHECK_FALSE(tpu::with_layers(of("bert-tiny", 4), of("bert-tiny", 4), 3));
  CHECK_FALSE(tpu::with_layers(of("bert-tiny", 3), of("bert-mini", 4), 3));
  CHECK_FALSE(tpu::with_layers(of("bert-tiny", 1), of("bert-tiny", 2), 3));  // not three that are alike
  CHECK_FALSE(tpu::with_layers(of("albert-base", 3), of("albert-base", 4), 3));
  CHECK(tpu::with_layers(of("bert-tiny", 3), of("bert-tiny", 4), 3));
}
