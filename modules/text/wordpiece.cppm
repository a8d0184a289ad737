/// WordPiece: each word becomes the fewest pieces that a greedy longest match from the left finds, or the unknown
/// token. (Devlin et al. 2018; the ids are those of Hugging Face's BERT tokenizers for the same vocabulary and
/// options.)
export module octet.text:wordpiece;
import octet.standard;
import :encoding;
import :normalize;
import :vocabulary;

export namespace octet::text {

struct WordPieceOptions {
  CleanUp clean_up = {};
  std::string wordpieces_prefix = "##";       ///< marks a piece that continues a word
  std::size_t max_characters_per_word = 100;  ///< a longer word becomes the unknown token
  friend bool operator==(const WordPieceOptions&, const WordPieceOptions&) = default;
};

struct DecodeOptions {
  bool skip_special = true;
  bool compose = true;  ///< NFC, so that jamo show as syllables
  /// Leaves out the blanks that splitting put in: before closing punctuation, after opening brackets, and between
  /// two Chinese characters or kana.
  bool tidy = true;
};

/// A vocabulary and the options it was trained with. A value; safe to use from several threads.
class WordPiece {
 public:
  explicit WordPiece(Vocabulary vocabulary, WordPieceOptions options = {});

  const Vocabulary& vocabulary() const { return vocabulary_; }
  const WordPieceOptions& options() const { return options_; }
  const SpecialIds& special_ids() const { return vocabulary_.special_ids(); }

  Encoding encode(std::string_view text, const EncodeOptions& options = {}) const;
  /// Appends the ids of one line of text, special names taken as plain text: the fast way for whole corpora.
  void append_ids(std::string_view line, std::vector<std::int32_t>& to) const;
  /// Joins pieces into text: continuing pieces to the word before, others after a blank. What clean-up changed does not
  /// come back. Throws X709 for an id outside the vocabulary.
  std::string decode(std::span<const std::int32_t> ids, const DecodeOptions& options = {}) const;
  /// Whether the piece continues a word.
  bool continues_word(std::int32_t id) const;

  /// Writes vocab.txt and tokenizer_config.json (the names and keys that Hugging Face's BertTokenizer reads) and
  /// tokenizer.json into `directory`, which is made where missing; none of them where one cannot be written. Throws
  /// X707.
  void save(const std::filesystem::path& directory) const;

  friend bool operator==(const WordPiece& a, const WordPiece& b) {
    return a.vocabulary_ == b.vocabulary_ && a.options_ == b.options_;
  }

 private:
  void append_segment(std::string_view segment, std::size_t begin, Encoding& to) const;
  void append_plain(std::string_view text, std::size_t begin, Encoding& to) const;

  Vocabulary vocabulary_;
  WordPieceOptions options_;
  std::size_t longest_piece_ = 0;  // in bytes
};

}  // namespace octet::text
