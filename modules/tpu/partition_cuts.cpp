/// How each operation carries a cut from its operands to its results, and back.
module octet.tpu;
import octet.base;
import octet.graph;
import octet.standard;
import :partition;

namespace octet::tpu {

namespace {

bool contains(const Dims& dims, std::int64_t d) { return std::ranges::find(dims, d) != dims.end(); }
std::int64_t position(const Dims& dims, std::int64_t d) {
  const auto at = std::ranges::find(dims, d);
  return at == dims.end() ? uncut : at - dims.begin();
}
std::int64_t at(const Dims& dims, std::int64_t d) { return dims[static_cast<std::size_t>(d)]; }

/// Where the parts of dimension `d` of `from` lie in `to`, a reshape of it: as many elements stand before both, and one
/// extent is a multiple of the other.
std::int64_t reshaped(const Shape& from, const Shape& to, std::int64_t d, std::int64_t devices) {
  std::int64_t before = 1, passed = 1;
  if (from[d] == 0) return uncut;
  for (std::int64_t i = 0; i < d; ++i) before *= from[i];
  for (std::int64_t i = 0; i < to.rank(); passed *= to[i++])
    if (passed == before && to[i] > 1 && to[i] % devices == 0 && (to[i] % from[d] == 0 || from[d] % to[i] == 0))
      return i;
  return uncut;
}

/// The dimension of operand `i` that becomes dimension `d` of the result, or the other way round.
class Mapping {
 public:
  Mapping(const Graph& graph, const Node& node, std::int64_t devices) : graph_{graph}, node_{node}, devices_{devices} {}

  std::int64_t forward(std::size_t i, std::int64_t d) const {
    const Shape &from = in(i), &to = out();
    switch (node_.op) {
      case Op::broadcast_in_dim: {
        const std::int64_t mapped = at(std::get<BroadcastAttributes>(node_.attributes).broadcast_dimensions, d);
        return to[mapped] == from[d] ? mapped : uncut;
      }
      case Op::transpose:
        return position(std::get<TransposeAttributes>(node_.attributes).permutation, d);
      case Op::reshape:
        return reshaped(from, to, d, devices_);
      case Op::reduce: {
        const Dims& gone = std::get<ReduceAttributes>(node_.attributes).dimensions;
        return contains(gone, d) ? uncut : d - std::ranges::count_if(gone, [&](std::int64_t each) { return each < d; });
      }
      default:
        return from.rank() == to.rank() && from[d] == to[d] && keeps(i, d) ? d : uncut;
    }
  }

  /// `uncut` where the operand is needed whole; nothing where the result cannot be had so.
  std::optional<std::int64_t> backward(std::size_t i, std::int64_t d) const {
    const Shape &from = in(i), &to = out();
    switch (node_.op) {
      case Op::broadcast_in_dim: {
        const std::int64_t j = position(std::get<BroadcastAttributes>(node_.attributes).broadcast_dimensions, d);
        return j != uncut && from[j] == to[d] ? j : uncut;
      }
      case Op::transpose:
        return at(std::get<TransposeAttributes>(node_.attributes).permutation, d);
      case Op::reshape: {
        const std::int64_t j = reshaped(to, from, d, devices_);
        return j == uncut ? std::nullopt : std::optional{j};
      }
      case Op::reduce: {
        std::int64_t j = d;
        for (std::int64_t k = 0; k <= j; ++k) j += contains(std::get<ReduceAttributes>(node_.attributes).dimensions, k);
        return j;
      }
      case Op::dynamic_slice:
        return i > 0 ? std::optional{uncut} : keeps(0, d) ? std::optional{d} : std::nullopt;
      case Op::dynamic_update_slice:
        return i > 1 ? std::optional{uncut} : keeps(0, d) ? std::optional{d} : std::nullopt;
      default:
        if (from.rank() == 0) return uncut;
        return from.rank() == to.rank() && keeps(i, d) ? std::optional{d} : std::nullopt;
    }
  }

