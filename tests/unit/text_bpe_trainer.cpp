#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <span>
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

Bpe train(const std::vector<std::string>& texts, BpeTraining options = {}) {
  BpeTrainer trainer{std::move(options)};
  for (const std::string& text : texts) trainer.add(text);
  return trainer.train();
}

// "a b, _ ab": the blank of a piece shown as _.
std::string merges_of(const Bpe& tokenizer) {
  std::string shown;
  for (const BpeMerge merge : tokenizer.merges()) {
    std::string left{tokenizer.bytes(merge.left)}, right{tokenizer.bytes(merge.right)};
    std::ranges::replace(left, ' ', '_');
    std::ranges::replace(right, ' ', '_');
    shown += (shown.empty() ? "" : ", ") + left + " " + right;
  }
  return shown;
}

constexpr std::string_view repetitive =
    "abbaaa abaaa abbaaa bb bbaabaab bab abb baaaa abaaa b aaabba abbb baaaa baba abbaaa baabaabb b aaab bb b "
    "bbbbaaa b aa aba aa bb b aa ba ba abbaaa abbb aaa abbb abba abbb abbabaa baba aaaabbaa abba aa abaaaaba aba "
    "aaabba abbaaa b abaaa baba b abbb aaa abba bbbbaa aaa abba aa abbb abb aa aaabb ba aaab aabb b aaabb abba "
    "baabaabb baaaa a abbabaa baba bb bba bab abbb b b aaaabbaa bb aabbabb bbaabaab aaaabbaa bba aaa aabbabb aa abba "
    "abbb bba aaabba bbaaabab abaaa abbb aaab aa abba abaaaaba aba ba baba aabb b bbaabaab aba abababba aa bbaaabab "
    "baaaa aabb b aa bb abbabaa aa baabaabb aba abba abb bba b bb aaabb abbb bbaaabab abba aaa baba baaaa abababba "
    "abaaaaba abba abbaaa aaabb aa abbb bbbbaaa aaa aabbabb bba baaaa ba aaaabbaa baaaa aaabba aaabba baba abbaaa bb "
    "abba aa\n";
// What npm's tokenizers 0.23.2 learns from it: a piece such as abb arises in two ways, and a pair may come up again.
constexpr std::string_view repetitive_merges =
    "a a, b b, a bb, _ aa, a b, _ b, _ abb, _ bb, _ ab, aa a, aa b, _abb a, _abb b, _aa abb, _b ab, aa aa, aa bb, "
    "_b aaaa, _bab a, _aa a, _aa bb, _abb aaa, _b a, _bb a, _ab a, _aaabb a, _aa aabb, _ab aaa, _aaaabb aa, aa ab, "
    "aa aab, _aa ab, ab aa, _b aab, _abb abaa, _bb bb, _bb aab, _bb aaab, _ab aaaab, _aabb abb, _baab aabb, "
    "_bbaab aab, _bbaaab ab, _abaaaab a, abb a, ab abba, _ab ababba, _bbbb aaa, _ a, abb aaa, _bbbb aa";

}  // namespace

TEST_CASE("the vocabulary is special tokens, bytes in the order of their characters, then what was joined") {
  const Bpe tokenizer = train({"ab ab"}, {.vocab_size = 300, .special = {"<s>", "</s>"}});
  CHECK(tokenizer.size() == 259);
  CHECK(tokenizer.id("<s>") == 0);
  CHECK(tokenizer.id("</s>") == 1);
  CHECK(tokenizer.id("!") == 2);
  CHECK(tokenizer.id("~") == 95);
  CHECK(tokenizer.id("\u00A1") == 96);
  CHECK(tokenizer.id("\u0143") == 257);
  CHECK(tokenizer.id("ab") == 258);
  CHECK(tokenizer.missing_bytes().empty());
}

TEST_CASE("pairs are joined by frequency, ties by lower ids") {
  CHECK(merges_of(train({"ab cd ab cd abc abc"}, {.vocab_size = 260, .special = {}})) == "a b, _ ab, c d, _ cd");
  CHECK(merges_of(train({"ba ab"}, {.min_frequency = 1, .special = {}})) == "a b, b a, _ ab");
}

