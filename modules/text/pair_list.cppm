/// Pairs of pieces as they are counted. Internal to octet.text.
export module octet.text:pair_list;
import octet.standard;
import :pair_table;

export namespace octet::text {

/// Pairs and what is known of each, found by number or by their ids; they take little room and never move. `Pair` is an
/// aggregate whose first member is `ids`.
template <class Pair>
class PairList {
 public:
  std::uint32_t size() const { return size_; }
  Pair& operator[](std::uint32_t pair) { return blocks_[pair / block][pair % block]; }
  const Pair& operator[](std::uint32_t pair) const { return blocks_[pair / block][pair % block]; }
  /// The number of a pair that is there.
  std::uint32_t find(IdPair ids) const { return slots_[place(ids)]; }
  /// The number of the pair, which is added where it is new.
  std::uint32_t insert(IdPair ids) {
    if (3 * slots_.size() < 4 * (std::size_t{size_} + 1)) grow();
    std::uint32_t& slot = slots_[place(ids)];
    if (slot != none) return slot;
    if (size_ % block == 0) blocks_.emplace_back(new Pair[block]);
    (*this)[size_] = Pair{ids};
    return slot = size_++;
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0}, block = 4096;

  std::size_t place(IdPair ids) const {
    const std::size_t mask = slots_.size() - 1;
    std::uint64_t hash = ids * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 32;
    auto at = static_cast<std::size_t>(hash) & mask;
    while (slots_[at] != none && (*this)[slots_[at]].ids != ids) at = (at + 1) & mask;
    return at;
  }
  void grow() {
    slots_.assign(std::max<std::size_t>(2 * slots_.size(), 1024), none);
    for (std::uint32_t pair = 0; pair < size_; ++pair) slots_[place((*this)[pair].ids)] = pair;
  }

  std::vector<std::unique_ptr<Pair[]>> blocks_;
  std::vector<std::uint32_t> slots_;  // open addressing
  std::uint32_t size_ = 0;
};

}  // namespace octet::text
