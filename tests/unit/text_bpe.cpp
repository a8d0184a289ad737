#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

import octet.base;
import octet.text;

using namespace octet;
using namespace octet::text;

namespace {

using Ids = std::vector<std::int32_t>;
using Spans = std::vector<Span>;

// The 256 bytes in the order of their characters, then the results of the merges, then <|end|>.
Bpe with_merges(std::vector<std::pair<std::string, std::string>> merges, BpeOptions options = {}) {
  BpeParts parts{.pieces = {}, .merges = std::move(merges), .special = {"<|end|>"}, .options = options};
  for (char32_t character = 0; character < 0x200; ++character)
    if (byte_of_character(character)) parts.pieces.push_back(encode_utf8({&character, 1}));
  for (const auto& [left, right] : parts.merges) parts.pieces.push_back(left + right);
  parts.pieces.push_back("<|end|>");
  return Bpe{std::move(parts)};
}

std::vector<std::string> pieces_of(const Bpe& tokenizer, std::string_view text) {
  std::vector<std::string> pieces;
  for (const std::int32_t id : tokenizer.encode(text).ids) pieces.push_back(tokenizer.piece(id));
  return pieces;
}

std::string message_of(BpeParts parts) {
  try {
    Bpe{std::move(parts)};
  } catch (const Error& error) {
    CHECK(error.number() == 720);
    return error.diagnostics().front().sentence;
  }
  return {};
}

std::string random_bytes(std::mt19937& random, std::size_t size) {
  std::string bytes;
  for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(random() % (random() % 4 ? 128 : 256));
  return bytes;
}

using Pieces = std::vector<std::string>;

}  // namespace

TEST_CASE("a blank is written as a letter, and each byte has a character of its own") {
  CHECK(to_byte_alphabet(" the\n") == "\u0120the\u010A");
  CHECK(to_byte_alphabet("\u00E9") == "\u00C3\u00A9");
  for (unsigned byte = 0; byte < 256; ++byte)
    CHECK(byte_of_character(character_of_byte(static_cast<unsigned char>(byte))) == byte);
  CHECK(from_byte_alphabet("\u0120the\u010A") == " the\n");
  CHECK_FALSE(from_byte_alphabet("a b").has_value());
  CHECK_FALSE(from_byte_alphabet("\u0144").has_value());
  CHECK_FALSE(byte_of_character(0xAD).has_value());
}

TEST_CASE("pairs are joined in the order of the merges, the leftmost first") {
  const Bpe tokenizer = with_merges({{"b", "c"}, {"a", "b"}, {"a", "bc"}, {"l", "l"}});
  CHECK(pieces_of(tokenizer, "abc") == Pieces{"abc"});
  CHECK(pieces_of(tokenizer, "abab") == Pieces{"ab", "ab"});
  CHECK(pieces_of(tokenizer, "abbc") == Pieces{"ab", "bc"});
  CHECK(pieces_of(tokenizer, "lllll") == Pieces{"ll", "ll", "l"});
  CHECK(pieces_of(tokenizer, "").empty());
  CHECK(pieces_of(tokenizer, "x") == Pieces{"x"});
}

TEST_CASE("pairs are joined within words only") {
  CHECK(pieces_of(with_merges({{"\u0120", "a"}, {"a", "\u0120"}, {"a", "."}}), "a a.") == Pieces{"a", "\u0120a", "."});
}

TEST_CASE("ranges are the bytes of the pieces, and in characters those they touch") {
  const Bpe tokenizer = with_merges({{"\u00EA", "\u00B8"}});  // two of the three bytes of U+AE00
  const std::string text = "a \uAE00b";
  const Encoding encoding = tokenizer.encode(text);
  CHECK(encoding.offsets == Spans{{0, 1}, {1, 2}, {2, 4}, {4, 5}, {5, 6}});
  CHECK(in_characters(text, encoding.offsets) == Spans{{0, 1}, {1, 2}, {2, 3}, {2, 3}, {3, 4}});
}

TEST_CASE("decoding gives back any bytes") {
  const Bpe tokenizer = with_merges({{"h", "e"}, {"\u00ED", "\u0137"}, {"\u0120", "\u0120"}, {"\u0100", "\u0100"}});
  const std::string nul{"a\0\0b", 4};
  for (const std::string& text :
       {std::string{}, std::string{"\n"}, nul, std::string{"he  he"}, std::string{"\uD55C\uAD6D\uC5B4 \u65E5\u672C"},
        std::string{"\U0001F469\u200D\U0001F52C"}, std::string{"\xFF\xFE\xED\xA0\x80 \xC0"}, std::string(100000, 'x'),
        std::string(100000, ' ')})
    CHECK(tokenizer.decode(tokenizer.encode(text).ids) == text);
  std::mt19937 random{5};
  for (int round = 0; round < 300; ++round) {
    const std::string text = random_bytes(random, random() % 60);
    const Encoding encoding = tokenizer.encode(text);
    CHECK(tokenizer.decode(encoding.ids) == text);
    std::size_t at = 0;
    for (std::size_t i = 0; i < encoding.ids.size(); ++i) {
      CHECK(encoding.offsets[i].begin == at);
      at = encoding.offsets[i].end;
      CHECK(tokenizer.bytes(encoding.ids[i]) ==
            std::string_view{text}.substr(encoding.offsets[i].begin, at - encoding.offsets[i].begin));
    }
    CHECK(at == text.size());
  }
}

