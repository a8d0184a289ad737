// The stretches of a training step: they are the estimate, drawn out.
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>
import octet.base;
import octet.tpu;
import octet.nn;

using namespace octet;

namespace {

nn::TrainingJob job(const char* model, const char* code) {
  nn::TrainingJob result;
  result.model = nn::published_transformer(model);
  result.model.layers = 4;
  result.slice = tpu::slice("v3-8");
  result.batch = 64;
  result.length = 128;
  result.predictions = 19;
  result.code = *nn::find_code_style(code);
  return result;
}

double sum(const std::vector<tpu::Stretch>& stretches) {
  double seconds = 0;
  for (const tpu::Stretch& each : stretches) seconds += each.seconds;
  return seconds;
}

}  // namespace

TEST_CASE("stretches take what the estimate says, and their parts what they take") {
  for (const char* model : {"bert-base", "gpt2", "albert-base", "electra-base"})
    for (const std::int64_t accumulate : {1, 4}) {
      nn::TrainingJob each = job(model, "tf1-f32");
      each.accumulate = accumulate;
      const nn::TrainingEstimate estimate = nn::estimate_training(each);
      const auto step = nn::step_stretches(each, estimate);
      INFO(model << " in " << accumulate << " parts");
      CHECK(std::fabs(sum(step) / estimate.device() - 1) < 1e-9);
      std::size_t forward = 0;
      for (const tpu::Stretch& stretch : step) {
        if (stretch.name != "forward" && stretch.name != "backward") continue;
        forward += stretch.name == "forward";
        CHECK(std::fabs(sum(stretch.parts) / stretch.seconds - 1) < 1e-9);
        for (const tpu::Stretch& layer : stretch.parts)
          if (!layer.parts.empty()) CHECK(std::fabs(sum(layer.parts) / layer.seconds - 1) < 1e-9);
      }
      CHECK(forward == static_cast<std::size_t>(accumulate));
      CHECK(step.back().name == "optimizer");
    }
}

TEST_CASE("forward goes from the embeddings through all layers to the head, and backward the other way") {
  const nn::TrainingJob bert = job("bert-base", "mlperf-bf16");
  const auto step = nn::step_stretches(bert, nn::estimate_training(bert));
  REQUIRE(step.size() == 4);
  const auto order = [](const tpu::Stretch& phase) {
    std::vector<std::string> names;
    for (const tpu::Stretch& part : phase.parts) names.push_back(part.name);
    return names;
  };
  const std::vector<std::string> forward = order(step[0]), backward = order(step[1]);
  CHECK(forward == std::vector<std::string>{"embeddings", "layer 0", "layer 1", "layer 2", "layer 3", "head"});
  REQUIRE(backward.size() >= 6);
  CHECK(backward.front() == "head");
  std::vector<std::string> layers;
  for (const std::string& name : backward)
    if (name.starts_with("layer") && (layers.empty() || layers.back() != name)) layers.push_back(name);
  CHECK(layers == std::vector<std::string>{"layer 3", "layer 2", "layer 1", "layer 0"});
  CHECK(step[1].seconds > 1.5 * step[0].seconds);
}

TEST_CASE("of very many parts of a batch the first are shown, and the others as one stretch") {
  nn::TrainingJob parts = job("bert-base", "tf1-f32");
  parts.accumulate = 1'000'000;
  parts.batch = 8 * parts.accumulate;
  const nn::TrainingEstimate estimate = nn::estimate_training(parts);
  const auto step = nn::step_stretches(parts, estimate);
  CHECK(step.size() < 4 * 64 + 8);
  CHECK(std::fabs(sum(step) / estimate.device() - 1) < 1e-9);
  CHECK(tpu::stretches_of(step) < 10'000);
  parts.accumulate = nn::most_parts_shown;
  parts.batch = 8 * parts.accumulate;
  const auto shown = nn::step_stretches(parts, nn::estimate_training(parts));
  for (const tpu::Stretch& each : shown) CHECK(each.name != "forward and backward of the other parts");
}
