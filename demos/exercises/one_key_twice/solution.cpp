/// The first weights of two layers, from one seed.
#include <span>
#include <utility>
import octet;
using namespace octet;

Tensor drawn(Key key) {
  Tensor weight{DType::f32, {4, 4}};
  unsigned i = 0;
  for (float& each : weight.mutable_span<float>()) each = 0.02f * normal(key, i++);
  return weight;
}

std::pair<Tensor, Tensor> first_weights(Key key) {
  return {drawn(split(key, 0)), drawn(split(key, 1))};
}
