#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "scratch.hpp"
import octet.base;
import octet.text;

using namespace octet;
using namespace octet::text;

namespace {

Bpe learned(BpeTraining options = {.min_frequency = 1}) {
  BpeTrainer trainer{std::move(options)};
  trainer.add("In the beginning \"God\" \\ created\n\tthe heaven and the earth. \uD55C\uAD6D\uC5B4 \uD55C\uAE00\n");
  return trainer.train();
}

// Where a fault is said to be: its number, line and sentence.
struct Fault {
  int number = 0;
  unsigned line = 0;
  std::string sentence;
};
Fault fault_of(auto&& function) {
  try {
    function();
  } catch (const Error& error) {
    const Diagnostic& first = error.diagnostics().front();
    return {first.number, first.where.line, first.sentence};
  }
  return {};
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

constexpr std::string_view vocabulary = "{\"a\": 0,\n\"b\": 1,\n\"ab\": 2,\n\"<s>\": 3}\n";

}  // namespace

TEST_CASE("vocab.json and merges.txt give back the tokenizer that wrote them") {
  const Bpe tokenizer = learned();
  CHECK(parse_bpe(vocab_json_text(tokenizer), merges_text(tokenizer)) == tokenizer);
  CHECK(merges_text(tokenizer).starts_with("#version: 0.2\n"));
}

TEST_CASE("tokenizer.json gives back the tokenizer that wrote it, options too") {
  for (const bool add : {false, true})
    for (const bool trim : {false, true})
      for (const bool first : {false, true}) {
        const Bpe plain = learned();
        BpeParts parts{.pieces = plain.pieces(),
                       .special = plain.special(),
                       .options = {.add_prefix_space = add, .trim_offsets = trim, .trim_first_offsets = first}};
        for (const auto [left, right] : plain.merges())
          parts.merges.emplace_back(plain.piece(left), plain.piece(right));
        const Bpe tokenizer{std::move(parts)};
        CHECK(parse_bpe_json(tokenizer_json_text(tokenizer)) == tokenizer);
      }
}

TEST_CASE("files made by other tools are read") {
  const Bpe tokenizer = parse_bpe(vocabulary, "a b\r\n");
  CHECK(tokenizer.special() == std::vector<std::string>{"<s>"});
  CHECK(tokenizer.encode("ab<s>").ids == std::vector<std::int32_t>{2, 3});
  const Bpe older = parse_bpe_json(
      R"({"pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "ByteLevel", "add_prefix_space": false}]},
          "added_tokens": [{"id": 3, "content": "<s>", "special": true}],
          "post_processor": {"type": "RobertaProcessing", "sep": ["<s>", 3], "trim_offsets": true, "add_prefix_space": false},
          "model": {"unk_token": null, "continuing_subword_prefix": "", "vocab": {"a": 0, "ab": 2, "b": 1}, "merges": ["a b"]}})");
  CHECK(older.pieces() == tokenizer.pieces());
  CHECK(older.merges() == tokenizer.merges());
  CHECK(older.options() == BpeOptions{.trim_offsets = true, .trim_first_offsets = true});
}

TEST_CASE(
    "added tokens that are all sought in the normalized text are read, as is a token for bytes that are all there") {
  const Bpe tokenizer = learned();
  const std::string json = replaced(tokenizer_json_text(tokenizer), "\"normalized\": false", "\"normalized\": true");
  CHECK(parse_bpe_json(json) == tokenizer);
  CHECK(parse_bpe_json(replaced(json, "\"unk_token\": null", "\"unk_token\": \"<|endoftext|>\"")) == tokenizer);
}

TEST_CASE("of several steps after the pieces, the one that trims ranges counts") {
  const std::string json = tokenizer_json_text(parse_bpe(vocabulary, "a b\n"));
  const auto options = [&](const std::string& steps) {
    return parse_bpe_json(
               replaced(json, "\"post_processor\": {",
                        "\"post_processor\": {\"type\": \"Sequence\", \"processors\": [" + steps + "]}, \"x\": {"))
        .options();
  };
  const std::string trims = R"({"type": "ByteLevel", "trim_offsets": true, "add_prefix_space": false})",
                    keeps = R"({"type": "ByteLevel", "trim_offsets": false, "add_prefix_space": true})";
  for (const std::string& steps : {trims + ", " + keeps, keeps + ", " + trims})
    CHECK(options(steps) == BpeOptions{.trim_offsets = true, .trim_first_offsets = true});
  CHECK(options(keeps + ", " + keeps) == BpeOptions{.trim_offsets = false, .trim_first_offsets = false});
}

