/// Attention of GPT-2's kind over x [positions, features]: each position looks at itself and at those before it.
import octet;
using namespace octet;

Array attention(Array x) {
  const auto n = x.extent(0);
  Array query = iota({DType::i32, {n, n}}, 0);  // row: who looks
  Array key = iota({DType::i32, {n, n}}, 1);    // column: who is looked at
  Array scores = matmul(x, matrix_transpose(x));
  return matmul(softmax(select(key <= query, scores, -1e9f)), x);
}
