/// What passes share: writing a graph anew, node by node. Internal to octet.compile.
module;
#include <cstddef>
#include <utility>
#include <vector>
export module octet.compile:rewrite;
import octet.base;
import octet.graph;

namespace octet {

/// A new graph with the parameters of an old one, and what each old value has become.
class Rewrite {
 public:
  explicit Rewrite(const Graph& old) : old_{old}, graph_{old.name()}, now_(old.values().size(), -1) {
    for (ValueId id : old.parameters()) {
      const Value& value = old.values()[static_cast<std::size_t>(id)];
      became(id, graph_.parameter(value.type, value.name));
    }
  }

  Graph& graph() { return graph_; }
  ValueId now(ValueId old) const { return now_[static_cast<std::size_t>(old)]; }
  std::vector<ValueId> now(const std::vector<ValueId>& ids) const {
    std::vector<ValueId> result;
    for (ValueId id : ids) result.push_back(now(id));
    return result;
  }
  void became(ValueId old, ValueId id) { now_[static_cast<std::size_t>(old)] = id; }

  /// The same node, on what its operands have become, with these regions.
  void keep(const Node& node, std::vector<Graph> regions) {
    const auto outputs = graph_.append(node.op, now(node.inputs), node.attributes, std::move(regions), node.place);
    for (std::size_t i = 0; i < outputs.size(); ++i) became(node.outputs[i], outputs[i]);
  }

  /// The new graph with the old results.
  Graph finish() {
    graph_.set_results(now(old_.results()));
    return std::move(graph_);
  }

 private:
  const Graph& old_;
  Graph graph_;
  std::vector<ValueId> now_;
};

/// `pass` applied to each region of `node`.
template <class Pass>
std::vector<Graph> regions_after(const Node& node, Pass&& pass) {
  std::vector<Graph> result;
  for (const Graph& region : node.regions) result.push_back(pass(region));
  return result;
}

}  // namespace octet
