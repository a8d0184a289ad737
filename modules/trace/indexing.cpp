/// Elements by their indexes.
module octet.trace;
import octet.base;
import octet.graph;
import octet.standard;

namespace octet {

Array one_hot(operand a, std::int64_t classes, DType dtype) {
  const ComposedAt scope{a.where()};
  const Array ids = a.array();
  if (classes < 0 || !is_integer(ids.dtype()))
    fail([&] {
      return Diagnostic{.number = classes < 0 ? 403 : 402,
                        .sentence = classes < 0 ? "one_hot cannot have " + std::to_string(classes) + " classes."
                                                : "one_hot takes integers, and is given " + to_string(ids.type()) + ".",
                        .where = placed(Place::of(a.where())),
                        .because = because(ids),
                        .fix = {classes < 0 ? "give the number of classes" : "cast<int>(x)"}};
    });
  Dims shape = ids.shape().extents();
  shape.push_back(classes);
  const Array place = iota({ids.dtype(), Shape{std::move(shape)}}, ids.rank());
  return cast(place == expand_dims(ids, -1), dtype);
}

Array take(operand a, operand i) {
  const Array table = a.array(), indices = i.array();
  GatherAttributes attributes;
  attributes.collapsed_slice_dims = {0};
  attributes.start_index_map = {0};
  attributes.index_vector_dim = indices.rank();
  attributes.slice_sizes = table.shape().extents();
  if (!attributes.slice_sizes.empty()) attributes.slice_sizes[0] = 1;
  for (std::int64_t d = 1; d < table.rank(); ++d) attributes.offset_dims.push_back(indices.rank() + d - 1);
  return gather(a, indices, std::move(attributes));
}

namespace {

/// Throws X402 where `indices` are none.
void require_indices(const Array& indices, const char* function, const std::source_location& where) {
  if (!is_integer(indices.dtype()))
    fail([&] {
      return Diagnostic{
          .number = 402,
          .sentence = std::string{function} + " takes indices, and is given " + to_string(indices.type()) + ".",
          .where = placed(Place::of(where)),
          .because = because(indices),
          .fix = {"cast<int>(indices)"}};
    });
}

/// Of each row of `x` [rows…, n] the elements that `indices` name, which are as many for each: of the shape `counted`,
/// whose first dimension is that of the rows.
Array of_rows(const Array& x, const Array& indices, const Shape& counted) {
  const std::int64_t classes = x.extent(-1), elements = counted[0] * classes;
  if (counted.elements() == 0) return zeros({x.dtype(), counted});
  const Array flat = reshape(x, {elements});
  // Places among all elements may be beyond what the indices' own type counts to.
  const DType type = elements > std::numeric_limits<std::int32_t>::max() ? DType::i64 : indices.dtype();
  const Array base = iota({type, counted}, 0) * classes;
  const Array within = cast(clamp(0, reshape(indices, counted), classes - 1), type);
  return take(flat, base + within);
}

}  // namespace

Array take_along_last(operand a, operand i) {
  const Array x = a.array(), indices = i.array();
  require_rank(x, 1, "take_along_last", Place::of(a.where()));
  if (!std::equal(indices.shape().begin(), indices.shape().end(), x.shape().begin(), x.shape().end() - 1))
    fail([&] {
      return Diagnostic{.number = 401,
                        .sentence = "take_along_last needs an index for each row of " + to_string(x.type()) +
                                    ", and is given " + to_string(indices.type()) + ".",
                        .where = placed(Place::of(a.where())),
                        .because = because(indices),
                        .fix = {"for more of each row, take_along_axis(x, indices)"}};
    });
  require_indices(indices, "take_along_last", a.where());
  const ComposedAt scope{a.where()};
  return reshape(of_rows(x, indices, {indices.shape().elements()}), indices.shape().extents());
}

Array take_along_axis(operand a, operand i, std::int64_t dimension) {
  const ComposedAt scope{a.where()};
  const std::int64_t d = dimension_of(a, dimension, "take_along_axis");
  const Array x = a.array(), indices = i.array();
  bool fits = indices.rank() == x.rank();
  for (std::int64_t k = 0; fits && k < x.rank(); ++k)
    fits = k == d || indices.extent(k) == x.extent(k) || indices.extent(k) == 1;
  if (!fits)
    fail([&] {
      return Diagnostic{.number = 401,
                        .sentence = "take_along_axis takes indices of the shape of " + to_string(x.type()) +
                                    " but along dimension " + std::to_string(d) + ", and is given " +
                                    to_string(indices.type()) + ".",
                        .where = placed(Place::of(a.where())),
                        .because = because(indices),
                        .fix = {"whole rows by their numbers are take(x, indices); one element of each row is "
                                "take_along_last(x, indices)"}};
    });
  require_indices(indices, "take_along_axis", a.where());
  Dims shape = x.shape().extents();
  shape[static_cast<std::size_t>(d)] = indices.extent(d);
  const Array rows = swap_axes(x, d, -1), places = swap_axes(broadcast_to(indices, std::move(shape)), d, -1);
  const std::int64_t each = indices.extent(d);
  const std::int64_t count =
      std::accumulate(rows.shape().begin(), rows.shape().end() - 1, std::int64_t{1}, std::multiplies{});
  if (count > 0 && each > 0 && x.extent(d) == 0)
    fail([&] {
      return Diagnostic{.number = 403,
                        .sentence = "take_along_axis finds no element along dimension " + std::to_string(d) + " of " +
                                    to_string(x.type()) + ".",
                        .where = placed(Place::of(a.where())),
                        .because = because(x)};
    });
  return swap_axes(reshape(of_rows(rows, places, {count, each}), places.shape().extents()), d, -1);
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