TEST_CASE("an encoder that remembers words gives what one without memory gives") {
  const Bpe tokenizer = with_merges({{"a", "b"}, {"b", "a"}, {"ab", "a"}, {"\u0120", "a"}, {"\u0120a", "b"}});
  BpeEncoder encoder{tokenizer};
  std::mt19937 random{9};
  Ids all, each;
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (unsigned i = random() % 30; i > 0; --i) text += "ab a b"[random() % 6];
    const Encoding fresh = tokenizer.encode(text), remembered = encoder.encode(text);
    CHECK(fresh.ids == remembered.ids);
    CHECK(fresh.offsets == remembered.offsets);
    encoder.append_ids(text, all);
    each.insert(each.end(), fresh.ids.begin(), fresh.ids.end());
  }
  CHECK(all == each);
}

// Joins pair after pair as the rule has it, beginning with the bytes of one word.
Pieces joined_by_the_rule(const std::vector<std::pair<std::string, std::string>>& merges, std::string_view word) {
  Pieces pieces;
  for (const char byte : word) pieces.push_back(to_byte_alphabet({&byte, 1}));
  while (true) {
    std::size_t best = merges.size(), place = 0;
    for (std::size_t at = 0; at + 1 < pieces.size(); ++at)
      for (std::size_t rank = 0; rank < best; ++rank)
        if (merges[rank].first == pieces[at] && merges[rank].second == pieces[at + 1]) {
          best = rank;
          place = at;
        }
    if (best == merges.size()) return pieces;
    pieces[place] += pieces[place + 1];
    pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(place) + 1);
  }
}

TEST_CASE("characters of several bytes become what the rule makes of their bytes, in any order of merges") {
  const Pieces characters = {"\u3042", "\u3044", "\u3082",     "\u3084", "\uAC00", "\uAC01", "\u00E9",
                             "\u00EA", "\uFFFD", "\U0001F600", "a",      "\x82",   "\xE3",   "\xE3\x81"};
  std::mt19937 random{11};
  const auto random_word = [&](std::size_t most) {
    std::string word;
    for (std::size_t i = random() % most + 1; i > 0; --i) word += characters[random() % characters.size()];
    return word;
  };
  for (int round = 0; round < 300; ++round) {
    // Merges as training finds them in random words, some out of their order.
    std::vector<std::pair<std::string, std::string>> merges;
    const std::size_t count = random() % 40, shuffled = round % 3 == 0 ? 0 : random() % 20;
    for (int tries = 0; tries < 400 && merges.size() < count; ++tries) {
      const Pieces pieces = joined_by_the_rule(merges, random_word(3));
      if (pieces.size() < 2) continue;
      const std::size_t at = random() % (pieces.size() - 1);
      merges.emplace_back(pieces[at], pieces[at + 1]);
    }
    for (std::size_t i = 0; i < shuffled && merges.size() > 1; ++i)
      std::swap(merges[random() % merges.size()], merges[random() % merges.size()]);
    BpeParts parts{.pieces = {}, .merges = merges};
    for (char32_t character = 0; character < 0x200; ++character)
      if (byte_of_character(character)) parts.pieces.push_back(encode_utf8({&character, 1}));
    for (const auto& [left, right] : merges)
      if (std::ranges::find(parts.pieces, left + right) == parts.pieces.end()) parts.pieces.push_back(left + right);
    const Bpe tokenizer{std::move(parts)};
    BpeEncoder encoder{tokenizer};
    for (int words = 0; words < 40; ++words) {
      const std::string word = random_word(words % 4 == 0 ? 100 : 8);
      Pieces expected;
      for (std::size_t begin = 0, end = 0; begin < word.size(); begin = end) {
        end = gpt2_word_end(word, begin);
        for (const std::string& piece : joined_by_the_rule(merges, std::string_view{word}.substr(begin, end - begin)))
          expected.push_back(piece);
      }
      Pieces found;
      for (const std::int32_t id : encoder.encode(word).ids) found.push_back(tokenizer.piece(id));
      if (found != expected) {
        INFO("merges: " << merges.size());
        CHECK(found == expected);
      }
    }
  }
}

