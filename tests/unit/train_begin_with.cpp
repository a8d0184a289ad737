// Training a model further, and measuring one: sizes and weights are the model's, words and lines to measure on are
// given, and what a run is measured on gives the same number when the saved model is.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
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
import octet.tpu;
import octet.trace;
import octet.train;

#include "refusal.hpp"
#include "train_sources.hpp"
#include "training_text.hpp"

using namespace octet;
using namespace octet::train;

namespace {

TrainOptions line_options() {
  TrainOptions result = pair_options();
  result.next_sentence = false;
  result.padding = {};
  result.vocab_size = 60;
  return result;
}

/// Of words().
std::vector<std::string> word_lines(int count, int first) {
  std::vector<std::string> lines;
  for (int i = first; i < first + count; ++i)
    lines.push_back("w" + std::to_string(5 + i % 50) + " w" + std::to_string(5 + i % 7));
  return lines;
}

std::vector<std::string> other_text() {
  std::vector<std::string> lines = ::training_text();
  std::ranges::reverse(lines);
  lines.resize(60);
  return lines;
}

template <class T>
Values<T> drawn(const T& structure, std::uint32_t seed) {
  return nn::initialize(structure, Key::of_seed(seed), nn::normal_initializer(0.1));
}

/// Where the published have more: rows of embeddings and positions.
nn::BertConfig published() {
  return {.vocabulary = 70, .hidden = 16, .layers = 1, .heads = 2, .intermediate = 32, .positions = 48};
}

}  // namespace

TEST_CASE("a run takes the sizes and the weights of a model, trains it, and is resumed to the same bits") {
  const Scratch scratch;
  Threads threads{2};
  const Model model{published(), drawn(nn::bert(published()), 5), words()};
  TrainOptions options = sized_as(model.config, line_options());
  CHECK(options.seq == 24);
  const std::vector<std::string> lines = word_lines(200, 0), held_out = word_lines(60, 17);

  Trainer trainer{Lines{lines, held_out}, model.tokenizer, options, threads};
  CHECK(trainer.begin_with(model.parameters).empty());
  CHECK(trainer.parameters().tensors()[0].shape() == Shape{70, 16});
  CHECK(trainer.parameters()["position.table"].shape() == Shape{48, 16});
  CHECK(trainer.parameters_hash() == hash_text(model.parameters));
  CHECK(trainer.summary().held_out_lines == 60);
  CHECK(trainer.summary().training_lines == 200);
  while (trainer.steps_done() < 5) trainer.step();
  save_checkpoint(trainer, scratch.path / "run");
  while (!trainer.finished()) trainer.step();
  CHECK(trainer.parameters_hash() != hash_text(model.parameters));

  SavedRun saved = load_run(scratch.path / "run");
  CHECK(saved.tokenizer == model.tokenizer);
  Trainer resumed{Lines{lines, held_out}, std::move(saved.tokenizer), std::move(saved.state), threads};
  while (!resumed.finished()) resumed.step();
  CHECK(resumed.parameters_hash() == trainer.parameters_hash());
  CHECK(number_of([&] {
          SavedRun again = load_run(scratch.path / "run");
          Trainer{lines, std::move(again.tokenizer), std::move(again.state), threads};  // other lines to measure on
        }) == 711);
  const Model read = load_model(scratch.path / "run");
  CHECK(read.config.positions == 48);
  CHECK(read.config.vocabulary == 70);
}

TEST_CASE("the first step from given weights is the step that their own run takes next") {
  Threads threads{2};
  TrainOptions options = line_options();
  options.warmup_steps = 0;
  Trainer first{::training_text(), options, threads};
  const Values<nn::Bert> before = first.parameters();
  TrainOptions other = options;
  other.seed = 1234;  // other weights, the same data where nothing is masked at random
  Trainer second{::training_text(), first.tokenizer(), options, threads};
  CHECK(second.begin_with(before).empty());
  CHECK(second.step().loss == first.step().loss);
  CHECK(second.parameters_hash() == first.parameters_hash());
  Trainer drawn_otherwise{::training_text(), first.tokenizer(), other, threads};
  CHECK(drawn_otherwise.parameters_hash() != hash_text(before));
  drawn_otherwise.begin_with(before);
  CHECK(drawn_otherwise.parameters_hash() == hash_text(before));
}

