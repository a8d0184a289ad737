module octet.trace;
import octet.base;
import octet.graph;
import octet.standard;

namespace octet {

namespace {

void require_size(std::int64_t size, const std::string& option, const operand& x) {
  if (size >= 0) return;
  fail({.number = 205,
        .sentence = "A result cannot have " + std::to_string(size) + " elements.",
        .where = placed(Place::of(x.where())),
        .because = because(x.array()),
        .fix = {"give " + option + " a bound of at least 0 that the host knows"}});
}

Array index_up_to(std::int64_t n) { return iota({DType::i32, Shape{n}}, 0); }

/// The first `size` elements of `x` [n]; zeros where it has fewer.
Array sized(const Array& x, std::int64_t size) {
  const std::int64_t n = x.extent(0);
  return n == size ? x : n > size ? slice_in_dim(x, 0, size, 0) : pad(x, 0, {0}, {size - n});
}

/// The places of the true elements of `mask` [n] in order, i32 [size], and how many there are, i32 []. What follows
/// them is 0.
std::pair<Array, Array> places_of(const Array& mask, std::int64_t size) {
  const Array count = sum(cast<std::int32_t>(mask));
  // A stable sort of true before false keeps the order of the places.
  const Array places = sort({select(mask, 0, 1), index_up_to(mask.extent(0))})[1];
  return {select(index_up_to(size) < count, sized(places, size), 0), count};
}

}  // namespace

Array unique(operand a, Bound bound) {
  const ComposedAt scope{a.where()};
  require_size(bound.size, ".size", a);
  const Array x = reshape(a, {a.array().shape().elements()});
  const std::int64_t n = x.extent(0);
  if (n == 0 && !bound.fill && bound.size > 0)
    fail({.number = 205,
          .sentence = "unique of an array without elements has no least one to fill " + std::to_string(bound.size) +
                      " places with.",
          .where = placed(Place::of(a.where())),
          .because = because(a.array()),
          .fix = {"give the fill: unique(x, {.size = " + std::to_string(bound.size) + ", .fill = 0})"}});
  if (n == 0)
    return broadcast_to(bound.fill ? bound.fill->array(&x.type()) : zeros({x.dtype(), Shape{}}), {bound.size});
  const Array sorted = sort({x})[0];
  const auto differs = [](const Array& before, const Array& after) {
    return is_floating(before.dtype()) ? (before != after) & ((before == before) | (after == after)) : before != after;
  };
  const Array first = concatenate(
      {full({DType::pred, {1}}, true), differs(slice_in_dim(sorted, 0, n - 1, 0), slice_in_dim(sorted, 1, n, 0))}, 0);
  const auto [places, count] = places_of(first, bound.size);
  const Array values = take(sorted, places);
  return bound.fill ? select(index_up_to(bound.size) < count, values, bound.fill->array(&x.type())) : values;
}

std::vector<Array> nonzero(operand a, Bound bound) {
  const ComposedAt scope{a.where()};
  require_size(bound.size, ".size", a);
  const Array x = a.array();
  require_rank(x, 1, "nonzero", Place::of(a.where()));
  const Array mask = x.dtype() == DType::pred ? x : x != full({x.dtype(), Shape{}}, 0);
  const std::int64_t n = x.shape().elements();
  const TensorType index{DType::i32, Shape{}};
  const Array fill = bound.fill ? bound.fill->array(&index) : constant(Tensor::scalar<std::int32_t>(0));
  if (n == 0) return std::vector<Array>(static_cast<std::size_t>(x.rank()), broadcast_to(fill, {bound.size}));
  const Array flat = reshape(mask, {n});
  static_cast<void>(counted_dimension_of(flat, 0, "nonzero"));
  const auto [places, count] = places_of(flat, bound.size);
  const Array valid = index_up_to(bound.size) < count;
  const Dims strides = x.shape().strides();
  std::vector<Array> result;
  for (std::int64_t d = 0; d < x.rank(); ++d)
    result.push_back(select(valid, places / strides[static_cast<std::size_t>(d)] % x.extent(d), fill));
  return result;
}

Array argwhere(operand a, Bound bound) {
  const ComposedAt scope{a.where()};
  std::vector<Array> columns;
  for (const Array& index : nonzero(a, std::move(bound))) columns.push_back(expand_dims(index, 1));
  return concatenate(columns, 1);
}

Array cumulative_sum(operand a, std::int64_t dimension) {
  const ComposedAt scope{a.where()};
  const std::int64_t d = dimension_of(a, dimension, "cumulative_sum");
  Array x = a.array();
  if (x.dtype() == DType::pred)
    fail([&] {
      return Diagnostic{.number = 402,
                        .sentence = "cumulative_sum takes numbers, and is given " + to_string(x.type()) + ".",
                        .where = placed(Place::of(a.where())),
                        .because = because(x),
                        .fix = {"cumulative_sum(cast<int>(x))"}};
    });
  // Each step adds what lies twice as far back: log n passes of n additions, as no element waits for another.
  for (std::int64_t back = 1; back < x.extent(d); back *= 2) {
    Dims low(static_cast<std::size_t>(x.rank()), 0), high = low;
    low[static_cast<std::size_t>(d)] = back;
    high[static_cast<std::size_t>(d)] = -back;
    x = x + pad(x, 0, low, high);
  }
  return x;
}

Array repeat(operand a, const Array& counts, RepeatBound bound) {
  const ComposedAt scope{a.where()};
  require_size(bound.total, ".total", a);
  const Array x = a.array();
  const std::int64_t d = dimension_of(a, bound.dimension, "repeat"), n = x.extent(d);
  if (n == 0 && bound.total > 0)
    fail({.number = 205,
          .sentence = "repeat is to make " + std::to_string(bound.total) + " rows of " + to_string(x.type()) +
                      ", which has none.",
          .where = placed(Place::of(a.where())),
          .because = because(x),
          .fix = {"give an array with rows, or a total of 0"}});
  if (!is_integer(counts.dtype()) || counts.rank() > 1 ||
      (counts.rank() == 1 && counts.extent(0) != n && counts.extent(0) != 1))
    fail({.number = is_integer(counts.dtype()) ? 401 : 402,
          .sentence = "repeat takes one integer for each of the " + std::to_string(n) + " rows, and is given " +
                      to_string(counts.type()) + ".",
          .where = placed(Place::of(a.where())),
          .because = because(counts),
          .fix = {"give counts of type i32[" + std::to_string(n) + "]"}});
  if (n == 0) return x;  // and the total is 0
  // Row i of the result is the row of x whose end lies first beyond i: as many rows end at or before i. What lies
  // beyond the total is not asked for, so no count need be larger; and then sums of 64 bits hold all of them.
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  const Array few = clamp(0, counts, static_cast<std::int32_t>(std::min(bound.total, most)));
  const bool narrow = counts.dtype() == DType::i64 || bound.total <= most / n;
  const Array ends = cumulative_sum(broadcast_to(narrow ? few : cast<std::int64_t>(few), {n}));
  // They are counted where they end, and added up: comparing each row with each end would take n times as long.
  const Array ended = cumulative_sum(segment_sum(ones({n}, DType::i32), ends, bound.total));
  const Array from = minimum(ended, static_cast<std::int32_t>(n - 1));
  if (d == 0) return take(x, from);
  Dims exchanged;
  for (std::int64_t i = 0; i < x.rank(); ++i) exchanged.push_back(i == 0 ? d : i == d ? 0 : i);
  return transpose(take(transpose(x, exchanged), from), exchanged);
}

Array repeat_each(operand a, std::int64_t count, std::int64_t dimension) {
  const ComposedAt scope{a.where()};
  const Array x = a.array();
  const std::int64_t d = dimension_of(a, dimension, "repeat");
  require_size(count, "the count", a);
  Dims repeated = x.shape().extents(), result = repeated, kept;
  repeated.insert(repeated.begin() + d + 1, count);
  result[static_cast<std::size_t>(d)] *= count;
  for (std::int64_t i = 0; i < x.rank(); ++i) kept.push_back(i <= d ? i : i + 1);
  return reshape(broadcast_in_dim(x, Shape{repeated}, kept), result);
}

}  // namespace octet