TEST_CASE("beside vocab.json and merges.txt, the configuration tells special tokens and a prefix blank") {
  const auto with = [](std::string_view config) { return parse_bpe(vocabulary, "a b\n", "m", config); };
  CHECK(with("{\"add_prefix_space\": true}").options().add_prefix_space);
  const Bpe named =
      with(R"({"bos_token": "<s>", "pad_token": {"content": "PAD"}, "mask_token": "b", "eos_token": null})");
  CHECK(named.special() == std::vector<std::string>{"<s>", "PAD", "b"});
  CHECK(named.encode("abPAD<s>").ids == std::vector<std::int32_t>{0, 1, 4, 3});
  const Bpe listed = with(R"({"bos_token": "x", "added_tokens_decoder": {"5": {"content": "[B]", "special": true},
      "4": {"content": "[A]", "special": true}, "0": {"content": "a", "special": false}}})");
  CHECK(listed.special() == std::vector<std::string>{"[B]", "[A]", "x"});
  CHECK(listed.id("x") == 6);
  CHECK(listed.encode("[B]ab[A]").ids == std::vector<std::int32_t>{5, 2, 4});
  for (const auto& [config, number] : std::vector<std::pair<std::string, int>>{
           {R"({"add_prefix_space": 1})", 710},
           {R"({"mask_token": {"content": "<s>", "lstrip": true}})", 721},
           {R"({"added_tokens_decoder": {"4": {"content": "<new>", "special": false}}})", 721},
           {R"({"added_tokens_decoder": {"7": {"content": "<new>", "special": true}}})", 720}}) {
    INFO(config);
    CHECK(fault_of([&] { with(config); }).number == number);
  }

  const Scratch scratch;
  write_file(scratch.path / "vocab.json", vocabulary);
  write_file(scratch.path / "merges.txt", "a b\n");
  write_file(scratch.path / "tokenizer_config.json", "{\"add_prefix_space\": true}");
  write_file(scratch.path / "special_tokens_map.json", R"({"bos_token": "<s>"})");
  CHECK(load_bpe(scratch.path).options().add_prefix_space);
  write_file(scratch.path / "special_tokens_map.json", R"({"bos_token": "ab"})");
  CHECK(fault_of([&] { load_bpe(scratch.path); }).number == 721);
  write_file(scratch.path / "special_tokens_map.json", "{}");
  write_file(scratch.path / "added_tokens.json", R"({"<new>": 4})");
  CHECK(fault_of([&] { load_bpe(scratch.path); }).number == 721);
  write_file(scratch.path / "tokenizer_config.json", R"({"additional_special_tokens": ["<new>"]})");
  CHECK(load_bpe(scratch.path).id("<new>") == 4);
}

TEST_CASE("beside tokenizer.json, the configuration adds special tokens and may tell another prefix blank") {
  const std::string json = tokenizer_json_text(parse_bpe(vocabulary, "a b\n"));
  const auto with = [&](std::string_view config) { return parse_bpe_json(json, "m/tokenizer.json", config); };
  CHECK(with("{\"bos_token\": \"<s>\"}") == parse_bpe_json(json));
  CHECK(with("{\"add_prefix_space\": true}").options().add_prefix_space);
  const Bpe named =
      with(R"({"eos_token": {"content": "<end>"}, "pad_token": "ab", "additional_special_tokens": ["x"]})");
  CHECK(named.special() == std::vector<std::string>{"<s>", "<end>", "ab", "x"});
  CHECK(named.encode("ab<end>x").ids == std::vector<std::int32_t>{2, 4, 5});
  const Fault fault = fault_of([&] { with("{\n\"add_prefix_space\": 1}"); });
  CHECK(fault.number == 710);
  CHECK(fault.line == 2);

  const Scratch scratch;
  write_file(scratch.path / "tokenizer.json", json);
  write_file(scratch.path / "tokenizer_config.json", R"({"eos_token": "<end>"})");
  CHECK(load_bpe(scratch.path).id("<end>") == 4);
}

