// A WordPiece in files: vocab.txt, tokenizer_config.json and what lies beside them, written and read.
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "scratch.hpp"

import octet.base;
import octet.text;

#include "refusal.hpp"
#include "small_wordpiece.hpp"

using namespace octet;
using namespace octet::text;

namespace {

using Ids = std::vector<std::int32_t>;

}  // namespace

TEST_CASE("a vocabulary alone is saved and loaded") {
  const Scratch scratch;
  const Vocabulary vocabulary{{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "\uB098", "##b"}};
  save_vocabulary(vocabulary, scratch.path / "vocab.txt");
  CHECK(load_vocabulary(scratch.path / "vocab.txt") == vocabulary);
  CHECK(number_of([&] { load_vocabulary(scratch.path / "vocab"); }) == 701);
  write_file(scratch.path / "vocab.txt", "[PAD]\n\xFF\n");
  CHECK(number_of([&] { load_vocabulary(scratch.path / "vocab.txt"); }) == 708);
}

TEST_CASE("a tokenizer that is saved and loaded is the same tokenizer") {
  const Scratch scratch;
  const auto directory = scratch.path / "words";
  const WordPiece tokenizer{
      Vocabulary{{"<p>", "\"u\\", "[CLS]", "[SEP]", "[MASK]", "a", "@@b"},
                 {"<p>", "\"u\\", "[CLS]", "[SEP]", "[MASK]"}},
      {.clean_up = {.clean_text = false, .handle_chinese_chars = false, .lowercase = false, .strip_accents = true},
       .wordpieces_prefix = "@@",
       .max_characters_per_word = 7}};
  tokenizer.save(directory);
  CHECK(load_wordpiece(directory) == tokenizer);
  CHECK(load_wordpiece(directory).encode("ab").ids == Ids{5, 6});
  small().save(directory);  // replaces all files
  CHECK(load_wordpiece(directory) == small());
  std::filesystem::remove(directory / "tokenizer.json");
  std::filesystem::remove(directory / "tokenizer_config.json");
  CHECK(load_wordpiece(directory) == small());
  std::error_code unsupported;  // by some file systems
  std::filesystem::create_symlink("nowhere", directory / "tokenizer_config.json", unsupported);
  if (!unsupported) CHECK(number_of([&] { load_wordpiece(directory); }) == 701);
  std::filesystem::remove_all(directory);
  CHECK(number_of([&] { load_wordpiece(directory); }) == 701);
}

TEST_CASE("where tokenizer_config.json is missing, tokenizer.json tells the options") {
  const Scratch scratch;
  const WordPiece tokenizer{
      small().vocabulary(),
      {.clean_up = {.clean_text = false, .handle_chinese_chars = false, .lowercase = false, .strip_accents = true},
       .max_characters_per_word = 7}};
  tokenizer.save(scratch.path);
  std::filesystem::remove(scratch.path / "tokenizer_config.json");
  CHECK(load_wordpiece(scratch.path) == tokenizer);
  CHECK(parse_wordpiece_options(read_file(scratch.path / "tokenizer.json")) == tokenizer.options());
}

TEST_CASE("a configuration written by other tools is read, a broken one is refused") {
  const std::string vocabulary = small().vocabulary().to_text();
  const WordPiece tokenizer = parse_wordpiece(
      vocabulary,
      R"({"do_lower_case": false, "strip_accents": null, "unk_token": {"content": "[UNK]"}, "model_max_length": 512})");
  CHECK_FALSE(tokenizer.options().clean_up.lowercase);
  CHECK_FALSE(tokenizer.options().clean_up.strip_accents.has_value());
  CHECK(number_of([&] { parse_wordpiece(vocabulary, "{\"do_lower_case\": tru"); }) == 710);
  CHECK(number_of([&] { parse_wordpiece(vocabulary, "[]"); }) == 710);
  CHECK(number_of([&] { parse_wordpiece(vocabulary, ""); }) == 710);
  CHECK(number_of([&] { parse_wordpiece(vocabulary, "{\"do_lower_case\": 1}"); }) == 710);
  CHECK(number_of([&] { parse_wordpiece(vocabulary, "{\"max_input_chars_per_word\": -1}"); }) == 710);
}

