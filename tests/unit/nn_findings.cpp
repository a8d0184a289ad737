// Stalls, planted one at a time: the report names each, with the dimension to change and the gain.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>
import octet.base;
import octet.graph;
import octet.trace;
import octet.compile;
import octet.tpu;
import octet.nn;

#include "training_job.hpp"

using namespace octet;

namespace {

/// A job without fault: bf16, heads of 128, everything in whole tiles, a large batch.
nn::TrainingJob sound(const char* slice = "v3-8") {
  nn::TrainingJob job;
  job.model = {.layers = 2, .hidden = 512, .heads = 4, .intermediate = 2048, .vocabulary = 8192, .embedding = 512};
  job.slice = tpu::slice(slice);
  job.batch = 128 * job.slice.replicas;
  job.length = 128;
  job.predictions = 16;
  job.code = *nn::find_code_style("mlperf-bf16");
  return job;
}

std::vector<nn::Finding> found(const nn::TrainingJob& job, const std::optional<tpu::FeedOptions>& feed = {}) {
  return nn::findings(job, nn::estimate_training(job), feed);
}

/// The finding of this name; an empty one where there is none.
nn::Finding named(const std::vector<nn::Finding>& findings, std::string_view id) {
  const auto at =
      std::find_if(findings.begin(), findings.end(), [&](const nn::Finding& each) { return each.id == id; });
  return at == findings.end() ? nn::Finding{} : *at;
}

bool says(const std::string& text, std::string_view words) { return text.find(words) != std::string::npos; }

}  // namespace

TEST_CASE("a sound job has no findings") {
  const auto findings = found(sound(), nn::usual_feed(sound()));
  for (const nn::Finding& each : findings) UNSCOPED_INFO(each.id << ": " << each.sentence);
  CHECK(findings.empty());
}

TEST_CASE("planted stall 1, uneven shards: sequences of weight zero are named, with the batch that needs none") {
  nn::TrainingJob job = sound();
  job.batch = 1000;
  CHECK(nn::padded_evenly(job).padding == 0);
  job.batch = 1001;
  job = nn::padded_evenly(job);
  CHECK(job.batch == 1008);
  const nn::Finding finding = named(found(job), "uneven_shards");
  CHECK(says(finding.sentence, "7 of 1,008 sequences have weight zero"));
  CHECK(says(finding.change, "1,008 or 1,000"));
  CHECK(finding.seconds > 0);
}

TEST_CASE("planted stall 2, one slow host") {
  const nn::TrainingJob job = sound("v3-32");
  tpu::FeedOptions feed = nn::usual_feed(job);
  feed.slow_host = 1e5;
  const nn::Finding finding = named(found(job, feed), "slow_host");
  CHECK(says(finding.sentence, "Host 1 of 4"));
  CHECK(finding.seconds > 0);
  CHECK(named(found(job, feed), "host_too_slow").id.empty());  // the others keep up
}

TEST_CASE("a slow host is found among measured ones, wherever it is, and hosts that are all slow are no such") {
  const nn::TrainingJob job = sound("v3-128");
  const double step = nn::estimate_training(job).device();
  tpu::FeedOptions feed = nn::usual_feed(job);
  feed.measured.assign(16, step / 2);
  CHECK(found(job, feed).empty());
  feed.measured[4] = 3 * step;
  const auto findings = found(job, feed);
  const nn::Finding finding = named(findings, "slow_host");
  CHECK(says(finding.sentence, "Host 5 of 16 takes 6 times as long as the others"));
  CHECK(says(finding.sentence, "wait 67 % of the time"));
  CHECK(finding.remedy == "mend_host");
  CHECK(std::fabs(finding.seconds - 2 * step) < 1e-9);
  CHECK(named(findings, "host_too_slow").id.empty());
  feed.measured.assign(16, 3 * step);
  CHECK(named(found(job, feed), "slow_host").id.empty());
  CHECK(says(named(found(job, feed), "host_too_slow").sentence, "Preparing a host's share of a batch takes"));
  feed.measured.assign(16, 0);
  feed.measured[7] = 3 * step;
  const nn::Finding only = named(found(job, feed), "only_slow_host");
  CHECK(says(only.sentence, "Host 8 of 16 alone takes time"));
  CHECK(std::fabs(only.seconds - 2 * step) < 1e-9);
  CHECK(std::all_of(only.values.begin(), only.values.end(),
                    [](const nn::FindingValue& each) { return std::isfinite(each.value); }));
  CHECK(named(found(job, feed), "slow_host").id.empty());
  feed.measured.assign(16, 1e-300);
  feed.measured[7] = 3 * step;
  CHECK(says(named(found(job, feed), "only_slow_host").sentence, "the others hardly any"));
}

