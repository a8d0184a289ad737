// Training under precision policies, and what a run tells of its numbers.
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>
import octet.base;
import octet.graph;
import octet.trace;
import octet.compile;
import octet.tpu;
import octet.nn;
import octet.train;

#include "refusal.hpp"

using namespace octet;

namespace {

std::vector<std::string> text() {
  std::vector<std::string> lines;
  const std::vector<std::string> words{"cat", "dog", "고양이", "tree", "river", "猫", "house", "stone"};
  for (std::uint64_t i = 0; i < 120; ++i)
    lines.push_back("the " + words[i % 8] + " sees the " + words[i * 5 % 7] + " and " + words[i * 3 % 8] + ".");
  return lines;
}

train::TrainOptions small() {
  train::TrainOptions result;
  result.steps = 20;
  result.seed = 3;
  result.layers = 1;
  result.hidden = 16;
  result.intermediate = 32;
  result.seq = 16;
  result.batch = 16;
  result.vocab_size = 96;
  result.warmup_steps = 2;
  return result;
}

struct Run {
  double loss = 0;
  std::string hash;
  tpu::PrecisionReport precision;
};

Run trained(const train::TrainOptions& options, std::int64_t watch_every = 0, int steps = 5) {
  Threads threads{1};
  train::Trainer trainer{text(), options, threads};
  trainer.watch_precision(watch_every);
  Run run;
  for (int i = 0; i < steps; ++i) run.loss = trainer.step().loss;
  run.hash = trainer.parameters_hash();
  run.precision = trainer.precision();
  return run;
}

}  // namespace

TEST_CASE("every policy trains, each to bits of its own, and more passes come nearer to f32") {
  train::TrainOptions f32 = small(), three = small(), six = small(), narrow = small(), stored = small();
  f32.precision = Precision::f32;
  three.passes = 3;
  six.passes = 6;
  narrow.activations = DType::bf16;
  stored.parameters = DType::bf16;
  const Run exact = trained(f32), plain = trained(small()), third = trained(three), sixth = trained(six);
  for (const Run& run : {trained(narrow), trained(stored)}) {
    CHECK(std::fabs(run.loss - exact.loss) < 0.05 * exact.loss);
    CHECK(run.hash != plain.hash);
  }
  CHECK(std::fabs(third.loss - exact.loss) < 1e-3 * exact.loss);
  CHECK(std::fabs(sixth.loss - exact.loss) < 1e-4 * exact.loss);
  CHECK(trained(three).hash == third.hash);
}

TEST_CASE("to look at a run changes no bit of it, and tells of every tensor of its state") {
  const Run plain = trained(small()), watched = trained(small(), 2);
  CHECK(watched.hash == plain.hash);
  CHECK(plain.precision.updates == 0);
  CHECK(watched.precision.updates == 3);  // of five, every second one
  CHECK(watched.precision.values.size() > 20);
  std::size_t moments = 0;
  for (const tpu::TensorPrecision& each : watched.precision.state)
    moments += each.name.find("_moment") != std::string::npos;
  CHECK(watched.precision.state.size() * 2 == moments * 3);
  CHECK(tpu::total("", watched.precision.values).not_finite == 0);
}

TEST_CASE("what is looked at within a step is the step's own precision") {
  // The products of a step in bf16 are of rounded weights, those of one in f32 of the weights themselves.
  train::TrainOptions exact = small();
  exact.precision = Precision::f32;
  const auto largest = [](const train::TrainOptions& options) {
    std::vector<double> result;
    for (const tpu::TensorPrecision& each : trained(options, 1, 1).precision.values) result.push_back(each.largest);
    return result;
  };
  const std::vector<double> rounded = largest(small()), whole = largest(exact);
  REQUIRE(rounded.size() == whole.size());
  CHECK(rounded != whole);
}

TEST_CASE("weights kept in bf16 are bf16 numbers, and lose updates that f32 keeps") {
  train::TrainOptions stored = small();
  stored.parameters = DType::bf16;
  stored.learning_rate = 1e-4;
  Threads threads{1};
  train::Trainer trainer{text(), stored, threads};
  for (int i = 0; i < 3; ++i) trainer.step();
  const Values<nn::Bert> weights = trainer.parameters();
  for (const Tensor& tensor : weights.tensors())
    for (std::int64_t i = 0; i < tensor.elements(); ++i) {
      const auto value = static_cast<float>(tensor.at(i));
      REQUIRE(rounded_to_bfloat16(value) == value);
    }
  train::TrainOptions kept = small();
  kept.learning_rate = 1e-4;
  for (const train::TrainOptions& options : {stored, kept}) {
    bool said = false;
    for (const Diagnostic& each : tpu::judged(trained(options, 1).precision, options.parameters == DType::bf16))
      said |= each.number == 506;
    CHECK(said);
  }
}

TEST_CASE("policies that cannot be are refused") {
  const auto refused_with = [](const train::TrainOptions& options) {
    return number_of([&] { train::validate(options); });
  };
  train::TrainOptions options = small();
  options.passes = 2;
  CHECK(refused_with(options) == 709);
  options.passes = 3;
  CHECK(refused_with(options) == 0);
  options.precision = Precision::f32;
  CHECK(refused_with(options) == 709);
  options = small();
  options.activations = DType::i32;
  CHECK(refused_with(options) == 709);
  options.activations = DType::f32;
  options.parameters = DType::f64;
  CHECK(refused_with(options) == 709);
}