  /// Whether the operation may be computed part by part at all.
  bool parts() const {
    if (is_elementwise(node_.op)) return node_.op != Op::bitcast_convert || in(0).rank() == out().rank();
    constexpr Op ops[] = {Op::broadcast_in_dim,
                          Op::transpose,
                          Op::reshape,
                          Op::reduce,
                          Op::concatenate,
                          Op::slice,
                          Op::pad,
                          Op::reverse,
                          Op::sort,
                          Op::dynamic_slice,
                          Op::dynamic_update_slice};
    return is_collective(node_.op) || std::ranges::find(ops, node_.op) != std::end(ops);
  }

 private:
  const Shape& in(std::size_t i) const { return graph_.type(node_.inputs[i]).shape; }
  const Shape& out() const { return graph_.type(node_.outputs[0]).shape; }

  /// Whether each part of dimension `d` of the result comes of the same part of operand `i`.
  bool keeps(std::size_t i, std::int64_t d) const {
    const Shape& from = in(i);
    switch (node_.op) {
      case Op::concatenate:
        return d != std::get<DimensionAttributes>(node_.attributes).dimension;
      case Op::slice: {
        const auto& slice = std::get<SliceAttributes>(node_.attributes);
        return at(slice.start_indices, d) == 0 && at(slice.limit_indices, d) == from[d] && at(slice.strides, d) == 1;
      }
      case Op::pad: {
        const auto& pad = std::get<PadAttributes>(node_.attributes);
        return i == 0 && at(pad.edge_padding_low, d) == 0 && at(pad.edge_padding_high, d) == 0 &&
               at(pad.interior_padding, d) == 0;
      }
      case Op::reverse:
        return !contains(std::get<DimensionsAttributes>(node_.attributes).dimensions, d);
      case Op::sort:
        return d != std::get<SortAttributes>(node_.attributes).dimension;
      case Op::dynamic_slice:
        return i == 0 && at(std::get<DynamicSliceAttributes>(node_.attributes).slice_sizes, d) == from[d];
      case Op::dynamic_update_slice:
        return i <= 1 && in(0)[d] == in(1)[d];
      case Op::all_gather:
        return d != std::get<AllGatherAttributes>(node_.attributes).all_gather_dim;
      case Op::reduce_scatter:
        return d != std::get<ReduceScatterAttributes>(node_.attributes).scatter_dimension;
      case Op::all_to_all: {
        const auto& all = std::get<AllToAllAttributes>(node_.attributes);
        return d != all.split_dimension && d != all.concat_dimension;
      }
      default:
        return is_elementwise(node_.op) || node_.op == Op::all_reduce;
    }
  }

