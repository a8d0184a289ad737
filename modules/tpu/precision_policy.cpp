module octet.tpu;
import octet.base;
import octet.graph;
import octet.standard;
import octet.trace;
import :cost;
import :fused;
import :precision_policy;

namespace octet::tpu {

namespace {

/// Copies a graph node by node, with changes on the way.
class Rewriting {
 public:
  explicit Rewriting(const Graph& from) : from_{from}, to_{from.name()}, ids_(from.values().size(), -1) {
    for (const ValueId id : from.parameters())
      at(id) = to_.parameter(from.type(id), from.values()[static_cast<std::size_t>(id)].name);
  }

  ValueId& at(ValueId id) { return ids_[static_cast<std::size_t>(id)]; }
  Graph& to() { return to_; }

  /// The node as it is, with its regions as `region` makes them.
  void copy(const Node& node, const std::function<Graph(const Graph&)>& region) {
    Node copied = node;
    for (ValueId& input : copied.inputs) input = at(input);
    for (Graph& each : copied.regions) each = region(each);
    std::vector<TensorType> types = from_.types(node.outputs);
    const std::vector<ValueId> made = to_.adopt(std::move(copied), types);
    for (std::size_t i = 0; i < made.size(); ++i) at(node.outputs[i]) = made[i];
  }

  ValueId convert(ValueId id, DType dtype, const Place& place) {
    return to_.append(Op::convert, {id}, ResultAttributes{{dtype, to_.type(id).shape}}, {}, place).front();
  }

  Graph done() {
    std::vector<ValueId> results;
    for (const ValueId id : from_.results()) results.push_back(at(id));
    to_.set_results(std::move(results));
    return std::move(to_);
  }

 private:
  const Graph& from_;
  Graph to_;
  std::vector<ValueId> ids_;
};

/// `id` in so many parts that are bf16 numbers, the largest first.
std::vector<ValueId> parts_of(Rewriting& rewriting, ValueId id, std::size_t count, const Place& place) {
  Graph& to = rewriting.to();
  std::vector<ValueId> parts;
  ValueId rest = id;
  while (true) {
    const ValueId part = rewriting.convert(rewriting.convert(rest, DType::bf16, place), DType::f32, place);
    parts.push_back(part);
    if (parts.size() == count) return parts;
    rest = to.append(Op::subtract, {rest, part}, {}, {}, place).front();
  }
}

}  // namespace

Graph in_passes(const Graph& graph, int passes) {
  if (passes == 1) return graph;
  if (passes != 3 && passes != 6)
    fail({.number = 403,
          .sentence = "A product cannot be made in " + std::to_string(passes) + " passes of the matrix unit.",
          .fix = {"choose 1, 3 or 6"}});
  Rewriting rewriting{graph};
  Graph& to = rewriting.to();
  for (const Node& node : graph.nodes()) {
    const auto* dot = std::get_if<DotAttributes>(&node.attributes);
    const bool splits = node.op == Op::dot_general && dot->precision == DotPrecision::DEFAULT &&
                        graph.type(node.inputs[0]).dtype == DType::f32;
    if (!splits) {
      rewriting.copy(node, [&](const Graph& region) { return in_passes(region, passes); });
      continue;
    }
    const std::size_t count = passes == 3 ? 2 : 3;
    const auto left = parts_of(rewriting, rewriting.at(node.inputs[0]), count, node.place);
    const auto right = parts_of(rewriting, rewriting.at(node.inputs[1]), count, node.place);
    using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;
    const Pairs pairs =
        passes == 3 ? Pairs{{1, 0}, {0, 1}, {0, 0}} : Pairs{{0, 2}, {1, 1}, {2, 0}, {0, 1}, {1, 0}, {0, 0}};
    ValueId sum = -1;
    for (const auto& [l, r] : pairs) {
      const ValueId product = to.append(Op::dot_general, {left[l], right[r]}, *dot, {}, node.place).front();
      sum = sum < 0 ? product : to.append(Op::add, {sum, product}, {}, {}, node.place).front();
    }
    rewriting.at(node.outputs[0]) = sum;
  }
  return rewriting.done();
}

Graph rounded_between_operations(const Graph& graph) {
  const FusedProgram program = fused(graph);
  const std::vector<TensorType> stored = narrowed_types(program, DType::bf16);
  std::vector<bool> rounds(graph.values().size(), false);
  for (const FusedOperation& operation : program.operations) {
    if (operation.kind == FusedOperation::Kind::handover) continue;
    for (const ValueId id : operation.writes)
      if (const auto v = static_cast<std::size_t>(id); v < rounds.size())
        rounds[v] = stored[v].dtype != program.tensors[v].dtype;
  }
  Rewriting rewriting{graph};
  for (const Node& node : graph.nodes()) {
    rewriting.copy(node, [](const Graph& region) { return region; });
    for (const ValueId id : node.outputs)
      if (rounds[static_cast<std::size_t>(id)])
        rewriting.at(id) =
            rewriting.convert(rewriting.convert(rewriting.at(id), DType::bf16, node.place), DType::f32, node.place);
  }
  return rewriting.done();
}

Array held_in(const Array& array, DType dtype, std::source_location where) {
  const ComposedAt scope{where};
  const DType own = array.dtype();
  if (own == dtype || (own != DType::f32 && own != DType::f64)) return array;
  return cast(cast(array, dtype), own);
}

}  // namespace octet::tpu
