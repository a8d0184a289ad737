// A run is a function of text, options and seed: one hash, natively, in wasm, on any number of threads, resumed or not.
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>
import octet.base;
import octet.trace;
import octet.compile;
import octet.nn;
import octet.train;

#include "refusal.hpp"

using namespace octet;

namespace {

/// Sentences made of a few words, some of them Korean and Japanese.
std::vector<std::string> text() {
  const std::vector<std::string> who{"the cat", "a small dog", "my friend", "고양이", "猫", "the teacher"};
  const std::vector<std::string> does{"sees", "likes", "finds", "본다", "を見る", "remembers"};
  const std::vector<std::string> what{"the river", "a red house", "an old tree", "강을", "川", "the morning"};
  std::vector<std::string> lines;
  const Key key = Key::of_seed(11);
  for (std::uint64_t i = 0; i < 400; ++i)
    lines.push_back(who[below(key, 3 * i, 6)] + " " + does[below(key, 3 * i + 1, 6)] + " " +
                    what[below(key, 3 * i + 2, 6)] + ".");
  return lines;
}

train::TrainOptions options() {
  train::TrainOptions result;
  result.steps = 60;
  result.seed = 7;
  result.layers = 2;
  result.hidden = 32;
  result.intermediate = 64;
  result.seq = 32;
  result.batch = 16;
  result.vocab_size = 128;
  result.learning_rate = 3e-3;
  result.warmup_steps = 10;
  return result;
}

}  // namespace

TEST_CASE("a hundred steps give one hash on one, two and three threads, and it is this one") {
  auto hundred = options();
  hundred.steps = 100;
  for (const unsigned count : {1u, 2u, 3u}) {
    DYNAMIC_SECTION("on " << count) {
      Threads threads{count};
      train::Trainer trainer{text(), hundred, threads};
      double first = 0, last = 0;
      for (int i = 0; i < 100; ++i) {
        const auto report = trainer.step();
        (i == 0 ? first : last) = report.loss;
        CHECK(report.replica_losses.size() == 8);
      }
      CHECK(last < first - 1);
      // Pinned: the same natively, compiled to wasm, and on every instruction set (`./run test --emulate`).
      CHECK(trainer.parameters_hash() == "78626da4cc7320a4");
      CHECK(trainer.cache().misses == 1);  // the step; nobody asked for an evaluation
      CHECK(trainer.cache().hits == 100);
    }
  }
}

TEST_CASE("what is dropped follows from the seed: one hash with dropout, on any number of threads") {
  auto dropping = options();
  dropping.dropout = 0.1;
  dropping.attention_dropout = 0.2;
  std::vector<double> losses;
  for (const unsigned count : {1u, 3u}) {
    Threads threads{count};
    train::Trainer trainer{text(), dropping, threads};
    losses.clear();
    for (int i = 0; i < 20; ++i) losses.push_back(trainer.step().loss);
    CHECK(trainer.parameters_hash() == "fae58d0932567d53");
    CHECK(trainer.cache().misses == 1);
  }
  // Neither the parts of a batch nor the number of replicas that share it have a part in it: but for the order of
  // additions, which rounds differently, the losses are the same.
  for (const auto& [slice, parts] : {std::pair{"v3-8", 2}, std::pair{"v5e-1", 1}}) {
    auto other = dropping;
    other.slice = slice;
    other.accumulate = parts;
    Threads threads{2};
    train::Trainer trainer{text(), other, threads};
    for (int i = 0; i < 3; ++i) CHECK(std::abs(trainer.step().loss - losses[static_cast<std::size_t>(i)]) < 2e-5);
  }
  dropping.dropout = dropping.attention_dropout = 0;
  Threads threads{2};
  train::Trainer trainer{text(), dropping, threads};
  CHECK(std::abs(trainer.step().loss - losses[0]) > 1e-3);
}

TEST_CASE("a run that was saved and resumed ends with the same bits") {
  Threads threads{2};
  train::Trainer whole{text(), options(), threads};
  train::Trainer first{text(), options(), threads};
  for (int i = 0; i < 12; ++i) whole.step();
  for (int i = 0; i < 5; ++i) first.step();
  train::Trainer second{text(), first.tokenizer(), first.state(), threads};
  CHECK(second.steps_done() == 5);
  for (int i = 0; i < 7; ++i) second.step();
  CHECK(second.parameters_hash() == whole.parameters_hash());
  CHECK(second.evaluate().loss == whole.evaluate().loss);
  CHECK(second.step().learning_rate == whole.step().learning_rate);
}

TEST_CASE("a run is not resumed on another text") {
  Threads threads;
  train::Trainer trainer{text(), options(), threads};
  auto other = text();
  other[17] += " and then";
  try {
    train::Trainer{other, trainer.tokenizer(), trainer.state(), threads};
    FAIL("was accepted");
  } catch (const Error& error) {
    CHECK(error.number() == 711);
  }
}

TEST_CASE("a trained model fills blanks with words that fit, and says what it cannot fill") {
  Threads threads{2};
  train::Trainer trainer{text(), options(), threads};
  while (!trainer.finished()) trainer.step();
  const auto evaluation = trainer.evaluate();
  CHECK(evaluation.masked_tokens > 0);
  CHECK(evaluation.loss < 3.5);
  const train::Filler fill{trainer.parameters(), trainer.tokenizer(), threads};
  const auto blanks = fill("the cat ___ the river and [MASK] likes 강을", 3);
  REQUIRE(blanks.size() == 2);
  for (const auto& blank : blanks) {
    REQUIRE(blank.candidates.size() == 3);
    CHECK(blank.candidates[0].probability >= blank.candidates[1].probability);
    CHECK(blank.candidates[0].token.find("##") == std::string::npos);
  }
  const auto refused_with = [&](const std::string& sentence) { return number_of([&] { fill(sentence); }); };
  CHECK(refused_with("the cat sees the river") == 712);
  CHECK(refused_with("") == 712);
  std::string longer = "[MASK]";
  for (int i = 0; i < 40; ++i) longer += " cat";
  CHECK(refused_with(longer) == 713);
}

TEST_CASE("options out of range are all named at once") {
  Threads threads;
  auto wrong = options();
  wrong.steps = 0;
  wrong.batch = 15;
  wrong.heads = 5;
  wrong.learning_rate = -1;
  try {
    train::Trainer{text(), wrong, threads};
    FAIL("was accepted");
  } catch (const Error& error) {
    CHECK(error.diagnostics().size() == 4);
    for (const auto& diagnostic : error.diagnostics()) CHECK(diagnostic.number == 709);
  }
}
