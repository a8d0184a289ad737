/// tokenizer.json, which describes a tokenizer as a chain of steps; what is read here is the chain of GPT-2.
module;
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
module octet.text;
import :json;
import octet.base;

namespace octet::text {

namespace {

const char* written(bool value) { return value ? "true" : "false"; }

std::string byte_level(bool add_prefix_space, bool trim_offsets) {
  return "{\"type\": \"ByteLevel\", \"add_prefix_space\": " + std::string{written(add_prefix_space)} +
         ", \"trim_offsets\": " + written(trim_offsets) + ", \"use_regex\": true}";
}

class BpeJsonReader {
 public:
  BpeJsonReader(std::string_view text, const std::string& name) : document_{text, name, 720} {
    parts_.pieces_file = parts_.merges_file = name;
  }

  Bpe read() {
    const JsonValue model = required(document_.root(), "model", JsonValue::Kind::object, "an object");
    read_model(model);
    if (const auto normalizer = document_.root().find("normalizer"))
      unlike(*normalizer, "changes the text before it splits it (\"normalizer\")");
    read_pre_tokenizer();
    if (const auto processor = document_.root().find("post_processor")) read_processor(*processor);
    return Bpe{std::move(parts_)};
  }

 private:
  JsonValue required(const JsonValue& object, const char* key, JsonValue::Kind kind, const char* expected) const {
    const auto found = object.find(key);
    if (!found) document_.refuse(object, document_.name() + " has no " + json_string(key));
    if (found->kind() != kind)
      document_.refuse(*found, json_string(key) + " in " + document_.name() + " is not " + expected);
    return *found;
  }

  static std::string type_of(const JsonValue& step) {
    const auto type = step.find("type");
    return type ? std::string{type->text()} : std::string{};
  }
  static bool flag(const JsonValue& object, const char* key, bool otherwise) {
    const auto found = object.find(key);
    return found ? found->boolean() : otherwise;
  }

  [[noreturn]] void unlike(const JsonValue& value, const std::string& what) const {
    fail({.number = 721,
          .sentence = "the tokenizer of " + document_.name() + " " + what,
          .where = {document_.name(), value.line(), ""}});
  }

  void read_model(const JsonValue& model) {
    if (const std::string type = type_of(model); type != "BPE" && !(type.empty() && model.find("merges")))
      unlike(model, "is of the type " + json_string(type));
    for (const char* key : {"dropout", "continuing_subword_prefix", "end_of_word_suffix"})
      if (const auto found = model.find(key);
          found && !(found->kind() == JsonValue::Kind::text && found->text().empty()))
        unlike(*found, "has the option " + json_string(key));
    for (const char* key : {"byte_fallback", "ignore_merges"})
      if (flag(model, key, false)) unlike(model, "has the option " + json_string(key));

    const JsonValue vocabulary = required(model, "vocab", JsonValue::Kind::object, "an object");
    const auto added = document_.root().find("added_tokens");
    const std::vector<JsonValue> tokens = added ? added->items() : std::vector<JsonValue>{};
    read_pieces(document_, vocabulary, tokens.size(), parts_);
    for (const JsonValue& token : tokens) read_added(token);
    while (!parts_.pieces.empty() && parts_.pieces.back().empty()) parts_.pieces.pop_back();
    for (const JsonValue& merge : required(model, "merges", JsonValue::Kind::list, "a list").items()) read_merge(merge);
  }

  void read_added(const JsonValue& token) {
    const std::string content{required(token, "content", JsonValue::Kind::text, "a string").text()};
    const JsonValue number = required(token, "id", JsonValue::Kind::integer, "a number");
    const auto id = static_cast<std::size_t>(number.integer());
    if (content.empty() || number.integer() < 0 || id >= parts_.pieces.size() ||
        (!parts_.pieces[id].empty() && parts_.pieces[id] != content))
      document_.refuse(number, "the added token " + json_string(content) + " of " + document_.name() + " has the id " +
                                   std::to_string(number.integer()) + ", which is another piece's or leaves a gap");
    for (const char* key : {"single_word", "lstrip", "rstrip"})
      if (flag(token, key, false))
        unlike(token, "has the added token " + json_string(content) + " with the option " + json_string(key));
    if (!flag(token, "special", false))
      unlike(token, "has the added token " + json_string(content) + ", which is not special");
    parts_.pieces[id] = content;
    parts_.piece_lines[id] = number.line();
    parts_.special.push_back(content);
  }

