module octet.trace;
import octet.base;
import octet.graph;
import octet.standard;

namespace octet {

namespace {

std::int64_t from_start(std::int64_t dimension, std::int64_t rank) {
  return dimension < 0 ? dimension + rank : dimension;
}

}  // namespace

Array reshape(operand a, Dims shape) {
  const Array x = a.array();
  std::int64_t known = 1;
  auto inferred = shape.end();
  for (auto extent = shape.begin(); extent != shape.end(); ++extent)
    if (*extent == -1 && inferred == shape.end())
      inferred = extent;
    else
      known *= *extent;
  if (inferred != shape.end() && known > 0) *inferred = x.shape().elements() / known;
  if (std::equal(x.shape().begin(), x.shape().end(), shape.begin(), shape.end())) return x;
  return apply_one(Op::reshape, {x}, ResultAttributes{{x.dtype(), Shape{shape}}}, Place::of(a.where()));
}

Array transpose(operand a, Dims permutation) {
  const Array x = a.array();
  for (std::int64_t& d : permutation) d = from_start(d, x.rank());
  Dims unchanged(static_cast<std::size_t>(x.rank()));
  std::iota(unchanged.begin(), unchanged.end(), 0);
  if (permutation == unchanged) return x;
  return apply_one(Op::transpose, {x}, TransposeAttributes{std::move(permutation)}, Place::of(a.where()));
}

Array transpose(operand a) {
  Dims permutation(static_cast<std::size_t>(a.array().rank()));
  std::iota(permutation.rbegin(), permutation.rend(), 0);
  return transpose(a, std::move(permutation));
}

Array matrix_transpose(operand a) {
  require_rank(a.array(), 2, "matrix_transpose", Place::of(a.where()));
  Dims permutation(static_cast<std::size_t>(a.array().rank()));
  std::iota(permutation.begin(), permutation.end(), 0);
  std::swap(permutation.end()[-1], permutation.end()[-2]);
  return transpose(a, std::move(permutation));
}

Array broadcast_in_dim(operand a, Shape shape, Dims dimensions) {
  const Array x = a.array();
  if (x.shape() == shape) return x;
  return apply_one(Op::broadcast_in_dim, {x}, BroadcastAttributes{std::move(shape), std::move(dimensions)},
                   Place::of(a.where()));
}

Array broadcast_to(operand a, Dims extents) {
  const Array x = a.array();
  const Shape shape{std::move(extents)};
  const Place place = Place::of(a.where());
  try {
    if (broadcast_shape(x.shape(), shape, place) != shape)
      fail([&] {
        return Diagnostic{
            .number = 401,
            .sentence = to_string(x.type()) + " cannot be broadcast to the smaller shape " + to_string(shape) + ".",
            .where = placed(place)};
      });
  } catch (const Error& error) {
    fail_because(error, {x});
  }
  Dims kept, dimensions;
  for (std::int64_t d = 0; d < x.rank(); ++d) {
    const std::int64_t to = shape.rank() - x.rank() + d;
    if (x.extent(d) != shape[to]) continue;
    kept.push_back(x.extent(d));
    dimensions.push_back(to);
  }
  return broadcast_in_dim({reshape(a, kept), a.where()}, shape, dimensions);
}

Array expand_dims(operand a, std::int64_t dimension) {
  const Array x = a.array();
  const std::int64_t d = from_start(dimension, x.rank() + 1);
  if (d < 0 || d > x.rank())
    fail([&] {
      return Diagnostic{.number = 403,
                        .sentence = "expand_dims: dimension " + std::to_string(dimension) + " of " +
                                    to_string(x.type()) + " is not from " + std::to_string(-x.rank() - 1) + " to " +
                                    std::to_string(x.rank()) + ".",
                        .where = placed(Place::of(a.where())),
                        .because = because(x)};
    });
  Dims shape = x.shape().extents();
  shape.insert(shape.begin() + d, 1);
  return reshape(a, std::move(shape));
}

Array slice(operand a, Dims start, Dims limit, Dims strides) {
  if (strides.empty()) strides.assign(start.size(), 1);
  return apply_one(Op::slice, {a.array()}, SliceAttributes{std::move(start), std::move(limit), std::move(strides)},
                   Place::of(a.where()));
}

Array slice_in_dim(operand a, std::int64_t start, std::int64_t limit, std::int64_t dimension) {
  const Array x = a.array();
  Dims starts(static_cast<std::size_t>(x.rank()), 0), limits = x.shape().extents();
  const auto d = static_cast<std::size_t>(from_start(dimension, x.rank()));
  if (d >= starts.size())
    fail([&] {
      return Diagnostic{.number = 403,
                        .sentence = "slice_in_dim: dimension " + std::to_string(dimension) + " of " +
                                    to_string(x.type()) + " is not from " + std::to_string(-x.rank()) + " to " +
                                    std::to_string(x.rank() - 1) + ".",
                        .where = placed(Place::of(a.where())),
                        .because = because(x)};
    });
  starts[d] = start;
  limits[d] = limit;
  return slice(a, std::move(starts), std::move(limits));
}

Array concatenate(const std::vector<Array>& arrays, std::int64_t dimension, std::source_location where) {
  const std::int64_t rank = arrays.empty() ? 0 : arrays.front().rank();
  return apply_one(Op::concatenate, arrays, DimensionAttributes{from_start(dimension, rank)}, Place::of(where));
}

Array pad(operand a, operand value, Dims low, Dims high, Dims interior) {
  const Array x = a.array();
  if (interior.empty()) interior.assign(low.size(), 0);
  return apply_one(Op::pad, {x, value.array(&x.type())},
                   PadAttributes{std::move(low), std::move(high), std::move(interior)}, Place::of(a.where()));
}

Array reverse(operand a, Dims dimensions) {
  const Array x = a.array();
  for (std::int64_t& d : dimensions) d = from_start(d, x.rank());
  return apply_one(Op::reverse, {x}, DimensionsAttributes{std::move(dimensions)}, Place::of(a.where()));
}

Array dynamic_slice(operand a, std::vector<Array> starts, Dims sizes) {
  starts.insert(starts.begin(), a.array());
  return apply_one(Op::dynamic_slice, std::move(starts), DynamicSliceAttributes{std::move(sizes)},
                   Place::of(a.where()));
}

Array dynamic_update_slice(operand a, const Array& update, std::vector<Array> starts) {
  starts.insert(starts.begin(), {a.array(), update});
  return apply_one(Op::dynamic_update_slice, std::move(starts), NoAttributes{}, Place::of(a.where()));
}

Array gather(operand a, const Array& indices, GatherAttributes attributes) {
  return apply_one(Op::gather, {a.array(), indices}, std::move(attributes), Place::of(a.where()));
}

Array scatter(operand a, const Array& indices, const Array& updates, ScatterAttributes attributes) {
  return apply_one(Op::scatter, {a.array(), indices, updates}, std::move(attributes), Place::of(a.where()));
}

Array take(operand a, const Array& indices) {
  const Array table = a.array();
  GatherAttributes attributes;
  attributes.collapsed_slice_dims = {0};
  attributes.start_index_map = {0};
  attributes.index_vector_dim = indices.rank();
  attributes.slice_sizes = table.shape().extents();
  if (!attributes.slice_sizes.empty()) attributes.slice_sizes[0] = 1;
  for (std::int64_t d = 1; d < table.rank(); ++d) attributes.offset_dims.push_back(indices.rank() + d - 1);
  return gather(a, indices, std::move(attributes));
}

Array take_along_last(operand a, const Array& indices) {
  const Array x = a.array();
  require_rank(x, 1, "take_along_last", Place::of(a.where()));
  if (!std::equal(indices.shape().begin(), indices.shape().end(), x.shape().begin(), x.shape().end() - 1))
    fail([&] {
      return Diagnostic{.number = 401,
                        .sentence = "take_along_last needs an index for each row of " + to_string(x.type()) +
                                    ", and is given " + to_string(indices.type()) + ".",
                        .where = placed(Place::of(a.where())),
                        .because = because(indices)};
    });
  const std::int64_t classes = x.extent(-1), rows = indices.shape().elements();
  const std::source_location where = a.where();
  const ComposedAt scope{where};
  const Array flat = reshape(x, {rows * classes});
  const Array base = iota({indices.dtype(), Shape{rows}}, 0) * classes;
  return reshape(take(flat, base + clamp(0, reshape(indices, {rows}), classes - 1)), indices.shape().extents());
}

std::vector<Array> sort(std::vector<Array> arrays, std::int64_t dimension, SortDirection direction, bool stable,
                        std::source_location where) {
  const std::int64_t rank = arrays.empty() ? 0 : arrays.front().rank();
  return apply(Op::sort, std::move(arrays), SortAttributes{from_start(dimension, rank), stable, direction},
               Place::of(where));
}

Array Array::operator[](HostIndex i) const {
  require_rank(*this, 1, "x[i]", Place::of(i.where));
  const std::int64_t n = extent(0), at = i.value < 0 ? i.value + n : i.value;
  if (at < 0 || at >= n)
    fail([&] {
      return Diagnostic{.number = 403,
                        .sentence = "There is no element " + std::to_string(i.value) + " in the leading axis of " +
                                    to_string(type()) + ".",
                        .where = placed(Place::of(i.where)),
                        .because = because(*this),
                        .fix = {n > 0 ? "take one from 0 to " + std::to_string(n - 1) : "the axis is empty"}};
    });
  const ComposedAt scope{i.where};
  return reshape(slice_in_dim(*this, at, at + 1, 0), Dims{shape().begin() + 1, shape().end()});
}

}  // namespace octet
