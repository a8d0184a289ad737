#include <utility>
import octet;
import facts;
using namespace octet;

Array step(Array weights, Array gradient);
JitOptions options();

void check() {
  const facts::Program program{step, options()};
  Tensor weights = facts::filled({1'000'000}, 1);
  const auto* before = weights.bytes().data();
  const double bytes = static_cast<double>(weights.bytes().size());
  const Tensor after = program(std::move(weights), facts::filled({1'000'000}, 1));
  facts::result("the first weight", after.at(0), 0.9, 1e-6);
  facts::memory("of the weights before and after", after.bytes().data() == before ? bytes : 2 * bytes, bytes);
}
