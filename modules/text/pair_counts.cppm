/// Pairs of neighbouring pieces with what is known of each, side by side in memory. Internal to octet.text.
export module octet.text:pair_counts;
import octet.standard;
import :pair_table;
import :word_lists;

export namespace octet::text {

inline std::uint64_t hash_of(IdPair ids) {
  const std::uint64_t hash = ids * 0x9E3779B97F4A7C15u;
  return hash ^ hash >> 32;
}

class PairCounts {
 public:
  static constexpr IdPair unused = ~IdPair{0};
  struct Pair {
    IdPair ids = unused;
    std::uint64_t count = 0;
    std::uint32_t list = WordLists::none;  // of the words it stands in; those that keep counts have lists in the queue
    std::uint32_t places : 28 = 0;         // how many those are, at most
    bool exact : 1 = true;                 // or the count is an upper bound
    bool joined : 1 = false;               // once
    bool listed : 1 = false;               // or only counted
    bool asked : 1 = false;                // for a list, which is being made

    void add_places(std::uint32_t more) {
      constexpr std::uint32_t most = (1u << 28) - 1;
      places = std::min(more, most - places) + places;
    }
  };

  std::size_t size() const { return used_; }
  inline Pair* find(IdPair ids) {
    if (pairs_.empty()) return nullptr;
    Pair& pair = pairs_[slot(ids)];
    return pair.ids == unused ? nullptr : &pair;
  }
  /// Adds a pair that is not there.
  inline Pair& insert(const Pair& pair) {
    if (4 * (used_ + 1) > 3 * pairs_.size()) make_anew(pairs_.size() - used_);
    ++used_;
    return pairs_[slot(pair.ids)] = pair;
  }
  template <class Function>
  void for_each(Function function) {
    for (Pair& pair : pairs_)
      if (pair.ids != unused) function(pair);
  }
  /// And makes room for so many others: pairs that come in the order of another table, whose places are in the order of
  /// theirs here, would crowd at the beginning of a table that is too small for all.
  template <class Keep>
  void keep(Keep keep, std::size_t others = 0) {
    for_each([&](Pair& pair) {
      if (keep(pair)) return;
      pair.ids = unused;
      --used_;
    });
    make_anew(others);
  }
  /// Makes room for so many pairs, of none yet.
  void reserve(std::size_t pairs) { pairs_ = std::vector<Pair>(pairs * 4 / 3 + 1); }
  /// And gives its memory back.
  void clear() {
    std::vector<Pair>{}.swap(pairs_);
    used_ = 0;
  }

 private:
  // The size is no power of two, by which a table of nearly as many pairs as there is room for would take twice that:
  // the upper bits of the hash as a fraction of it.
  inline std::size_t slot(IdPair ids) const {
    auto at = static_cast<std::size_t>((hash_of(ids) >> 32) * std::uint64_t{pairs_.size()} >> 32);
    while (pairs_[at].ids != unused && pairs_[at].ids != ids) at = at + 1 == pairs_.size() ? 0 : at + 1;
    return at;
  }
  // With room for so many pairs beside those that there are.
  void make_anew(std::size_t others) {
    std::vector<Pair> kept(used_);
    auto next = kept.begin();
    for_each([&](const Pair& pair) { *next++ = pair; });
    std::vector<Pair>{}.swap(pairs_);
    pairs_ = std::vector<Pair>(std::max<std::size_t>((kept.size() + others) * 3 / 2, 256));
    for (const Pair& pair : kept) pairs_[slot(pair.ids)] = pair;
  }

  std::vector<Pair> pairs_;  // open addressing
  std::size_t used_ = 0;
};

}  // namespace octet::text
