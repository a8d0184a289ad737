module octet.trace;
import octet.base;
import octet.graph;
import octet.standard;

namespace octet {

namespace {

Array rotated(const Array& x, int distance) {
  return (x << static_cast<std::int32_t>(distance)) | (x >> static_cast<std::int32_t>(32 - distance));
}

/// Threefry-2x32-20 of the counters {high, low}, both u32 of one shape; `key` u32[2].
std::pair<Array, Array> threefry(const Array& key, const Array& high, const Array& low) {
  constexpr int rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  const Array first = reshape(slice_in_dim(key, 0, 1, 0), {}), second = reshape(slice_in_dim(key, 1, 2, 0), {});
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

}  // namespace

Array random_bits(operand key, Shape shape) {
  const ComposedAt scope{key.where()};
  const Array low = iota({DType::u32, Shape{shape.elements()}}, 0);
  const auto [x, y] = threefry(key.array(), zeros(low.type()), low);
  return reshape(x ^ y, shape.extents());
}

Array random_uniform(operand key, Shape shape) {
  const ComposedAt scope{key.where()};
  return bitcast((random_bits(key, std::move(shape)) >> 9) | 0x3f80'0000u, DType::f32) - 1.0;
}

Array fold_in(operand key, operand number) {
  const ComposedAt scope{key.where()};
  const TensorType word{DType::u32, {}};
  const Array low = reshape(number.array(&word), {1});
  const auto [x, y] = threefry(key.array(), zeros(low.type()), low);
  return concatenate({x, y}, 0);
}

}  // namespace octet
