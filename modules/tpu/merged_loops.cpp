module octet.tpu;
import octet.base;
import octet.graph;
import octet.standard;
import :fused;

namespace octet::tpu {

const Shape& loop_space(const Graph& graph, const Node& node) {
  return graph.type(node.op == Op::reduce ? node.inputs[0] : node.outputs[0]).shape;
}

namespace {

/// Whether `second` can run in the loop of `first`; `follows` says that it reads what `first` writes.
bool joins(const Graph& graph, const FusedOperation& first, const FusedOperation& second, bool follows) {
  if (first.kind != FusedOperation::Kind::loop || second.kind != FusedOperation::Kind::loop) return false;
  if (first.node < second.after) return false;
  if (loop_space(graph, graph.nodes()[first.node]) != loop_space(graph, graph.nodes()[second.node])) return false;
  const double large = static_cast<double>(loop_space(graph, graph.nodes()[first.node]).elements()) / 2;
  const auto elements = [&](ValueId id) { return static_cast<double>(graph.type(id).shape.elements()); };
  bool shares = false;
  for (const ValueId id : second.reads) {
    if (contains(first.writes, id)) {
      if (!follows || elements(id) <= large) return false;  // a reduction's result is whole only after its loop
      shares = true;
    } else if (elements(id) > large && contains(first.reads, id)) {
      shares = true;
    }
  }
  return shares;
}

}  // namespace

void merge_loops(const Graph& graph, std::vector<FusedOperation>& operations) {
  constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();
  // Of each tensor, the operation that writes it, by position.
  std::vector<std::size_t> writer(graph.values().size(), nowhere);
  std::vector<std::size_t> at(operations.size());
  std::vector<bool> gone(operations.size(), false);
  for (std::size_t i = 0; i < operations.size(); ++i) {
    FusedOperation& second = operations[i];
    at[i] = i;
    if (second.kind == FusedOperation::Kind::loop) {
      std::size_t needs = 0;  // the position before which not all it reads is there
      for (const ValueId id : second.reads)
        if (const std::size_t w = writer[static_cast<std::size_t>(id)]; w != nowhere) needs = std::max(needs, w);
      for (std::size_t j = i, looked = 0; j-- > needs && looked < 64; ++looked)
        if (!gone[j] && joins(graph, operations[j], second, false)) {
          at[i] = j;
          break;
        }
      if (at[i] == i && needs < i && !gone[needs] && joins(graph, operations[needs], second, true)) {
        bool only = true;  // whether everything else it reads is there before `needs`
        for (const ValueId id : second.reads)
          if (const std::size_t w = writer[static_cast<std::size_t>(id)];
              w == needs && !contains(operations[needs].writes, id))
            only = false;
        if (only) at[i] = needs;
      }
    }
    FusedOperation& first = operations[at[i]];
    if (at[i] != i) {
      gone[i] = true;
      first.vector_operations += second.vector_operations;
      first.drawn.insert(first.drawn.end(), second.drawn.begin(), second.drawn.end());
      first.elsewhere.insert(first.elsewhere.end(), second.elsewhere.begin(), second.elsewhere.end());
      for (std::size_t r = 0; r < second.reads.size(); ++r)
        if (!contains(first.reads, second.reads[r]) && !contains(first.writes, second.reads[r])) {
          first.reads.push_back(second.reads[r]);
          first.read_shares.push_back(second.read_shares[r]);
        }
      first.writes.insert(first.writes.end(), second.writes.begin(), second.writes.end());
    }
    for (const ValueId id : second.writes) writer[static_cast<std::size_t>(id)] = at[i];
  }
  std::vector<FusedOperation> kept;
  for (std::size_t i = 0; i < operations.size(); ++i)
    if (!gone[i]) kept.push_back(std::move(operations[i]));
  operations = std::move(kept);
}

}  // namespace octet::tpu
