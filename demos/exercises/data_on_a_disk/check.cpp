#include <string>
#include <utility>
#include <vector>
import octet;
import facts;
using namespace octet;

tpu::DataPlacement placement();

void check() {
  const tpu::DataPlacement own = placement();
  if (std::vector<Diagnostic> found = tpu::faults(own, tpu::slice("v3-8")); !found.empty())
    throw Error{std::move(found)};
  facts::result("the slice is reached as", std::string{tpu::name(own.host)}, "TPU node");
  facts::result("200 GB of examples lie", std::string{tpu::name(own.place)}, "in a bucket");
}
