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
    std::uint64_t key = 0;  // 0 where there is no step
    Node to = nowhere;
    std::int32_t piece = -1;  // that ends there, or -1
  };

  /// The step from a node by a character; its key is 0 where no piece goes on so.
  inline const Step& step(Node from, char32_t character) const { return steps_[place(key_of(from, character))]; }
  /// Adds a piece that is not there yet.
  void add(std::u32string_view piece, std::int32_t id) {
    Node node = root;
    for (std::size_t i = 0; i < piece.size(); ++i) {
      if (4 * nodes_ >= 3 * steps_.size()) grow();
      Step& step = steps_[place(key_of(node, piece[i]))];
      if (step.key == 0) step = {key_of(node, piece[i]), nodes_++, -1};
      if (i + 1 == piece.size()) step.piece = id;
      node = step.to;
    }
  }

 private:
  static constexpr std::uint64_t key_of(Node from, char32_t character) {
    return static_cast<std::uint64_t>(from) << 21 | (character + 1);
  }
  inline std::size_t place(std::uint64_t key) const {
    const std::size_t mask = steps_.size() - 1;
    auto at = static_cast<std::size_t>(key * 0x9E3779B97F4A7C15u >> 32) & mask;
    while (steps_[at].key != key && steps_[at].key != 0) at = (at + 1) & mask;
    return at;
  }
  void grow() {
    std::vector<Step> old(2 * steps_.size());
    old.swap(steps_);
    for (const Step& step : old)
      if (step.key != 0) steps_[place(step.key)] = step;
  }

  std::vector<Step> steps_ = std::vector<Step>(256);  // open addressing
  Node nodes_ = 1;
};

}  // namespace octet::text