TEST_CASE("weights are taken over before the first step, and not after") {
  Threads threads{2};
  Trainer trainer{::training_text(), line_options(), threads};
  const Values<nn::Bert> weights = trainer.parameters();
  trainer.step();
  CHECK(number_of([&] { trainer.begin_with(weights); }) == 709);
  CHECK(sentence_of([&] { trainer.begin_with(weights); }).find("after step 1") != std::string::npos);
  trainer.step();  // as before
}

TEST_CASE("a saved run obeys its options, or is refused where its state is of others") {
  const Scratch scratch;
  Threads threads{2};
  Trainer begun{::training_text(), line_options(), threads};
  begun.step();
  save_checkpoint(begun, scratch.path / "run");
  const auto changed = [&](auto change) {
    SavedRun saved = load_run(scratch.path / "run");
    change(saved.state);
    return saved;
  };
  const auto ended = [&](SavedRun saved) {
    Trainer trainer{::training_text(), std::move(saved.tokenizer), std::move(saved.state), threads};
    trainer.step();
    return trainer;
  };
  // What a pause between steps would do.
  const auto drops = [](Trainer::RunState& state) { state.options.dropout = 0.3; };
  Trainer straight = ended(changed(drops));
  CHECK(straight.parameters_hash() != ended(changed([](auto&) {})).parameters_hash());
  SavedRun paused = changed(drops);
  save_checkpoint(paused.state, paused.tokenizer, scratch.path / "paused");
  CHECK(ended(load_run(scratch.path / "paused")).parameters_hash() == straight.parameters_hash());

  const auto told = [&](auto change) {
    CHECK(number_of([&] { ended(changed(change)); }) == 709);
    SavedRun saved = changed(change);
    CHECK(number_of([&] { save_checkpoint(saved.state, saved.tokenizer, scratch.path / "run"); }) == 709);
    return sentence_of([&] { ended(changed(change)); });
  };
  CHECK(told([](auto& state) { state.options.hidden *= 2; }).find("in its state it is") != std::string::npos);
  CHECK(told([](auto& state) { ++state.options.layers; }).find("arrays, and its state has") != std::string::npos);
  CHECK(told([](auto& state) { state.step = 3; }) == "The run is said to be at step 3, and its state is at step 1.");
  ended(load_run(scratch.path / "run"));  // is as it was
}

TEST_CASE("what a model does not have begins at random, and is named; in bf16 all is rounded; shares hold it too") {
  Threads threads{2};
  TrainOptions options = pair_options();
  options.parameters = DType::bf16;
  options.shard_optimizer = true;
  const nn::Bert without = nn::bert(bert_config(line_options(), 60));
  Trainer trainer{document_data(documents(), words(), options), words(), options, threads};
  CHECK(trainer.begin_with(drawn(without, 3)) ==
        std::vector<std::string>{"next_sentence.pooler.weight", "next_sentence.pooler.bias",
                                 "next_sentence.classifier.weight", "next_sentence.classifier.bias"});
  const Values<nn::Bert> own = trainer.parameters();
  for (const Tensor& tensor : own.tensors()) CHECK(tensor.converted(DType::bf16).converted(DType::f32) == tensor);
  trainer.step();
  const nn::Bert wide = nn::bert({.vocabulary = 60, .hidden = 32});
  CHECK(number_of([&] { trainer.begin_with(drawn(wide, 3)); }) == 715);
}

TEST_CASE("a run trains models that it could have begun, and no others") {
  const TrainOptions options = line_options();
  nn::BertConfig config = published();
  config.positions = 16;
  CHECK(sized_as(config, options).seq == 16);
  config = published();
  config.segments = 1;
  CHECK(number_of([&] { sized_as(config, options); }) == 714);
  config = published();
  config.layer_norm_epsilon = 1e-5;
  CHECK(number_of([&] { sized_as(config, options); }) == 714);
  config = published();
  config.embedding = 8;
  for (const double share : {0.5, 1.0}) {
    const nn::ElectraConfig electra = nn::electra_config(config, share);
    const TrainOptions sized = sized_as(electra, options);
    const nn::ElectraConfig made = electra_config(sized, config.vocabulary);
    CHECK(made.generator.hidden == electra.generator.hidden);
    CHECK(made.generator.embedding_width() == 8);
    CHECK(made.discriminator.embedding_width() == 8);
  }
  nn::ElectraConfig uneven = nn::electra_config(config, 0.5);
  uneven.generator.layers = 3;
  CHECK(number_of([&] { sized_as(uneven, options); }) == 714);
  CHECK(number_of([&] { config_text(config); }) == 714);
  nn::Gpt2Config gpt2{.vocabulary = 300, .hidden = 16, .positions = 12};
  CHECK(sized_as(gpt2, options).seq == 12);
  gpt2.layer_norm_epsilon = 1e-6;
  CHECK(number_of([&] { sized_as(gpt2, options); }) == 714);
}

