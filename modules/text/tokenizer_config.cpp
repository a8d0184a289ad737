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

  // The special tokens beyond the five, or all of them by id; one that is no piece comes after the others.
  void read_recognized(SpecialTokens& special, std::vector<std::string>& pieces,
                       std::string_view tokenizer_json) const {
    std::vector<std::string> names = special.all();
    const auto is_piece = [&](std::string_view name) { return std::ranges::find(pieces, name) != pieces.end(); };
    const auto add = [&](std::string_view name, std::string_view id) {
      names.emplace_back(name);
      if (!is_piece(name) && (id.empty() || id == std::to_string(pieces.size()))) pieces.emplace_back(name);
    };
    const auto take = [&](const char* key, const JsonValue& token, std::string_view id) {
      const JsonValue content = token.find("content").value_or(token);
      if (content.kind() != JsonValue::Kind::text || content.text().empty() ||
          content.text().find_first_of("\r\n") != std::string_view::npos)
        wrong_type(key, content, "of names of a line each");
      add(content.text(), id);
    };
    if (const auto all = document_.root().find("added_tokens_decoder")) {
      names.clear();
      const std::vector<JsonValue> ids = all->keys(), tokens = all->items();
      std::vector<std::size_t> order(std::min(ids.size(), tokens.size()));
      std::iota(order.begin(), order.end(), std::size_t{0});
      // Numbers in rising order: a longer one is larger.
      std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair{ids[i].text().size(), ids[i].text()}; });
      for (const std::size_t i : order)
        if (const auto is_special = tokens[i].find("special"); is_special && is_special->boolean())
          take("added_tokens_decoder", tokens[i], ids[i].text());
    } else if (!tokenizer_json.empty()) {
      try {
        const TokenizerJson beside{tokenizer_json, document_.name()};
        for (const TokenizerJson::AddedToken& token : beside.added_tokens())
          if (beside.kind() == "WordPiece" && (token.id == std::ssize(pieces) || is_piece(token.content)))
            add(token.content, std::to_string(token.id));
      } catch (const Error&) {  // vocab.txt and this configuration are a tokenizer without it
      }
    }
    if (const auto more = document_.root().find("additional_special_tokens"))
      for (const JsonValue& token : more->items()) take("additional_special_tokens", token, {});
    special.recognized = std::move(names);
  }

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
  if (special.recognized) {
    std::string tokens;
    for (const std::string& name : *special.recognized)
      tokens += (tokens.empty() ? "{\n    \"" : ",\n    \"") + std::to_string(*tokenizer.vocabulary().id(name)) +
                "\": {\"content\": " + json_string(name) +
                ", \"lstrip\": false, \"normalized\": false, \"rstrip\": false, \"single_word\": false, "
                "\"special\": true}";
    add("added_tokens_decoder", tokens.empty() ? "{}" : tokens + "\n  }");
  }
  return text + "\n}\n";
}

WordPiece parse_wordpiece(std::string_view vocab_txt, std::string_view config_json, const std::string& name,
                          std::string_view tokenizer_json) {
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
  const std::string vocabulary = (directory / "vocab.txt").string();
  std::vector<std::string> pieces = vocabulary_lines(vocab_txt, vocabulary);
  config.read_recognized(special, pieces, tokenizer_json);
  return WordPiece{Vocabulary{std::move(pieces), std::move(special), vocabulary}, options};
}

WordPiece load_wordpiece(const std::filesystem::path& directory) {
  const auto holds = [&](const char* name) {
    std::error_code ignored;
    return std::filesystem::exists(directory / name, ignored);
  };
  std::string whole;
  if (const auto file = directory / "tokenizer.json"; holds("tokenizer.json")) {
    whole = read_file(file);
    if (!holds("vocab.txt")) return parse_wordpiece_json(whole, file.string());
    if (!holds("tokenizer_config.json"))
      return parse_wordpiece_beside(read_file(directory / "vocab.txt"), whole, directory.string());
  }
  return parse_wordpiece(read_file(directory / "vocab.txt"),
                         holds("tokenizer_config.json") ? read_file(directory / "tokenizer_config.json") : "{}",
                         directory.string(), whole);
}

}  // namespace octet::text
