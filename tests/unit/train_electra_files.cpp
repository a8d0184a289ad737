// ELECTRA's files: what other tools find in them, and what is left where a save is stopped or another model follows.
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
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

#include "electra_run.hpp"
#include "refusal.hpp"

using namespace octet;
using namespace octet::train;
namespace fs = std::filesystem;

TEST_CASE("an ELECTRA's files are an ElectraForPreTraining and an ElectraForMaskedLM, and come back") {
  const Scratch scratch;
  Threads threads{2};
  ElectraTrainer trainer{sentences(), electra_options(), threads};
  trainer.step();
  save_checkpoint(trainer, scratch.path);
  const auto words = static_cast<std::int64_t>(trainer.tokenizer().vocabulary().size());

  const Safetensors judge = load_safetensors(scratch.path / "model.safetensors");
  for (const auto& [name, shape] :
       std::vector<std::pair<std::string, Shape>>{{"electra.embeddings.word_embeddings.weight", {words, 32}},
                                                  {"electra.embeddings.LayerNorm.weight", {32}},
                                                  {"electra.encoder.layer.1.attention.self.query.weight", {32, 32}},
                                                  {"electra.encoder.layer.0.intermediate.dense.weight", {64, 32}},
                                                  {"discriminator_predictions.dense.weight", {32, 32}},
                                                  {"discriminator_predictions.dense_prediction.weight", {1, 32}},
                                                  {"discriminator_predictions.dense_prediction.bias", {1}}}) {
    INFO(name);
    CHECK(judge[name].shape() == shape);
  }
  CHECK(judge.tensors.size() == 5 + 2 * 16 + 4);
  const Safetensors guess = load_safetensors(scratch.path / "generator" / "model.safetensors");
  for (const auto& [name, shape] :
       std::vector<std::pair<std::string, Shape>>{{"electra.embeddings.position_embeddings.weight", {24, 32}},
                                                  {"electra.embeddings_project.weight", {8, 32}},
                                                  {"electra.encoder.layer.1.attention.self.query.weight", {8, 8}},
                                                  {"generator_predictions.dense.weight", {32, 8}},
                                                  {"generator_predictions.LayerNorm.weight", {32}},
                                                  {"generator_lm_head.bias", {words}}}) {
    INFO(name);
    CHECK(guess[name].shape() == shape);
  }
  CHECK(guess["electra.embeddings.word_embeddings.weight"] == judge["electra.embeddings.word_embeddings.weight"]);
  const auto config = [&](const fs::path& file) { return text::read_file(scratch.path / file); };
  CHECK(config("config.json").find("\"ElectraForPreTraining\"") != std::string::npos);
  CHECK(config("config.json").find("\"embedding_size\": 32") != std::string::npos);
  CHECK(config("generator/config.json").find("\"ElectraForMaskedLM\"") != std::string::npos);

  const Values<nn::Electra> parameters = trainer.parameters();
  CHECK(load_discriminator(scratch.path).parameters.tensors() == nn::discriminator_of(parameters).tensors());
  for (const fs::path& place : {scratch.path, scratch.path / "generator"})
    CHECK(load_model(place).parameters.tensors() == nn::generator_of(parameters).tensors());
  const Filler fill{load_model(scratch.path).parameters, load_model(scratch.path).tokenizer, threads};
  CHECK(fill("the [MASK] sees").size() == 1);

  CHECK(number_of([&] { load_run(scratch.path); }) == 737);
  CHECK(number_of([&] { load_causal_model(scratch.path); }) == 737);
  CHECK(number_of([&] { load_discriminator(scratch.path / "generator"); }) == 737);
  fs::remove(scratch.path / "generator" / "model.safetensors");
  CHECK(number_of([&] { load_electra_run(scratch.path); }) == 714);
  save_checkpoint(trainer, scratch.path);
  fs::copy_file(scratch.path / "model.safetensors", scratch.path / "generator" / "model.safetensors",
                fs::copy_options::overwrite_existing);
  CHECK(number_of([&] { load_electra_run(scratch.path); }) == 715);
  fs::remove_all(scratch.path / "generator");
  CHECK(number_of([&] { load_model(scratch.path); }) == 737);
  CHECK(load_discriminator(scratch.path).config.embedding_width() == 32);
}