TEST_CASE("planted stall 3, tiny collectives") {
  nn::TrainingJob job = sound("v3-512");
  job.code.joined_all_reduce = false;
  const nn::TrainingEstimate estimate = nn::estimate_training(job);
  CHECK(estimate.all_reduces > 30);
  const nn::Finding finding = named(found(job), "tiny_collectives");
  CHECK(says(finding.change, "join them"));
  nn::TrainingJob joined = job;
  joined.code.joined_all_reduce = true;
  CHECK(std::fabs(finding.seconds - (estimate.all_reduce - nn::estimate_training(joined).all_reduce)) < 1e-9);
  CHECK(named(found(joined), "tiny_collectives").id.empty());
}

TEST_CASE("planted stall 4, padded heads") {
  nn::TrainingJob job = sound();
  job.model.heads = 8;
  const nn::Finding finding = named(found(job), "padded_heads");
  CHECK(says(finding.sentence, "Heads of 64 fill 64 of the 128 rows"));
  CHECK(says(finding.change, "4 heads of 128 instead of 8"));
  nn::TrainingJob wide = job;
  wide.model.heads = 4;
  CHECK(finding.seconds == nn::estimate_training(job).device() - nn::estimate_training(wide).device());
  CHECK(finding.seconds > 0);
  job.model.hidden = job.model.embedding = 480;  // heads of 60, and no way to cut 480 into 128
  CHECK(says(named(found(job), "padded_heads").change, "4 heads of 120 instead of 8"));  // at the same width
  job.model.hidden = job.model.embedding = 8 * 61;  // of a prime number: no others that are fuller
  CHECK(!says(named(found(job), "padded_heads").change, "hidden size"));
}

TEST_CASE("another length of sequences is told with what it takes, where a token then takes less") {
  for (const std::int64_t length : {100, 130, 200, 250}) {
    INFO(length);
    nn::TrainingJob job = sound();
    job.length = length;
    job.model.positions = 512;
    const nn::Finding finding = named(found(job), "padded_sequence");
    if (finding.id.empty()) continue;
    REQUIRE(finding.changes.size() == 3);
    nn::TrainingJob then = job;
    then.length = static_cast<std::int64_t>(finding.changes[0].value);
    then.predictions = std::llround(static_cast<double>(job.predictions * then.length) / static_cast<double>(length));
    const double now_takes = nn::estimate_training(job).device(), then_takes = nn::estimate_training(then).device();
    CHECK(finding.changes[1].value == then_takes);
    CHECK(then_takes / static_cast<double>(then.length) < 0.98 * now_takes / static_cast<double>(length));
    CHECK(says(finding.change, "less for each token"));
  }
  nn::TrainingJob job = sound();
  job.length = 250;
  CHECK(says(named(found(job), "padded_sequence").change, "make it 128: a step takes"));
  job.length = 128;
  CHECK(named(found(job), "padded_sequence").id.empty());
}

TEST_CASE("no change is told that hardly helps, and no hidden size that heads cannot share") {
  nn::TrainingJob job = sound("v3-8");
  job.model = nn::published_transformer("gpt2-xl");
  job.batch = 8;
  job.length = 1024;
  for (const nn::Finding& each : found(job)) {
    INFO(each.id << ": " << each.change);
    CHECK(each.id != "padded_hidden");
    CHECK(each.remedy != "wider_hidden");
    CHECK(each.seconds > 0);
  }
}

