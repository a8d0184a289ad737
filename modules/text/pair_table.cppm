/// A hash table from pairs of ids to numbers, with its entries side by side in memory. Internal to octet.text.
export module octet.text:pair_table;
import octet.standard;

export namespace octet::text {

using IdPair = std::uint64_t;  ///< the left id above the right one
constexpr IdPair id_pair(std::uint32_t left, std::uint32_t right) { return static_cast<IdPair>(left) << 32 | right; }
constexpr std::uint32_t left_of(IdPair pair) { return static_cast<std::uint32_t>(pair >> 32); }
constexpr std::uint32_t right_of(IdPair pair) { return static_cast<std::uint32_t>(pair); }

class PairTable {
 public:
  explicit PairTable(std::size_t expected = 0) { entries_.resize(std::bit_ceil(2 * expected + 16), unused); }

  std::size_t size() const { return size_; }
  inline const std::uint32_t* find(IdPair pair) const {
    const Entry& entry = entries_[place(pair)];
    return entry.pair == pair ? &entry.value : nullptr;
  }
  /// The number of `pair`, which is `value` where the pair is new; and whether it is.
  std::pair<std::uint32_t, bool> insert(IdPair pair, std::uint32_t value) {
    if (2 * (size_ + 1) > entries_.size()) grow();
    Entry& entry = entries_[place(pair)];
    if (entry.pair == pair) return {entry.value, false};
    entry = {pair, value};
    ++size_;
    return {value, true};
  }

 private:
  struct Entry {
    IdPair pair;
    std::uint32_t value;
  };
  static constexpr Entry unused{~IdPair{0}, 0};

  inline std::size_t place(IdPair pair) const {
    const std::size_t mask = entries_.size() - 1;
    std::uint64_t hash = pair * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 32;
    auto at = static_cast<std::size_t>(hash) & mask;
    while (entries_[at].pair != pair && entries_[at].pair != unused.pair) at = (at + 1) & mask;
    return at;
  }
  void grow() {
    std::vector<Entry> old(2 * entries_.size(), unused);
    old.swap(entries_);
    for (const Entry& entry : old)
      if (entry.pair != unused.pair) entries_[place(entry.pair)] = entry;
  }

  std::vector<Entry> entries_;
  std::size_t size_ = 0;
};

}  // namespace octet::text
