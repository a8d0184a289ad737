#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
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
  CHECK(tokenizer.vocabulary().special() ==
        SpecialTokens{"[PAD]", "[U]", "[C]", "[S]", "[M-MASK]", std::vector<std::string>{"[PAD]", "[M-MASK]"}});
  CHECK_FALSE(tokenizer.options().clean_up.lowercase);
}

TEST_CASE("an older tokenizer.json, which does not tell the type of its model, is read") {
  const WordPiece tokenizer = small({.clean_up = {.lowercase = false}});
  std::string json = tokenizer_json_text(tokenizer);
  constexpr std::string_view type = "\"type\": \"WordPiece\",\n";
  json.erase(json.rfind(type), type.size());
  CHECK(parse_wordpiece_json(json, "t") == tokenizer);
  CHECK(parse_wordpiece_options(json) == tokenizer.options());
  CHECK(std::get<WordPiece>(parse_tokenizer_json(json)) == tokenizer);
}

TEST_CASE("the names that a text is searched for are the file's added tokens, whichever those are") {
  const Scratch scratch;
  const std::string good = tokenizer_json_text(small());
  const auto with = [&](std::string_view from, std::string_view to) {
    std::string json = good;
    return json.replace(json.find(from), from.size(), to);
  };
  const std::string mask =
      R"({"id": 4, "content": "[MASK]", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true})";
  const auto token = [](int id, const std::string& name) {
    return R"({"id": )" + std::to_string(id) + R"(, "content": ")" + name + R"(", "special": true})";
  };
  const WordPiece more = parse_wordpiece_json(with(mask, mask + ", " + token(5, "un")));
  CHECK(more.encode("x un[MASK]").ids == std::vector<std::int32_t>{1, 5, 4});
  CHECK(more.encode("un", {.recognize_special = false}).ids == std::vector<std::int32_t>{5});
  CHECK(more.vocabulary().is_special(5));
  CHECK(more.decode(std::vector<std::int32_t>{5, 7}) == "able");
  const WordPiece fewer = parse_wordpiece_json(with(mask, token(3, "[SEP]")));
  CHECK(fewer.encode("[MASK][SEP]").ids == std::vector<std::int32_t>{1, 1, 1, 3});
  const WordPiece none = parse_wordpiece_json(with("\"added_tokens\"", "\"added\""));
  CHECK(none.encode("[SEP]").ids == std::vector<std::int32_t>{1, 1, 1});
  // Those of published models come after the vocabulary.
  const WordPiece after = parse_wordpiece_json(with(mask, mask + ", " + token(12, "[ENT]") + ", " + token(13, "[B]")));
  CHECK(after.vocabulary().size() == 14);
  CHECK(after.encode("un[ENT][B]").ids == std::vector<std::int32_t>{5, 12, 13});
  for (const WordPiece& tokenizer : {more, fewer, none, after}) {
    CHECK(parse_wordpiece_json(tokenizer_json_text(tokenizer)) == tokenizer);
    tokenizer.save(scratch.path);
    CHECK(load_wordpiece(scratch.path) == tokenizer);
    std::filesystem::remove(scratch.path / "tokenizer_config.json");
    CHECK(load_wordpiece(scratch.path) == tokenizer);
  }
  write_file(scratch.path / "vocab.txt", small().vocabulary().to_text());
  CHECK(load_wordpiece(scratch.path) == after);
  write_file(scratch.path / "tokenizer_config.json", "{\"do_lower_case\": true}");
  CHECK(load_wordpiece(scratch.path) == after);
}

TEST_CASE("a special token that is added to the vocabulary is no piece of words") {
  const Scratch scratch;
  std::string json = tokenizer_json_text(small());
  const std::string five = "\"added_tokens\": [";
  json.insert(json.find(five) + five.size(), R"({"id": 12, "content": "zq", "special": true}, )");
  write_file(scratch.path / "tokenizer.json", json);
  const WordPiece tokenizer = load_wordpiece(scratch.path);
  CHECK(tokenizer.encode("ZQ zq un").ids == std::vector<std::int32_t>{1, 12, 5});
  CHECK(tokenizer.encode("zq", {.recognize_special = false}).ids == std::vector<std::int32_t>{1});
  tokenizer.save(scratch.path);
  CHECK(read_file(scratch.path / "vocab.txt").find("zq") == std::string::npos);
  CHECK(load_wordpiece(scratch.path) == tokenizer);
  std::filesystem::remove(scratch.path / "tokenizer.json");
  CHECK(load_wordpiece(scratch.path) == tokenizer);
}