TEST_CASE("planted stall 5, sequences of a core no multiple of 8") {
  nn::TrainingJob job = sound();
  job.length = 1;
  job.predictions = 1;
  job.batch = 8 * 129;  // one row above a whole number of tiles
  const nn::Finding finding = named(found(job), "padded_rows");
  CHECK(says(finding.sentence, "129 sequences at once"));
  CHECK(says(finding.change, "136 for each replica"));
  CHECK(finding.remedy == "batch_of_rows");
  CHECK(finding.seconds > 0);

  job = ::job("bert-base", "v3-8", 168, 128);
  job.accumulate = 7;
  const nn::Finding parts = named(found(job), "padded_rows");
  CHECK(parts.change == "make the batch 448, 8 for each replica in each part");
  CHECK(parts.remedy == "batch_of_rows_in_parts");
}

TEST_CASE("planted stall 6, a vocabulary no multiple of 128") {
  nn::TrainingJob job = sound();
  job.model.layers = job.model.heads = 1;
  job.model.hidden = job.model.embedding = job.model.intermediate = 128;
  job.constants.matrix_efficiency = 0.05;
  job.model.vocabulary = 130;
  job.predictions = 128;
  job.constants.hbm_efficiency = 10;  // so that padding costs time
  const nn::Finding finding = named(found(job), "padded_vocabulary");
  CHECK(says(finding.sentence, "A vocabulary of 130 is no multiple of 128, and costs what 256 would"));
  CHECK(says(finding.change, "128"));
  CHECK(finding.seconds > 0);
  job.model.vocabulary = 30522;  // of which 70 more are nothing
  CHECK(named(found(job), "padded_vocabulary").id.empty());
}

TEST_CASE("what more of a size takes no longer gains no time") {
  nn::TrainingJob job;
  job.model = {.layers = 3, .hidden = 100, .heads = 2, .intermediate = 2048, .vocabulary = 100, .embedding = 100};
  job.model.kind = nn::TransformerKind::albert;
  job.slice = tpu::slice("v2-8");
  job.batch = 4096;
  job.accumulate = 8;
  job.length = 200;
  job.predictions = 30;
  job.code = *nn::find_code_style("flax-bf16");
  const nn::Finding finding = named(found(job), "padded_vocabulary");
  CHECK(finding.change == "make it 128, which takes no longer");
  CHECK(finding.seconds == 0);
}

TEST_CASE("planted stall 7, hosts too slow: the threads that end it are named, and end it") {
  const nn::TrainingJob job = sound();
  tpu::FeedOptions feed = nn::usual_feed(job);
  feed.threads = 1;
  feed.prepare_seconds = 1e-3;
  const nn::Finding finding = named(found(job, feed), "host_too_slow");
  const auto needed =
      tpu::estimate_feed(feed, job.slice, job.batch, nn::estimate_training(job).device()).threads_needed;
  REQUIRE(needed);
  CHECK(says(finding.change, "prepare with " + std::to_string(*needed) + " threads on each host instead of 1"));
  feed.threads = *needed;
  CHECK(named(found(job, feed), "host_too_slow").id.empty());
  feed.data.calls_back = true;
  CHECK(says(named(found(job, feed), "host_callback").sentence, "calls back into the program for each example"));
  CHECK(named(found(job, feed), "host_callback").remedy == "record_files");
  CHECK(says(named(found(job, feed), "host_callback").change, "record files"));
  feed = nn::usual_feed(job);
  feed.prefetch = 0;
  CHECK(says(named(found(job, feed), "too_few_prefetched").change, "prefetch 1 batch"));
}

TEST_CASE("planted stall 8, recompiles: the checklist counts the programs and names the dimension that varies") {
  std::vector<std::tuple<Tensor>> calls;
  for (std::int64_t i = 0; i < 40; ++i) calls.emplace_back(Tensor{DType::i32, {8, 20 + i * 37 % 101}});
  CheckOptions options;
  options.jit.argument_names = {"tokens"};
  const CheckLine line =
      check([](const Array& tokens) { return sum(tokens); }, calls, tpu::slice("v3-8"), options).line("rule_3");
  CHECK(line.verdict == Verdict::fail);
  CHECK(line.cure.front().starts_with(".buckets = {{\"tokens\", 1, multiple_of("));
}

