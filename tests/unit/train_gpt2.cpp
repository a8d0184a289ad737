// A GPT-2 in files: names and shapes of its tensors, its directory, and how it goes on with a text.
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scratch.hpp"

import octet.base;
import octet.compile;
import octet.data;
import octet.graph;
import octet.nn;
import octet.text;
import octet.trace;
import octet.train;

#include "refusal.hpp"
#include "train_sources.hpp"

using namespace octet;
using namespace octet::train;
namespace fs = std::filesystem;

TEST_CASE("a GPT-2's tensors have the names and shapes of a GPT2LMHeadModel, and come back, with OpenAI's names too") {
  const nn::Gpt2Config config{.vocabulary = 7, .hidden = 4, .layers = 2, .heads = 2, .intermediate = 6, .positions = 5};
  Values<nn::Gpt2> model = nn::initialize(nn::gpt2(config), Key::of_seed(2), nn::normal_initializer(1));
  Safetensors tensors = to_hugging_face(model);
  std::map<std::string, std::string> shapes, expected{{"transformer.wte.weight", "f32[7, 4]"},
                                                      {"transformer.wpe.weight", "f32[5, 4]"},
                                                      {"transformer.ln_f.weight", "f32[4]"},
                                                      {"transformer.ln_f.bias", "f32[4]"}};
  for (const auto& [name, tensor] : tensors.tensors) shapes[name] = to_string(tensor.type());
  for (const std::string layer : {"transformer.h.0.", "transformer.h.1."})
    for (const auto& [name, shape] : std::map<std::string, std::string>{{"ln_1.weight", "f32[4]"},
                                                                        {"ln_1.bias", "f32[4]"},
                                                                        {"attn.c_attn.weight", "f32[4, 12]"},
                                                                        {"attn.c_attn.bias", "f32[12]"},
                                                                        {"attn.c_proj.weight", "f32[4, 4]"},
                                                                        {"attn.c_proj.bias", "f32[4]"},
                                                                        {"ln_2.weight", "f32[4]"},
                                                                        {"ln_2.bias", "f32[4]"},
                                                                        {"mlp.c_fc.weight", "f32[4, 6]"},
                                                                        {"mlp.c_fc.bias", "f32[6]"},
                                                                        {"mlp.c_proj.weight", "f32[6, 4]"},
                                                                        {"mlp.c_proj.bias", "f32[4]"}})
      expected[layer + name] = shape;
  CHECK(shapes == expected);
  const Tensor joined = tensors["transformer.h.1.attn.c_attn.weight"];
  for (std::int64_t row = 0; row < 4; ++row)
    for (std::int64_t column = 0; column < 4; ++column) {
      CHECK(joined.at(row * 12 + column) == model["layers.1.attention.query.weight"].at(row * 4 + column));
      CHECK(joined.at(row * 12 + 4 + column) == model["layers.1.attention.key.weight"].at(row * 4 + column));
      CHECK(joined.at(row * 12 + 8 + column) == model["layers.1.attention.value.weight"].at(row * 4 + column));
    }
  CHECK(from_hugging_face(tensors, config).tensors() == model.tensors());
  for (NamedTensor& each : tensors.tensors) each.name = each.name.substr(std::string_view{"transformer."}.size());
  CHECK(from_hugging_face(tensors, config).tensors() == model.tensors());
  tensors.tensors.push_back({"lm_head.weight", model["word.table"]});
  CHECK(from_hugging_face(tensors, config).tensors() == model.tensors());
  tensors.tensors.back().tensor.mutable_span<float>()[3] += 1;
  CHECK(number_of([&] { from_hugging_face(tensors, config); }) == 714);
  tensors.tensors.pop_back();
  tensors.tensors.pop_back();
  CHECK(number_of([&] { from_hugging_face(tensors, config); }) == 715);
  nn::Gpt2Config dropping = config;
  dropping.dropout = {.hidden = 0.1, .attention = 0.2};
  CHECK(parse_gpt2_config(config_text(dropping), "config.json").dropout == dropping.dropout);
  CHECK(number_of([] { parse_gpt2_config(R"({"model_type": "gpt2", "attn_pdrop": 1.0})", "c"); }) == 715);
  const nn::Gpt2Config read = parse_gpt2_config(config_text(config), "config.json");
  CHECK(config_text(read) == config_text(config));
  CHECK(parse_gpt2_config(R"({"model_type": "gpt2", "n_embd": 8, "n_head": 2, "n_inner": null})", "c").intermediate ==
        32);
  for (const char* key : {"n_head", "n_inner"})
    CHECK(number_of([&] { parse_gpt2_config(R"({"model_type": "gpt2", ")" + std::string{key} + "\": 0}", "c"); }) ==
          715);
  CHECK(number_of([] { parse_gpt2_config(R"({"model_type": "gpt2", "activation_function": "relu"})", "c"); }) == 714);
}

