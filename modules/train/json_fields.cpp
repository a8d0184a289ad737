module octet.train;
import octet.base;
import octet.standard;
import octet.text;
import :json_fields;

namespace octet::train {

using Kind = text::JsonValue::Kind;

text::JsonDocument parse_json(std::string_view text, const std::string& name, std::size_t first_byte) {
  return {text,
          name,
          {.number = 715,
           .first_line = first_byte == 0 ? 1u : 0u,
           .first_byte = first_byte,
           .deepest = 16,  // the files of a model have four at most, and the stack of a browser is small
           .keys_once = true}};
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

void JsonFields::wrong(const char* key, const std::string& expected) const {
  malformed(name_, json_string(key) + " in " + name_ + " is not " + expected + ".");
}

bool JsonFields::read(const char* key, bool& value) const {
  const auto found = object_.find(key);
  if (!found) return false;
  if (found->kind() != Kind::boolean) wrong(key, "true or false");
  value = found->boolean();
  return true;
}

bool JsonFields::read(const char* key, std::int64_t& value) const {
  const auto found = object_.find(key);
  if (!found) return false;
  if (found->kind() != Kind::integer) wrong(key, "a whole number");
  value = found->integer();
  return true;
}

bool JsonFields::read(const char* key, std::uint64_t& value) const {
  const auto found = object_.find(key);
  if (!found) return false;
  if (found->kind() == Kind::natural)
    value = found->natural();
  else if (found->kind() == Kind::integer && found->integer() >= 0)
    value = static_cast<std::uint64_t>(found->integer());
  else
    wrong(key, "a whole number that is not negative");
  return true;
}

bool JsonFields::read(const char* key, double& value) const {
  const auto found = object_.find(key);
  if (!found) return false;
  if (found->kind() == Kind::real)
    value = found->real();
  else if (found->kind() == Kind::integer)
    value = static_cast<double>(found->integer());
  else if (found->kind() == Kind::natural)
    value = static_cast<double>(found->natural());
  else
    wrong(key, "a number");
  return true;
}

bool JsonFields::read_rate(const char* key, double& value) const {
  if (!read(key, value)) return false;
  if (!(value >= 0 && value < 1)) wrong(key, "a rate of at least 0 and below 1");
  return true;
}

bool JsonFields::read(const char* key, std::string& value) const {
  const auto found = object_.find(key);
  if (!found) return false;
  if (found->kind() != Kind::text) wrong(key, "a string");
  value = found->text();
  return true;
}

bool JsonFields::read(const char* key, std::vector<std::int64_t>& value) const {
  const auto found = object_.find(key);
  if (!found) return false;
  if (found->kind() != Kind::list) wrong(key, "a list of whole numbers");
  value.clear();
  for (const text::JsonValue& item : found->items()) {
    if (item.kind() != Kind::integer) wrong(key, "a list of whole numbers");
    value.push_back(item.integer());
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
