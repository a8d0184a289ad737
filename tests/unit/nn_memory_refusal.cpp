// What is said of a training job that does not fit: whatever is proposed fits.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>
import octet.base;
import octet.tpu;
import octet.nn;

#include "training_job.hpp"

using namespace octet;

TEST_CASE("a job that does not fit is refused with the largest batch and what makes it fit") {
  const nn::TrainingJob large = job("bert-large", "v3-32", 1024, 512, "tf1-f32");
  const nn::TrainingEstimate estimate = nn::estimate_training(large);
  const auto choices = nn::memory_choices(large);
  const Diagnostic refused = nn::does_not_fit(large, estimate, 16, choices);
  CHECK(refused.number == 501);
  CHECK(refused.sentence.starts_with("A replica needs "));
  CHECK(refused.sentence.find(" for 32 x 512 tokens, and a program on v3-32 may use 16.6 GB.") != std::string::npos);
  REQUIRE(refused.fix.size() >= 2);
  CHECK(refused.fix.size() <= 3);
  CHECK(refused.fix.front() == "take at most 16 sequences a replica, 512 at once");
  CHECK(refused.fix[1].starts_with("half the batch, 512: "));
  CHECK(choices.front().id == "half_batch");
  // 64 sequences a replica, of which 20 fit at once: two parts are too few.
  const nn::TrainingJob huge = job("bert-large", "v3-8", 512, 512, "tf1-f32");
  const Diagnostic in_parts =
      nn::does_not_fit(huge, nn::estimate_training(huge), nn::largest_batch(huge), nn::memory_choices(huge));
  REQUIRE(in_parts.fix.size() == 2);
  CHECK(in_parts.fix[1].starts_with("the same batch in 4 accumulation steps (--accumulate 4): "));
}

TEST_CASE("an accumulation that fits is found behind one that does not") {
  // Of six sequences that fit, five do beside the gradients that are added up, and no more than four divide sixty.
  const nn::TrainingJob large = job("bert-large", "v2-8", 480, 512, "tf1-f32");
  const Diagnostic refused =
      nn::does_not_fit(large, nn::estimate_training(large), nn::largest_batch(large), nn::memory_choices(large));
  REQUIRE(refused.fix.size() >= 2);
  CHECK(refused.fix[1].starts_with("the same batch in 15 accumulation steps (--accumulate 15): "));
}

TEST_CASE("where no one change makes a job fit, the fewest together are told, and each fits", "[native]") {
  const auto refusal = [](const nn::TrainingJob& each) {
    return nn::does_not_fit(each, nn::estimate_training(each), nn::largest_batch(each), nn::memory_choices(each)).fix;
  };
  const auto tells = [](const std::vector<std::string>& fix, std::string_view words) {
    return std::any_of(fix.begin(), fix.end(), [&](const std::string& each) { return each.starts_with(words); });
  };
  nn::TrainingJob both = job("gpt2-xl", "v4-8", 16, 1024, "tf1-f32");
  CHECK(tells(refusal(both), "optimizer state sharded over the replicas (--shard-optimizer) and bf16 activations "));
  both.code.sharded_update = true;
  both.code.activations = DType::bf16;
  CHECK(nn::estimate_training(both).memory.fits);

  nn::TrainingJob parts = job("gpt2-xl", "v3-8", 64, 1024);
  parts.accumulate = 8;
  CHECK(nn::largest_batch(parts) == 0);
  CHECK(
      tells(refusal(parts), "no gradients added up (--accumulate 1): take at most 4 sequences a replica, 32 at once"));

  // Two changes that make room for one sequence, and for no more.
  parts = job("gpt2-large", "v2-8", 88, 1024, "tf2");
  parts.accumulate = 11;
  for (const std::string& each : refusal(parts)) {
    INFO(each);
    CHECK(each.starts_with("no gradients added up (--accumulate 1) and "));
  }

  // A batch that is filled up for its parts is not for fewer.
  nn::TrainingJob padded = job("gpt2-large", "v2-8", 8, 512, "flax-bf16");
  padded.accumulate = 2;
  nn::TrainingJob whole = padded;
  whole.accumulate = 1;
  whole.code.sharded_update = true;
  const nn::TrainingEstimate then = nn::estimate_training(whole);
  const auto tenths = [](double value) {
    const long long all = std::llround(10 * value);
    return std::to_string(all / 10) + "." + std::to_string(all % 10);
  };
  CHECK(tells(refusal(nn::padded_evenly(padded)),
              "no gradients added up (--accumulate 1) and optimizer state sharded over the replicas "
              "(--shard-optimizer): " +
                  tenths(then.memory.needed / 1e9) + " GB, " + tenths(then.step * 1e3) + " ms a step"));

  nn::TrainingJob hopeless = job("gpt2-xl", "v2-8", 8, 1024);
  CHECK(refusal(hopeless) ==
        std::vector<std::string>{"chips with more memory: computed as it is here, one sequence a replica fits "
                                 "on v3-8, v4-8, v5e-4, v5p-8 or v6e-4"});
  hopeless.batch = 64;
  CHECK(tells(refusal(hopeless),
              "chips with more memory: computed as it is here, one sequence a replica fits, if not all of this batch, "
              "on v3-8"));
  hopeless.batch = 8;
  hopeless.slice = tpu::slice("v3-8");
  CHECK(nn::estimate_training(hopeless).memory.fits);
}
