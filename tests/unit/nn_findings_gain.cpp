// What a finding promises is what a step gains, whatever the chips wait for.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>
import octet.base;
import octet.tpu;
import octet.nn;

#include "training_job.hpp"

using namespace octet;

namespace {

/// Seconds that the finding called `id` promises; 0 where it is not told.
double gain(const std::vector<nn::Finding>& findings, std::string_view id) {
  for (const nn::Finding& each : findings)
    if (each.id == id) return each.seconds;
  return 0;
}
double unoverlapped(const nn::TrainingJob& each) {
  return gain(nn::findings(each, nn::estimate_training(each)), "unoverlapped_all_reduce");
}

}  // namespace

TEST_CASE("chips that wait for their input gain nothing by computing less") {
  const nn::TrainingJob each = job("bert-base", "v3-8", 512, 128);
  const nn::TrainingEstimate estimate = nn::estimate_training(each);
  CHECK(gain(nn::findings(each, estimate), "padded_heads") > 0);
  tpu::FeedOptions feed = nn::usual_feed(each);
  feed.threads = 1;
  feed.prepare_seconds = 3e-3;
  const auto findings = nn::findings(each, estimate, feed);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].id == "host_too_slow");
}

TEST_CASE("what computing less gains, where nothing is prefetched or a little is waited for") {
  const nn::TrainingJob each = job("bert-base", "v3-8", 512, 128);
  const nn::TrainingEstimate estimate = nn::estimate_training(each);
  const double at_once = gain(nn::findings(each, estimate), "padded_heads"), device = estimate.device();
  tpu::FeedOptions feed = nn::usual_feed(each);
  feed.prefetch = 0;  // a batch is made when the step before is done
  CHECK(std::fabs(gain(nn::findings(each, estimate, feed), "padded_heads") - at_once) < 1e-9);
  feed = nn::usual_feed(each);
  feed.measured = {device - at_once / 2};
  CHECK(std::fabs(gain(nn::findings(each, estimate, feed), "padded_heads") - at_once / 2) < 1e-9);
}

TEST_CASE("a longer batch or sequence is more to prepare") {
  nn::TrainingJob each = job("bert-base", "v3-512", 512, 100);
  const nn::TrainingEstimate estimate = nn::estimate_training(each);
  CHECK(gain(nn::findings(each, estimate), "bound_by_all_reduce") > 0);
  tpu::FeedOptions feed = nn::usual_feed(each);
  feed.measured.assign(static_cast<std::size_t>(each.slice.hosts), 2 * estimate.device());
  const auto found = nn::findings(each, estimate, feed);
  REQUIRE(!found.empty());
  for (const nn::Finding& finding : found) CHECK(finding.id == "host_too_slow");
}

TEST_CASE("of an all-reduce, no more is hidden than is complete before the backward pass ends") {
  // ALBERT's weights are those of all layers, and complete with the first.
  CHECK(unoverlapped(job("albert-xxlarge", "v4-32", 256, 128)) == 0);
  // Nine tenths of these parameters are embeddings.
  const nn::TrainingJob tiny = job("bert-tiny", "v3-512", 1024, 128, "tf2");
  CHECK(unoverlapped(tiny) <= 0.11 * nn::estimate_training(tiny).all_reduce);
  nn::TrainingJob whole = job("bert-large", "v3-512", 4096, 128, "tf2");
  whole.code.clips = false;
  const double early = 1 - (30522.0 * 1024 + 514 * 1024) / nn::parameter_count(whole.model) - 1.0 / 24;
  const double reduced = nn::estimate_training(whole).all_reduce;
  CHECK(unoverlapped(whole) > 0.9 * early * reduced);
  CHECK(unoverlapped(whole) < 1.1 * early * reduced);
  // A share's update lies between reduce-scatter and all-gather.
  whole.code.sharded_update = true;
  CHECK(unoverlapped(whole) <= reduced / 2);
}

TEST_CASE("of accumulated parts, the last one's backward pass alone hides an all-reduce") {
  nn::TrainingJob each = job("gpt2", "v4-8", 64, 256);
  each.accumulate = 4;
  const double backward = nn::estimate_training(each).forward_backward * 2 / 3 / 4;
  CHECK(unoverlapped(each) <= backward);
  CHECK(unoverlapped(each) > 0);
}
