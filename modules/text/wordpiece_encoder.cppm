/// WordPiece for many texts: what was encoded once is remembered.
export module octet.text:wordpiece_encoder;
import octet.standard;
import :encoding;
import :normalize;
import :text_parts;
import :unicode;
import :word_cache;
import :wordpiece;

export namespace octet::text {

/// Encodes text after text as WordPiece::encode does, and remembers the parts between blanks, punctuation and Chinese
/// characters: some tens of thousands, then it begins anew. For one thread. The tokenizer must outlive it.
class WordPieceEncoder {
 public:
  explicit WordPieceEncoder(const WordPiece& tokenizer);

  Encoding encode(std::string_view text, const EncodeOptions& options = {});
  /// Appends the ids of a text, special names taken as plain text: the fast way for whole corpora.
  void append_ids(std::string_view text, std::vector<std::int32_t>& to);

 private:
  struct Piece {
    std::int32_t id;
    std::uint16_t begin, end;  // in the part
  };
  void encode_plain(std::string_view text, std::size_t begin, std::vector<std::int32_t>& ids,
                    std::vector<Span>* offsets);
  void encode_anew(std::string_view part);
  bool is_clean_word(std::string_view part);
  inline CharacterFacts facts(char32_t character) const {
    return character < facts_.size() ? facts_[character] : facts_of(character);
  }

  const WordPiece* tokenizer_;
  std::span<const CharacterFacts> facts_;  // of most characters
  TextParts parts_;
  std::vector<std::int32_t> alone_ids_;  // of most characters that are a part each; -1 where it is not known
  WordCache words_;
  std::vector<Piece> cached_;
  std::string segment_;  // of a text, with room behind it
  Encoding encoding_;    // of the part last looked up in vain
  std::string word_;
};

}  // namespace octet::text
