#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

import octet.base;
import octet.data;

#include "refusal.hpp"

using namespace octet;
using namespace octet::data;

TEST_CASE("each policy pads to its length and never above the maximum") {
  CHECK(padded_length(pad_to_max_length(), 5, 128) == 128);
  CHECK(padded_length(pad_to_longest(), 5, 128) == 5);
  CHECK(padded_length(pad_to_multiple_of(32), 32, 128) == 32);
  CHECK(padded_length(pad_to_multiple_of(32), 33, 128) == 64);
  CHECK(padded_length(pad_to_multiple_of(64), 100, 120) == 120);
  CHECK(padded_length(pad_to_one_of({128, 32, 64}), 33, 128) == 64);
  CHECK(padded_length(pad_to_one_of({32, 512}), 33, 128) == 128);
  CHECK(padded_length(pad_to_doubling_then_linear(64, 48), 5, 128) == 8);
  CHECK(padded_length(pad_to_doubling_then_linear(64, 48), 33, 128) == 64);
  CHECK(padded_length(pad_to_doubling_then_linear(64, 48), 65, 128) == 96);
  CHECK(padded_length(pad_to_doubling_then_linear(64, 48), 100, 128) == 128);
}

TEST_CASE("policies that cannot hold an example are refused") {
  CHECK(number_of([] { padded_length(pad_to_longest(), 129, 128); }) == 709);
  CHECK(number_of([] { padded_length(pad_to_multiple_of(0), 5, 128); }) == 709);
  CHECK(number_of([] { padded_length(pad_to_one_of({}), 5, 128); }) == 709);
  CHECK(number_of([] { padded_length(pad_to_doubling_then_linear(0, 8), 5, 128); }) == 709);
  CHECK(number_of([] { padded_length(pad_to_doubling_then_linear(8, 0), 5, 128); }) == 709);
  CHECK(number_of([] { padded_length(pad_to_one_of({16, 32}), 33, 128); }) == 301);
}

TEST_CASE("padding is counted batch by batch") {
  const std::vector<std::int64_t> lengths{10, 20, 64, 3, 7};
  CHECK(count_padding(lengths, 2, pad_to_longest(), 64) == PaddingCount{104, 10 + 61});
  CHECK(count_padding(lengths, 2, pad_to_multiple_of(16), 64) == PaddingCount{104, 22 + 12 + 61 + 9});
  CHECK(count_padding(lengths, 8, pad_to_max_length(), 64) == PaddingCount{104, 5 * 64 - 104});
  CHECK(count_padding({}, 2, pad_to_longest(), 64) == PaddingCount{});
  CHECK(PaddingCount{}.share() == 0.0);
  CHECK(PaddingCount{3, 1}.share() == 0.25);
  CHECK(number_of([&] { count_padding(lengths, 0, pad_to_longest(), 64); }) == 709);
}

TEST_CASE("the largest lengths are padded as small ones are") {
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  CHECK(padded_length(pad_to_multiple_of(64), most, most) == most);
  CHECK(padded_length(pad_to_multiple_of(64), most - 70, most) == most - 63);
  CHECK(padded_length(pad_to_doubling_then_linear(128, 64), most, most) == most);
  CHECK(padded_length(pad_to_doubling_then_linear(most, 1), most - 1, most) == most - 1);
  CHECK(padded_length(pad_to_multiple_of(64), 65, 100) == 100);
  CHECK(padded_length(pad_to_multiple_of(64), 64, 100) == 64);
  CHECK(masked_count({.probability = std::nan("")}, 10) == 0);
  CHECK(masked_count({.probability = 1e300}, 10) == 10);
  CHECK(number_of([] { shuffled(100, 10, 1, 0); }) == 403);
}
