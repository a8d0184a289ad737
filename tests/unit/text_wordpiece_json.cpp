#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "scratch.hpp"

import octet.base;
import octet.text;

using namespace octet;
using namespace octet::text;

namespace {

WordPiece small(WordPieceOptions options = {}, SpecialTokens special = {}) {
  std::vector<std::string> pieces = special.all();
  for (const char* piece : {"un", "##aff", "##able", "\"", "\\", "\uD55C", "##\uAE00"}) pieces.push_back(piece);
  return WordPiece{Vocabulary{std::move(pieces), std::move(special)}, std::move(options)};
}

struct Fault {
  int number = 0;
  unsigned line = 0;
  std::string sentence;
};
Fault fault_of(std::string_view json) {
  try {
    parse_wordpiece_json(json, "t");
  } catch (const Error& error) {
    const Diagnostic& first = error.diagnostics().front();
    return {first.number, first.where.line, first.sentence};
  }
  return {};
}

}  // namespace

TEST_CASE("tokenizer.json gives back the WordPiece that wrote it") {
  for (const WordPiece& tokenizer :
       {small(), small({.clean_up = {.clean_text = false, .lowercase = false, .strip_accents = false}}),
        small({.clean_up = {.handle_chinese_chars = false, .strip_accents = true}, .max_characters_per_word = 7}),
        small({}, {"<pad>", "<unk>", "<s>", "</s>", "<mask>"})})
    CHECK(parse_wordpiece_json(tokenizer_json_text(tokenizer)) == tokenizer);
}

TEST_CASE("a tokenizer.json of BERT made by other tools is read") {
  const WordPiece tokenizer = parse_wordpiece_json(
      R"({"truncation": {"max_length": 512}, "normalizer": {"type": "BertNormalizer", "lowercase": false},
          "pre_tokenizer": {"type": "BertPreTokenizer"},
          "post_processor": {"type": "BertProcessing", "sep": ["[S]", 3], "cls": ["[C]", 2]},
          "added_tokens": [{"id": 0, "content": "[PAD]", "special": true}, {"id": 4, "content": "[M-MASK]", "special": true}],
          "model": {"type": "WordPiece", "unk_token": "[U]",
                    "vocab": {"[PAD]": 0, "[U]": 1, "[C]": 2, "[S]": 3, "[M-MASK]": 4, "a": 5}}})");
  CHECK(tokenizer.vocabulary().special() == SpecialTokens{"[PAD]", "[U]", "[C]", "[S]", "[M-MASK]"});
  CHECK_FALSE(tokenizer.options().clean_up.lowercase);
}

TEST_CASE("an older tokenizer.json, which does not tell the type of its model, is read") {
  const WordPiece tokenizer = small({.clean_up = {.lowercase = false}});
  std::string json = tokenizer_json_text(tokenizer);
  constexpr std::string_view type = "\"type\": \"WordPiece\",\n";
  json.erase(json.rfind(type), type.size());
  CHECK(parse_wordpiece_json(json, "t") == tokenizer);
  CHECK(parse_wordpiece_options(json) == tokenizer.options());
}

TEST_CASE("a faulty tokenizer.json of WordPiece is refused with its line") {
  const std::string good = tokenizer_json_text(small());
  for (const auto& [from, to, number, sentence] : std::vector<std::tuple<std::string, std::string, int, std::string>>{
           {"\"model\"", "\"modle\"", 720, "has no \"model\""},
           {"\"WordPiece\",\n", "\"Unigram\",\n", 721, "Unigram"},
           {"\"BertNormalizer\"", "\"NFC\"", 721, "normalizer"},
           {"\"BertPreTokenizer\"", "\"Whitespace\"", 721, "pre_tokenizer"},
           {"\"lowercase\": true", "\"lowercase\": 1", 720, "\"lowercase\" in t is not true or false"},
           {"\"un\": 5", "\"un\": 6", 720, "to both"},
           {"\"un\": 5", "\"un\": 50", 720, "has the id 50"},
           {"\"un\": 5", "\"##able\": 5", 720, "twice"},
           {"{\"id\": 3", "{\"id\": 30", 720, "is not the piece with the id 30"},
           {"\"[UNK]\": 1", "\"[unk]\": 1", 720, "\"[UNK]\""}}) {
    std::string faulty = good;
    REQUIRE(faulty.find(from) != std::string::npos);
    const Fault found = fault_of(faulty.replace(faulty.find(from), from.size(), to));
    INFO(to);
    INFO(found.sentence);
    CHECK(found.number == number);
    CHECK(found.line > 0);
    CHECK(found.sentence.find(sentence) != std::string::npos);
  }
}

TEST_CASE("a directory's files say what kind of tokenizer it holds") {
  const Scratch scratch;
  const auto directory = scratch.path / "words";
  small().save(directory);
  CHECK(std::get<WordPiece>(load_tokenizer(directory)) == small());
  std::filesystem::remove(directory / "vocab.txt");
  CHECK(std::get<WordPiece>(load_tokenizer(directory)) == small());
  CHECK(load_wordpiece(directory) == small());
  CHECK(std::get<WordPiece>(parse_tokenizer_json(tokenizer_json_text(small()))) == small());

  BpeTrainer trainer;
  trainer.add("ab ab");
  std::filesystem::remove_all(directory);
  save_bpe(trainer.train(), directory);
  CHECK(std::get<Bpe>(parse_tokenizer_json(tokenizer_json_text(trainer.train()))) == trainer.train());
  CHECK(std::get<Bpe>(load_tokenizer(directory)).size() == 258);
  std::filesystem::remove(directory / "tokenizer.json");
  CHECK(std::get<Bpe>(load_tokenizer(directory)).size() == 258);
}