TEST_CASE("where there is a tokenizer.json it rules, and the configuration beside it tells case and special tokens") {
  const Scratch scratch;
  const WordPiece tokenizer = small();
  const auto put = [&](const char* name, std::string_view from, std::string_view to) {
    tokenizer.save(scratch.path);
    std::string text = read_file(scratch.path / name);
    REQUIRE(text.find(from) != text.npos);
    write_file(scratch.path / name, text.replace(text.find(from), from.size(), to));
  };
  const auto fault = [&] {
    try {
      load_wordpiece(scratch.path);
    } catch (const Error& error) {
      const Diagnostic& first = error.diagnostics().front();
      INFO(first.sentence);
      const bool tells_to_take_away =
          std::ranges::any_of(first.fix, [](const auto& fix) { return fix.starts_with("take tokenizer.json away"); });
      CHECK(tells_to_take_away);
      return first.number;
    }
    return 0;
  };
  for (const auto& [from, to, number] : std::vector<std::tuple<std::string, std::string, int>>{
           {"\"BertNormalizer\"", "\"NFKC\"", 721},
           {"\"BertPreTokenizer\"", "\"Whitespace\"", 721},
           {"\"WordPiece\",\n    \"unk_token\"", "\"Unigram\",\n    \"unk_token\"", 721},
           {"\"special\": true", "\"special\": false", 721},
           {"\"un\": 5", "\"un\": 50", 720},
           {"\n}\n", "", 720},
           {"\"un\": 5", "\"on\": 5", 720}}) {
    put("tokenizer.json", from, to);
    INFO(to);
    CHECK(fault() == number);
  }
  put("vocab.txt", "un\n", "on\n");
  CHECK(fault() == 720);
  std::filesystem::remove(scratch.path / "tokenizer.json");
  CHECK(load_wordpiece(scratch.path).vocabulary().id("on") == 5);

  put("tokenizer.json", "\"max_input_chars_per_word\": 100", "\"max_input_chars_per_word\": 2");
  CHECK(load_wordpiece(scratch.path).options().max_characters_per_word == 2);
  put("tokenizer.json", "\"##\uAE00\": 11", "\"##\uAE00\": 11, \"god\": 12");
  CHECK(load_wordpiece(scratch.path).encode("god").ids == std::vector<std::int32_t>{12});
  put("tokenizer_config.json", "\"do_lower_case\": true", "\"do_lower_case\": false");
  CHECK_FALSE(load_wordpiece(scratch.path).options().clean_up.lowercase);
  put("tokenizer_config.json", "\"tokenize_chinese_chars\": true", "\"tokenize_chinese_chars\": false");
  CHECK_FALSE(load_wordpiece(scratch.path).options().clean_up.handle_chinese_chars);
  put("tokenizer_config.json", "\"strip_accents\": null", "\"strip_accents\": false");
  CHECK(load_wordpiece(scratch.path).options().clean_up.strip_accents == false);
  put("tokenizer_config.json", "\"clean_text\": true", "\"clean_text\": false");
  CHECK(load_wordpiece(scratch.path) == tokenizer);
  put("tokenizer_config.json", "\"cls_token\"", "\"additional_special_tokens\": [\"[X]\"], \"cls_token\"");
  CHECK(load_wordpiece(scratch.path).encode("[X]un").ids == std::vector<std::int32_t>{12, 5});
  put("tokenizer_config.json", "\"clean_text\": true", "\"do_basic_tokenize\": false, \"never_split\": [\"un\"]");
  CHECK(load_wordpiece(scratch.path) == tokenizer);  // nor does transformers heed these beside a tokenizer.json
  put("tokenizer_config.json", "\"BertTokenizer\"", "\"PreTrainedTokenizerFast\"");
  CHECK(load_wordpiece(scratch.path) == tokenizer);
  put("tokenizer_config.json", "\"BertTokenizer\"", "\"BertJapaneseTokenizer\"");
  CHECK_THROWS_AS(load_wordpiece(scratch.path), Error);
}

TEST_CASE("one piece may be several of the special tokens, and the padding token is the first that is called so") {
  const SpecialTokens special{"<x>", "<x>", "<s>", "<s>", "<m>"};
  SpecialTokens named = special;
  named.recognized = {"<m>", "<s>", "<x>"};
  const std::vector<std::string> pieces{"<x>", "<s>", "<m>", "a"};
  CHECK(Vocabulary{pieces, named} == Vocabulary{pieces, special});

  std::string json = tokenizer_json_text(small({}, {"<pad>", "<unk>", "<s>", "</s>", "<mask>"}));
  const std::string five = "\"added_tokens\": [";
  json.insert(json.find(five) + five.size(), R"({"id": 12, "content": "<pad2>", "special": true}, )");
  const WordPiece tokenizer = parse_wordpiece_json(json);
  CHECK(tokenizer.vocabulary().special().padding == "<pad>");
  CHECK(parse_wordpiece_json(tokenizer_json_text(tokenizer)) == tokenizer);
}

