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
  /// The same, given out in parts of some ten thousand tokens, so that a text of any length takes little beside it.
  void encode(std::string_view text, const EncodeOptions& options, const EncodingFunction& take);
  /// Appends the ids of a text, special names taken as plain text: the fast way for whole corpora.
  void append_ids(std::string_view text, std::vector<std::int32_t>& to);

 private:
  struct Piece {
    std::int32_t id;
    std::uint16_t begin, end;  // in the part
  };
  // What clean-up makes of a character within a word: so many characters, the only one or where they are in
  // `expanded_`; none where it depends on what is beside it, or is no letter.
  struct Letter {
    std::uint32_t value : 24 = 0;
    std::uint32_t characters : 7 = 0;
    std::uint32_t is_known : 1 = false;
  };

  void encode_to(Encoding& result, std::string_view text, const EncodeOptions& options, const EncodingFunction& take);
  void encode_plain(std::string_view text, std::size_t begin, std::vector<std::int32_t>& ids,
                    std::vector<Span>* offsets, const std::function<void()>& end_segment);
  template <bool several>
  [[gnu::noinline]] void encode_segments(std::string_view text, std::size_t begin, std::vector<std::int32_t>& ids,
                                         std::vector<Span>* offsets, const std::function<void()>& end_segment);
  std::size_t encode_anew(std::string_view part);
  std::size_t take_letters(std::string_view part);
  Letter letter_of(char32_t character);

  const WordPiece* tokenizer_;
  TextParts parts_;
  std::vector<Letter> letters_;          // of most characters
  std::u32string expanded_;              // what several characters are made of
  std::vector<std::int32_t> alone_ids_;  // of most characters that are a part each; -1 where it is not known
  WordCache words_;
  std::vector<Piece> cached_;
  std::string segment_;        // of a text, with room behind it
  std::u32string word_;        // the part that is encoded, after clean-up
  std::vector<Span> sources_;  // of its characters
};

}  // namespace octet::text