TEST_CASE("special tokens of a configuration are recognized, and those that are no line come after the lines") {
  const std::string vocabulary = small().vocabulary().to_text();
  const WordPiece more = parse_wordpiece(vocabulary, R"({"additional_special_tokens": ["god", {"content": "[ENT]"}]})");
  CHECK(more.vocabulary().size() == 20);
  CHECK(more.encode("a[ENT]god[MASK]").ids == Ids{10, 19, 11, 4});
  CHECK(more.vocabulary().is_special(19));
  const WordPiece all =
      parse_wordpiece(vocabulary, R"({"added_tokens_decoder": {"11": {"content": "god", "special": true},
                                               "12": {"content": ",", "special": false},
                                               "19": {"content": "[ENT]", "special": true}}})");
  CHECK(all.vocabulary().recognized() == std::vector<std::string>{"god", "[ENT]"});
  CHECK(all.encode("[MASK]").ids == Ids{1, 1, 1});
  CHECK(parse_wordpiece(vocabulary, R"({"additional_special_tokens": ["[MASK]"]})") == small());
  for (const char* extra : {R"(["god", {"content": "[ENT]"}])", R"({"name_token": "god", "entity_token": "[ENT]"})"})
    CHECK(parse_wordpiece(vocabulary, std::string{"{\"extra_special_tokens\": "} + extra + "}") == more);
  for (const char* none : {"[]", "{}"})
    CHECK(parse_wordpiece(vocabulary, std::string{"{\"extra_special_tokens\": "} + none + "}") ==
          parse_wordpiece(vocabulary, "{}"));
  CHECK(number_of([&] { parse_wordpiece(vocabulary, R"({"additional_special_tokens": [5]})"); }) == 710);
  CHECK(number_of([&] { parse_wordpiece(vocabulary, R"({"additional_special_tokens": ["a\nb"]})"); }) == 710);
  CHECK(number_of([&] {
          parse_wordpiece(vocabulary, R"({"added_tokens_decoder": {"40": {"content": "x", "special": true}}})");
        }) == 708);
  for (const WordPiece& tokenizer : {more, all})
    CHECK(parse_wordpiece(tokenizer.vocabulary().to_text(), tokenizer_config_text(tokenizer)) == tokenizer);
}

TEST_CASE("a configuration that asks for another way of reading text is refused") {
  const std::string vocabulary = small().vocabulary().to_text();
  const auto number = [&](const std::string& config) {
    return number_of([&] { parse_wordpiece(vocabulary, "{" + config + "}"); });
  };
  const std::string plain = R"("do_basic_tokenize": true, "never_split": [], "word_tokenizer_type": "basic",
      "subword_tokenizer_type": "wordpiece", "padding_side": "right", "truncation_side": "right", )";
  for (const char* name : {"Bert", "Electra", "DistilBert"})
    for (const char* fast : {"", "Fast"})
      CHECK(number(plain + "\"tokenizer_class\": \"" + name + "Tokenizer" + fast + "\"") == 0);
  CHECK(number(R"("tokenizer_class": null, "never_split": null)") == 0);
  for (const char* other :
       {R"("do_basic_tokenize": false)", R"("never_split": ["god"])", R"("word_tokenizer_type": "mecab")",
        R"("subword_tokenizer_type": "character")", R"("tokenizer_class": "KoBertTokenizer")",
        R"("tokenizer_class": "BertJapaneseTokenizer")", R"("tokenizer_class": "Bert")", R"("padding_side": "left")",
        R"("truncation_side": "left")", R"("split_special_tokens": true)",
        R"("added_tokens_decoder": {"19": {"content": "[ENT]", "special": false}})",
        R"("added_tokens_decoder": {"11": {"content": "god", "special": true, "single_word": true}})",
        R"("added_tokens_decoder": {"11": {"content": "god", "special": true, "normalized": true}})",
        R"("additional_special_tokens": [{"content": "god", "lstrip": true}])",
        R"("mask_token": {"content": "[MASK]", "rstrip": true})"}) {
    INFO(other);
    CHECK(number(other) == 721);
  }
}

