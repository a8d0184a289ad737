#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

import octet.base;
import octet.text;

#include "refusal.hpp"

using namespace octet;
using namespace octet::text;

namespace {

using Pieces = std::vector<std::string>;

Pieces train(const std::vector<std::string>& lines, WordPieceTraining options) {
  WordPieceTrainer trainer{std::move(options)};
  for (const std::string& line : lines) trainer.add(line);
  return trainer.train().vocabulary().pieces();
}

// The same rule written as slowly as it reads: count all pairs anew before each join.
Pieces train_slowly(const std::map<std::string, std::uint64_t>& counts, std::size_t vocab_size,
                    std::uint64_t min_frequency) {
  Pieces pieces = SpecialTokens{}.all();
  std::map<char, bool> letters;
  for (const auto& [word, count] : counts)
    for (std::size_t i = 0; i < word.size(); ++i) letters[word[i]] |= i > 0;
  for (const auto& [letter, continues] : letters) pieces.push_back(std::string{letter});
  // Those that more words continue with come first.
  std::multimap<std::ptrdiff_t, std::string> continuing;
  for (const auto& [letter, continues] : letters)
    if (continues)
      continuing.emplace(
          -std::ranges::count_if(
              counts, [letter](const auto& word) { return word.first.find(letter, 1) != std::string::npos; }),
          std::string{"##"} + letter);
  for (const auto& [fewer, name] : continuing) pieces.push_back(name);
  const auto id = [&](const std::string& name) {
    return static_cast<std::size_t>(std::find(pieces.begin(), pieces.end(), name) - pieces.begin());
  };
  std::map<std::string, std::vector<std::size_t>> words;
  for (const auto& [word, count] : counts)
    for (std::size_t i = 0; i < word.size(); ++i) words[word].push_back(id((i ? "##" : "") + std::string{word[i]}));
  while (pieces.size() < vocab_size) {
    std::map<std::pair<std::size_t, std::size_t>, std::uint64_t> pairs;
    for (const auto& [word, parts] : words)
      for (std::size_t i = 0; i + 1 < parts.size(); ++i) pairs[{parts[i], parts[i + 1]}] += counts.at(word);
    std::pair<std::size_t, std::size_t> best;
    std::uint64_t best_count = 0;
    for (const auto& [pair, count] : pairs)
      if (count > best_count) std::tie(best, best_count) = std::pair{pair, count};
    if (best_count == 0 || best_count < min_frequency) break;
    const std::string name = pieces[best.first] + pieces[best.second].substr(2);
    if (id(name) == pieces.size()) pieces.push_back(name);
    for (auto& [word, parts] : words)
      for (std::size_t i = 0; i + 1 < parts.size(); ++i)
        if (std::pair{parts[i], parts[i + 1]} == best) {
          parts[i] = id(name);
          parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        }
  }
  return pieces;
}

}  // namespace

TEST_CASE("pieces are joined by frequency, ties by lower ids") {
  // "ab" and "cd" are equally frequent; "abc" more frequent than "cd" once "ab" is a piece.
  CHECK(train({"ab cd ab cd abc abc"}, {.vocab_size = 14, .min_frequency = 1}) ==
        Pieces{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "b", "c", "d", "##b", "##c", "##d", "ab", "cd"});
}

TEST_CASE("continuing characters are numbered by how many words have them, not by how often those occur") {
  CHECK(train({"xa xa xa xa xa", "xb yb zb"}, {.vocab_size = 12, .min_frequency = 1}) ==
        Pieces{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "b", "x", "y", "z", "##b", "##a"});
  // Of pairs as frequent as "pa", "pb" has the commoner right piece.
  CHECK(train({"qa qb pa pb", "rb"}, {.vocab_size = 13, .min_frequency = 1}).back() == "pb");
}

TEST_CASE("the vocabulary stops at its size or at the minimum frequency") {
  CHECK(train({"ab ab ac"}, {.vocab_size = 100, .min_frequency = 2}).back() == "ab");
  CHECK(train({"ab ab ac"}, {.vocab_size = 100, .min_frequency = 1}).back() == "ac");
  CHECK(train({"abcdefgh"}, {.vocab_size = 8, .min_frequency = 1}).size() <= 8);
}

