/// tokenizer.json, which describes a tokenizer as a chain of steps; what is read here is the chain of BERT.
module octet.text;
import octet.base;
import octet.standard;
import :json;
import :tokenizer_config_json;
import :tokenizer_json;

namespace octet::text {

namespace {

using Kind = JsonValue::Kind;

// What the first and the last token of a text are called, from the step that adds them.
void read_ends(const TokenizerJson& file, SpecialTokens& special) {
  const auto step = file.step("post_processor");
  if (!step) return;
  const auto name = [](const std::optional<JsonValue>& value, std::string& to) {
    if (value && value->kind() == Kind::text) to = value->text();
  };
  const auto named = [&](const JsonValue& item, std::string& to) {
    if (const auto token = item.find("SpecialToken")) name(token->find("id"), to);
  };
  if (TokenizerJson::type_of(*step) == "TemplateProcessing") {
    if (const auto single = step->find("single"); single && !single->items().empty()) {
      named(single->items().front(), special.classification);
      named(single->items().back(), special.separator);
    }
  } else if (TokenizerJson::type_of(*step) == "BertProcessing") {
    for (const auto& [key, to] : {std::pair{"cls", &special.classification}, std::pair{"sep", &special.separator}})
      if (const auto pair = step->find(key); pair && !pair->items().empty()) name(pair->items().front(), *to);
  }
}

CleanUp read_clean_up(const TokenizerJson& file) {
  const auto step = file.step("normalizer");
  if (!step || TokenizerJson::type_of(*step) != "BertNormalizer")
    file.unlike(step.value_or(file.root()), "does not clean text up as BERT does (\"normalizer\")");
  CleanUp result;
  result.clean_text = file.flag(*step, "clean_text", true);
  result.handle_chinese_chars = file.flag(*step, "handle_chinese_chars", true);
  result.lowercase = file.flag(*step, "lowercase", true);
  if (step->find("strip_accents")) result.strip_accents = file.flag(*step, "strip_accents", true);
  return result;
}

// A mask and a padding token have no other mark than their names: the first that has the part.
void find_by_name(const std::vector<TokenizerJson::AddedToken>& added, std::string_view part, std::string& to) {
  if (std::ranges::find(added, to, &TokenizerJson::AddedToken::content) != added.end()) return;
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  for (const TokenizerJson::AddedToken& token : added) {
    std::string lower = token.content;
    for (char& letter : lower) letter = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter;
    if (token.id >= first || lower.find(part) == lower.npos) continue;
    first = token.id;
    to = token.content;
  }
}

WordPieceOptions read_options(const TokenizerJson& file, const JsonValue& model) {
  const std::string type = TokenizerJson::type_of(model);
  if (type != "WordPiece" && !(type.empty() && TokenizerJson::is_untyped_wordpiece(model)))
    file.unlike(model, "is of the type " + json_string(type));
  WordPieceOptions options{.clean_up = read_clean_up(file)};
  if (const auto step = file.step("pre_tokenizer"); !step || TokenizerJson::type_of(*step) != "BertPreTokenizer")
    file.unlike(step.value_or(file.root()), "does not split text into words as BERT does (\"pre_tokenizer\")");
  if (model.find("continuing_subword_prefix"))
    options.wordpieces_prefix = file.required(model, "continuing_subword_prefix", Kind::text).text();
  if (model.find("max_input_chars_per_word")) {
    const JsonValue most = file.required(model, "max_input_chars_per_word", Kind::integer);
    if (most.integer() < 0)
      file.document().refuse(most, "\"max_input_chars_per_word\" in " + file.name() + " is not a whole number from 0");
    options.max_characters_per_word = static_cast<std::size_t>(most.integer());
  }
  return options;
}

void write_tokenizer_json(const WordPieceModel& tokenizer, const FileParts::Write& write) {
  const WordPieceOptions& options = tokenizer.options();
  const Vocabulary& vocabulary = tokenizer.vocabulary();
  const SpecialTokens& names = vocabulary.special();
  std::vector<std::pair<std::int32_t, std::string>> special;
  for (const std::string& name : vocabulary.recognized()) special.emplace_back(*vocabulary.id(name), name);
  std::ranges::sort(special);
  const auto token = [](const std::string& name, int type) {
    return "{\"SpecialToken\": {\"id\": " + json_string(name) + ", \"type_id\": " + std::to_string(type) + "}}";
  };
  const auto sequence = [](const char* name, int type) {
    return "{\"Sequence\": {\"id\": \"" + std::string{name} + "\", \"type_id\": " + std::to_string(type) + "}}";
  };
  const auto entry = [&](const std::string& name) {
    return json_string(name) + ": {\"id\": " + json_string(name) + ", \"ids\": [" +
           std::to_string(*vocabulary.id(name)) + "], \"tokens\": [" + json_string(name) + "]}";
  };
  const std::string single =
      token(names.classification, 0) + ", " + sequence("A", 0) + ", " + token(names.separator, 0);
  const CleanUp& clean = options.clean_up;
  std::string text =
      tokenizer_json_head(special) +  //
      ",\n  \"normalizer\": {\"type\": \"BertNormalizer\", \"clean_text\": " + json_bool(clean.clean_text) +
      ", \"handle_chinese_chars\": " + json_bool(clean.handle_chinese_chars) +
      ", \"strip_accents\": " + (clean.strip_accents ? json_bool(*clean.strip_accents) : "null") +
      ", \"lowercase\": " + json_bool(clean.lowercase) +
      "},\n  \"pre_tokenizer\": {\"type\": \"BertPreTokenizer\"},\n"
      "  \"post_processor\": {\n    \"type\": \"TemplateProcessing\",\n    \"single\": [" +
      single + "],\n    \"pair\": [" + single + ", " + sequence("B", 1) + ", " + token(names.separator, 1) +
      "],\n    \"special_tokens\": {" + entry(names.classification) + ", " + entry(names.separator) +
      "}\n  },\n  \"decoder\": {\"type\": \"WordPiece\", \"prefix\": " + json_string(options.wordpieces_prefix) +
      ", \"cleanup\": true},\n  \"model\": {\n    \"type\": \"WordPiece\",\n    \"unk_token\": " +
      json_string(names.unknown) + ",\n    \"continuing_subword_prefix\": " + json_string(options.wordpieces_prefix) +
      ",\n    \"max_input_chars_per_word\": " + std::to_string(options.max_characters_per_word) + ",\n    \"vocab\": ";
  write(text);
  write_vocabulary(write, vocabulary.word_pieces());
  write("\n  }\n}\n");
}

}  // namespace

FileParts tokenizer_json_parts(const WordPieceModel& tokenizer) {
  return {[&](const FileParts::Write& write) { write_tokenizer_json(tokenizer, write); }};
}

std::string tokenizer_json_text(const WordPieceModel& tokenizer) { return tokenizer_json_parts(tokenizer).joined(); }

WordPiece parse_wordpiece_json(std::string_view tokenizer_json, const std::string& name, std::string_view config_json,
                               std::string_view vocab_txt) {
  const TokenizerJson file{tokenizer_json, name};
  const std::filesystem::path directory = std::filesystem::path{name}.parent_path();
  const TokenizerConfig config{config_json, directory};
  config.require_bert(false);
  const JsonValue model = file.required(file.root(), "model", Kind::object);
  WordPieceOptions options = read_options(file, model);
  config.read_clean_up(options.clean_up);
  const std::vector<TokenizerJson::AddedToken> added = file.added_tokens();
  auto [pieces, lines] = file.pieces(model, added);
  if (const auto gap = std::ranges::find(pieces, ""); gap != pieces.end())
    file.document().refuse(
        model, name + " has no piece with the id " + std::to_string(gap - pieces.begin()) + ", but later ones");
  if (const auto piece = std::ranges::find_if_not(pieces, Vocabulary::is_line); piece != pieces.end())
    file.document().refuse(model,
                           name + " has the piece " + json_string(*piece) + ", which no line of vocab.txt can be",
                           {"call it otherwise, such as \"[unused0]\": no text has it, for words end where lines do"});
  std::int64_t word_pieces = 0;
  for (const JsonValue& id : model.find("vocab")->items()) word_pieces = std::max(word_pieces, id.integer() + 1);

  SpecialTokens special{.recognized = std::vector<std::string>{}};
  find_by_name(added, "mask", special.mask);
  find_by_name(added, "pad", special.padding);
  for (const TokenizerJson::AddedToken& token : added) {
    if (token.normalized)
      file.unlike(token.place, "seeks the added token " + json_string(token.content) +
                                   " in the text after clean-up (\"normalized\")");
    special.recognized->push_back(token.content);
  }
  config.read_special(special, pieces);
  if (model.find("unk_token")) special.unknown = file.required(model, "unk_token", Kind::text).text();
  read_ends(file, special);
  for (const std::string& token : special.all())
    if (std::ranges::find(pieces, token) == pieces.end())
      file.document().refuse(model, name + " has no piece " + json_string(token) + ", a special token of BERT",
                             {"add it to \"vocab\" and \"added_tokens\" with the next id"});
  special.added = pieces.size() - static_cast<std::size_t>(word_pieces);

  const std::string vocabulary = (directory / "vocab.txt").string();
  const std::vector<std::string> other = vocabulary_lines(vocab_txt, vocabulary);
  for (std::size_t id = 0; id < std::min(other.size(), pieces.size()); ++id)
    if (other[id] != pieces[id])
      file.document().refuse(model, "the id " + std::to_string(id) + " is " + json_string(other[id]) + " in " +
                                        vocabulary + ", and " + json_string(pieces[id]) + " in " + name);
  return WordPiece{Vocabulary{std::move(pieces), std::move(special), name}, options};
}

WordPieceOptions parse_wordpiece_options(std::string_view tokenizer_json, const std::string& name) {
  const TokenizerJson file{tokenizer_json, name};
  return read_options(file, file.required(file.root(), "model", Kind::object));
}

}  // namespace octet::text
