/// Clean-up before tokenizing, as BERT does it: control characters, white space, Chinese characters, accents, case.
export module octet.text:normalize;
import octet.standard;

export namespace octet::text {

/// The options of BERT's basic tokenizer, under the names of the vocabulary training they are known by.
struct CleanUp {
  bool clean_text = true;            ///< drop control characters, U+0000 and U+FFFD; each white space becomes a blank
  bool handle_chinese_chars = true;  ///< blanks around each Chinese character, so that it is a word
  bool lowercase = true;
  /// Decompose (NFD) and drop nonspacing marks. Unset: as `lowercase`, the rule of BERT's tokenizers. That rule
  /// decomposes Hangul into jamo and takes the voicing marks off Japanese kana, so text in those languages wants
  /// `false`.
  std::optional<bool> strip_accents = {};

  bool strips_accents() const { return strip_accents.value_or(lowercase); }
  friend bool operator==(const CleanUp&, const CleanUp&) = default;
};

/// A half-open range of bytes of the source text.
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
  friend bool operator==(const Span&, const Span&) = default;
};

/// Text after clean-up, and where each character of it came from.
struct CleanText {
  std::u32string characters;
  std::vector<Span> source;  ///< for each character, the bytes of the source it stands for
};

/// Cleans UTF-8 text; bytes that are not UTF-8 count as U+FFFD (dropped by `clean_text`).
CleanText clean_up(std::string_view text, const CleanUp& options);

/// The same ranges counted in characters (code points) of `text` rather than in bytes. A character counts where any of
/// its bytes lies in the range.
std::vector<Span> in_characters(std::string_view text, const std::vector<Span>& bytes);

/// The same for one part of an encoding after the other: a text of any length is gone through once.
class CharacterRanges {
 public:
  explicit CharacterRanges(std::string_view text) : text_{text} {}
  std::vector<Span> of(const std::vector<Span>& bytes);

 private:
  std::string_view text_;
  std::size_t at_ = 0, count_ = 0;  // where a character begins, and how many are before it
};

}  // namespace octet::text
