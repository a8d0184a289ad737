// A run that is saved comes back to the bit, whatever stops the saving.
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
import octet.compile;
import octet.graph;
import octet.text;
import octet.data;
import octet.trace;
import octet.nn;
import octet.train;

#include "checkpoint_files.hpp"

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
  CHECK(flatten({"state"}, saved.state.state).statics == flatten({"state"}, run.state).statics);

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

TEST_CASE("a saved run goes on computing its layers again for gradients") {
  const Scratch scratch;
  TrainOptions options = small();
  options.gradient_checkpointing = true;
  save_checkpoint(run_at(7, options), tokenizer(), scratch.path);
  CHECK(load_run(scratch.path).state.state.structure().model.gradient_checkpointing);
}

TEST_CASE("a run saved, loaded and saved again writes the same bytes") {
  const Scratch scratch;
  save_checkpoint(run_at(3), tokenizer(), scratch.path / "a");
  const SavedRun saved = load_run(scratch.path / "a");
  save_checkpoint(saved.state, saved.tokenizer, scratch.path / "b");
  CHECK(files_of(scratch.path / "a") == files_of(scratch.path / "b"));
  CHECK(files_of(scratch.path / "a").size() == 7);
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

TEST_CASE("files that do not belong together are refused") {
  const Scratch scratch;
  save_checkpoint(run_at(5), tokenizer(), scratch.path / "five");
  save_checkpoint(run_at(6), tokenizer("dog"), scratch.path / "six");
  auto five = files_of(scratch.path / "five");
  const auto six = files_of(scratch.path / "six");
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
  says(with("vocab.txt", six.at("vocab.txt")), 720, "the id 5 is \"dog\"");
  CHECK(refusal([&] { load_model(mixed); }).number == 720);
  CHECK(with("vocab.txt", five.at("vocab.txt") + "more\n").number == 0);  // tokenizer.json tells the pieces
  five.erase("tokenizer.json");
  says(with("vocab.txt", six.at("vocab.txt")), 715, "is not the vocabulary that");
  CHECK(refusal([&] { load_model(mixed); }).number == 715);
  says(with("vocab.txt", five.at("vocab.txt") + "more\n"), 715,
       "has 11 pieces with all that is added to it, and the model of config.json only 10");
  says(
      with("config.json", replaced(five.at("config.json"), "\"num_attention_heads\": 2", "\"num_attention_heads\": 1")),
      715, "is not the one of");
  says(with("config.json", replaced(five.at("config.json"), "\"hidden_size\": 4", "\"hidden_size\": 8")), 715,
       "where config.json makes it");
  says(with("training.json", replaced(five.at("training.json"), "\"step\": 5", "\"step\": 6")), 715,
       "is not as it was written");
  says(with("training.json", replaced(five.at("training.json"), "\"clip_norm\": 1", "\"clip_norm\": 2")), 715,
       "is not as it was written");
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

namespace {

// One that keeps capitals and accents.
text::WordPiece keeping_tokenizer() {
  return text::WordPiece{tokenizer().vocabulary(), {.clean_up = {.lowercase = false, .strip_accents = false}}};
}

RunState keeping_run(std::string position = {}) {
  TrainOptions options = small();
  options.lowercase = options.strip_accents = false;
  RunState run = run_at(5, options);
  run.position = std::move(position);
  return run;
}

}  // namespace

TEST_CASE("a run whose tokenizer_config.json is missing keeps its tokenizer") {
  const Scratch scratch;
  save_checkpoint(keeping_run(), keeping_tokenizer(), scratch.path);
  const auto files = files_of(scratch.path);
  const auto options = [&] {
    const text::WordPieceOptions loaded = load_run(scratch.path).tokenizer.options();
    CHECK(load_model(scratch.path).tokenizer.options() == loaded);
    return loaded;
  };
  fs::remove(scratch.path / "tokenizer_config.json");
  CHECK(options() == keeping_tokenizer().options());
  fs::remove(scratch.path / "tokenizer.json");
  CHECK(options() == keeping_tokenizer().options());
  const SavedRun saved = load_run(scratch.path);
  save_checkpoint(saved.state, saved.tokenizer, scratch.path);
  CHECK(files_of(scratch.path) == files);
}

TEST_CASE("files that tell of another tokenizer than the run's are refused, and what each says is told") {
  const Scratch scratch;
  save_checkpoint(keeping_run(), keeping_tokenizer(), scratch.path);
  const auto lower = [&](const char* name, const char* key) {
    const std::string said = "\"" + std::string{key} + "\": ";
    put(scratch.path / name, replaced(text::read_file(scratch.path / name), said + "false", said + "true"));
  };
  lower("tokenizer_config.json", "do_lower_case");
  const Refusal two = refusal([&] { load_model(scratch.path); });
  says(two, 710, "tokenizer_config.json means \"do_lower_case\": true, and ");
  says(two, 710, "tokenizer.json \"lowercase\": false.");
  CHECK(refusal([&] { load_run(scratch.path); }).number == 710);
  lower("tokenizer.json", "lowercase");  // as a resumed run would have left it
  const Refusal changed = refusal([&] { load_run(scratch.path); });
  says(changed, 710, "training.json \"lowercase\": false.");
  says(changed, 710, "make it \"do_lower_case\": false");
  fs::remove(scratch.path / "tokenizer_config.json");
  says(refusal([&] { load_run(scratch.path); }), 710, "tokenizer.json means \"lowercase\": true, and ");

  // A run on data has words that were there before it, whatever its options would have made of a text.
  save_checkpoint(keeping_run("a position"), tokenizer(), scratch.path);
  CHECK(load_run(scratch.path).tokenizer == tokenizer());
}

TEST_CASE("a save that is stopped at any moment leaves the checkpoint before or this one") {
  const Scratch scratch;
  save_checkpoint(run_at(5), tokenizer(), scratch.path / "five");
  save_checkpoint(run_at(6), tokenizer("dog"), scratch.path / "six");
  const auto five = files_of(scratch.path / "five"), six = files_of(scratch.path / "six");
  const std::vector<std::string> order{"config.json",           "vocab.txt",         "tokenizer.json",
                                       "tokenizer_config.json", "model.safetensors", "training.safetensors",
                                       "training.json"};
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
    CHECK(files_of(directory).size() == 7);
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
  CHECK(files_of(scratch.path / "run").size() == 7);
  put(scratch.path / "file", "hello");
  CHECK(refusal([&] { save_checkpoint(run_at(6), tokenizer(), scratch.path / "file"); }).number == 707);
  CHECK(refusal([&] { save_checkpoint(run_at(6), tokenizer(), scratch.path / "file" / "below"); }).number == 707);
  CHECK(text::read_file(scratch.path / "file") == "hello");
}
