/// The tokenizer_config.json that lies beside the pieces of a tokenizer. Internal to octet.text.
export module octet.text:tokenizer_config_json;
import octet.standard;
import :bpe;
import :file;
import :json;
import :normalize;
import :tokenizer_json;
import :vocabulary;

namespace octet::text {

/// One that is being read: a key that is there must have the right type. Throws X710 where one has not.
class TokenizerConfig : public TokenizerJson {
 public:
  TokenizerConfig(std::string_view text, const std::filesystem::path& directory);

  void read(const char* key, bool& to) const { to = flag(root(), key, to); }
  /// Some tools write a special token as an object with its text as "content".
  void read(const char* key, std::string& to) const;
  void read(const char* key, std::size_t& to) const;
  /// What counts beside a tokenizer.json, too.
  void read_clean_up(CleanUp& to) const;

  /// Throws X721 where it asks for what a BERT's tokenizer does not do, by the keys that count with a tokenizer.json
  /// beside it or without.
  void require_bert(bool is_alone) const;

  /// The special tokens of a BERT by their names, and those that a text is searched for: to what `to` has, it adds
  /// those that are told; where it has none, they are all of them, or the five.
  void read_special(SpecialTokens& to, std::vector<std::string>& pieces) const;
  /// The prefix blank and the special tokens of a byte-level BPE, those that are listed with their ids and those that
  /// are named; what `to` has stays.
  void read_bpe(BpeParts& to) const;
  /// Adds a special token to `names`; one that is none of the `pieces` comes after them, where that is its id, or it
  /// has none.
  void add(const JsonValue& token, std::string_view id, std::vector<std::string>& names,
           std::vector<std::string>& pieces) const;
  /// Adds the special tokens of "added_tokens_decoder", "additional_special_tokens" and "extra_special_tokens".
  void add_all(std::vector<std::string>& names, std::vector<std::string>& pieces) const;
};

/// Throws X721 where a file of `directory` beside vocab.txt, or beside vocab.json and merges.txt, has a special token
/// that `is_special` does not know.
void require_known_special(const std::filesystem::path& directory, const DirectoryReader& read,
                           const std::function<bool(std::string_view)>& is_special);

}  // namespace octet::text
