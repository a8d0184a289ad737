#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <iterator>
#include <optional>
#include <random>
#include <string>
#include <string_view>

import octet.text;

using namespace octet::text;
using namespace std::literals;

TEST_CASE("well-formed UTF-8 of every length decodes to its characters and encodes back") {
  const std::string bytes = "a\xC3\xA9\xED\x95\x9C\xF0\x9F\x98\x80";
  CHECK(decode_utf8(bytes) == U"a\u00E9\uD55C\U0001F600");
  CHECK(encode_utf8(U"a\u00E9\uD55C\U0001F600") == bytes);
  CHECK_FALSE(find_invalid_utf8(bytes));
  CHECK_FALSE(find_invalid_utf8(""));
}

TEST_CASE("the first byte that is not UTF-8 is named with its offset") {
  const auto fault = find_invalid_utf8(
      "abc\xE9"
      "def");
  REQUIRE(fault);
  CHECK(fault->offset == 3);
  CHECK(fault->byte == 0xE9);
  CHECK_FALSE(fault->truncated);
}

TEST_CASE("a byte that is not UTF-8 is found wherever it stands") {
  for (const std::string_view unit : {"a", "\u00E9", "\uAC00", "\U0001F600", "ab\uAC00", "abcdefghi\u3042"}) {
    std::string before;
    for (int times = 0; times < 20; ++times, before += unit) {
      CHECK(!find_invalid_utf8(before));
      for (const std::string_view after : {"", "abcdefghijkl", "\uAC00\uAC00\uAC00"}) {
        const auto fault = find_invalid_utf8(before + "\xFF" + std::string{after});
        REQUIRE(fault);
        CHECK(fault->offset == before.size());
      }
    }
  }
}

TEST_CASE("text that ends inside a character is told apart from text that is wrong") {
  for (const std::string_view bytes : {"ab\xED\x95"sv, "ab\xF0\x9F\x98"sv, "ab\xC3"sv}) {
    const auto fault = find_invalid_utf8(bytes);
    REQUIRE(fault);
    CHECK(fault->offset == 2);
    CHECK(fault->truncated);
  }
}

TEST_CASE("overlong forms, surrogates and values above U+10FFFF are not UTF-8") {
  for (const std::string_view bytes :
       {"\xC0\x80"sv, "\xC1\xBF"sv, "\xE0\x80\x80"sv, "\xE0\x9F\xBF"sv, "\xED\xA0\x80"sv, "\xF0\x8F\xBF\xBF"sv,
        "\xF4\x90\x80\x80"sv, "\xF5\x80\x80\x80"sv, "\x80"sv, "\xFF"sv}) {
    const auto fault = find_invalid_utf8(bytes);
    REQUIRE(fault);
    CHECK(fault->offset == 0);
  }
}

TEST_CASE("one replacement character stands for each longest valid beginning") {
  // The example of Unicode 3.9, table 3-8.
  CHECK(decode_utf8("\x61\xF1\x80\x80\xE1\x80\xC2\x62\x80\x63\x80\xBF\x64") ==
        U"a\uFFFD\uFFFD\uFFFDb\uFFFDc\uFFFD\uFFFDd");
  CHECK(replace_invalid_utf8("\xE1\x80zz\xFF") == "\xEF\xBF\xBDzz\xEF\xBF\xBD");
}

TEST_CASE("what cannot be written in UTF-8 is written as the replacement character") {
  CHECK(encode_utf8(std::u32string{0xD800, 0x110000}) == "\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST_CASE("a fault is found wherever it stands in a text of any length") {
  std::mt19937 random{5};
  constexpr std::string_view parts[] = {"a",
                                        "z ",
                                        "\xC3\xA9",
                                        "\xE0\xA0\x80",
                                        "\xE3\x81\x82",
                                        "\xED\x9F\xBF",
                                        "\xEF\xBF\xBD",
                                        "\xF0\x90\x80\x80",
                                        "\xF4\x8F\xBF\xBF"};
  constexpr unsigned char bounds[] = {0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1,
                                      0xC2, 0xDF, 0xE0, 0xED, 0xEF, 0xF0, 0xF3, 0xF4, 0xF5, 0xFF};
  std::size_t faults = 0;
  for (int i = 0; i < 50'000; ++i) {
    std::string text;
    for (unsigned length = random() % 40; length > 0; --length) text += parts[random() % std::size(parts)];
    if (i % 3 > 0 && !text.empty())
      text[random() % text.size()] = static_cast<char>(bounds[random() % std::size(bounds)]);
    if (i % 5 == 0) text.resize(text.size() - std::min<std::size_t>(text.size(), random() % 4));
    std::optional<std::size_t> expected;  // character by character
    for (std::size_t at = 0; at < text.size() && !expected;) {
      const CodePoint point = decode_code_point(text, at);
      if (point.value == replacement_character && !text.substr(at).starts_with("\xEF\xBF\xBD"))
        expected = at;
      else
        at += point.length;
    }
    const auto found = find_invalid_utf8(text);
    REQUIRE(found.has_value() == expected.has_value());
    if (found) CHECK(found->offset == *expected);
    faults += found.has_value();
  }
  CHECK(faults > 10'000);
}