TEST_CASE("the alphabet keeps the most frequent characters, ties by lower code point") {
  const Pieces pieces = train({"b b b a a z y"}, {.vocab_size = 100, .limit_alphabet = 3});
  CHECK(pieces == Pieces{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "b", "y"});
}

TEST_CASE("pieces are those of the rule carried out slowly, on words full of repetitions") {
  std::mt19937 random{7};
  for (int round = 0; round < 40; ++round) {
    std::map<std::string, std::uint64_t> counts;
    std::vector<std::string> lines;
    for (int i = 0; i < 60; ++i) {
      std::string word;
      const unsigned length = 1 + random() % 9;
      for (unsigned c = 0; c < length; ++c) word += static_cast<char>('a' + random() % 3);
      const unsigned times = 1 + random() % 5;
      counts[word] += times;
      for (unsigned t = 0; t < times; ++t) lines.push_back(word);
    }
    CHECK(train(lines, {.vocab_size = 60, .min_frequency = 2}) == train_slowly(counts, 60, 2));
  }
}

TEST_CASE("the vocabulary does not depend on the order of the lines") {
  std::vector<std::string> lines{
      "in the beginning god created the heaven and the earth", "and the earth was without form",
      "and void and darkness was upon the face of the deep", "\uD55C\uAD6D\uC5B4 \uD55C\uAE00"};
  const Pieces first = train(lines, {.vocab_size = 70});
  std::reverse(lines.begin(), lines.end());
  CHECK(train(lines, {.vocab_size = 70}) == first);
}

TEST_CASE("Korean words become pieces of syllables when accents are left alone") {
  const Pieces pieces = train({"\uD55C\uAD6D\uC5B4 \uD55C\uAD6D\uC5B4 \uD55C\uAD6D"},
                              {.vocab_size = 100, .clean_up = {.strip_accents = false}});
  CHECK(std::find(pieces.begin(), pieces.end(), "\uD55C\uAD6D\uC5B4") != pieces.end());
}

TEST_CASE("nothing to learn from and options that make no sense are refused") {
  CHECK(number_of([] { WordPieceTrainer{}.train(); }) == 706);
  CHECK(number_of([] { train({"", "   ", std::string(101, 'x')}, {}); }) == 706);
  const auto told = [](std::vector<std::string> lines, unsigned threads) {
    try {
      WordPieceTrainer trainer;
      Threads shared{threads};
      const std::vector<std::string_view> views{lines.begin(), lines.end()};
      trainer.add(views, shared);
      trainer.train();
    } catch (const Error& error) {
      return error.diagnostics().front().sentence;
    }
    return std::string{};
  };
  const std::string none = "the text has no word to learn a vocabulary from", word(101, 'x');
  CHECK(told({" ", ""}, 2) == none);
  CHECK(told({word, " "}, 1) == none + ": its one word is longer than the 100 characters that are learned from");
  for (const unsigned threads : {1u, 3u})
    CHECK(told({word, word + " " + word, word}, threads) ==
          none + ": each of its words is longer than the 100 characters that are learned from");
  CHECK(number_of([] { WordPieceTrainer{{.vocab_size = 5}}; }) == 709);
  CHECK(number_of([] { WordPieceTrainer{{.vocab_size = std::size_t{1} << 31}}; }) == 709);
  CHECK(number_of([] { WordPieceTrainer{{.limit_alphabet = 0}}; }) == 709);
  CHECK(number_of([] { WordPieceTrainer{{.wordpieces_prefix = "\xE3\x81"}}; }) == 709);
  for (const char* prefix : {"\n", "#\r", "# #", "\t", "\u3000", "#\x7F", "\u200B"}) {
    INFO(prefix);
    CHECK(number_of([&] { WordPieceTrainer{{.wordpieces_prefix = prefix}}; }) == 709);
  }
  for (const char* prefix : {"", "@@", "\u2581"}) CHECK_NOTHROW(WordPieceTrainer{{.wordpieces_prefix = prefix}});
  CHECK(number_of([] { WordPieceTrainer{{.special = {.mask = "[PAD]"}}}; }) == 709);
  CHECK(number_of([] { WordPieceTrainer{{.special = {.recognized = {{"a\nb"}}}}}; }) == 709);
  CHECK(number_of([] { WordPieceTrainer{{.special = {.recognized = {{"<a>", "<a>"}}}}}; }) == 709);
}

