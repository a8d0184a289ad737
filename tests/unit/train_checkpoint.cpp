#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

import octet.base;
import octet.graph;
import octet.text;
import octet.data;
import octet.trace;
import octet.nn;
import octet.train;

using namespace octet;
using namespace octet::train;
namespace fs = std::filesystem;

namespace {

// A directory of a test's own, removed at its end.
struct Scratch {
  fs::path path = fs::temp_directory_path() / ("octet-checkpoint-" + std::to_string(std::random_device{}()));
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
};

text::WordPiece tokenizer(const std::string& word = "god") {
  return text::WordPiece{
      text::Vocabulary{{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", word, "##s", "\uD55C", "##\uAE00", "\u65E5"}}};
}

TrainOptions small() {
  TrainOptions options;
  options.steps = 30;
  options.seed = 18'446'744'073'709'551'615u;
  options.layers = 2;
  options.hidden = 4;
  options.heads = 2;
  options.intermediate = 6;
  options.seq = 9;
  options.batch = 16;
  options.vocab_size = 16;
  options.learning_rate = 0.1;  // not a number of binary digits
  options.epsilon = 1e-300;
  options.precision = Precision::f32;
  options.strip_accents = true;
  options.masking.probability = 1.0 / 3.0;
  options.packing = data::Packing::none;
  options.padding = data::pad_to_one_of({5, 9});
  options.fitted_programs = 2;
  options.check_replicas = false;
  return options;
}

// A run whose numbers are all different, at `step`.
RunState run_at(std::int64_t step, TrainOptions options = small()) {
  const nn::Bert model = nn::bert(bert_config(options, 10));
  const auto values = nn::initialize(model, Key::of_seed(static_cast<std::uint64_t>(step)),
                                     [](const std::string&, const TensorType& type, Key) { return Tensor{type}; });
  auto state = nn::initial_state(values);
  float next = 0.1f * static_cast<float>(step) + 1.0f / 3.0f;
  for (Tensor& tensor : state.tensors())
    if (tensor.dtype() == DType::f32)
      for (float& element : tensor.mutable_span<float>()) element = next *= -1.0009f;
  state.tensors().front().mutable_span<float>()[0] = -0.0f;
  state.tensors().back() = Tensor::scalar<std::int32_t>(static_cast<std::int32_t>(step));
  return {options, std::move(state), step, "0123456789abcdef"};
}

std::map<std::string, std::string> files_of(const fs::path& directory) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::directory_iterator{directory})
    if (entry.is_regular_file()) files[entry.path().filename().string()] = text::read_file(entry.path());
  return files;
}

void put(const fs::path& path, std::string_view content) { std::ofstream{path, std::ios::binary} << content; }

void put_all(const fs::path& directory, const std::map<std::string, std::string>& files) {
  fs::remove_all(directory);
  fs::create_directories(directory);
  for (const auto& [name, content] : files) put(directory / name, content);
}

struct Refusal {
  int number = 0;
  std::string text;
};

Refusal refusal(auto&& function) {
  try {
    function();
  } catch (const Error& error) {
    return {error.number(), error.what()};
  }
  return {};
}

bool says(const Refusal& refusal, int number, std::string_view part) {
  INFO(refusal.text);
  CHECK(refusal.number == number);
  const bool found = refusal.text.find(part) != std::string::npos;
  CHECK(found);
  return found;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("a saved run comes back to the bit, with its options and its tokenizer") {
  const Scratch scratch;
  const RunState run = run_at(7);
  save_checkpoint(run, tokenizer(), scratch.path / "new" / "directory");
  const SavedRun saved = load_run(scratch.path / "new" / "directory");
  CHECK(saved.tokenizer == tokenizer());
  CHECK(saved.state.step == 7);
  CHECK(saved.state.text_hash == run.text_hash);
  CHECK(saved.state.state.names() == run.state.names());
  CHECK(saved.state.state.tensors() == run.state.tensors());
  CHECK(structure_hash(saved.state.state.structure()) == structure_hash(run.state.structure()));

  const TrainOptions &a = saved.state.options, &b = run.options;
  CHECK(a.steps == b.steps);
  CHECK(a.seed == b.seed);
  CHECK(a.slice == b.slice);
  CHECK((a.precision == b.precision));
  CHECK(std::vector{a.layers, a.hidden, a.heads, a.intermediate, a.seq, a.batch, a.vocab_size, a.warmup_steps,
                    a.held_out_one_in} == std::vector{b.layers, b.hidden, b.heads, b.intermediate, b.seq, b.batch,
                                                      b.vocab_size, b.warmup_steps, b.held_out_one_in});
  CHECK(std::vector{a.learning_rate, a.weight_decay, a.epsilon, a.clip_norm} ==
        std::vector{b.learning_rate, b.weight_decay, b.epsilon, b.clip_norm});
  CHECK(a.lowercase == b.lowercase);
  CHECK(a.strip_accents == b.strip_accents);
  CHECK(a.check_replicas == b.check_replicas);
  CHECK((a.masking == b.masking));
  CHECK((a.packing == b.packing));
  CHECK((a.padding == b.padding));
  CHECK(a.fitted_programs == b.fitted_programs);
}

TEST_CASE("a run saved, loaded and saved again writes the same bytes") {
  const Scratch scratch;
  save_checkpoint(run_at(3), tokenizer(), scratch.path / "a");
  const SavedRun saved = load_run(scratch.path / "a");
  save_checkpoint(saved.state, saved.tokenizer, scratch.path / "b");
  CHECK(files_of(scratch.path / "a") == files_of(scratch.path / "b"));
  CHECK(files_of(scratch.path / "a").size() == 6);
}

TEST_CASE("each way to pad is saved and loaded") {
  const Scratch scratch;
  for (const data::Padding& padding : {data::pad_to_max_length(), data::pad_to_longest(), data::pad_to_multiple_of(3),
                                       data::pad_to_one_of({9}), data::pad_to_doubling_then_linear(4, 3)}) {
    TrainOptions options = small();
    options.padding = padding;
    save_checkpoint(run_at(3, options), tokenizer(), scratch.path / "padded");
    CHECK((load_run(scratch.path / "padded").state.options.padding == padding));
  }
}

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
  says(all, 715, "holds i32, not floating-point numbers");

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
                              .layer_norm_epsilon = 1e-7};
  const std::string text = config_text(config);
  for (const char* field : {R"("architectures": ["BertForMaskedLM"])", R"("model_type": "bert")", R"("vocab_size": 11)",
                            R"("hidden_size": 12)", R"("num_hidden_layers": 3)", R"("num_attention_heads": 4)",
                            R"("intermediate_size": 13)", R"("max_position_embeddings": 14)", R"("type_vocab_size": 5)",
                            R"("layer_norm_eps": 1e-07)", R"("hidden_act": "gelu")", R"("hidden_dropout_prob": 0.0)",
                            R"("torch_dtype": "float32")"}) {
    INFO(text);
    INFO(field);
    CHECK(text.find(field) != std::string::npos);
  }
  const nn::BertConfig read = parse_config(text, "config.json");
  CHECK(config_text(read) == text);
  CHECK(read.layer_norm_epsilon == 1e-7);
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

TEST_CASE("a model loads from config.json, model.safetensors and vocab.txt alone") {
  const Scratch scratch;
  const RunState run = run_at(4);
  save_checkpoint(run, tokenizer(), scratch.path);
  for (const char* extra : {"training.json", "training.safetensors", "tokenizer_config.json"})
    fs::remove(scratch.path / extra);
  const Model model = load_model(scratch.path);
  CHECK(model.tokenizer == tokenizer());
  CHECK(model.config.hidden == 4);
  REQUIRE(model.parameters.tensors().size() == (run.state.tensors().size() - 1) / 3);
  for (std::size_t i = 0; i < model.parameters.tensors().size(); ++i)
    CHECK(model.parameters.tensors()[i] == run.state.tensors()[i]);
  says(refusal([&] { load_run(scratch.path); }), 714,
       "holds a model but no run to go on with: it has no training.json");
}

TEST_CASE("what is no model is refused kindly") {
  const Scratch scratch;
  says(refusal([&] { load_model(scratch.path); }), 714, "There is no directory");
  says(refusal([&] { load_model(""); }), 714, "There is no directory");
  fs::create_directories(scratch.path);
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

TEST_CASE("files that do not belong together are refused") {
  const Scratch scratch;
  save_checkpoint(run_at(5), tokenizer(), scratch.path / "five");
  save_checkpoint(run_at(6), tokenizer("dog"), scratch.path / "six");
  const auto five = files_of(scratch.path / "five"), six = files_of(scratch.path / "six");
  const fs::path mixed = scratch.path / "mixed";
  const auto with = [&](const char* name, const std::string& content) {
    auto files = five;
    files[name] = content;
    put_all(mixed, files);
    return refusal([&] { load_run(mixed); });
  };
  says(with("model.safetensors", six.at("model.safetensors")), 715, "is not the file that");
  says(with("training.safetensors", six.at("training.safetensors")), 715, "is not the file that");
  says(with("training.json", six.at("training.json")), 715, "is not the file that");
  says(with("vocab.txt", six.at("vocab.txt")), 715, "is not the vocabulary that");
  CHECK(refusal([&] { load_model(mixed); }).number == 715);
  says(with("vocab.txt", five.at("vocab.txt") + "more\n"), 715, "has 11 pieces, and the model of config.json only 10");
  says(
      with("config.json", replaced(five.at("config.json"), "\"num_attention_heads\": 2", "\"num_attention_heads\": 1")),
      715, "is not the one of");
  says(with("config.json", replaced(five.at("config.json"), "\"hidden_size\": 4", "\"hidden_size\": 8")), 715,
       "where config.json makes it");
  says(with("training.json", replaced(five.at("training.json"), "\"step\": 5", "\"step\": 6")), 715, "at another");
  says(with("training.json", replaced(five.at("training.json"), "\"step\": 5", "\"step\": -5")), 715, "\"step\"");
  says(with("training.json", replaced(five.at("training.json"), "\"octet_training\": 1", "\"octet_training\": 2")), 715,
       "of version 2");
  says(with("training.json", replaced(five.at("training.json"), "\"precision\": \"f32\"", "\"precision\": \"f16\"")),
       715, "one of bf16, f32");
  says(with("training.json", replaced(five.at("training.json"), "\"seed\"", "\"seat\"")), 715, "has no \"seed\"");
  says(with("training.json", "{"), 715, "broken at byte");
  for (const char* name : {"model.safetensors", "training.safetensors"})
    CHECK(with(name, five.at(name).substr(0, five.at(name).size() / 2)).number == 715);
  CHECK(with("vocab.txt", replaced(five.at("vocab.txt"), "\n", "\r\n")).number == 0);  // a copy through another system
}

TEST_CASE("a save that is stopped at any moment leaves the checkpoint before or this one") {
  const Scratch scratch;
  save_checkpoint(run_at(5), tokenizer(), scratch.path / "five");
  save_checkpoint(run_at(6), tokenizer("dog"), scratch.path / "six");
  const auto five = files_of(scratch.path / "five"), six = files_of(scratch.path / "six");
  const std::vector<std::string> order{"config.json",           "vocab.txt",
                                       "tokenizer_config.json", "model.safetensors",
                                       "training.safetensors",  "training.json"};
  std::string list;
  for (const std::string& name : order) list += name + "\n";
  const fs::path directory = scratch.path / "stopped";
  const auto expect = [&](std::int64_t step) {
    CHECK(load_run(directory).state.step == step);
    CHECK(load_run(directory).tokenizer == tokenizer(step == 5 ? "god" : "dog"));
    CHECK(load_model(directory).parameters.tensors()[1] == run_at(step).state.tensors()[1]);
    // And whatever was left does not disturb the next save.
    save_checkpoint(run_at(8), tokenizer(), directory);
    CHECK(load_run(directory).state.step == 8);
    CHECK(files_of(directory).size() == 6);
  };
  for (std::size_t written = 0; written <= order.size(); ++written) {  // while the new files are written
    auto files = five;
    for (std::size_t i = 0; i < written; ++i) files[order[i] + ".next"] = six.at(order[i]);
    if (written < order.size()) files[order[written] + ".next.writing"] = six.at(order[written]).substr(0, 3);
    put_all(directory, files);
    CHECK(load_run(directory).state.step == 5);
    files.erase(order[std::min(written, order.size() - 1)] + ".next.writing");
    put_all(directory, files);
    expect(5);
  }
  for (std::size_t renamed = 0; renamed <= order.size(); ++renamed) {  // while they are renamed
    auto files = five;
    files["files.next"] = list;
    for (std::size_t i = 0; i < order.size(); ++i) files[order[i] + (i < renamed ? "" : ".next")] = six.at(order[i]);
    put_all(directory, files);
    expect(6);
  }
}

TEST_CASE("the first save, stopped after it was decided, is a whole checkpoint") {
  const Scratch scratch;
  save_checkpoint(run_at(6), tokenizer(), scratch.path / "six");
  std::map<std::string, std::string> files;
  for (const auto& [name, content] : files_of(scratch.path / "six")) {
    files[name + ".next"] = content;
    files["files.next"] += name + "\n";
  }
  put_all(scratch.path / "stopped", files);
  CHECK(load_run(scratch.path / "stopped").state.step == 6);
}

TEST_CASE("a list of files does not lead out of the directory") {
  const Scratch scratch;
  save_checkpoint(run_at(5), tokenizer(), scratch.path / "run");
  put(scratch.path / "outside.next", "new");
  put(scratch.path / "outside", "old");
  put(scratch.path / "run" / "files.next", "../outside\n..\n/outside\n\nconfig.json");
  save_checkpoint(run_at(6), tokenizer(), scratch.path / "run");
  CHECK(text::read_file(scratch.path / "outside") == "old");
  CHECK(load_run(scratch.path / "run").state.step == 6);
}

TEST_CASE("a checkpoint that cannot be written is X707 and leaves the one before") {
  const Scratch scratch;
  save_checkpoint(run_at(5), tokenizer(), scratch.path / "run");
  // A directory in the way of a file that is written fourth.
  fs::create_directories(scratch.path / "run" / "model.safetensors.next" / "in the way");
  CHECK(refusal([&] { save_checkpoint(run_at(6), tokenizer(), scratch.path / "run"); }).number == 707);
  CHECK(load_run(scratch.path / "run").state.step == 5);
  CHECK(files_of(scratch.path / "run").size() == 6);
  put(scratch.path / "file", "hello");
  CHECK(refusal([&] { save_checkpoint(run_at(6), tokenizer(), scratch.path / "file"); }).number == 707);
  CHECK(refusal([&] { save_checkpoint(run_at(6), tokenizer(), scratch.path / "file" / "below"); }).number == 707);
  CHECK(text::read_file(scratch.path / "file") == "hello");
}
