// Estimates of training steps: sizes, order, memory and refusals.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>
import octet.base;
import octet.graph;
import octet.trace;
import octet.compile;
import octet.tpu;
import octet.nn;

#include "refusal.hpp"
#include "training_job.hpp"

using namespace octet;

namespace {

double step(const char* model, const char* slice, std::int64_t batch, std::int64_t length = 512,
            const char* code = "mlperf-bf16") {
  return nn::estimate_training(job(model, slice, batch, length, code)).step;
}

}  // namespace

TEST_CASE("published models have the parameters of their papers, without poolers") {
  struct Known {
    const char* name;
    double millions;
  };
  for (const Known& known : {Known{"bert-base", 110},
                             {"bert-large", 335},
                             {"albert-xxlarge", 206},
                             {"gpt2", 124},
                             {"gpt2-medium", 355},
                             {"gpt2-large", 774},
                             {"gpt2-xl", 1558},
                             {"electra-base", 119.5}}) {
    INFO(known.name);
    CHECK(std::fabs(nn::parameter_count(nn::published_transformer(known.name)) / 1e6 / known.millions - 1) < 0.02);
  }
}

TEST_CASE("a program has a gradient for every parameter, and the parameters that are counted") {
  for (const char* name : {"bert-base", "albert-base", "electra-small", "gpt2"}) {
    INFO(name);
    nn::TransformerConfig config = nn::published_transformer(name);
    config.layers = 2;
    const Graph graph = nn::pretraining_program(config, 2, {2, 64, 9});
    double parameters = 0;
    std::size_t floats = 0;
    for (const ValueId id : graph.parameters())
      if (graph.type(id).dtype == DType::f32) {
        parameters += static_cast<double>(graph.type(id).shape.elements());
        ++floats;
      }
    CHECK(graph.results().size() == floats + 1);
    CHECK(std::fabs(parameters / nn::parameter_count(config) - 1) < 1e-3);
  }
}

TEST_CASE("the calibration steps are met") {
  CHECK(std::fabs(step("bert-large", "v3-32", 448) / 460.5e-3 - 1) < 0.1);
  CHECK(std::fabs(step("bert-large", "v4-16", 256) / 231.7e-3 - 1) < 0.1);
  CHECK(std::fabs(step("bert-large", "v4-128", 3072) / 328.5e-3 - 1) < 0.1);
  nn::TrainingJob gpt2 = job("gpt2", "v2-8", 512, 1024, "flax-bf16");
  gpt2.accumulate = 64;
  gpt2.model.vocabulary = 51200;
  CHECK(std::fabs(nn::estimate_training(gpt2).step / 4.495 - 1) < 0.1);
}

TEST_CASE("the floating-point work is the architecture's") {
  // 3 x (L·S·(8h² + 4·h·ff) + 4·L·S²·h + P·(2·e·V + 2·h·e)), all of it in products.
  const auto estimate = nn::estimate_training(job("bert-large", "v3-32", 448));
  const double h = 1024, s = 512, layers = 24, p = 76;
  const double sequence =
      3 * (layers * s * (8 * h * h + 4 * h * 4 * h) + 4 * layers * s * s * h + p * (2 * h * 30522 + 2 * h * h));
  CHECK(std::fabs(estimate.model_flops / (448 * sequence) - 1) < 1e-9);
  CHECK(std::fabs(estimate.program.flops / (14 * sequence) - 1) < 1e-3);
}

TEST_CASE("more sequences, longer ones or more layers never need less memory", "[native]") {
  // Each architecture with one kind of code, and one of them with all.
  for (const auto& [model, code] : {std::pair{"bert-base", "mlperf-bf16"},
#ifndef __EMSCRIPTEN__  // which takes six times as long
                                    {"bert-base", "flax-bf16"},
                                    {"bert-base", "tf1-f32"},
                                    {"electra-base", "mlperf-bf16"},
                                    {"albert-base", "flax-bf16"},
#endif
                                    {"gpt2", "tf1-f32"}}) {
    const auto grows = [&](const char* what, const std::vector<std::int64_t>& sizes, const auto& change) {
      nn::MemoryBudget before;
      for (const std::int64_t size : sizes) {
        nn::TrainingJob changed = job(model, "v3-8", 64, 128, code);
        change(changed, size);
        const nn::MemoryBudget now = nn::estimate_training(changed).memory;
        INFO(model << ", " << code << ", " << size << what);
        CHECK(now.peak >= before.peak);
        CHECK(now.needed >= before.needed * (1 - 1e-9));
        before = now;
      }
    };
    grows(" sequences", {8, 16, 24, 64, 160, 512, 1024, 4096}, [](auto& j, std::int64_t n) { j.batch = n; });
    grows(" tokens", {32, 64, 100, 128, 250, 512, 1024}, [](auto& j, std::int64_t n) {
      j.model.positions = 1024;
      j.length = n;
      j.predictions = n * 15 / 100;
    });
    grows(" layers", {1, 2, 3, 4, 5, 6, 9, 12, 24}, [](auto& j, std::int64_t n) { j.model.layers = n; });
  }
}

