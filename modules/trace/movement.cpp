module octet.trace;
import octet.base;
import octet.graph;
import octet.standard;

namespace octet {

std::int64_t from_start(std::int64_t dimension, std::int64_t rank) {
  return dimension < 0 && dimension >= -rank ? dimension + rank : dimension;
}

Array reshape(operand a, Dims shape) {
  const Array x = a.array();
  std::int64_t known = 1;
  auto inferred = shape.end();
  for (auto extent = shape.begin(); extent != shape.end(); ++extent)
    if (*extent == -1 && inferred == shape.end())
      inferred = extent;
    else
      known *= *extent;
  const std::int64_t elements = x.shape().elements();
  if (inferred != shape.end() &&
      (known <= 0 || elements % known != 0 || std::ranges::count_if(shape, [](auto extent) { return extent < 0; }) > 1))
    fail([&] {
      return Diagnostic{
          .number = 401,
          .sentence = "reshape: " + to_string(x.type()) + " has " + std::to_string(elements) +
                      " elements, and no one extent for -1 makes " + to_string(shape) + " of them.",
          .where = placed(Place::of(a.where())),
          .because = because(x),
          .fix = {known == 0 ? "write each extent"
                             : "let one extent be -1, and the others divide " + std::to_string(elements)}};
    });
  if (inferred != shape.end()) *inferred = elements / known;
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
  Dims own(static_cast<std::size_t>(x.rank()));
  std::iota(own.begin(), own.end(), 0);
  if (x.shape() == shape && dimensions == own) return x;
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

Array squeeze(operand a, std::int64_t dimension) {
  const Array x = a.array();
  const std::int64_t d = dimension_of(a, dimension, "squeeze");
  if (x.extent(d) != 1)
    fail([&] {
      return Diagnostic{.number = 401,
                        .sentence = "squeeze takes a dimension of extent 1 away, and dimension " +
                                    std::to_string(dimension) + " of " + to_string(x.type()) + " has " +
                                    std::to_string(x.extent(d)) + " elements.",
                        .where = placed(Place::of(a.where())),
                        .because = because(x),
                        .fix = {"take one of its elements: slice_in_dim(x, 0, 1, " + std::to_string(d) + ")"}};
    });
  Dims shape = x.shape().extents();
  shape.erase(shape.begin() + d);
  return reshape(a, std::move(shape));
}

Array squeeze(operand a) {
  Dims shape = a.array().shape().extents();
  std::erase(shape, 1);
  return reshape(a, std::move(shape));
}

Array swap_axes(operand a, std::int64_t first, std::int64_t second) {
  Dims permutation(static_cast<std::size_t>(a.array().rank()));
  std::iota(permutation.begin(), permutation.end(), 0);
  const auto one = static_cast<std::size_t>(dimension_of(a, first, "swap_axes")),
             other = static_cast<std::size_t>(dimension_of(a, second, "swap_axes"));
  std::swap(permutation[one], permutation[other]);
  return transpose(a, std::move(permutation));
}

Array slice(operand a, Dims start, Dims limit, Dims strides) {
  if (strides.empty()) strides.assign(start.size(), 1);
  return apply_one(Op::slice, {a.array()}, SliceAttributes{std::move(start), std::move(limit), std::move(strides)},
                   Place::of(a.where()));
}

Array slice_in_dim(operand a, std::int64_t start, std::int64_t limit, std::int64_t dimension) {
  const Array x = a.array();
  Dims starts(static_cast<std::size_t>(x.rank()), 0), limits = x.shape().extents();
  const auto d = static_cast<std::size_t>(dimension_of(a, dimension, "slice_in_dim"));
  starts[d] = start;
  limits[d] = limit;
  return slice(a, std::move(starts), std::move(limits));
}

Array concatenate(const std::vector<Array>& arrays, std::int64_t dimension, std::source_location where) {
  if (arrays.empty())
    fail([&] {
      return Diagnostic{.number = 403,
                        .sentence = "There are no arrays to put side by side.",
                        .where = placed(Place::of(where)),
                        .fix = {"give one array or more"}};
    });
  const std::int64_t rank = arrays.front().rank();
  return apply_one(Op::concatenate, arrays, DimensionAttributes{from_start(dimension, rank)}, Place::of(where));
}

Array stack(const std::vector<Array>& arrays, std::int64_t dimension, std::source_location where) {
  const ComposedAt scope{where};
  for (const Array& array : arrays)
    if (const Shape &first = arrays.front().shape(), &other = array.shape(); other != first)
      fail([&] {
        std::set<std::int64_t> different;
        for (const Array& each : arrays)
          for (std::int64_t d = 0; d < first.rank(); ++d)
            if (each.rank() != first.rank() || each.shape()[d] != first[d]) different.insert(d);
        return Diagnostic{.number = 401,
                          .sentence = "stack puts arrays of one shape side by side, and is given " +
                                      to_string(arrays.front().type()) + " and " + to_string(array.type()) + ".",
                          .where = placed(Place::of(where)),
                          .because = because(array),
                          .fix = {different.size() == 1 ? "join them end to end: concatenate(arrays, " +
                                                              std::to_string(*different.begin()) + ")"
                                                        : "pad or reshape them to one shape"}};
      });
  std::vector<Array> deeper;
  for (const Array& array : arrays) deeper.push_back(expand_dims({array, where}, dimension));
  return concatenate(deeper, dimension, where);
}

std::vector<Array> split(operand a, std::int64_t parts, std::int64_t dimension) {
  const ComposedAt scope{a.where()};
  const std::int64_t d = dimension_of(a, dimension, "split"), extent = a.array().extent(d);
  if (parts < 1 || extent % parts != 0)
    fail([&] {
      return Diagnostic{.number = 401,
                        .sentence = "Dimension " + std::to_string(dimension) + " of " + to_string(a.array().type()) +
                                    " cannot be split into " + std::to_string(parts) + " equal parts.",
                        .where = placed(Place::of(a.where())),
                        .because = because(a.array()),
                        .fix = {a.array().dtype() == DType::u32 && extent == 2
                                    ? "a key, u32[2], is not cut: fold_in(key, i) makes another for each i"
                                    : "choose a number of parts that divides " + std::to_string(extent),
                                "cut parts of other sizes by slice_in_dim"}};
    });
  std::vector<Array> result;
  const std::int64_t size = extent / parts;
  for (std::int64_t part = 0; part < parts; ++part)
    result.push_back(slice_in_dim(a, part * size, (part + 1) * size, d));
  return result;
}

Array roll(operand a, std::int64_t distance, std::int64_t dimension) {
  const ComposedAt scope{a.where()};
  const std::int64_t d = dimension_of(a, dimension, "roll"), extent = a.array().extent(d);
  const std::int64_t moved = extent == 0 ? 0 : (distance % extent + extent) % extent;
  if (moved == 0) return a.array();
  return concatenate({slice_in_dim(a, extent - moved, extent, d), slice_in_dim(a, 0, extent - moved, d)}, d);
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

namespace {

/// Whether j - i of each element [i, j] of the matrices in the last two dimensions is at most `diagonal`.
Array up_to_diagonal(const Array& x, std::int64_t diagonal) {
  const TensorType index{DType::i32, Shape{x.extent(-2), x.extent(-1)}};
  const std::int64_t bound = std::clamp(diagonal, -x.extent(-2), x.extent(-1));
  const Array holds = iota(index, 1) - iota(index, 0) <= static_cast<std::int32_t>(bound);
  return broadcast_to(holds, x.shape().extents());
}

}  // namespace

Array lower_triangle(operand a, std::int64_t diagonal) {
  const ComposedAt scope{a.where()};
  const Array x = a.array();
  require_rank(x, 2, "lower_triangle", Place::of(a.where()));
  return select(up_to_diagonal(x, diagonal), x, zeros(x.type()));
}

Array upper_triangle(operand a, std::int64_t diagonal) {
  const ComposedAt scope{a.where()};
  const Array x = a.array();
  require_rank(x, 2, "upper_triangle", Place::of(a.where()));
  const std::int64_t below = diagonal == std::numeric_limits<std::int64_t>::min() ? diagonal : diagonal - 1;
  return select(up_to_diagonal(x, below), zeros(x.type()), x);
}

Array eye(std::int64_t n, DType dtype, std::source_location where) {
  const ComposedAt scope{where};
  return one_hot(arange(n), n, dtype);
}

}  // namespace octet
