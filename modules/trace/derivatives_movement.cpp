module octet.trace;
import octet.base;
import octet.graph;
import octet.standard;
import :derivatives;

namespace octet::derivatives {

namespace {

template <class T>
const T& attributes(const Derivation& d) {
  return std::get<T>(d.expression.attributes);
}

std::vector<Array> tail(const std::vector<Array>& arrays, std::size_t from) {
  return {arrays.begin() + static_cast<std::ptrdiff_t>(from), arrays.end()};
}

/// The indices of a gather clamped as gather itself does, so that a scatter to them misses nothing.
Array clamped_indices(const Array& indices, const Shape& operand, const Dims& map, const Dims& window,
                      std::int64_t index_dim) {
  std::vector<std::int32_t> limits;
  for (std::int64_t d : map)
    limits.push_back(static_cast<std::int32_t>(operand[d] - window[static_cast<std::size_t>(d)]));
  const Array limit =
      cast(constant(Tensor::of<std::int32_t>({static_cast<std::int64_t>(limits.size())}, limits)), indices.dtype());
  const Array bound = index_dim == indices.rank() ? broadcast_in_dim(reshape(limit, {}), indices.shape(), {})
                                                  : broadcast_in_dim(limit, indices.shape(), {index_dim});
  return minimum(maximum(indices, 0), bound);
}

/// The gather that reads what `scatter` wrote.
GatherAttributes matching_gather(const ScatterAttributes& scatter, const Shape& operand, const Shape& updates) {
  GatherAttributes gather;
  gather.offset_dims = scatter.update_window_dims;
  gather.collapsed_slice_dims = scatter.inserted_window_dims;
  gather.start_index_map = scatter.scatter_dims_to_operand_dims;
  gather.index_vector_dim = scatter.index_vector_dim;
  std::size_t window = 0;
  for (std::int64_t d = 0; d < operand.rank(); ++d) {
    const bool inserted = std::find(scatter.inserted_window_dims.begin(), scatter.inserted_window_dims.end(), d) !=
                          scatter.inserted_window_dims.end();
    gather.slice_sizes.push_back(inserted ? 1 : updates[scatter.update_window_dims[window++]]);
  }
  return gather;
}

}  // namespace

Cotangents broadcast_in_dim(const Derivation& d) {
  const auto& a = attributes<BroadcastAttributes>(d);
  const Shape& from = d.inputs[0].shape();
  Dims summed;
  for (std::int64_t r = 0; r < a.shape.rank(); ++r) {
    const auto at = std::find(a.broadcast_dimensions.begin(), a.broadcast_dimensions.end(), r);
    if (at == a.broadcast_dimensions.end() || from[at - a.broadcast_dimensions.begin()] != a.shape[r])
      summed.push_back(r);
  }
  Array g = summed.empty() ? d.cotangents[0] : sum(d.cotangents[0], summed);
  // What is left follows the order of the result; the operand's dimensions may be in another.
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < a.broadcast_dimensions.size(); ++i)
    if (from[static_cast<std::int64_t>(i)] == a.shape[a.broadcast_dimensions[i]]) kept.push_back(i);
  Dims order(kept.size());
  for (std::size_t i = 0; i < kept.size(); ++i)
    order[i] = std::count_if(kept.begin(), kept.end(), [&](std::size_t other) {
      return a.broadcast_dimensions[other] < a.broadcast_dimensions[kept[i]];
    });
  return {octet::reshape(octet::transpose(g, order), from.extents())};
}

Cotangents concatenate(const Derivation& d) {
  const std::int64_t dimension = attributes<DimensionAttributes>(d).dimension;
  Cotangents result;
  std::int64_t at = 0;
  for (const Array& input : d.inputs) {
    result.push_back(slice_in_dim(d.cotangents[0], at, at + input.extent(dimension), dimension));
    at += input.extent(dimension);
  }
  return result;
}

Cotangents dynamic_slice(const Derivation& d) {
  Cotangents result(d.inputs.size());
  result[0] = octet::dynamic_update_slice(zeros(d.inputs[0].type()), d.cotangents[0], tail(d.inputs, 1));
  return result;
}

