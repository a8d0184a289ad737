// How a WordPiece cuts text into pieces, and joins them again.
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

import octet.base;
import octet.text;

#include "refusal.hpp"
#include "small_wordpiece.hpp"

using namespace octet;
using namespace octet::text;

namespace {

using Ids = std::vector<std::int32_t>;

}  // namespace

TEST_CASE("a word is the longest pieces from the left") {
  CHECK(small().encode("unaffable").ids == Ids{5, 6, 7});
  CHECK(small().encode("unaff").ids == Ids{5, 6});
  CHECK(small().encode("unaffa").ids == Ids{5, 6, 8});
  CHECK(small().encode("UN, a").ids == Ids{5, 12, 10});
  CHECK(small().encode("").ids.empty());
  CHECK(small().encode(" \t ").ids.empty());
}

TEST_CASE("a word with a part that is no piece is one unknown token as long as the word") {
  const Encoding encoding = small().encode("god unaffxable a");
  CHECK(encoding.ids == Ids{11, 1, 10});
  CHECK(encoding.offsets == std::vector<Span>{{0, 3}, {4, 14}, {15, 16}});
}

TEST_CASE("a word longer than the limit is unknown, one as long as the limit is not") {
  const WordPiece tokenizer = small({.max_characters_per_word = 9});
  CHECK(tokenizer.encode("unaffable").ids == Ids{5, 6, 7});
  CHECK(tokenizer.encode("unaffablea").ids == Ids{1});
  CHECK(small().encode(std::string(1 << 20, 'x')).ids == Ids{1});
}

TEST_CASE("a word of megabytes is one unknown token, and one between marks is not cut") {
  constexpr std::size_t megabyte = std::size_t{1} << 20;
  const WordPiece tokenizer = small();
  WordPieceEncoder encoder{tokenizer};
  const auto check = [&](const std::string& text, const Encoding& expected) {
    const Encoding once = tokenizer.encode(text), again = encoder.encode(text);
    CHECK(once.ids == expected.ids);
    CHECK(again.ids == expected.ids);
    if (!expected.offsets.empty()) {
      CHECK(once.offsets == expected.offsets);
      CHECK(again.offsets == expected.offsets);
    }
    Ids ids;
    encoder.append_ids(text, ids);
    CHECK(ids == expected.ids);
    Encoding parts;
    encoder.encode(text, {}, [&](const Encoding& part) {
      parts.ids.insert(parts.ids.end(), part.ids.begin(), part.ids.end());
      parts.offsets.insert(parts.offsets.end(), part.offsets.begin(), part.offsets.end());
    });
    CHECK(parts.ids == once.ids);
    CHECK(parts.offsets == once.offsets);
  };
  for (const std::size_t size : {megabyte + 1, 3 * megabyte + 7}) {
    check(std::string(size, 'x'), {{1}, {{0, size}}});
    check("god " + std::string(size, 'a') + " god,",
          {{11, 1, 11, 12}, {{0, 3}, {4, 4 + size}, {size + 5, size + 8}, {size + 8, size + 9}}});
  }
  // What was cut behind a mark does not go on, nor does what the cut follows.
  check(std::string(megabyte - 1, 'x') + ",god", {{1, 12, 11}, {}});
  check(std::string(megabyte, 'x') + ",god", {{1, 12, 11}, {}});
  Encoding many;
  std::string short_words, marked;
  for (int i = 0; i < 100'000; ++i) {
    short_words += "a ";
    many.ids.push_back(10);
  }
  many.ids.push_back(1);
  check(short_words + std::string(2 * megabyte, 'x'), many);
  many.ids.clear();
  for (int i = 0; i < 200'000; ++i) {
    marked += "unaffable,";
    many.ids.insert(many.ids.end(), {5, 6, 7, 12});
  }
  check(marked, many);
}