  const Graph& graph_;
  const Node& node_;
  std::int64_t devices_;
};

/// Whether `value` counts its elements along `d`: an iota, spread or reshaped, with what negative indices ask for.
bool counts_along(const Graph& graph, ValueId value, std::int64_t d) {
  const Node* node = graph.definition(value);
  if (!node) return false;
  if (const auto* iota = std::get_if<IotaAttributes>(&node->attributes)) return iota->iota_dimension == d;
  if (node->op == Op::select) {  // numbers from the end are counted from there
    const Node* wrapped = graph.definition(node->inputs[1]);
    return wrapped && wrapped->op == Op::add && std::ranges::count(wrapped->inputs, node->inputs[2]) > 0 &&
           counts_along(graph, node->inputs[2], d);
  }
  if (node->op == Op::convert) return counts_along(graph, node->inputs[0], d);
  if (node->op != Op::broadcast_in_dim && node->op != Op::reshape) return false;
  const std::optional<std::int64_t> from = Mapping{graph, *node, 1}.backward(0, d);
  return from && *from != uncut && graph.type(node->inputs[0]).shape[*from] == graph.type(value).shape[d] &&
         counts_along(graph, node->inputs[0], *from);
}

/// The component of `indices` that counts along its dimension `d`.
std::optional<std::int64_t> counting_component(const Graph& graph, ValueId indices, std::int64_t vector,
                                               std::int64_t d) {
  const Node* node = graph.definition(indices);
  const auto* joined = node && node->op == Op::concatenate ? &std::get<DimensionAttributes>(node->attributes) : nullptr;
  if (!joined || joined->dimension != vector) return std::nullopt;
  std::int64_t component = 0;
  for (const ValueId part : node->inputs) {
    if (counts_along(graph, part, d)) return component;
    component += graph.type(part).shape[vector];
  }
  return std::nullopt;
}

std::vector<std::int64_t> all_uncut(const std::vector<ValueId>& ids) {
  return std::vector<std::int64_t>(ids.size(), uncut);
}

Cut whole(const Node& node) { return {all_uncut(node.inputs), all_uncut(node.outputs)}; }

/// Batching, free or contracted: what a cut of either operand makes of the product.
Cut cut_dot(const Graph& graph, const Node& node, const Dimensions& inputs) {
  const auto& dot = std::get<DotAttributes>(node.attributes);
  const Dims* batching[] = {&dot.lhs_batching_dimensions, &dot.rhs_batching_dimensions};
  const Dims* contracting[] = {&dot.lhs_contracting_dimensions, &dot.rhs_contracting_dimensions};
  Cut cut = whole(node);
  // Of two that are cut, by the larger.
  const auto elements = [&](std::size_t i) { return graph.type(node.inputs[i]).shape.elements(); };
  const std::size_t own =
      inputs[0] == uncut || (inputs[1] != uncut && elements(1) > elements(0)) ? std::size_t{1} : std::size_t{0};
  const std::size_t other = 1 - own;
  const std::int64_t d = inputs[own];
  cut.inputs[own] = d;
  if (const std::int64_t b = position(*batching[own], d); b != uncut) {
    cut.inputs[other] = at(*batching[other], b);
    cut.outputs = {b};
  } else if (const std::int64_t c = position(*contracting[own], d); c != uncut) {
    cut.inputs[other] = at(*contracting[other], c);
    cut.meets = Reducer::add;
  } else {
    const auto free_before = [&](std::size_t i, std::int64_t end) {
      std::int64_t count = 0;
      for (std::int64_t k = 0; k < end; ++k) count += !contains(*batching[i], k) && !contains(*contracting[i], k);
      return count;
    };
    cut.outputs = {std::ssize(*batching[0]) + free_before(own, d) +
                   (own == 1 ? free_before(0, graph.type(node.inputs[0]).shape.rank()) : 0)};
  }
  return cut;
}

/// With the result cut along `d`, where that is not contracted.
Cut dot_for(const Graph& graph, const Node& node, std::int64_t d) {
  const auto& dot = std::get<DotAttributes>(node.attributes);
  const Dims* batching[] = {&dot.lhs_batching_dimensions, &dot.rhs_batching_dimensions};
  const Dims* contracting[] = {&dot.lhs_contracting_dimensions, &dot.rhs_contracting_dimensions};
  Cut cut{all_uncut(node.inputs), {d}};
  if (d < std::ssize(*batching[0])) {
    cut.inputs = {at(*batching[0], d), at(*batching[1], d)};
    return cut;
  }
  std::int64_t passed = std::ssize(*batching[0]);
  for (std::size_t i = 0; i < 2; ++i)
    for (std::int64_t k = 0; k < graph.type(node.inputs[i]).shape.rank(); ++k)
      if (!contains(*batching[i], k) && !contains(*contracting[i], k) && passed++ == d) cut.inputs[i] = k;
  return cut;
}

/// With the operand and the result cut along `d`: what is written to each part is picked by its indices, or is the same
/// part of each row.
std::optional<Cut> scatter_for(const Graph& graph, const Node& node, std::int64_t d) {
  const auto& scatter = std::get<ScatterAttributes>(node.attributes);
  Cut cut{all_uncut(node.inputs), {d}};
  cut.inputs[0] = d;
  const std::int64_t component = position(scatter.scatter_dims_to_operand_dims, d);
  if (contains(scatter.inserted_window_dims, d)) {
    if (component == uncut) return std::nullopt;
    cut.picks = component;
    return cut;
  }
  const std::int64_t window =
      d - std::ranges::count_if(scatter.inserted_window_dims, [&](std::int64_t k) { return k < d; });
  cut.inputs[2] = at(scatter.update_window_dims, window);
  const bool all = graph.type(node.inputs[2]).shape[cut.inputs[2]] == graph.type(node.inputs[0]).shape[d];
  return component == uncut && all ? std::optional{std::move(cut)} : std::nullopt;
}

/// By the examples that it looks up, or by what it takes of each row; of rows that devices have parts of, by the rows.
Cut cut_gather(const Graph& graph, const Node& node, const Dimensions& inputs) {
  const auto& gather = std::get<GatherAttributes>(node.attributes);
  const Shape& from = graph.type(node.inputs[0]).shape;
  const std::int64_t rank = graph.type(node.outputs[0]).shape.rank(), operand = inputs[0], d = inputs[1];
  Cut cut = whole(node);
  if (d != uncut && d != gather.index_vector_dim) {
    std::int64_t batch = d - (d > gather.index_vector_dim);
    for (std::int64_t o = 0; o < rank; ++o)
      if (!contains(gather.offset_dims, o) && batch-- == 0) cut.outputs = {o};
    cut.inputs[1] = d;
    const auto component =
        operand == uncut ? std::nullopt : counting_component(graph, node.inputs[1], gather.index_vector_dim, d);
    if (component && at(gather.start_index_map, *component) == operand && at(gather.slice_sizes, operand) == 1 &&
        from[operand] == graph.type(node.inputs[1]).shape[d]) {
      cut.inputs[0] = operand;
      cut.counts = component;
    }
    return cut;
  }
  if (operand == uncut) return cut;
  if (const std::int64_t component = position(gather.start_index_map, operand); component != uncut) {
    if (at(gather.slice_sizes, operand) != 1 || graph.type(node.inputs[0]).dtype == DType::pred) return cut;
    cut.inputs[0] = operand;
    cut.picks = component;
    cut.meets = Reducer::add;
    return cut;
  }
  if (contains(gather.collapsed_slice_dims, operand) || at(gather.slice_sizes, operand) != from[operand]) return cut;
  const std::int64_t window =
      operand - std::ranges::count_if(gather.collapsed_slice_dims, [&](std::int64_t k) { return k < operand; });
  cut.inputs[0] = operand;
  cut.outputs = {at(gather.offset_dims, window)};
  return cut;
}

/// By the examples that it adds: what each device has added is summed, or is its own part.
Cut cut_scatter(const Graph& graph, const Node& node, const Dimensions& inputs) {
  const auto& scatter = std::get<ScatterAttributes>(node.attributes);
  Cut cut = whole(node);
  const std::int64_t rank = graph.type(node.inputs[2]).shape.rank();
  std::int64_t d = inputs[1];
  const auto update_of = [&](std::int64_t indices) {
    std::int64_t batch = indices - (indices > scatter.index_vector_dim);
    for (std::int64_t u = 0; u < rank; ++u)
      if (!contains(scatter.update_window_dims, u) && batch-- == 0) return u;
    return uncut;
  };
  for (std::int64_t k = 0; d == uncut && inputs[2] != uncut && k < graph.type(node.inputs[1]).shape.rank(); ++k)
    if (k != scatter.index_vector_dim && update_of(k) == inputs[2]) d = k;
  if (d == uncut || d == scatter.index_vector_dim) {
    std::int64_t operand = inputs[0];
    for (std::int64_t k = 0; operand == uncut && k < graph.type(node.inputs[0]).shape.rank(); ++k)
      if (const auto own = scatter_for(graph, node, k); own && inputs[2] != uncut && own->inputs[2] == inputs[2])
        operand = k;
    return operand == uncut ? cut : scatter_for(graph, node, operand).value_or(cut);
  }
  const auto component = counting_component(graph, node.inputs[1], scatter.index_vector_dim, d);
  const std::int64_t operand = component ? at(scatter.scatter_dims_to_operand_dims, *component) : uncut;
  const bool own = component && contains(scatter.inserted_window_dims, operand) &&
                   graph.type(node.inputs[0]).shape[operand] == graph.type(node.inputs[1]).shape[d];
  if (!own && scatter.reducer != Reducer::add) return cut;
  cut.inputs = {own ? operand : uncut, d, update_of(d)};
  if (own) {
    cut.outputs = {operand};
    cut.counts = component;
  } else {
    cut.meets = Reducer::add;
  }
  return cut;
}

/// What is not known: each device computes its examples, where all results have as many as the operands. A convolution
/// whose kernel is cut is none of examples.
Cut cut_call(const Graph& graph, const Node& node, const Dimensions& inputs) {
  const auto& call = std::get<CustomCallAttributes>(node.attributes);
  std::optional<std::int64_t> examples;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] == uncut) continue;
    const std::int64_t extent = inputs[i] == 0 ? graph.type(node.inputs[i]).shape[0] : uncut;
    if (extent == uncut || examples.value_or(extent) != extent) return whole(node);
    if (i > 0 && call.call_target_name == "stablehlo.convolution") return whole(node);
    examples = extent;
  }
  for (const ValueId id : node.outputs) {
    const auto& [dtype, shape] = graph.type(id);
    if (dtype == DType::pred || shape.rank() == 0 || shape[0] != *examples) return whole(node);
  }
  return {inputs, std::vector<std::int64_t>(node.outputs.size(), 0)};
}

}  // namespace

