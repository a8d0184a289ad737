/// Groups of nodes that run together, and which must run before which. Internal to octet.compile.
export module octet.compile:group_order;
import octet.base;
import octet.graph;
import octet.standard;
import :view;

namespace octet {

/// At first each node is a group of its own, called by its index.
///
/// Which groups must have run before another is found by a search, and only where two might be one: to know it of all
/// would take the square of the nodes. A group is higher than all that it reads from, so that a search for one ends at
/// what is as low as that.
class GroupOrder {
 public:
  /// `views` say where what a node reads lies. Both must outlive this.
  GroupOrder(const Graph& graph, const std::vector<View>& views);

  std::size_t group_of(std::size_t node) const { return group_of_[node]; }
  /// The nodes of `group`, increasing; none where it is a part of another.
  const std::vector<std::size_t>& nodes(std::size_t group) const { return nodes_[group]; }
  /// The nodes whose buffers node `n` reads, and the barriers that it waits for.
  std::span<const std::size_t> sources(std::size_t n) const {
    return std::span{sources_}.subspan(first_source_[n], first_source_[n + 1] - first_source_[n]);
  }

  /// Takes node `n` in, the next one: groups of nodes up to it may be joined.
  void take_in(std::size_t n);
  /// Makes the nodes of `other` a part of `group`.
  void join(std::size_t group, std::size_t other);
  /// Whether a third group must run after one of the two and before the other.
  bool lies_between(std::size_t a, std::size_t b) { return passes(a, b) || passes(b, a); }
  /// Greater than those of all that `group` reads from.
  std::size_t height(std::size_t group) const { return heights_[group]; }
  /// The first node at which replicas meet that waits for `group`.
  std::size_t meeting_after(std::size_t group) const { return meeting_after_[group]; }
  /// Whether replicas would meet later than the program says if the two were one: what was written before the newest
  /// node, and reads from the one, would wait for what the other waits for, too.
  bool puts_off_a_meeting(std::size_t a, std::size_t b) const { return holds_up(a, b) || holds_up(b, a); }

 private:
  void find_sources(const std::vector<View>& views);
  void find_meetings();
  bool holds_up(std::size_t group, std::size_t other) const;
  std::span<const std::size_t> readers(std::size_t n) const;
  void lift_readers(std::size_t group);
  bool passes(std::size_t from, std::size_t to);

  const Graph& graph_;
  // Asked for again and again, so they are found once, those of all nodes into one vector.
  std::vector<std::size_t> sources_, first_source_;  ///< and where those of each node begin
  std::vector<std::size_t> readers_, first_reader_;
  std::vector<std::size_t> group_of_;            ///< of nodes
  std::vector<std::vector<std::size_t>> nodes_;  ///< of groups
  std::vector<std::size_t> heights_;             ///< of groups
  std::vector<std::size_t> meeting_after_;       ///< of groups
  std::size_t newest_ = 0;                       ///< the node that was taken in last
  struct Search {
    std::vector<std::size_t> seen;     ///< of groups: the search that came by last
    std::vector<std::size_t> pending;  ///< groups to look at next
  };
  Search search_[2];
  std::size_t searches_ = 0;
};

}  // namespace octet
