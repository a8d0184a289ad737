/// Which part of a program that devices share is one of one device: what lies between the borders.
module octet.tpu;
import octet.base;
import octet.graph;
import octet.standard;
import :partition;

namespace octet::tpu {

namespace {

/// Values that operations join are on one side of all borders. Constants join nothing: both sides may use them.
class Sides {
 public:
  explicit Sides(const Axis& axis) : axis_{axis} {}

  void join(const Graph& graph) {
    for (const Node& node : graph.nodes()) {
      for (const Graph& region : node.regions) join(region);
      const auto border = border_of(node, axis_);
      if (border && border->kind != Border::Kind::asks) {
        const bool enters = border->kind == Border::Kind::enters;
        join({&graph, enters ? node.outputs[0] : node.inputs[0]}, of_one_device);
        continue;
      }
      for (const ValueId id : node.inputs) {
        const Node* made = graph.definition(id);
        if (!made || (made->op != Op::constant && made->op != Op::iota)) join({&node, {}}, {&graph, id});
      }
      for (const ValueId id : node.outputs) join({&node, {}}, {&graph, id});
      for (const Graph& region : node.regions)
        for (const auto& ids : {region.parameters(), region.results()})
          for (const ValueId id : ids) join({&node, {}}, {&region, id});
      nodes_.push_back(&node);
    }
  }

  std::set<const Node*> found() {
    std::set<const Node*> nodes;
    for (const Node* node : nodes_)
      if (first({node, {}}) == first(of_one_device)) nodes.insert(node);
    return nodes;
  }

 private:
  using Member = std::pair<const void*, ValueId>;  ///< a value of a graph, or a node
  static constexpr Member of_one_device{};

  Member first(Member member) {
    for (auto next = next_.find(member); next != next_.end() && next->second != member; next = next_.find(member)) {
      if (const auto after = next_.find(next->second); after != next_.end()) next->second = after->second;
      member = next->second;
    }
    return member;
  }
  void join(Member one, Member other) { next_[first(one)] = first(other); }

  Axis axis_;
  std::map<Member, Member> next_;
  std::vector<const Node*> nodes_;
};

}  // namespace

std::set<const Node*> nodes_of_one_device(const Graph& whole, const Axis& axis) {
  Sides sides{axis};
  sides.join(whole);
  return sides.found();
}

}  // namespace octet::tpu
