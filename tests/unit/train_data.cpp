// Runs on data that is read as it is needed: the same bits resumed or not, with batches made ahead or not; both of
// BERT's losses, and GPT-2's.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <string_view>
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
import octet.tpu;
import octet.trace;
import octet.train;

#include "refusal.hpp"
#include "train_sources.hpp"

using namespace octet;
using namespace octet::train;
namespace fs = std::filesystem;

namespace {

/// The parameters' hash after all steps, in one go, with batches made ahead, and saved and loaded on the way.
template <class Trainer>
void require_one_hash(const std::function<Trainer(Threads&)>& begin,
                      const std::function<Trainer(const fs::path&, Threads&)>& resume) {
  const Scratch scratch;
  Threads threads{2};
  Trainer whole = begin(threads);
  while (!whole.finished()) whole.step();

  Trainer ahead = begin(threads);
  Threads loaders{3};
  ahead.fed(loaders, [&] {
    while (ahead.steps_done() < 5) ahead.step();
  });
  save_checkpoint(ahead, scratch.path / "run");
  while (!ahead.finished()) ahead.step();
  CHECK(ahead.parameters_hash() == whole.parameters_hash());

  Trainer resumed = resume(scratch.path / "run", threads);
  CHECK(resumed.steps_done() == 5);
  resumed.fed(loaders, [&] {
    while (!resumed.finished()) resumed.step();
  });
  CHECK(resumed.parameters_hash() == whole.parameters_hash());
  CHECK(resumed.evaluate().loss == whole.evaluate().loss);
}

}  // namespace

TEST_CASE("a run on documents ends with the same bits, made ahead or not, resumed or not") {
  require_one_hash<Trainer>(
      [](Threads& threads) {
        return Trainer{document_data(documents(), words(), pair_options()), words(), pair_options(), threads};
      },
      [](const fs::path& path, Threads& threads) {
        SavedRun saved = load_run(path);
        CHECK(saved.tokenizer == words());
        CHECK(!saved.state.position.empty());
        TrainingData data = document_data(documents(), saved.tokenizer, saved.state.options);
        return Trainer{std::move(data), std::move(saved.tokenizer), std::move(saved.state), threads};
      });
}

TEST_CASE("a run on records ends with the same bits, made ahead or not, resumed or not") {
  const Scratch scratch;
  const fs::path path = scratch.path / "examples.tfrecord";
  const data::BertExamples examples{documents(), words(), {.max_seq_length = 24, .max_predictions_per_seq = 4}};
  std::vector<data::RecordWriter> files;
  files.emplace_back(path);
  Threads alone;
  data::write_records(
      data::bert_windows(examples), 2, [](const auto& example) { return data::bert_features(example, 24, 4); }, files,
      alone);
  files[0].close();
  files[0].put_in_place();
  auto chosen = pair_options();
  chosen.max_predictions = 4;
  require_one_hash<Trainer>(
      [&](Threads& threads) { return Trainer{record_data({path}, words(), chosen), words(), chosen, threads}; },
      [&](const fs::path& from, Threads& threads) {
        SavedRun saved = load_run(from);
        TrainingData data = record_data({path}, saved.tokenizer, saved.state.options);
        return Trainer{std::move(data), std::move(saved.tokenizer), std::move(saved.state), threads};
      });
  // Ids that the vocabulary does not have are found before they are looked up.
  CHECK(number_of([&] { record_data({path}, words(20), chosen); }) == 736);
}

