// A model in the files of other tools: their names, their shapes, their config.json, and what is none.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "scratch.hpp"

import octet.base;
import octet.graph;
import octet.text;
import octet.data;
import octet.trace;
import octet.nn;
import octet.train;

#include "checkpoint_files.hpp"

TEST_CASE("the model's tensors have the names and shapes of a BertForMaskedLM") {
  const auto run = run_at(1);
  const Values<nn::Bert> model{
      run.state.structure().model,
      {run.state.tensors().begin(),
       run.state.tensors().begin() + static_cast<std::ptrdiff_t>((run.state.tensors().size() - 1) / 3)}};
  const Safetensors tensors = to_hugging_face(model);
  std::map<std::string, std::string> shapes;
  for (const auto& [name, tensor] : tensors.tensors) shapes[name] = to_string(tensor.type());

  std::map<std::string, std::string> expected{{"bert.embeddings.word_embeddings.weight", "f32[10, 4]"},
                                              {"bert.embeddings.position_embeddings.weight", "f32[9, 4]"},
                                              {"bert.embeddings.token_type_embeddings.weight", "f32[2, 4]"},
                                              {"bert.embeddings.LayerNorm.weight", "f32[4]"},
                                              {"bert.embeddings.LayerNorm.bias", "f32[4]"},
                                              {"cls.predictions.transform.dense.weight", "f32[4, 4]"},
                                              {"cls.predictions.transform.dense.bias", "f32[4]"},
                                              {"cls.predictions.transform.LayerNorm.weight", "f32[4]"},
                                              {"cls.predictions.transform.LayerNorm.bias", "f32[4]"},
                                              {"cls.predictions.bias", "f32[10]"}};
  for (const std::string layer : {"bert.encoder.layer.0.", "bert.encoder.layer.1."}) {
    for (const char* dense :
         {"attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"}) {
      expected[layer + dense + ".weight"] = "f32[4, 4]";
      expected[layer + dense + ".bias"] = "f32[4]";
    }
    expected[layer + "intermediate.dense.weight"] = "f32[6, 4]";
    expected[layer + "intermediate.dense.bias"] = "f32[6]";
    expected[layer + "output.dense.weight"] = "f32[4, 6]";
    expected[layer + "output.dense.bias"] = "f32[4]";
    for (const char* norm : {"attention.output.LayerNorm", "output.LayerNorm"}) {
      expected[layer + norm + ".weight"] = "f32[4]";
      expected[layer + norm + ".bias"] = "f32[4]";
    }
  }
  CHECK(shapes == expected);
  CHECK(tensors.metadata.at("format") == "pt");

  Values<nn::Bert> by_name = model;
  const Tensor& ours = by_name["layers.1.intermediate.weight"];
  const Tensor& theirs = tensors["bert.encoder.layer.1.intermediate.dense.weight"];
  for (std::int64_t in = 0; in < 4; ++in)
    for (std::int64_t out = 0; out < 6; ++out) CHECK(theirs.at(out * 4 + in) == ours.at(in * 6 + out));
  CHECK(tensors["bert.encoder.layer.0.attention.output.LayerNorm.weight"] == by_name["layers.0.attention_norm.scale"]);
  CHECK(tensors["bert.encoder.layer.0.attention.output.dense.bias"] == by_name["layers.0.attention.output.bias"]);
}

TEST_CASE("a BERT of other tools loads: old names, other floating types, tensors that are not ours") {
  const nn::BertConfig config{
      .vocabulary = 10, .hidden = 4, .layers = 1, .heads = 2, .intermediate = 6, .positions = 9};
  auto options = small();
  options.layers = 1;
  const auto run = run_at(2, options);
  const std::size_t count = (run.state.tensors().size() - 1) / 3;
  const Values<nn::Bert> model{
      run.state.structure().model,
      {run.state.tensors().begin(), run.state.tensors().begin() + static_cast<std::ptrdiff_t>(count)}};
  Safetensors tensors = to_hugging_face(model);
  for (auto& [name, tensor] : tensors.tensors) {
    if (name.ends_with("LayerNorm.weight"))
      name = name.substr(0, name.size() - 6) + "gamma";
    else if (name.ends_with("LayerNorm.bias"))
      name = name.substr(0, name.size() - 4) + "beta";
    else if (name == "cls.predictions.bias")
      name = "cls.predictions.decoder.bias";
    else
      tensor = tensor.converted(DType::f64);
  }
  tensors.tensors.push_back({"bert.pooler.dense.weight", Tensor{DType::f32, Shape{4, 4}}});
  tensors.tensors.push_back({"bert.embeddings.position_ids", Tensor{DType::i64, Shape{1, 9}}});
  CHECK(from_hugging_face(tensors, config).tensors() == model.tensors());

  tensors.tensors.push_back({"cls.predictions.decoder.weight", model["word.table"].converted(DType::f64)});
  tensors.tensors.push_back({"cls.predictions.bias", model["head.bias"]});
  CHECK(from_hugging_face(tensors, config).tensors() == model.tensors());
  for (const std::size_t of_decoder : {tensors.tensors.size() - 2, tensors.tensors.size() - 1}) {
    Safetensors untied = tensors;
    Tensor other = model[of_decoder + 2 == tensors.tensors.size() ? "word.table" : "head.bias"];
    other.mutable_span<float>()[3] += 1;
    untied.tensors[of_decoder].tensor = other;
    says(refusal([&] { from_hugging_face(untied, config); }), 714, "holds a decoder of its own");
  }
}

