module;
#include <simdjson.h>
#include <cstdint>
module octet.text;
import octet.base;
import octet.standard;
import :json;

namespace octet::text {

namespace ondemand = simdjson::ondemand;

namespace {

std::string_view beginning(std::string_view text, std::size_t longest) {
  while (longest > 0 && (static_cast<unsigned char>(text[longest]) & 0xC0) == 0x80) --longest;
  return text.substr(0, longest);
}

std::string reason(simdjson::error_code error) {
  if (error == simdjson::STRING_ERROR)
    return "an escape in a string stands for no character, as \\ud800 alone does not";
  return simdjson::error_message(error);
}

std::string_view trimmed(std::string_view token) {
  const std::size_t last = token.find_last_not_of(" \t\r\n");
  return token.substr(0, last == token.npos ? 0 : last + 1);
}

// Whether a token is a number by JSON's grammar (RFC 8259, section 6), of any size.
bool is_number(std::string_view token) {
  token = trimmed(token);
  std::size_t at = 0;
  const auto skip = [&](std::string_view any) {
    const bool there = at < token.size() && any.find(token[at]) != any.npos;
    at += there;
    return there;
  };
  const auto digits = [&] {
    const std::size_t begin = at;
    while (skip("0123456789")) {
    }
    return at > begin;
  };
  skip("-");
  const std::size_t first = at;
  if (!digits() || (token[first] == '0' && at > first + 1)) return false;
  if (skip(".") && !digits()) return false;
  if (skip("eE")) {
    skip("+-");
    if (!digits()) return false;
  }
  return at == token.size();
}

// Where something follows after the first object; where nothing does, the end of the text.
std::size_t after_object(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (quoted && text[at] == '\\')
      ++at;
    else if (text[at] == '"')
      quoted = !quoted;
    else if (!quoted && text[at] == '{')
      ++depth;
    else if (!quoted && text[at] == '}' && --depth == 0)
      return std::min(text.find_first_not_of(" \t\r\n", at + 1), text.size());
  }
  return text.size();
}

// The first control character within a string: simdjson looks for them before it reads anything, and tells no place.
std::size_t unescaped_character(std::string_view text) {
  bool quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (quoted && static_cast<unsigned char>(text[at]) < 0x20) return at;
    if (quoted && text[at] == '\\')
      ++at;
    else if (text[at] == '"')
      quoted = !quoted;
  }
  return text.size();
}

}  // namespace

// Goes through a document from front to back, so that an error has a place.
class JsonReader {
 public:
  JsonReader(std::string_view text, JsonDocument& to, const JsonRules& rules)
      : text_{text}, to_{to}, rules_{rules}, line_{rules.first_line} {}

  void read() {
    if (text_.size() >= UINT32_MAX) broken(0, "it is larger than 4 GB");
    if (const auto invalid = find_invalid_utf8(text_)) broken(invalid->offset, "the bytes are not UTF-8");
    const simdjson::padded_string padded{text_};
    begin_ = padded.data();
    if (const auto error = parser_.iterate(padded).get(document_))
      broken(error == simdjson::UNESCAPED_CHARS ? unescaped_character(text_) : text_.size(), reason(error));
    ondemand::json_type type;
    check(document_.type().get(type));
    if (type != ondemand::json_type::object) broken(0, "it is not a JSON object");
    ondemand::object content;
    check(document_.get_object().get(content));
    add_object(content, 0);
    const char* more = nullptr;
    if (!document_.current_location().get(more)) broken(place(), "more follows after the object");
  }

 private:
  using Kind = JsonValue::Kind;

  std::uint32_t add(Kind kind) {
    const std::size_t at = std::max(counted_, place());
    if (line_ > 0)
      line_ += static_cast<unsigned>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(counted_),
                                                text_.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    counted_ = at;
    const auto node = static_cast<std::uint32_t>(to_.nodes_.size());
    to_.nodes_.push_back({kind, line_, node + 1, {0}});
    return node;
  }

  void add_text(std::uint32_t node, std::string_view text) {
    to_.nodes_[node].text = {static_cast<std::uint32_t>(to_.characters_.size()),
                             static_cast<std::uint32_t>(text.size())};
    to_.characters_ += text;
  }

  void end(std::uint32_t node) { to_.nodes_[node].end = static_cast<std::uint32_t>(to_.nodes_.size()); }

  void add_object(ondemand::object content, int depth) {
    const std::uint32_t node = add(Kind::object);
    std::set<std::string> seen;
    for (auto step : content) {
      ondemand::field field;
      check(std::move(step).get(field));
      std::string_view key;
      check(field.unescaped_key().get(key));
      if (rules_.keys_once && !seen.emplace(key).second) {
        constexpr std::size_t longest = 80;
        const bool whole = key.size() <= longest;
        broken(place(), "the key " +
                            (whole ? json_string(key) : "that begins " + json_string(beginning(key, longest))) +
                            " stands twice in an object");
      }
      add_text(add(Kind::text), key);
      add_value(field.value(), depth + 1);
    }
    end(node);
  }

  void add_list(ondemand::array content, int depth) {
    const std::uint32_t node = add(Kind::list);
    for (auto step : content) {
      ondemand::value item;
      check(std::move(step).get(item));
      add_value(item, depth + 1);
    }
    end(node);
  }