TEST_CASE("a step takes as long as Octet's own BERT, priced from its own program") {
  const nn::Bert model =
      nn::bert({.vocabulary = 30522, .hidden = 768, .layers = 3, .heads = 12, .intermediate = 3072, .positions = 512});
  const Array tokens = parameter({DType::i32, {16, 512}}, ""), masked = parameter({DType::i32, {16, 76}}, "");
  const Graph own =
      optimize(trace(
                   [](const nn::Bert& m, const nn::MaskedLanguageBatch& b) {
                     return value_and_grad([](const nn::Bert& v, const nn::MaskedLanguageBatch& e) {
                       const nn::SummedLoss loss = nn::masked_language_loss(v, e);
                       return loss.sum / maximum(loss.count, 1.0);
                     })(m, b);
                   },
                   {"model", "batch"}, model, nn::MaskedLanguageBatch{tokens, tokens, tokens, masked, masked})
                   .graph);
  const Graph published =
      nn::pretraining_program(nn::published_transformer("bert-base"), 3, {16, 512, 76}, {.dropout = 0});
  const double ratio =
      tpu::estimate(own, tpu::slice("v3-8")).seconds / tpu::estimate(published, tpu::slice("v3-8")).seconds;
  CHECK(ratio > 0.9);
  CHECK(ratio < 1.1);
}

TEST_CASE("more chips do not make a step of the same batch slower, nor a larger batch one faster") {
  // One by one, as in TensorFlow 1, all-reduces take ever longer round more chips.
  for (const char* code : {"mlperf-bf16", "flax-bf16", "tf2"}) {
    double before = 1e9;
    for (const char* slice : {"v3-8", "v3-32", "v3-64", "v3-128", "v3-256", "v3-512"}) {
      const double now = step("bert-base", slice, 512, 128, code);
      INFO(code << " " << slice);
      CHECK(now <= before);
      before = now;
    }
  }
  CHECK(step("bert-large", "v3-32", 64) < step("bert-large", "v3-32", 128));
  CHECK(step("bert-large", "v3-32", 128) < step("bert-large", "v3-32", 256));
}

TEST_CASE("slices and models come in the order of their speed") {
  CHECK(step("bert-large", "v4-32", 256) < step("bert-large", "v3-32", 256));
  CHECK(step("bert-large", "v3-32", 256) < step("bert-large", "v2-32", 256));
  CHECK(step("bert-base", "v3-32", 256) < step("bert-large", "v3-32", 256));
  CHECK(step("gpt2", "v3-32", 64, 1024) < step("gpt2-medium", "v3-32", 64, 1024));
  CHECK(step("gpt2-medium", "v3-32", 64, 1024) < step("gpt2-large", "v3-32", 64, 1024));
  CHECK(step("bert-large", "v3-32", 256, 512, "mlperf-bf16") < step("bert-large", "v3-32", 256, 512, "tf1-f32"));
}

TEST_CASE("a v3 core has room for sixteen sequences of 512 in f32 of BERT-large, not for thirty-two") {
  // LAMB's authors (You et al. 2019) report 32,768 on 1,024 chips as the limit.
  CHECK(nn::estimate_training(job("bert-large", "v3-2048", 32768, 512, "tf1-f32")).memory.fits);
  CHECK_FALSE(nn::estimate_training(job("bert-large", "v3-2048", 65536, 512, "tf1-f32")).memory.fits);
  CHECK(nn::estimate_training(job("bert-large", "v4-128", 3072)).memory.fits);
}

TEST_CASE("accumulation and bf16 activations make room, and say what they cost") {
  const nn::TrainingJob large = job("bert-large", "v3-32", 1024, 512, "tf1-f32");
  REQUIRE_FALSE(nn::estimate_training(large).memory.fits);
  const auto choices = nn::memory_choices(large);
  REQUIRE(choices.size() >= 3);
  bool some = false;
  for (const nn::MemoryChoice& choice : choices) {
    CHECK(choice.peak > 0);
    CHECK(choice.step_seconds > 0);
    some |= choice.fits;
  }
  CHECK(some);
  const std::int64_t most = nn::largest_batch(large);
  CHECK(most >= 16);  // the limit that LAMB's authors report, who double their batches
  CHECK(most < 32);
}

