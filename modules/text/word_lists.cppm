/// Many lists of words, most of them short, that come and go. Internal to octet.text.
///
/// A list is a chain of links, the latest first. A link holds the place of its last word, and of each word before it
/// how far on the next one is, in as many bytes as that takes: words that a pair stands in are some hundreds to some
/// hundred thousands of bytes apart, which is two or three bytes where a place has four.
export module octet.text:word_lists;
import octet.standard;

export namespace octet::text {

class WordLists {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};  ///< the empty list

  /// Adds a word to a list, unless it is the one added last.
  inline void add(std::uint32_t& list, std::uint32_t word) {
    if (list != none) {
      Link& link = at(list);
      if (link.last == word || append(link, word)) return;
    }
    const std::uint32_t added = unused();
    ++links_;
    Link& link = at(added);
    link.next = std::exchange(list, added);
    link.last = word;
    link.used = 0;
  }
  /// The words of a list, which is gone then.
  inline std::vector<std::uint32_t> take(std::uint32_t list) {
    std::vector<std::uint32_t> words;
    while (list != none) {
      Link& link = at(list);
      const std::size_t first = words.size();
      std::uint32_t word = 0;  // from the first one of the link
      words.push_back(word);
      for (std::size_t i = 0; i < link.used;) {
        std::uint32_t code = 0;
        for (int shift = 0;; shift += 7) {
          const std::uint32_t byte = link.steps[i++];
          code |= (byte & 0x7F) << shift;
          if (byte < 0x80) break;
        }
        word += code >> 1 ^ -(code & 1);
        words.push_back(word);
      }
      for (std::size_t i = first; i < words.size(); ++i) words[i] += link.last - word;
      --links_;
      const std::uint32_t next = std::exchange(link.next, free_);
      free_ = std::exchange(list, next);
    }
    return words;
  }

  /// About what a list of so many words takes.
  static std::size_t bytes_of(std::size_t words) {
    constexpr std::size_t words_of_link = 1 + room * 2 / 5;  // two and a half bytes from one to the next
    return (words + words_of_link - 1) / words_of_link * sizeof(Link);
  }
  /// What all lists take together, in bytes.
  std::size_t bytes() const { return links_ * sizeof(Link); }

 private:
  static constexpr std::size_t room = 23;
  struct Link {
    std::uint32_t next;
    std::uint32_t last;  // the word that was added last
    unsigned char used;  // bytes of the steps to it from the first one
    unsigned char steps[room];
  };
  static constexpr std::uint32_t block = 1 << 12;  // links that are allocated together, and never moved

  /// Steps back are odd, seven bits a byte, the lowest first. Whether there was room.
  static inline bool append(Link& link, std::uint32_t word) {
    const std::uint32_t step = word - link.last;
    std::uint32_t code = step << 1 ^ -(step >> 31);
    const auto size = static_cast<std::size_t>(std::bit_width(code | 1) + 6) / 7;
    if (link.used + size > room) return false;
    for (; code >= 0x80; code >>= 7) link.steps[link.used++] = static_cast<unsigned char>(code | 0x80);
    link.steps[link.used++] = static_cast<unsigned char>(code);
    link.last = word;
    return true;
  }

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