TEST_CASE("training stops at the size of the vocabulary or at the minimum frequency") {
  CHECK(train({"ab ab ac"}, {.vocab_size = 258, .min_frequency = 1, .special = {}}).size() == 258);
  CHECK(merges_of(train({"ab ab ac"}, {.min_frequency = 2, .special = {}})) == "a b");
  CHECK(merges_of(train({"ab ab ac"}, {.min_frequency = 1, .special = {}})) == "a b, a c, _ ab, _ ac");
  CHECK(train({"ab ab ac"}, {.vocab_size = 256, .special = {}}).size() == 256);
}

TEST_CASE("repetitive words are joined as other tools join them") {
  CHECK(merges_of(train({std::string{repetitive}}, {.min_frequency = 1})) == repetitive_merges);
}

TEST_CASE("what is learned does not depend on the order of the texts") {
  std::vector<std::string> lines{"in the beginning god created\n", "the heaven and the earth\n",
                                 "\uD55C\uAD6D\uC5B4 \uD55C\uAE00 \uD55C\uAD6D\n", "\xFF\xFE\n"};
  const Bpe first = train(lines);
  std::ranges::reverse(lines);
  CHECK(train(lines) == first);
}

TEST_CASE("what was learned is what encoding joins") {
  const Bpe tokenizer = train({"low low low lower lowest newest newest widest"}, {.special = {}});
  std::vector<std::string> pieces;
  for (const std::int32_t id : tokenizer.encode("newest low").ids) pieces.push_back(tokenizer.piece(id));
  CHECK(pieces == std::vector<std::string>{"new", "est", "\u0120low"});
}

TEST_CASE("a blank before each text can be learned with it") {
  const Bpe tokenizer = train({"ab", "ab"}, {.special = {}, .add_prefix_space = true});
  CHECK(merges_of(tokenizer) == "a b, _ ab");
  CHECK(tokenizer.options().add_prefix_space);
}

TEST_CASE("nothing to learn merges from and options that make no sense are refused") {
  CHECK(number_of([] { train({}); }) == 706);
  CHECK(number_of([] { train({""}); }) == 706);
  CHECK(number_of([] { BpeTrainer{{.vocab_size = 256}}; }) == 709);
  CHECK(number_of([] { BpeTrainer{{.vocab_size = std::size_t{1} << 31}}; }) == 709);
  CHECK(number_of([] { BpeTrainer{{.special = {""}}}; }) == 709);
  CHECK(number_of([] { BpeTrainer{{.special = {"a"}}}; }) == 709);
  CHECK(number_of([] { BpeTrainer{{.special = {"<s>", "<s>"}}}; }) == 709);
  CHECK(number_of([] { BpeTrainer{{.special = {"\xFF"}}}; }) == 709);
}

TEST_CASE("training of merges can be watched and stopped early") {
  std::mt19937 random{1};
  BpeTrainer trainer{{.vocab_size = 2000}};
  for (int i = 0; i < 3000; ++i) {
    std::string word = " ";
    for (int c = 0; c < 6; ++c) word += static_cast<char>('a' + random() % 26);
    trainer.add(word);
  }
  std::size_t calls = 0;
  const Bpe stopped = trainer.train([&](std::size_t pieces) {
    ++calls;
    return pieces < 500;
  });
  CHECK(calls > 1);
  CHECK(stopped.size() < 600);
}

TEST_CASE("merges learned in steps of any size are those that are learned at once") {
  BpeTrainer trainer{{.vocab_size = 275, .min_frequency = 1}};
  for (const char* line : {"low low low lower\n", "lowest newest newest widest\n", "aaaa \uD55C\uAD6D\uC5B4\n"})
    trainer.add(line);
  const Bpe whole = trainer.train();
  const BpeModel alone = BpeTrainer{trainer}.learn();
  CHECK(alone == whole);
  CHECK(tokenizer_json_text(alone) == tokenizer_json_text(whole));
  for (const std::size_t step : {1, 3, 1000}) {
    BpeLearner learner{trainer};
    std::uint64_t tokens = learner.tokens();
    while (learner.learn(step)) {
      CHECK(learner.tokens() < tokens);
      tokens = learner.tokens();
      CHECK(learner.tokenizer().pieces() == learner.pieces().list());
    }
    CHECK(learner.tokenizer() == whole);
    CHECK_FALSE(learner.learn(step));
  }
  CHECK(number_of([] { BpeLearner{BpeTrainer{}}; }) == 706);
}

