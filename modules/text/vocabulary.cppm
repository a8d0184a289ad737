/// The vocabulary: pieces and their ids, with the special tokens, as vocab.txt holds them (a piece a line, the id is
/// the line).
export module octet.text:vocabulary;
import octet.standard;
import :piece_finder;

export namespace octet::text {

/// The tokens that stand for no text, in the order in which training puts them first.
struct SpecialTokens {
  std::string padding = "[PAD]";
  std::string unknown = "[UNK]";
  std::string classification = "[CLS]";
  std::string separator = "[SEP]";
  std::string mask = "[MASK]";

  /// Those that texts are searched for, where they are others than the five; of any order.
  std::optional<std::vector<std::string>> recognized = {};
  /// So many of the last pieces are found by their names alone: words are not cut into them.
  std::size_t added = 0;

  /// The five in that order.
  std::vector<std::string> all() const { return {padding, unknown, classification, separator, mask}; }
  /// The five, then the others of `recognized` in their order: those that a new vocabulary begins with.
  std::vector<std::string> first_pieces() const;
  friend bool operator==(const SpecialTokens&, const SpecialTokens&) = default;
};

/// Their ids.
struct SpecialIds {
  std::int32_t padding, unknown, classification, separator, mask;
  bool contains(std::int32_t id) const {
    return id == padding || id == unknown || id == classification || id == separator || id == mask;
  }
};

/// A list of distinct pieces; the id of a piece is its position.
class Vocabulary {
 public:
  /// Throws X708 for a duplicate, an empty piece, one that holds the end of a line, or where a special token is
  /// missing. `name` is what messages call it.
  explicit Vocabulary(std::vector<std::string> pieces, SpecialTokens special = {},
                      const std::string& name = "vocabulary");

  std::size_t size() const { return pieces_.size(); }
  const std::vector<std::string>& pieces() const { return pieces_; }
  /// Those that words are cut into: all but the last ones, which were added as special tokens.
  std::span<const std::string> word_pieces() const { return std::span{pieces_}.first(pieces_.size() - special_.added); }
  /// The piece of `id`; throws X709 where there is none.
  const std::string& piece(std::int32_t id) const;
  std::optional<std::int32_t> id(std::string_view piece) const;
  const SpecialTokens& special() const { return special_; }
  const SpecialIds& special_ids() const { return special_ids_; }
  /// The special tokens whose names in a text stand for them: the five, or those of `SpecialTokens::recognized`, by id.
  const std::vector<std::string>& recognized() const { return recognized_; }
  /// Whether it is one of the five, or one that is recognized.
  bool is_special(std::int32_t id) const {
    return special_ids_.contains(id) || std::ranges::binary_search(recognized_ids_, id);
  }

  /// Whether a line of vocab.txt can hold the piece.
  static bool is_line(std::string_view piece) { return !piece.ends_with('\r') && piece.find('\n') == piece.npos; }
  /// The content of vocab.txt: the pieces of words.
  std::string to_text() const;
  friend bool operator==(const Vocabulary& a, const Vocabulary& b) {
    return a.pieces_ == b.pieces_ && a.special_ == b.special_;
  }

 private:
  std::vector<std::string> pieces_;
  PieceFinder finder_;
  SpecialTokens special_;
  SpecialIds special_ids_{};
  std::vector<std::string> recognized_;
  std::vector<std::int32_t> recognized_ids_;
};

/// The lines of a vocab.txt (LF or CRLF, with or without a BOM). Throws X708 with the line that is not UTF-8.
std::vector<std::string> vocabulary_lines(std::string_view text, const std::string& name = "vocab.txt");
/// Reads the content of a vocab.txt (LF or CRLF, with or without a BOM). Throws X708 with the line at fault.
Vocabulary parse_vocabulary(std::string_view text, SpecialTokens special = {}, const std::string& name = "vocab.txt");
/// Reads a vocab.txt. Throws X701 and X708.
Vocabulary load_vocabulary(const std::filesystem::path& path, SpecialTokens special = {});
/// Writes a vocab.txt, beside and renamed. Throws X707.
void save_vocabulary(const Vocabulary& vocabulary, const std::filesystem::path& path);

}  // namespace octet::text
