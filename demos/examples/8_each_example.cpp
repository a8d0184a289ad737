// A gradient for each example of a batch, by vmap: whose is the largest? The one that is labelled wrong.
#include <cstdint>
#include <cstdio>
#include <optional>
import octet;
using namespace octet;

// Of one example: how wrong a line through the origin is about a point.
Array loss(Array line, Array point, Array label) { return softplus(-label * sum(line * point)); }

int main() {
  const Tensor line = Tensor::of<float>(Shape{2}, {1.5f, 1.0f});
  const Tensor points = Tensor::of<float>(Shape{6, 2}, {1, 1, 2, 0, -1, -2, -2, -1, 3, 1, 0, -3});
  const Tensor labels = Tensor::of<float>(Shape{6}, {1, 1, -1, -1, -1, -1});  // the fifth should be 1

  // grad is of one example; vmap makes it one of all, the line being the same for each of them.
  const auto norms = jit([](Array line, Array points, Array labels) {
    const Array gradients = vmap(grad(loss), {std::nullopt, 0, 0})(line, points, labels);  // [6, 2]
    return sqrt(sum(square(gradients), {1}));
  })(line, points, labels);
  for (std::int64_t i = 0; i < norms.elements(); ++i)
    std::printf("example %d: %.3f\n", static_cast<int>(i), norms.at(i));

  // In less memory, where there is much within: what grad needs is computed a second time instead of kept.
  const auto again = jit([](Array line, Array points, Array labels) {
    return vmap(grad(checkpoint(loss)), {std::nullopt, 0, 0})(line, points, labels);
  })(line, points, labels);
  std::printf("the fifth, by a checkpoint: %.3f %.3f\n", again.at(8), again.at(9));
}

// clang-format off: what this program prints
// example 0: 0.107
// example 1: 0.095
// example 2: 0.066
// example 3: 0.040
// example 4: 3.149
// example 5: 0.142
// the fifth, by a checkpoint: 2.988 0.996