TEST_CASE("a directory is written, read, and kept when a new one cannot be written") {
  const Scratch scratch;
  const auto directory = scratch.path / "words";
  const Bpe tokenizer = learned();
  save_bpe(tokenizer, directory);
  CHECK(load_bpe(directory) == tokenizer);
  std::filesystem::remove(directory / "tokenizer.json");
  CHECK(load_bpe(directory) == tokenizer);

  // merges.txt cannot be written, so vocab.json stays as it is.
  std::filesystem::create_directory(directory / "merges.txt.writing");
  std::ofstream{directory / "merges.txt.writing" / "held"} << "x";
  CHECK(fault_of([&] { save_bpe(learned({.vocab_size = 257}), directory); }).number == 707);
  CHECK(load_bpe(directory) == tokenizer);
  CHECK_FALSE(std::filesystem::exists(directory / "vocab.json.writing"));
  std::filesystem::remove(directory / "merges.txt");
  CHECK(fault_of([&] { load_bpe(directory); }).number == 701);
  std::filesystem::remove_all(directory);
  CHECK(fault_of([&] { load_bpe(directory); }).number == 701);
}

TEST_CASE("a faulty vocab.json is refused with its line") {
  const auto fault = [](std::string_view text) { return fault_of([&] { parse_bpe(text, "", "m"); }); };
  const std::string words{vocabulary};
  for (const auto& [text, line, sentence] : std::vector<std::tuple<std::string, unsigned, std::string>>{
           {replaced(words, "2", "2 3"), 3, "broken at byte"},
           {replaced(words, "ab", "a\tb"), 3, "broken at byte"},
           {replaced(words, "2", "\"2\""), 3, "the id of the piece \"ab\" in m/vocab.json is no number from 0"},
           {replaced(words, "2", "-2"), 3, "is no number from 0"},
           {replaced(words, "2", "2.5"), 3, "is no number from 0"},
           {replaced(words, "2", "1"), 3, "m/vocab.json gives the id 1 to both \"b\" and \"ab\""},
           {replaced(words, "2", "7"), 3, "the piece \"ab\" of m/vocab.json has the id 7, but there are only 4 pieces"},
           {replaced(words, "ab", "a"), 3, "m/vocab.json holds the piece \"a\" twice, as ids 0 and 2"},
           {replaced(words, "ab", ""), 3, "without a letter"},
           {words.substr(0, 15), 2, "broken at byte"},
           {words + "{}", 5, "more follows"},
           {"[]", 1, "is not a JSON object"},
           {"", 1, "broken"},
           {std::string{"{\"a\0b\": 0}", 10}, 1, "broken"},
           {"{\"\xFF\": 0}", 1, "not UTF-8"},
           {"{}", 0, "holds no piece"}}) {
    const Fault found = fault(text);
    INFO(text);
    INFO(found.sentence);
    CHECK(found.number == 720);
    CHECK(found.line == line);
    CHECK(found.sentence.find(sentence) != std::string::npos);
  }
}

TEST_CASE("a faulty merges.txt is refused with its line") {
  const auto fault = [](std::string_view merges) { return fault_of([&] { parse_bpe(vocabulary, merges, "m"); }); };
  for (const auto& [text, line, sentence] : std::vector<std::tuple<std::string, unsigned, std::string>>{
           {"#version: 0.2\na b\na c\n", 3, "m/vocab.json has no piece \"c\""},
           {"b a\n", 1, "m/vocab.json has no piece \"ba\""},
           {"a b\na b\n", 2, "joins \"a\" and \"b\", as merge 1 does"},
           {"a b\nab", 2, "line 2 of m/merges.txt is not two pieces"},
           {"a b\n\na b", 2, "is not two pieces"},
           {"a  b\n", 1, "is not two pieces"},
           {"a b c\n", 1, "is not two pieces"},
           {std::string{"a \0b\n", 5}, 1, "has no piece"},
           {"a \xFF\n", 1, "not UTF-8"}}) {
    const Fault found = fault(text);
    INFO(text);
    INFO(found.sentence);
    CHECK(found.number == 720);
    CHECK(found.line == line);
    CHECK(found.sentence.find(sentence) != std::string::npos);
  }
}

