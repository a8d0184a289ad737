/// The pieces of a vocabulary, found character by character: all that a text begins with take one pass. Internal to
/// octet.text.
///
/// Nodes lie in the order of the sorted pieces: the first that goes on from a node stands behind it, and most have no
/// other. Where there are others, a table leads to them. So a piece is mostly read from one line of a cache, and where
/// no piece goes on, its last node says so.
export module octet.text:piece_trie;
import octet.standard;

export namespace octet::text {

class PieceTrie {
 public:
  using Node = std::uint32_t;
  static constexpr Node nowhere = 0, root = 1;

  struct Step {
    Node to = nowhere;        // where longer pieces go on
    std::int32_t piece = -1;  // that ends there, or -1
  };

  /// Of all pieces that are UTF-8, each with its index. No two are alike.
  explicit PieceTrie(std::span<const std::string> pieces);

  /// The step from a node by a character; it leads nowhere and ends no piece where no piece goes on so, as from
  /// nowhere.
  inline Step step(Node from, char32_t character) const {
    Node to = from + 1;
    if (nodes_[to].character != character) {
      if (!nodes_[from].has_others) return {};
      std::size_t at = slot(from, character);
      for (; others_[at].from != from || others_[at].character != character; at = (at + 1) & (others_.size() - 1))
        if (others_[at].to == nowhere) return {};
      to = others_[at].to;
    }
    return {nodes_[to].goes_on ? to : nowhere, nodes_[to].piece};
  }

 private:
  struct Entry {
    std::uint32_t character : 21 = 0;      // that leads here
    std::uint32_t goes_on : 1 = false;     // to the next node
    std::uint32_t has_others : 1 = false;  // where it goes on, too
    std::int32_t piece = -1;
  };
  struct Other {
    Node from = nowhere;
    char32_t character = 0;
    Node to = nowhere;
  };
  inline std::size_t slot(Node from, char32_t character) const {
    const std::uint64_t key = static_cast<std::uint64_t>(from) << 21 | character;
    return static_cast<std::size_t>(key * 0x9E3779B97F4A7C15u >> 32) & (others_.size() - 1);
  }

  std::vector<Entry> nodes_;   // before the root and behind the last one there is another, of no character
  std::vector<Other> others_;  // open addressing
};

}  // namespace octet::text