TEST_CASE("gradient checkpointing is a choice that trades time for memory, until it is made") {
  nn::TrainingJob small = job("bert-large", "v3-8", 64);
  const auto find = [&] {
    const auto choices = nn::memory_choices(small);
    return std::ranges::find(choices, "gradient_checkpointing", &nn::MemoryChoice::id) != choices.end();
  };
  CHECK(find());
  const nn::TrainingEstimate kept = nn::estimate_training(small);
  small.code.program.gradient_checkpointing = true;
  const nn::TrainingEstimate again = nn::estimate_training(small);
  CHECK(again.memory.activations < kept.memory.activations / 2);
  CHECK(again.step > kept.step);
  CHECK(again.step < kept.step * 4 / 3);  // of forward and backward, a third at the most
  CHECK_FALSE(find());
}

TEST_CASE("the largest batch of a replica fits, and one sequence more does not", "[native]") {
  for (const nn::TrainingJob& each :
       {job("bert-large", "v3-32", 448), job("bert-large", "v4-8192", 65536, 128),
        job("bert-large", "v3-2048", 32768, 128, "tf1-f32"), job("gpt2", "v2-8", 8, 1024, "flax-bf16"),
        job("electra-small", "v5e-8", 128, 64, "tf2"), job("albert-xxlarge", "v3-1024", 4096, 512, "tf1-f32")}) {
    const std::int64_t most = nn::largest_batch(each);
    const std::int64_t replicas = nn::estimate_training(each).replicas;
    INFO(most << " of " << each.length << " tokens on " << each.slice.name);
    REQUIRE(most > 0);
    nn::TrainingJob full = each;
    full.batch = most * replicas;
    CHECK(nn::estimate_training(full).memory.fits);
    full.batch += replicas;
    CHECK_FALSE(nn::estimate_training(full).memory.fits);
  }
  CHECK(nn::largest_batch(job("gpt2-xl", "v2-8", 8, 1024, "tf1-f32")) == 0);
}

TEST_CASE("a code reduces gradients together or one by one, as it was released") {
  for (const nn::CodeStyle& style : nn::code_styles()) {
    INFO(style.name);
    const bool one_by_one = style.name == "tf1-f32";
    const auto all_reduces = nn::estimate_training(job("gpt2", "v3-8", 64, 1024, style.name.data())).all_reduces;
    CHECK((all_reduces > 100) == one_by_one);
  }
}

TEST_CASE("gradients that are reduced one by one are as many as the model's parameters") {
  for (const char* model : {"bert-base", "gpt2", "albert-xxlarge", "electra-small"}) {
    nn::TrainingJob each = job(model, "v3-32", 512, 128, "tf1-f32");
    const Graph whole = nn::pretraining_program(each.model, each.model.layers, {1, 1, 1}, each.code.program);
    std::int64_t parameters = 0;
    double seconds = 0;
    for (const ValueId id : whole.parameters())
      if (whole.type(id).dtype == DType::f32) {
        ++parameters;
        seconds += tpu::collective_seconds(Op::all_reduce, static_cast<double>(whole.type(id).bytes()), each.slice,
                                           each.constants) +
                   each.constants.operation_seconds;
      }
    const nn::TrainingEstimate estimate = nn::estimate_training(each);
    INFO(model);
    CHECK(estimate.all_reduces == parameters);
    CHECK(std::fabs(estimate.all_reduce / seconds - 1) < 1e-9);
  }
}

TEST_CASE("clipping reads all gradients once more; of sharded ones a share, and their norms are added up") {
  nn::TrainingJob whole = job("bert-large", "v3-512", 2048, 128, "tf2");
  const auto clip = [](const nn::TrainingJob& each) {
    nn::TrainingJob free = each;
    free.code.clips = false;
    const nn::TrainingEstimate with = nn::estimate_training(each), without = nn::estimate_training(free);
    CHECK(without.clip == 0);
    CHECK(std::fabs(with.step - without.step - with.clip) < 1e-12);
    return with.clip;
  };
  const double parameters = nn::parameter_count(whole.model);
  const double bandwidth = tpu::core_of(whole.slice.chip, false).hbm_bandwidth * whole.constants.hbm_efficiency;
  CHECK(std::fabs(clip(whole) / (4 * parameters / bandwidth) - 1) < 1e-9);
  nn::TrainingJob sharded = whole;
  sharded.code.sharded_update = true;
  const double norms =
      whole.constants.operation_seconds + tpu::collective_seconds(Op::all_reduce, 4, whole.slice, whole.constants);
  CHECK(std::fabs(clip(sharded) / (4 * parameters / 512 / bandwidth + norms) - 1) < 1e-9);
}

