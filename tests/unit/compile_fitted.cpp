// Buckets fitted to a histogram of lengths.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

import octet.base;
import octet.compile;

#include "refusal.hpp"

using namespace octet;
using Catch::Matchers::WithinRel;

namespace {

/// The least cost of all sets of buckets, every set tried.
double least(const LengthHistogram& lengths, const FittingOptions& options) {
  std::vector<std::int64_t> extents;
  for (const auto& [length, times] : lengths)
    extents.push_back(multiple_of(options.multiple).bucket(std::max<std::int64_t>(length, 1)));
  std::ranges::sort(extents);
  extents.erase(std::ranges::unique(extents).begin(), extents.end());
  double best = std::numeric_limits<double>::infinity();
  for (std::uint32_t set = 1; set < (1u << extents.size()); ++set) {
    std::vector<std::int64_t> chosen;
    for (std::size_t i = 0; i < extents.size(); ++i)
      if (set >> i & 1) chosen.push_back(extents[i]);
    if (chosen.back() != extents.back()) continue;
    if (options.max_buckets != 0 && chosen.size() > options.max_buckets) continue;
    best = std::min(best, bucket_cost(one_of(chosen), lengths, options).seconds());
  }
  return best;
}

}  // namespace

TEST_CASE("fitted buckets cost as little as the best of all sets of buckets") {
  const Key key = Key::of_seed(5);
  std::uint64_t counter = 0;
  const auto less_than = [&](std::int64_t n) {
    return static_cast<std::int64_t>(octet::below(key, counter++, static_cast<std::uint64_t>(n)));
  };
  for (int round = 0; round < 120; ++round) {
    LengthHistogram lengths;
    const std::int64_t distinct = 1 + less_than(11);
    for (std::int64_t i = 0; i < distinct; ++i) lengths[less_than(200)] += 1 + less_than(round % 3 == 0 ? 1000 : 5);
    for (const std::size_t most : {0, 1, 2, 3, 5})
      for (const std::int64_t multiple : {1, 8}) {
        const FittingOptions options{.compile_seconds = static_cast<double>(less_than(4)) * 0.7,
                                     .seconds_per_element = 1e-3 * static_cast<double>(1 + less_than(40)),
                                     .repetitions = static_cast<double>(1 + less_than(3)),
                                     .max_buckets = most,
                                     .multiple = multiple};
        const FittedBuckets fit = fitted(lengths, options);
        CHECK_THAT(fit.cost.seconds(), WithinRel(least(lengths, options), 1e-12));
        if (most != 0) CHECK(fit.policy.extents().size() <= most);
        for (const std::int64_t bucket : fit.policy.extents()) CHECK(bucket % multiple == 0);
        CHECK(fit.policy.extents().size() == fit.cost.programs);
        for (const auto& [length, times] : lengths) CHECK(fit.policy.holds(length));
      }
  }
}

TEST_CASE("the dearer compiling is, the fewer buckets pay") {
  LengthHistogram lengths;
  for (std::int64_t length = 1; length <= 512; ++length) lengths[length] = 1;
  std::size_t before = 513;
  for (const double compile : {0.0, 1e-3, 0.1, 10.0, 1e6}) {
    const FittedBuckets fit = fitted(lengths, {.compile_seconds = compile, .seconds_per_element = 1e-4, .multiple = 1});
    CHECK(fit.policy.extents().size() <= before);
    before = fit.policy.extents().size();
    if (compile == 0) CHECK(before == 512);
    CHECK(fit.gain() >= -1e-9);
  }
  CHECK(before == 1);
}

TEST_CASE("a fit says what it gained over multiples of 64") {
  const LengthHistogram lengths = length_histogram(std::vector<std::int64_t>{20, 20, 20, 70, 20, 65});
  const FittedBuckets fit = fitted(lengths, {.compile_seconds = 0.5, .seconds_per_element = 0.01, .multiple = 1});
  CHECK(to_string(fit.policy) == "one_of({20, 70})");
  CHECK(fit.cost.elements == PaddedElements{215, 5});
  CHECK(fit.multiples_of_64.elements == PaddedElements{215, 297});
  CHECK(fit.cost.programs == 2);
  CHECK(fit.text() ==
        "one_of({20, 70}): 2 programs, 2.3 % padding, 3.2 s (1 s compiling, 2.2 s running)\n"
        "multiple_of(64): 2 programs, 58.0 % padding, 6.12 s (1 s compiling, 5.12 s running)\n"
        "2.92 s gained over multiples of 64, 47.7 %");
}

TEST_CASE("a single length and no length at all are fitted or refused") {
  const FittingOptions options{.compile_seconds = 1, .seconds_per_element = 1, .multiple = 1};
  CHECK(fitted({{7, 3}}, options).policy == max_length(7));
  CHECK(fitted({{0, 3}}, options).policy == max_length(1));
  CHECK(fitted({{7, 3}}, {.compile_seconds = 1}).policy == max_length(8));  // what the matrix unit takes at once
  CHECK(number_of([&] { fitted({}, options); }) == 709);
  CHECK(number_of([&] { fitted({{7, 0}}, options); }) == 709);
  CHECK(number_of([&] { fitted({{-1, 2}}, options); }) == 403);
  CHECK(number_of([&] { fitted({{7, 1}}, {}); }) == 709);
  CHECK(number_of([&] { fitted({{7, 1}}, {.compile_seconds = -1, .seconds_per_element = 1}); }) == 709);
  CHECK(number_of([&] { fitted({{7, 1}}, {.compile_seconds = NAN, .seconds_per_element = 1}); }) == 709);
  CHECK(number_of([&] { fitted({{7, 1}}, {.compile_seconds = 1, .multiple = 0}); }) == 709);
  CHECK(number_of([&] { fitted({{std::numeric_limits<std::int64_t>::max(), 2}}, options); }) == 709);
  CHECK(number_of([&] { bucket_cost(one_of({64}), {{65, 1}}, options); }) == 301);
}

TEST_CASE("a hundred thousand lengths are fitted in well under a second, with a limit and without") {
  LengthHistogram lengths;
  for (std::int64_t i = 1; i <= 100'000; ++i) lengths[i] = i * i % 7919 + 1;
  const auto begin = std::chrono::steady_clock::now();
  const FittedBuckets free = fitted(lengths, {.compile_seconds = 100, .seconds_per_element = 1e-9});
  const FittedBuckets bounded =
      fitted(lengths, {.compile_seconds = 0.01, .seconds_per_element = 1e-9, .max_buckets = 8});
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds{5});
  CHECK(free.policy.extents().size() < 100'000);
  CHECK(bounded.policy.extents().size() == 8);
}