TEST_CASE("a saved model measures as its run did, on lines, records of pairs, and byte pairs") {
  const Scratch scratch;
  Threads threads{2};
  const TrainOptions options = line_options();
  Trainer trainer{Lines{::training_text(), other_text()}, options, threads};
  for (int i = 0; i < 3; ++i) trainer.step();
  save_checkpoint(trainer, scratch.path / "bert");
  const Evaluation of_run = trainer.evaluate();
  const Model model = load_model(scratch.path / "bert");
  CHECK(evaluate(model, other_text(), options, threads).loss == of_run.loss);
  TrainOptions otherwise = options;
  otherwise.batch = 3;
  otherwise.pad_batch = true;
  const Evaluation in_threes = evaluate(model, other_text(), otherwise, threads);
  CHECK(std::abs(in_threes.loss - of_run.loss) < 1e-5);
  CHECK(in_threes.masked_tokens == of_run.masked_tokens);
  otherwise.hidden = 8;  // sizes are the model's
  CHECK(evaluate(model, other_text(), otherwise, threads).loss == in_threes.loss);
  otherwise.seq = 32;
  CHECK(number_of([&] { evaluate(model, other_text(), otherwise, threads); }) == 401);
  otherwise = options;
  otherwise.next_sentence = true;
  CHECK(number_of([&] { evaluate(model, other_text(), otherwise, threads); }) == 715);
  CHECK(number_of([&] { evaluate(model, std::vector<std::string>{}, options, threads); }) == 706);

  const TrainOptions pairs = pair_options();
  const data::WindowSource source = document_source(documents(10), words(), pairs);
  Trainer on_pairs{masked_data(document_source(documents(), words(), pairs), source, pairs), words(), pairs, threads};
  on_pairs.step();
  save_checkpoint(on_pairs, scratch.path / "pairs");
  const Model judge = load_model(scratch.path / "pairs");
  const Evaluation judged = evaluate(judge, source, pairs, threads), by_run = on_pairs.evaluate();
  CHECK(judged.pairs > 0);
  CHECK(std::abs(judged.loss / by_run.loss - 1) < 0.05);  // of another epoch: other masks
  TrainOptions without = pairs;
  without.next_sentence = false;  // its head is left out
  CHECK(evaluate(judge, word_lines(30, 0), without, threads).pairs == 0);

  const TrainOptions causal = causal_options();
  CausalTrainer gpt{
      causal_data(block_source(stream(), byte_pairs(), causal), block_source(stream(), byte_pairs(), causal)),
      byte_pairs(), causal, threads};
  gpt.step();
  save_checkpoint(gpt, scratch.path / "gpt");
  const Evaluation went_on =
      evaluate(load_causal_model(scratch.path / "gpt"), block_source(stream(), byte_pairs(), causal), causal, threads);
  CHECK(std::abs(went_on.loss - gpt.evaluate().loss) < 1e-5);
  CHECK(went_on.masked_tokens == gpt.evaluate().masked_tokens);
}

TEST_CASE("an ELECTRA is trained further, and measured") {
  const Scratch scratch;
  Threads threads{2};
  TrainOptions options = line_options();
  options.masking = electra_masking;
  ElectraTrainer trainer{Lines{::training_text(), other_text()}, options, threads};
  for (int i = 0; i < 3; ++i) trainer.step();
  save_checkpoint(trainer, scratch.path / "electra");
  const ElectraModel model = load_electra(scratch.path / "electra");
  CHECK(hash_text(model.parameters) == trainer.parameters_hash());
  const Evaluation measured = evaluate(model, other_text(), options, threads), of_run = trainer.evaluate();
  CHECK(measured.loss == of_run.loss);
  CHECK(measured.replaced.loss == of_run.replaced.loss);
  ElectraTrainer further{::training_text(), model.tokenizer, sized_as(model.config, options), threads};
  CHECK(further.begin_with(model.parameters).empty());
  CHECK(further.parameters_hash() == trainer.parameters_hash());
  CHECK(number_of([&] { load_electra(scratch.path / "electra" / "generator"); }) == 737);
}
