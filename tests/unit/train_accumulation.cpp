// Training in parts: as one batch trains, with less memory; and batches that replicas cannot share.
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
import octet.nn;
import octet.train;

#include "refusal.hpp"
#include "training_text.hpp"

using namespace octet;

namespace {

train::TrainOptions options(std::int64_t batch, std::int64_t accumulate) {
  train::TrainOptions result;
  result.steps = 20;
  result.seed = 3;
  result.layers = 1;
  result.hidden = 16;
  result.intermediate = 32;
  result.seq = 16;
  result.batch = batch;
  result.accumulate = accumulate;
  result.vocab_size = 96;
  result.warmup_steps = 2;
  return result;
}

/// The losses of the first steps.
std::vector<double> losses(const train::TrainOptions& options, int steps = 4) {
  Threads threads{1};
  train::Trainer trainer{training_text(), options, threads};
  std::vector<double> result;
  for (int i = 0; i < steps; ++i) result.push_back(trainer.step().loss);
  return result;
}

}  // namespace

TEST_CASE("a batch in parts trains as it does whole") {
  const auto whole = losses(options(64, 1));
  for (const std::int64_t parts : {2, 8}) {
    const auto in_parts = losses(options(64, parts));
    for (std::size_t i = 0; i < whole.size(); ++i) CHECK(std::fabs(in_parts[i] - whole[i]) < 1e-3 * whole[i]);
  }
}

TEST_CASE(
    "a batch that replicas cannot share is filled up with sequences of weight zero, and its mean stays what it is") {
  train::TrainOptions shared = options(12, 1);
  shared.slice = "v5e-4";
  train::TrainOptions padded = options(12, 1);
  CHECK(number_of([&] { train::validate(padded); }) == 709);
  padded.pad_batch = true;
  CHECK(train::padded_batch(padded, 8) == 16);
  const auto four = losses(shared), eight = losses(padded);
  for (std::size_t i = 0; i < four.size(); ++i) CHECK(std::fabs(eight[i] - four[i]) < 1e-3 * four[i]);
  padded.accumulate = 3;
  CHECK(train::padded_batch(padded, 8) == 24);
  const auto in_parts = losses(padded);
  for (std::size_t i = 0; i < four.size(); ++i) CHECK(std::fabs(in_parts[i] - four[i]) < 1e-3 * four[i]);
}

TEST_CASE("in parts, activations of one part at a time are in memory") {
  train::TrainOptions sizes = options(512, 1);
  const auto live = [&](std::int64_t accumulate) {
    sizes.accumulate = accumulate;
    return compile(train::training_program(sizes, 96)).statistics().live_bytes;
  };
  const std::size_t whole = live(1), in_parts = live(8);
  INFO(whole << " and " << in_parts << " bytes");
  CHECK(in_parts < whole / 3);
}

TEST_CASE("parts that replicas cannot share are refused") {
  CHECK(number_of([] { train::validate(options(64, 3)); }) == 709);
  CHECK(number_of([] { train::validate(options(64, 0)); }) == 709);
  CHECK(number_of([] { train::validate(options(64, -4)); }) == 709);
  CHECK(number_of([] { train::validate(options(64, std::int64_t{1} << 62)); }) == 709);
  CHECK(number_of([] { train::validate(options(64, 8)); }) == 0);
}
