#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

import octet.base;
import octet.text;

#include "refusal.hpp"

using namespace octet;
using namespace octet::text;

namespace {

using Ids = std::vector<std::int32_t>;

WordPiece letters() {
  return WordPiece{Vocabulary{{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "b", "c", "d", "e", "f", "##f"}}};
}

}  // namespace

TEST_CASE("a text stands between the special tokens, and a second one after it, of the other type") {
  const WordPiece tokenizer = letters();
  const ModelInput one = model_input(tokenizer, "a b", std::nullopt);
  CHECK(one.ids == Ids{2, 5, 6, 3});
  CHECK(one.type_ids == Ids{0, 0, 0, 0});
  CHECK(one.attention_mask == Ids{1, 1, 1, 1});
  const ModelInput two = model_input(tokenizer, "a b", "  c [MASK]");
  CHECK(two.ids == Ids{2, 5, 6, 3, 7, 4, 3});
  CHECK(two.type_ids == Ids{0, 0, 0, 0, 1, 1, 1});
  CHECK(two.offsets == std::vector<Span>{{0, 0}, {0, 1}, {2, 3}, {0, 0}, {2, 3}, {4, 10}, {0, 0}});
  CHECK(model_input(tokenizer, "", "").ids == Ids{2, 3, 3});
}

TEST_CASE("what is too long loses tokens from its end, of a pair the longer text first") {
  const WordPiece tokenizer = letters();
  const auto lengths = [&](std::string_view first, std::string_view second, std::size_t most,
                           Truncation truncation = Truncation::longest_first) {
    const ModelInput input = model_input(tokenizer, first, second, {.max_length = most, .truncation = truncation});
    CHECK(input.ids.size() <= most);
    std::size_t of_second = 0;
    for (const std::int32_t type : input.type_ids) of_second += type == 1;
    return std::pair{input.ids.size() - of_second - 2, of_second - 1};
  };
  CHECK(model_input(tokenizer, "a b c d", std::nullopt, {.max_length = 4}).ids == Ids{2, 5, 6, 3});
  CHECK(lengths("a b c d e f", "a b", 8) == std::pair{std::size_t{3}, std::size_t{2}});
  CHECK(lengths("a b", "a b c d e f", 8) == std::pair{std::size_t{2}, std::size_t{3}});
  CHECK(lengths("a b c d e f", "a b c d e", 8) == std::pair{std::size_t{3}, std::size_t{2}});
  CHECK(lengths("a b c d e", "a b c d e", 8) == std::pair{std::size_t{2}, std::size_t{3}});
  CHECK(lengths("a b c d e", "a b c d e", 3) == std::pair{std::size_t{0}, std::size_t{0}});
  CHECK(lengths("a b c d e", "a b", 8, Truncation::only_first) == std::pair{std::size_t{3}, std::size_t{2}});
  CHECK(lengths("a b", "a b c d e", 8, Truncation::only_second) == std::pair{std::size_t{2}, std::size_t{3}});
  // Texts that are both longer than the whole length are of one length.
  CHECK(lengths("a b c d e", "a b c", 4) == std::pair{std::size_t{1}, std::size_t{0}});
  CHECK(lengths("a b c d e", "a b c d", 4) == std::pair{std::size_t{0}, std::size_t{1}});
  CHECK(lengths("a b c d e f f", "a b c d e f", 6) == std::pair{std::size_t{1}, std::size_t{2}});
  CHECK(lengths("a b c d e f f", "a b c d e", 6) == std::pair{std::size_t{2}, std::size_t{1}});
  CHECK(number_of([&] { lengths("a b", "a b c d e", 6, Truncation::only_first); }) == 741);
  // But a word that goes on beyond it counts whole.
  CHECK(lengths("a b c dffff", "a b c d e f", 4) == std::pair{std::size_t{1}, std::size_t{0}});
  CHECK(lengths("a b c dffff", "afffffffff", 4) == std::pair{std::size_t{0}, std::size_t{1}});
  // And no special token ends the reading, though it counts.
  CHECK(lengths("a b c [MASK] [MASK] d", "a b c d e f", 4) == std::pair{std::size_t{1}, std::size_t{0}});
  CHECK(lengths("a b c d [MASK] [MASK]", "a b c d e f", 4) == std::pair{std::size_t{0}, std::size_t{1}});
  // Where no room is left, nothing is left of either.
  CHECK(lengths("a b", "a b c d e", 3, Truncation::only_first) == std::pair{std::size_t{0}, std::size_t{0}});
  CHECK(lengths("a b", "a b c d e", 3, Truncation::only_second) == std::pair{std::size_t{0}, std::size_t{0}});
  CHECK(number_of([&] { lengths("a", "b", 2); }) == 709);
  const ModelInputOptions of_second{.max_length = 4, .truncation = Truncation::only_second};
  CHECK(number_of([&] { model_input(tokenizer, "a b c d", std::nullopt, of_second); }) == 709);
  CHECK(number_of([&] { model_input(tokenizer, "a", std::nullopt, of_second); }) == 709);
  CHECK(number_of([&] { model_input(tokenizer, "a", std::nullopt, {.max_length = 1}); }) == 709);
}

TEST_CASE("what is too short is padded to a length and to a multiple") {
  const WordPiece tokenizer = letters();
  const ModelInput input = model_input(tokenizer, "a", "b", {.pad_to = 7});
  CHECK(input.ids == Ids{2, 5, 3, 6, 3, 0, 0});
  CHECK(input.type_ids == Ids{0, 0, 0, 1, 1, 0, 0});
  CHECK(input.attention_mask == Ids{1, 1, 1, 1, 1, 0, 0});
  CHECK(input.offsets.size() == 7);
  CHECK(model_input(tokenizer, "a", "b", {.pad_to = 7, .pad_to_multiple_of = 8}).ids.size() == 8);
  CHECK(model_input(tokenizer, "a", "b", {.pad_to_multiple_of = 5}).ids.size() == 5);
}

TEST_CASE("an input is not filled up beyond all measure") {
  const WordPiece tokenizer = letters();
  const std::size_t most = std::numeric_limits<std::size_t>::max();
  CHECK(number_of([&] { model_input(tokenizer, "a", std::nullopt, {.pad_to = most}); }) == 709);
  CHECK(number_of([&] { model_input(tokenizer, "a", std::nullopt, {.pad_to_multiple_of = most}); }) == 709);
}