TEST_CASE("pieces of any vocabulary are those that a search of all of them finds longest") {
  std::mt19937 random{24};
  // Of one, two, three and four bytes; the first is no letter of the prefix "##", the second is.
  const std::u32string letters = U"a#\u00E9\u3042\uAC00\U00010428";
  const auto some = [&](unsigned most) {
    std::u32string word;
    for (unsigned length = 1 + random() % most; length > 0; --length) word += letters[random() % letters.size()];
    return encode_utf8(word);
  };
  for (const std::string_view prefix : {"##", "", "#", "a\u00E9"})
    for (const unsigned size : {1u, 20u, 300u}) {
      std::vector<std::string> pieces = small().vocabulary().special().all();
      std::map<std::string, std::int32_t> ids;
      for (unsigned i = 0; i < size; ++i) {
        std::string piece{random() % 2 ? prefix : std::string_view{}};
        piece += some(1 + i % 5);
        if (ids.emplace(piece, static_cast<std::int32_t>(pieces.size())).second) pieces.push_back(piece);
      }
      const WordPiece tokenizer{Vocabulary{pieces},
                                {.clean_up = {.strip_accents = false}, .wordpieces_prefix = std::string{prefix}}};
      for (int i = 0; i < 300; ++i) {
        std::string word = some(12);
        std::erase(word, '#');  // punctuation is a word of its own
        Ids expected;
        for (std::size_t at = 0, end = 0; at < word.size(); at = end) {
          const auto piece = [&] { return (at > 0 ? std::string{prefix} : std::string{}) + word.substr(at, end - at); };
          for (end = word.size(); end > at && !ids.contains(piece()); --end) continue;
          if (end == at) {
            expected = {1};
            break;
          }
          expected.push_back(ids.at(piece()));
        }
        INFO(prefix << ' ' << size << ' ' << word);
        CHECK(tokenizer.encode(word).ids == expected);
      }
    }
}

TEST_CASE("where no piece begins with the prefix, no piece continues a word") {
  const std::vector<std::string> special = small().vocabulary().special().all();
  const auto with = [&](std::string_view prefix, std::vector<std::string> pieces, bool clean = true) {
    pieces.insert(pieces.begin(), special.begin(), special.end());
    return WordPiece{Vocabulary{pieces},
                     {.clean_up = {.clean_text = clean, .lowercase = false}, .wordpieces_prefix = std::string{prefix}}};
  };
  CHECK(with("##", {"a", "b"}).encode("ab a").ids == Ids{1, 5});
  CHECK(with({"\0", 1}, {"a", "\U00010428"}).encode("a\U00010428 a").ids == Ids{1, 5});
  CHECK(with("\xE3\x81", {"\u3042", "a"}).encode("a\u3042 a").ids == Ids{1, 6});  // half of a character
  CHECK(with("##", {"\U00010428"}, false).encode(std::string_view{"\0a", 2}).ids == Ids{1});
  CHECK(with("##", {"a", "\xFF", "##\xFF"}).encode("a\uFFFD").ids == Ids{5});  // clean-up leaves that out
}

