import octet;
import facts;
using namespace octet;

Array attention(Array x);

/// What each position gets of x [3, 2].
Array first_row(Array x) {
  return reshape(slice_in_dim(attention(x), 0, 1, 0), {2});
}
Array second_row(Array x) {
  return reshape(slice_in_dim(attention(x), 1, 2, 0), {2});
}
Array last_row(Array x) {
  return reshape(slice_in_dim(attention(x), 2, 3, 0), {2});
}

void check() {
  const Tensor x = facts::rows(2, {1, 0, 0, 1, 1, 1}), other = facts::rows(2, {1, 0, 0, 1, 5, 5});
  const Tensor own = facts::row({1, 0});
  facts::result("position 0 of {{1, 0}, {0, 1}, {1, 1}}", facts::run(first_row, x), own, 1e-6);
  facts::result("position 0 of {{1, 0}, {0, 1}, {5, 5}}", facts::run(first_row, other), own, 1e-6);
  const Tensor both = facts::row({0.268941f, 0.731059f});
  facts::result("position 1 of {{1, 0}, {0, 1}, {1, 1}}", facts::run(second_row, x), both, 1e-5);
  facts::result("position 1 of {{1, 0}, {0, 1}, {5, 5}}", facts::run(second_row, other), both, 1e-5);
  facts::result("position 2 of {{1, 0}, {0, 1}, {1, 1}}", facts::run(last_row, x), facts::row({0.788058f, 0.788058f}),
                1e-5);
}
