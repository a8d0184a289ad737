// The feed of a slice: its steady state and its first steps against a simulation event by event, and what cannot be
// fed.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <string>
#include <vector>
import octet.base;
import octet.tpu;

#include "refusal.hpp"

using namespace octet;

namespace {

/// Time in whole ticks: nothing but queues and what is being worked on, moved on tick by tick. Returns when each step
/// ends.
std::vector<std::int64_t> simulated(const std::vector<std::vector<std::int64_t>>& hosts, std::int64_t step,
                                    std::int64_t prefetch, std::size_t steps) {
  struct Worker {
    std::deque<std::size_t> waiting;
    std::optional<std::size_t> batch;
    std::int64_t left = 0;
  };
  std::vector<std::vector<Worker>> workers(hosts.size(), std::vector<Worker>(3));
  std::vector<std::vector<std::size_t>> delivered(steps, std::vector<std::size_t>(hosts.size(), 0));
  std::vector<std::int64_t> ends;
  for (auto& host : workers)
    for (std::size_t b = 0; b < std::min<std::size_t>(steps, static_cast<std::size_t>(prefetch) + 1); ++b)
      host[0].waiting.push_back(b);
  std::optional<std::size_t> computing;
  std::int64_t left = 0;
  for (std::int64_t now = 0; ends.size() < steps; ++now) {
    // At this instant, work that takes no more time goes on as far as it can.
    for (bool moved = true; moved;) {
      moved = false;
      if (computing && left == 0) {
        ends.push_back(now);
        const std::size_t next = *computing + static_cast<std::size_t>(prefetch) + 1;
        if (next < steps)
          for (auto& host : workers) host[0].waiting.push_back(next);
        computing.reset();
        moved = true;
      }
      for (std::size_t h = 0; h < hosts.size(); ++h)
        for (std::size_t s = 0; s < 3; ++s) {
          Worker& worker = workers[h][s];
          if (worker.batch && worker.left == 0) {
            if (s < 2)
              workers[h][s + 1].waiting.push_back(*worker.batch);
            else
              delivered[*worker.batch][h] = 1;
            worker.batch.reset();
            moved = true;
          }
          if (!worker.batch && !worker.waiting.empty()) {
            worker.batch = worker.waiting.front();
            worker.waiting.pop_front();
            worker.left = hosts[h][s];
            moved = true;
          }
        }
      if (!computing && ends.size() < steps &&
          std::count(delivered[ends.size()].begin(), delivered[ends.size()].end(), std::size_t{1}) ==
              static_cast<std::ptrdiff_t>(hosts.size())) {
        computing = ends.size();
        left = step;
        moved = true;
      }
    }
    if (computing) --left;
    for (auto& host : workers)
      for (Worker& worker : host)
        if (worker.batch) --worker.left;
  }
  return ends;
}

tpu::Feed feed_of(const std::vector<std::vector<std::int64_t>>& hosts, std::int64_t prefetch) {
  tpu::Feed feed{{}, prefetch, 1};
  for (const auto& host : hosts)
    feed.hosts.push_back({static_cast<double>(host[0]), static_cast<double>(host[1]), static_cast<double>(host[2])});
  return feed;
}

tpu::FeedOptions options(double prepare_seconds, std::int64_t threads, std::int64_t prefetch = 2) {
  tpu::FeedOptions result;
  result.threads = threads;
  result.prefetch = prefetch;
  result.prepare_seconds = prepare_seconds;
  return result;
}

}  // namespace

TEST_CASE("steps are fed when a simulation tick by tick says, and at last as often as the slowest cycle allows") {
  std::uint64_t state = 1;
  const auto drawn = [&](std::int64_t most) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::int64_t>((state >> 33) % static_cast<std::uint64_t>(most + 1));
  };
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<std::vector<std::int64_t>> hosts(static_cast<std::size_t>(1 + drawn(3)));
    for (auto& host : hosts) host = {drawn(9), drawn(20), drawn(5)};
    const std::int64_t step = 1 + drawn(15), prefetch = drawn(4);
    // So many steps that whatever the first ones did is over, and a whole number of rounds of all batches on the way.
    const auto round = static_cast<std::size_t>(prefetch + 1);
    const std::size_t steps = round * 40;
    const auto ends = simulated(hosts, step, prefetch, steps);
    const tpu::Feed feed = feed_of(hosts, prefetch);
    const auto fed = tpu::fed_steps(feed, static_cast<double>(step), static_cast<std::int64_t>(steps));
    INFO("trial " << trial);
    for (std::size_t s = 0; s < steps; ++s) REQUIRE(fed[s].step.end == static_cast<double>(ends[s]));
    const double cycle = static_cast<double>(ends[steps - 1] - ends[steps - 1 - round]) / static_cast<double>(round);
    REQUIRE(std::fabs(tpu::cycle_seconds(feed, static_cast<double>(step)) - cycle) < 1e-9 * cycle);
  }
}

