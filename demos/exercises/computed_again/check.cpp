#include <cstdint>
#include <vector>
import octet;
import facts;
using namespace octet;

Array gradient(Array x, Array up, Array down);

namespace {

Array kept(Array x, Array up, Array down) {
  return grad([=](Array input) {
    Array y = input;
    for (int i = 0; i < 8; ++i) y = y + matmul(gelu(matmul(y, up)), down);
    return sum(y * y);
  })(x);
}

/// Around zero, so that eight layers keep numbers in bounds.
Tensor centred(const Shape& shape, std::uint64_t seed) {
  Tensor tensor = facts::drawn(shape, seed);
  for (float& each : tensor.mutable_span<float>()) each = (each - 0.5f) / 8;
  return tensor;
}

}  // namespace

void check() {
  const Tensor x = centred({512, 128}, 1), up = centred({128, 512}, 2), down = centred({512, 128}, 3);
  facts::same_bits("the gradient", facts::run(gradient, x, up, down), facts::run(kept, x, up, down));
  const Graph program = trace(facts::function(gradient), std::vector{x.type(), up.type(), down.type()});
  facts::memory("of a replica", tpu::estimate(optimize(program), tpu::slice("v3-8")).memory.peak, 6e6);
}
