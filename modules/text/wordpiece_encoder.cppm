/// WordPiece for many texts: what was encoded once is remembered.
export module octet.text:wordpiece_encoder;
import octet.standard;
import :wordpiece;

export namespace octet::text {

/// Encodes text after text to the ids of WordPiece::append_ids, and remembers the parts between blanks, punctuation and
/// Chinese characters: some tens of thousands, then it begins anew. For one thread. The tokenizer must outlive it.
class WordPieceEncoder {
 public:
  explicit WordPieceEncoder(const WordPiece& tokenizer) : tokenizer_{&tokenizer} {}

  /// Appends the ids of one line of text, special names taken as plain text.
  void append_ids(std::string_view line, std::vector<std::int32_t>& to);

 private:
  struct Part {
    std::uint32_t begin, size;  // of its ids in `cached_`
  };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  void append_part(std::string_view part, std::vector<std::int32_t>& to);

  const WordPiece* tokenizer_;
  std::unordered_map<std::string, Part, Hash, std::equal_to<>> parts_;
  std::vector<std::int32_t> cached_;
};

}  // namespace octet::text