Cotangents dynamic_update_slice(const Derivation& d) {
  Cotangents result(d.inputs.size());
  const Array& update = d.inputs[1];
  result[0] = octet::dynamic_update_slice(d.cotangents[0], zeros(update.type()), tail(d.inputs, 2));
  result[1] = octet::dynamic_slice(d.cotangents[0], tail(d.inputs, 2), update.shape().extents());
  return result;
}

Cotangents gather(const Derivation& d) {
  const auto& a = attributes<GatherAttributes>(d);
  const Array& x = d.inputs[0];
  ScatterAttributes scatter;
  scatter.update_window_dims = a.offset_dims;
  scatter.inserted_window_dims = a.collapsed_slice_dims;
  scatter.scatter_dims_to_operand_dims = a.start_index_map;
  scatter.index_vector_dim = a.index_vector_dim;
  scatter.reducer = Reducer::add;
  const Array indices = clamped_indices(d.inputs[1], x.shape(), a.start_index_map, a.slice_sizes, a.index_vector_dim);
  return {octet::scatter(zeros(x.type()), indices, d.cotangents[0], scatter), Array{}};
}

namespace {

/// Whether each element of `updates` was written: what an update outside of the operand reads by `gather` is that of a
/// neighbour.
Array written(const Derivation& d, const GatherAttributes& gather) {
  const auto& a = attributes<ScatterAttributes>(d);
  const Array &x = d.inputs[0], &indices = d.inputs[1], &updates = d.inputs[2];
  const Array clamped =
      clamped_indices(indices, x.shape(), a.scatter_dims_to_operand_dims, gather.slice_sizes, a.index_vector_dim);
  Array inside = clamped == indices;
  if (a.index_vector_dim < indices.rank()) inside = all(inside, {a.index_vector_dim});
  Dims positions;
  for (std::int64_t r = 0; r < updates.rank(); ++r)
    if (std::find(a.update_window_dims.begin(), a.update_window_dims.end(), r) == a.update_window_dims.end())
      positions.push_back(r);
  return octet::broadcast_in_dim(inside, updates.shape(), positions);
}

/// Equal extrema share the cotangent, as those of a reduction do.
[[gnu::noinline]] Cotangents scatter_extremum(const Derivation& d, const GatherAttributes& gather) {
  ScatterAttributes adding = attributes<ScatterAttributes>(d);
  adding.reducer = Reducer::add;
  const Array &x = d.inputs[0], &indices = d.inputs[1], &updates = d.inputs[2], &y = d.outputs[0];
  const Array own = x == y, hit = written(d, gather) & (octet::gather(y, indices, gather) == updates);
  // bf16 counts to 256.
  const DType wide = x.dtype() == DType::f64 ? DType::f64 : DType::f32;
  const Array count = octet::scatter(cast(own, wide), indices, cast(hit, wide), adding);
  const Array share = cast(cast(d.cotangents[0], wide) / count, x.dtype());
  // Chosen, not multiplied: what is read for others may be infinite or NaN.
  return {octet::select(own, share, zeros(x.type())), Array{},
          octet::select(hit, octet::gather(share, indices, gather), zeros(updates.type()))};
}

}  // namespace

Cotangents scatter(const Derivation& d) {
  const auto& a = attributes<ScatterAttributes>(d);
  const Array &x = d.inputs[0], &indices = d.inputs[1], &updates = d.inputs[2], &g = d.cotangents[0];
  if (x.shape().elements() == 0) return {g, Array{}, Array{}};
  const GatherAttributes gather = matching_gather(a, x.shape(), updates.shape());
  const Array none = zeros(updates.type());
  switch (a.reducer) {
    case Reducer::add: {
      const Array mask = written(d, gather);
      return {g, Array{}, octet::select(mask, octet::gather(g, indices, gather), none)};
    }
    case Reducer::replace: {
      // gather clamps where scatter skips: what was skipped gets nothing.
      const Array ids =
          octet::reshape(iota({DType::i32, Shape{updates.shape().elements()}}, 0), updates.shape().extents()) + 1;
      const Array owner = octet::scatter(zeros({DType::i32, x.shape()}), indices, ids, a);
      const Array won = octet::gather(owner, indices, gather) == ids;
      return {octet::select(owner == 0, g, zeros(g.type())), Array{},
              octet::select(won, octet::gather(g, indices, gather), none)};
    }
    case Reducer::maximum:
    case Reducer::minimum:
      return scatter_extremum(d, gather);
    default:
      refuse(d, "a scatter that multiplies does not keep what its derivative needs");
  }
}

