// ELECTRA: the same bits on any number of threads, resumed, preempted and in shares; what is drawn, what it learns.
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "scratch.hpp"

import octet.base;
import octet.compile;
import octet.data;
import octet.graph;
import octet.nn;
import octet.text;
import octet.trace;
import octet.train;

#include "electra_run.hpp"
#include "refusal.hpp"

using namespace octet;
using namespace octet::train;
namespace fs = std::filesystem;

namespace {

struct Losses {
  std::vector<double> generator, discriminator;
};
Losses losses(const TrainOptions& chosen, int steps = 6) {
  Threads threads{2};
  ElectraTrainer trainer{sentences(), chosen, threads};
  Losses result;
  for (int i = 0; i < steps; ++i) {
    const StepReport report = trainer.step();
    result.generator.push_back(report.loss);
    result.discriminator.push_back(report.discriminator_loss.value());
  }
  return result;
}

void require_near(const std::vector<double>& a, const std::vector<double>& b, double share) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    INFO("step " << i << ": " << a[i] << " and " << b[i]);
    CHECK(std::fabs(a[i] - b[i]) < share * b[i]);
  }
}

}  // namespace

TEST_CASE("an ELECTRA's run gives one hash on one, two and three threads, and it is this one") {
  for (const unsigned count : {1u, 2u, 3u}) {
    Threads threads{count};
    ElectraTrainer trainer{sentences(), electra_options(), threads};
    while (!trainer.finished()) trainer.step();
    // Pinned: the same natively and in wasm.
    CHECK(trainer.parameters_hash() == "1bfdb9bede131359");
    CHECK(trainer.cache().misses == 1);  // the step; nobody asked for an evaluation
  }
}

TEST_CASE("an ELECTRA that is saved and gone on with, loses replicas or keeps shares ends with the same bits") {
  const Scratch scratch;
  Threads threads{2};
  ElectraTrainer whole{sentences(), electra_options(), threads};
  while (!whole.finished()) {
    whole.step();
    if (whole.steps_done() == 5) save_checkpoint(whole, scratch.path);
  }
  ElectraSavedRun saved = load_electra_run(scratch.path);
  CHECK(saved.state.step == 5);
  ElectraTrainer resumed{sentences(), std::move(saved.tokenizer), std::move(saved.state), threads};
  while (!resumed.finished()) {
    if (resumed.steps_done() == 8) {
      resumed.lose(3);
      CHECK(resumed.replace_lost().value_or(-1) == 0);
    }
    resumed.step();
  }
  CHECK(resumed.parameters_hash() == whole.parameters_hash());
  const Evaluation a = whole.evaluate(), b = resumed.evaluate();
  CHECK(a.loss == b.loss);
  CHECK(a.replaced.loss == b.replaced.loss);

  TrainOptions in_shares = electra_options();
  in_shares.shard_optimizer = true;
  ElectraTrainer sharing{sentences(), in_shares, threads};
  while (!sharing.finished()) sharing.step();
  CHECK(sharing.parameters_hash() == whole.parameters_hash());

  TrainOptions again = electra_options();
  again.gradient_checkpointing = true;
  ElectraTrainer computing_again{sentences(), again, threads};
  while (!computing_again.finished()) computing_again.step();
  CHECK(computing_again.parameters_hash() == whole.parameters_hash());
}

TEST_CASE("both of an ELECTRA's losses are in parts what they are whole, and rows of weight zero weigh nothing") {
  TrainOptions exact = electra_options();
  exact.precision = Precision::f32;
  TrainOptions parts = exact, unweighed = exact, other = exact;
  parts.accumulate = 2;
  unweighed.discriminator_weight = 0;
  other.discriminator_weight = 5;
  const Losses whole = losses(exact), in_parts = losses(parts);
  require_near(in_parts.generator, whole.generator, 1e-5);
  require_near(in_parts.discriminator, whole.discriminator, 1e-5);
  for (const TrainOptions& weighed : {unweighed, other})
    CHECK(std::fabs(losses(weighed).discriminator.back() / whole.discriminator.back() - 1) > 1e-4);

  TrainOptions shared = exact, filled = exact;
  shared.batch = filled.batch = 12;
  shared.slice = "v5e-4";
  filled.pad_batch = true;
  const Losses four = losses(shared), eight = losses(filled);
  require_near(eight.generator, four.generator, 1e-5);
  require_near(eight.discriminator, four.discriminator, 1e-5);
}