std::optional<Cut> cut_for(const Graph& graph, const Node& node, std::int64_t dimension, std::int64_t devices) {
  Cut cut = whole(node);
  cut.outputs.assign(node.outputs.size(), dimension);
  if (node.op == Op::iota || is_splat(node)) return cut;
  if (node.op == Op::dot_general) return dot_for(graph, node, dimension);
  if (node.op == Op::scatter) return scatter_for(graph, node, dimension);
  if (const auto* call = std::get_if<CustomCallAttributes>(&node.attributes)) {
    // Random bits are made where they are wanted, of the same state.
    if (!call->call_target_name.starts_with("stablehlo.rng")) return std::nullopt;
    cut.outputs.assign(node.outputs.size(), uncut);
    cut.outputs.back() = dimension;
    return cut;
  }
  const Mapping dimensions{graph, node, devices};
  if (!dimensions.parts()) return std::nullopt;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const auto from = dimensions.backward(i, dimension);
    if (!from) return std::nullopt;
    cut.inputs[i] = *from;
  }
  return cut;
}

Cut cut_of(const Graph& graph, const Node& node, const Dimensions& inputs, std::int64_t devices) {
  if (std::ranges::count(inputs, uncut) == std::ssize(inputs)) return whole(node);
  switch (node.op) {
    case Op::dot_general:
      return cut_dot(graph, node, inputs);
    case Op::gather:
      return cut_gather(graph, node, inputs);
    case Op::scatter:
      return cut_scatter(graph, node, inputs);
    case Op::custom_call:
      return cut_call(graph, node, inputs);
    case Op::optimization_barrier:
      return {inputs, inputs};
    default:
      break;
  }
  const Mapping dimensions{graph, node, devices};
  if (!dimensions.parts()) return whole(node);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] == uncut) continue;
    if (const std::int64_t to = dimensions.forward(i, inputs[i]); to != uncut)
      if (auto cut = cut_for(graph, node, to, devices)) return std::move(*cut);
    if (const auto* reduce = std::get_if<ReduceAttributes>(&node.attributes)) {
      Cut cut = whole(node);
      cut.inputs = inputs;
      cut.meets = reduce->reducer;
      return cut;
    }
  }
  return whole(node);
}

}  // namespace octet::tpu