TEST_CASE("a merges.txt that was cut short between two lines is noticed") {
  const Bpe tokenizer = learned();
  std::string merges = merges_text(tokenizer);
  merges.resize(merges.find('\n', merges.size() / 4) + 1);
  const Fault found = fault_of([&] { parse_bpe(vocab_json_text(tokenizer), merges, "m"); });
  CHECK(found.number == 720);
  CHECK(found.sentence.find("are made by no merge of m/merges.txt") != std::string::npos);
}

TEST_CASE("a faulty tokenizer.json is refused with its line, and so is one of another kind") {
  const std::string good = tokenizer_json_text(parse_bpe(vocabulary, "a b\n"));
  for (const auto& [from, to, number, sentence] : std::vector<std::tuple<std::string, std::string, int, std::string>>{
           {"\"model\"", "\"modle\"", 720, "has no \"model\""},
           {"\"vocab\"", "\"vocabulary\"", 720, "has no \"vocab\""},
           {"\"merges\"", "\"merge\"", 720, "has no \"merges\""},
           {"[\"a\", \"b\"]", "[\"a\", \"c\"]", 720, "joins \"a\" and \"c\""},
           {"[\"a\", \"b\"]", "[\"a\"]", 720, "merge 1 of t is not two pieces"},
           {"[\"a\", \"b\"]", "17", 720, "merge 1 of t is not two pieces"},
           {"\"ab\": 2", "\"ab\": 1", 720, "to both"},
           {"{\"id\": 3", "{\"id\": 2", 720, "the added token \"<s>\" of t has the id 2"},
           {"\"lstrip\": false", "\"lstrip\": true", 721, "\"lstrip\""},
           {"\"special\": true", "\"special\": false", 721, "not special"},
           {"\"normalizer\": null", "\"normalizer\": {\"type\": \"NFC\"}", 721, "normalizer"},
           {"\"type\": \"BPE\"", "\"type\": \"Unigram\"", 721, "Unigram"},
           {"\"use_regex\": true", "\"use_regex\": false", 721, "pre_tokenizer"},
           {"\"type\": \"ByteLevel\"", "\"type\": \"Whitespace\"", 721, "pre_tokenizer"},
           {"\"dropout\": null", "\"dropout\": 0.1", 721, "dropout"},
           {"\"ignore_merges\": false", "\"ignore_merges\": true", 721, "ignore_merges"},
           {"\"unk_token\": null", "\"unk_token\": \"<s>\"", 721, "unk_token"},
           {"\"normalized\": false, \"special\": true}",
            "\"normalized\": false, \"special\": true}, {\"id\": 2, \"content\": \"ab\", \"normalized\": true, "
            "\"special\": true}",
            721, "seeks some of its added tokens after the others (\"normalized\")"},
           {"\"post_processor\": {",
            "\"post_processor\": {\"type\": \"Sequence\", \"processors\": [{\"type\": "
            "\"ByteLevel\"}, {\"type\": \"RobertaProcessing\"}]}, \"x\": {",
            721, "trims ranges twice"},
           {"\"merges\": [", "\"merges\": [,", 720, "broken"}}) {
    const Fault found = fault_of([&] { parse_bpe_json(replaced(good, from, to), "t"); });
    INFO(to);
    INFO(found.sentence);
    CHECK(found.number == number);
    CHECK(found.line > 0);
    CHECK(found.sentence.find(sentence) != std::string::npos);
  }
  for (std::size_t size = 0; size + 2 < good.size(); size += 7)
    CHECK(fault_of([&] { parse_bpe_json(good.substr(0, size)); }).number == 720);
}