TEST_CASE("a GPT-2 learns what follows, and a run ends with the same bits, made ahead or not, resumed or not") {
  Threads threads{2};
  CausalTrainer trainer{block_data(stream(), byte_pairs(), causal_options()), byte_pairs(), causal_options(), threads};
  const double first = trainer.evaluate().loss;
  CHECK(std::abs(first - std::log(262.0)) < 0.2);  // nothing is known yet
  while (!trainer.finished()) trainer.step();
  CHECK(trainer.evaluate().loss < first - 1);
  CHECK(trainer.padding().share() == 0);
  CHECK(trainer.evaluate().masked_tokens % 23 == 0);  // all tokens of a block but the first
  require_one_hash<CausalTrainer>(
      [](Threads& own) {
        return CausalTrainer{block_data(stream(), byte_pairs(), causal_options()), byte_pairs(), causal_options(), own};
      },
      [](const fs::path& path, Threads& own) {
        CausalSavedRun saved = load_causal_run(path);
        CHECK(saved.tokenizer == byte_pairs());
        TrainingData data = block_data(stream(), saved.tokenizer, saved.state.options);
        return CausalTrainer{std::move(data), std::move(saved.tokenizer), std::move(saved.state), own};
      });
}

TEST_CASE("both losses of BERT's pre-training fall to almost nothing on pairs that can be learned by heart") {
  Threads threads{2};
  auto chosen = pair_options();
  chosen.steps = 300;
  chosen.learning_rate = 1e-2;
  std::vector<data::TrainingExample> pairs;
  for (std::int32_t i = 0; i < 8; ++i)
    pairs.push_back({.ids = {2, 10 + i, 4, 3, 30 + i * 3 % 8, 50, 3},
                     .first_segment = 4,
                     .positions = {2},
                     .labels = {20 + i},
                     .random_next = i % 3 == 0});
  const data::WindowSource source{1, [pairs](std::uint64_t, std::uint64_t) { return pairs; }, 5, 8};
  Trainer trainer{TrainingData{source, pairs, 1}, words(), chosen, threads};
  const Evaluation before = trainer.evaluate();
  CHECK(before.pairs == 8);
  CHECK(before.true_next_share ==
        static_cast<double>(std::ranges::count(pairs, false, &data::TrainingExample::random_next)) / 8);
  CHECK(before.masked_tokens == 8);
  CHECK(std::abs(before.next_sentence_loss - std::log(2.0)) < 0.1);
  CHECK(std::abs(before.loss - std::log(60.0)) < 0.3);
  StepReport last;
  while (!trainer.finished()) last = trainer.step();
  const Evaluation after = trainer.evaluate();
  CHECK(after.loss < 0.5);
  CHECK(after.next_sentence_loss < 0.1);
  CHECK(after.next_sentence_accuracy == 1);
  CHECK(std::abs(last.next_sentence_loss.value_or(0) - after.next_sentence_loss) <
        0.05);  // the same pairs, an update before
}

TEST_CASE("a run goes on with its own data alone") {
  Threads threads;
  const Scratch scratch;
  Trainer trainer{document_data(documents(), words(), pair_options()), words(), pair_options(), threads};
  trainer.step();
  RunState state = trainer.state();
  CHECK(number_of([&] { Trainer{document_data(documents(25), words(), pair_options()), words(), state, threads}; }) ==
        711);
  state.position = "octet position 0 0 0 1";
  CHECK(number_of([&] { Trainer{document_data(documents(), words(), pair_options()), words(), state, threads}; }) ==
        729);
  CHECK(number_of([&] { block_data(stream(), text::BpeTrainer{{.vocab_size = 257}}.train(), causal_options()); }) ==
        706);
  CHECK(number_of([&] { document_data(documents(24, 61), words(), pair_options()); }) == 726);
  auto lines = pair_options();
  CHECK(number_of([&] { Trainer{{"a line", "and one more"}, lines, threads}; }) == 709);
}

TEST_CASE("tokens are verified before they are trained on") {
  const auto altered = [](std::string bytes) {  // its first token is another one of the vocabulary
    bytes[0] = static_cast<char>(bytes[0] ^ 1);
    return data::TokenFile{std::move(bytes), "altered.tokens"};
  };
  CHECK(number_of([&] { document_data(altered(document_bytes()), words(), pair_options()); }) == 726);
  CHECK(number_of([&] { block_data(altered(stream_bytes()), byte_pairs(), causal_options()); }) == 726);
}

