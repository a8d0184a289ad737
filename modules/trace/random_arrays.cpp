module octet.trace;
import octet.base;
import octet.graph;
import octet.standard;

namespace octet {

namespace {

Array rotated(const Array& x, int distance) {
  return (x << static_cast<std::int32_t>(distance)) | (x >> static_cast<std::int32_t>(32 - distance));
}

/// Threefry-2x32-20 of the counters {high, low}, both u32 of one shape: [n] with `key` u32[2], [rows, n] with u32[rows,
/// 2].
std::pair<Array, Array> threefry(const Array& key, const Array& high, const Array& low) {
  constexpr int rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  const auto word = [&](std::int64_t i) {
    return key.rank() == 1 ? reshape(slice_in_dim(key, i, i + 1, 0), {}) : slice_in_dim(key, i, i + 1, 1);
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

void require_keys(operand key, bool holds, const std::string& asked) {
  const Array keys = key.array();
  if (holds && keys.dtype() == DType::u32 && keys.extent(-1) == 2) return;
  fail({.number = 401,
        .sentence = asked + " " + to_string(keys.type()) + ", which is no key for it.",
        .where = Place::of(key.where()),
        .fix = {"give one key, u32[2]", "give random numbers u32[rows, 2], a key for each of their leading axis"}});
}

}  // namespace

Array random_bits(operand key, Shape shape) {
  const ComposedAt scope{key.where()};
  const Array keys = key.array();
  const bool of_rows = keys.rank() == 2;
  require_keys(key, keys.rank() == 1 || (of_rows && shape.rank() > 0 && shape[0] == keys.extent(0)),
               "Random numbers of shape " + to_string(shape) + " were asked of");
  const std::int64_t rows = of_rows ? keys.extent(0) : 1;
  const Shape counters = of_rows ? Shape{rows, rows > 0 ? shape.elements() / rows : 0} : Shape{shape.elements()};
  const Array low = iota({DType::u32, counters}, of_rows ? 1 : 0);
  const auto [x, y] = threefry(keys, zeros(low.type()), low);
  return reshape(x ^ y, shape.extents());
}

Array random_uniform(operand key, Shape shape) {
  const ComposedAt scope{key.where()};
  return bitcast((random_bits(key, std::move(shape)) >> 9) | 0x3f80'0000u, DType::f32) - 1.0;
}

Array random_categorical(operand key, const Array& logits) {
  const ComposedAt scope{key.where()};
  // 0 would become an infinity; the smallest normal number is what JAX puts in its place.
  const Array uniform = maximum(random_uniform(key, logits.shape()), std::numeric_limits<float>::min());
  return argmax(cast<float>(logits) - log(-log(uniform)), -1);
}

Array fold_in(operand key, operand number) {
  const ComposedAt scope{key.where()};
  require_keys(key, key.array().rank() == 1, "A new key was asked of");
  const TensorType word{DType::u32, {}};
  const Array low = reshape(number.array(&word), {1});
  const auto [x, y] = threefry(key.array(), zeros(low.type()), low);
  return concatenate({x, y}, 0);
}

}  // namespace octet
