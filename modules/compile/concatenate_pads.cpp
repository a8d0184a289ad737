/// Sums of parts that are padded by zeros, as derivatives of slices are: parts that lie side by side become one, so
/// that it is written once, and not padded to the size of the whole for each.
///
/// An element of such a sum is that of the one part which lies there, and zeros added to it; or zeros alone. Adding
/// zero makes -0 to 0 and leaves what it gives as it is, so it is enough to add it once to each part, where the loop
/// that computes the part may do it.
module octet.compile;
import octet.base;
import octet.graph;
import octet.standard;
import :passes;
import :rewrite;

namespace octet {

namespace {

/// Where a value lies in the sum, from `low` to before `limit`.
struct Part {
  ValueId value, zero;
  Dims low, limit;
  bool zero_added = false;
};

bool is_positive_zero(const Graph& graph, ValueId id) {
  const Node* const node = graph.definition(id);
  if (!node || node->op != Op::constant) return false;
  const double value = std::get<ConstantAttributes>(node->attributes).value.item();
  return value == 0 && !std::signbit(value);
}

bool any_negative(const Dims& dims) {
  return std::any_of(dims.begin(), dims.end(), [](std::int64_t d) { return d < 0; });
}

std::optional<Part> padded_part(const Graph& graph, const Node& pad) {
  const auto& a = std::get<PadAttributes>(pad.attributes);
  if (!is_positive_zero(graph, pad.inputs[1]) || any_negative(a.edge_padding_low) || any_negative(a.edge_padding_high))
    return std::nullopt;
  Part part{pad.inputs[0], pad.inputs[1], a.edge_padding_low, a.edge_padding_low};
  for (std::size_t d = 0; d < part.limit.size(); ++d) {
    if (a.interior_padding[d] != 0) return std::nullopt;
    part.limit[d] += graph.type(part.value).shape[static_cast<std::int64_t>(d)];
  }
  return part;
}

/// The parts that `sum` adds, where it adds nothing else. `inner`: sums that only another sum reads.
std::vector<Part> parts_of(const Graph& graph, const Node& sum, const std::set<ValueId>& inner) {
  std::vector<Part> parts;
  std::vector<ValueId> pending = sum.inputs;
  while (!pending.empty()) {
    const ValueId id = pending.back();
    pending.pop_back();
    const Node* const node = graph.definition(id);
    if (inner.contains(id)) {
      pending.insert(pending.end(), node->inputs.begin(), node->inputs.end());
      continue;
    }
    std::optional<Part> part;
    if (node && node->op == Op::pad) part = padded_part(graph, *node);
    if (!part) return {};
    parts.push_back(std::move(*part));
  }
  return parts;
}

bool meet(const Part& a, const Part& b) {
  for (std::size_t d = 0; d < a.low.size(); ++d)
    if (std::max(a.low[d], b.low[d]) >= std::min(a.limit[d], b.limit[d])) return false;
  return true;
}

bool lie_apart(const std::vector<Part>& parts) {
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (meet(parts[i], parts[k])) return false;
  return true;
}

/// Whether `b` begins in dimension `d` where `a` ends, and they are as wide in the others.
bool follows(const Part& a, const Part& b, std::size_t d) {
  for (std::size_t other = 0; other < a.low.size(); ++other)
    if (other == d ? b.low[d] != a.limit[d] : a.low[other] != b.low[other] || a.limit[other] != b.limit[other])
      return false;
  return true;
}

/// A part of `run`, which follow one another in dimension `d`.
Part joined(Graph& graph, std::span<const Part> run, std::size_t d, const Place& place) {
  std::vector<ValueId> values;
  for (const Part& part : run) {
    values.push_back(part.value);
    if (part.zero_added) continue;
    const Shape shape = graph.type(part.value).shape;
    const ValueId zeros =
        graph.append(Op::broadcast_in_dim, {part.zero}, BroadcastAttributes{shape, {}}, {}, place).front();
    values.back() = graph.append(Op::add, {part.value, zeros}, {}, {}, place).front();
  }
  const DimensionAttributes along{static_cast<std::int64_t>(d)};
  const ValueId whole = graph.append(Op::concatenate, values, along, {}, place).front();
  return {whole, run.front().zero, run.front().low, run.back().limit, true};
}

/// Joins what lies side by side, in one dimension after the other; whether anything does.
bool join(Rewrite& rewrite, std::vector<Part>& parts, const Place& place) {
  const std::size_t before = parts.size(), rank = parts.front().low.size();
  for (std::size_t d = 0; d < rank; ++d) {
    // Those that are as wide in the other dimensions after one another, as they lie in this one.
    const auto order = [d](const Part& part) {
      Dims low = part.low, limit = part.limit;
      low[d] = limit[d] = 0;
      return std::tuple{std::move(low), std::move(limit), part.low[d]};
    };
    std::sort(parts.begin(), parts.end(), [&](const Part& a, const Part& b) { return order(a) < order(b); });
    std::vector<Part> next;
    for (std::size_t begin = 0, end = 0; begin < parts.size(); begin = end) {
      for (end = begin + 1; end < parts.size() && follows(parts[end - 1], parts[end], d);) ++end;
      next.push_back(end == begin + 1 ? parts[begin]
                                      : joined(rewrite.more(), std::span{parts}.subspan(begin, end - begin), d, place));
    }
    parts = std::move(next);
  }
  return parts.size() < before;
}

/// What `sum` is instead, if some of what it adds lies side by side.
[[gnu::noinline]] std::optional<ValueId> concatenated(Rewrite& rewrite, const Node& sum, const TensorType& type,
                                                      const std::set<ValueId>& inner) {
  std::vector<Part> parts = parts_of(rewrite.graph(), sum, inner);
  if (parts.empty() || type.shape.elements() == 0 || !lie_apart(parts)) return std::nullopt;
  const Place place = sum.place;
  if (!join(rewrite, parts, place)) return std::nullopt;
  std::optional<ValueId> result;
  for (const Part& part : parts) {
    PadAttributes a{part.low, part.limit, Dims(part.low.size(), 0)};
    for (std::size_t d = 0; d < part.low.size(); ++d)
      a.edge_padding_high[d] = type.shape[static_cast<std::int64_t>(d)] - part.limit[d];
    const ValueId padded = rewrite.more().append(Op::pad, {part.value, part.zero}, a, {}, place).front();
    result = result ? rewrite.more().append(Op::add, {*result, padded}, {}, {}, place).front() : padded;
  }
  return result;
}

/// Of each value, whether one sum reads it, and nothing else.
std::vector<bool> read_by_one_sum(const Graph& graph) {
  std::vector<std::size_t> sums(graph.values().size(), 0);
  for (const Node& node : graph.nodes())
    for (const ValueId id : node.inputs) sums[static_cast<std::size_t>(id)] += node.op == Op::add ? 1 : 2;
  for (const ValueId id : graph.results()) sums[static_cast<std::size_t>(id)] += 2;
  std::vector<bool> result;
  for (const std::size_t count : sums) result.push_back(count == 1);
  return result;
}

/// Whether there are two to become one: what follows is not even loaded by a page that needs none of it.
bool has_pads(const Graph& graph) {
  const auto& nodes = graph.nodes();
  return std::ranges::count(nodes, Op::pad, &Node::op) > 1 ||
         std::ranges::any_of(nodes, [](const Node& node) { return std::ranges::any_of(node.regions, has_pads); });
}

[[gnu::noinline]] bool concatenate_all(Graph& graph) {
  const std::vector<bool> is_inner = read_by_one_sum(graph);
  std::set<ValueId> inner;  // of the new graph
  Rewrite rewrite{graph};
  while (Node* const read = rewrite.next()) {
    Node& node = *read;
    const bool is_sum = node.op == Op::add;
    const bool keeps = !is_sum || is_inner[static_cast<std::size_t>(node.outputs.front())];
    if (!keeps)
      if (const auto other = concatenated(rewrite, node, rewrite.old_type(node.outputs.front()), inner)) {
        rewrite.became(node.outputs.front(), *other);
        continue;
      }
    if (change_regions(node, concatenate_all)) rewrite.note_change();
    rewrite.keep();
    if (is_sum && keeps) inner.insert(rewrite.graph().nodes()[rewrite.written() - 1].outputs.front());
  }
  return rewrite.finish();
}

}  // namespace

bool concatenate_pads(Graph& graph) { return has_pads(graph) && concatenate_all(graph); }

}  // namespace octet