TEST_CASE("training can be watched and stopped early") {
  std::vector<std::string> lines;
  std::mt19937 random{1};
  for (int i = 0; i < 3000; ++i) {
    std::string word;
    for (int c = 0; c < 6; ++c) word += static_cast<char>('a' + random() % 26);
    lines.push_back(word);
  }
  WordPieceTrainer trainer{{.vocab_size = 1000}};
  for (const std::string& line : lines) trainer.add(line);
  std::size_t calls = 0;
  const WordPiece stopped = trainer.train([&](std::size_t pieces) {
    ++calls;
    return pieces < 200;
  });
  CHECK(calls > 1);
  CHECK(stopped.vocabulary().size() < 300);
}

TEST_CASE("a vocabulary learned in steps of any size is the one that is learned at once") {
  WordPieceTrainer trainer{{.vocab_size = 60, .min_frequency = 1}};
  for (const char* line : {"low low low lower", "lowest newest newest widest", "\uD55C\uAD6D\uC5B4 \uD55C\uAD6D aaaa"})
    trainer.add(line);
  const WordPiece whole = trainer.train();
  const WordPieceModel alone = WordPieceTrainer{trainer}.learn();
  CHECK(alone == whole);
  CHECK(tokenizer_json_text(alone) == tokenizer_json_text(whole));
  for (const std::size_t step : {1, 3, 1000}) {
    WordPieceLearner learner{trainer};
    std::uint64_t tokens = learner.tokens();
    while (learner.learn(step)) {
      CHECK(learner.tokens() < tokens);
      tokens = learner.tokens();
      CHECK(learner.tokenizer().vocabulary().pieces() == learner.pieces().list());
    }
    CHECK(learner.tokenizer() == whole);
    CHECK_FALSE(learner.learn(step));
    CHECK(learner.occurrences() == 11);
  }
  CHECK(number_of([] { WordPieceLearner{WordPieceTrainer{}}; }) == 706);
}

TEST_CASE("a learner keeps to the words that it took, whatever its trainer counts later or becomes") {
  std::optional<WordPieceTrainer> trainer{std::in_place, WordPieceTraining{.vocab_size = 60, .min_frequency = 1}};
  trainer->add("low low lower");
  const WordPiece whole = trainer->train();
  WordPieceLearner learner{*trainer};
  const WordPieceTrainer copy = *trainer;
  trainer->add("newest newest newest");
  CHECK(copy.words() == 2);
  CHECK(trainer->words() == 3);
  trainer.reset();
  CHECK_FALSE(learner.learn(1000));
  CHECK(learner.tokenizer() == whole);
  CHECK(copy.train() == whole);
}

TEST_CASE("a vocabulary of more pieces than 16 bits can number begins with the smaller one") {
  WordPieceTraining options{.vocab_size = 60, .min_frequency = 1};
  const auto trained = [&] {
    WordPieceTrainer trainer{options};
    trainer.add("low low low lower lowest newest newest widest aaaa aaaa");
    return trainer.train();
  };
  const WordPiece small = trained();
  options.vocab_size = 70'000;
  CHECK(trained() == small);
}

TEST_CASE("a learner tells how many pieces the words of the text are joined to") {
  WordPieceTrainer trainer{{.vocab_size = 100, .min_frequency = 1}};
  trainer.add("ab ab abc d");
  WordPieceLearner learner{trainer};
  CHECK(learner.occurrences() == 4);
  CHECK(learner.tokens() == 8);
  CHECK(learner.learn(1));  // ab
  CHECK(learner.tokens() == 5);
  CHECK_FALSE(learner.learn(5));  // abc
  CHECK(learner.tokens() == 4);
  CHECK(learner.pieces().list().back() == "abc");
}