TEST_CASE("an example that no length to pad to holds is told of before the first step") {
  Threads threads;
  const auto number = [&](std::vector<std::int64_t> lengths, std::int64_t longest) {
    TrainOptions options = pair_options();
    options.seq = longest;
    TrainingData data = document_data(documents(), words(), options);
    options.seq = 24;
    options.padding = data::pad_to_one_of(std::move(lengths));
    return number_of([&] { Trainer{std::move(data), words(), options, threads}; });
  };
  CHECK(number({8, 24}, 24) == 0);
  CHECK(number({8, 20}, 24) == 301);
  CHECK(number({8, 20}, 20) == 0);  // all examples are short enough
  CHECK(number({8, 19}, 20) == 301);

  // The one that is too long is among the last.
  TrainOptions options = pair_options();
  options.padding = data::pad_to_one_of({20});
  const auto rare = [&](std::uint64_t windows) {
    TrainingData data{{.windows = windows,
                       .window =
                           [](std::uint64_t, std::uint64_t window) {
                             std::vector<data::TrainingExample> result(16);
                             for (auto& example : result)
                               example = {.ids = std::vector<std::int32_t>(20, 7), .first_segment = 10};
                             if (window == 9) result.back().ids.resize(21, 7);
                             return result;
                           }},
                      {},
                      4};
    return number_of([&] { Trainer{std::move(data), words(), options, threads}; });
  };
  CHECK(rare(9) == 0);
  CHECK(rare(10) == 301);
}

TEST_CASE("tokens that are written over while they are trained on are refused") {
  const Scratch scratch;
  const auto path = scratch.path / "stream.tokens";
  Threads threads;
  text::write_file(path, stream_bytes());
  CausalTrainer trainer{block_data(data::TokenFile{path}, byte_pairs(), causal_options()), byte_pairs(),
                        causal_options(), threads};
  trainer.step();
  std::string others = stream_bytes();  // ids of the vocabulary, as many
  std::fill(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(others.size() - 48), '\0');
  std::ofstream{path, std::ios::binary} << others;
  fs::last_write_time(path, fs::last_write_time(path) + std::chrono::seconds{1});  // the clock has ticks
  CHECK(number_of([&] {
          while (!trainer.finished()) trainer.step();
        }) == 726);
}

TEST_CASE("a model that judges pairs is a BertForPreTraining, and comes back as one") {
  const Scratch scratch;
  Threads threads;
  Trainer trainer{document_data(documents(), words(), pair_options()), words(), pair_options(), threads};
  trainer.step();
  save_checkpoint(trainer, scratch.path);
  const Safetensors tensors = load_safetensors(scratch.path / "model.safetensors");
  CHECK(tensors["bert.pooler.dense.weight"].shape() == Shape{16, 16});
  CHECK(tensors["cls.seq_relationship.weight"].shape() == Shape{2, 16});
  CHECK(tensors["cls.seq_relationship.bias"].shape() == Shape{2});
  CHECK(text::read_file(scratch.path / "config.json").find("BertForPreTraining") != std::string::npos);
  const Model model = load_model(scratch.path);
  CHECK(model.config.next_sentence);
  CHECK(model.parameters.tensors() == trainer.parameters().tensors());
}

