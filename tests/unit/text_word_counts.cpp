#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>

import octet.base;
import octet.text;

using namespace octet;
using namespace octet::text;

namespace {

std::string word(int number) { return "word" + std::to_string(number) + std::string(90, 'x'); }

std::map<std::string, std::uint64_t> all_of(const auto& counts) {
  std::map<std::string, std::uint64_t> all;
  counts.for_each([&](std::string_view text, std::uint64_t count) { all[std::string{text}] += count; });
  return all;
}

// Takes words until the `last`-th one, where it throws.
void fail_at(auto& counts, int last) {
  CHECK_THROWS_AS(counts.take_each([&](std::string_view, std::uint64_t) {
    if (--last == 0) throw std::runtime_error{"no more"};
  }),
                  std::runtime_error);
}

}  // namespace

TEST_CASE("words that were taken until something was thrown are gone, and others can be counted") {
  constexpr int words = 9000;  // four pages of memory
  for (const int last : {1, words / 2, words}) {
    INFO("thrown at word " << last);
    WordCounts counts;
    for (int i = 0; i < words; ++i) counts.add(word(i));
    fail_at(counts, last);
    CHECK(counts.empty());
    CHECK(counts.text_bytes() == 0);
    CHECK(all_of(counts).empty());
    for (int i = 0; i < 300; ++i) counts.add(word(i % 100));
    CHECK(counts.size() == 100);
    const auto all = all_of(counts);
    CHECK(all.size() == 100);
    CHECK(all.at(word(7)) == 3);
  }
}

TEST_CASE("words are counted as a map counts them, over many pages of memory and counts that move a word") {
  std::mt19937 random{5};
  WordCounts counts;
  std::map<std::string, std::uint64_t> expected;
  for (int i = 0; i < 60'000; ++i) {  // some of them are counted often, some once; two are longer than a page
    std::string text = i % 3 == 0 ? word(static_cast<int>(random() % 20)) : word(static_cast<int>(random() % 30'000));
    if (i % 20'000 == 19'999) text += std::string(300'000, 'y');
    const std::uint64_t count = i % 500 == 0 ? std::uint64_t{1} << 33 : 1 + random() % 3;
    counts.add(text, count);
    expected[text] += count;
  }
  CHECK(counts.size() == expected.size());
  CHECK(all_of(counts) == expected);
}

TEST_CASE("words are counted as a map counts them where nearly each is a new one, and put in order on the way",
          "[native]") {
  std::mt19937 random{11};
  WordCounts counts;
  std::unordered_map<std::string, std::uint64_t> expected;
  std::uint64_t text_bytes = 0;
  const auto add = [&](const std::string& text, std::uint64_t count = 1) {
    counts.add(text, count);
    expected[text] += count;
    text_bytes += count * text.size();
  };
  // Beginnings of each other, of signs and zeros; some that are alike for longer than a byte can say.
  const std::string alike(300, 'q');
  const std::string peculiar[] = {std::string(1, '\0'),
                                  std::string(2, '\0'),
                                  "\xff",
                                  "\xff\xff",
                                  "a",
                                  "ab",
                                  std::string("ab\0", 3),
                                  "\x7f",
                                  "\x80",
                                  alike,
                                  alike + 'q',
                                  alike + "r",
                                  alike + alike,
                                  "qq" + alike};
  constexpr int words = 900'000;
  for (int i = 0; i < words; ++i) {
    std::string text(5, 'a');
    for (char& letter : text) letter = static_cast<char>('a' + random() % 26);
    add(text, i == 0 ? 65'536 : i % 1000 == 0 ? 20 : 1);
    if (i % 3 == 0) add("often" + std::to_string(i % 200));
    if (i % 1000 == 0) add(peculiar[static_cast<std::size_t>(i) / 1000 % std::size(peculiar)]);
  }
  CHECK(counts.text_bytes() == text_bytes);
  CHECK(counts.size() == expected.size());
  CHECK(counts.size_at_most() >= expected.size());
  const auto check = [&](auto go_through) {
    std::size_t differ = 0, in_order = 0, seen = 0;
    std::string before;
    go_through([&](std::string_view text, std::uint64_t count) {
      const auto found = expected.find(std::string{text});
      differ += found == expected.end() || found->second != count;
      in_order += before < text;
      ++seen;
      before = text;
    });
    CHECK(differ == 0);
    CHECK(seen == expected.size());
    CHECK(in_order == seen);  // so they were put in order, else this would not test what it says
  };
  check([&](const auto& function) { counts.for_each(function); });

  WordCounts failing;
  failing.add(counts);
  check([&](const auto& function) { failing.for_each(function); });
  fail_at(failing, 500'000);
  CHECK(failing.empty());
  failing.add("once");
  CHECK(all_of(failing) == std::map<std::string, std::uint64_t>{{"once", 1}});
  check([&](const auto& function) { counts.take_each(function); });
  CHECK(counts.empty());
}

TEST_CASE("counts that are shared stay with the others where taking them fails") {
  SharedWordCounts counts;
  for (int i = 0; i < 50; ++i) counts.own().add(word(i));
  const SharedWordCounts copy = counts;
  fail_at(counts, 20);
  CHECK(counts->empty());
  CHECK(copy->size() == 50);
  counts.own().add("a");
  fail_at(counts, 1);
  counts.own().add("b");
  CHECK(all_of(*counts) == std::map<std::string, std::uint64_t>{{"b", 1}});
}

TEST_CASE("pairs have room by the text, as long as its distinct words have use for it") {
  constexpr std::uint64_t gigabyte = 1'000'000'000;
  CHECK(joining_room(0, 0) == 524'288);
  CHECK(joining_room(1000, 900) == 524'288);
  CHECK(joining_room(4'000'000, 4'000'000) == 3'000'000);
  CHECK(joining_room(20'000'000, 2'000'000) == 8'000'000);
  CHECK(joining_room(20'000'000, 20'000'000) == 6'923'076);
  CHECK(joining_room(20'000'000, 28'000'000) == 3'000'000);
  CHECK(joining_room(20 * gigabyte, 100) == 524'288);
  CHECK(joining_room(20 * gigabyte, 1'000'000) == 4'000'000);
  CHECK(joining_room(~std::uint64_t{0}, 10'000) == 524'288);
  CHECK(joining_room(~std::uint64_t{0}, ~std::uint64_t{0}) == SIZE_MAX / 8 + 1);
}
