import octet;
import facts;
using namespace octet;

train::Safetensors exported(const Tensor& weight, const Tensor& bias);

void check() {
  const Tensor weight = facts::rows(3, {1, 2, 3, 4, 5, 6}), bias = facts::row({7, 8, 9});
  const train::Safetensors read =
      train::parse_safetensors(train::safetensors_bytes(exported(weight, bias)), "exported");
  facts::result("linear.weight of {{1, 2, 3}, {4, 5, 6}}", read["linear.weight"], facts::rows(2, {1, 4, 2, 5, 3, 6}));
  facts::result("linear.bias of {7, 8, 9}", read["linear.bias"], bias);
}
