/// Distinct words in the order of their bytes, each with a count: of each there is only what differs from the word
/// before it, some three bytes of a word among millions. Internal to octet.text.
export module octet.text:sorted_words;
import octet.standard;
import :word_arena;

export namespace octet::text {

class SortedWords {
 public:
  /// Adds a word, which comes after all that are there.
  void add(std::string_view word, std::uint64_t count) {
    const std::size_t most = std::min({word.size(), last_.size(), most_shared});
    std::size_t shared = 0;
    while (shared < most && word[shared] == last_[shared]) ++shared;
    last_.assign(word);
    coded_.assign(1, static_cast<char>(shared));
    coded_.append(word.substr(shared));
    words_.add(coded_, count);
  }

  bool empty() const { return words_.empty(); }
  std::size_t size() const { return words_.size(); }

  /// Calls `function(word, count)` for each word in order.
  template <class Function>
  void for_each(Function function) const {
    words_.for_each(decoding(function));
  }
  /// The same, and gives the words' memory back on the way. Nothing is left of them, even where `function` throws.
  template <class Function>
  void take_each(Function function) {
    last_.clear();
    words_.take_each(decoding(function));
  }

 private:
  static constexpr std::size_t most_shared = 255;  // bytes of a word's beginning: their number stands in one byte

  template <class Function>
  auto decoding(Function& function) const {
    return [&function, this, word = std::string{}](WordArena::Place place) mutable {
      const WordArena::Word coded = words_.word(place);
      word.resize(coded.bytes[0]);
      word.append(coded.text().substr(1));
      function(std::string_view{word}, coded.count);
    };
  }

  WordArena words_{false};
  std::string last_;   // of the words
  std::string coded_;  // kept for its memory
};

}  // namespace octet::text