namespace {

/// Each loss of the first steps and of what is held out.
std::vector<double> pair_losses(const TrainOptions& chosen) {
  Threads threads{2};
  Trainer trainer{document_data(documents(96), words(), chosen), words(), chosen, threads};
  std::vector<double> losses;
  for (int i = 0; i < 3; ++i) {
    const StepReport report = trainer.step();
    losses.insert(losses.end(), {report.loss, report.next_sentence_loss.value_or(0)});
  }
  const Evaluation held_out = trainer.evaluate();
  losses.insert(losses.end(), {held_out.loss, held_out.next_sentence_loss});
  return losses;
}

std::vector<double> block_losses(const TrainOptions& chosen) {
  Threads threads{2};
  CausalTrainer trainer{block_data(stream(), byte_pairs(), chosen), byte_pairs(), chosen, threads};
  std::vector<double> losses;
  for (int i = 0; i < 3; ++i) losses.push_back(trainer.step().loss);
  losses.push_back(trainer.evaluate().loss);
  return losses;
}

void require_near(const std::vector<double>& each, const std::vector<double>& expected, double tolerance) {
  REQUIRE(each.size() == expected.size());
  for (std::size_t i = 0; i < each.size(); ++i) {
    INFO(each[i] << " and " << expected[i]);
    CHECK(std::abs(each[i] - expected[i]) <= tolerance * expected[i]);
  }
}

TrainOptions with_batch(TrainOptions chosen, std::int64_t batch, std::int64_t accumulate) {
  chosen.precision = Precision::f32;
  chosen.window = 64;
  chosen.batch = batch;
  chosen.accumulate = accumulate;
  return chosen;
}

}  // namespace

TEST_CASE("both losses of pairs, and the loss of blocks, are in parts what they are whole") {
  require_near(pair_losses(with_batch(pair_options(), 16, 2)), pair_losses(with_batch(pair_options(), 16, 1)), 1e-3);
  require_near(block_losses(with_batch(causal_options(), 16, 2)), block_losses(with_batch(causal_options(), 16, 1)),
               1e-3);
}

TEST_CASE("rows that a batch of pairs or of blocks is filled up with weigh nothing") {
  for (const std::int64_t accumulate : {1, 2}) {
    TrainOptions pairs = with_batch(pair_options(), 12, 1), blocks = with_batch(causal_options(), 12, 1);
    pairs.slice = blocks.slice = "v5e-4";
    TrainOptions filled_pairs = with_batch(pair_options(), 12, accumulate);
    TrainOptions filled_blocks = with_batch(causal_options(), 12, accumulate);
    filled_pairs.pad_batch = filled_blocks.pad_batch = true;
    require_near(pair_losses(filled_pairs), pair_losses(pairs), 1e-3);
    require_near(block_losses(filled_blocks), block_losses(blocks), 1e-3);
  }
}

TEST_CASE("pairs and blocks are trained on under precision policies, and tell what bf16 does") {
  const auto under = [](TrainOptions chosen) {
    chosen.passes = 3;
    chosen.activations = chosen.parameters = DType::bf16;
    return chosen;
  };
  require_near(pair_losses(under(pair_options())), pair_losses(pair_options()), 0.05);
  require_near(block_losses(under(causal_options())), block_losses(causal_options()), 0.05);
  Threads threads{2};
  for (TrainOptions chosen : {pair_options(), under(pair_options())}) {
    chosen.accumulate = 2;
    chosen.batch = 16;
    chosen.window = 64;
    Trainer trainer{document_data(documents(96), words(), chosen), words(), chosen, threads};
    Trainer unwatched{document_data(documents(96), words(), chosen), words(), chosen, threads};
    trainer.watch_precision(1);
    for (int i = 0; i < 2; ++i) {
      trainer.step();
      unwatched.step();
    }
    CHECK(trainer.precision().updates == 2);
    CHECK(trainer.parameters_hash() == unwatched.parameters_hash());
  }
  const TrainOptions chosen = under(causal_options());
  CausalTrainer causal{block_data(stream(), byte_pairs(), chosen), byte_pairs(), chosen, threads};
  causal.watch_precision(1);
  causal.step();
  CHECK(causal.precision().updates == 1);
}

TEST_CASE("lengths are not fitted to data that is read as it is needed") {
  TrainOptions chosen = pair_options();
  chosen.fitted_programs = 2;
  Threads threads;
  CHECK(number_of([&] { Trainer{document_data(documents(), words(), chosen), words(), chosen, threads}; }) == 735);
}
