/// tokenizer.json, which describes a tokenizer as a chain of steps; what is read here is the chain of GPT-2.
module octet.text;
import octet.base;
import octet.standard;
import :json;
import :tokenizer_config_json;
import :tokenizer_json;

namespace octet::text {

namespace {

std::string byte_level(bool add_prefix_space, bool trim_offsets) {
  return "{\"type\": \"ByteLevel\", \"add_prefix_space\": " + std::string{json_bool(add_prefix_space)} +
         ", \"trim_offsets\": " + json_bool(trim_offsets) + ", \"use_regex\": true}";
}

class BpeJsonReader {
 public:
  BpeJsonReader(std::string_view text, const std::string& name) : file_{text, name} {
    parts_.pieces_file = parts_.merges_file = name;
  }

  Bpe read(std::string_view config) {
    read_model(file_.required(file_.root(), "model", Kind::object));
    if (const auto normalizer = file_.step("normalizer"))
      file_.unlike(*normalizer, "changes the text before it splits it (\"normalizer\")");
    read_pre_tokenizer();
    if (const auto processor = file_.step("post_processor")) read_processor(*processor);
    TokenizerConfig{config, std::filesystem::path{file_.name()}.parent_path()}.read_bpe(parts_);
    Bpe tokenizer{std::move(parts_)};
    const auto model = file_.root().find("model");
    if (const auto unknown = model->find("unk_token"); unknown && !tokenizer.missing_bytes().empty())
      file_.unlike(*unknown, "has a token for bytes without a piece (\"unk_token\")");
    return tokenizer;
  }

 private:
  using Kind = JsonValue::Kind;

  void read_model(const JsonValue& model) {
    const std::string type = TokenizerJson::type_of(model);
    if (type != "BPE" && !(type.empty() && model.find("merges")))
      file_.unlike(model, "is of the type " + json_string(type));
    for (const char* key : {"dropout", "continuing_subword_prefix", "end_of_word_suffix"})
      if (const auto found = model.find(key); found && !(found->kind() == Kind::text && found->text().empty()))
        file_.unlike(*found, "has the option " + json_string(key));
    for (const char* key : {"byte_fallback", "ignore_merges"})
      if (file_.flag(model, key, false)) file_.unlike(model, "has the option " + json_string(key));

    const std::vector<TokenizerJson::AddedToken> added = file_.added_tokens();
    std::tie(parts_.pieces, parts_.piece_lines) = file_.pieces(model, added);
    for (const TokenizerJson::AddedToken& token : added) {
      parts_.special.push_back(token.content);
      if (token.normalized != added.front().normalized)
        file_.unlike(token.place, "seeks some of its added tokens after the others (\"normalized\")");
    }
    for (const JsonValue& merge : file_.required(model, "merges", Kind::list).items()) read_merge(merge);
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
      file_.document().refuse(
          merge, "merge " + std::to_string(parts_.merges.size() + 1) + " of " + file_.name() + " is not two pieces");
    parts_.merges.emplace_back(left, right);
    parts_.merge_lines.push_back(merge.line());
  }

  void read_pre_tokenizer() {
    auto step = file_.step("pre_tokenizer");
    if (step && TokenizerJson::type_of(*step) == "Sequence")
      if (const auto steps = step->find("pretokenizers"); steps && steps->items().size() == 1)
        step = steps->items().front();
    if (!step || TokenizerJson::type_of(*step) != "ByteLevel" || !file_.flag(*step, "use_regex", true))
      file_.unlike(step.value_or(file_.root()), "does not split text into words as GPT-2 does (\"pre_tokenizer\")");
    parts_.options.add_prefix_space = file_.flag(*step, "add_prefix_space", true);
  }

  // Of what comes after the pieces, only what it does to their ranges counts.
  void read_processor(const JsonValue& step) {
    if (const auto steps = step.find("processors"))
      for (const JsonValue& one : steps->items()) read_processor(one);
    const std::string type = TokenizerJson::type_of(step);
    if (type != "ByteLevel" && type != "RobertaProcessing") return;
    const bool trims = file_.flag(step, "trim_offsets", true);
    if (trims && parts_.options.trim_offsets) file_.unlike(step, "trims ranges twice (\"trim_offsets\")");
    if (parts_.options.trim_offsets) return;
    parts_.options.trim_offsets = trims;
    parts_.options.trim_first_offsets = !file_.flag(step, "add_prefix_space", true);
  }

  TokenizerJson file_;
  BpeParts parts_;
};

void write_tokenizer_json(const BpeModel& tokenizer, const FileParts::Write& write) {
  const BpeOptions& options = tokenizer.options();
  std::vector<std::pair<std::int32_t, std::string>> special;
  for (std::size_t i = 0; i < tokenizer.special().size(); ++i)
    special.emplace_back(tokenizer.special_ids()[i], tokenizer.special()[i]);
  std::string text = tokenizer_json_head(special) + ",\n  \"normalizer\": null";
  text += ",\n  \"pre_tokenizer\": " + byte_level(options.add_prefix_space, true);
  text += ",\n  \"post_processor\": " + byte_level(!options.trim_first_offsets, options.trim_offsets);
  text += ",\n  \"decoder\": " + byte_level(true, true);
  text +=
      ",\n  \"model\": {\n    \"type\": \"BPE\",\n    \"dropout\": null,\n    \"unk_token\": null,\n"
      "    \"continuing_subword_prefix\": null,\n    \"end_of_word_suffix\": null,\n    \"fuse_unk\": false,\n"
      "    \"byte_fallback\": false,\n    \"ignore_merges\": false,\n    \"vocab\": ";
  write(text);
  write_vocabulary(write, tokenizer.pieces());
  write(",\n    \"merges\": [");
  const char* between = "\n      ";
  for (const auto [left, right] : tokenizer.merges()) {
    write(between + std::string{"["} + json_string(tokenizer.piece(left)) + ", " + json_string(tokenizer.piece(right)) +
          "]");
    between = ",\n      ";
  }
  write("\n    ]\n  }\n}\n");
}

}  // namespace

FileParts tokenizer_json_parts(const BpeModel& tokenizer) {
  return {[&](const FileParts::Write& write) { write_tokenizer_json(tokenizer, write); }};
}

std::string tokenizer_json_text(const BpeModel& tokenizer) { return tokenizer_json_parts(tokenizer).joined(); }

Bpe parse_bpe_json(std::string_view tokenizer_json, const std::string& name, std::string_view config_json) {
  return BpeJsonReader{tokenizer_json, name}.read(config_json);
}

}  // namespace octet::text
