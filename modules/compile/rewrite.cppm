/// What passes share: writing a graph anew, node by node. Internal to octet.compile.
export module octet.compile:rewrite;
import octet.base;
import octet.graph;
import octet.standard;

namespace octet {

/// Takes a graph apart and writes it anew in its place: the same parameters, and what each old value has become. Every
/// old value that is still needed becomes something of the same type.
class Rewrite {
 public:
  explicit Rewrite(Graph& graph) : graph_{graph}, old_{std::move(graph).release()}, now_(old_.values.size(), -1) {
    graph_ = Graph{old_.name};
    graph_.reserve(old_.values.size(), old_.nodes.size());
    for (ValueId id : old_.parameters) {
      Value& value = old_.values[static_cast<std::size_t>(id)];
      now_[static_cast<std::size_t>(id)] = graph_.parameter(value.type, std::move(value.name));
    }
  }

  /// The new graph, as far as it is written.
  Graph& graph() { return graph_; }
  /// The old nodes, to be renewed and then kept or replaced in this order.
  std::vector<Node>& nodes() { return old_.nodes; }
  const TensorType& old_type(ValueId old) const { return old_.values[static_cast<std::size_t>(old)].type; }
  ValueId now(ValueId old) const { return now_[static_cast<std::size_t>(old)]; }
  std::vector<ValueId> now(std::vector<ValueId> ids) const {
    for (ValueId& id : ids) id = now(id);
    return ids;
  }

  /// The old value is another one now.
  void became(ValueId old, ValueId id) {
    now_[static_cast<std::size_t>(old)] = id;
    changed_ = true;
  }
  /// Makes the node's operands what they have become.
  void renew(Node& node) const {
    for (ValueId& id : node.inputs) id = now(id);
  }
  /// The same node, renewed.
  void keep(Node&& node) {
    types_.clear();
    for (ValueId id : node.outputs) types_.push_back(std::move(old_.values[static_cast<std::size_t>(id)].type));
    defined_ = node.outputs;
    const auto& outputs = graph_.adopt(std::move(node), types_);
    for (std::size_t i = 0; i < outputs.size(); ++i) now_[static_cast<std::size_t>(defined_[i])] = outputs[i];
  }
  /// The node is left out, or something in its regions is another.
  void note_change() { changed_ = true; }

  /// Gives the new graph the old results. Whether it is another graph than before.
  bool finish() {
    graph_.set_results(now(std::move(old_.results)));
    return changed_;
  }

 private:
  Graph& graph_;
  GraphParts old_;
  std::vector<ValueId> now_;
  std::vector<TensorType> types_;  // of a node that is being kept, and what it defined
  std::vector<ValueId> defined_;
  bool changed_ = false;
};

/// `pass` applied to each region of `node`; whether one changed.
template <class Pass>
bool change_regions(Node& node, Pass&& pass) {
  bool changed = false;
  for (Graph& region : node.regions) changed |= pass(region);
  return changed;
}

}  // namespace octet