TEST_CASE("every tensor that is missing or of another shape is named at once") {
  const Scratch scratch;
  save_checkpoint(run_at(2), tokenizer(), scratch.path);
  Safetensors tensors = load_safetensors(scratch.path / "model.safetensors");
  const nn::BertConfig config = bert_config(small(), 10);
  std::erase_if(tensors.tensors, [](const NamedTensor& named) { return named.name == "cls.predictions.bias"; });
  tensors.tensors[0].tensor = Tensor{DType::f32, Shape{10, 5}};
  tensors.tensors[1].tensor = Tensor{DType::i32, tensors.tensors[1].tensor.shape()};
  const Refusal all = refusal([&] { from_hugging_face(tensors, config); });
  says(all, 715, "holds no tensor \"cls.predictions.bias\"");
  says(all, 715, "\"bert.embeddings.word_embeddings.weight\" of");
  says(all, 715, "is [10, 5] where config.json makes it [10, 4]");
  says(all, 715, "holds integers, not floating-point numbers");

  Safetensors bare = load_safetensors(scratch.path / "model.safetensors");
  std::erase_if(bare.tensors, [](const NamedTensor& named) { return !named.name.starts_with("bert."); });
  for (NamedTensor& named : bare.tensors) named.name.erase(0, 5);
  const Refusal alone = refusal([&] { from_hugging_face(bare, config); });
  says(alone, 715, "holds an encoder alone, without the head of a BertForPreTraining");
  says(alone, 715, "BertForPreTraining.from_pretrained(DIR).save_pretrained(OTHER)");

  nn::BertConfig endless = config;
  endless.layers = 2'000'000'000;
  says(refusal([&] { from_hugging_face(tensors, endless); }), 715, "too few for the 2000000000 layers");
}

TEST_CASE("a configuration comes back from config.json, and has the keys of BertConfig") {
  const nn::BertConfig config{.vocabulary = 11,
                              .hidden = 12,
                              .layers = 3,
                              .heads = 4,
                              .intermediate = 13,
                              .positions = 14,
                              .segments = 5,
                              .layer_norm_epsilon = 1e-7,
                              .dropout = {.hidden = 0.1, .attention = 0.25}};
  const std::string text = config_text(config);
  for (const char* field : {R"("architectures": ["BertForMaskedLM"])", R"("model_type": "bert")", R"("vocab_size": 11)",
                            R"("hidden_size": 12)", R"("num_hidden_layers": 3)", R"("num_attention_heads": 4)",
                            R"("intermediate_size": 13)", R"("max_position_embeddings": 14)", R"("type_vocab_size": 5)",
                            R"("layer_norm_eps": 1e-07)", R"("hidden_act": "gelu")", R"("hidden_dropout_prob": 0.1)",
                            R"("attention_probs_dropout_prob": 0.25)", R"("torch_dtype": "float32")"}) {
    INFO(text);
    INFO(field);
    CHECK(text.find(field) != std::string::npos);
  }
  const nn::BertConfig read = parse_config(text, "config.json");
  CHECK(config_text(read) == text);
  CHECK(read.layer_norm_epsilon == 1e-7);
  CHECK(read.dropout == config.dropout);
  CHECK(parse_config("\xEF\xBB\xBF{\"model_type\": \"bert\"}", "config.json").hidden == 768);
}