TEST_CASE("more words than are remembered are no trouble") {
  const Bpe tokenizer = with_merges({{"1", "2"}});
  BpeEncoder encoder{tokenizer};
  for (int round = 0; round < 2; ++round)
    for (int number = 0; number < 70000; ++number) {
      const std::string word = std::to_string(number);
      const Encoding encoding = encoder.encode(word);
      if (tokenizer.decode(encoding.ids) != word) FAIL(word);
    }
}

TEST_CASE("the name of a special token stands for it unless the text is to be taken as it is") {
  const Bpe tokenizer = with_merges({});
  const std::int32_t end = *tokenizer.id("<|end|>");
  const Encoding encoding = tokenizer.encode("a<|end|>b");
  CHECK(encoding.ids == Ids{*tokenizer.id("a"), end, *tokenizer.id("b")});
  CHECK(encoding.offsets == Spans{{0, 1}, {1, 8}, {8, 9}});
  CHECK(tokenizer.decode(encoding.ids) == "ab");
  CHECK(tokenizer.decode(encoding.ids, false) == "a<|end|>b");
  CHECK(tokenizer.encode("<|end|>", {.recognize_special = false}).ids.size() == 7);
  CHECK(tokenizer.encode("<|end").ids.size() == 5);
  CHECK(tokenizer.is_special(end));
}

TEST_CASE("a blank can be put before the first word, and counts as part of its first character") {
  const Bpe tokenizer = with_merges({{"\u0120", "a"}}, {.add_prefix_space = true});
  CHECK(pieces_of(tokenizer, "a") == Pieces{"\u0120a"});
  CHECK(pieces_of(tokenizer, " a") == Pieces{"\u0120a"});
  CHECK(pieces_of(tokenizer, "") == Pieces{});
  CHECK(tokenizer.encode("ab").offsets == Spans{{0, 1}, {1, 2}});
  CHECK(tokenizer.encode("\uD55C").offsets == Spans{{0, 3}, {0, 1}, {1, 2}, {2, 3}});
  CHECK(pieces_of(tokenizer, "b<|end|>a") == Pieces{"\u0120", "b", "<|end|>", "\u0120a"});
}

TEST_CASE("blanks can be left out of ranges") {
  const Bpe tokenizer = with_merges({{"\u0120", "a"}, {"\u0120", "\u0120"}}, {.trim_offsets = true});
  CHECK(tokenizer.encode(" a   a").offsets == Spans{{1, 2}, {4, 4}, {5, 6}});
  const Bpe sparing =
      with_merges({{"\u0120", "a"}}, {.add_prefix_space = true, .trim_offsets = true, .trim_first_offsets = false});
  CHECK(sparing.encode("a a").offsets == Spans{{0, 1}, {2, 3}});
  CHECK(sparing.encode("\uD55C").offsets == Spans{{0, 0}, {0, 1}, {1, 2}, {2, 3}});
}

TEST_CASE("bytes without a piece are passed over and named") {
  const Bpe tokenizer{{.pieces = {"a", "b", "ab"}, .merges = {{"a", "b"}}, .special = {}}};
  CHECK(tokenizer.missing_bytes().size() == 254);
  const Encoding encoding = tokenizer.encode("axbab");
  CHECK(encoding.ids == Ids{2, 2});
  CHECK(encoding.offsets == Spans{{0, 2}, {2, 4}});
  CHECK(with_merges({}).missing_bytes().empty());
}

TEST_CASE("parts that do not fit are refused") {
  CHECK(message_of({}) == "vocab.json holds no piece");
  CHECK(message_of({.pieces = {"a", "", "b"}}) == "vocab.json has no piece with the id 1, but later ones");
  CHECK(message_of({.pieces = {"a", "b", "a"}}) == "vocab.json holds the piece \"a\" twice, as ids 0 and 2");
  CHECK(message_of({.pieces = {"a", "b"}, .merges = {{"a", "c"}}}) ==
        "merge 1 of merges.txt joins \"a\" and \"c\": vocab.json has no piece \"c\"");
  CHECK(message_of({.pieces = {"a", "b"}, .merges = {{"a", "b"}}}) ==
        "merge 1 of merges.txt joins \"a\" and \"b\": vocab.json has no piece \"ab\"");
  CHECK(message_of({.pieces = {"a", "b", "ab"}, .merges = {{"a", "b"}, {"a", "b"}}}) ==
        "merge 2 of merges.txt joins \"a\" and \"b\", as merge 1 does");
  CHECK(message_of({.pieces = {"a"}, .special = {"<s>"}}) == "vocab.json has no piece \"<s>\", a special token");
}
