module octet.trace;
import octet.base;
import octet.graph;
import octet.standard;

namespace octet {

namespace {

Dims every(const Array& x) {
  Dims dimensions(static_cast<std::size_t>(x.rank()));
  std::iota(dimensions.begin(), dimensions.end(), 0);
  return dimensions;
}

double count(const Array& x, const Dims& dimensions) {
  double n = 1;
  for (std::int64_t d : dimensions) n *= static_cast<double>(x.extent(d));
  return n;
}

/// The first place along `dimension` where `x` is what `reducer` finds among all. A NaN is found by either, and equals
/// nothing.
Array first_of(const operand& a, std::int64_t dimension, Reducer reducer, const char* function) {
  const ComposedAt scope{a.where()};
  const Array x = a.array();
  dimension = counted_dimension_of(a, dimension, function);
  const Array place = iota({DType::i32, x.shape()}, dimension);
  if (x.extent(dimension) == 0)
    fail([&] {
      return Diagnostic{.number = 403,
                        .sentence = std::string{function} + " along dimension " + std::to_string(dimension) + " of " +
                                    to_string(x.type()) + " has no element to name.",
                        .where = placed(Place::of(a.where())),
                        .because = because(x)};
    });
  if (x.dtype() == DType::pred) reducer = reducer == Reducer::maximum ? Reducer::or_ : Reducer::and_;
  const Array found = (x == reduce(x, reducer, {dimension}, true)) | (x != x);
  return min(select(found, place, x.extent(dimension)), {dimension});
}

/// `x`; throws X402 where it is not of truth values.
const operand& truths(const operand& x, const char* function) {
  if (const Array array = x.array(); array.dtype() != DType::pred)
    fail([&] {
      return Diagnostic{
          .number = 402,
          .sentence = std::string{function} + " takes truth values, and is given " + to_string(array.type()) + ".",
          .where = placed(Place::of(x.where())),
          .because = because(array),
          .fix = {std::string{function} + "(x != 0)"}};
    });
  return x;
}

/// `x`; throws X402 where it is not of floating-point numbers.
const operand& reals(const operand& x, const char* function) {
  if (const Array array = x.array(); !is_floating(array.dtype()))
    fail([&] {
      return Diagnostic{.number = 402,
                        .sentence = std::string{function} + " takes floating-point numbers, and is given " +
                                    to_string(array.type()) + ".",
                        .where = placed(Place::of(x.where())),
                        .because = because(array),
                        .fix = {std::string{function} + "(cast<float>(x))"}};
    });
  return x;
}

}  // namespace

Array reduce(operand a, Reducer reducer, Dims dimensions, bool keep) {
  const Array x = a.array();
  for (std::int64_t& d : dimensions)
    if (d < 0 && d >= -x.rank()) d += x.rank();  // what is beyond is refused as it was written
  std::sort(dimensions.begin(), dimensions.end());
  const Array reduced = apply_one(Op::reduce, {x}, ReduceAttributes{dimensions, reducer}, Place::of(a.where()));
  if (!keep) return reduced;
  Dims shape = x.shape().extents();
  for (std::int64_t d : dimensions) shape[static_cast<std::size_t>(d)] = 1;
  return apply_one(Op::reshape, {reduced}, ResultAttributes{{x.dtype(), Shape{shape}}}, Place::of(a.where()));
}

Array sum(operand x) { return reduce(x, Reducer::add, every(x.array())); }
Array sum(operand x, Dims dimensions, bool keep) { return reduce(x, Reducer::add, std::move(dimensions), keep); }
Array mean(operand x) { return mean(x, every(x.array())); }
Array mean(operand x, Dims dimensions, bool keep) {
  const ComposedAt scope{x.where()};
  const Array total = sum(reals(x, "mean"), dimensions, keep);
  return total / count(x.array(), dimensions);
}
Array max(operand x) { return reduce(x, Reducer::maximum, every(x.array())); }
Array max(operand x, Dims dimensions, bool keep) { return reduce(x, Reducer::maximum, std::move(dimensions), keep); }
Array min(operand x) { return reduce(x, Reducer::minimum, every(x.array())); }
Array min(operand x, Dims dimensions, bool keep) { return reduce(x, Reducer::minimum, std::move(dimensions), keep); }
Array variance(operand x) { return variance(x, every(x.array())); }
Array variance(operand x, Dims dimensions, bool keep) {
  const ComposedAt scope{x.where()};
  return mean(square(reals(x, "variance").array() - mean(x, dimensions, true)), dimensions, keep);
}
Array product(operand x, Dims dimensions, bool keep) {
  return reduce(x, Reducer::multiply, std::move(dimensions), keep);
}
Array all(operand x) { return all(x, every(x.array())); }
Array all(operand x, Dims dimensions) { return reduce(truths(x, "all"), Reducer::and_, std::move(dimensions)); }
Array any(operand x) { return any(x, every(x.array())); }
Array any(operand x, Dims dimensions) { return reduce(truths(x, "any"), Reducer::or_, std::move(dimensions)); }

Array argmax(operand a, std::int64_t dimension) { return first_of(a, dimension, Reducer::maximum, "argmax"); }
Array argmin(operand a, std::int64_t dimension) { return first_of(a, dimension, Reducer::minimum, "argmin"); }

Array softmax(operand a, std::int64_t dimension) {
  const ComposedAt scope{a.where()};
  const Array x = a.array();
  const Array e = exp(x - stop_gradient(max(x, {dimension}, true)));
  return e / sum(e, {dimension}, true);
}

Array log_sum_exp(operand a, Dims dimensions, bool keep) {
  const ComposedAt scope{a.where()};
  const Array x = a.array();
  const Array largest = max(x, dimensions, true);
  // inf - inf is no number.
  const Array shift = stop_gradient(select(is_finite(largest), largest, zeros(largest.type())));
  const Array result = log(sum(exp(x - shift), dimensions, true)) + shift;
  if (keep) return result;
  for (std::int64_t& d : dimensions) d = from_start(d, x.rank());
  Dims shape;
  for (std::int64_t d = 0; d < x.rank(); ++d)
    if (!std::ranges::count(dimensions, d)) shape.push_back(x.extent(d));
  return reshape(result, std::move(shape));
}

Array log_softmax(operand a, std::int64_t dimension) {
  const ComposedAt scope{a.where()};
  const Array x = a.array();
  const Array shifted = x - stop_gradient(max(x, {dimension}, true));
  return shifted - log(sum(exp(shifted), {dimension}, true));
}

}  // namespace octet
