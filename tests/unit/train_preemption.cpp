// Preemption: replicas lost in any step, and a run that goes on to the bits of one that lost nothing. And the
// optimizer's state in shares, which no replica that is left has all of.
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>
import octet.base;
import octet.graph;
import octet.trace;
import octet.compile;
import octet.nn;
import octet.train;

#include "training_text.hpp"

using namespace octet;

namespace {

constexpr int steps = 9;

train::TrainOptions options(std::int64_t accumulate, bool in_shares) {
  train::TrainOptions result;
  result.steps = steps;
  result.seed = 3;
  result.layers = 1;
  result.hidden = 12;  // of 12 and 36 numbers eight shares are not alike
  result.intermediate = 36;
  result.seq = 16;
  result.batch = 32;
  result.accumulate = accumulate;
  result.shard_optimizer = in_shares;
  result.vocab_size = 96;
  result.warmup_steps = 2;
  result.dropout = 0.1;
  result.attention_dropout = 0.2;
  return result;
}

struct Outcome {
  std::string parameters;
  std::string state;  ///< moments and all
  double held_out = 0;
  bool operator==(const Outcome&) const = default;
};

Outcome outcome(train::Trainer& trainer) {
  while (!trainer.finished()) trainer.step();
  return {trainer.parameters_hash(), hash_text(trainer.state().state), trainer.evaluate().loss};
}

Outcome without_loss(const train::TrainOptions& options) {
  Threads threads{2};
  train::Trainer trainer{training_text(), options, threads};
  return outcome(trainer);
}

int number_of(const auto& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.number();
  }
  return 0;
}

}  // namespace

TEST_CASE("the optimizer's state in shares changes no bit of weights, moments and losses") {
  for (const std::int64_t accumulate : {1, 2})
    for (const double clip_norm : {1.0, 0.05, 0.0})
      for (const DType parameters : {DType::f32, DType::bf16}) {
        train::TrainOptions whole = options(accumulate, false), shares = options(accumulate, true);
        whole.clip_norm = shares.clip_norm = clip_norm;
        whole.parameters = shares.parameters = parameters;
        INFO(accumulate << " parts, clipped at " << clip_norm << ", weights " << name(parameters));
        CHECK(without_loss(shares) == without_loss(whole));
      }
}

TEST_CASE("a replica keeps an eighth of the optimizer's state, filled up to equal shares") {
  Threads threads{1};
  const train::RunSummary whole = train::Trainer{training_text(), options(1, false), threads}.summary(),
                          shares = train::Trainer{training_text(), options(1, true), threads}.summary();
  CHECK(whole.parameter_bytes == 4 * whole.parameters);
  CHECK(shares.parameter_bytes == whole.parameter_bytes);
  CHECK(whole.optimizer_bytes == 8 * whole.parameters);
  CHECK(8 * shares.optimizer_bytes >= whole.optimizer_bytes);
  CHECK(shares.optimizer_bytes < whole.optimizer_bytes / 7);
}

TEST_CASE("a run is saved whole, and goes on with its state in shares or without") {
  Threads threads{2};
  const Outcome wanted = without_loss(options(1, false));
  for (const bool before : {false, true})
    for (const bool after : {false, true}) {
      train::Trainer first{training_text(), options(1, before), threads};
      for (int i = 0; i < 4; ++i) first.step();
      train::RunState saved = first.state();
      saved.options.shard_optimizer = after;
      train::Trainer second{training_text(), first.tokenizer(), std::move(saved), threads};
      CHECK(outcome(second) == wanted);
    }
}

TEST_CASE("a replica lost in any step is replaced by another, and no bit is another") {
  for (const std::int64_t accumulate : {1, 2}) {
    const Outcome wanted = without_loss(options(accumulate, false));
    for (int at = 0; at < steps; ++at) {
      Threads threads{2};
      train::Trainer trainer{training_text(), options(accumulate, false), threads};
      for (int i = 0; i < at; ++i) trainer.step();
      const std::int64_t replica = at % 8;  // replica 0, which speaks for all, among them
      trainer.lose(replica);
      trainer.lose((replica + 3) % 8);
      INFO("replica " << replica << " in step " << at + 1 << ", " << accumulate << " parts");
      CHECK(number_of([&] { trainer.step(); }) == 612);
      CHECK(number_of([&] { trainer.evaluate(); }) == 612);
      CHECK(number_of([&] { trainer.state(); }) == 612);
      CHECK(number_of([&] { trainer.parameters(); }) == 612);
      CHECK(trainer.steps_done() == at);
      const std::optional<std::int64_t> left = trainer.replace_lost();
      REQUIRE(left);
      CHECK(*left != replica);
      CHECK(outcome(trainer) == wanted);
    }
  }
}

TEST_CASE("all replicas lost in any step, or a share of the state: what was saved goes on to the same bits",
          "[native]") {
  for (const bool in_shares : {false, true})
    for (const std::int64_t accumulate : {1, 2}) {
      const Outcome wanted = without_loss(options(accumulate, in_shares));
      CHECK(wanted == without_loss(options(accumulate, false)));
      for (int at = 0; at < steps; ++at) {
        Threads threads{2};
        train::Trainer trainer{training_text(), options(accumulate, in_shares), threads};
        constexpr int save_every = 4;
        std::optional<train::RunState> saved;
        for (int i = 0; i < at; ++i) {
          if (i % save_every == 0) saved = trainer.state();
          trainer.step();
        }
        if (at % save_every == 0) saved = trainer.state();
        for (std::int64_t replica = 0; replica < (in_shares ? 1 : 8); ++replica) trainer.lose(replica);
        INFO("step " << at + 1 << ", " << accumulate << " parts" << (in_shares ? ", in shares" : ""));
        CHECK(!trainer.replace_lost());
        CHECK(number_of([&] { trainer.step(); }) == 612);
        train::Trainer again{training_text(), trainer.tokenizer(), std::move(*saved), threads};
        CHECK(again.steps_done() == at / save_every * save_every);
        CHECK(outcome(again) == wanted);
      }
    }
}

TEST_CASE("what a lost replica held is gone") {
  // The losses above show something only if a step with what is left would be another.
  Threads threads{1};
  train::Trainer trainer{training_text(), options(1, false), threads};
  trainer.step();
  trainer.lose(5);
  try {
    trainer.step();
    FAIL("a step ended without replica 5");
  } catch (const Error& error) {
    CHECK(error.diagnostics().front().sentence == "Replica 5 of 8 is lost, and step 2 cannot end without it.");
  }
  CHECK(trainer.replace_lost() == 0);
  CHECK(std::isfinite(trainer.step().loss));
  CHECK(number_of([&] { trainer.lose(8); }) == 613);
  CHECK(number_of([&] { trainer.lose(-1); }) == 613);
}

TEST_CASE("a program in shares is what each replica runs, and needs less memory") {
  train::TrainOptions sizes = options(1, false);
  sizes.hidden = 64;
  sizes.intermediate = 256;
  const auto bytes = [&](bool in_shares) {
    sizes.shard_optimizer = in_shares;
    const Graph graph = train::training_program(sizes, 96);
    std::int64_t sum = 0;
    for (const ValueId id : graph.parameters()) sum += graph.type(id).bytes();
    return sum;
  };
  CHECK(bytes(true) < bytes(false) / 2);
}
