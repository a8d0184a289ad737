module;
#include <simdjson.h>
module octet.train;
import octet.base;
import octet.standard;
import octet.text;
import :json;

namespace octet::train {

namespace {

namespace ondemand = simdjson::ondemand;

constexpr int deepest =
    16;  // values within values; the files of a model have at most four, and the stack of a browser is small

// Reads a document front to back, so that an error has a place.
class JsonParser {
 public:
  JsonParser(std::string_view text, const std::string& name, std::size_t offset)
      : text_{text}, name_{name}, offset_{offset} {}

  Json object() {
    if (const auto invalid = text::find_invalid_utf8(text_)) broken(invalid->offset, "the bytes are not UTF-8");
    const simdjson::padded_string padded{text_};
    begin_ = padded.data();
    if (const auto error = parser_.iterate(padded).get(document_)) broken(text_.size(), simdjson::error_message(error));
    ondemand::json_type type;
    check(document_.type().get(type));
    if (type != ondemand::json_type::object) broken(0, "it is not a JSON object");
    ondemand::object content;
    check(document_.get_object().get(content));
    Json result = object_of(content, 0);
    const char* more = nullptr;
    if (!document_.current_location().get(more)) broken(place(), "more follows after the object");
    return result;
  }

 private:
  Json object_of(ondemand::object content, int depth) {
    Json result;
    result.kind = Json::Kind::object;
    std::set<std::string> seen;
    for (auto step : content) {
      ondemand::field field;
      check(std::move(step).get(field));
      std::string_view key;
      check(field.unescaped_key().get(key));
      if (!seen.emplace(key).second) broken(place(), "the key " + shown(key) + " stands twice in an object");
      result.keys.emplace_back(key);
      result.items.push_back(value_of(field.value(), depth + 1));
    }
    return result;
  }

  Json value_of(ondemand::value value, int depth) {
    if (depth > deepest) broken(place(), "values are nested too deeply");
    ondemand::json_type type;
    check(value.type().get(type));
    Json result;
    switch (type) {
      case ondemand::json_type::object: {
        ondemand::object content;
        check(value.get_object().get(content));
        return object_of(content, depth);
      }
      case ondemand::json_type::array: {
        result.kind = Json::Kind::list;
        ondemand::array content;
        check(value.get_array().get(content));
        for (auto step : content) {
          ondemand::value item;
          check(std::move(step).get(item));
          result.items.push_back(value_of(item, depth + 1));
        }
        return result;
      }
      case ondemand::json_type::string: {
        result.kind = Json::Kind::text;
        std::string_view text;
        check(value.get_string().get(text));
        result.text = text;
        return result;
      }
      case ondemand::json_type::number:
        return number_of(value);
      case ondemand::json_type::boolean:
        result.kind = Json::Kind::boolean;
        check(value.get_bool().get(result.boolean));
        return result;
      case ondemand::json_type::null: {
        bool null = false;
        check(value.is_null().get(null));
        if (null) return result;
        break;
      }
      default:
        break;
    }
    broken(place(), "this is no JSON value");
  }

  Json number_of(ondemand::value value) {
    Json result;
    ondemand::number number;
    check(value.get_number().get(number));
    if (number.is_int64()) {
      result.kind = Json::Kind::integer;
      result.integer = number.get_int64();
    } else if (number.is_uint64()) {
      result.kind = Json::Kind::natural;
      result.natural = number.get_uint64();
    } else {
      result.kind = Json::Kind::real;
      result.real = number.get_double();
    }
    return result;
  }

  std::size_t place() {
    const char* at = nullptr;
    if (document_.current_location().get(at) || at < begin_) return text_.size();
    return std::min(static_cast<std::size_t>(at - begin_), text_.size());
  }

  void check(simdjson::error_code error) {
    if (error) broken(place(), simdjson::error_message(error));
  }