TEST_CASE("an ELECTRA is looked at under precision policies as others are") {
  Threads threads{2};
  TrainOptions chosen = electra_options();
  chosen.passes = 3;
  chosen.activations = chosen.parameters = DType::bf16;
  ElectraTrainer trainer{sentences(), chosen, threads}, unwatched{sentences(), chosen, threads};
  trainer.watch_precision(1);
  for (int i = 0; i < 2; ++i) {
    trainer.step();
    unwatched.step();
  }
  CHECK(trainer.precision().updates == 2);
  CHECK(trainer.parameters_hash() == unwatched.parameters_hash());
}

// Two places always hold the same of eight words. Where both are masked, a generator can only guess each; a judge sees
// that they differ.
TEST_CASE("an ELECTRA learns which tokens were replaced, and shows them in a sentence") {
  std::vector<std::string> pieces{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "and"};
  for (int i = 0; i < 8; ++i) pieces.push_back("w" + std::to_string(i));
  const text::WordPiece words{text::Vocabulary{pieces}};
  const auto window = [](std::uint64_t epoch, std::uint64_t) {
    std::vector<data::TrainingExample> examples;
    for (std::uint64_t i = 0; i < 64; ++i) {
      const auto word = static_cast<std::int32_t>(6 + below(split(Key::of_seed(5), epoch), i, 8));
      const bool both = i % 2 == 0;
      const std::int32_t shown = both ? 4 : word;
      examples.push_back({.ids = {2, shown, both ? 5 : 4, shown, 3},
                          .first_segment = 5,
                          .positions = both ? std::vector<std::int32_t>{1, 3} : std::vector<std::int32_t>{2},
                          .labels = both ? std::vector<std::int32_t>{word, word} : std::vector<std::int32_t>{5}});
    }
    return examples;
  };
  Threads threads{2};
  TrainOptions chosen = electra_options();
  chosen.steps = 400;
  chosen.batch = 64;
  chosen.seq = 8;
  ElectraTrainer trainer{TrainingData{{1, window, 5, 64}, window(~std::uint64_t{0}, 0), 2}, words, chosen, threads};
  const Evaluation before = trainer.evaluate();
  CHECK(std::fabs(before.replaced.loss - std::log(2.0)) < 0.1);
  CHECK(before.replaced.judged == 5 * 64);
  while (!trainer.finished()) trainer.step();
  const Evaluation after = trainer.evaluate();
  CHECK(after.masked_tokens == 3 * 32);
  CHECK(after.loss < 2.0 / 3 * std::log(8.0) + 0.2);  // a third of what is masked can be known
  CHECK(std::fabs(after.replaced.share - 0.2 * 7 / 8) < 0.05);
  CHECK(after.replaced.recall.value() > 0.7);
  CHECK(after.replaced.precision.value() > 0.8);
  CHECK(after.replaced.accuracy > 0.93);

  const Detector detect{nn::discriminator_of(trainer.parameters()), trainer.tokenizer(), threads};
  const auto same = detect("w3 and w3"), different = detect("w3 and w6");
  REQUIRE((same.size() == 3 && different.size() == 3));
  for (const JudgedToken& token : same) CHECK(token.probability < 0.5);
  CHECK(different[0].probability > 0.5);
  CHECK(different[1].probability < 0.5);
  CHECK(different[2].probability > 0.5);
  CHECK((different[2].token == "w6" && different[2].id == 12));
  CHECK((different[2].span.begin == 7 && different[2].span.end == 9));
  CHECK(number_of([&] { detect("w1 and w1 and w1 and w1"); }) == 713);
  CHECK(detect("").empty());
}

