/// Gradient descent on (weight - 3)^2, with a learning rate that falls from step to step.
#include <vector>
import octet;
using namespace octet;

Tensor trained(const std::vector<float>& rates, const JitOptions& options) {
  const auto step = jit(
      [](Array weight, Array rate) {
        Array gradient = (weight - 3.0f) * 2.0f;
        return weight - gradient * rate;
      },
      options);
  Tensor weight = Tensor::scalar(0.0f);
  for (float rate : rates) weight = step(weight, Tensor::scalar(rate));
  return weight;
}
