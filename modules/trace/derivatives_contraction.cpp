module octet.trace;
import octet.base;
import octet.graph;
import octet.standard;
import :derivatives;

namespace octet::derivatives {

namespace {

bool contains(const Dims& dims, std::int64_t d) { return std::find(dims.begin(), dims.end(), d) != dims.end(); }

Dims free_dims(std::int64_t rank, const Dims& batching, const Dims& contracting) {
  Dims result;
  for (std::int64_t d = 0; d < rank; ++d)
    if (!contains(batching, d) && !contains(contracting, d)) result.push_back(d);
  return result;
}

/// The cotangent of one operand of a product: `g` contracted with the other operand over that one's free dimensions.
/// `offset` is where those begin in `g`.
Array operand_cotangent(const Array& g, const Array& own, const Dims& own_batching, const Dims& own_contracting,
                        const Array& other, const Dims& other_batching, const Dims& other_contracting,
                        std::int64_t offset, DotPrecision precision) {
  const Dims own_free = free_dims(own.rank(), own_batching, own_contracting);
  const Dims other_free = free_dims(other.rank(), other_batching, other_contracting);
  Dims rest = other_contracting;
  std::sort(rest.begin(), rest.end());
  Dims own_contracted;  // the dimension of `own` that each of `rest` was contracted with
  for (std::int64_t d : rest)
    own_contracted.push_back(own_contracting[static_cast<std::size_t>(
        std::find(other_contracting.begin(), other_contracting.end(), d) - other_contracting.begin())]);

  Dims g_batching, g_contracting;
  for (std::int64_t b = 0; b < static_cast<std::int64_t>(own_batching.size()); ++b) g_batching.push_back(b);
  for (std::size_t i = 0; i < other_free.size(); ++i) g_contracting.push_back(offset + static_cast<std::int64_t>(i));
  // The product's dimensions are batching, those free in its left operand, those free in its right one. The operands
  // stand in the order that leaves the least to move: of a weight [in, out] the cotangent is then a product and nothing
  // else.
  const auto joined = [&](const Dims& first, const Dims& second) {
    Dims belongs = own_batching;
    belongs.insert(belongs.end(), first.begin(), first.end());
    belongs.insert(belongs.end(), second.begin(), second.end());
    return belongs;
  };
  const Dims swapped = joined(own_contracted, own_free);
  const bool swap = std::is_sorted(swapped.begin(), swapped.end());
  const Dims belongs = swap ? swapped : joined(own_free, own_contracted);
  const Array product =
      swap ? octet::dot_general(other, g, {other_batching, g_batching, other_free, g_contracting, precision})
           : octet::dot_general(g, other, {g_batching, other_batching, g_contracting, other_free, precision});
  Dims permutation(belongs.size());
  for (std::size_t i = 0; i < belongs.size(); ++i)
    permutation[static_cast<std::size_t>(belongs[i])] = static_cast<std::int64_t>(i);
  return octet::transpose(product, permutation);
}

/// The product along `dimensions` by halving: a composition whose derivative holds where factors are zero, too.
Array product_by_halves(Array x, const Dims& dimensions) {
  for (std::int64_t d : dimensions)
    while (x.extent(d) > 1) {
      const std::int64_t half = x.extent(d) / 2;
      Array folded = slice_in_dim(x, 0, half, d) * slice_in_dim(x, half, 2 * half, d);
      if (x.extent(d) % 2) folded = octet::concatenate({folded, slice_in_dim(x, 2 * half, x.extent(d), d)}, d);
      x = folded;
    }
  Dims shape;
  for (std::int64_t d = 0; d < x.rank(); ++d)
    if (!contains(dimensions, d)) shape.push_back(x.extent(d));
  return octet::reshape(x, shape);
}

}  // namespace

Cotangents dot_general(const Derivation& d) {
  const auto& a = std::get<DotAttributes>(d.expression.attributes);
  const Array &lhs = d.inputs[0], &rhs = d.inputs[1], &g = d.cotangents[0];
  const auto batch = static_cast<std::int64_t>(a.lhs_batching_dimensions.size());
  const auto lhs_free =
      static_cast<std::int64_t>(free_dims(lhs.rank(), a.lhs_batching_dimensions, a.lhs_contracting_dimensions).size());
  return {operand_cotangent(g, lhs, a.lhs_batching_dimensions, a.lhs_contracting_dimensions, rhs,
                            a.rhs_batching_dimensions, a.rhs_contracting_dimensions, batch + lhs_free, a.precision),
          operand_cotangent(g, rhs, a.rhs_batching_dimensions, a.rhs_contracting_dimensions, lhs,
                            a.lhs_batching_dimensions, a.lhs_contracting_dimensions, batch, a.precision)};
}

Cotangents reduce(const Derivation& d) {
  const auto& a = std::get<ReduceAttributes>(d.expression.attributes);
  const Array &x = d.inputs[0], &y = d.outputs[0], &g = d.cotangents[0];
  Dims kept;
  for (std::int64_t i = 0; i < x.rank(); ++i)
    if (!contains(a.dimensions, i)) kept.push_back(i);
  const auto spread = [&](const Array& array) { return octet::broadcast_in_dim(array, x.shape(), kept); };
  switch (a.reducer) {
    case Reducer::add:
      return {spread(g)};
    case Reducer::maximum:
    case Reducer::minimum: {
      // Equal extrema share the cotangent.
      const Array extreme = cast(x == spread(y), x.dtype());
      return {extreme * spread(g / sum(extreme, a.dimensions))};
    }
    case Reducer::multiply: {
      if (x.shape().elements() == 0) return {Array{}};
      const Array variable = alias(x);
      return vector_jacobian_product({product_by_halves(variable, a.dimensions)}, {g}, {variable});
    }
    default:
      refuse(d, "truth values have no derivative");
  }
}

}  // namespace octet::derivatives
