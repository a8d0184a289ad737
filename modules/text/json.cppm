/// JSON as the files of tokenizers and models need it, and lines of text to train on: a document that knows the line of
/// each of its values, compact enough for vocabularies of hundreds of thousands of pieces.
export module octet.text:json;
import octet.standard;

export namespace octet::text {

class JsonDocument;

/// A value of a document, which must outlive it.
class JsonValue {
 public:
  /// A whole number is `natural` where it is above the range of `integer`.
  enum class Kind : std::uint8_t { null, boolean, integer, natural, real, text, list, object };

  Kind kind() const;
  bool is_null() const { return kind() == Kind::null; }
  /// The line of the file that it begins on, counted from 1.
  unsigned line() const;

  // What a value of that kind holds; of another kind, nothing.
  bool boolean() const;
  std::int64_t integer() const;
  std::uint64_t natural() const;
  double real() const;
  std::string_view text() const;
  /// The items of a list, or the values of an object.
  std::vector<JsonValue> items() const;
  /// The keys of an object, in the order of the file. A key may stand there twice.
  std::vector<JsonValue> keys() const;
  /// The last value of `key` in an object that is not null.
  std::optional<JsonValue> find(std::string_view key) const;

 private:
  friend class JsonDocument;
  JsonValue(const JsonDocument& document, std::uint32_t node) : document_{&document}, node_{node} {}
  std::vector<JsonValue> children(std::uint32_t skip, std::uint32_t step) const;

  const JsonDocument* document_;
  std::uint32_t node_;
};

/// How a text is read, and where in its file it stands.
struct JsonRules {
  int number;               ///< of the message about what is wrong with it
  unsigned first_line = 1;  ///< of the file, that the text begins on; 0 where the file has no lines
  std::size_t first_byte = 0;
  int deepest = 64;        ///< values within values: a tokenizer's files have six at most, and the stack is finite
  bool keys_once = false;  ///< refuse an object with a key that stands there twice
};

class JsonDocument {
 public:
  /// Reads an object. Throws message `rules.number` with the line and byte where the text is broken or is no object.
  /// `name` is what messages call the file.
  JsonDocument(std::string_view text, std::string name, const JsonRules& rules);

  JsonValue root() const { return {*this, 0}; }
  const std::string& name() const { return name_; }
  /// Throws the document's message about `value`.
  [[noreturn]] void refuse(const JsonValue& value, const std::string& sentence,
                           std::vector<std::string> fix = {}) const;

 private:
  friend class JsonValue;
  friend class JsonReader;
  struct Range {
    std::uint32_t begin, size;
  };
  struct Node {  // in the order of the text; the children of a node follow it, a key stands before its value
    JsonValue::Kind kind;
    std::uint32_t line;
    std::uint32_t end;  // the node after the last child
    union {
      std::int64_t integer;
      std::uint64_t natural;
      double real;
      Range text;  // of `characters_`
    };
  };

  std::string name_;
  int number_;
  std::vector<Node> nodes_;
  std::string characters_;
};

/// `text` in quotation marks, as JSON writes it.
std::string json_string(std::string_view text);

}  // namespace octet::text