TEST_CASE("tokens are drawn anew in each step, row and evaluation, and the same whenever they are drawn") {
  std::vector<std::string> pieces{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"};
  for (int i = 0; i < 8; ++i) pieces.push_back("w" + std::to_string(i));
  const text::WordPiece words{text::Vocabulary{pieces}};
  // All rows are alike, and the weights stay what they are: only what is drawn can differ.
  const std::vector<data::TrainingExample> alike(
      16, {.ids = {2, 4, 5, 4, 3}, .first_segment = 5, .positions = {1, 3}, .labels = {6, 7}});
  const auto window = [&](std::uint64_t, std::uint64_t) { return alike; };
  const auto trainer = [&](std::uint64_t seed, Threads& threads) {
    TrainOptions chosen = electra_options();
    chosen.seed = seed;
    chosen.seq = 8;
    chosen.learning_rate = 1e-30;
    return ElectraTrainer{TrainingData{{1, window, 5, 16}, alike, 2}, words, chosen, threads};
  };
  Threads one{1}, two{2};
  ElectraTrainer first = trainer(7, one), again = trainer(7, two);
  const double a = first.step().discriminator_loss.value(), b = first.step().discriminator_loss.value();
  CHECK(a != b);
  CHECK(again.step().discriminator_loss == a);
  CHECK(again.step().discriminator_loss == b);
  const ReplacedTokens judged = first.evaluate().replaced;
  CHECK((judged.loss != a && judged.loss != b));
  CHECK(again.evaluate().replaced.loss == judged.loss);
  // One draw for all rows would replace none, one or both tokens of every row.
  CHECK(judged.judged == 16 * 5);
  CHECK((judged.share > 0.2 && judged.share < 0.4));
}

TEST_CASE("what is measured of an ELECTRA on held-out text does not depend on the size of a batch") {
  Threads threads{2};
  std::optional<Evaluation> first;
  for (const std::int64_t batch : {8, 16, 24, 64}) {
    TrainOptions chosen = electra_options();
    chosen.precision = Precision::f32;
    chosen.batch = batch;
    chosen.held_out_one_in = 4;
    ElectraTrainer trainer{sentences(), chosen, threads};
    CHECK(trainer.summary().held_out_sequences > 16);      // several batches,
    CHECK(trainer.summary().held_out_sequences % 8 != 0);  // and a last one that is filled up
    const Evaluation now = trainer.evaluate();
    INFO(batch);
    if (!first) first = now;
    CHECK(now.masked_tokens == first->masked_tokens);
    CHECK(now.replaced.judged == first->replaced.judged);
    CHECK(now.replaced.share == first->replaced.share);
    CHECK(now.replaced.accuracy == first->replaced.accuracy);
    require_near({now.loss, now.replaced.loss}, {first->loss, first->replaced.loss}, 1e-6);
  }
}

TEST_CASE("an ELECTRA is asked about no pairs") {
  Threads threads;
  TrainOptions chosen = electra_options();
  chosen.next_sentence = true;
  CHECK(number_of([&] {
          ElectraTrainer{TrainingData{},
                         text::WordPiece{text::Vocabulary{{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}}}, chosen,
                         threads};
        }) == 709);
}

TEST_CASE("a generator too wide or without width, and judgements that weigh too little or too much are refused") {
  for (const double size : {0.0, -1.0, 1.5, std::nan("")}) {
    TrainOptions chosen = electra_options();
    chosen.generator_size = size;
    chosen.discriminator_weight = size == 0 ? -1 : 1e300;
    try {
      validate(chosen);
      FAIL("was accepted");
    } catch (const Error& error) {
      CHECK(error.diagnostics().size() == 2);
    }
  }
}
