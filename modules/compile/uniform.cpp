module octet.compile;
import octet.graph;
import octet.standard;
import :uniform;

namespace octet {

namespace {

enum class Kind : std::uint8_t { neutral, uniform, varying };

/// Whether replicas may compute different results from the same operands, or meet on the way.
bool tells_replicas_apart(const Node& node) {
  if (node.op == Op::replica_id || is_collective(node.op)) return true;
  return std::any_of(node.regions.begin(), node.regions.end(), [](const Graph& region) {
    return std::any_of(region.nodes().begin(), region.nodes().end(), tells_replicas_apart);
  });
}

/// Whether all replicas end up with the same: they are one group, and each receives the whole.
bool makes_equal(const Node& node) {
  if (const auto* reduce = std::get_if<AllReduceAttributes>(&node.attributes))
    return reduce->replica_groups.size() <= 1;
  if (const auto* gather = std::get_if<AllGatherAttributes>(&node.attributes))
    return gather->replica_groups.size() <= 1;
  return false;
}

}  // namespace

std::vector<bool> uniform_values(const Graph& graph, const std::vector<std::size_t>& replicated) {
  std::vector<Kind> kinds(graph.values().size(), Kind::neutral);
  for (std::size_t i = 0; i < graph.parameters().size(); ++i) {
    const bool same = std::find(replicated.begin(), replicated.end(), i) != replicated.end();
    kinds[static_cast<std::size_t>(graph.parameters()[i])] = same ? Kind::uniform : Kind::varying;
  }
  for (const Node& node : graph.nodes()) {
    Kind kind = Kind::neutral;
    for (ValueId id : node.inputs) kind = std::max(kind, kinds[static_cast<std::size_t>(id)]);
    if (tells_replicas_apart(node)) kind = makes_equal(node) ? Kind::uniform : Kind::varying;
    for (ValueId id : node.outputs) kinds[static_cast<std::size_t>(id)] = kind;
    if (node.op == Op::optimization_barrier)  // each result is its operand
      for (std::size_t i = 0; i < node.inputs.size(); ++i)
        kinds[static_cast<std::size_t>(node.outputs[i])] = kinds[static_cast<std::size_t>(node.inputs[i])];
  }
  std::vector<bool> result;
  for (Kind kind : kinds) result.push_back(kind == Kind::uniform);
  return result;
}

}  // namespace octet
