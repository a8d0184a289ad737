#include <catch2/catch_test_macros.hpp>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

import octet.text;

using namespace octet::text;

namespace {

using Words = std::vector<std::string>;

Words words_of(std::string_view text) {
  Words words;
  for (std::size_t begin = 0; begin < text.size(); begin += words.back().size())
    words.emplace_back(text.substr(begin, gpt2_word_end(text, begin) - begin));
  return words;
}

}  // namespace

TEST_CASE("letters, numbers and other characters are words, each with the blank before it") {
  CHECK(words_of("Hello world, 42nd time!") == Words{"Hello", " world", ",", " 42", "nd", " time", "!"});
  CHECK(words_of(" a") == Words{" a"});
  CHECK(words_of("a+ ++") == Words{"a", "+", " ++"});
  CHECK(words_of("") == Words{});
}

TEST_CASE("the endings of contractions are words, in lower case alone") {
  CHECK(words_of("it's we're I'll 'd") == Words{"it", "'s", " we", "'re", " I", "'ll", " '", "d"});
  CHECK(words_of("IT'S 'tis ''t 'r") == Words{"IT", "'", "S", " '", "tis", " ''", "t", " '", "r"});
  CHECK(words_of("'sea") == Words{"'s", "ea"});
}

TEST_CASE("white space before a word leaves it one blank, and at the end is a word") {
  CHECK(words_of("a   b") == Words{"a", "  ", " b"});
  CHECK(words_of("a\n\nb") == Words{"a", "\n", "\n", "b"});
  CHECK(words_of("a \n b \n") == Words{"a", " \n", " b", " \n"});
  CHECK(words_of("a\t\u3000\u00A0b") == Words{"a", "\t\u3000", "\u00A0", "b"});
}

TEST_CASE("letters and numbers of every script count") {
  CHECK(words_of("\uD55C\uAD6D\uC5B4 \u6587\u3002\u0665x\u2460") ==
        Words{"\uD55C\uAD6D\uC5B4", " \u6587", "\u3002", "\u0665", "x", "\u2460"});
  CHECK(words_of("e\u0301") == Words{"e", "\u0301"});                                            // a mark is no letter
  CHECK(words_of("\u1161\U0002EBF0x\U0001CCF01") == Words{"\u1161\U0002EBF0x", "\U0001CCF01"});  // of Unicode 15.1, 16
  CHECK(words_of("a\U0001F600\u200D!") == Words{"a", "\U0001F600\u200D!"});
}

TEST_CASE("bytes that are not UTF-8, and NUL, are words like punctuation") {
  CHECK(words_of("a\xFF\xC3 b") == Words{"a", "\xFF\xC3", " b"});
  CHECK(words_of(std::string_view{"a\0b", 3}) == Words{"a", std::string(1, '\0'), "b"});
}

TEST_CASE("words put together are the text, whatever its bytes") {
  std::mt19937 random{3};
  constexpr std::string_view bytes{" \n'stll\xED\x95\x9C\xE2\x80\x83\xF0\x9F", 16};  // and NUL
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (unsigned i = random() % 20; i > 0; --i) text += bytes[random() % bytes.size()];
    std::string joined;
    for (const std::string& word : words_of(text)) {
      CHECK_FALSE(word.empty());
      joined += word;
    }
    CHECK(joined == text);
  }
}

TEST_CASE("a word of more than a megabyte is cut between two characters") {
  std::string text;
  while (text.size() < 2 * longest_gpt2_word) text += "\uD55C";
  const Words words = words_of(text);
  CHECK(words.size() == 2);
  CHECK_FALSE(find_invalid_utf8(words[0]));
  CHECK(words_of(std::string(longest_gpt2_word, 'x') + "y").size() == 2);
}

TEST_CASE("what comes before the last megabyte of a text can be taken by itself") {
  CHECK(gpt2_words_in_full("two words") == 0);
  CHECK(gpt2_words_in_full(std::string(longest_gpt2_word, 'x')) == 0);
  std::string text = std::string(longest_gpt2_word - 3, 'x') + "\uD55C\uAE00   ";
  while (text.size() < 2 * longest_gpt2_word + 5000) text += "it's \uD55C\uAE00, 42nd  time \U0001F600\n\n";
  const Words all = words_of(text);
  std::set<std::size_t> cut_at;
  for (std::size_t left = 0; left < 40; ++left) {
    const std::string_view given = std::string_view{text}.substr(0, text.size() - left);
    const std::size_t full = gpt2_words_in_full(given);
    CHECK(full > longest_gpt2_word);
    CHECK(given.size() - full <= longest_gpt2_word + 100);
    if (!cut_at.insert(full).second) continue;  // the forty texts are cut at ten places
    Words words = words_of(given.substr(0, full));
    for (std::string& word : words_of(std::string_view{text}.substr(full))) words.push_back(std::move(word));
    CHECK(words == all);
  }
  CHECK(gpt2_words_in_full(std::string(3 * longest_gpt2_word, ' ')) >= longest_gpt2_word);
}
