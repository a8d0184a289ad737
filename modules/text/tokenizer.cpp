module octet.text;
import octet.standard;
import :tokenizer_json;

namespace octet::text {

Tokenizer load_tokenizer(const std::filesystem::path& directory) {
  const auto holds = [&](const char* name) {
    std::error_code ignored;
    return std::filesystem::exists(directory / name, ignored);
  };
  if (holds("vocab.txt")) return load_wordpiece(directory);
  if (const auto whole = directory / "tokenizer.json"; holds("tokenizer.json"))
    if (tokenizer_json_kind(read_file(whole), whole.string()) == "WordPiece") return load_wordpiece(directory);
  if (holds("tokenizer.json") || holds("vocab.json") || holds("merges.txt")) return load_bpe(directory);
  return load_wordpiece(directory);
}

Tokenizer parse_tokenizer_json(std::string_view tokenizer_json, const std::string& name) {
  if (tokenizer_json_kind(tokenizer_json, name) == "WordPiece") return parse_wordpiece_json(tokenizer_json, name);
  return parse_bpe_json(tokenizer_json, name);
}

}  // namespace octet::text