TEST_CASE("a GPT-2's directory names the tokens that its vocabulary has, and no others") {
  const auto saved = [](const text::Bpe& words, const char* file) {
    const Scratch scratch;
    const auto size = static_cast<std::int64_t>(words.size());
    const auto model = nn::initialize(nn::gpt2(gpt2_config(causal_options(), size)), Key::of_seed(1),
                                      nn::gpt2_initializer(causal_options().layers));
    save_checkpoint(CausalRunState{causal_options(), nn::initial_state(model), 0, "0123456789abcdef"}, words,
                    scratch.path / "gpt");
    CHECK(load_causal_run(scratch.path / "gpt").tokenizer == words);
    return text::read_file(scratch.path / "gpt" / file);
  };
  const auto with_end = [](const std::string& text, const char* key) {
    return text.find("\"" + std::string{key} + "\": \"<|endoftext|>\"") != text.npos;
  };
  const std::string id = std::to_string(*byte_pairs().id("<|endoftext|>"));
  for (const char* key : {"bos_token_id", "eos_token_id"})
    CHECK(saved(byte_pairs(), "config.json").find("\"" + std::string{key} + "\": " + id + ",") != std::string::npos);
  const std::string config = saved(byte_pairs(), "tokenizer_config.json");
  for (const char* key : {"bos_token", "eos_token", "unk_token"}) CHECK(with_end(config, key));
  CHECK(config.find("\"model_max_length\": " + std::to_string(causal_options().seq)) != std::string::npos);

  text::BpeTrainer other{{.vocab_size = 260, .special = {"<s>"}}};
  other.add("the cat sees the river and the dog likes the house");
  const text::Bpe without = std::move(other).train();
  for (const char* key : {"bos_token_id", "eos_token_id"})
    CHECK(saved(without, "config.json").find("\"" + std::string{key} + "\": null,") != std::string::npos);
  for (const char* key : {"bos_token", "eos_token", "unk_token"})
    CHECK(saved(without, "tokenizer_config.json").find("\"" + std::string{key} + "\": null") != std::string::npos);
}

TEST_CASE("a GPT-2 goes on with a text, the same for a seed, and a BERT is not asked to") {
  const Scratch scratch;
  Threads threads{2};
  CausalTrainer trainer{block_data(stream(), byte_pairs(), causal_options()), byte_pairs(), causal_options(), threads};
  while (!trainer.finished()) trainer.step();
  save_checkpoint(trainer, scratch.path / "gpt");
  const CausalModel model = load_causal_model(scratch.path / "gpt");
  const Continuer go_on{model.parameters, model.tokenizer, threads};
  const std::string text = go_on("the cat", {.tokens = 40, .seed = 3});  // longer than the model's positions
  CHECK(text == go_on("the cat", {.tokens = 40, .seed = 3}));
  CHECK(text != go_on("the cat", {.tokens = 40, .seed = 4}));
  CHECK(text.starts_with(go_on("the cat", {.tokens = 3, .seed = 3})));
  CHECK(go_on("the cat", {.tokens = 9, .temperature = 0, .seed = 3}) ==
        go_on("the cat", {.tokens = 9, .temperature = 0, .seed = 4}));
  CHECK(go_on("the cat", {.tokens = 9, .temperature = 0}) == go_on("the cat", {.tokens = 9, .top_k = 1}));
  CHECK(!go_on("", {.tokens = 3}).empty());

  // The likeliest token after the last ones that the model sees, all of them computed anew for each.
  const auto states =
      jit([](const nn::Gpt2& gpt, const Array& ids) { return gpt.logits(gpt.decode(ids)); }, {.threads = &threads});
  const auto positions = static_cast<std::size_t>(model.config.positions);
  std::vector<std::int32_t> ids = model.tokenizer.encode("the cat").ids;
  std::string likeliest;
  for (int i = 0; i < 40; ++i) {
    const std::size_t seen = std::min(ids.size(), positions);
    Tensor window{DType::i32, {1, model.config.positions}};
    std::copy(ids.end() - static_cast<std::ptrdiff_t>(seen), ids.end(), window.mutable_span<std::int32_t>().begin());
    const Tensor logits = states(model.parameters, window);
    const std::span<const float> guess =
        logits.span<float>().subspan((seen - 1) * model.tokenizer.size(), model.tokenizer.size());
    ids.push_back(static_cast<std::int32_t>(std::ranges::max_element(guess) - guess.begin()));
    likeliest += model.tokenizer.bytes(ids.back());
  }
  CHECK(go_on("the cat", {.tokens = 40, .temperature = 0}) == likeliest);

  // A text ends with the token that files name, whatever it is called.
  CHECK(model.end_of_text == model.tokenizer.id("<|endoftext|>"));
  const std::int32_t second = ids[model.tokenizer.encode("the cat").ids.size() + 1];
  text::write_file(scratch.path / "gpt" / "generation_config.json",
                   "{\"eos_token_id\": " + std::to_string(second) + "}");
  const CausalModel ending = load_causal_model(scratch.path / "gpt");
  CHECK(ending.end_of_text == second);
  const Continuer until{ending.parameters, ending.tokenizer, threads, Precision::bf16, ending.end_of_text};
  const std::string shorter = until("the cat", {.tokens = 40, .temperature = 0});
  CHECK(likeliest.starts_with(shorter));
  CHECK(shorter.size() < likeliest.size());
  text::write_file(scratch.path / "gpt" / "generation_config.json", "{\"eos_token_id\": 99999}");
  CHECK(number_of([&] { load_causal_model(scratch.path / "gpt"); }) == 715);
  CHECK(number_of([&] { go_on("a", {.tokens = 0}); }) == 709);
  CHECK(number_of([&] { go_on("a", {.temperature = -1}); }) == 709);
  CHECK(number_of([&] { go_on("a", {.top_k = -1}); }) == 709);
  CHECK(number_of([&] { load_model(scratch.path / "gpt"); }) == 737);
  CHECK(number_of([&] { load_run(scratch.path / "gpt"); }) == 737);

  text::BpeTrainer plain{{.vocab_size = 257, .special = {}}};
  plain.add("ab");
  const auto initial = nn::initialize(nn::gpt2({.vocabulary = 257}), Key::of_seed(1), nn::gpt2_initializer(2));
  CHECK(number_of([&] { Continuer{initial, plain.train(), threads}(""); }) == 738);
}
