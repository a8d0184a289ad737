// Numbers that are not finite: a run that diverges stops, is not saved, and a model of such weights makes nothing up.
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "scratch.hpp"

import octet.base;
import octet.graph;
import octet.text;
import octet.data;
import octet.trace;
import octet.nn;
import octet.train;

#include "checkpoint_files.hpp"
#include "electra_run.hpp"
#include "refusal.hpp"

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float none = std::numeric_limits<float>::quiet_NaN();

TrainOptions diverging() {
  TrainOptions result = electra_options();
  result.learning_rate = 1e30;
  result.clip_norm = 0;
  return result;
}

/// Of weights that are all of this value.
template <class Model>
Values<Model> filled(Values<Model> model, float value) {
  for (Tensor& tensor : model.tensors())
    for (float& element : tensor.template mutable_span<float>()) element = value;
  return model;
}

template <class Model>
void check_divergence() {
  Threads threads{2};
  BasicTrainer<Model> trainer{sentences(), diverging(), threads};
  const Refusal refused = refusal([&] {
    while (!trainer.finished()) trainer.step();
  });
  says(refused, 509, "the run diverged");
  says(refused, 509, "step " + std::to_string(trainer.steps_done()) + " of 12");
  says(refused, 509, "lower the learning rate, whose peak is 1e+30: 0.001 is usual");
  says(refused, 509, "clip gradients at 1");
  CHECK(trainer.steps_done() < 12);

  const Scratch scratch;
  save_checkpoint(BasicTrainer<Model>{sentences(), electra_options(), threads}, scratch.path / "run");
  const auto before = files_of(scratch.path / "run");
  CHECK(refusal([&] { save_checkpoint(trainer, scratch.path / "run"); }).number == 509);
  CHECK(files_of(scratch.path / "run") == before);
}

}  // namespace

TEST_CASE("a run that diverges stops with its step and the ways out, and what was saved before stands") {
  check_divergence<nn::Bert>();
  check_divergence<nn::Electra>();
}

TEST_CASE("weights too large to compute with are told before they are saved, and by the loss on what is held out") {
  Threads threads{2};
  Trainer trainer{sentences(), diverging(), threads};
  trainer.require_finite_loss();
  trainer.step();  // its weights are finite
  CHECK(number_of([&] { trainer.require_finite_loss(); }) == 509);
  CHECK(number_of([&] { trainer.evaluate(); }) == 509);
}

TEST_CASE("a checkpoint with a number that is not finite is neither written nor read") {
  for (const float value : {none, infinity, -infinity}) {
    const Scratch scratch;
    save_checkpoint(run_at(5), tokenizer(), scratch.path);
    RunState run = run_at(6);
    run.state.tensors()[3].mutable_span<float>()[2] = value;
    says(refusal([&] { save_checkpoint(run, tokenizer(), scratch.path); }), 509, "which is no finite number");
    CHECK(load_run(scratch.path).state.step == 5);

    Safetensors tensors = parse_safetensors(text::read_file(scratch.path / "model.safetensors"), "model.safetensors");
    tensors.tensors[4].tensor.mutable_span<float>()[1] = value;
    put(scratch.path / "model.safetensors", safetensors_bytes(tensors));
    says(refusal([&] { load_model(scratch.path); }), 509, "The tensor " + tensors.tensors[4].name + " of ");
  }
}

TEST_CASE("a model of weights that are not finite, or too large, makes nothing of a sentence") {
  Threads threads{2};
  const auto zero = [](const std::string&, const TensorType& type, Key) { return Tensor{type}; };
  for (const float value : {none, infinity, 1e30f}) {
    const auto bert = nn::initialize(
        nn::bert({.vocabulary = 10, .hidden = 4, .layers = 1, .heads = 2, .intermediate = 4}), Key::of_seed(1), zero);
    CHECK(number_of([&] { Filler{filled(bert, value), tokenizer(), threads}("[MASK] god"); }) == 509);
    const auto judge = nn::initialize(
        nn::electra_discriminator({.vocabulary = 10, .hidden = 4, .layers = 1, .heads = 2, .intermediate = 4}),
        Key::of_seed(1), zero);
    CHECK(number_of([&] { Detector{filled(judge, value), tokenizer(), threads}("god gods"); }) == 509);
    text::BpeTrainer words{{.vocab_size = 257}};
    words.add("ab");
    const text::Bpe learned = std::move(words).train();
    const auto gpt =
        nn::initialize(nn::gpt2({.vocabulary = 257, .hidden = 4, .layers = 1, .heads = 2}), Key::of_seed(1), zero);
    CHECK(number_of([&] { Continuer{filled(gpt, value), learned, threads}("a"); }) == 509);
  }
}
