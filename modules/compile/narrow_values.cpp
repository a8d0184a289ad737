module octet.compile;
import octet.base;
import octet.graph;
import octet.standard;
import :fusion;
import :narrow_values;
import :view;

namespace octet {

bool rounds_operands(const DotAttributes& product, Precision precision) {
  return precision == Precision::bf16 && product.precision == DotPrecision::DEFAULT;
}

std::vector<bool> find_narrow_values(const Graph& graph, const Fusion& fusion, const std::set<std::size_t>& movers,
                                     Precision precision) {
  const auto root = [&](ValueId id) {
    return static_cast<std::size_t>(fusion.views[static_cast<std::size_t>(id)].root);
  };
  std::vector<bool> narrow(graph.values().size(), false);
  for (const FusionGroup& group : fusion.groups)
    for (std::size_t n : group.nodes)
      if (const Node& node = graph.nodes()[n]; group.is_loop && node.op != Op::reduce && !movers.contains(n))
        narrow[static_cast<std::size_t>(node.outputs.front())] = graph.type(node.outputs.front()).dtype == DType::f32;
  for (ValueId id : graph.results()) narrow[root(id)] = false;
  for (const FusionGroup& group : fusion.groups)
    for (std::size_t n : group.nodes) {
      const Node& node = graph.nodes()[n];
      const auto* const product = std::get_if<DotAttributes>(&node.attributes);
      if (product && rounds_operands(*product, precision)) continue;
      for (ValueId id : node.inputs) {
        const std::int32_t d = graph.values()[root(id)].node;
        // Within its own loop it stays in a register, as it is.
        if (d >= 0 && std::binary_search(group.nodes.begin(), group.nodes.end(), static_cast<std::size_t>(d))) continue;
        narrow[root(id)] = false;
      }
    }
  return narrow;
}

}  // namespace octet
