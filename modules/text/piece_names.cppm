/// The pieces found so far and what they are called: each name once, its id is its position. The names lie one after
/// another: as strings of their own they would take three times as much.
export module octet.text:piece_names;
import octet.standard;

export namespace octet::text {

class PieceNames {
 public:
  /// The id of the name, which is added where it is new.
  std::uint32_t add(const std::string& name) {
    if (5 * (size() + 1) > 4 * slots_.size()) grow();
    std::uint32_t& slot = slots_[place(name)];
    if (slot == none) {
      slot = static_cast<std::uint32_t>(size());
      text_ += name;
      ends_.push_back(text_.size());
    }
    return slot;
  }
  /// Stands until another name is added.
  std::string_view operator[](std::size_t id) const {
    const std::size_t begin = id == 0 ? 0 : ends_[id - 1];
    return {text_.data() + begin, ends_[id] - begin};
  }
  std::size_t size() const { return ends_.size(); }
  std::vector<std::string> list() const {
    std::vector<std::string> names(size());
    for (std::size_t id = 0; id < size(); ++id) names[id] = (*this)[id];
    return names;
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  std::size_t place(std::string_view name) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = std::hash<std::string_view>{}(name)&mask;
    while (slots_[at] != none && (*this)[slots_[at]] != name) at = (at + 1) & mask;
    return at;
  }
  void grow() {
    slots_.assign(std::max<std::size_t>(2 * slots_.size(), 1024), none);
    for (std::size_t id = 0; id < size(); ++id) slots_[place((*this)[id])] = static_cast<std::uint32_t>(id);
  }

  std::string text_;
  std::vector<std::size_t> ends_;     // of the names in it
  std::vector<std::uint32_t> slots_;  // open addressing
};

}  // namespace octet::text
