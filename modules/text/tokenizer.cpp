module octet.text;
import octet.standard;
import :json;
import :tokenizer_json;

namespace octet::text {

Tokenizer load_tokenizer(const std::filesystem::path& directory) {
  const auto holds = [&](const char* name) {
    std::error_code ignored;
    return std::filesystem::exists(directory / name, ignored);
  };
  if (holds("vocab.txt")) return load_wordpiece(directory);
  if (const auto whole = directory / "tokenizer.json"; holds("tokenizer.json"))
    if (TokenizerJson{read_file(whole), whole.string()}.kind() == "WordPiece") return load_wordpiece(directory);
  if (holds("tokenizer.json") || holds("vocab.json") || holds("merges.txt")) return load_bpe(directory);
  return load_wordpiece(directory);
}

Tokenizer parse_tokenizer_json(std::string_view tokenizer_json, const std::string& name, std::string_view config_json,
                               std::string_view vocab_txt) {
  if (TokenizerJson{tokenizer_json, name}.kind() == "WordPiece")
    return parse_wordpiece_json(tokenizer_json, name, config_json, vocab_txt);
  return parse_bpe_json(tokenizer_json, name, config_json);
}

namespace {

using Kind = JsonValue::Kind;

// Whether it makes [CLS] A [SEP] of a text and [CLS] A [SEP] B [SEP] of two, with the tokens' own ids.
bool is_of_bert(const TokenizerJson& file, const JsonValue& step) {
  const auto items = [](const std::optional<JsonValue>& list) {
    return list ? list->items() : std::vector<JsonValue>{};
  };
  const auto has_own_id = [&](std::string_view name, const std::vector<JsonValue>& ids) {
    const auto vocabulary = file.required(file.root(), "model", Kind::object).find("vocab");
    auto own = vocabulary ? vocabulary->find(name) : std::nullopt;
    for (const JsonValue& token : items(file.root().find("added_tokens")))
      if (const auto content = token.find("content"); content && content->text() == name) own = token.find("id");
    return own && ids.size() == 1 && ids[0].integer() == own->integer();
  };
  if (TokenizerJson::type_of(step) == "BertProcessing")
    return std::ranges::all_of(std::array{"cls", "sep"}, [&](const char* key) {
      const std::vector<JsonValue> token = items(step.find(key));
      return token.size() == 2 && has_own_id(token[0].text(), {token[1]});
    });

  std::vector<std::string_view> names;  // of the special tokens, in the order of both
  const auto shown = [&](const char* key) {
    std::string text;
    for (const JsonValue& item : items(step.find(key)))
      for (const char* kind : {"SpecialToken", "Sequence"})
        if (const auto part = item.find(kind)) {
          const auto id = part->find("id"), type = part->find("type_id");
          const std::string_view name = id ? id->text() : "";
          text += kind + std::string{name} + std::to_string(type ? type->integer() : 0);
          if (kind[1] == 'p') names.push_back(name);
        }
    return text;
  };
  const std::string single = shown("single"), pair = shown("pair");
  if (names.size() != 5) return false;
  const std::string first{names[0]}, last{names[1]};
  const auto has_its_ids = [&](const std::string& name) {
    const auto tokens = step.find("special_tokens"), token = tokens ? tokens->find(name) : std::nullopt;
    return token && has_own_id(name, items(token->find("ids")));
  };
  return single == "SpecialToken" + first + "0SequenceA0SpecialToken" + last + "0" &&
         pair == single + "SequenceB1SpecialToken" + last + "1" && has_its_ids(first) && has_its_ids(last);
}

}  // namespace

std::vector<std::string> parts_passed_over(std::string_view tokenizer_json, const std::string& name) {
  const TokenizerJson file{tokenizer_json, name};
  std::vector<std::string> parts;
  for (const char* key : {"truncation", "padding"})
    if (file.root().find(key)) parts.emplace_back(key);
  if (file.kind() != "WordPiece") return parts;
  if (const auto step = file.step("post_processor"); !step || !is_of_bert(file, *step))
    parts.emplace_back("post_processor");
  return parts;
}

}  // namespace octet::text
