/// WordPiece: each word becomes the fewest pieces that a greedy longest match from the left finds, or the unknown
/// token. (Devlin et al. 2018; the ids are those of Hugging Face's BERT tokenizers for the same vocabulary and
/// options.)
export module octet.text:wordpiece;
import octet.standard;
import :encoding;
import :normalize;
import :piece_trie;
import :special_names;
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

/// A vocabulary and the options it was trained with: what files hold. A value; safe to use from several threads.
class WordPieceModel {
 public:
  explicit WordPieceModel(Vocabulary vocabulary, WordPieceOptions options = {})
      : vocabulary_{std::move(vocabulary)}, options_{std::move(options)} {}

  const Vocabulary& vocabulary() const { return vocabulary_; }
  const WordPieceOptions& options() const { return options_; }
  const SpecialIds& special_ids() const { return vocabulary_.special_ids(); }

  /// Writes vocab.txt and tokenizer_config.json (the names and keys that Hugging Face's BertTokenizer reads) and
  /// tokenizer.json into `directory`, which is made where missing; none of them where one cannot be written. Throws
  /// X707.
  void save(const std::filesystem::path& directory) const;

  friend bool operator==(const WordPieceModel& a, const WordPieceModel& b) {
    return a.vocabulary_ == b.vocabulary_ && a.options_ == b.options_;
  }

 private:
  Vocabulary vocabulary_;
  WordPieceOptions options_;
};

/// A model, and beside it what finds its pieces in words. A value; safe to use from several threads.
class WordPiece : public WordPieceModel {
 public:
  explicit WordPiece(WordPieceModel model);
  explicit WordPiece(Vocabulary vocabulary, WordPieceOptions options = {})
      : WordPiece{WordPieceModel{std::move(vocabulary), std::move(options)}} {}

  /// For many texts, a WordPieceEncoder is faster.
  Encoding encode(std::string_view text, const EncodeOptions& options = {}) const;
  /// Joins pieces into text: continuing pieces to the word before, others after a blank, but where DecodeOptions has
  /// none written (`tokenizers` has blanks there) and composed. What clean-up changed does not come back. Throws X709
  /// for an id outside the vocabulary.
  std::string decode(std::span<const std::int32_t> ids, const DecodeOptions& options = {}) const;
  /// Whether the piece continues a word.
  bool continues_word(std::int32_t id) const;

 private:
  friend class WordPieceEncoder;
  template <class Append>
  void encode_between_special(std::string_view text, const EncodeOptions& options, Encoding& to, Append append) const;
  bool goes_on_at(std::string_view text, std::size_t at) const;
  void append_segment(std::string_view segment, std::size_t begin, Encoding& to, bool goes_on = false) const;
  void append_word(std::u32string_view word, const Span* source, std::size_t begin, Encoding& to) const;
  template <class Add>
  bool for_each_piece(std::u32string_view word, Add add) const;
  inline PieceTrie::Step first_step(char32_t character, bool continues) const {
    if (2 * character < first_steps_.size()) return first_steps_[2 * character + continues];
    return trie_.step(continues ? continuing_ : PieceTrie::root, character);
  }

  PieceTrie trie_;
  PieceTrie::Node continuing_ = PieceTrie::root;  // where the prefix leads
  // By character, those that begin a word and that go on with one: of the others few are in the nearest cache.
  std::vector<PieceTrie::Step> first_steps_;
};

// Calls `add` with the id of each piece of a clean word, and the characters that it takes; false where a part of the
// word is no piece.
template <class Add>
bool WordPiece::for_each_piece(std::u32string_view word, Add add) const {
  if (word.size() > options().max_characters_per_word) return false;
  for (std::size_t at = 0; at < word.size();) {
    std::int32_t longest = -1;
    std::size_t end = at;
    PieceTrie::Step step = first_step(word[at], at > 0);
    for (std::size_t i = at;; step = trie_.step(step.to, word[i])) {
      ++i;
      if (step.piece >= 0) {
        longest = step.piece;
        end = i;
      }
      if (step.to == PieceTrie::nowhere || i == word.size()) break;
    }
    if (longest < 0) return false;
    add(longest, at, end);
    at = end;
  }
  return true;
}

// What is encoded alike by a tokenizer and by one that remembers: `append` takes a text without special names, where it
// begins.
template <class Append>
void WordPiece::encode_between_special(std::string_view text, const EncodeOptions& options, Encoding& to,
                                       Append append) const {
  const auto add = [&](std::int32_t id, Span span) {
    to.ids.push_back(id);
    to.offsets.push_back(span);
  };
  const std::vector<std::string> none;
  const std::vector<std::string>& names = options.recognize_special ? vocabulary().recognized() : none;
  if (options.add_special) add(special_ids().classification, {0, 0});
  for (std::size_t from = 0; from < text.size();) {
    const auto [at, name] = find_special(text, from, names);
    append(text.substr(from, at - from), from);
    if (!name.empty()) add(*vocabulary().id(name), {at, at + name.size()});
    from = at + name.size();
  }
  if (options.add_special) add(special_ids().separator, {0, 0});
}

}  // namespace octet::text