  // Newer files have ["a", "b"], older ones "a b".
  void read_merge(const JsonValue& merge) {
    const std::vector<JsonValue> items = merge.items();
    std::string_view left, right;
    if (items.size() == 2) {
      left = items[0].text();
      right = items[1].text();
    } else if (const std::size_t blank = merge.text().find(' '); blank != std::string_view::npos) {
      left = merge.text().substr(0, blank);
      right = merge.text().substr(blank + 1);
    }
    if (left.empty() || right.empty())
      document_.refuse(merge, "merge " + std::to_string(parts_.merges.size() + 1) + " of " + document_.name() +
                                  " is not two pieces");
    parts_.merges.emplace_back(left, right);
    parts_.merge_lines.push_back(merge.line());
  }

  void read_pre_tokenizer() {
    auto step = document_.root().find("pre_tokenizer");
    if (step && type_of(*step) == "Sequence")
      if (const auto steps = step->find("pretokenizers"); steps && steps->items().size() == 1)
        step = steps->items().front();
    if (!step || type_of(*step) != "ByteLevel" || !flag(*step, "use_regex", true))
      unlike(step.value_or(document_.root()), "does not split text into words as GPT-2 does (\"pre_tokenizer\")");
    parts_.options.add_prefix_space = flag(*step, "add_prefix_space", true);
  }

  // Of what comes after the pieces, only what it does to their ranges counts.
  void read_processor(const JsonValue& step) {
    if (const auto steps = step.find("processors"))
      for (const JsonValue& one : steps->items()) read_processor(one);
    const std::string type = type_of(step);
    if (type != "ByteLevel" && type != "RobertaProcessing") return;
    parts_.options.trim_offsets = flag(step, "trim_offsets", true);
    parts_.options.trim_first_offsets = !flag(step, "add_prefix_space", true);
  }

  JsonDocument document_;
  BpeParts parts_;
};

}  // namespace

std::string tokenizer_json_text(const Bpe& tokenizer) {
  const BpeOptions& options = tokenizer.options();
  std::string text = "{\n  \"version\": \"1.0\",\n  \"truncation\": null,\n  \"padding\": null,\n  \"added_tokens\": [";
  const char* between = "\n    ";
  for (const std::string& token : tokenizer.special()) {
    text += between + std::string{"{\"id\": "} + std::to_string(*tokenizer.id(token)) +
            ", \"content\": " + json_string(token) +
            ", \"single_word\": false, \"lstrip\": false, \"rstrip\": false, \"normalized\": false, \"special\": true}";
    between = ",\n    ";
  }
  text += "\n  ],\n  \"normalizer\": null,\n  \"pre_tokenizer\": " + byte_level(options.add_prefix_space, true);
  text += ",\n  \"post_processor\": " + byte_level(!options.trim_first_offsets, options.trim_offsets);
  text += ",\n  \"decoder\": " + byte_level(true, true);
  text +=
      ",\n  \"model\": {\n    \"type\": \"BPE\",\n    \"dropout\": null,\n    \"unk_token\": null,\n"
      "    \"continuing_subword_prefix\": null,\n    \"end_of_word_suffix\": null,\n    \"fuse_unk\": false,\n"
      "    \"byte_fallback\": false,\n    \"ignore_merges\": false,\n    \"vocab\": {";
  between = "\n      ";
  for (std::size_t id = 0; id < tokenizer.size(); ++id) {
    text += between + json_string(tokenizer.pieces()[id]) + ": " + std::to_string(id);
    between = ",\n      ";
  }
  text += "\n    },\n    \"merges\": [";
  between = "\n      ";
  for (const auto [left, right] : tokenizer.merges()) {
    text += between + std::string{"["} + json_string(tokenizer.piece(left)) + ", " +
            json_string(tokenizer.piece(right)) + "]";
    between = ",\n      ";
  }
  return text + "\n    ]\n  }\n}\n";
}

Bpe parse_bpe_json(std::string_view tokenizer_json, const std::string& name) {
  return BpeJsonReader{tokenizer_json, name}.read();
}

}  // namespace octet::text
