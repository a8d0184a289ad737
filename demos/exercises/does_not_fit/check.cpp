#include <string>
import octet;
import facts;
using namespace octet;

nn::TrainingJob job();

void check() {
  const nn::TrainingJob own = job();
  facts::result("sequences of a step", static_cast<double>(own.batch), 1024);
  facts::result("tokens of a sequence", static_cast<double>(own.length), 512);
  facts::result("the slice", own.slice.name, "v3-8");
  facts::result("its chips", std::to_string(own.slice.chips) + " " + std::string{own.slice.chip.name}, "4 v3");
  facts::result("parameters", nn::parameter_count(own.model),
                nn::parameter_count(nn::published_transformer("bert-large")));
  const nn::TrainingEstimate estimate = nn::estimate_training(own);
  facts::memory("of a replica", estimate.memory.needed, estimate.memory.capacity);
}
