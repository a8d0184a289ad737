#include <cmath>
#include <utility>
import octet;
import facts;
using namespace octet;

std::pair<Tensor, Tensor> first_weights(Key key);

void check() {
  const auto [first, second] = first_weights(Key::of_seed(1));
  const auto again = first_weights(Key::of_seed(1));
  const auto other = first_weights(Key::of_seed(2));
  facts::other_bits("layers 1 and 2 from seed 1", first, second);
  facts::same_bits("layer 2 from seed 1, twice", again.second, second);
  facts::other_bits("layer 1 from seeds 1 and 2", first, other.first);
  facts::other_bits("layer 2 from seeds 1 and 2", second, other.second);
  double largest = 0;
  for (int i = 0; i < 16; ++i) largest = std::fmax(largest, std::fabs(second.at(i)));
  facts::at_most("the largest weight of layer 2", largest, 0.1);
  facts::at_least("the largest weight of layer 2", largest, 0.005);
}
