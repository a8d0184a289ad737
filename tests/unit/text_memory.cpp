// What learning a vocabulary takes at most: twice the text, and some megabytes, whatever the text is. And what encoding
// a text in parts takes: some megabytes.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cstddef>
#include <cstdint>
#include <new>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

import octet.base;
import octet.text;

#include "counted_memory.hpp"

using namespace octet;
using namespace octet::text;

namespace {

constexpr std::size_t megabyte = std::size_t{1} << 20, text_size = 4 * megabyte;

// Words of so many bytes, of a random one of `letters` every few.
std::string random_words(std::size_t word_size, std::string_view letters) {
  std::mt19937 random{7};
  std::string text;
  text.reserve(text_size);
  for (std::size_t in_word = 0; text.size() < text_size; ++in_word) {
    if (in_word == word_size) {
      text += ' ';
      in_word = 0;
    }
    text += letters[random() % letters.size()];
  }
  return text;
}

std::string repeated(std::string_view part) {
  std::string text;
  text.reserve(text_size + part.size());
  while (text.size() < text_size) text += part;
  return text;
}

std::string ideographs() {
  std::mt19937 random{7};
  std::string text;
  text.reserve(text_size + 4);
  while (text.size() < text_size) append_utf8(text, static_cast<char32_t>(0x4E00 + random() % 20'000));
  return text;
}

struct Text {
  const char* name;
  std::string content;
  std::size_t beside = 3 * megabyte;
};

template <class Trainer, class Options>
std::size_t learning_of(const std::string& text, const Options& options, Threads& threads) {
  return counted_memory::peak_of([&] {
    Trainer trainer{options};
    trainer.add(text);
    try {
      static_cast<void>(std::move(trainer).train({}, &threads));
    } catch (const Error& error) {  // WordPiece learns from no word of more than 100 characters
      CHECK(error.diagnostics().front().number == 706);
    }
  });
}

}  // namespace

TEST_CASE("learning a vocabulary takes no more than twice the text, and some megabytes", "[native]") {
  if (!counted_memory::counts) SKIP("memory is not counted here");
  constexpr std::string_view latin = "abcdefghijklmnopqrstuvwxyz";
  const Text texts[] = {
      {"one word", random_words(text_size, latin)},
      {"words of a megabyte", random_words(megabyte, latin)},
      {"one word of a megabyte, again and again", repeated(random_words(megabyte, latin).substr(0, megabyte + 1))},
      // Its pieces grow to half a megabyte, and stand in several tables.
      {"one letter", std::string(text_size, 'a'), 12 * megabyte},
      {"words of 1,000 letters, all distinct", random_words(1000, latin)},
      {"words of 8 letters, nearly all distinct", random_words(8, latin)},
      {"words of 4 letters, many of them distinct", random_words(4, latin)},
      {"ideographs without a blank", ideographs()},
      {"one short word", repeated("word ")}};
  constexpr std::size_t vocabulary = 266;
  Threads threads{2};
  for (const auto& [name, content, beside] : texts) {
    INFO(name);
    CHECK(learning_of<WordPieceTrainer>(content, WordPieceTraining{.vocab_size = vocabulary}, threads) <
          2 * content.size() + beside);
    CHECK(learning_of<BpeTrainer>(content, BpeTraining{.vocab_size = vocabulary}, threads) <
          2 * content.size() + beside);
  }
}

TEST_CASE("what files hold is learned without what encoding takes", "[native]") {
  if (!counted_memory::counts) SKIP("memory is not counted here");
  std::string text;
  for (char32_t each = 0; each < 20'000; ++each) {
    append_utf8(text, 0x4E00 + each);
    text += ' ';
  }
  const WordPieceTraining options{.vocab_size = 25'000, .limit_alphabet = 25'000};
  WordPieceTrainer whole{options}, alone{options};
  whole.add(text);
  alone.add(text);
  const std::size_t nothing = counted_memory::held;
  const WordPieceModel model = std::move(alone).learn();
  const std::size_t model_bytes = counted_memory::held - nothing;
  const WordPiece tokenizer = std::move(whole).train();
  CHECK(counted_memory::held - nothing - model_bytes > model_bytes + 500'000);
}

TEST_CASE("counting words takes their size where they are long, and less than a text of short ones where all are new") {
  if (!counted_memory::counts) SKIP("memory is not counted here");
  const auto counting = [](int words, std::size_t word_size) {
    return counted_memory::peak_of([&] {
      WordCounts counts;
      for (int i = 0; i < words; ++i) {
        const std::string digits = std::to_string(i * 7919LL % 10'000'019);
        counts.add(digits + std::string(word_size - digits.size(), 'x'));
      }
    });
  };
  CHECK(counting(40'000, 1000) < 42 * megabyte);
  CHECK(counting(2'000'000, 8) < 18 * megabyte);
}

TEST_CASE("where memory runs out, the words that were counted are there, or asking for them says that they are not") {
  if (!counted_memory::counts) SKIP("memory is not counted here");
  const auto word = [](int i) {
    const std::string digits = std::to_string(i * 7919LL % 1'000'003);
    return digits + std::string(8 - digits.size(), 'x');
  };
  constexpr int words = 700'000;
  int failed = 0, lost = 0;
  for (std::size_t room = megabyte / 2; room < 24 * megabyte; room += 3 * megabyte / 4) {
    INFO("room for " << room << " bytes");
    WordCounts counts;
    int stopped = 0;
    counted_memory::limit = counted_memory::held + room;
    try {
      for (; stopped < words; ++stopped) counts.add(word(stopped));
    } catch (const std::bad_alloc&) {
    }
    counted_memory::limit = SIZE_MAX;
    if (stopped == words) break;
    ++failed;
    try {
      for (int i = stopped + 1; i < stopped + 1000; ++i) counts.add(word(i));
      std::vector<std::uint64_t> found(1'000'003);
      counts.for_each([&](std::string_view text, std::uint64_t count) {
        found[std::stoul(std::string{text.substr(0, text.find('x'))})] += count;
      });
      std::size_t differ = 0;
      for (int i = 0; i < stopped + 1000; ++i)
        differ += i != stopped && found[static_cast<std::size_t>(i * 7919LL % 1'000'003)] != 1;
      CHECK(differ == 0);
    } catch (const std::bad_alloc&) {
      ++lost;
      const auto ignored = [](std::string_view, std::uint64_t) {};
      CHECK_THROWS_AS(counts.size(), std::bad_alloc);
      CHECK_THROWS_AS(counts.for_each(ignored), std::bad_alloc);
      CHECK_THROWS_AS(counts.take_each(ignored), std::bad_alloc);
      CHECK_THROWS_AS(counts.add("word"), std::bad_alloc);
    }
  }
  CHECK(failed > 5);
  CHECK(lost > 0);
}

TEST_CASE("a text that is encoded in parts takes some megabytes beside it, and gives the whole", "[native]") {
  // What a word of a megabyte takes comes to it: such words are worked on as a whole.
  const bool long_words = GENERATE(false, true);
  const std::size_t most = (long_words ? 72 : 16) * megabyte;
  const std::string text = random_words(7, "abcde") + (long_words ? ideographs() : random_words(5, "vwxyz")) +
                           random_words(long_words ? megabyte : 100, "fghij");
  WordPieceTrainer words{{.vocab_size = 400}};
  words.add(std::string_view{text}.substr(0, megabyte));
  BpeTrainer bytes{{.vocab_size = 400}};
  bytes.add(std::string_view{text}.substr(0, megabyte));
  const auto check = [&](auto encoder) {
    const EncodeOptions options{.add_special = true};
    std::size_t parts = 0, tokens = 0;
    const std::size_t taken = counted_memory::peak_of([&] {
      CharacterRanges ranges{text};
      encoder.encode(text, options, [&](const Encoding& part) {
        ++parts;
        tokens += ranges.of(part.offsets).size();
      });
    });
    CHECK(parts > 10);
    CHECK(taken < most);

    const Encoding whole = encoder.encode(text, options);
    CHECK(tokens == whole.ids.size());
    const std::vector<Span> whole_ranges = in_characters(text, whole.offsets);
    std::size_t at = 0, faults = 0;
    CharacterRanges ranges{text};
    encoder.encode(text, options, [&](const Encoding& part) {
      const std::vector<Span> part_ranges = ranges.of(part.offsets);
      for (std::size_t i = 0; i < part.ids.size(); ++i, ++at)
        faults +=
            part.ids[i] != whole.ids[at] || part.offsets[i] != whole.offsets[at] || part_ranges[i] != whole_ranges[at];
    });
    CHECK(faults == 0);
  };
  const WordPiece wordpiece = std::move(words).train();
  check(WordPieceEncoder{wordpiece});
  const Bpe bpe = std::move(bytes).train();
  check(BpeEncoder{bpe});
}
