#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>
#include <vector>

import octet.text;

using namespace octet::text;

namespace {

std::string cleaned(std::string_view text, const CleanUp& options = {}) {
  return encode_utf8(clean_up(text, options).characters);
}

std::vector<std::string> words(std::string_view text, const CleanUp& options = {}) {
  const CleanText clean = clean_up(text, options);
  std::vector<std::string> result;
  for (const Span span : split_words(clean.characters))
    result.push_back(encode_utf8(std::u32string_view{clean.characters}.substr(span.begin, span.end - span.begin)));
  return result;
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("control characters go and white space becomes blanks") {
  CHECK(cleaned("a\tb\nc\xC2\xA0"
                "d\xE3\x80\x80"
                "e") == "a b c d e");
  CHECK(cleaned(std::string_view{"a\0b\x07"
                                 "c\xE2\x80\x8B"
                                 "d\xEF\xBF\xBD"
                                 "e",
                                 14}) == "abcde");
  CHECK(cleaned("a\tb", {.clean_text = false}) == "a\tb");
  CHECK(cleaned("") == "");
}

TEST_CASE("accents go with lowercase unless asked otherwise") {
  CHECK(cleaned("\u00C9t\u00E9") == "ete");
  CHECK(cleaned("\u00C9t\u00E9", {.strip_accents = false}) == "\u00E9t\u00E9");
  CHECK(cleaned("\u00C9t\u00E9", {.lowercase = false}) == "\u00C9t\u00E9");
  CHECK(cleaned("\u00C9t\u00E9", {.lowercase = false, .strip_accents = true}) == "Ete");
}

TEST_CASE("stripping accents decomposes Hangul and takes the voicing marks off kana, as BERT's rule does") {
  CHECK(cleaned("\uD55C\uAE00") == "\u1112\u1161\u11AB\u1100\u1173\u11AF");
  CHECK(cleaned("\u30AC\u30D1") == "\u30AB\u30CF");
  CHECK(cleaned("\uD55C\uAE00", {.strip_accents = false}) == "\uD55C\uAE00");
  CHECK(cleaned("\u30AC\u30D1", {.strip_accents = false}) == "\u30AC\u30D1");
}

TEST_CASE("each Chinese character is a word of its own, kana are not") {
  CHECK(words("\u65E5\u672C\u8A9E\u306F", {.strip_accents = false}) == Words{"\u65E5", "\u672C", "\u8A9E", "\u306F"});
  CHECK(words("\u65E5\u672C", {.handle_chinese_chars = false}) == Words{"\u65E5\u672C"});
}

TEST_CASE("words end at white space and around each punctuation character") {
  CHECK(words("God's  will-be,done!") == Words{"god", "'", "s", "will", "-", "be", ",", "done", "!"});
  CHECK(words("...") == Words{".", ".", "."});
  CHECK(words("   ").empty());
  CHECK(words("").empty());
  CHECK(words("\u300C\uD55C\uAE00\u300D", {.strip_accents = false}) == Words{"\u300C", "\uD55C\uAE00", "\u300D"});
}

TEST_CASE("every clean character knows the bytes it came from") {
  const std::string text = "A\u00E9 \uD55C\u4E2D";
  const CleanText clean = clean_up(text, {});
  REQUIRE(clean.characters == U"ae \u1112\u1161\u11AB \u4E2D ");
  CHECK(clean.source == std::vector<Span>{{0, 1}, {1, 3}, {3, 4}, {4, 7}, {4, 7}, {4, 7}, {7, 7}, {7, 10}, {10, 10}});
}

TEST_CASE("bytes that are not UTF-8 are dropped with the clean-up and replaced without it") {
  CHECK(cleaned("a\xFF"
                "b") == "ab");
  CHECK(cleaned("a\xFF"
                "b",
                {.clean_text = false}) == "a\uFFFDb");
}

TEST_CASE("ranges of bytes can be told in characters") {
  const std::string text = "a\u00E9\uD55C\U0001F600z";
  CHECK(in_characters(text, {{0, 1}, {1, 3}, {3, 6}, {6, 10}, {10, 11}, {0, 11}, {11, 11}}) ==
        std::vector<Span>{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {0, 5}, {5, 5}});
}

TEST_CASE(
    "a long line is worked on in segments that put together are the line, cut at white space where there is any") {
  const auto segments = [](const std::string& text) {
    std::vector<std::string> result;
    std::size_t next = 0;
    for_each_segment(text, [&](std::string_view segment, std::size_t begin) {
      CHECK(begin == next);
      next += segment.size();
      result.emplace_back(segment);
    });
    CHECK(next == text.size());
    return result;
  };
  CHECK(segments("").size() == 1);
  CHECK(segments("short line") == Words{"short line"});
  std::string words_only, no_blank;
  while (words_only.size() < 500'000) words_only += "\uD55C\uAE00 ";
  const std::vector<std::string> cut = segments(words_only);
  CHECK(cut.size() > 5);
  for (std::size_t i = 0; i < cut.size(); ++i) {
    CHECK(cut[i].size() <= (1 << 16) + 8);
    if (i > 0) CHECK(cut[i].front() == ' ');
  }
  while (no_blank.size() < 3'000'000) no_blank += "\uD55C\uAE00";
  CHECK(segments(no_blank).size() == 3);
  for (const std::string& segment : segments(no_blank)) CHECK_FALSE(find_invalid_utf8(segment));
}
