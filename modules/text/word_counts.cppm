/// Distinct words and how often each was counted. Internal to octet.text.
export module octet.text:word_counts;
import octet.standard;
import :word_arena;

export namespace octet::text {

class WordCounts {
 public:
  void add(std::string_view word, std::uint64_t count = 1);
  void add(const WordCounts& other) {
    other.for_each([&](std::string_view word, std::uint64_t count) { add(word, count); });
  }

  std::size_t size() const { return words_.size(); }
  bool empty() const { return words_.empty(); }
  /// Bytes of all words that were counted, repetitions too.
  std::uint64_t text_bytes() const { return text_bytes_; }
  /// Calls `function(word, count)` for each word.
  template <class Function>
  void for_each(Function function) const {
    words_.for_each([&](WordArena::Place place) {
      const WordArena::Word word = words_.word(place);
      function(word.text(), word.count);
    });
  }
  /// The same, and gives the words' memory back on the way. Nothing is left of them, even where `function` throws.
  template <class Function>
  void take_each(Function function) {
    forget_slots();
    text_bytes_ = 0;
    words_.take_each([&](WordArena::Place place) {
      const WordArena::Word word = words_.word(place);
      function(word.text(), word.count);
    });
  }

 private:
  // What a slot has of a word: its place, in as many of the lower bits as places need by now, and above it a part of
  // its hash, so that few words are compared in vain.
  using Slot = std::uint32_t;
  static constexpr Slot none = ~Slot{0};  // no word is at a place of ones: it takes two bytes at least
  std::size_t first_slot(std::uint64_t hash) const;
  std::size_t after(std::size_t slot) const { return slot + 1 == slots_.size() ? 0 : slot + 1; }
  void put(std::size_t slot, std::uint64_t hash, WordArena::Place place);
  void fill_slots(std::size_t count);
  void forget_slots() { slots_ = std::vector<Slot>(); }  // `= {}` would keep their memory

  WordArena words_{false};
  std::vector<Slot> slots_;  // open addressing
  Slot place_mask_ = 0;      // ones where a slot has a place
  std::uint64_t text_bytes_ = 0;
};

/// What pairs and their lists may take, in bytes, while a vocabulary is learned: what is left where all is to take less
/// than twice the text, but no more than its distinct words have use for. `word_bytes` are those of the distinct words.
std::size_t joining_room(std::uint64_t text_bytes, std::uint64_t word_bytes);

/// Counts that copies share until one of them counts on.
class SharedWordCounts {
 public:
  WordCounts& own() {
    if (counts_.use_count() > 1) {
      const auto shared_before = std::exchange(counts_, shared<WordCounts>());
      counts_->add(*shared_before);
    }
    return *counts_;
  }
  const WordCounts& operator*() const { return *counts_; }
  const WordCounts* operator->() const { return counts_.get(); }

  /// Calls `function(word, count)` for each word, and gives their memory back on the way where no copy needs it. None
  /// is left here, even where `function` throws.
  template <class Function>
  void take_each(Function function) {
    const auto taken = std::exchange(counts_, shared<WordCounts>());
    if (taken.use_count() > 1)
      taken->for_each(function);
    else
      taken->take_each(function);
  }

 private:
  std::shared_ptr<WordCounts> counts_ = shared<WordCounts>();
};

}  // namespace octet::text