  [[noreturn]] void broken(std::size_t at, const std::string& why) const {
    const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    fail({.number = 715,
          .sentence = "The JSON of " + name_ + " is broken at byte " + std::to_string(offset_ + at) + ": " + why + ".",
          .where = {name_, offset_ == 0 ? static_cast<unsigned>(line) : 0u, ""}});
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t offset_;
  ondemand::parser parser_;
  ondemand::document document_;
  const char* begin_ = nullptr;
};

}  // namespace

const Json* Json::find(std::string_view key) const {
  const auto at = std::find(keys.begin(), keys.end(), key);
  return at == keys.end() ? nullptr : &items[static_cast<std::size_t>(at - keys.begin())];
}

Json parse_json(std::string_view text, const std::string& name, std::size_t offset) {
  if (text.starts_with("\xEF\xBB\xBF")) {
    text.remove_prefix(3);
    if (offset != 0) offset += 3;
  }
  return JsonParser{text, name, offset}.object();
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

std::string shown(std::string_view text) {
  constexpr std::size_t longest = 80;
  if (text.size() <= longest) return json_string(text);
  std::size_t end = longest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return json_string(text.substr(0, end)) + "...";
}

std::string json_number(double number) {
  if (!std::isfinite(number)) return "null";
  const std::string text = shortest_decimal(number);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;  // a float to readers that tell 0 from 0.0
}

void malformed(const std::string& name, const std::string& sentence) {
  fail({.number = 715, .sentence = sentence, .where = {name, 0, ""}});
}

const Json* JsonFields::field(const char* key) const {
  const Json* value = object_->find(key);
  return value && value->kind != Json::Kind::null ? value : nullptr;
}

void JsonFields::wrong(const char* key, const std::string& expected) const {
  malformed(name_, json_string(key) + " in " + name_ + " is not " + expected + ".");
}

bool JsonFields::read(const char* key, bool& value) const {
  const Json* found = field(key);
  if (!found) return false;
  if (found->kind != Json::Kind::boolean) wrong(key, "true or false");
  value = found->boolean;
  return true;
}

bool JsonFields::read(const char* key, std::int64_t& value) const {
  const Json* found = field(key);
  if (!found) return false;
  if (found->kind != Json::Kind::integer) wrong(key, "a whole number");
  value = found->integer;
  return true;
}

bool JsonFields::read(const char* key, std::uint64_t& value) const {
  const Json* found = field(key);
  if (!found) return false;
  if (found->kind == Json::Kind::natural)
    value = found->natural;
  else if (found->kind == Json::Kind::integer && found->integer >= 0)
    value = static_cast<std::uint64_t>(found->integer);
  else
    wrong(key, "a whole number that is not negative");
  return true;
}

bool JsonFields::read(const char* key, double& value) const {
  const Json* found = field(key);
  if (!found) return false;
  if (found->kind == Json::Kind::real)
    value = found->real;
  else if (found->kind == Json::Kind::integer)
    value = static_cast<double>(found->integer);
  else if (found->kind == Json::Kind::natural)
    value = static_cast<double>(found->natural);
  else
    wrong(key, "a number");
  return true;
}

bool JsonFields::read(const char* key, std::string& value) const {
  const Json* found = field(key);
  if (!found) return false;
  if (found->kind != Json::Kind::text) wrong(key, "a string");
  value = found->text;
  return true;
}

bool JsonFields::read(const char* key, std::vector<std::int64_t>& value) const {
  const Json* found = field(key);
  if (!found) return false;
  if (found->kind != Json::Kind::list) wrong(key, "a list of whole numbers");
  value.clear();
  for (const Json& item : found->items) {
    if (item.kind != Json::Kind::integer) wrong(key, "a list of whole numbers");
    value.push_back(item.integer);
  }
  return true;
}

void JsonObject::add(std::string_view key, const std::vector<std::int64_t>& values) {
  std::string list;
  for (std::int64_t value : values) list += (list.empty() ? "" : ", ") + std::to_string(value);
  written(key, "[" + list + "]");
}

void JsonObject::written(std::string_view key, std::string_view json) {
  if (!text_.empty()) text_ += ",\n";
  ((text_ += "  " + json_string(key)) += ": ") += json;
}

}  // namespace octet::train
