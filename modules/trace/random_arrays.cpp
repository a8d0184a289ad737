module octet.trace;
import octet.base;
import octet.graph;
import octet.standard;

namespace octet {

namespace {

Array rotated(const Array& x, int distance) {
  return (x << static_cast<std::int32_t>(distance)) | (x >> static_cast<std::int32_t>(32 - distance));
}

/// Threefry-2x32-20 of the counters {high, low}, both u32 of one shape: any with `key` u32[2], [rows, …] with u32[rows,
/// 2].
std::pair<Array, Array> threefry(const Array& key, const Array& high, const Array& low) {
  constexpr int rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  const auto word = [&](std::int64_t i) {
    if (key.rank() == 1) return reshape(slice_in_dim(key, i, i + 1, 0), {});
    Dims beside(static_cast<std::size_t>(low.rank()), 1);
    beside[0] = key.extent(0);
    return reshape(slice_in_dim(key, i, i + 1, 1), beside);
  };
  const Array first = word(0), second = word(1);
  const Array schedule[3] = {first, second, first ^ second ^ 0x1bd1'1bdau};
  Array x = high + schedule[0], y = low + schedule[1];
  for (std::uint32_t group = 0; group < 5; ++group) {
    for (int distance : rotations[group % 2]) {
      x = x + y;
      y = rotated(y, distance) ^ x;
    }
    x = x + schedule[(group + 1) % 3];
    y = y + schedule[(group + 2) % 3] + (group + 1);
  }
  return {x, y};
}

bool are_keys(const Array& keys) {
  return keys.dtype() == DType::u32 && (keys.rank() == 1 || keys.rank() == 2) && keys.extent(-1) == 2;
}

/// `rows` says what rows of keys would do, too.
void require_keys(operand key, bool holds, const std::string& asked, const std::string& rows) {
  const Array keys = key.array();
  if (holds && are_keys(keys)) return;
  fail([&] {
    return Diagnostic{.number = 401,
                      .sentence = asked + " " + to_string(keys.type()) + ", which is no key for it.",
                      .where = placed(Place::of(key.where())),
                      .because = because(keys),
                      .fix = {"give one key, u32[2], as key_data makes it", rows}};
  });
}

void require_keys_of(operand key, const Shape& shape) {
  const Array keys = key.array();
  require_keys(key, keys.rank() != 2 || (shape.rank() > 0 && shape[0] == keys.extent(0)),
               "Random numbers of shape " + to_string(shape) + " were asked of",
               shape.rank() > 0 ? "give u32[" + std::to_string(shape[0]) + ", 2], a key for each row of the result"
                                : "ask for a shape with a leading axis, and give a key for each of its rows");
}

/// Inverse error function on (-1, 1), with the polynomials, the order and so the bits of octet.base's.
Array inverse_erf(const Array& x) {
  constexpr double central[] = {2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087,
                                -0.00125372503, -0.00417768164, 0.246640727,    1.50140941};
  constexpr double tail[] = {-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773,
                             -0.0076224613,   0.00943887047,  1.00167406,    2.83297682};
  const Array w = -log1p(-(x * x));
  const Array is_central = w < 5.0;
  const Array t = select(is_central, w - 2.5, sqrt(w) - 3.0);
  Array p = select(is_central, full(w.type(), central[0]), full(w.type(), tail[0]));
  for (std::size_t i = 1; i < std::size(central); ++i)
    p = p * t + select(is_central, full(w.type(), central[i]), full(w.type(), tail[i]));
  return p * x;
}

}  // namespace

Array random_bits(operand key, const Array& high, const Array& low) {
  const ComposedAt scope{key.where()};
  require_keys_of(key, low.shape());
  const auto [x, y] = threefry(key.array(), high, low);
  return x ^ y;
}

namespace {

/// The counters of the numbers of `shape`: of one row where rows have keys, and of all elements where there is one key.
Array counters_of(operand key, const Shape& shape) {
  require_keys_of(key, shape);
  const std::int64_t rows = key.array().rank() == 2 ? shape[0] : 1;
  const Shape counters =
      key.array().rank() == 2 ? Shape{rows, rows > 0 ? shape.elements() / rows : 0} : Shape{shape.elements()};
  return iota({DType::u32, counters}, counters.rank() - 1);
}

}  // namespace

Array random_bits(operand key, Shape shape) {
  const ComposedAt scope{key.where()};
  const Array low = counters_of(key, shape);
  return reshape(random_bits(key, zeros(low.type()), low), shape.extents());
}

Array random_integers(operand key, Shape shape, std::int32_t from, std::int32_t to) {
  const ComposedAt scope{key.where()};
  const std::int64_t count = std::int64_t{to} - from;
  if (count < 1 || count > std::numeric_limits<std::int32_t>::max())
    fail([&] {
      return Diagnostic{.number = 403,
                        .sentence = "random_integers is asked for numbers from " + std::to_string(from) +
                                    " and below " + std::to_string(to) + ", of which there are " +
                                    (count < 1 ? "none." : "more than 2,147,483,647."),
                        .where = placed(Place::of(key.where())),
                        .fix = {count < 1 ? "name the first one, and the one behind the last"
                                          : "draw random_bits(key, shape), which are any u32"}};
    });
  // The upper 32 of the 96 bits of a random number of 64 times `count`.
  const Array counters = counters_of(key, shape);
  const auto [high, low] = threefry(key.array(), zeros(counters.type()), counters);
  const Array beyond = (cast<std::int64_t>(low) * count) >> 32;
  const Array drawn = (cast<std::int64_t>(high) * count + beyond) >> 32;
  return reshape(cast<std::int32_t>(drawn), shape.extents()) + from;
}

Array random_permutation(operand key, std::int64_t n) {
  const ComposedAt scope{key.where()};
  return argsort(random_bits(key, {n}), 0);
}

Array random_uniform(operand key, Shape shape) {
  const ComposedAt scope{key.where()};
  return bitcast((random_bits(key, std::move(shape)) >> 9) | 0x3f80'0000u, DType::f32) - 1.0;
}

namespace {

/// `bound` as f32 of `shape`.
Array bound_of(const operand& bound, const Shape& shape) {
  const TensorType number{DType::f32, {}};
  return cast<float>(broadcast_to({bound.array(&number), bound.where()}, shape.extents()));
}

/// Gumbel noise, but for its sign.
Array negated_gumbel(const operand& key, Shape shape) {
  // 0 would become an infinity; the smallest normal number is what JAX puts in its place.
  return log(-log(maximum(random_uniform(key, std::move(shape)), std::numeric_limits<float>::min())));
}

}  // namespace

Array random_uniform(operand key, Shape shape, operand from, operand to) {
  const ComposedAt scope{key.where()};
  const Array low = bound_of(from, shape), high = bound_of(to, shape);
  return random_uniform(key, std::move(shape)) * (high - low) + low;
}

Array random_exponential(operand key, Shape shape) {
  const ComposedAt scope{key.where()};
  return -log1p(-random_uniform(key, std::move(shape)));
}

Array random_gumbel(operand key, Shape shape) {
  const ComposedAt scope{key.where()};
  return -negated_gumbel(key, std::move(shape));
}

Array random_truncated_normal(operand key, Shape shape, operand lower, operand upper) {
  const ComposedAt scope{key.where()};
  constexpr double root_of_2 = 0x1.6a09e6p+0, edge = 0x1.fffffep-1;  // the largest f32 below 1, as 1 is infinitely far
  const Array low = bound_of(lower, shape), high = bound_of(upper, shape);
  const Array from = clamp(-edge, erf(low / root_of_2), edge), to = clamp(-edge, erf(high / root_of_2), edge);
  return clamp(low, inverse_erf(random_uniform(key, std::move(shape), from, to)) * root_of_2, high);
}

Array random_normal(operand key, Shape shape) {
  const ComposedAt scope{key.where()};
  // Uniform in (-1, 1): at counter's extreme, the largest f32 above -1.
  const Array uniform = random_uniform(key, std::move(shape)) * 2.0 - 0x1.fffffep-1;
  return inverse_erf(uniform) * 0x1.6a09e6p+0;
}

Array random_bernoulli(operand key, operand probability, Shape shape) {
  const ComposedAt scope{key.where()};
  const Array threshold = bound_of(probability, shape);
  return random_uniform(key, std::move(shape)) < threshold;
}

Tensor key_data(Key key) { return Tensor::of<std::uint32_t>({2}, {key.high, key.low}); }

std::vector<Array> split_key(operand key, std::uint32_t parts) {
  std::vector<Array> keys;
  for (std::uint32_t part = 0; part < parts; ++part) keys.push_back(fold_in(key, part));
  return keys;
}

Array random_categorical(operand key, const Array& logits) {
  const ComposedAt scope{key.where()};
  require_rank(logits, 1, "random_categorical", Place::of(key.where()));
  const Array noise = negated_gumbel(key, logits.shape());
  return argmax(cast<float>(logits) - noise, -1);
}

Array fold_in(operand key, operand number) {
  const ComposedAt scope{key.where()};
  const Array keys = key.array();
  require_keys(key, true, "A new key was asked of", "give rows of keys, u32[rows, 2], for as many new ones");
  const TensorType word{DType::u32, {}};
  Array scalar = number.array(&word);
  if (scalar.rank() != 0 || !is_integer(scalar.dtype()))
    fail([&] {
      return Diagnostic{
          .number = scalar.rank() != 0 ? 401 : 402,
          .sentence = "fold_in takes a key and a whole number, and is given " + to_string(scalar.type()) + ".",
          .where = placed(Place::of(number.where())),
          .because = because(scalar)};
    });
  if (scalar.dtype() != DType::u32) scalar = cast<std::uint32_t>(scalar);
  const std::int64_t last = keys.rank() - 1;
  const Array low = last == 0 ? reshape(scalar, {1}) : broadcast_to(scalar, {keys.extent(0), 1});
  const auto [x, y] = threefry(keys, zeros(low.type()), low);
  return concatenate({x, y}, last);
}

Array fold_in(Key key, operand number) { return fold_in(operand{key, number.where()}, operand{number, number.where()}); }

}  // namespace octet
