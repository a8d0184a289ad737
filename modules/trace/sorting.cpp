module octet.trace;
import octet.base;
import octet.graph;
import octet.standard;

namespace octet {

Array sorting_key(const Array& x) {
  if (!is_floating(x.dtype())) return x;
  const TensorType scalar{x.dtype(), Shape{}};
  const Array zero = zeros(scalar), nan = full(scalar, std::numeric_limits<double>::quiet_NaN());
  return select(x == zero, zero, select(x == x, x, nan));
}

std::vector<Array> sort_by_bits(std::vector<Array> arrays, const SortAttributes& how, const Place& place) {
  return apply(Op::sort, std::move(arrays), how, place);
}

std::vector<Array> sort(std::vector<Array> arrays, std::int64_t dimension, SortDirection direction, bool stable,
                        std::source_location where) {
  if (arrays.empty())
    fail([&] {
      return Diagnostic{.number = 405,
                        .sentence = "sort was given no array.",
                        .where = placed(Place::of(where)),
                        .fix = {"give one or more, of one shape: the others are put in the order of the first"}};
    });
  const SortAttributes how{from_start(dimension, arrays.front().rank()), stable, direction};
  const Place place = Place::of(where);
  if (!is_floating(arrays.front().dtype())) return sort_by_bits(std::move(arrays), how, place);
  const ComposedAt scope{where};
  arrays.insert(arrays.begin(), sorting_key(arrays.front()));
  std::vector<Array> sorted = sort_by_bits(std::move(arrays), how, place);
  sorted.erase(sorted.begin());
  return sorted;
}

Array argsort(operand a, std::int64_t dimension, SortDirection direction) {
  const ComposedAt scope{a.where()};
  const Array x = a.array();
  const std::int64_t d = counted_dimension_of(a, dimension, "argsort");
  return sort({x, iota({DType::i32, x.shape()}, d)}, d, direction, true, a.where())[1];
}

Largest top_k(operand a, std::int64_t count) {
  const ComposedAt scope{a.where()};
  const Array x = a.array();
  const std::int64_t last = counted_dimension_of(a, -1, "top_k");
  if (count < 0 || count > x.extent(-1))
    fail([&] {
      return Diagnostic{.number = 403,
                        .sentence = "The " + std::to_string(count) + " largest elements were asked of rows of " +
                                    std::to_string(x.extent(-1)) + ": " + to_string(x.type()) + ".",
                        .where = placed(Place::of(a.where())),
                        .because = because(x),
                        .fix = {"ask for 0 to " + std::to_string(x.extent(-1))}};
    });
  const std::vector<Array> sorted =
      sort({x, iota({DType::i32, x.shape()}, last)}, last, SortDirection::descending, true, a.where());
  return {slice_in_dim(sorted[0], 0, count, last), slice_in_dim(sorted[1], 0, count, last)};
}

}  // namespace octet
