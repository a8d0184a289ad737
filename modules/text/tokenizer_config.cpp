module octet.text;
import octet.base;
import octet.standard;
import :json;
import :tokenizer_config_json;
import :tokenizer_json;

namespace octet::text {

std::string tokenizer_config_text(const WordPieceModel& tokenizer) {
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
  if (special.recognized || special.added > 0) {
    std::string tokens;
    for (const std::string& name : tokenizer.vocabulary().recognized())
      tokens += (tokens.empty() ? "{\n    \"" : ",\n    \"") + std::to_string(*tokenizer.vocabulary().id(name)) +
                "\": {\"content\": " + json_string(name) +
                ", \"lstrip\": false, \"normalized\": false, \"rstrip\": false, \"single_word\": false, "
                "\"special\": true}";
    add("added_tokens_decoder", tokens.empty() ? "{}" : tokens + "\n  }");
  }
  return text + "\n}\n";
}

WordPiece parse_wordpiece(std::string_view vocab_txt, std::string_view config_json, const std::string& name) {
  const std::filesystem::path directory{name};
  const TokenizerConfig config{config_json, directory};
  config.require_bert(true);
  WordPieceOptions options;
  config.read_clean_up(options.clean_up);
  config.read("clean_text", options.clean_up.clean_text);
  config.read("wordpieces_prefix", options.wordpieces_prefix);
  config.read("max_input_chars_per_word", options.max_characters_per_word);
  const std::string vocabulary = (directory / "vocab.txt").string();
  std::vector<std::string> pieces = vocabulary_lines(vocab_txt, vocabulary);
  SpecialTokens special;
  special.added = pieces.size();
  config.read_special(special, pieces);
  special.added = pieces.size() - special.added;
  return WordPiece{Vocabulary{std::move(pieces), std::move(special), vocabulary}, options};
}

WordPiece load_wordpiece(const std::filesystem::path& directory, const DirectoryReader& read) {
  const std::optional<std::string> whole = read("tokenizer.json"), pieces = read("vocab.txt");
  const std::string config = read("tokenizer_config.json").value_or("{}");
  if (!whole) {
    WordPiece tokenizer =
        parse_wordpiece(pieces ? *pieces : read_file(directory / "vocab.txt"), config, directory.string());
    require_known_special(directory, read, [&](std::string_view name) {
      const auto id = tokenizer.vocabulary().id(name);
      return id && tokenizer.vocabulary().is_special(*id);
    });
    return tokenizer;
  }
  const std::string file = (directory / "tokenizer.json").string();
  try {
    return parse_wordpiece_json(*whole, file, config, pieces.value_or(""));
  } catch (const Error& error) {
    if (!pieces) throw;
    std::vector<Diagnostic> faults = error.diagnostics();
    for (Diagnostic& fault : faults)
      if (fault.where.file.string() == file)
        fault.fix.push_back("take tokenizer.json away: vocab.txt is then used as BERT's own tokenizer does");
    throw Error{std::move(faults)};
  }
}

WordPiece load_wordpiece(const std::filesystem::path& directory) {
  return load_wordpiece(directory, reader_of(directory));
}

}  // namespace octet::text
