module octet.text;
import octet.base;
import octet.standard;
import :json;
import :tokenizer_json;

namespace octet::text {

namespace {

// The keys, read one by one: a key that is there must have the right type.
class ConfigReader {
 public:
  ConfigReader(std::string_view json, std::string file) : document_{json, std::move(file), {.number = 710}} {}

  void read(const char* key, bool& value) const {
    const auto found = document_.root().find(key);
    if (!found) return;
    if (found->kind() != JsonValue::Kind::boolean) wrong_type(key, *found, "true or false");
    value = found->boolean();
  }
  void read(const char* key, std::string& value) const {
    auto found = document_.root().find(key);
    if (!found) return;
    // Some tools write a special token as an object with its text as "content".
    if (const auto content = found->find("content")) found = content;
    if (found->kind() != JsonValue::Kind::text) wrong_type(key, *found, "a string");
    value = found->text();
  }
  void read(const char* key, std::size_t& value) const {
    const auto found = document_.root().find(key);
    if (!found) return;
    if (found->kind() != JsonValue::Kind::integer || found->integer() < 0)
      wrong_type(key, *found, "a whole number that is not negative");
    value = static_cast<std::size_t>(found->integer());
  }
  bool has(const char* key) const { return document_.root().find(key).has_value(); }

 private:
  [[noreturn]] void wrong_type(const char* key, const JsonValue& value, const char* expected) const {
    document_.refuse(value, "\"" + std::string{key} + "\" in " + document_.name() + " is not " + expected);
  }

  JsonDocument document_;
};

}  // namespace

std::string tokenizer_config_text(const WordPiece& tokenizer) {
  const WordPieceOptions& options = tokenizer.options();
  const CleanUp& clean = options.clean_up;
  const SpecialTokens& special = tokenizer.vocabulary().special();
  std::string text = "{\n  \"tokenizer_class\": \"BertTokenizer\"";
  const auto add = [&](const char* key, const std::string& value) {
    text += ",\n  \"" + std::string{key} + "\": " + value;
  };
  add("clean_text", json_bool(clean.clean_text));
  add("tokenize_chinese_chars", json_bool(clean.handle_chinese_chars));
  add("do_lower_case", json_bool(clean.lowercase));
  add("strip_accents", clean.strip_accents ? json_bool(*clean.strip_accents) : "null");
  add("wordpieces_prefix", json_string(options.wordpieces_prefix));
  add("max_input_chars_per_word", std::to_string(options.max_characters_per_word));
  add("pad_token", json_string(special.padding));
  add("unk_token", json_string(special.unknown));
  add("cls_token", json_string(special.classification));
  add("sep_token", json_string(special.separator));
  add("mask_token", json_string(special.mask));
  return text + "\n}\n";
}

WordPiece parse_wordpiece(std::string_view vocab_txt, std::string_view config_json, const std::string& name) {
  const std::filesystem::path directory{name};
  ConfigReader config{config_json, (directory / "tokenizer_config.json").string()};
  WordPieceOptions options;
  config.read("clean_text", options.clean_up.clean_text);
  config.read("tokenize_chinese_chars", options.clean_up.handle_chinese_chars);
  config.read("do_lower_case", options.clean_up.lowercase);
  if (config.has("strip_accents")) config.read("strip_accents", options.clean_up.strip_accents.emplace());
  config.read("wordpieces_prefix", options.wordpieces_prefix);
  config.read("max_input_chars_per_word", options.max_characters_per_word);
  SpecialTokens special;
  config.read("pad_token", special.padding);
  config.read("unk_token", special.unknown);
  config.read("cls_token", special.classification);
  config.read("sep_token", special.separator);
  config.read("mask_token", special.mask);
  return WordPiece{parse_vocabulary(vocab_txt, special, (directory / "vocab.txt").string()), options};
}

WordPiece load_wordpiece(const std::filesystem::path& directory) {
  const auto holds = [&](const char* name) {
    std::error_code ignored;
    return std::filesystem::exists(directory / name, ignored);
  };
  if (const auto whole = directory / "tokenizer.json"; holds("tokenizer.json")) {
    if (!holds("vocab.txt")) return parse_wordpiece_json(read_file(whole), whole.string());
    if (!holds("tokenizer_config.json"))
      return parse_wordpiece_beside(read_file(directory / "vocab.txt"), read_file(whole), directory.string());
  }
  return parse_wordpiece(read_file(directory / "vocab.txt"),
                         holds("tokenizer_config.json") ? read_file(directory / "tokenizer_config.json") : "{}",
                         directory.string());
}

}  // namespace octet::text