TEST_CASE("what a tokenizer.json asks for and encoding does not do is told") {
  using Parts = std::vector<std::string>;
  const std::string good = tokenizer_json_text(small());
  const auto with = [&](std::string_view from, std::string_view to) {
    std::string json = good;
    return parts_passed_over(json.replace(json.find(from), from.size(), to));
  };
  CHECK(parts_passed_over(good) == Parts{});
  CHECK(with("\"truncation\": null", "\"truncation\": {\"max_length\": 4}") == Parts{"truncation"});
  CHECK(with("\"padding\": null", "\"padding\": {}") == Parts{"padding"});
  CHECK(with("\"post_processor\"", "\"processor\"") == Parts{"post_processor"});
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"{\"Sequence\": {\"id\": \"A\", \"type_id\": 0}}, ", ""},
           {"{\"Sequence\": {\"id\": \"B\", \"type_id\": 1}}", "{\"Sequence\": {\"id\": \"B\", \"type_id\": 0}}"},
           {"{\"id\": \"[SEP]\", \"type_id\": 1}", "{\"id\": \"[MASK]\", \"type_id\": 1}"},
           {"{\"id\": \"A\", \"type_id\": 0}", "{\"id\": \"A\", \"type_id\": 1}"},
           {"\"pair\"", "\"two\""},
           {"\"ids\": [2]", "\"ids\": [7]"},
           {"\"ids\": [2]", "\"ids\": [2, 2]"},
           {"\"special_tokens\"", "\"tokens\""}}) {
    INFO(to);
    CHECK(with(from, to) == Parts{"post_processor"});
  }
  const auto older = [&](const char* cls) {
    return with(
        "\"type\": \"TemplateProcessing\"",
        "\"type\": \"BertProcessing\", \"sep\": [\"[SEP]\", 3], \"cls\": [\"[CLS]\", " + std::string{cls} + "]");
  };
  CHECK(older("2") == Parts{});
  CHECK(older("7") == Parts{"post_processor"});
}

TEST_CASE("added tokens that are numbered in another order than theirs are refused: others number them in theirs") {
  const std::size_t size = small().vocabulary().size();
  const auto token = [](const std::string& name, std::size_t id) {
    return "{\"id\": " + std::to_string(id) + ", \"content\": \"" + name + "\", \"special\": true}, ";
  };
  const auto with = [](const std::string& tokens) {
    std::string text = tokenizer_json_text(small());
    const std::string list = "\"added_tokens\": [";
    return text.replace(text.find(list), list.size(), list + tokens);
  };
  CHECK(parse_wordpiece_json(with(token("[X]", size) + token("[Y]", size + 1))).vocabulary().size() == size + 2);
  const Fault found = fault_of(with(token("[Y]", size + 1) + token("[X]", size)));
  CHECK(found.number == 720);
  CHECK(found.sentence.find("\"[X]\" of t has the id " + std::to_string(size) + ", and stands behind a larger one") !=
        std::string::npos);
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
           {"\"un\": 5", "\"u\\n\": 5", 720, "which no line of vocab.txt can be"},
           {"{\"id\": 3", "{\"id\": 30", 720, "has the id 30, which is another piece's or leaves a gap"},
           {"\"[UNK]\": 1", "\"[unk]\": 1", 720, "\"[UNK]\""},
           {"\"normalized\": false", "\"normalized\": true", 721, "\"[PAD]\" in the text after clean-up"},
           {"\"max_input_chars_per_word\": 100", "\"max_input_chars_per_word\": -1", 720, "whole number from 0"},
           {"\"post_processor\": {", "\"post_processor\": [1], \"x\": {", 720,
            "\"post_processor\" in t is not an object"},
           {"\"added_tokens\": [", "\"added_tokens\": 5, \"x\": [", 720, "\"added_tokens\" in t is not a list"}}) {
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

TEST_CASE("a tokenizer.json without a special token of BERT is refused as such") {
  std::string json = tokenizer_json_text(small());
  for (std::size_t at; (at = json.find("[PAD]")) != json.npos;) json.replace(at, 5, "[NUL]");
  const Fault found = fault_of(json);
  CHECK(found.number == 720);
  CHECK(found.sentence == "t has no piece \"[PAD]\", a special token of BERT");
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
