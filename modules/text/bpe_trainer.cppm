/// Learning byte-level BPE: count words, begin with their bytes, and join the most frequent pair of neighbouring pieces
/// until the vocabulary is full. (The merges are those of Hugging Face's BpeTrainer with a ByteLevel pre-tokenizer and
/// its alphabet of 256.)
export module octet.text:bpe_trainer;
import octet.base;
import octet.standard;
import :bpe;
import :piece_names;
import :word_counts;
import :wordpiece_trainer;

export namespace octet::text {

struct BpeTraining {
  std::size_t vocab_size = 30000;   ///< at most; special tokens and the 256 bytes included
  std::uint64_t min_frequency = 2;  ///< a pair seen fewer times is not joined
  std::vector<std::string> special = {"<|endoftext|>"};
  bool add_prefix_space = false;  ///< as in BpeOptions
  /// About what pairs may take while they are counted, in bytes; 0: by the text, so that all takes about twice its
  /// size at the most, and by its distinct words, so that the same few words take no more in a larger text. Less is
  /// slower and learns the same.
  std::size_t room = 0;
};

/// Counts words, then trains. Only the distinct words are kept, never the text.
///
/// The result depends on the counted words alone. Ties: pairs of equal count are joined by lower id of the left piece,
/// then of the right one. Ids are given to the special tokens, then to the bytes in the order of their characters, then
/// to the joined pieces as they arise.
class BpeTrainer {
 public:
  /// Throws X709 where an option is out of range.
  explicit BpeTrainer(BpeTraining options = {});

  /// Counts the words of a text. For the merges of other tools, which read files by lines, give lines with their ends.
  void add(std::string_view text);
  /// Counts the words of many texts, shared among threads.
  void add(std::span<const std::string_view> texts, Threads& threads);
  /// Distinct words so far.
  std::size_t words() const { return counts_->size(); }
  /// The same at once, whatever was counted; of a text of very many words it may be too many.
  std::size_t words_at_most() const { return counts_->size_at_most(); }
  /// Throws X706 where no word was counted. The threads, where there are some, make no difference to the result.
  Bpe train(const TrainingProgress& progress = {}, Threads* threads = nullptr) const&;
  /// The same in half the memory: the words that were counted go as they are learned from.
  Bpe train(const TrainingProgress& progress = {}, Threads* threads = nullptr) &&;
  /// The same for files alone: without what encoding takes, and the words go, too.
  BpeModel learn(const TrainingProgress& progress = {}, Threads* threads = nullptr) &&;

 private:
  friend class BpeLearner;
  void count(std::string_view text);

  BpeTraining options_;
  SharedWordCounts counts_;
};

/// What `train` does, a step at a time: for a program that shows a vocabulary grow, or has other things to do
/// meanwhile.
class BpeLearner {
 public:
  /// Takes the words that were counted so far. Throws X706 where no word was counted. The threads must live as long.
  explicit BpeLearner(const BpeTrainer& trainer, Threads* threads = nullptr)
      : BpeLearner{BpeTrainer{trainer}, threads} {}
  explicit BpeLearner(BpeTrainer&& trainer, Threads* threads = nullptr);
  ~BpeLearner();
  BpeLearner(BpeLearner&&) noexcept;
  BpeLearner& operator=(BpeLearner&&) noexcept;

  /// Joins so many pairs, fewer where the vocabulary is full before or no pair is left; whether there is more to learn.
  bool learn(std::size_t pairs);
  /// By id, as files show them. Some joins give a piece that is there already.
  const PieceNames& pieces() const;
  /// Words of the text, repetitions counted.
  std::uint64_t occurrences() const;
  /// Pieces that those words take now.
  std::uint64_t tokens() const;
  /// With what was learned so far.
  Bpe tokenizer() const;

 private:
  friend class BpeTrainer;
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace octet::text
