/// What passes share: writing a graph anew, node by node. Internal to octet.compile.
export module octet.compile:rewrite;
import octet.base;
import octet.graph;
import octet.standard;

namespace octet {

/// Writes a graph anew in its place: the same parameters, and what each old value has become. Every old value that is
/// still needed becomes something of the same type.
///
///     Rewrite rewrite{graph};
///     while (Node* node = rewrite.next())
///       if (!superfluous(*node)) rewrite.keep();
///     return rewrite.finish();
///
/// Most nodes stay what they are, so the new nodes are written where the old ones lay, who move up where some are left
/// out. The old nodes are put aside when the first one is written that was not there before.
class Rewrite {
 public:
  explicit Rewrite(Graph& graph) : graph_{graph}, new_{graph.parts()}, now_(new_.values.size(), -1) {
    if (is_ascending()) {
      for (const ValueId id : new_.parameters) now_[static_cast<std::size_t>(id)] = values_++;
      return;
    }
    put_aside();
    for (const ValueId id : std::exchange(new_.parameters, {})) {
      const Value& value = old_values_[static_cast<std::size_t>(id)];
      now_[static_cast<std::size_t>(id)] = graph_.parameter(value.type, value.name);
    }
  }

  /// The next old node, its operands what they have become; null after the last one. It is kept, or left out.
  Node* next() {
    std::vector<Node>& nodes = aside_ ? old_nodes_ : new_.nodes;
    if (read_ == nodes.size()) return nullptr;
    Node& node = nodes[read_++];
    for (ValueId& id : node.inputs) id = now(id);
    return &node;
  }
  /// The graph, to look up what is written of the new one: the operands of a node that was read, and what defines them.
  const Graph& graph() const { return graph_; }
  /// How many nodes the new graph has so far: they are the first ones of `graph`.
  std::size_t written() const { return aside_ ? new_.nodes.size() : written_; }
  /// The new graph, for nodes that were not there before. What was found in it must be looked up again.
  Graph& more() {
    if (!aside_) put_aside();
    return graph_;
  }

  const TensorType& old_type(ValueId old) const {
    return (aside_ ? old_values_ : new_.values)[static_cast<std::size_t>(old)].type;
  }

  /// The old value is another one now.
  void became(ValueId old, ValueId id) {
    now_[static_cast<std::size_t>(old)] = id;
    changed_ = true;
  }
  /// The node is left out, or something in its regions is another.
  void note_change() { changed_ = true; }

  /// Keeps the node that was read last.
  void keep() {
    if (aside_)
      append();
    else
      move_up();
  }

  /// Gives the new graph the old results. Whether it is another graph than before.
  bool finish() {
    std::vector<ValueId> results = std::move(new_.results);
    for (ValueId& id : results) id = now(id);
    graph_.set_results(std::move(results));
    if (!aside_) {
      new_.nodes.erase(new_.nodes.begin() + static_cast<std::ptrdiff_t>(written_), new_.nodes.end());
      new_.values.erase(new_.values.begin() + values_, new_.values.end());
    }
    return changed_;
  }

 private:
  ValueId now(ValueId old) const { return now_[static_cast<std::size_t>(old)]; }

  /// Whether values are numbered as they are written here: parameters, and then what each node defines.
  bool is_ascending() const {
    ValueId next = 0;
    for (const ValueId id : new_.parameters)
      if (id != next++) return false;
    for (const Node& node : new_.nodes)
      for (const ValueId id : node.outputs)
        if (id != next++) return false;
    return true;
  }

  /// Where the old nodes lay, at the end of the new ones.
  void move_up() {
    Node& read = new_.nodes[read_ - 1];
    for (ValueId& id : read.outputs) {
      const auto old = static_cast<std::size_t>(id), to = static_cast<std::size_t>(values_);
      if (to != old) new_.values[to] = std::move(new_.values[old]);
      new_.values[to].node = static_cast<std::int32_t>(written_);
      now_[old] = id = values_++;
    }
    if (written_ != read_ - 1) new_.nodes[written_] = std::move(read);
    ++written_;
  }

  void append() {
    Node& read = old_nodes_[read_ - 1];
    types_.clear();
    auto id = static_cast<ValueId>(new_.values.size());  // what it defines is numbered from here on
    for (const ValueId old : read.outputs) {
      types_.push_back(std::move(old_values_[static_cast<std::size_t>(old)].type));
      now_[static_cast<std::size_t>(old)] = id++;
    }
    graph_.adopt(std::move(read), types_);
  }

  /// The old nodes and values are put aside, where they stay until the end; those that are new already begin the graph.
  [[gnu::noinline]] void put_aside() {
    old_nodes_ = std::exchange(new_.nodes, {});
    old_values_ = std::exchange(new_.values, {});
    graph_.reserve(old_values_.size(), old_nodes_.size());
    for (std::size_t n = 0; n < written_; ++n) new_.nodes.push_back(std::move(old_nodes_[n]));
    for (ValueId v = 0; v < values_; ++v) new_.values.push_back(std::move(old_values_[static_cast<std::size_t>(v)]));
    aside_ = true;
  }

  Graph& graph_;
  GraphParts& new_;           ///< of the graph
  std::vector<ValueId> now_;  ///< what each old value has become
  bool changed_ = false;
  std::size_t read_ = 0;     ///< old nodes
  std::size_t written_ = 0;  ///< new nodes that lie before them, until they are put aside,
  ValueId values_ = 0;       ///< and the values that those and the parameters define
  bool aside_ = false;
  std::vector<Node> old_nodes_;
  std::vector<Value> old_values_;
  std::vector<TensorType> types_;  ///< of what a node that is being kept defines
};

/// `pass` applied to each region of `node`; whether one changed.
template <class Pass>
bool change_regions(Node& node, Pass&& pass) {
  bool changed = false;
  for (Graph& region : node.regions) changed |= pass(region);
  return changed;
}

}  // namespace octet