TEST_CASE("recompiles that were counted are a stall of each step, the first program apart") {
  const nn::TrainingJob job = sound();
  const nn::TrainingEstimate estimate = nn::estimate_training(job);
  const auto with = [&](nn::Compiles compiles) {
    return named(nn::findings(job, estimate, {}, compiles), "recompiles");
  };
  const nn::Finding finding = with({.programs = 429, .steps = 493, .seconds = 40});
  CHECK(says(finding.sentence, "429 programs are compiled in 493 steps, each for 40 s"));
  CHECK(finding.remedy == "few_lengths");
  CHECK(std::fabs(finding.seconds - 428.0 * 40 / 493) < 1e-9);
  CHECK(with({.programs = 1, .steps = 493, .seconds = 40}).id.empty());
  CHECK(with({.programs = 4, .steps = 100'000'000, .seconds = 1}).id.empty());
}

TEST_CASE("a bucket, a disk and the one machine of a node that read too slowly are told apart") {
  const nn::TrainingJob job = sound();
  tpu::FeedOptions feed = nn::usual_feed(job);
  feed.example_bytes = 1e7;
  feed.data.place = tpu::DataPlace::bucket;
  feed.threads = 1;
  CHECK(says(named(found(job, feed), "bucket_too_slow").sentence, "from the bucket takes"));
  feed.data.place = tpu::DataPlace::disk;
  CHECK(named(found(job, feed), "disk_too_slow").remedy == "from_memory");  // one connection is slower than a disk
  feed.threads = 96;
  CHECK(named(found(job, feed), "disk_too_slow").remedy == "bucket_or_memory");
  feed.data = {.place = tpu::DataPlace::memory, .host = tpu::HostKind::node};
  feed.transfer_bytes = 1e8;
  const auto findings = found(job, feed);
  CHECK(named(findings, "network_too_slow").id.empty() != named(findings, "transfer_too_slow").id.empty());
}

TEST_CASE("the numbers of a finding are those of its sentence, in its order") {
  nn::TrainingJob job = sound();
  job.model.heads = 8;
  const nn::Finding finding = named(found(job), "padded_heads");
  REQUIRE(finding.values.size() == 2);
  CHECK(finding.values[0].name == "extent");
  CHECK(finding.values[0].value == 64);
  CHECK(finding.values[1].value == 128);
  CHECK(finding.remedy == "fewer_heads");
  REQUIRE(finding.changes.size() == 3);
  CHECK(finding.changes[0].value == 4);
  CHECK(finding.changes[0].unit == nn::FindingUnit::count);
  CHECK(nn::name(nn::FindingUnit::share) == "share");
}

TEST_CASE("planted stall 9, f32 where bf16 would do") {
  nn::TrainingJob job = sound();
  job.code.activations = DType::f32;
  const nn::Finding finding = named(found(job), "f32_activations");
  CHECK(says(finding.change, "bf16"));
  nn::TrainingJob narrow = job;
  narrow.code.activations = DType::bf16;
  CHECK(finding.seconds == nn::estimate_training(job).device() - nn::estimate_training(narrow).device());
}

TEST_CASE("planted stall 10, a small batch bound by its all-reduce, which nothing hides") {
  nn::TrainingJob job = sound("v3-512");
  job.batch = job.slice.replicas;
  const auto findings = found(job);
  CHECK(says(named(findings, "bound_by_all_reduce").sentence, "a replica has 1 sequence"));
  CHECK(says(named(findings, "bound_by_all_reduce").change, "make the batch 2,048: at once, that saves"));
  nn::TrainingJob parts = job;
  parts.batch *= 4;
  const double at_once = nn::estimate_training(job).device() - nn::estimate_training(parts).device() / 4;
  parts.accumulate = 4;
  const double in_parts = nn::estimate_training(job).device() - nn::estimate_training(parts).device() / 4;
  CHECK(at_once > in_parts);
  CHECK(named(findings, "bound_by_all_reduce").changes[1].value == at_once);
  CHECK(named(findings, "bound_by_all_reduce").changes[3].value == in_parts);
  const nn::Finding unhidden = named(findings, "unoverlapped_all_reduce");
  CHECK(unhidden.seconds > 0);
  CHECK(unhidden.seconds < nn::estimate_training(job).all_reduce);
}

TEST_CASE("a replica that updates all weights is told what sharding them would gain") {
  nn::TrainingJob job = sound("v3-512");
  job.batch = 8 * job.slice.replicas;
  job.code.sharded_update = false;
  CHECK(says(named(found(job), "whole_update").change, "shard the optimizer's state"));
}

