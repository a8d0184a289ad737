// Batches and programs agree about padding: what a batch is padded to is the bucket of its longest example.
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <utility>
#include <vector>
import octet.base;
import octet.compile;
import octet.data;

using namespace octet;

TEST_CASE("a batch is padded to what the policy of the same name would pad it to") {
  constexpr std::int64_t most = 512;
  const std::vector<std::pair<data::Padding, BucketPolicy>> policies{
      {data::pad_to_max_length(), max_length(most)},
      {data::pad_to_longest(), longest()},
      {data::pad_to_multiple_of(64), multiple_of(64)},
      {data::pad_to_one_of({64, 96, most}), one_of({64, 96, most})},
      {data::pad_to_doubling_then_linear(128, 64), doubling_then_linear(128, 64)},
      {data::pad_to_one_of(
           fitted({{40, 3}, {90, 1}, {most, 1}}, {.compile_seconds = 1, .seconds_per_element = 0.1}).policy.extents()),
       fitted({{40, 3}, {90, 1}, {most, 1}}, {.compile_seconds = 1, .seconds_per_element = 0.1}).policy}};
  for (const auto& [padding, policy] : policies)
    for (std::int64_t length = 1; length <= most; ++length) {
      const std::int64_t columns = data::padded_length(padding, length, most);
      CHECK(columns == policy.bucket(length));
      CHECK(policy.bucket(columns) == columns);  // what the batch did, the program need not do again
    }
}
