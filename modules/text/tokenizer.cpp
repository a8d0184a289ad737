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

Tokenizer parse_tokenizer_json(std::string_view tokenizer_json, const std::string& name) {
  if (TokenizerJson{tokenizer_json, name}.kind() == "WordPiece") return parse_wordpiece_json(tokenizer_json, name);
  return parse_bpe_json(tokenizer_json, name);
}

std::vector<std::string> parts_passed_over(std::string_view tokenizer_json, const std::string& name) {
  const TokenizerJson file{tokenizer_json, name};
  std::vector<std::string> parts;
  for (const char* key : {"truncation", "padding"})
    if (file.root().find(key)) parts.emplace_back(key);
  if (file.kind() != "WordPiece") return parts;
  const auto step = file.step("post_processor");
  bool as_bert = step && TokenizerJson::type_of(*step) == "BertProcessing";
  if (const auto single = step ? step->find("single") : std::nullopt) {
    const std::vector<JsonValue> items = single->items();
    as_bert = items.size() == 3 && items[0].find("SpecialToken") && items[1].find("Sequence") &&
              items[2].find("SpecialToken");
  }
  if (!as_bert) parts.emplace_back("post_processor");
  return parts;
}

}  // namespace octet::text
