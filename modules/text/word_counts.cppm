/// Distinct words and how often each was counted. Their bytes stand side by side: a text in a script without blanks has
/// nearly as many bytes of distinct words as it has bytes, and learning is to fit beside it. Internal to octet.text.
export module octet.text:word_counts;
import octet.standard;

export namespace octet::text {

class WordCounts {
 public:
  void add(std::string_view word, std::uint64_t count = 1);
  void add(const WordCounts& other) {
    for (std::size_t i = 0; i < other.size(); ++i) add(other[i], other.count(i));
  }

  std::size_t size() const { return words_.size(); }
  bool empty() const { return words_.empty(); }
  /// The words, one after the other in the order in which they came up.
  std::string_view bytes() const { return bytes_; }
  std::size_t begin(std::size_t word) const { return word == 0 ? 0 : words_[word - 1].end; }
  std::size_t end(std::size_t word) const { return words_[word].end; }
  std::string_view operator[](std::size_t word) const {
    return std::string_view{bytes_}.substr(begin(word), end(word) - begin(word));
  }
  std::uint64_t count(std::size_t word) const { return words_[word].count; }

 private:
  struct Word {
    std::uint64_t end, count;
  };
  struct Slot {
    std::uint32_t hash, word;
  };
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  void grow();

  std::string bytes_;
  std::vector<Word> words_;
  std::vector<Slot> slots_;  // open addressing
};

/// Counts that copies share until one of them counts on.
class SharedWordCounts {
 public:
  WordCounts& own() {
    if (counts_.use_count() > 1) counts_ = shared<WordCounts>(*counts_);
    return *counts_;
  }
  const WordCounts& operator*() const { return *counts_; }
  const WordCounts* operator->() const { return counts_.get(); }

 private:
  std::shared_ptr<WordCounts> counts_ = shared<WordCounts>();
};

}  // namespace octet::text
