module;
#include <simdjson.h>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>
module octet.text;
import octet.base;

namespace octet::text {

namespace {

std::string json_string(std::string_view text) {
  constexpr char digits[] = "0123456789abcdef";
  std::string result = "\"";
  for (char character : text) {
    const unsigned char byte = static_cast<unsigned char>(character);
    if (character == '"' || character == '\\')
      (result += '\\') += character;
    else if (byte < 0x20)
      ((result += "\\u00") += digits[byte >> 4]) += digits[byte & 15];
    else
      result += character;
  }
  return result + "\"";
}

const char* written(bool value) { return value ? "true" : "false"; }

// The keys, read one by one: a key that is there must have the right type.
class ConfigReader {
 public:
  ConfigReader(std::string_view json, std::string file) : file_{std::move(file)} {
    simdjson::dom::element root;
    if (const auto error = parser_.parse(json.data(), json.size()).get(root)) malformed(simdjson::error_message(error));
    if (root.get(object_)) malformed("it is not a JSON object");
  }

  void read(const char* key, bool& value) {
    simdjson::dom::element element;
    if (object_[key].get(element) || element.is_null()) return;
    if (element.get(value)) wrong_type(key, "true or false");
  }
  void read(const char* key, std::string& value) {
    simdjson::dom::element element;
    if (object_[key].get(element) || element.is_null()) return;
    // Some tools write a special token as an object with its text as "content".
    simdjson::dom::element content;
    if (!element["content"].get(content)) element = content;
    std::string_view text;
    if (element.get(text)) wrong_type(key, "a string");
    value = text;
  }
  void read(const char* key, std::size_t& value) {
    simdjson::dom::element element;
    if (object_[key].get(element) || element.is_null()) return;
    std::uint64_t number = 0;
    if (element.get(number)) wrong_type(key, "a number that is not negative");
    value = static_cast<std::size_t>(number);
  }
  bool has(const char* key) const {
    simdjson::dom::element element;
    return !object_[key].get(element) && !element.is_null();
  }

 private:
  [[noreturn]] void malformed(const std::string& why) const {
    fail({.number = 710, .sentence = file_ + " cannot be read: " + why, .where = {file_, 0, ""}});
  }
  [[noreturn]] void wrong_type(const char* key, const char* expected) const {
    fail({.number = 710,
          .sentence = "\"" + std::string{key} + "\" in " + file_ + " is not " + expected,
          .where = {file_, 0, ""}});
  }

  std::string file_;
  simdjson::dom::parser parser_;
  simdjson::dom::object object_;
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
  add("clean_text", written(clean.clean_text));
  add("tokenize_chinese_chars", written(clean.handle_chinese_chars));
  add("do_lower_case", written(clean.lowercase));
  add("strip_accents", clean.strip_accents ? written(*clean.strip_accents) : "null");
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
  const std::string vocabulary = read_file(directory / "vocab.txt");
  std::error_code ignored;
  const std::filesystem::path config = directory / "tokenizer_config.json";
  return parse_wordpiece(vocabulary, std::filesystem::exists(config, ignored) ? read_file(config) : "{}",
                         directory.string());
}

}  // namespace octet::text
