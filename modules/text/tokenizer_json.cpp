module octet.text;
import octet.base;
import octet.standard;
import :json;
import :tokenizer_json;

namespace octet::text {

JsonValue TokenizerJson::required(const JsonValue& object, const char* key, JsonValue::Kind kind) const {
  constexpr const char* kinds[] = {"null",     "true or false", "a whole number", "a whole number",
                                   "a number", "a string",      "a list",         "an object"};
  const auto found = object.find(key);
  if (!found) document_.refuse(object, name() + " has no " + json_string(key));
  if (found->kind() != kind)
    document_.refuse(*found, json_string(key) + " in " + name() + " is not " + kinds[static_cast<std::size_t>(kind)]);
  return *found;
}

bool TokenizerJson::flag(const JsonValue& object, const char* key, bool otherwise) const {
  return object.find(key) ? required(object, key, JsonValue::Kind::boolean).boolean() : otherwise;
}

std::string TokenizerJson::type_of(const JsonValue& step) {
  const auto type = step.find("type");
  return type ? std::string{type->text()} : std::string{};
}

std::vector<TokenizerJson::AddedToken> TokenizerJson::added_tokens() const {
  std::vector<AddedToken> result;
  if (!root().find("added_tokens")) return result;
  for (const JsonValue& token : required(root(), "added_tokens", JsonValue::Kind::list).items()) {
    const std::string content = token_name(token);
    const JsonValue id = required(token, "id", JsonValue::Kind::integer);
    if (!flag(token, "special", false))
      unlike(token, "has the added token " + json_string(content) + ", which is not special");
    result.push_back({content, id.integer(), id, flag(token, "normalized", false)});
  }
  return result;
}

std::string TokenizerJson::token_name(const JsonValue& token) const {
  const std::string content{
      (token.kind() == JsonValue::Kind::text ? token : required(token, "content", JsonValue::Kind::text)).text()};
  for (const char* key : {"single_word", "lstrip", "rstrip"})
    if (flag(token, key, false))
      unlike(token, "has the added token " + json_string(content) + " with the option " + json_string(key));
  return content;
}

std::pair<std::vector<std::string>, std::vector<unsigned>> TokenizerJson::pieces(
    const JsonValue& model, std::span<const AddedToken> added) const {
  auto [names, lines] = read_pieces(document_, required(model, "vocab", JsonValue::Kind::object), added.size());
  std::size_t least = 0;  // of the next new token: other programs number them in the order of the file
  for (const AddedToken& token : added) {
    const auto id = static_cast<std::size_t>(token.id);
    if (token.content.empty() || token.id < 0 || id >= names.size() ||
        (!names[id].empty() && names[id] != token.content))
      document_.refuse(token.place, "the added token " + json_string(token.content) + " of " + name() + " has the id " +
                                        std::to_string(token.id) + ", which is another piece's or leaves a gap");
    if (names[id].empty()) {
      if (id < least)
        document_.refuse(token.place, "the added token " + json_string(token.content) + " of " + name() +
                                          " has the id " + std::to_string(id) +
                                          ", and stands behind a larger one: they go in the order of their ids");
      least = id;
    }
    names[id] = token.content;
    lines[id] = token.place.line();
  }
  while (!names.empty() && names.back().empty()) names.pop_back();
  return {std::move(names), std::move(lines)};
}

std::optional<JsonValue> TokenizerJson::step(const char* key) const {
  if (!root().find(key)) return {};
  return required(root(), key, JsonValue::Kind::object);
}

void TokenizerJson::unlike(const JsonValue& value, const std::string& what) const {
  fail({.number = 721, .sentence = "the tokenizer of " + name() + " " + what, .where = {name(), value.line(), ""}});
}

bool TokenizerJson::is_untyped_wordpiece(const JsonValue& model) {
  return !model.find("merges") && (model.find("max_input_chars_per_word") || model.find("continuing_subword_prefix"));
}

std::string TokenizerJson::kind() const {
  const JsonValue model = required(root(), "model", JsonValue::Kind::object);
  const std::string type = type_of(model);
  if (!type.empty()) return type;
  if (model.find("merges")) return "BPE";
  return is_untyped_wordpiece(model) ? "WordPiece" : type;
}

std::pair<std::vector<std::string>, std::vector<unsigned>> read_pieces(const JsonDocument& document,
                                                                       const JsonValue& object, std::size_t more) {
  const std::vector<JsonValue> names = object.keys(), ids = object.items();
  const std::string& file = document.name();
  std::vector<std::string> pieces(names.size() + more);
  std::vector<unsigned> lines(pieces.size());
  std::unordered_map<std::string_view, std::int64_t> seen;
  seen.reserve(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto refuse = [&](const std::string& sentence) { document.refuse(ids[i], sentence); };
    const std::string_view name = names[i].text();
    const std::int64_t id = ids[i].integer();
    const std::string shown = json_string(name);
    if (ids[i].kind() != JsonValue::Kind::integer || id < 0)
      refuse("the id of the piece " + shown + " in " + file + " is no number from 0");
    if (name.empty()) refuse(file + " has a piece without a letter");
    if (const auto [at, added] = seen.emplace(name, id); !added)
      refuse(file + " holds the piece " + shown + " twice, as ids " + std::to_string(at->second) + " and " +
             std::to_string(id));
    if (static_cast<std::size_t>(id) >= pieces.size())
      refuse("the piece " + shown + " of " + file + " has the id " + std::to_string(id) + ", but there are only " +
             std::to_string(pieces.size()) + " pieces");
    std::string& piece = pieces[static_cast<std::size_t>(id)];
    if (!piece.empty())
      refuse(file + " gives the id " + std::to_string(id) + " to both " + json_string(piece) + " and " + shown);
    piece = name;
    lines[static_cast<std::size_t>(id)] = ids[i].line();
  }
  return {std::move(pieces), std::move(lines)};
}

const char* json_bool(bool value) { return value ? "true" : "false"; }

std::string tokenizer_json_head(std::span<const std::pair<std::int32_t, std::string>> special) {
  std::string text = "{\n  \"version\": \"1.0\",\n  \"truncation\": null,\n  \"padding\": null,\n  \"added_tokens\": [";
  const char* between = "\n    ";
  for (const auto& [id, name] : special) {
    text += between + std::string{"{\"id\": "} + std::to_string(id) + ", \"content\": " + json_string(name) +
            ", \"single_word\": false, \"lstrip\": false, \"rstrip\": false, \"normalized\": false, \"special\": true}";
    between = ",\n    ";
  }
  return text + "\n  ]";
}

void write_vocabulary(const FileParts::Write& write, std::span<const std::string> pieces) {
  write("{");
  for (std::size_t id = 0; id < pieces.size(); ++id)
    write((id ? ",\n      " : "\n      ") + json_string(pieces[id]) + ": " + std::to_string(id));
  write("\n    }");
}

}  // namespace octet::text