TEST_CASE("a learner of merges keeps to the words that it took, whatever its trainer counts later or becomes") {
  std::optional<BpeTrainer> trainer{std::in_place, BpeTraining{.vocab_size = 300, .min_frequency = 1}};
  trainer->add("low low lower");
  const Bpe whole = trainer->train();
  BpeLearner learner{*trainer};
  trainer->add("newest newest newest");
  trainer.reset();
  CHECK_FALSE(learner.learn(1000));
  CHECK(learner.tokenizer() == whole);
}

TEST_CASE("merges of more pieces than 16 bits can number are those of fewer") {
  BpeTraining options{.vocab_size = 300, .min_frequency = 1};
  const auto trained = [&] {
    BpeTrainer trainer{options};
    trainer.add("low low low lower lowest newest newest widest aaaa aaaa");
    return trainer.train();
  };
  const Bpe small = trained();
  options.vocab_size = 70'000;
  CHECK(trained() == small);
}

TEST_CASE("a learner of merges tells how many pieces the words of the text take") {
  BpeTrainer trainer{{.min_frequency = 1}};
  trainer.add("ab ab ab");
  BpeLearner learner{trainer};
  CHECK(learner.occurrences() == 3);
  CHECK(learner.tokens() == 8);
  CHECK(learner.learn(1));  // ab
  CHECK(learner.tokens() == 5);
  CHECK_FALSE(learner.learn(5));  // " ab"
  CHECK(learner.tokens() == 3);
  CHECK(learner.pieces().list().back() == "\u0120ab");
}

TEST_CASE("words counted by threads are those counted by one, for merges and for WordPieces") {
  std::mt19937 random{5};
  std::vector<std::string> texts;
  for (int i = 0; i < 500; ++i) {
    std::string text;
    for (unsigned words = random() % 9; words > 0; --words)
      text += std::string(1 + random() % 3, static_cast<char>('a' + random() % 4)) + (random() % 5 ? " " : "\uAC00 ");
    texts.push_back(text + "\n");
  }
  const std::vector<std::string_view> views{texts.begin(), texts.end()};
  const Bpe merges = train(texts, {.vocab_size = 300});
  WordPieceTrainer lines{{.vocab_size = 80}};
  for (const std::string& text : texts) lines.add(text);
  const auto pieces = lines.train().vocabulary().pieces();
  for (const unsigned count : {1u, 2u, 3u, 7u}) {
    Threads threads{count};
    BpeTrainer bpe{{.vocab_size = 300}};
    WordPieceTrainer wordpiece{{.vocab_size = 80}};
    for (std::size_t begin = 0; begin < views.size(); begin += 200) {  // in several blocks, the last a short one
      const auto block = std::span{views}.subspan(begin, std::min<std::size_t>(200, views.size() - begin));
      bpe.add(block, threads);
      wordpiece.add(block, threads);
    }
    bpe.add(std::vector<std::string_view>{}, threads);
    CHECK((bpe.train() == merges));
    CHECK(wordpiece.train().vocabulary().pieces() == pieces);
  }
}

TEST_CASE("shares of texts are about even, in order, and none is lost") {
  const std::vector<std::string_view> texts{"aaaa", "b", "", "cccccccccc", "d", "e"};
  for (const std::size_t shares : {1u, 2u, 3u, 10u}) {
    const auto bounds = shares_of(texts, shares);
    CHECK(bounds.front() == 0);
    CHECK(bounds.back() == texts.size());
    CHECK(bounds.size() <= shares + 1);
    CHECK(std::ranges::is_sorted(bounds));
  }
  CHECK(shares_of({}, 3) == std::vector<std::size_t>{0});
}