TEST_CASE("a line of a hundred thousand words encodes as its words do, with offsets into the whole line") {
  std::string line;
  for (int i = 0; i < 100'000; ++i) line += "unaffable, ";
  const Encoding encoding = small().encode(line);
  REQUIRE(encoding.ids.size() == 400'000);
  CHECK(encoding.offsets.back() == Span{line.size() - 2, line.size() - 1});
  CHECK(encoding.ids[399'996] == 5);
}

TEST_CASE("offsets are bytes of the text before clean-up") {
  const WordPiece tokenizer = small({.clean_up = {.strip_accents = false}});
  const std::string text = "\uD55C\uAE00  \u00DCN\u65E5";
  const Encoding encoding = tokenizer.encode(text);
  CHECK(encoding.ids == Ids{15, 16, 1, 17});
  CHECK(encoding.offsets == std::vector<Span>{{0, 3}, {3, 6}, {8, 11}, {11, 14}});
}

TEST_CASE("names of special tokens stand for them unless the text is to be taken as it is") {
  const Encoding encoding = small().encode("god [MASK]a", {.add_special = true});
  CHECK(encoding.ids == Ids{2, 11, 4, 10, 3});
  CHECK(encoding.offsets == std::vector<Span>{{0, 0}, {0, 3}, {4, 10}, {10, 11}, {0, 0}});
  CHECK(small().encode("[MASK]", {.recognize_special = false}).ids == Ids{1, 1, 1});
  Ids ids;
  const WordPiece tokenizer = small();
  WordPieceEncoder{tokenizer}.append_ids("god [MASK]", ids);
  CHECK(ids == Ids{11, 1, 1, 1});
}

TEST_CASE("decoding joins pieces and leaves out the blanks that splitting put in") {
  const WordPiece tokenizer = small();
  CHECK(tokenizer.decode(Ids{2, 11, 12, 13, 5, 6, 14, 3}) == "god, (unaff)");
  CHECK(tokenizer.decode(Ids{11, 12}, {.tidy = false}) == "god ,");
  CHECK(tokenizer.decode(Ids{2, 11}, {.skip_special = false}) == "[CLS] god");
  CHECK(tokenizer.decode(Ids{17, 18, 10}) == "\u65E5\u672C a");
  CHECK(tokenizer.decode(Ids{6, 7}) == "affable");
  CHECK(tokenizer.decode(Ids{}) == "");
}

TEST_CASE("decoding an id that is no piece is refused") {
  CHECK(number_of([] { small().decode(Ids{19}); }) == 709);
  CHECK(number_of([] { small().decode(Ids{-1}); }) == 709);
}

TEST_CASE("decomposed Hangul is shown composed") {
  const WordPiece tokenizer{Vocabulary{{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "\u1112\u1161", "##\u11AB"}}};
  const Encoding encoding = tokenizer.encode("\uD55C");
  CHECK(encoding.ids == Ids{5, 6});
  CHECK(encoding.offsets == std::vector<Span>{{0, 3}, {0, 3}});
  CHECK(tokenizer.decode(encoding.ids) == "\uD55C");
}

TEST_CASE("what an encoder remembers changes neither ids nor offsets") {
  std::mt19937 random{9};
  const std::u32string characters =
      U"abgodAB01 .,-_~\t\v\u0001\u007F\u0085\u00A0\u00E9\u00DC\u0130\u0301\u0323\u0344\u0345\u037E\u200D\u2001\u302E"
      U"\u3000\u3001\u3002\u65E5\u672C\u3400\uFA10\u304B\u3099\uAC00\uD55C\uAE00\u1100\u1161\uE000\uFFFD\uFF21\uFF0C"
      U"\U00020000\U0002B820\U0002F800\U0001D165\U0001F600\U00010400";
  for (unsigned options = 0; options < 16; ++options) {
    const WordPiece tokenizer = small({.clean_up = {.clean_text = (options & 1) != 0,
                                                    .handle_chinese_chars = (options & 2) != 0,
                                                    .lowercase = (options & 4) != 0,
                                                    .strip_accents = (options & 8) != 0},
                                       .max_characters_per_word = 12});
    WordPieceEncoder encoder{tokenizer};
    for (int i = 0; i < 3000; ++i) {
      std::u32string line;
      for (unsigned length = random() % (i % 10 == 0 ? 200 : 30); length > 0; --length)
        line += characters[random() % characters.size()];
      std::string text = encode_utf8(line);
      if (i % 5 == 0 && !text.empty()) text[random() % text.size()] = static_cast<char>(random());
      if (i % 7 == 0) text.insert(random() % (text.size() + 1), "[MASK]");
      const EncodeOptions plain{.recognize_special = false};
      const Encoding expected = tokenizer.encode(text, plain), once = encoder.encode(text, plain);
      CHECK(once.ids == expected.ids);
      CHECK(once.offsets == expected.offsets);
      const EncodeOptions special{.add_special = true};
      const Encoding with_names = tokenizer.encode(text, special), again = encoder.encode(text, special);
      CHECK(again.ids == with_names.ids);
      CHECK(again.offsets == with_names.offsets);
      Ids ids;
      encoder.append_ids(text, ids);
      CHECK(ids == expected.ids);
    }
    Ids ids;
    const std::string long_line = std::string(100'000, 'a') + " god";
    encoder.append_ids(long_line, ids);
    CHECK(ids == tokenizer.encode(long_line).ids);
  }
}

TEST_CASE("an encoder that has forgotten its first words encodes them as before") {
  std::vector<std::string> pieces = small().vocabulary().pieces();
  for (char letter = 'b'; letter <= 'z'; ++letter) {
    pieces.emplace_back(1, letter);
    pieces.push_back(std::string{"##"} + letter);
  }
  const WordPiece tokenizer{Vocabulary{pieces}};
  WordPieceEncoder encoder{tokenizer};
  const auto word = [](unsigned number, unsigned letters) {
    std::string text;
    for (; letters > 0; --letters, number /= 25) text += static_cast<char>('b' + number % 25);
    return text;
  };
  for (const unsigned letters : {5u, 20u, 5u})
    for (unsigned number = 0; number < 70'000; ++number) {
      Ids ids;
      encoder.append_ids(word(number, letters), ids);
      if (number % 1000 == 0 || number < 10) CHECK(ids == tokenizer.encode(word(number, letters)).ids);
      if (ids.empty()) FAIL("no piece of word " << number);
    }
}
