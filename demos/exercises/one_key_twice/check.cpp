#include <cmath>
#include <span>
#include <utility>
import octet;
import facts;
using namespace octet;

std::pair<Tensor, Tensor> first_weights(Key key);

/// How many numbers of one tensor are in the other as well, wherever.
double shared(const Tensor& one, const Tensor& other) {
  double count = 0;
  for (int i = 0; i < one.elements(); ++i)
    for (int j = 0; j < other.elements(); ++j) count += one.at(i) == other.at(j);
  return count;
}

void check() {
  const auto [first, second] = first_weights(Key::of_seed(1));
  const auto again = first_weights(Key::of_seed(1));
  const auto other = first_weights(Key::of_seed(2));
  facts::other_bits("layers 1 and 2 from seed 1", first, second);
  facts::result("numbers that layers 1 and 2 share", shared(first, second), 0);
  Tensor old{DType::f32, {32}};
  unsigned next = 0;
  for (float& each : old.mutable_span<float>()) each = 0.02f * normal(Key::of_seed(1), next++);
  facts::result("numbers drawn from the old key itself", shared(first, old) + shared(second, old), 0);
  facts::same_bits("layer 2 from seed 1, twice", again.second, second);
  facts::other_bits("layer 1 from seeds 1 and 2", first, other.first);
  facts::other_bits("layer 2 from seeds 1 and 2", second, other.second);
  double largest = 0;
  for (int i = 0; i < 16; ++i) largest = std::fmax(largest, std::fabs(second.at(i)));
  facts::at_most("the largest weight of layer 2", largest, 0.1);
  facts::at_least("the largest weight of layer 2", largest, 0.005);
}