Cotangents pad(const Derivation& d) {
  const auto& a = attributes<PadAttributes>(d);
  const Array &x = d.inputs[0], &g = d.cotangents[0];
  const std::size_t rank = a.edge_padding_low.size();
  Dims low(rank), high(rank), none(rank, 0), start(rank, 0), limit(rank), strides(rank);
  for (std::size_t i = 0; i < rank; ++i) {
    low[i] = -a.edge_padding_low[i];
    high[i] = -a.edge_padding_high[i];
    strides[i] = a.interior_padding[i] + 1;
    const std::int64_t n = x.extent(static_cast<std::int64_t>(i));
    limit[i] = n > 0 ? (n - 1) * strides[i] + 1 : 0;
  }
  const Array inner = octet::slice(octet::pad(g, 0.0, low, high, none), start, limit, strides);
  // Adding up what is padding, rather than taking sum(inner) from sum(g), cancels nothing.
  const Array padding =
      octet::pad(zeros({DType::pred, x.shape()}), true, a.edge_padding_low, a.edge_padding_high, a.interior_padding);
  return {inner, sum(octet::select(padding, g, zeros(g.type())))};
}

Cotangents reshape(const Derivation& d) { return {octet::reshape(d.cotangents[0], d.inputs[0].shape().extents())}; }

Cotangents reverse(const Derivation& d) {
  return {octet::reverse(d.cotangents[0], attributes<DimensionsAttributes>(d).dimensions)};
}

Cotangents slice(const Derivation& d) {
  const auto& a = attributes<SliceAttributes>(d);
  const Array &x = d.inputs[0], &g = d.cotangents[0];
  Dims high(a.strides.size()), interior(a.strides.size());
  for (std::size_t i = 0; i < a.strides.size(); ++i) {
    const auto dim = static_cast<std::int64_t>(i);
    interior[i] = a.strides[i] - 1;
    const std::int64_t covered = g.extent(dim) > 0 ? (g.extent(dim) - 1) * a.strides[i] + 1 : 0;
    high[i] = x.extent(dim) - a.start_indices[i] - covered;
  }
  return {octet::pad(g, 0.0, a.start_indices, high, interior)};
}

Cotangents sort(const Derivation& d) {
  const auto& a = attributes<SortAttributes>(d);
  // Sort the positions along, and send each cotangent back to where its element came from: sort it by that position.
  std::vector<Array> sorted = d.inputs;
  sorted.push_back(iota({DType::i32, d.inputs[0].shape()}, a.dimension));
  const Array origin =
      sort_by_bits(sorted, {a.dimension, true, a.direction}, Place::of(std::source_location::current())).back();
  Cotangents result;
  for (std::size_t i = 0; i < d.inputs.size(); ++i)
    result.push_back(d.cotangents[i].empty() ? Array{} : octet::sort({origin, d.cotangents[i]}, a.dimension)[1]);
  return result;
}

Cotangents transpose(const Derivation& d) {
  const Dims& permutation = attributes<TransposeAttributes>(d).permutation;
  Dims inverse(permutation.size());
  for (std::size_t i = 0; i < permutation.size(); ++i)
    inverse[static_cast<std::size_t>(permutation[i])] = static_cast<std::int64_t>(i);
  return {octet::transpose(d.cotangents[0], inverse)};
}

}  // namespace octet::derivatives
