/// Attention (Vaswani et al. 2017): query, key and value are [positions, 4]; mask [positions] is 0 at padding, else 1.
import octet;
using namespace octet;

Array attention(Array query, Array key, Array value, Array mask) {
  Array scores = matmul(query, matrix_transpose(key)) / 2.0f;  // 2 is the root of 4
  return matmul(softmax(scores), value);
}
