#include <vector>
import octet;
import facts;
using namespace octet;

Tensor trained(const std::vector<float>& rates, const JitOptions& options);

void check() {
  CacheStatistics seen;
  JitOptions options;
  options.argument_names = {"weight", "rate"};
  options.on_compile = [&](const CompileEvent& event) { seen.misses = event.compiles; };
  std::vector<float> rates;
  for (int i = 0; i < 20; ++i) rates.push_back(0.2f - 0.005f * static_cast<float>(i));
  facts::result("the weight after 20 steps", trained(rates, options), facts::number(2.99806), 1e-4);
  facts::compiles(seen, 1);
  facts::result("the weight after one step of 0.25", trained({0.25f}, {}), facts::number(1.5), 1e-6);
}
