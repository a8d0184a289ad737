module octet.compile;
import octet.graph;
import octet.standard;
import :fusion;
import :update_order;

namespace octet {

namespace {

bool is_update(const Node& node) { return node.op == Op::dynamic_update_slice || node.op == Op::scatter; }

class Order {
 public:
  Order(const Graph& graph, const Fusion& fusion)
      : graph_{graph},
        fusion_{fusion},
        last_reader_(graph.values().size(), 0),
        waits_(fusion.groups.size(), false),
        update_of_(graph.values().size(), none) {
    for (std::size_t g = 0; g < fusion.groups.size(); ++g)
      for_each_read(g, [&](std::size_t value) { last_reader_[value] = g; });
  }

  std::vector<std::size_t> groups() {
    for (std::size_t g = 0; g < fusion_.groups.size(); ++g) {
      if (const Node* update = update_of(g); update && last_reader_[root(update->inputs[0])] > g) {
        waits_[g] = true;
        for (const ValueId id : update->outputs) update_of_[static_cast<std::size_t>(id)] = g;
      } else {
        put(g);
      }
    }
    for (std::size_t g = 0; g < fusion_.groups.size(); ++g)
      if (waits_[g]) put(g);
    return std::move(order_);
  }

 private:
  static constexpr std::size_t none = ~std::size_t{0};

  std::size_t root(ValueId id) const {
    return static_cast<std::size_t>(fusion_.views[static_cast<std::size_t>(id)].root);
  }
  template <class Function>
  void for_each_read(std::size_t group, Function function) const {
    for (const std::size_t n : fusion_.groups[group].nodes)
      for (const ValueId input : graph_.nodes()[n].inputs) function(root(input));
  }
  const Node* update_of(std::size_t group) const {
    const Node& node = graph_.nodes()[fusion_.groups[group].nodes.front()];
    return is_update(node) ? &node : nullptr;
  }

  /// After the updates whose results it reads.
  void put(std::size_t first) {
    std::vector<std::size_t> pending{first};
    while (!pending.empty()) {
      const std::size_t group = pending.back(), before = pending.size();
      for_each_read(group, [&](std::size_t value) {
        if (const std::size_t update = update_of_[value]; update != none && waits_[update]) pending.push_back(update);
      });
      if (pending.size() != before) continue;
      pending.pop_back();
      if (group != first && !waits_[group]) continue;  // put meanwhile
      waits_[group] = false;
      order_.push_back(group);
    }
  }

  const Graph& graph_;
  const Fusion& fusion_;
  std::vector<std::size_t> last_reader_;  // of each value, the last group that reads it
  std::vector<bool> waits_;               // updates that are put later
  std::vector<std::size_t> update_of_;    // of each value, the one that makes it
  std::vector<std::size_t> order_;
};

/// Apart from what each program calls: few have more than one update.
[[gnu::noinline]] void put_in_order(const Graph& graph, Fusion& fusion) {
  std::vector<FusionGroup> groups;
  for (const std::size_t group : Order{graph, fusion}.groups()) groups.push_back(std::move(fusion.groups[group]));
  fusion.groups = std::move(groups);
}

}  // namespace

void delay_updates(const Graph& graph, Fusion& fusion) {
  // A gradient of rows that were looked up is written over zeros, which are made for it.
  for (const Node& node : graph.nodes())
    if (is_update(node))
      if (const Node* const of = graph.definition(fusion.views[static_cast<std::size_t>(node.inputs[0])].root);
          !of || (of->op != Op::broadcast_in_dim && of->op != Op::constant))
        return put_in_order(graph, fusion);
}

}  // namespace octet