TEST_CASE("a first save of an ELECTRA that fails leaves no folder") {
  const Scratch scratch;
  Threads threads{2};
  ElectraTrainer trainer{sentences(), electra_options(), threads};
  fs::create_directories(scratch.path / "training.json.next" / "in the way");
  CHECK(number_of([&] { save_checkpoint(trainer, scratch.path); }) == 707);
  CHECK(!fs::exists(scratch.path / "generator"));
}

TEST_CASE("a configuration that names no class is told by the model's heads") {
  const Scratch scratch;
  Threads threads{2};
  ElectraTrainer trainer{sentences(), electra_options(), threads};
  save_checkpoint(trainer, scratch.path);
  for (const fs::path& folder : {scratch.path, scratch.path / "generator"}) {
    std::string config = text::read_file(folder / "config.json");
    const std::size_t begin = config.find("\"architectures\""), end = config.find('\n', begin) + 1;
    text::write_file(folder / "config.json", config.erase(begin, end - begin));
  }
  CHECK(load_discriminator(scratch.path).parameters.tensors().size() > 0);
  CHECK(load_model(scratch.path / "generator").of_electra);
  CHECK(number_of([&] { load_discriminator(scratch.path / "generator"); }) == 737);
}

TEST_CASE("of an ELECTRA whose place another model takes, nothing is left") {
  Threads threads{2};
  const auto without = [](const fs::path& directory, std::initializer_list<const char*> names) {
    for (const char* name : names) {
      INFO(name);
      CHECK(!fs::exists(directory / name));
    }
  };
  const Scratch scratch;
  ElectraTrainer electra{sentences(), electra_options(), threads};
  save_checkpoint(electra, scratch.path);
  text::write_file(scratch.path / "generator" / "notes", "kept");
  text::write_file(scratch.path / "merges.txt", "kept while the model is of the same kind");
  save_checkpoint(electra, scratch.path);
  CHECK(fs::exists(scratch.path / "merges.txt"));
  CHECK(fs::exists(scratch.path / "generator" / "tokenizer.json"));
  Trainer bert{sentences(), electra_options(), threads};
  save_checkpoint(bert, scratch.path);
  without(scratch.path,
          {"generator/config.json", "generator/model.safetensors", "generator/tokenizer.json", "merges.txt"});
  CHECK(fs::exists(scratch.path / "generator" / "notes"));
  CHECK(load_model(scratch.path).parameters.tensors() == bert.parameters().tensors());
  CHECK(!load_model(scratch.path).of_electra);
  save_checkpoint(electra, scratch.path);
  CHECK(load_model(scratch.path).of_electra);
  fs::remove_all(scratch.path / "generator");
  fs::create_directories(scratch.path / "elsewhere");
  fs::create_directory_symlink(scratch.path / "elsewhere", scratch.path / "generator");
  CHECK(number_of([&] { save_checkpoint(electra, scratch.path); }) == 707);
  CHECK(fs::is_empty(scratch.path / "elsewhere"));
}

TEST_CASE("a save of an ELECTRA that is stopped at any moment leaves this one, whichever way it is read") {
  const Scratch scratch;
  Threads threads{2};
  ElectraTrainer trainer{sentences(), electra_options(), threads};
  trainer.step();
  save_checkpoint(trainer, scratch.path / "before");
  trainer.step();
  save_checkpoint(trainer, scratch.path / "after");
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator{scratch.path / "after"})
    if (entry.is_regular_file()) names.push_back(entry.path().lexically_relative(scratch.path / "after").string());
  REQUIRE(names.size() == 12);
  for (std::size_t renamed = 0; renamed <= names.size(); ++renamed) {
    INFO(renamed << " files are in place");
    const fs::path stopped = scratch.path / ("stopped-" + std::to_string(renamed));
    fs::copy(scratch.path / "before", stopped, fs::copy_options::recursive);
    std::string list;
    for (std::size_t i = 0; i < names.size(); ++i) {
      fs::copy_file(scratch.path / "after" / names[i], stopped / (names[i] + (i < renamed ? "" : ".next")),
                    fs::copy_options::overwrite_existing);
      list += names[i] + "\n";
    }
    text::write_file(stopped / "files.next", list);
    CHECK(load_electra_run(stopped).state.step == 2);
    const Values<nn::Bert> generator = nn::generator_of(trainer.parameters());
    for (const fs::path& place : {stopped, stopped / "generator", stopped / "generator" / ""})
      CHECK(load_model(place).parameters.tensors() == generator.tensors());
    save_checkpoint(trainer, stopped);
    CHECK(!fs::exists(stopped / "files.next"));
    CHECK(load_electra_run(stopped).state.step == 2);
  }
}
