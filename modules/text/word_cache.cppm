/// What was encoded once: words of up to 64 bytes, some tens of thousands, and the numbers that belong to each. When it
/// is full it begins anew. Internal to octet.text.
///
/// Words lie in the order in which they were seen, those that are frequent side by side; a table tells where. There is
/// room for those of a megabyte of text before anything but the table moves: to touch memory for the first time costs
/// more than what is done there, in a browser several microseconds for each 4 KB.
export module octet.text:word_cache;
import octet.standard;

export namespace octet::text {

// What is marked inline is within the loop over a text's words; in a module nothing is so by itself.
class WordCache {
 public:
  static constexpr std::size_t most_words = (1 << 16) - 1, longest_word = 64;

  /// The numbers of a word: where they stand in what the user of the cache keeps, or the only one itself.
  struct Numbers {
    std::uint32_t begin;  // that one, where `is_one`
    std::uint16_t size = 1;
    bool is_one = false;
  };

  /// The word's numbers, or null. Not for empty words. What is before `readable_end` may be read.
  inline const Numbers* find(std::string_view word, const char* readable_end) const {
    if (word.size() > longest_word) return nullptr;
    const Key key = key_of(word, readable_end);
    const std::uint64_t hash = hash_of(key);
    const std::uint32_t* const table = table_.data();
    const Word* const words = words_.data();
    const std::size_t mask = table_.size() - 1;
    for (std::size_t at = static_cast<std::size_t>(hash) & mask;; at = (at + 1) & mask) {
      const std::uint32_t there = table[at];
      if (there == nothing) return nullptr;
      if (((there ^ tag(hash)) & ~index_mask) != 0) continue;
      const Word& found = words[there & index_mask];
      if (found.key.low == key.low && found.key.high == key.high && found.key.size == key.size &&
          (word.size() <= 16 || begin_alike(bytes_.data() + found.key.first, word)))
        return &found.numbers;
    }
  }
  /// Whether words have to be forgotten, and with them their numbers, before another is added.
  bool is_full() const { return words_.size() == most_words; }
  void clear();
  /// Adds a word that is not there and not too long.
  void add(std::string_view word, Numbers numbers);

 private:
  // The bytes of a word of up to 16; of a longer one a hash, the last bytes, and where all of them are.
  struct Key {
    std::uint64_t low = 0, high = 0;
    std::uint32_t first = 0, size = 0;
  };
  struct Word {
    Key key;
    Numbers numbers;
  };
  // What the table has of a word: its index, which is below `most_words`, and above it a part of its hash.
  static constexpr std::uint32_t index_mask = most_words, nothing = ~std::uint32_t{0};
  static_assert(std::has_single_bit(most_words + 1));
  static constexpr std::size_t usual_words = 1 << 14, usual_bytes = 1 << 18;  // of a text of a megabyte

  static inline std::uint64_t load(const char* from) {
    std::uint64_t number;
    std::memcpy(&number, from, sizeof number);
    return number;
  }
  static constexpr std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
    const std::uint64_t product = (a ^ std::rotl(b, 29)) * 0x9E3779B97F4A7C15u;
    return product ^ product >> 32;
  }
  // A word and one whose last eight bytes are the same.
  static inline bool begin_alike(const char* other, std::string_view word) {
    for (std::size_t at = 0; at + 8 < word.size(); at += 8)
      if (load(other + at) != load(word.data() + at)) return false;
    return true;
  }
  static inline Key key_of(std::string_view word, const char* readable_end) {
    const char* const begin = word.data();
    const std::size_t size = word.size();
    Key key{.size = static_cast<std::uint32_t>(size)};
    if (size > 16) {
      for (std::size_t at = 0; at + 8 < size; at += 8) key.low = mixed(key.low, load(begin + at));
      key.high = load(begin + size - 8);
    } else if (readable_end - begin >= 16) {  // no branch for each size: those come in no order
      constexpr unsigned char kept[32] = {255, 255, 255, 255, 255, 255, 255, 255,
                                          255, 255, 255, 255, 255, 255, 255, 255};
      const char* const from = reinterpret_cast<const char*>(kept) + 16 - size;
      key.low = load(begin) & load(from);
      key.high = load(begin + 8) & load(from + 8);
    } else {
      char bytes[16] = {};
      std::memcpy(bytes, begin, size);
      key.low = load(bytes);
      key.high = load(bytes + 8);
    }
    return key;
  }
  static inline std::uint64_t hash_of(const Key& key) { return mixed(key.low, key.high + key.size); }
  static inline std::uint32_t tag(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32) & ~index_mask; }
  void put(std::uint64_t hash, std::size_t index);

  std::vector<std::uint32_t> table_ = std::vector<std::uint32_t>(1024, nothing);  // open addressing; at most half full
  std::vector<Word> words_;
  std::string bytes_;  // of the words that are longer than a key
};

}  // namespace octet::text
