// Whole training steps of published transformers: what a readiness check is given.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>
import octet.base;
import octet.graph;
import octet.tpu;
import octet.nn;

using namespace octet;

TEST_CASE("a training step takes batch and state, and returns the loss and a state of the same types") {
  for (const auto kind : {nn::TransformerKind::bert, nn::TransformerKind::electra, nn::TransformerKind::albert,
                          nn::TransformerKind::gpt2}) {
    const nn::TransformerConfig config{.kind = kind,
                                       .layers = 2,
                                       .hidden = 64,
                                       .heads = 2,
                                       .intermediate = 128,
                                       .vocabulary = 100,
                                       .embedding = 64,
                                       .positions = 16,
                                       .generator_hidden = kind == nn::TransformerKind::electra ? 32 : 0};
    const Graph step = nn::training_step(config, {2, 16, 3}, tpu::slice("v3-8").all());
    std::vector<TensorType> state;
    bool in_state = false;
    for (const ValueId id : step.parameters()) {
      const std::string& name = step.values()[static_cast<std::size_t>(id)].name;
      CHECK((name.starts_with("batch.") || name.starts_with("state.")));
      CHECK(!(in_state && name.starts_with("batch.")));  // the batch comes first
      in_state = name.starts_with("state.");
      if (in_state) state.push_back(step.type(id));
    }
    std::vector<TensorType> results = step.result_types();
    REQUIRE(results.size() == state.size() + 1);
    CHECK(results.front() == TensorType{DType::f32, {}});
    results.erase(results.begin());
    CHECK(results == state);
  }
}

TEST_CASE("all replicas make the same update, and it is seen where one does not average") {
  const nn::TransformerConfig config{
      .layers = 1, .hidden = 64, .heads = 2, .intermediate = 128, .vocabulary = 100, .embedding = 64, .positions = 16};
  const tpu::Slice slice = tpu::slice("v3-8");
  CheckOptions options;
  options.batch = {"batch"};
  options.jit.donated = {"state"};
  const Readiness averaged = check(nn::training_step(config, {2, 16, 3}, slice.all()), slice, options);
  CHECK(averaged.ready());
  CHECK(averaged.line("gradients").verdict == Verdict::pass);
  ReplicaGroups alone;
  for (std::int64_t replica = 0; replica < slice.replicas; ++replica) alone.push_back({replica});
  const Readiness apart = check(nn::training_step(config, {2, 16, 3}, alone), slice, options);
  CHECK(apart.line("gradients").number() == 602);
  CHECK(!apart.ready());
}

TEST_CASE("where the optimizer is sharded, a replica holds an eighth of the moments, and weights stay equal") {
  const nn::TransformerConfig config{
      .layers = 1, .hidden = 64, .heads = 2, .intermediate = 128, .vocabulary = 100, .embedding = 64, .positions = 16};
  const tpu::Slice slice = tpu::slice("v3-8");
  const Graph step = nn::training_step(config, {2, 16, 3}, slice.all(), {}, true);
  std::map<std::string, std::int64_t> elements;
  for (const ValueId id : step.parameters()) {
    const std::string& name = step.values()[static_cast<std::size_t>(id)].name;
    elements[name.substr(0, name.find('.', std::string{"state."}.size()))] += step.type(id).shape.elements();
  }
  const std::int64_t model = elements.at("state.model");
  for (const char* moment : {"state.first_moment", "state.second_moment"}) {
    CHECK(elements.at(moment) >= model / 8);
    CHECK(elements.at(moment) < model / 8 + 100);  // of each parameter the last replica's share is filled up
  }
  CheckOptions options;
  options.batch = {"batch"};
  options.jit.donated = {"state"};
  CHECK(check(step, slice, options).line("gradients").number() == 602);
  options.sharded = nn::sharded_moments();
  const Readiness readiness = check(step, slice, options);
  CHECK(readiness.ready());
  CHECK(readiness.line("gradients").verdict == Verdict::pass);
}