TEST_CASE("without prefetch nothing overlaps, with one batch on its way the longer of two halves counts") {
  const tpu::Feed feed = feed_of({{2, 4, 1}}, 0);
  CHECK(tpu::cycle_seconds(feed, 5) == 12);
  CHECK(tpu::cycle_seconds({feed.hosts, 1, 1}, 5) == 6);
  CHECK(tpu::cycle_seconds({feed.hosts, 2, 1}, 5) == 5);
  CHECK(tpu::cycle_seconds({feed.hosts, 2, 1}, 3) == 4);
  CHECK(tpu::fed_steps(feed, 5, 0).empty());
}

TEST_CASE("as many threads as are said to be needed end the wait, and one fewer does not") {
  const tpu::Slice slice = tpu::slice("v3-8");
  for (const double step : {0.001, 0.0107, 0.5}) {
    const auto estimate = tpu::estimate_feed(options(1e-3, 1), slice, 64, step);
    INFO(step);
    CHECK(estimate.waiting_share == 1 - step / estimate.cycle_seconds);
    REQUIRE(estimate.threads_needed);
    const std::int64_t needed = *estimate.threads_needed;
    CHECK(tpu::estimate_feed(options(1e-3, needed), slice, 64, step).waiting_share == 0);
    if (needed > 1) CHECK(tpu::estimate_feed(options(1e-3, needed - 1), slice, 64, step).waiting_share > 0);
  }
  const auto too_slow = tpu::estimate_feed(options(1e-3, 1), slice, 64, 0.01);
  CHECK(too_slow.slowest == tpu::FeedStage::prepare);
  CHECK(*too_slow.threads_needed == 7);  // 64 examples, ten at a time
  CHECK_FALSE(too_slow.prefetch_needed);
  // 64 ms of preparing do not fit into steps of half a millisecond, an example to a thread.
  CHECK_FALSE(tpu::estimate_feed(options(1e-3, 1), slice, 64, 0.0005).threads_needed);
}

TEST_CASE("a pipeline that calls back runs one thread, however many there are") {
  tpu::FeedOptions calling = options(1e-3, 8);
  calling.data.calls_back = true;
  const auto estimate = tpu::estimate_feed(calling, tpu::slice("v3-8"), 64, 0.01);
  CHECK(std::fabs(estimate.cycle_seconds - 0.064) < 1e-12);
  CHECK_FALSE(estimate.threads_needed);
}

TEST_CASE("one slow host holds up all others") {
  tpu::FeedOptions slow = options(1e-3, 8);
  slow.slow_host = 4;
  const auto estimate = tpu::estimate_feed(slow, tpu::slice("v3-32"), 128, 0.01);
  CHECK(estimate.one_slow_host);
  CHECK(std::fabs(estimate.cycle_seconds - 0.016) < 1e-12);
  slow.slow_host = 1;
  CHECK(tpu::estimate_feed(slow, tpu::slice("v3-32"), 128, 0.01).waiting_share == 0);
}

TEST_CASE("one slow host is found where reading takes as long as preparing, and it is not much slower") {
  tpu::FeedOptions slow = options(1e-3, 1);
  slow.data.place = tpu::DataPlace::disk;
  slow.example_bytes = 1e-3 * tpu::disk_bandwidth;
  slow.slow_host = 1.5;
  const tpu::Slice slice = tpu::slice("v3-32");
  const double usual = 32 * 1e-3;  // seconds of each of the two stages, on each of the four hosts
  const auto estimate = tpu::estimate_feed(slow, slice, 128, usual / 2);
  CHECK(std::fabs(estimate.cycle_seconds - 1.5 * usual) < 1e-9);
  CHECK(estimate.one_slow_host);
  CHECK(estimate.slow_host == 1);
  CHECK(std::fabs(estimate.slow_host_factor - 1.5) < 1e-9);
  slow.slow_host = 1;
  CHECK_FALSE(tpu::estimate_feed(slow, slice, 128, usual / 2).one_slow_host);
}

TEST_CASE("a host has the processors of its type: a v5e's eight chips of one host have twice those of four") {
  CHECK(tpu::host_processors(tpu::slice("v3-8")) == 96);
  CHECK(tpu::host_processors(tpu::slice("v3-2048")) == 96);
  CHECK(tpu::host_processors(tpu::slice("v5e-1")) == 24);
  CHECK(tpu::host_processors(tpu::slice("v5e-4")) == 112);
  CHECK(tpu::host_processors(tpu::slice("v5e-8")) == 224);
  CHECK(tpu::host_processors(tpu::slice("v5e-256")) == 112);
  CHECK(tpu::host_processors(tpu::slice("v6e-1")) == 44);
  CHECK(tpu::host_processors(tpu::slice("v6e-4")) == 180);
  CHECK(tpu::host_processors(tpu::slice("v6e-8")) == 180);
}

