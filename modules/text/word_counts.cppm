/// Distinct words and how often each was counted. Internal to octet.text.
///
/// Words are found in a table. Where nearly each word of a text is a new one, and short, the table and the words come
/// to take nearly as much as the text: then they are put in order, among those put in order before, which takes a third
/// of the memory, and counting goes on with an empty table.
export module octet.text:word_counts;
import octet.standard;
import :sorted_words;
import :word_arena;

export namespace octet::text {

class WordCounts {
 public:
  void add(std::string_view word, std::uint64_t count = 1);
  void add(const WordCounts& other) {
    other.for_each([&](std::string_view word, std::uint64_t count) { add(word, count); });
  }

  bool empty() const { return words_.empty() && sorted_.empty(); }
  /// Distinct words: to count them takes going through all, once some were put in order.
  std::size_t size() const {
    check_whole();
    if (sorted_.empty()) return words_.size();
    std::size_t words = 0;
    for_each([&](std::string_view, std::uint64_t) { ++words; });
    return words;
  }
  /// The same at once, but a word may count twice until all are put in order.
  std::size_t size_at_most() const { return words_.size() + sorted_.size(); }
  /// Bytes of all words that were counted, repetitions too.
  std::uint64_t text_bytes() const { return text_bytes_; }
  /// Calls `function(word, count)` for each word.
  template <class Function>
  void for_each(Function function) const {
    check_whole();
    if (sorted_.empty())
      words_.for_each(telling(function));
    else
      merge(in_order(), [&](const auto& take) { sorted_.for_each(take); }, function);
  }
  /// The same, and gives the words' memory back on the way. Nothing is left of them, even where `function` throws;
  /// where there is no memory to put them in order first, it throws std::bad_alloc, as everything after it does.
  template <class Function>
  void take_each(Function function) {
    check_whole();
    if (!sorted_.empty() && !words_.empty()) sort();
    forget_slots();
    text_bytes_ = 0;
    sorted_.take_each(function);
    words_.take_each(telling(function));
  }

 private:
  // What a slot has of a word: its place, in as many of the lower bits as places need by now, and above it a part of
  // its hash, so that few words are compared in vain.
  using Slot = std::uint32_t;
  static constexpr Slot none = ~Slot{0};  // no word is at a place of ones: one of a byte takes two
  std::size_t first_slot(std::uint64_t hash) const;
  std::size_t after(std::size_t slot) const { return slot + 1 == slots_.size() ? 0 : slot + 1; }
  void put(std::size_t slot, std::uint64_t hash, WordArena::Place place);
  void fill_slots(std::size_t count);
  template <class Function>
  auto telling(Function& function) const {
    return [&function, this](WordArena::Place place) {
      const WordArena::Word word = words_.word(place);
      function(word.text(), word.count);
    };
  }
  // Puts all words in order. Where there is no memory for it, words are lost: asking for them throws std::bad_alloc.
  void sort();
  bool worth_sorting() const;
  struct Begun {
    std::uint32_t bytes;  // a word's first four, the first of them the highest
    WordArena::Place place;
  };
  std::vector<Begun> in_order() const;
  /// Calls `function(word, count)` for each word in order. `for_each_sorted` goes through those that are already.
  template <class ForEach, class Function>
  void merge(const std::vector<Begun>& recent, ForEach for_each_sorted, Function& function) const {
    auto next = recent.begin();
    for_each_sorted([&](std::string_view word, std::uint64_t count) {
      for (; next != recent.end(); ++next) {
        const WordArena::Word before = words_.word(next->place);
        const auto order = before.text() <=> word;
        if (order > 0) break;
        if (order == 0)
          count += before.count;
        else
          function(before.text(), before.count);
      }
      function(word, count);
    });
    for (; next != recent.end(); ++next) {
      const WordArena::Word after = words_.word(next->place);
      function(after.text(), after.count);
    }
  }
  void check_whole() const {
    if (sorting_) throw std::bad_alloc{};
  }
  void forget_slots() { slots_ = std::vector<Slot>(); }  // `= {}` would keep their memory

  WordArena words_{false};  // those counted since words were put in order
  SortedWords sorted_;      // those that were
  bool sorting_ = false;
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
    } else {
      last_reader_is_done();
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
    if (taken.use_count() > 1) {
      taken->for_each(function);
    } else {
      last_reader_is_done();
      taken->take_each(function);
    }
  }

 private:
  /// Another thread may have read them for its copy a moment ago: use_count() alone does not say that it is done.
  static void last_reader_is_done() { std::atomic_thread_fence(std::memory_order::acquire); }

  std::shared_ptr<WordCounts> counts_ = shared<WordCounts>();
};

}  // namespace octet::text