TEST_CASE("special tokens that other files tell beside vocab.txt are refused where they are not known") {
  const Scratch scratch;
  write_file(scratch.path / "vocab.txt", small().vocabulary().to_text());
  write_file(scratch.path / "special_tokens_map.json",
             R"({"mask_token": {"content": "[MASK]"}, "cls_token": "[CLS]", "additional_special_tokens": ["[SEP]"]})");
  write_file(scratch.path / "added_tokens.json", R"({"[PAD]": 0})");
  CHECK(load_wordpiece(scratch.path) == small());
  for (const auto& [name, content] : std::map<std::string, std::string>{
           {"added_tokens.json", R"({"[ENT]": 19})"},
           {"special_tokens_map.json", R"({"additional_special_tokens": [{"content": "god"}]})"}}) {
    INFO(name);
    const std::string before = read_file(scratch.path / name);
    write_file(scratch.path / name, content);
    CHECK(number_of([&] { load_wordpiece(scratch.path); }) == 721);
    write_file(scratch.path / name, before);
  }
  write_file(scratch.path / "added_tokens.json", R"({"[ENT]": 19})");
  write_file(scratch.path / "tokenizer_config.json", R"({"additional_special_tokens": ["[ENT]"]})");
  CHECK(load_wordpiece(scratch.path).vocabulary().id("[ENT]") == 19);
}

TEST_CASE("a configuration with a fault is refused with its line") {
  const auto line_of = [](std::string_view config) {
    try {
      parse_wordpiece(small().vocabulary().to_text(), config);
    } catch (const Error& error) {
      CHECK(error.number() == 710);
      return static_cast<int>(error.diagnostics().front().where.line);
    }
    return -1;
  };
  CHECK(line_of("{\n  \"a\": 1,\n  \"b\": [2, 3\n}\n") == 4);
  CHECK(line_of("{\n  \"a\": 1,\n  \"b\": fals\n}\n") == 3);
  CHECK(line_of("{\n  \"a\": 1,\n\n  \"do_lower_case\": 1\n}\n") == 4);
  CHECK(line_of("{\n  \"a\": \"\\ud800\"\n}\n") == 2);
  CHECK(line_of("{\n  \"a\": \"\xFF\"\n}\n") == 2);
  CHECK(line_of("{\n}\n{}\n") == 3);
}

TEST_CASE("pieces that no line of a vocabulary file can hold are refused") {
  for (const std::string piece : {"a\nb", "\n", "a\r"})
    CHECK(number_of([&] { Vocabulary{{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", piece}}; }) == 708);
}

TEST_CASE("a vocabulary file with a fault is refused with its line") {
  const auto line_of = [](std::string_view text) {
    try {
      parse_vocabulary(text);
    } catch (const Error& error) {
      CHECK(error.number() == 708);
      return static_cast<int>(error.diagnostics().front().where.line);
    }
    return -1;
  };
  const std::string good = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n";
  CHECK(line_of(good) == -1);
  CHECK(line_of(good + "a\nb\na\n") == 8);
  CHECK(line_of(good + "a\r\nb\r\n") == -1);
  CHECK(line_of(good + "a\r\r\nb\r\n") == 6);  // written again it would be another piece
  CHECK(line_of(good + "a\n\nb\n") == 7);
  CHECK(line_of(good + "a\n\xFF\n") == 7);
  CHECK(line_of("[PAD]\n[CLS]\n[SEP]\n[MASK]\n") == 0);
  CHECK(line_of("") == 0);
}

TEST_CASE("a vocabulary file may have a byte-order mark and carriage returns") {
  const Vocabulary vocabulary = parse_vocabulary("\xEF\xBB\xBF[PAD]\r\n[UNK]\r\n[CLS]\r\n[SEP]\r\n[MASK]\r\na");
  CHECK(vocabulary.pieces() == std::vector<std::string>{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a"});
  CHECK(vocabulary.id("a") == 5);
  CHECK_FALSE(vocabulary.id("b"));
}

TEST_CASE("a file that cannot be written leaves what stood there before") {
  const Scratch scratch;
  const auto directory = scratch.path;
  std::filesystem::create_directories(directory / "taken");
  write_file(directory / "a", "before");
  write_file(directory / "a", "after");
  CHECK(read_file(directory / "a") == "after");
  CHECK(number_of([&] { write_file(directory / "missing" / "a", "x"); }) == 707);
  write_file(directory / "taken" / "inside", "x");
  CHECK(number_of([&] { write_file(directory / "taken", "x"); }) == 707);
  CHECK(std::filesystem::is_directory(directory / "taken"));
  CHECK_FALSE(std::filesystem::exists(directory / "taken.writing"));
  CHECK(number_of([&] { read_file(directory); }) == 701);
}