TEST_CASE("what is learned does not depend on the room that pairs have while they are counted", "[native]") {
  constexpr unsigned alphabets[] = {2, 8, 40};
  constexpr std::uint64_t frequencies[] = {1, 2, 30};
  std::mt19937 random{11};
  const auto word = [&](unsigned letters) {
    std::string text;
    for (unsigned length = 1 + random() % 9; length > 0; --length) {
      const unsigned letter = random() % letters;
      text += letter < 4 ? std::string(1, static_cast<char>('a' + letter))
                         : encode_utf8(std::u32string{static_cast<char32_t>(0xAC00 + letter)});
    }
    return text;
  };
  for (const unsigned letters : alphabets) {
    std::string text;
    for (int i = 0; i < 4000; ++i) text += word(letters) + (random() % 7 ? " " : "\n");
    text += std::string(700'000, 'a') + "\n";  // a word longer than a page of memory
    for (const std::uint64_t min_frequency : frequencies) {
      BpeTrainer merges{{.vocab_size = 900, .min_frequency = min_frequency, .room = 1 << 24}};
      WordPieceTrainer pieces{{.vocab_size = 600, .min_frequency = min_frequency, .room = 1 << 24}};
      const auto add = [&](auto& trainer) {
        std::string_view rest = text;
        for (std::size_t end; (end = rest.find('\n')) != rest.npos; rest.remove_prefix(end + 1))
          trainer.add(rest.substr(0, end + 1));
      };
      add(merges);
      add(pieces);
      const Bpe by_merges = merges.train();
      const WordPiece by_pieces = pieces.train();
      for (const std::size_t room : {1, 4000, 40'000, 200'000}) {
        INFO(letters << " letters, min_frequency " << min_frequency << ", room " << room);
        BpeTrainer less{{.vocab_size = 900, .min_frequency = min_frequency, .room = room}};
        WordPieceTrainer fewer{{.vocab_size = 600, .min_frequency = min_frequency, .room = room}};
        add(less);
        add(fewer);
        CHECK((std::move(less).train() == by_merges));
        CHECK((std::move(fewer).train() == by_pieces));
      }
    }
  }
}

TEST_CASE("more pairs may be frequent beyond what bounds tell than there is room for") {
  std::string line;
  for (const char first : {'a', 'b', 'c', 'd', 'e'})
    for (const char second : {'v', 'w', 'x', 'y', 'z'}) line += std::string{first, second, ' '};
  const auto learned = [&](auto trainer) {
    for (int i = 0; i < 70'000; ++i) trainer.add(line);
    return std::move(trainer).train();
  };
  CHECK((learned(BpeTrainer{{.vocab_size = 300, .room = 1}}) == learned(BpeTrainer{{.vocab_size = 300}})));
  CHECK((learned(WordPieceTrainer{{.vocab_size = 40, .room = 1}}) == learned(WordPieceTrainer{{.vocab_size = 40}})));
}

TEST_CASE("what is learned does not depend on threads, where nearly every word is another") {
  std::mt19937 random{17};
  std::vector<std::string> lines;
  for (int line = 0; line < 10'000; ++line) {
    std::string text;
    for (int word = 0; word < 10; ++word) {
      text += ' ';
      if (word == 0) text += "every line ";
      for (unsigned letters = 3 + random() % 3; letters > 0; --letters)
        text += encode_utf8(std::u32string{static_cast<char32_t>(0xAC00 + random() % 40 * (random() % 20))});
    }
    lines.push_back(text + (line % 100 == 0 ? " aaaaaaa\n" : "\n"));
  }
  const std::vector<std::string_view> views{lines.begin(), lines.end()};
  // The usual room, and one so small that the words are gone through again and again, a share of the pairs at a time.
  for (const std::size_t room : {0, 300'000}) {
    std::optional<Bpe> merges;
    std::optional<WordPiece> pieces;
    for (const unsigned count : {1u, 2u}) {
      INFO(count << " threads, room " << room);
      Threads threads{count};
      BpeTrainer bpe{{.vocab_size = 500, .room = room}};
      WordPieceTrainer wordpiece{{.vocab_size = 1000, .room = room}};
      bpe.add(views, threads);
      wordpiece.add(views, threads);
      CHECK(bpe.words() > 80'000);
      const Bpe by_merges = std::move(bpe).train({}, &threads);
      const WordPiece by_pieces = std::move(wordpiece).train({}, &threads);
      if (!merges) merges = by_merges;
      if (!pieces) pieces = by_pieces;
      CHECK((by_merges == *merges));
      CHECK((by_pieces == *pieces));
    }
  }
}

TEST_CASE("words that were counted more often than a byte can tell are counted exactly") {
  BpeTrainer trainer{{.vocab_size = 300, .min_frequency = 1}};
  for (int i = 0; i < 70'000; ++i) trainer.add(i % 3 ? "abc" : "de");
  CHECK(trainer.words() == 2);
  const BpeTrainer copy = trainer;
  trainer.add("abc");
  BpeLearner learner{copy}, later{trainer};
  CHECK(learner.occurrences() == 70'000);
  CHECK(learner.tokens() == 3 * 46'666 + 2 * 23'334);
  CHECK(later.occurrences() == 70'001);
  CHECK_FALSE(learner.learn(100));
  CHECK(learner.tokens() == 70'000);
}
