module octet.compile;
import octet.base;
import octet.graph;
import octet.standard;
import :ordered_sums;

namespace octet {

namespace {

/// The type to compute `node` in; nothing where that is its own.
std::optional<DType> wider(const Node& node, DType own) {
  if (!is_floating(own)) return std::nullopt;
  if (node.op == Op::reduce && std::get<ReduceAttributes>(node.attributes).reducer == Reducer::add && own != DType::f64)
    return DType::f64;
  if (node.op == Op::dot_general && own == DType::bf16) return DType::f32;
  return std::nullopt;
}

}  // namespace

Graph with_ordered_sums(const Graph& graph, std::vector<ValueId>& now) {
  Graph result{graph.name()};
  now.assign(graph.values().size(), -1);
  const auto became = [&](ValueId old, ValueId id) { now[static_cast<std::size_t>(old)] = id; };
  const auto converted = [&](ValueId id, DType dtype, const Place& place) {
    return result.append(Op::convert, {id}, ResultAttributes{{dtype, result.type(id).shape}}, {}, place).front();
  };
  for (const ValueId id : graph.parameters())
    became(id, result.parameter(graph.type(id), graph.values()[static_cast<std::size_t>(id)].name));
  for (const Node& node : graph.nodes()) {
    std::vector<ValueId> inputs;
    for (const ValueId id : node.inputs) inputs.push_back(now[static_cast<std::size_t>(id)]);
    const std::optional<DType> wide = inputs.empty() ? std::nullopt : wider(node, result.type(inputs.front()).dtype);
    if (wide)
      for (ValueId& id : inputs) id = converted(id, *wide, node.place);
    std::vector<Graph> regions;
    std::vector<ValueId> unused;
    for (const Graph& region : node.regions) regions.push_back(with_ordered_sums(region, unused));
    const std::vector<ValueId> outputs =
        result.append(node.op, std::move(inputs), node.attributes, std::move(regions), node.place);
    for (std::size_t i = 0; i < outputs.size(); ++i)
      became(node.outputs[i], wide ? converted(outputs[i], graph.type(node.outputs[i]).dtype, node.place) : outputs[i]);
  }
  std::vector<ValueId> results;
  for (const ValueId id : graph.results()) results.push_back(now[static_cast<std::size_t>(id)]);
  result.set_results(std::move(results));
  return result;
}

}  // namespace octet