TEST_CASE("hosts that were measured take what was measured") {
  tpu::FeedOptions measured = options(1e-3, 8);
  const tpu::Slice slice = tpu::slice("v3-32");
  measured.measured = {0.004, 0.05, 0.004, 0.004};
  const auto estimate = tpu::estimate_feed(measured, slice, 128, 0.01);
  CHECK(std::fabs(estimate.cycle_seconds - 0.05) < 1e-12);
  CHECK(estimate.one_slow_host);
  CHECK(estimate.slow_host == 2);
  CHECK(std::fabs(estimate.slow_host_factor - 12.5) < 1e-9);
  CHECK_FALSE(estimate.threads_needed);
  measured.measured = {0.05, 0.045, 0.05, 0.05};
  CHECK_FALSE(tpu::estimate_feed(measured, slice, 128, 0.01).one_slow_host);
  measured.measured = {0.05, 0.05};
  CHECK(number_of([&] { tpu::feed(measured, slice, 128); }) == 403);
  measured.measured = {0.05, 0.05, 0.05, std::nan("")};
  CHECK(number_of([&] { tpu::feed(measured, slice, 128); }) == 403);
}

TEST_CASE("a bucket delivers more over more connections, a disk does not") {
  tpu::FeedOptions reading = options(0, 1);
  reading.example_bytes = 1e6;
  reading.data.place = tpu::DataPlace::bucket;
  const tpu::Slice slice = tpu::slice("v3-8");
  const auto bucket = tpu::estimate_feed(reading, slice, 64, 0.1);
  CHECK(bucket.slowest == tpu::FeedStage::read);
  CHECK(*bucket.threads_needed == 7);
  reading.data.place = tpu::DataPlace::disk;
  CHECK_FALSE(tpu::estimate_feed(reading, slice, 64, 0.01).threads_needed);
}

TEST_CASE("a feed that cannot be is refused") {
  const tpu::Slice v3 = tpu::slice("v3-8");
  tpu::FeedOptions node = options(0, 1);
  node.data = {.place = tpu::DataPlace::disk, .host = tpu::HostKind::node};
  CHECK(number_of([&] { tpu::feed(node, v3, 8); }) == 606);
  node.data.place = tpu::DataPlace::bucket;
  node.data.calls_back = true;
  CHECK(number_of([&] { tpu::feed(node, v3, 8); }) == 607);
  node.data.calls_back = false;
  CHECK(number_of([&] { tpu::feed(node, v3, 8); }) == 0);
  CHECK(number_of([&] { tpu::feed(node, tpu::slice("v4-8"), 8); }) == 610);
  CHECK(number_of([&] { tpu::feed(options(0, -1), v3, 8); }) == 403);
  CHECK(number_of([&] { tpu::feed(options(0, 1, -1), v3, 8); }) == 403);
  CHECK(number_of([&] { tpu::feed(options(0, std::int64_t{1} << 40), v3, 8); }) == 403);
  CHECK(number_of([&] { tpu::feed(options(std::nan(""), 1), v3, 8); }) == 403);
  CHECK(number_of([&] { tpu::feed(options(-1, 1), v3, 8); }) == 403);
  CHECK(number_of([&] { tpu::feed(options(0, 1), v3, 0); }) == 403);
}

TEST_CASE("a feed with fewer batches on their way than none, and a step that is no time, are refused") {
  const tpu::Feed wrong{{{0.001, 0.002, 0.001}}, -1, 1}, right{{{0.001, 0.002, 0.001}}, 1, 1};
  CHECK(number_of([&] { tpu::cycle_seconds(wrong, 0.1); }) == 403);
  CHECK(number_of([&] { tpu::fed_steps(wrong, 0.1, 4); }) == 403);
  CHECK(number_of([&] { tpu::cycle_seconds(right, std::numeric_limits<double>::quiet_NaN()); }) == 403);
  CHECK(tpu::fed_steps(right, 0.1, 4).size() == 4);
  CHECK(number_of([&] { tpu::feed({}, tpu::Slice{}, 8); }) == 604);
}

TEST_CASE("a feed has hosts, and steps are drawn up that can be") {
  CHECK(number_of([] { tpu::cycle_seconds(tpu::Feed{}, 1); }) == 403);
  const tpu::Feed one{.hosts = {{}}};
  CHECK(tpu::fed_steps(one, 1, 0).empty());
  CHECK(number_of([&] { tpu::fed_steps(one, 1, -1); }) == 403);
  CHECK(number_of([&] { tpu::fed_steps(one, 1, std::int64_t{1} << 40); }) == 403);
}
