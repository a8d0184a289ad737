/// Many lists of words, most of them short, that come and go. Internal to octet.text.
export module octet.text:word_lists;
import octet.standard;

export namespace octet::text {

class WordLists {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};  ///< the empty list

  /// Adds a word to a list, unless it is the one added last.
  inline void add(std::uint32_t& list, std::uint32_t word) {
    if (list != none) {
      std::uint32_t* const words = at(list).words;
      int used = 1;
      while (used < words_of_link && words[used] != none) ++used;
      if (words[used - 1] == word) return;
      if (used < words_of_link) {
        words[used] = word;
        return;
      }
    }
    const std::uint32_t link = unused();
    ++links_;
    at(link) = {list, {word, none, none}};
    list = link;
  }
  /// The words of a list, which is gone then.
  inline std::vector<std::uint32_t> take(std::uint32_t list) {
    std::vector<std::uint32_t> words;
    while (list != none) {
      Link& link = at(list);
      for (const std::uint32_t word : link.words)
        if (word != none) words.push_back(word);
      --links_;
      const std::uint32_t next = std::exchange(link.next, free_);
      free_ = std::exchange(list, next);
    }
    return words;
  }

  /// What a list of so many words takes.
  static std::size_t bytes_of(std::size_t words) { return (words + words_of_link - 1) / words_of_link * sizeof(Link); }
  /// What all lists take together, in bytes.
  std::size_t bytes() const { return links_ * sizeof(Link); }

 private:
  static constexpr int words_of_link = 3;
  struct Link {
    std::uint32_t next, words[words_of_link];
  };
  static constexpr std::uint32_t block = 1 << 13;  // links that are allocated together, and never moved

  inline Link& at(std::uint32_t link) { return blocks_[link / block][link % block]; }
  inline std::uint32_t unused() {
    if (free_ != none) return std::exchange(free_, at(free_).next);
    if (size_ % block == 0) blocks_.emplace_back(new Link[block]);
    return size_++;
  }

  std::vector<std::unique_ptr<Link[]>> blocks_;
  std::uint32_t size_ = 0, free_ = none;
  std::size_t links_ = 0;
};

}  // namespace octet::text
