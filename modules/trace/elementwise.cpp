module octet.trace;
import octet.base;
import octet.graph;
import octet.standard;

namespace octet {

namespace {

Array broadcast(const Array& array, const Shape& shape, const Place& place) {
  if (array.shape() == shape) return array;
  // Extents of 1 that must grow are dropped first: broadcast_in_dim then maps what is left.
  const std::int64_t offset = shape.rank() - array.rank();
  Dims kept, dimensions;
  for (std::int64_t d = 0; d < array.rank(); ++d)
    if (array.extent(d) == shape[offset + d]) {
      kept.push_back(array.extent(d));
      dimensions.push_back(offset + d);
    }
  Array source = array;
  if (static_cast<std::int64_t>(kept.size()) != array.rank())
    source = apply_one(Op::reshape, {array}, ResultAttributes{{array.dtype(), Shape{kept}}}, place);
  return apply_one(Op::broadcast_in_dim, {source}, BroadcastAttributes{shape, dimensions}, place);
}

/// As broadcast_shape, and its message tells how the arrays came about.
Shape common_shape(const Array& x, const Array& y, const Place& place) {
  try {
    return broadcast_shape(x.shape(), y.shape(), place);
  } catch (const Error& error) {
    fail_because(error, {x, y});
  }
}

/// Both operands as arrays of one shape. A number takes the other's element type; of two numbers, a whole one that of
/// the other.
std::pair<Array, Array> together(const operand& a, const operand& b, const Place& place) {
  Array x, y;
  if (a.is_number() && !b.is_number()) {
    y = b.array();
    x = a.array(&y.type());
  } else if (b.is_number() && !a.is_number()) {
    x = a.array();
    y = b.array(&x.type());
  } else {
    x = a.array();
    y = b.array();
    if (a.is_number() && b.is_number() && is_floating(x.dtype()) != is_floating(y.dtype())) {
      if (is_floating(x.dtype()))
        y = b.array(&x.type());
      else
        x = a.array(&y.type());
    }
  }
  const Shape shape = common_shape(x, y, place);
  return {broadcast(x, shape, place), broadcast(y, shape, place)};
}

Array unary(Op op, const operand& a) { return apply_one(op, {a.array()}, NoAttributes{}, Place::of(a.where())); }

Array binary(Op op, const operand& a, const operand& b, Attributes attributes = NoAttributes{}) {
  const Place place = Place::of(a.where());
  auto [x, y] = together(a, b, place);
  return apply_one(op, {std::move(x), std::move(y)}, std::move(attributes), place);
}

Array compare(Comparison direction, const operand& a, const operand& b) {
  return binary(Op::compare, a, b, CompareAttributes{direction});
}

}  // namespace

Shape broadcast_shape(const Shape& a, const Shape& b, const Place& place) {
  if (a == b) return a;
  const Shape& longer = a.rank() >= b.rank() ? a : b;
  const Shape& shorter = a.rank() >= b.rank() ? b : a;
  Shape result = longer;
  for (std::int64_t d = 1; d <= shorter.rank(); ++d) {
    const std::int64_t x = longer[-d], y = shorter[-d];
    if (x != y && x != 1 && y != 1)
      fail([&] {
        return Diagnostic{
            .number = 401,
            .sentence = "Shapes " + to_string(a) + " and " + to_string(b) +
                        " cannot be broadcast together: dimension " + std::to_string(longer.rank() - d) + " is " +
                        std::to_string(x) + " in one and " + std::to_string(y) + " in the other.",
            .where = placed(place),
            .fix = {"make the extents equal, or one of them 1: for example reshape to add a dimension of 1"}};
      });
    result[-d] = x == 1 ? y : x;
  }
  return result;
}

Array operator+(operand a, operand b) { return binary(Op::add, a, b); }
Array operator-(operand a, operand b) { return binary(Op::subtract, a, b); }
Array operator*(operand a, operand b) { return binary(Op::multiply, a, b); }
Array operator/(operand a, operand b) { return binary(Op::divide, a, b); }
Array operator%(operand a, operand b) { return binary(Op::remainder, a, b); }
Array operator-(operand a) { return unary(Op::negate, a); }
Array operator&(operand a, operand b) { return binary(Op::and_, a, b); }
Array operator|(operand a, operand b) { return binary(Op::or_, a, b); }
Array operator^(operand a, operand b) { return binary(Op::xor_, a, b); }
Array operator~(operand a) { return unary(Op::not_, a); }
Array operator<<(operand a, operand b) { return binary(Op::shift_left, a, b); }
Array operator>>(operand a, operand b) {
  const bool is_unsigned = a.is_number() ? b.array().dtype() == DType::u32 : a.array().dtype() == DType::u32;
  return binary(is_unsigned ? Op::shift_right_logical : Op::shift_right_arithmetic, a, b);
}
Array operator==(operand a, operand b) { return compare(Comparison::EQ, a, b); }
Array operator!=(operand a, operand b) { return compare(Comparison::NE, a, b); }
Array operator<(operand a, operand b) { return compare(Comparison::LT, a, b); }
Array operator<=(operand a, operand b) { return compare(Comparison::LE, a, b); }
Array operator>(operand a, operand b) { return compare(Comparison::GT, a, b); }
Array operator>=(operand a, operand b) { return compare(Comparison::GE, a, b); }

Array abs(operand a) { return unary(Op::abs, a); }
Array ceil(operand a) { return unary(Op::ceil, a); }
Array cos(operand a) { return unary(Op::cosine, a); }
Array erf(operand a) { return unary(Op::erf, a); }
Array exp(operand a) { return unary(Op::exponential, a); }
Array expm1(operand a) { return unary(Op::exponential_minus_one, a); }
Array floor(operand a) { return unary(Op::floor, a); }
Array is_finite(operand a) { return unary(Op::is_finite, a); }
Array log(operand a) { return unary(Op::log, a); }
Array log1p(operand a) { return unary(Op::log_plus_one, a); }
Array logistic(operand a) { return unary(Op::logistic, a); }
Array round(operand a) { return unary(Op::round_nearest_even, a); }
Array rsqrt(operand a) { return unary(Op::rsqrt, a); }
Array sign(operand a) { return unary(Op::sign, a); }
Array sin(operand a) { return unary(Op::sine, a); }
Array sqrt(operand a) { return unary(Op::sqrt, a); }
Array tanh(operand a) { return unary(Op::tanh, a); }
Array maximum(operand a, operand b) { return binary(Op::maximum, a, b); }
Array minimum(operand a, operand b) { return binary(Op::minimum, a, b); }
Array pow(operand a, operand b) { return binary(Op::power, a, b); }

Array square(operand a) {
  const Array x = a.array();
  return apply_one(Op::multiply, {x, x}, NoAttributes{}, Place::of(a.where()));
}

Array clamp(operand low, operand a, operand high) {
  const Place place = Place::of(a.where());
  const Array x = a.array();
  const auto bound = [&](const operand& limit) {
    const Array array = limit.array(&x.type());
    const std::int64_t beside = x.rank() - array.rank();
    bool fits = beside >= 0;
    for (std::int64_t d = 0; fits && d < array.rank(); ++d)
      fits = array.extent(d) == 1 || array.extent(d) == x.extent(beside + d);
    if (!fits)
      fail([&] {
        return Diagnostic{.number = 401,
                          .sentence = "clamp(low, x, high): a bound is " + to_string(array.type()) + ", and x is " +
                                      to_string(x.type()) + "; a bound is a number, or broadcasts to x.",
                          .where = placed(place),
                          .because = because(array),
                          .fix = {beside < 0 ? "give x second: clamp(-1, x, 1), or clip(x, -1, 1)"
                                             : "make each extent of the bound that of x, or 1"}};
      });
    return array.rank() == 0 ? array : broadcast(array, x.shape(), place);
  };
  return apply_one(Op::clamp, {bound(low), x, bound(high)}, NoAttributes{}, place);
}

Array clip(operand x, operand low, operand high) { return clamp(std::move(low), std::move(x), std::move(high)); }

Array select(operand condition, operand on_true, operand on_false) {
  const Place place = Place::of(condition.where());
  auto [x, y] = together(on_true, on_false, place);
  Array mask = condition.array();
  const Shape shape = common_shape(mask, x, place);
  if (mask.rank() != 0) mask = broadcast(mask, shape, place);
  return apply_one(Op::select, {mask, broadcast(x, shape, place), broadcast(y, shape, place)}, NoAttributes{}, place);
}

Array cast(operand a, DType dtype) {
  const Array x = a.array();
  if (x.dtype() == dtype) return x;
  return apply_one(Op::convert, {x}, ResultAttributes{{dtype, x.shape()}}, Place::of(a.where()));
}

Array bitcast(operand a, DType dtype) {
  const Array x = a.array();
  return apply_one(Op::bitcast_convert, {x}, ResultAttributes{{dtype, x.shape()}}, Place::of(a.where()));
}

Array stop_gradient(operand a) {
  const ComposedAt scope{a.where()};
  // Two bit casts that cancel: no derivative passes through an integer, and the simplifier removes them afterwards.
  const Array x = a.array();
  if (!is_floating(x.dtype())) return x;
  if (x.dtype() == DType::f32) return bitcast(bitcast(x, DType::u32), DType::f32);
  if (x.dtype() == DType::f64) return bitcast(bitcast(x, DType::i64), DType::f64);
  return cast(bitcast(bitcast(cast(x, DType::f32), DType::u32), DType::f32), x.dtype());
}

Array gelu(operand a) {
  const ComposedAt scope{a.where()};
  const Array x = a.array();
  return x * 0.5 * (1.0 + erf(x * 0.70710678118654752));
}

Array gelu_tanh(operand a) {
  const ComposedAt scope{a.where()};
  const Array x = a.array();
  return x * 0.5 * (1.0 + tanh((x + x * x * x * 0.044715) * 0.79788456080286536));
}

Array silu(operand a) {
  const ComposedAt scope{a.where()};
  const Array x = a.array();
  return x * logistic(x);
}

Array log_add_exp(operand a, operand b) {
  const ComposedAt scope{a.where()};
  const Array larger = maximum(a, b), difference = a - b;
  // Of infinities that are equal there is none.
  const Array apart = select(a == b, zeros_like(difference), difference);
  return larger + log1p(exp(-abs(apart)));
}

Array linspace(float first, float last, std::int64_t count, std::source_location where) {
  const ComposedAt scope{where};
  const Array i = arange(count, DType::f32, where);
  const double step = count > 1 ? (static_cast<double>(last) - first) / static_cast<double>(count - 1) : 0;
  return count > 1 ? select(i == static_cast<double>(count - 1), full_like(i, last), i * step + first) : i + first;
}

Array softplus(operand a) {
  const ComposedAt scope{a.where()};
  const Array x = a.array();
  return maximum(x, 0.0) + log1p(exp(-abs(x)));
}

Array relu(operand a) {
  const ComposedAt scope{a.where()};
  const Array x = a.array();
  return select(x <= 0.0, 0.0, x);
}

}  // namespace octet
