/// Algebraic simplification. Each rule keeps every bit of the result, signed zeros and NaN included: x + 0 is not x for
/// -0.
module octet.compile;
import octet.base;
import octet.graph;
import octet.standard;
import :passes;
import :rewrite;

namespace octet {

namespace {

/// A node about to be written anew, on operands that have been already.
struct Candidate {
  Rewrite& rewrite;
  const Graph& graph;  ///< as far as it is written
  const Node& node;
  const std::vector<ValueId>& inputs;
  const TensorType& result;

  const Node* definition(std::size_t operand) const { return graph.definition(inputs[operand]); }
  const TensorType& type(std::size_t operand) const { return graph.type(inputs[operand]); }
  /// The operand's definition, if it is by `op`.
  const Node* defined_by(std::size_t operand, Op op) const {
    const Node* node = definition(operand);
    return node && node->op == op ? node : nullptr;
  }
  template <class T>
  const T& attributes() const {
    return std::get<T>(node.attributes);
  }
  ValueId make(Op op, ValueId operand, Attributes attributes) {
    return rewrite.more().append(op, {operand}, std::move(attributes), {}, node.place).front();
  }
};

/// The number that every element of `id` is, seen through broadcasts and reshapes of a constant.
[[gnu::noinline]] std::optional<double> splat(const Graph& graph, ValueId id) {
  const Node* node = graph.definition(id);
  while (node && (node->op == Op::broadcast_in_dim || node->op == Op::reshape))
    node = graph.definition(node->inputs[0]);
  if (!node || node->op != Op::constant) return std::nullopt;
  const Tensor& value = std::get<ConstantAttributes>(node->attributes).value;
  if (value.elements() != 1) return std::nullopt;
  return value.item();
}

bool is_identity(const Dims& dims) {
  for (std::size_t i = 0; i < dims.size(); ++i)
    if (dims[i] != static_cast<std::int64_t>(i)) return false;
  return true;
}

bool all_equal(const Dims& dims, std::int64_t value) {
  return std::all_of(dims.begin(), dims.end(), [value](std::int64_t d) { return d == value; });
}

bool is_positive_zero(double x) { return x == 0 && !std::signbit(x); }

using Simpler = std::optional<ValueId>;

// Rules of some length are functions of their own: a browser compiles what is called for many nodes once more, with all
// that is within it.

[[gnu::noinline]] Simpler transposed(Candidate& c) {
  const Dims& outer = c.attributes<TransposeAttributes>().permutation;
  if (is_identity(outer)) return c.inputs[0];
  if (const Node* inner = c.defined_by(0, Op::transpose)) {
    Dims both;
    for (std::int64_t d : outer)
      both.push_back(std::get<TransposeAttributes>(inner->attributes).permutation[static_cast<std::size_t>(d)]);
    if (is_identity(both)) return inner->inputs[0];
    return c.make(Op::transpose, inner->inputs[0], TransposeAttributes{both});
  }
  return std::nullopt;
}

[[gnu::noinline]] Simpler broadcast(Candidate& c) {
  const auto& outer = c.attributes<BroadcastAttributes>();
  if (c.type(0) == c.result && is_identity(outer.broadcast_dimensions)) return c.inputs[0];
  if (const Node* inner = c.defined_by(0, Op::broadcast_in_dim)) {
    Dims both;
    for (std::int64_t d : std::get<BroadcastAttributes>(inner->attributes).broadcast_dimensions)
      both.push_back(outer.broadcast_dimensions[static_cast<std::size_t>(d)]);
    return c.make(Op::broadcast_in_dim, inner->inputs[0], BroadcastAttributes{outer.shape, both});
  }
  return std::nullopt;
}

/// The same operation twice, where once does the same.
[[gnu::noinline]] Simpler once(Candidate& c) {
  if (c.type(0) == c.result) return c.inputs[0];
  if (const Node* inner = c.defined_by(0, c.node.op)) return c.make(c.node.op, inner->inputs[0], c.node.attributes);
  return std::nullopt;
}

[[gnu::noinline]] Simpler padded(Candidate& c) {
  const auto& a = c.attributes<PadAttributes>();
  if (all_equal(a.edge_padding_low, 0) && all_equal(a.edge_padding_high, 0) && all_equal(a.interior_padding, 0))
    return c.inputs[0];
  return std::nullopt;
}

Simpler moved(Candidate& c) {
  switch (c.node.op) {
    case Op::reshape:
    case Op::bitcast_convert:
      return once(c);
    case Op::transpose:
      return transposed(c);
    case Op::broadcast_in_dim:
      return broadcast(c);
    case Op::slice:
    case Op::dynamic_slice:  // a window of everything is clamped to the start
    case Op::convert:
      if (c.type(0) == c.result) return c.inputs[0];
      return std::nullopt;
    case Op::pad:
      return padded(c);
    case Op::reverse:
      if (c.attributes<DimensionsAttributes>().dimensions.empty()) return c.inputs[0];
      return std::nullopt;
    case Op::concatenate:
      if (c.inputs.size() == 1) return c.inputs[0];
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

[[gnu::noinline]] Simpler product(Candidate& c) {
  if (splat(c.graph, c.inputs[1]) == 1.0) return c.inputs[0];
  if (c.node.op == Op::multiply && splat(c.graph, c.inputs[0]) == 1.0) return c.inputs[1];
  return std::nullopt;
}

[[gnu::noinline]] Simpler summed(Candidate& c) {
  for (const std::size_t side : {std::size_t{0}, std::size_t{1}})
    if (const auto zero = splat(c.graph, c.inputs[side]);
        zero && *zero == 0 && (is_integer(c.result.dtype) || std::signbit(*zero)))
      return c.inputs[1 - side];
  return std::nullopt;
}

[[gnu::noinline]] Simpler selected(Candidate& c) {
  if (c.inputs[1] == c.inputs[2]) return c.inputs[1];
  if (const auto condition = splat(c.graph, c.inputs[0])) return c.inputs[*condition != 0 ? 1 : 2];
  return std::nullopt;
}

[[gnu::noinline]] Simpler all_reduced(Candidate& c) {
  const auto& groups = c.attributes<AllReduceAttributes>().replica_groups;
  if (!groups.empty() && group_size(groups) == 1) return c.inputs[0];
  return std::nullopt;
}

/// A sum over dimensions of one element, as of a batch of one sequence: that element, and +0 where it is -0, since sums
/// begin at +0. Extrema of real numbers stay: they make one NaN of all.
[[gnu::noinline]] Simpler reduced(Candidate& c) {
  const auto& a = c.attributes<ReduceAttributes>();
  const bool is_one = !a.dimensions.empty() &&
                      std::ranges::all_of(a.dimensions, [&](std::int64_t d) { return c.type(0).shape[d] == 1; });
  if (!is_one || a.reducer != Reducer::add || c.type(0).dtype != c.result.dtype) return std::nullopt;
  const ValueId element = c.make(Op::reshape, c.inputs[0], ResultAttributes{c.result});
  if (is_integer(c.result.dtype)) return element;
  Graph& more = c.rewrite.more();
  const ValueId zero =
      more.append(Op::constant, {}, ConstantAttributes{Tensor{c.result.dtype, Shape{}}}, {}, c.node.place).front();
  const ValueId zeros = c.make(Op::broadcast_in_dim, zero, BroadcastAttributes{c.result.shape, {}});
  return more.append(Op::add, {element, zeros}, {}, {}, c.node.place).front();
}

Simpler computed(Candidate& c) {
  switch (c.node.op) {
    case Op::negate:
    case Op::not_:
      if (const Node* inner = c.defined_by(0, c.node.op)) return inner->inputs[0];
      return std::nullopt;
    case Op::multiply:
    case Op::divide:
      return product(c);
    case Op::subtract:
      if (const auto right = splat(c.graph, c.inputs[1]); right && is_positive_zero(*right)) return c.inputs[0];
      return std::nullopt;
    case Op::add:
      return summed(c);
    case Op::select:
      return selected(c);
    case Op::all_reduce:
      return all_reduced(c);
    case Op::reduce:
      return reduced(c);
    default:
      return std::nullopt;
  }
}

/// Puts the branch that a known condition takes in place of an `if`; whether it is known.
[[gnu::noinline]] bool take_branch(Rewrite& rewrite, const Node& node) {
  const auto condition = splat(rewrite.graph(), node.inputs[0]);
  if (!condition) return false;
  const std::vector<ValueId> operands{node.inputs.begin() + 1, node.inputs.end()};
  const auto results = rewrite.more().splice(node.regions[*condition != 0 ? 0 : 1], operands);
  for (std::size_t i = 0; i < results.size(); ++i) rewrite.became(node.outputs[i], results[i]);
  return true;
}

}  // namespace

bool simplify(Graph& graph) {
  Rewrite rewrite{graph};
  while (Node* const read = rewrite.next()) {
    Node& node = *read;
    if (node.outputs.empty()) {  // a branch or a loop for nobody
      rewrite.note_change();
      continue;
    }
    if (node.op == Op::if_ && take_branch(rewrite, node)) continue;
    Candidate candidate{rewrite, rewrite.graph(), node, node.inputs, rewrite.old_type(node.outputs.front())};
    Simpler simpler = moved(candidate);
    if (!simpler) simpler = computed(candidate);
    if (simpler) {
      rewrite.became(node.outputs.front(), *simpler);
      continue;
    }
    if (change_regions(node, simplify)) rewrite.note_change();
    rewrite.keep();
  }
  return rewrite.finish();
}

}  // namespace octet
