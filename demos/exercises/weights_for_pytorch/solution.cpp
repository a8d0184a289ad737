/// A linear layer as PyTorch loads it from a safetensors file. Octet's weight is [in, out], PyTorch's is [out, in].
#include <vector>
import octet;
using namespace octet;

Tensor transposed(const Tensor& x) {
  Threads threads;
  const Graph graph = trace([](const auto& a) { return std::vector{matrix_transpose(a[0])}; }, {x.type()});
  return compile(graph).run({x}, threads)[0];
}

train::Safetensors exported(const Tensor& weight, const Tensor& bias) {
  return {.tensors = {{"linear.weight", transposed(weight)}, {"linear.bias", bias}}};
}
