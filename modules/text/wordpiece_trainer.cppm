/// Learning a WordPiece vocabulary: count words, begin with their characters, and join the most frequent pair of
/// neighbouring pieces until the vocabulary is full. (The rule of Hugging Face's WordPieceTrainer: pairs by frequency,
/// as in BPE.)
export module octet.text:wordpiece_trainer;
import octet.base;
import octet.standard;
import :normalize;
import :piece_names;
import :vocabulary;
import :word_counts;
import :wordpiece;

export namespace octet::text {

struct WordPieceTraining {
  std::size_t vocab_size = 30000;     ///< at most; special tokens included
  std::uint64_t min_frequency = 2;    ///< a pair seen fewer times is not joined
  std::size_t limit_alphabet = 1000;  ///< keep this many of the most frequent characters
  std::string wordpieces_prefix = "##";
  std::size_t max_characters_per_word = 100;  ///< a longer word is not learned from, and encodes as the unknown token
  SpecialTokens special = {};                 ///< the first pieces; `recognized` may name more than the five
  CleanUp clean_up = {};
  /// About what pairs may take while they are counted, in bytes; 0: by the text, so that all takes about twice its
  /// size at the most, and by its distinct words, so that the same few words take no more in a larger text. Less is
  /// slower and learns the same.
  std::size_t room = 0;
};

/// Progress of `train`, called now and then: pieces so far. Return false to stop early with what there is.
using TrainingProgress = std::function<bool(std::size_t pieces)>;

/// Counts words line by line, then trains. Only the distinct words are kept, never the text.
///
/// The result depends on the counted words alone, not on the order of lines. Ties: characters of equal count are kept
/// by lower code point; pairs of equal count are joined by lower id of the left piece, then of the right one. Ids are
/// given to the special tokens, then to the kept characters by code point, then to their continuing forms, those that
/// more distinct words have first (Hugging Face's tokenizers number them as they meet them in words in no order, the
/// commoner ones sooner as a rule), by code point where as many have them, then to the joined pieces as they arise.
class WordPieceTrainer {
 public:
  /// Throws X709 where an option is out of range.
  explicit WordPieceTrainer(WordPieceTraining options = {});

  /// Counts the words of one line of UTF-8 text.
  void add(std::string_view line);
  /// Counts the words of many lines, shared among threads.
  void add(std::span<const std::string_view> lines, Threads& threads);
  /// Distinct words so far.
  std::size_t words() const { return counts_->size(); }
  /// The same at once, whatever was counted; of a text of very many words it may be too many.
  std::size_t words_at_most() const { return counts_->size_at_most(); }
  /// Throws X706 where no word was counted, or only longer ones than are learned from. The threads, where there are
  /// some, make no difference to the result.
  WordPiece train(const TrainingProgress& progress = {}, Threads* threads = nullptr) const&;
  /// The same in half the memory: the words that were counted go as they are learned from.
  WordPiece train(const TrainingProgress& progress = {}, Threads* threads = nullptr) &&;
  /// The same for files alone: without what encoding takes, and the words go, too.
  WordPieceModel learn(const TrainingProgress& progress = {}, Threads* threads = nullptr) &&;

 private:
  friend class WordPieceLearner;
  WordPieceTraining options_;
  SharedWordCounts counts_;
  std::uint64_t longer_words_ = 0;  ///< repetitions counted: those that are not learned from
};

/// What `train` does, a step at a time: for a program that shows a vocabulary grow, or has other things to do
/// meanwhile.
class WordPieceLearner {
 public:
  /// Takes the words that were counted so far. Throws X706 where no word was counted. The threads must live as long.
  explicit WordPieceLearner(const WordPieceTrainer& trainer, Threads* threads = nullptr)
      : WordPieceLearner{WordPieceTrainer{trainer}, threads} {}
  explicit WordPieceLearner(WordPieceTrainer&& trainer, Threads* threads = nullptr);
  ~WordPieceLearner();
  WordPieceLearner(WordPieceLearner&&) noexcept;
  WordPieceLearner& operator=(WordPieceLearner&&) noexcept;

  /// Joins so many pairs, fewer where the vocabulary is full before or no pair is left; whether there is more to learn.
  bool learn(std::size_t pairs);
  /// By id. Some joins give a piece that is there already.
  const PieceNames& pieces() const;
  /// Words of the text, repetitions counted.
  std::uint64_t occurrences() const;
  /// Pieces that those words are joined to now; characters outside the alphabet are not counted. (Encoding, which takes
  /// the longest piece first, may need a few more or less.)
  std::uint64_t tokens() const;
  /// With what was learned so far.
  WordPiece tokenizer() const;

 private:
  friend class WordPieceTrainer;
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace octet::text
