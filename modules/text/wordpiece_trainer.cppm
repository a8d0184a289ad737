/// Learning a WordPiece vocabulary: count words, begin with their characters, and join the most frequent pair of
/// neighbouring pieces until the vocabulary is full. (The rule of Hugging Face's WordPieceTrainer: pairs by frequency,
/// as in BPE.)
module;
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
export module octet.text:wordpiece_trainer;
import :normalize;
import :vocabulary;
import :wordpiece;

export namespace octet::text {

struct WordPieceTraining {
  std::size_t vocab_size = 30000;     ///< at most; special tokens included
  std::uint64_t min_frequency = 2;    ///< a pair seen fewer times is not joined
  std::size_t limit_alphabet = 1000;  ///< keep this many of the most frequent characters
  std::string wordpieces_prefix = "##";
  std::size_t max_characters_per_word = 100;  ///< a longer word is not learned from, and encodes as the unknown token
  SpecialTokens special = {};
  CleanUp clean_up = {};
};

/// Progress of `train`, called now and then: pieces so far. Return false to stop early with what there is.
using TrainingProgress = std::function<bool(std::size_t pieces)>;

/// Counts words line by line, then trains. Only the distinct words are kept, never the text.
///
/// The result depends on the counted words alone, not on the order of lines. Ties: characters of equal count are kept
/// by lower code point; pairs of equal count are joined by lower id of the left piece, then of the right one. Ids are
/// given to the special tokens, then to the kept characters by code point, then to their continuing forms by code
/// point, then to the joined pieces as they arise.
class WordPieceTrainer {
 public:
  /// Throws X709 where an option is out of range.
  explicit WordPieceTrainer(WordPieceTraining options = {});

  /// Counts the words of one line of UTF-8 text.
  void add(std::string_view line);
  /// Distinct words so far.
  std::size_t words() const { return counts_.size(); }
  /// Throws X706 where no word was counted.
  WordPiece train(const TrainingProgress& progress = {}) const;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  WordPieceTraining options_;
  std::unordered_map<std::string, std::uint64_t, Hash, std::equal_to<>> counts_;
};

}  // namespace octet::text
