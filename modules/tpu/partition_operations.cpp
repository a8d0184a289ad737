/// What an operation makes of its operands, as far as it tells what they are.
module octet.tpu;
import octet.base;
import octet.graph;
import octet.standard;
import :partition;

namespace octet::tpu {

bool is_splat(const Node& node) {
  const auto* constant = std::get_if<ConstantAttributes>(&node.attributes);
  if (!constant || constant->value.type().shape.elements() < 2) return false;
  const std::span<const std::byte> bytes = constant->value.bytes();
  const std::size_t each = bytes.size() / static_cast<std::size_t>(constant->value.type().shape.elements());
  return std::equal(bytes.begin() + static_cast<std::ptrdiff_t>(each), bytes.end(), bytes.begin());
}

bool takes_as_weights(const Graph& graph, const Node& node, const Cut& how, const Shardings& values) {
  const auto had = [&](std::size_t i) { return values[static_cast<std::size_t>(node.inputs[i])]; };
  const auto of_batch = [&](std::size_t i) { return had(i).of_batch && how.inputs[i] != uncut; };
  switch (node.op) {
    case Op::dot_general:
      return of_batch(0) != of_batch(1) && (of_batch(1) || how.meets || how.inputs[1] != uncut);
    case Op::broadcast_in_dim: {
      if (!of_batch(0)) return false;
      const Shape &from = graph.type(node.inputs[0]).shape, &to = graph.type(node.outputs[0]).shape;
      const Dims& mapped = std::get<BroadcastAttributes>(node.attributes).broadcast_dimensions;
      for (std::int64_t d = 0; d < how.outputs[0]; ++d) {
        const auto source = std::ranges::find(mapped, d);
        if (to[d] > 1 && (source == mapped.end() || from[source - mapped.begin()] != to[d])) return true;
      }
      return false;
    }
    case Op::gather:
      return of_batch(0) && how.picks;
    default:
      if (!is_elementwise(node.op)) return false;
      for (std::size_t i = 0; i < node.inputs.size(); ++i)
        for (std::size_t j = 0; j < node.inputs.size(); ++j)
          if (of_batch(i) && had(j).dimension == uncut && how.inputs[j] != uncut && !graph.definition(node.inputs[j]))
            return true;
      return false;
  }
}

}  // namespace octet::tpu
