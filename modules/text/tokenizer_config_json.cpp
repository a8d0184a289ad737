module octet.text;
import octet.base;
import octet.standard;
import :json;
import :tokenizer_config_json;
import :tokenizer_json;

namespace octet::text {

using Kind = JsonValue::Kind;

TokenizerConfig::TokenizerConfig(std::string_view text, const std::filesystem::path& directory)
    : TokenizerJson{text, (directory / "tokenizer_config.json").string(), 710} {}

void TokenizerConfig::read(const char* key, std::string& to) const {
  if (const auto found = root().find(key)) to = token_name(*found);
}

void TokenizerConfig::read(const char* key, std::size_t& to) const {
  const auto found = root().find(key);
  if (!found) return;
  if (found->kind() != Kind::integer || found->integer() < 0)
    document().refuse(*found, json_string(key) + " in " + name() + " is not a whole number that is not negative");
  to = static_cast<std::size_t>(found->integer());
}

void TokenizerConfig::read_clean_up(CleanUp& to) const {
  read("tokenize_chinese_chars", to.handle_chinese_chars);
  read("do_lower_case", to.lowercase);
  if (root().find("strip_accents")) read("strip_accents", to.strip_accents.emplace());
}

void TokenizerConfig::require_bert(bool is_alone) const {
  constexpr struct {
    const char *key, *usual;    // words; of a list it is an empty one, and true where it is true or false
    bool counts_always = true;  // and not only where no tokenizer.json tells instead
  } options[] = {{"do_basic_tokenize", "", false},
                 {"never_split", "", false},
                 {"word_tokenizer_type", " basic "},
                 {"subword_tokenizer_type", " wordpiece "},
                 {"padding_side", " right "},
                 {"truncation_side", " right "},
                 {"tokenizer_class",
                  " BertTokenizer ElectraTokenizer DistilBertTokenizer PreTrainedTokenizer TokenizersBackend "}};
  for (const auto& [key, usual, counts_always] : options) {
    const auto found = root().find(key);
    if (!found || !(counts_always || is_alone)) continue;
    std::string_view word = found->text();
    if (word.ends_with("Fast")) word.remove_suffix(4);
    const bool is_usual = found->kind() == Kind::boolean ? found->boolean()
                          : found->kind() == Kind::list
                              ? found->items().empty()
                              : std::string_view{usual}.find(" " + std::string{word} + " ") != std::string_view::npos;
    if (!is_usual) unlike(*found, "does not take text as BERT does (" + json_string(key) + ")");
  }
}

void TokenizerConfig::read_special(SpecialTokens& to, std::vector<std::string>& pieces) const {
  const bool has_all = root().find("added_tokens_decoder").has_value(), is_alone = !to.recognized;
  if (is_alone) to.recognized.emplace();
  for (const auto& [key, name] : {std::pair{"pad_token", &to.padding},
                                  {"unk_token", &to.unknown},
                                  {"cls_token", &to.classification},
                                  {"sep_token", &to.separator},
                                  {"mask_token", &to.mask}}) {
    read(key, *name);
    if (!has_all && (is_alone || root().find(key))) to.recognized->push_back(*name);
  }
  add_all(*to.recognized, pieces);
  const auto all = root().find("added_tokens_decoder");
  if (!is_alone || !all) return;
  for (const JsonValue& token : all->items())
    if (flag(token, "special", false) && flag(token, "normalized", false))
      unlike(token, "seeks the added token " + json_string(token_name(token)) +
                        " in the text after clean-up (\"normalized\")");
}

void TokenizerConfig::read_bpe(BpeParts& to) const {
  read("add_prefix_space", to.options.add_prefix_space);
  if (root().find("added_tokens_decoder")) add_all(to.special, to.pieces);
  for (const char* key : {"bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"})
    if (const auto token = root().find(key)) add(*token, {}, to.special, to.pieces);
  add_all(to.special, to.pieces);
}

void TokenizerConfig::add(const JsonValue& token, std::string_view id, std::vector<std::string>& names,
                          std::vector<std::string>& pieces) const {
  const std::string content = token_name(token);
  if (content.empty() || content.find_first_of("\r\n") != content.npos)
    document().refuse(token, name() + " has a special token that is no name of a line");
  const bool is_piece = std::ranges::find(pieces, content) != pieces.end();
  if (!id.empty() && !flag(token, "special", false)) {
    if (!is_piece) unlike(token, "has the added token " + json_string(content) + ", which is not special");
    return;
  }
  if (!is_piece && (id.empty() || id == std::to_string(pieces.size()))) pieces.push_back(content);
  if (std::ranges::find(names, content) == names.end()) names.push_back(content);
}

void TokenizerConfig::add_all(std::vector<std::string>& names, std::vector<std::string>& pieces) const {
  if (const auto all = root().find("added_tokens_decoder")) {
    const std::vector<JsonValue> ids = all->keys(), tokens = all->items();
    for (std::size_t before = 0; before != pieces.size();) {  // the ids may stand in any order
      before = pieces.size();
      for (std::size_t i = 0; i < tokens.size(); ++i) add(tokens[i], ids[i].text(), names, pieces);
    }
  }
  for (const char* key : {"additional_special_tokens", "extra_special_tokens"})  // a list, or by names of their own
    if (const auto more = root().find(key))
      for (const JsonValue& token : more->items()) add(token, {}, names, pieces);
  if (flag(root(), "split_special_tokens", false))
    unlike(*root().find("split_special_tokens"), "takes special tokens as text (\"split_special_tokens\")");
}

void require_known_special(const std::filesystem::path& directory, const DirectoryReader& read,
                           const std::function<bool(std::string_view)>& is_special) {
  const auto check = [&](const TokenizerJson& file, const JsonValue& token) {
    const std::string_view name = token.find("content").value_or(token).text();
    if (name.empty() || is_special(name)) return;
    fail({.number = 721,
          .sentence = file.name() + " has the special token " + json_string(name) + ", which is not sought in a text",
          .where = {file.name(), token.line(), ""},
          .fix = {"save the tokenizer anew with transformers: its tokenizer.json has the special tokens, too"}});
  };
  if (const auto added = read("added_tokens.json")) {
    const TokenizerJson file{*added, (directory / "added_tokens.json").string()};
    for (const JsonValue& name : file.root().keys()) check(file, name);
  }
  if (const auto named = read("special_tokens_map.json")) {
    const TokenizerJson file{*named, (directory / "special_tokens_map.json").string()};
    for (const JsonValue& value : file.root().items()) {
      check(file, value);
      if (value.kind() == Kind::list)
        for (const JsonValue& token : value.items()) check(file, token);
    }
  }
}

}  // namespace octet::text
