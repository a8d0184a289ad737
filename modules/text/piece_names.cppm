/// The pieces found so far and what they are called: each name once, its id is its position. Internal to octet.text.
export module octet.text:piece_names;
import octet.standard;

export namespace octet::text {

class PieceNames {
 public:
  /// The id of the name, which is added where it is new.
  std::uint32_t add(const std::string& name) {
    if (2 * (list_.size() + 1) > slots_.size()) grow();
    std::uint32_t& slot = slots_[place(name)];
    if (slot == none) {
      slot = static_cast<std::uint32_t>(list_.size());
      list_.push_back(name);
    }
    return slot;
  }
  const std::string& operator[](std::uint32_t id) const { return list_[id]; }
  const std::vector<std::string>& list() const { return list_; }
  std::size_t size() const { return list_.size(); }
  /// The list, and no longer anything beside it.
  std::vector<std::string> take() && {
    slots_ = std::vector<std::uint32_t>{};
    return std::move(list_);
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  std::size_t place(const std::string& name) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = std::hash<std::string>{}(name)&mask;
    while (slots_[at] != none && list_[slots_[at]] != name) at = (at + 1) & mask;
    return at;
  }
  void grow() {
    slots_.assign(std::max<std::size_t>(2 * slots_.size(), 1024), none);
    for (std::size_t id = 0; id < list_.size(); ++id) slots_[place(list_[id])] = static_cast<std::uint32_t>(id);
  }

  std::vector<std::string> list_;
  std::vector<std::uint32_t> slots_;  // open addressing
};

}  // namespace octet::text
