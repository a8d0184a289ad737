/// The fields of a model's JSON with their types checked, and the writing of objects. Internal to octet.train.
export module octet.train:json_fields;
import octet.base;
import octet.standard;
import octet.text;

namespace octet::train {

using text::json_string;

/// Reads an object. Throws X715 with the line and byte where the text is broken, where a key stands twice or where the
/// text is no object. `name` is what messages call the file, `first_byte` where in it the text begins.
text::JsonDocument parse_json(std::string_view text, const std::string& name, std::size_t first_byte = 0);

/// `text` in quotation marks for messages: cut short where it is long.
std::string shown(std::string_view text);
/// The shortest number that reads back to the same bits.
std::string json_number(double number);

/// Throws X715 about the file `name`.
[[noreturn]] void malformed(const std::string& name, const std::string& sentence);

/// The fields of an object. `read` leaves the value as it is and returns false where the field is missing or null;
/// every other function throws X715 where the field is missing or has another type.
class JsonFields {
 public:
  JsonFields(const text::JsonValue& object, std::string name) : object_{object}, name_{std::move(name)} {}

  bool read(const char* key, bool& value) const;
  bool read(const char* key, std::int64_t& value) const;
  bool read(const char* key, std::uint64_t& value) const;
  bool read(const char* key, double& value) const;
  bool read(const char* key, std::string& value) const;
  /// The rate of a dropout: at least 0 and below 1.
  bool read_rate(const char* key, double& value) const;
  bool read(const char* key, std::vector<std::int64_t>& value) const;
  template <class T>
  void require(const char* key, T& value) const {
    if (!read(key, value)) malformed(name_, name_ + " has no " + json_string(key) + ".");
  }
  [[noreturn]] void wrong(const char* key, const std::string& expected) const;
  const std::string& name() const { return name_; }

 private:
  text::JsonValue object_;
  std::string name_;
};

/// An object as text, a field a line.
class JsonObject {
 public:
  void add(std::string_view key, bool value) { written(key, value ? "true" : "false"); }
  void add(std::string_view key, std::int64_t value) { written(key, std::to_string(value)); }
  void add(std::string_view key, std::uint64_t value) { written(key, std::to_string(value)); }
  void add(std::string_view key, double value) { written(key, json_number(value)); }
  void add(std::string_view key, const std::string& value) { written(key, json_string(value)); }
  void add(std::string_view key, const char* value) { written(key, json_string(value)); }
  void add(std::string_view key, const std::vector<std::int64_t>& values);
  /// A value that is JSON already.
  void written(std::string_view key, std::string_view json);
  std::string text() const { return text_.empty() ? "{}\n" : "{\n" + text_ + "\n}\n"; }

 private:
  std::string text_;
};

}  // namespace octet::train
