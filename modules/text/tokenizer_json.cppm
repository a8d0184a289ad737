/// What the tokenizer.json of every kind of tokenizer has in common. Internal to octet.text.
export module octet.text:tokenizer_json;
import octet.standard;
import :file;
import :json;

namespace octet::text {

/// A tokenizer.json that is being read: fields with their types checked. Throws X720, or message `number`, where one is
/// faulty.
class TokenizerJson {
 public:
  TokenizerJson(std::string_view text, const std::string& name, int number = 720)
      : document_{text, name, {.number = number}} {}

  const JsonDocument& document() const { return document_; }
  const std::string& name() const { return document_.name(); }
  JsonValue root() const { return document_.root(); }
  JsonValue required(const JsonValue& object, const char* key, JsonValue::Kind kind) const;
  bool flag(const JsonValue& object, const char* key, bool otherwise) const;
  /// The kind of the model: "BPE", "WordPiece", "Unigram".
  std::string kind() const;
  /// What a step of the chain, or the model, says that it is.
  static std::string type_of(const JsonValue& step);
  /// Whether a model whose type is not told, as in older files, is WordPiece by what other kinds do not have.
  static bool is_untyped_wordpiece(const JsonValue& model);

  struct AddedToken {
    std::string content;
    std::int64_t id;
    JsonValue place;
    bool normalized;  ///< whether it is sought in the text after clean-up
  };
  /// Throws X721 where one is found in another way than by its name, or stands for text.
  std::vector<AddedToken> added_tokens() const;

  /// The pieces of a model by id, and their lines; an added token that is none of them comes after them. An id without
  /// a piece has an empty one.
  std::pair<std::vector<std::string>, std::vector<unsigned>> pieces(const JsonValue& model,
                                                                    std::span<const AddedToken> added) const;
  /// What a special token is called that is written as its name, or as an object with that. Throws X721 where it is
  /// found in another way than by its name.
  std::string token_name(const JsonValue& token) const;
  /// A step of the chain, where the file has it.
  std::optional<JsonValue> step(const char* key) const;

  /// Throws X721: the tokenizer, at `value`, does or is something that is not read here.
  [[noreturn]] void unlike(const JsonValue& value, const std::string& what) const;

 private:
  JsonDocument document_;
};

/// The pieces of an object such as {"a": 0, "b": 1} by id, with room for so many `more`, and their lines. An id without
/// a piece has an empty one. Throws X720.
std::pair<std::vector<std::string>, std::vector<unsigned>> read_pieces(const JsonDocument& document,
                                                                       const JsonValue& object, std::size_t more);

/// `true` or `false`.
const char* json_bool(bool value);
/// The beginning of a tokenizer.json: its special tokens with their ids.
std::string tokenizer_json_head(std::span<const std::pair<std::int32_t, std::string>> special);
/// Writes the object of a model's pieces.
void write_vocabulary(const FileParts::Write& write, std::span<const std::string> pieces);

}  // namespace octet::text