  void add_value(ondemand::value value, int depth) {
    const std::size_t begin = place();
    if (depth > rules_.deepest) broken(begin, "values are nested too deeply");
    ondemand::json_type type;
    check(value.type().get(type));
    switch (type) {
      case ondemand::json_type::object: {
        ondemand::object content;
        check(value.get_object().get(content));
        return add_object(content, depth);
      }
      case ondemand::json_type::array: {
        ondemand::array content;
        check(value.get_array().get(content));
        return add_list(content, depth);
      }
      case ondemand::json_type::string: {
        const std::uint32_t node = add(Kind::text);
        std::string_view text;
        if (const auto error = value.get_string().get(text)) broken(begin, reason(error));
        return add_text(node, text);
      }
      case ondemand::json_type::number: {
        const std::uint32_t node = add(Kind::integer);
        const std::string_view digits = value.raw_json_token();
        ondemand::number number;
        const auto error = value.get_number().get(number);
        JsonDocument::Node& to = to_.nodes_[node];
        if (error) {
          // One that is beyond 64 bits is a number all the same, such as 10^30 where a length has no limit.
          if (!is_number(digits)) broken(begin, reason(error));
          to.kind = Kind::real;
          to.real = read_decimal(std::string{trimmed(digits)});
        } else if (number.is_int64()) {
          to.integer = number.get_int64();
        } else if (number.is_uint64()) {
          to.kind = Kind::natural;
          to.natural = number.get_uint64();
        } else {
          to.kind = Kind::real;
          to.real = number.get_double();
        }
        return;
      }
      case ondemand::json_type::boolean: {
        const std::uint32_t node = add(Kind::boolean);
        bool boolean = false;
        if (const auto error = value.get_bool().get(boolean)) broken(begin, reason(error));
        to_.nodes_[node].integer = boolean;
        return;
      }
      case ondemand::json_type::null: {
        add(Kind::null);
        bool null = false;
        if (!value.is_null().get(null) && null) return;
        break;
      }
      default:
        break;
    }
    broken(begin, "this is no JSON value");
  }

  std::size_t place() {
    const char* at = nullptr;
    if (document_.current_location().get(at) || at < begin_) return text_.size();
    return std::min(static_cast<std::size_t>(at - begin_), text_.size());
  }

  void check(simdjson::error_code error) {
    const bool cut_short = error == simdjson::INCOMPLETE_ARRAY_OR_OBJECT;
    if (!error) return;
    if (cut_short)
      if (const std::size_t more = after_object(text_); more < text_.size())
        broken(more, "more follows after the object");
    broken(cut_short ? text_.size() : place(), reason(error));
  }

  [[noreturn]] void broken(std::size_t at, const std::string& why) const {
    const auto line_ends = std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    fail(
        {.number = rules_.number,
         .sentence =
             "the JSON of " + to_.name_ + " is broken at byte " + std::to_string(rules_.first_byte + at) + ": " + why,
         .where = {to_.name_, rules_.first_line == 0 ? 0u : rules_.first_line + static_cast<unsigned>(line_ends), ""}});
  }

  std::string_view text_;
  JsonDocument& to_;
  const JsonRules& rules_;
  ondemand::parser parser_;
  ondemand::document document_;
  const char* begin_ = nullptr;
  std::size_t counted_ = 0;  // bytes whose line ends are counted in `line_`
  unsigned line_;
};

JsonDocument::JsonDocument(std::string_view text, std::string name, const JsonRules& rules)
    : name_{std::move(name)}, number_{rules.number} {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  JsonReader{text, *this, rules}.read();
}

void JsonDocument::refuse(const JsonValue& value, const std::string& sentence, std::vector<std::string> fix) const {
  fail({.number = number_, .sentence = sentence, .where = {name_, value.line(), ""}, .fix = std::move(fix)});
}

JsonValue::Kind JsonValue::kind() const { return document_->nodes_[node_].kind; }
unsigned JsonValue::line() const { return document_->nodes_[node_].line; }
bool JsonValue::boolean() const { return kind() == Kind::boolean && document_->nodes_[node_].integer; }
std::int64_t JsonValue::integer() const { return kind() == Kind::integer ? document_->nodes_[node_].integer : 0; }

std::uint64_t JsonValue::natural() const { return kind() == Kind::natural ? document_->nodes_[node_].natural : 0; }
double JsonValue::real() const { return kind() == Kind::real ? document_->nodes_[node_].real : 0; }

std::string_view JsonValue::text() const {
  if (kind() != Kind::text) return {};
  const auto [begin, size] = document_->nodes_[node_].text;
  return std::string_view{document_->characters_}.substr(begin, size);
}

std::vector<JsonValue> JsonValue::children(std::uint32_t skip, std::uint32_t step) const {
  std::vector<JsonValue> result;
  const auto& nodes = document_->nodes_;
  const std::uint32_t end = nodes[node_].end;
  for (std::uint32_t child = node_ + 1, i = 0; child < end; child = nodes[child].end, ++i)
    if (i % step == skip) result.push_back({*document_, child});
  return result;
}

std::vector<JsonValue> JsonValue::items() const {
  if (kind() == Kind::list) return children(0, 1);
  return kind() == Kind::object ? children(1, 2) : std::vector<JsonValue>{};
}

std::vector<JsonValue> JsonValue::keys() const {
  return kind() == Kind::object ? children(0, 2) : std::vector<JsonValue>{};
}

std::optional<JsonValue> JsonValue::find(std::string_view key) const {
  const std::vector<JsonValue> keys = this->keys(), values = items();
  std::optional<JsonValue> found;
  for (std::size_t i = 0; i < keys.size() && i < values.size(); ++i)
    if (keys[i].text() == key && !values[i].is_null()) found = values[i];
  return found;
}

std::string json_string(std::string_view text) {
  constexpr char digits[] = "0123456789abcdef";
  std::string result = "\"";
  for (char character : text) {
    const auto byte = static_cast<unsigned char>(character);
    if (character == '"' || character == '\\')
      (result += '\\') += character;
    else if (byte < 0x20)
      ((result += "\\u00") += digits[byte >> 4]) += digits[byte & 15];
    else
      result += character;
  }
  return result + "\"";
}

}  // namespace octet::text
