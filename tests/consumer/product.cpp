/// A product, in every instruction set that this processor has.
#include <cstdio>
#include <span>

import octet.base;
import octet.compile;
import octet.trace;
using namespace octet;

int main() {
  Tensor rows{DType::f32, {40, 300}}, columns{DType::f32, {300, 50}};
  for (float& number : rows.mutable_span<float>()) number = 0.5f;
  for (float& number : columns.mutable_span<float>()) number = 3.0f;
  for (const Isa isa : available_isas()) {
    auto multiply = jit([](Array x, Array y) { return sum(matmul(x, y)); },
                        {.compile = {.isa = isa}, .argument_names = {"x", "y"}});
    if (multiply(rows, columns).item() != 40 * 50 * 450.0f) return 1;
  }
  std::puts("all the same");
}
