module octet.compile;
import octet.base;
import octet.graph;
import octet.standard;
import :fusion;
import :moved_products;
import :plan;
import :program_views;
import :view;

namespace octet {

View moved(const Graph& graph, const Fusion& fusion, const Node& node) {
  const View& through = fusion.views[static_cast<std::size_t>(node.inputs[0])];
  if (node.op == Op::reshape) return through;
  return *viewed_through(node, through, graph.type(node.inputs[0]).shape, graph.type(node.outputs[0]).shape);
}

std::map<ValueId, MovedProduct> find_moved_products(const Graph& graph, const Fusion& fusion,
                                                    const std::vector<bool>& uniform) {
  const auto view = [&](ValueId id) -> const View& { return fusion.views[static_cast<std::size_t>(id)]; };
  const auto is_uniform = [&](ValueId id) { return uniform[static_cast<std::size_t>(id)]; };
  std::vector<int> readers(graph.values().size(), 0);
  for (const FusionGroup& group : fusion.groups)
    for (std::size_t n : group.nodes)
      for (ValueId id : graph.nodes()[n].inputs) ++readers[static_cast<std::size_t>(view(id).root)];
  for (ValueId id : graph.results()) ++readers[static_cast<std::size_t>(view(id).root)];

  std::map<ValueId, MovedProduct> result;
  for (const FusionGroup& group : fusion.groups) {
    const Node& node = graph.nodes()[group.nodes.front()];
    if (!group.is_loop || group.nodes.size() != 1 || !is_move(node.op)) continue;
    const View through = moved(graph, fusion, node);
    const Node* product = graph.definition(through.root);
    if (!product || product->op != Op::dot_general || readers[static_cast<std::size_t>(through.root)] != 1 ||
        graph.type(through.root).dtype != DType::f32 || is_uniform(through.root) != is_uniform(node.outputs.front()))
      continue;
    const Shape& of = graph.type(through.root).shape;
    const auto strides = inverted(through, group.space, of);
    if (!strides) continue;
    // The root's dimensions: batching, those of lhs, those of rhs.
    const auto& a = std::get<DotAttributes>(product->attributes);
    const auto batching = static_cast<std::int64_t>(a.lhs_batching_dimensions.size());
    const std::int64_t columns = graph.type(product->inputs[1]).shape.rank() - batching -
                                 static_cast<std::int64_t>(a.rhs_contracting_dimensions.size());
    const View written{through.root, 0, *strides};
    Dims rows_of, columns_of;
    for (std::int64_t d = batching; d < of.rank(); ++d) (d < of.rank() - columns ? rows_of : columns_of).push_back(d);
    const auto row = joint_stride(written, of, rows_of), column = joint_stride(written, of, columns_of);
    if (!row || !column) continue;
    const bool transposed = *row == 1 && *column > 1;
    if (!transposed && *column > 1) continue;
    result[through.root] = {node.outputs.front(),
                            group.nodes.front(),
                            transposed,
                            {{strides->begin(), strides->begin() + batching}, transposed ? *column : *row}};
  }
  return result;
}

}  // namespace octet
