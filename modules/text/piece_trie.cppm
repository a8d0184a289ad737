/// The pieces of a vocabulary, found character by character: all that a text begins with take one pass. Internal to
/// octet.text.
export module octet.text:piece_trie;
import octet.standard;

export namespace octet::text {

class PieceTrie {
 public:
  using Node = std::uint32_t;
  static constexpr Node root = 0, nowhere = ~Node{0};

  struct Step {
    Node to = nowhere;        // where longer pieces go on
    std::int32_t piece = -1;  // that ends there, or -1
  };

  /// The step from a node by a character; it leads nowhere and ends no piece where no piece goes on so.
  inline Step step(Node from, char32_t character) const { return slots_[place(key_of(from, character))].step; }
  /// Adds a piece that is not there yet.
  void add(std::u32string_view piece, std::int32_t id) {
    Node node = root;
    for (std::size_t i = 0; i < piece.size(); ++i) {
      if (4 * used_ >= 3 * slots_.size()) grow();
      Slot& slot = slots_[place(key_of(node, piece[i]))];
      if (slot.key == 0) {
        slot.key = key_of(node, piece[i]);
        ++used_;
      }
      Step& step = slot.step;
      if (i + 1 == piece.size()) {
        step.piece = id;
        return;
      }
      if (step.to == nowhere) step.to = nodes_++;
      node = step.to;
    }
  }

 private:
  struct Slot {
    std::uint64_t key = 0;  // 0 where there is no step
    Step step;
  };
  static constexpr std::uint64_t key_of(Node from, char32_t character) {
    return static_cast<std::uint64_t>(from) << 21 | (character + 1);
  }
  inline std::size_t place(std::uint64_t key) const {
    const std::size_t mask = slots_.size() - 1;
    auto at = static_cast<std::size_t>(key * 0x9E3779B97F4A7C15u >> 32) & mask;
    while (slots_[at].key != key && slots_[at].key != 0) at = (at + 1) & mask;
    return at;
  }
  void grow() {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.key != 0) slots_[place(slot.key)] = slot;
  }

  std::vector<Slot> slots_ = std::vector<Slot>(256);  // open addressing
  std::size_t used_ = 0;                              // of them
  Node nodes_ = 1;
};

}  // namespace octet::text
