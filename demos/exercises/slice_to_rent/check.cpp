#include <string>
import octet;
import facts;
using namespace octet;

tpu::Slice slice_to_rent();

void check() {
  const tpu::Slice own = slice_to_rent();
  const nn::TrainingEstimate estimate = nn::estimate_training({.model = nn::published_transformer("bert-large"),
                                                               .slice = own,
                                                               .batch = 448,
                                                               .length = 512,
                                                               .predictions = 76,
                                                               .accumulate = 1,
                                                               .code = *nn::find_code_style("mlperf-bf16")});
  facts::result("the chip of " + own.name, std::string{own.chip.name}, "v3");
  facts::at_most("milliseconds a step on " + own.name, 1000 * estimate.step, 600);
  facts::at_most("cores of " + own.name, static_cast<double>(own.chips * own.chip.cores), 32);
  facts::memory("of a replica", estimate.memory.needed, estimate.memory.capacity);
}
