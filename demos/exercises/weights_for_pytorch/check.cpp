import octet;
import facts;
using namespace octet;

train::Safetensors exported(const Tensor& weight, const Tensor& bias);

train::Safetensors read_again(const Tensor& weight, const Tensor& bias) {
  return train::parse_safetensors(train::safetensors_bytes(exported(weight, bias)), "exported");
}

void check() {
  const Tensor bias = facts::row({7, 8, 9}), other = facts::row({5, 6});
  const train::Safetensors read = read_again(facts::rows(3, {1, 2, 3, 4, 5, 6}), bias);
  facts::result("linear.weight of {{1, 2, 3}, {4, 5, 6}}", read["linear.weight"], facts::rows(2, {1, 4, 2, 5, 3, 6}));
  facts::result("linear.bias of {7, 8, 9}", read["linear.bias"], bias);
  const train::Safetensors square = read_again(facts::rows(2, {1, 2, 3, 4}), other);
  facts::result("linear.weight of {{1, 2}, {3, 4}}", square["linear.weight"], facts::rows(2, {1, 3, 2, 4}));
  facts::result("linear.bias of {5, 6}", square["linear.bias"], other);
}