TEST_CASE("findings come with the largest gain first") {
  nn::TrainingJob job = sound("v3-512");
  job.batch = 3 * job.slice.replicas;
  job.model.heads = 8;
  job.code.activations = DType::f32;
  const auto findings = found(job);
  CHECK(findings.size() >= 4);
  CHECK(std::is_sorted(findings.begin(), findings.end(),
                       [](const auto& a, const auto& b) { return a.seconds > b.seconds; }));
}

TEST_CASE("no batch is told that does not fit") {
  nn::TrainingJob job = sound("v3-32");
  job.model = nn::published_transformer("bert-large");
  job.batch = 448;
  job.length = 512;
  job.predictions = 76;
  for (const char* id : {"padded_rows", "bound_by_all_reduce"}) {
    const nn::Finding finding = named(found(job), id);
    if (finding.id.empty()) continue;
    nn::TrainingJob then = job;
    then.batch = static_cast<std::int64_t>(finding.changes.front().value);
    const nn::TrainingEstimate estimate = nn::estimate_training(then);
    CHECK(estimate.memory.fits);
    CHECK(estimate.device() / static_cast<double>(then.batch) <
          nn::estimate_training(job).device() / static_cast<double>(job.batch));
  }
}

TEST_CASE("a remedy of the input is claimed what an estimate with it saves, and no more than the wait") {
  const nn::TrainingJob job = sound();
  const double device = nn::estimate_training(job).device();
  const auto cycle = [&](const tpu::FeedOptions& feed) {
    return tpu::estimate_feed(feed, job.slice, job.batch, device).cycle_seconds;
  };
  tpu::FeedOptions feed = nn::usual_feed(job);
  feed.measured = {10 * device};  // more batches on their way would do nothing
  const nn::Finding host = named(found(job, feed), "host_too_slow");
  CHECK(host.remedy == "faster_hosts");
  CHECK(std::fabs(host.seconds - 9 * device) < 1e-9);

  feed = nn::usual_feed(job);
  feed.threads = 1;
  feed.prefetch = 0;
  feed.prepare_seconds = 5e-3;
  const auto findings = found(job, feed);
  const nn::Finding threads = named(findings, "host_too_slow");
  CHECK(threads.remedy == "more_threads");  // they do not end the wait, and shorten it much
  REQUIRE(threads.changes.size() == 3);
  tpu::FeedOptions more = feed;
  more.threads = static_cast<std::int64_t>(threads.changes[0].value);
  CHECK(threads.changes[2].value == cycle(more));
  CHECK(std::fabs(threads.seconds - (cycle(feed) - cycle(more))) < 1e-9);
  tpu::FeedOptions ahead = feed;
  ahead.prefetch = 1 << 20;
  CHECK(std::fabs(named(findings, "too_few_prefetched").seconds - (cycle(feed) - cycle(ahead))) < 1e-9);

  feed = nn::usual_feed(job);
  feed.threads = 1;
  feed.data.calls_back = true;
  feed.prepare_seconds = 5e-3;
  CHECK(named(found(job, feed), "host_callback").remedy != "record_files");  // one thread is one thread
  for (const nn::Finding& each : found(job, feed)) CHECK(each.seconds <= cycle(feed));
}

TEST_CASE("what compiling takes is compared with steps as they are fed") {
  const nn::TrainingJob job = sound();
  const nn::TrainingEstimate estimate = nn::estimate_training(job);
  tpu::FeedOptions feed = nn::usual_feed(job);
  feed.measured = {40.0};
  const nn::Compiles compiles{.programs = 100, .steps = 100, .seconds = 40};
  const nn::Finding finding = named(nn::findings(job, estimate, feed, compiles), "recompiles");
  CHECK(says(finding.sentence, "the chips wait 50 % of the time for the compiler"));
  const std::string slow = named(nn::findings(job, estimate, feed, compiles), "host_too_slow").sentence;
  CHECK(slow.ends_with(" % of a step, compiling aside."));
  CHECK(named(nn::findings(job, estimate, feed), "host_too_slow").sentence.ends_with(" % of the time."));
}
