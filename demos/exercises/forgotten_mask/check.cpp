import octet;
import facts;
using namespace octet;

Array attention(Array query, Array key, Array value, Array mask);

/// The first three positions of what attention gives.
Array first_three(Array query, Array key, Array value, Array mask) {
  return slice_in_dim(attention(query, key, value, mask), 0, 3, 0);
}

/// Attention without padding, which needs no mask.
Array unpadded(Array query, Array key, Array value) {
  return matmul(softmax(matmul(query, matrix_transpose(key)) / 2.0f), value);
}

void check() {
  const Tensor x = facts::drawn({3, 4}), padded = pad_to(x, Shape{8, 4});
  const Tensor ones = facts::filled({3}, 1), mask = pad_to(ones, Shape{8});
  facts::result("attention of 3 positions, padded to 8", facts::run(first_three, padded, padded, padded, mask),
                facts::run(unpadded, x, x, x), 1e-6);
  facts::result("attention of 3 positions, not padded", facts::run(attention, x, x, x, ones),
                facts::run(unpadded, x, x, x), 1e-6);
}