TEST_CASE("what cannot be trained is refused") {
  CHECK(number_of([] { step("bert-large", "v3-32", 100); }) == 601);
  CHECK(number_of([] { step("bert-large", "v3-32", 0); }) == 403);
  CHECK(number_of([] { step("bert-large", "v3-32", -32); }) == 403);
  CHECK(number_of([] { step("bert-large", "v3-32", std::int64_t{1} << 60); }) == 403);
  CHECK(number_of([] { nn::published_transformer("bert-huge"); }) == 717);
  CHECK(number_of([] { nn::published_transformer(""); }) == 717);
  nn::TransformerConfig config = nn::published_transformer("bert-base");
  config.heads = 7;
  CHECK(number_of([&] { nn::validate(config); }) == 717);
  config.heads = 0;
  CHECK(number_of([&] { nn::validate(config); }) == 717);
  config = nn::published_transformer("bert-base");
  config.hidden = std::int64_t{1} << 60;
  CHECK(number_of([&] { nn::validate(config); }) == 717);
  try {
    nn::published_transformer("bert-larg");
  } catch (const Error& error) {
    CHECK(error.diagnostics().front().fix.front().starts_with("use bert-large"));
  }
  try {
    nn::published_transformer("bert");
  } catch (const Error& error) {
    CHECK(error.diagnostics().front().fix.front() == "use bert-base or bert-mini");
  }
}

TEST_CASE("sequences longer than a model's positions are refused, in estimates and in what is checked") {
  CHECK(number_of([] { nn::estimate_training(job("bert-base", "v3-8", 64, 1024)); }) == 401);
  CHECK(number_of([] { nn::estimate_training(job("gpt2", "v3-8", 64, 2048)); }) == 401);
  CHECK(number_of([] { nn::estimate_training(job("gpt2", "v3-8", 64, 1024)); }) == 0);
  const tpu::Slice eight = tpu::slice("v3-8");
  const auto candidate = [&](std::int64_t length) {
    return nn::training_candidate(nn::published_transformer("bert-tiny"), eight,
                                  {.sequences = 64, .predictions = 8, .lengths = {length, length}});
  };
  CHECK(number_of([&] { candidate(513); }) == 401);
  // Buckets that pad beyond them are found when the program is traced.
  const Candidate within = candidate(500);
  CheckOptions options;
  options.jit.argument_names = {"batch", "state"};
  for (const std::string& name : nn::sequence_arguments(nn::published_transformer("bert-tiny"), within))
    options.jit.buckets.push_back({name, 1, multiple_of(300)});
  const Readiness readiness = check(within, eight, options);
  CHECK(readiness.line("compiles").verdict == Verdict::fail);
  CHECK(readiness.line("compiles").number() == 401);
}

TEST_CASE("both limits of a batch are told: with nothing recomputed, and what the larger one costs", "[native]") {
  for (nn::TrainingJob each : {job("bert-base", "v3-8", 256, 128), job("bert-large", "v3-8", 64, 512, "tf1-f32")}) {
    const nn::BatchLimits limits = nn::batch_limits(each);
    CHECK(limits.kept > 0);
    CHECK(limits.kept < limits.recomputing);
    CHECK(limits.recomputing == nn::largest_batch(each));
    CHECK(limits.recompute_seconds > 0);
    each.batch = 8 * limits.kept;
    CHECK(nn::estimate_training(each).recompute == 0);
    CHECK(nn::batch_limits(each).kept == limits.kept);
    each.batch += 8;
    CHECK(nn::estimate_training(each).recompute > 0);
    each.batch = 8 * limits.recomputing;
    CHECK(nn::estimate_training(each).recompute == limits.recompute_seconds);
    CHECK(nn::batch_limits(each).recomputing == limits.recomputing);
  }
}

TEST_CASE("recomputing must be asked for where XLA alone was not seen to do as much", "[native]") {
  const auto must_ask = [](std::int64_t batch) {
    return nn::estimate_training(job("bert-large", "v3-8", batch, 512)).memory.must_ask();
  };
  CHECK(!must_ask(120));   // it fits as it is
  CHECK(!must_ask(256));   // with twice the memory
  CHECK(must_ask(512));    // with four times
  CHECK(!must_ask(1024));  // it does not fit at all
}