TEST_CASE("a configuration of another model is X714, a broken one X715 with its line") {
  const auto of = [](const std::string& text) { return refusal([&] { parse_config(text, "dir/config.json"); }); };
  says(of("{}"), 714, "names no \"model_type\"");
  says(of(R"({"model_type": "gpt2"})"), 714, "its \"model_type\" is \"gpt2\", not \"bert\"");
  says(of(R"({"model_type": "bert", "hidden_act": "relu"})"), 714, "\"hidden_act\" is \"relu\"");
  says(of(R"({"model_type": "bert", "position_embedding_type": "relative_key"})"), 714, "relative_key");
  says(of(R"({"model_type": "bert", "tie_word_embeddings": false})"), 714, "not tied");
  says(of(R"({"model_type": "bert", "is_decoder": true})"), 714, "decoder");
  says(of("{\n\"model_type\": \"bert\",\n\"hidden_size\": 12,,\n}"), 715, "dir/config.json:3");
  says(of(""), 715, "broken at byte 0");
  says(of("null"), 715, "not a JSON object");
  says(of("{\"model_type\": \"bert\"} x"), 715, "broken at byte");
  says(of(R"({"model_type": 7})"), 715, "\"model_type\" in dir/config.json is not a string");
  for (const char* size : {"0", "-1", "2147483648", "1e18", "12.5", "\"12\"", "18446744073709551615", "[]"})
    says(of(std::string{R"({"model_type": "bert", "num_hidden_layers": )"} + size + "}"), 715, "\"num_hidden_layers\"");
  says(of(R"({"model_type": "bert", "hidden_size": 100, "num_attention_heads": 3})"), 715,
       "cannot be shared equally by 3");
  says(of(R"({"model_type": "bert", "layer_norm_eps": -1})"), 715, "\"layer_norm_eps\"");
}

TEST_CASE("a model loads from config.json, model.safetensors and vocab.txt or tokenizer.json alone") {
  const Scratch scratch;
  const RunState run = run_at(4);
  save_checkpoint(run, tokenizer(), scratch.path);
  for (const char* extra : {"training.json", "training.safetensors", "tokenizer_config.json", "vocab.txt"})
    fs::remove(scratch.path / extra);
  CHECK(load_model(scratch.path).tokenizer == tokenizer());
  fs::remove(scratch.path / "tokenizer.json");
  says(refusal([&] { load_model(scratch.path); }), 714, "has no vocab.txt");
  text::write_file(scratch.path / "vocab.txt", tokenizer().vocabulary().to_text());
  const Model model = load_model(scratch.path);
  CHECK(model.tokenizer == tokenizer());
  CHECK(model.config.hidden == 4);
  REQUIRE(model.parameters.tensors().size() == (run.state.tensors().size() - 1) / 3);
  for (std::size_t i = 0; i < model.parameters.tensors().size(); ++i)
    CHECK(model.parameters.tensors()[i] == run.state.tensors()[i]);
  says(refusal([&] { load_run(scratch.path); }), 714,
       "holds a model but no run to go on with: it has no training.json");
}

TEST_CASE("a model's directory has its tokenizer as Hugging Face's tokenizers read it, and how long a text may be") {
  const Scratch scratch;
  save_checkpoint(run_at(4), tokenizer(), scratch.path);
  CHECK(text::parse_wordpiece_json(text::read_file(scratch.path / "tokenizer.json")) == tokenizer());
  const std::string config = text::read_file(scratch.path / "tokenizer_config.json");
  const text::JsonDocument json{config, "tokenizer_config.json", {.number = 710}};
  CHECK(json.root().find("model_max_length")->integer() == small().seq);
  CHECK(json.root().find("mask_token")->text() == "[MASK]");
}

TEST_CASE("what is no model is refused kindly") {
  const Scratch scratch;
  says(refusal([&] { load_model(scratch.path / "none"); }), 714, "There is no directory");
  says(refusal([&] { load_model(""); }), 714, "There is no directory");
  says(refusal([&] { load_model(scratch.path); }), 714, "is empty");
  put(scratch.path / "file", "hello");
  says(refusal([&] { load_model(scratch.path / "file"); }), 714, "is a file");
  says(refusal([&] { load_model(scratch.path / "file" / "below"); }), 714, "There is no directory");
  says(refusal([&] { load_model(scratch.path); }), 714, "has no config.json and no model.safetensors and no vocab.txt");
  put(scratch.path / "config.json", "{}");
  put(scratch.path / "vocab.txt", "");
  put(scratch.path / "pytorch_model.bin", "");
  says(refusal([&] { load_model(scratch.path); }), 714, "safe_serialization=True");
  put(scratch.path / "model.safetensors", "");
  says(refusal([&] { load_model(scratch.path); }), 714, "names no \"model_type\"");
  put(scratch.path / "config.json", R"({"model_type": "bert"})");
  CHECK(refusal([&] { load_model(scratch.path); }).number == 708);
}
