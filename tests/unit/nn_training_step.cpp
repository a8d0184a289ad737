// Whole training steps of published transformers: what a readiness check is given.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>
import octet.base;
import octet.graph;
import octet.trace;
import octet.compile;
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

TEST_CASE("a step in parts ends with the loss and the moments of a step at once") {
  const nn::TransformerConfig config{
      .layers = 1, .hidden = 16, .heads = 2, .intermediate = 32, .vocabulary = 50, .embedding = 16, .positions = 8};
  const nn::ProgramStyle style{.dropout = 0};
  const ReplicaGroups alone{{0}};
  const auto results = [&](std::int64_t parts, bool shards) {
    const Graph step = nn::training_step(config, {8, 8, 2}, alone, style, shards, parts);
    const Key key = Key::of_seed(3);
    std::uint64_t drawn = 0;
    std::vector<Tensor> arguments;
    for (const ValueId id : step.parameters()) {
      Tensor value{step.type(id)};
      const std::string& name = step.values()[static_cast<std::size_t>(id)].name;
      const double vocabulary = name == "batch.positions" || name == "batch.positions.0" ? 8 : 2;
      if (value.dtype() == DType::i32)
        for (std::int32_t& each : value.mutable_span<std::int32_t>())
          each = name == "state.step" ? 3 : static_cast<std::int32_t>(uniform(key, drawn++) * vocabulary);
      else
        for (float& each : value.mutable_span<float>()) each = static_cast<float>(uniform(key, drawn++)) / 4;
      arguments.push_back(std::move(value));
    }
    Threads threads;
    return Executable::compile(step, {.precision = Precision::f32}).run(std::move(arguments), threads);
  };
  for (const bool shards : {false, true}) {
    const std::vector<Tensor> whole = results(1, shards);
    for (const std::int64_t parts : {2, 8}) {
      const std::vector<Tensor> in_parts = results(parts, shards);
      REQUIRE(in_parts.size() == whole.size());
      double largest = 0;
      for (std::size_t i = 0; i + 1 < whole.size(); ++i) {
        const auto a = whole[i].span<float>(), b = in_parts[i].span<float>();
        REQUIRE(a.size() == b.size());
        for (std::size_t k = 0; k < a.size(); ++k) largest = std::max(largest, std::abs(double{a[k]} - double{b[k]}));
      }
      INFO(parts << " parts, " << shards);
      CHECK(largest < 1e-5);
    }
  }
  CHECK_THROWS_AS(results(3, false), Error);
}

TEST_CASE("the checklist judges a step in parts: it needs less memory, and one more part where that is too much") {
  const auto config = nn::published_transformer("bert-base");
  const tpu::Slice slice = tpu::slice("v3-8");
  const auto memory = [&](std::int64_t parts) {
    CheckOptions options;
    options.jit.argument_names = {"batch", "state"};
    options.jit.donated = {"state"};
    options.accumulate_option = "--accumulate";
    return check(nn::training_candidate(config, slice,
                                        {.sequences = 8 * 64, .predictions = 20, .lengths = {128}, .parts = parts}),
                 slice, options);
  };
  const auto figure_of = [](const Readiness& readiness, std::string_view name) {
    return std::ranges::find(readiness.line("memory").figures, name, &Figure::name)->value;
  };
  const Readiness at_once = memory(1), in_parts = memory(4);
  CHECK(in_parts.ready());
  CHECK(in_parts.line("gradients").verdict == Verdict::pass);
  CHECK(figure_of(in_parts, "temporary_bytes") < 0.5 * figure_of(at_once, "temporary_bytes"));
  const auto most = static_cast<std::int64_t>(figure_of(in_parts, "largest_batch_per_replica"));
  CHECK(most % 4 == 0);
  CHECK(most > 3 * static_cast<std::int64_t>(figure_of(at_once, "largest_batch_per_replica")));
}
