/// Messages about files and input, as a user is shown them.
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <regex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
import octet;

#include "approved.hpp"

using namespace octet;
using namespace std::string_view_literals;

TEST_CASE("messages about texts are the approved ones") {
  const auto read_as_text = [](std::string_view bytes) { data::corpus_of_text(bytes, "novel.txt"); };
  approve_refusal(701, [] { data::read_corpus({"nowhere/novel.txt"}); });
  approve_refusal(702, [&] { read_as_text(" \n\n"); });
  approve_refusal(703, [&] { read_as_text("%PDF-1.7\n%abc"); });
  approve_refusal(704, [&] { read_as_text("one line\nthen caf\xE9 au lait\n"); });
  approve_refusal(705, [&] { read_as_text("whole line\nthen \xED\x95"); });
  approve_refusal(706, [] { data::hold_out({"a single line"}); });
}

TEST_CASE("messages about options are the approved ones") {
  approve_refusal(709, [] { multiple_of(0); });
}

TEST_CASE("messages about tokenizers and models are the approved ones") {
  approve_refusal(708, [] { text::parse_vocabulary("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\nthe\n"); });
  approve_refusal(707, [] {
    text::save_vocabulary(text::parse_vocabulary("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\n"), "/dev/null/vocab.txt");
  });
  approve_refusal(710, [] {
    text::parse_wordpiece("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\n", "{\n \"do_lower_case\":", "words");
  });
  approve_refusal(714, [] { train::load_model("nowhere"); });
  approve_refusal(715, [] { train::parse_safetensors("\x01\x00", "model.safetensors"); });
  approve_refusal(717, [] { nn::published_transformer("bert-lage"); });
  approve_refusal(721, [] { text::parse_bpe_json("{\"model\": {\"type\": \"Unigram\"}}", "tokenizer.json"); });
  approve_refusal(720, [] { text::parse_bpe("{\"a\":0,", "", "words"); });
}

TEST_CASE("messages about data and its vocabulary are the approved ones") {
  const auto byte_pairs = [](std::vector<std::string> special) {
    text::BpeTrainer trainer{{.vocab_size = 256 + special.size(), .special = std::move(special)}};
    trainer.add("ab");
    return trainer.train();
  };
  approve_refusal(735, [&] {
    Threads alone;
    train::TrainOptions options;
    options.fitted_programs = 4;
    train::CausalTrainer{train::TrainingData{}, byte_pairs({"<|endoftext|>"}), options, alone};
  });
  approve_refusal(736, [&] {
    std::string bytes;
    data::TokenWriter writer{[&](std::string_view part) { bytes += part; }, 300};
    writer.finish();
    train::block_data(data::TokenFile{bytes, "words.tokens"}, byte_pairs({"<|endoftext|>"}), {});
  });
  const std::filesystem::path directory = "approved-gpt2";
  std::filesystem::create_directories(directory);
  std::ofstream{directory / "config.json"} << R"({"model_type": "gpt2"})";
  approve_refusal(737, [&] { train::load_model(directory); });
  std::filesystem::remove_all(directory);
  approve_refusal(738, [&] {
    Threads alone;
    const auto model = nn::initialize(nn::gpt2({.vocabulary = 256}), Key::of_seed(1), nn::gpt2_initializer(2));
    train::Continuer{model, byte_pairs({}), alone}("");
  });
}
