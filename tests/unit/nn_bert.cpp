// BERT, its loss and its optimizer.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>
import octet.base;
import octet.graph;
import octet.trace;
import octet.compile;
import octet.nn;

using namespace octet;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

const nn::BertConfig small{
    .vocabulary = 50, .hidden = 16, .layers = 2, .heads = 2, .intermediate = 32, .positions = 24};

Values<nn::Bert> model() { return nn::initialize(nn::bert(small), Key::of_seed(3), nn::normal_initializer(0.3)); }

Tensor integers(Shape shape, std::vector<std::int32_t> values) {
  return Tensor::of<std::int32_t>(std::move(shape), values);
}

/// A batch of one sequence of 10 tokens padded to `length`.
Values<nn::MaskedLanguageBatch> batch(std::int64_t length) {
  const auto n = static_cast<std::size_t>(length);
  std::vector<std::int32_t> ids(n, 0), mask(n, 0);
  for (std::size_t i = 0; i < 10; ++i) ids[i] = static_cast<std::int32_t>(5 + 3 * i), mask[i] = 1;
  return {nn::MaskedLanguageBatch{},
          {integers({1, length}, ids), Tensor{DType::i32, {1, length}}, integers({1, length}, mask),
           integers({1, 3}, {2, 5, 0}), integers({1, 3}, {7, 40, -100})}};
}

struct Loss {
  Array operator()(const nn::Bert& bert, const nn::MaskedLanguageBatch& examples) const {
    const nn::SummedLoss loss = nn::masked_language_loss(bert, examples);
    return loss.sum / loss.count;
  }
};

}  // namespace

TEST_CASE("parameters have the names and shapes of their layers") {
  const auto values = model();
  const auto names = values.names();
  CHECK(names.front() == "word.table");
  CHECK(names.back() == "head.bias");
  CHECK(std::count(names.begin(), names.end(), std::string{"layers.1.attention.query.weight"}) == 1);
  std::int64_t count = 0;
  for (const Tensor& tensor : values.tensors()) count += tensor.elements();
  // Embeddings, two layers and the head, counted by hand from the paper's description.
  CHECK(count == (50 + 24 + 2) * 16 + 2 * 16 + 2 * (4 * (16 * 16 + 16) + 2 * 16 + 2 * 16 * 32 + 32 + 16 + 2 * 16) +
                     (16 * 16 + 16 + 2 * 16 + 50));
}

TEST_CASE("padding changes nothing: the loss of a padded sequence is that of the sequence") {
  const auto loss = jit(Loss{}, {.compile = {.precision = Precision::f32}});
  const double alone = loss(model(), batch(10)).item();
  CHECK_THAT(loss(model(), batch(24)).item(), WithinRel(alone, 1e-6));
  CHECK(alone > 1);
}

TEST_CASE("the loss over masked positions is the mean over those that have a label, and gradient steps lower it") {
  const auto step = jit([](const nn::Bert& bert, const nn::MaskedLanguageBatch& examples) {
    auto [loss, gradient] = value_and_grad(Loss{})(bert, examples);
    std::vector<Array> next;
    const auto parameters = arrays_of(bert), slopes = arrays_of(gradient);
    for (std::size_t i = 0; i < parameters.size(); ++i) next.push_back(parameters[i] - slopes[i] * 0.01);
    return std::pair{with_arrays(bert, next), loss};
  });
  auto current = model();
  std::vector<double> losses;
  for (int i = 0; i < 20; ++i) {
    auto [next, loss] = step(current, batch(16));
    losses.push_back(loss.item());
    current = std::move(next);
  }
  CHECK(losses.back() < losses.front() / 2);
  CHECK(step.statistics().misses == 1);
}

TEST_CASE("a masked loss equals the filtered one to the last bit of f64") {
  // Rule 2: weigh, do not filter. Rows 1 and 3 have no label.
  Tensor logits{DType::f64, {4, 6}};
  for (std::size_t i = 0; i < 24; ++i) logits.mutable_span<double>()[i] = std::sin(static_cast<double>(i * i)) * 3;
  const Graph weighed = trace(
      [](const std::vector<Array>& a) {
        const Array keep = cast<double>(a[1] >= 0);
        return std::vector<Array>{sum(nn::cross_entropy(a[0], a[1]) * keep) / sum(keep)};
      },
      {{DType::f64, Shape{4, 6}}, {DType::i32, Shape{4}}});
  const Graph filtered =
      trace([](const std::vector<Array>& a) { return std::vector<Array>{mean(nn::cross_entropy(a[0], a[1]))}; },
            {{DType::f64, Shape{2, 6}}, {DType::i32, Shape{2}}});
  std::vector<double> rows;
  for (const std::size_t r : {std::size_t{0}, std::size_t{2}})
    for (std::size_t c = 0; c < 6; ++c) rows.push_back(logits.span<double>()[r * 6 + c]);
  const Tensor all = evaluate(weighed, std::vector<Tensor>{logits, integers({4}, {3, -100, 1, -100})})[0];
  const Tensor some =
      evaluate(filtered, std::vector<Tensor>{Tensor::of<double>({2, 6}, rows), integers({2}, {3, 1})})[0];
  CHECK(all.item() == some.item());
}

TEST_CASE("AdamW follows its formula, spares biases, and clips by the global norm") {
  nn::AdamW adamw{.schedule = {.peak = 0.1, .warmup_steps = 0, .steps = 1000},
                  .epsilon = 1e-6,
                  .weight_decay = 0.5,
                  .clip_norm = 1.0};
  const auto update = jit([&](const std::vector<Array>& p, const std::vector<Array>& g, const Array& step) {
    std::vector<Array> none;
    for (const Array& array : p) none.push_back(zeros(array.type()));
    return nn::adamw_update(adamw, {"dense.weight", "dense.bias"}, p, g, none, none, step).parameters;
  });
  const std::vector<Tensor> parameters{Tensor::of<float>({2}, {1.0f, -2.0f}), Tensor::of<float>({1}, {4.0f})};
  const std::vector<Tensor> gradients{Tensor::of<float>({2}, {3.0f, 0.0f}), Tensor::of<float>({1}, {4.0f})};  // norm 5
  const auto next = update(parameters, gradients, Tensor::scalar<std::int32_t>(0));
  // After bias correction the first step is g / (|g| + epsilon), g clipped to 0.6 and 0.8.
  CHECK_THAT(next[0].at(0), WithinAbs(1.0 - 0.1 * (0.6 / (0.6 + 1e-6) + 0.5 * 1.0), 1e-5));
  CHECK_THAT(next[0].at(1), WithinAbs(-2.0 - 0.1 * (0.5 * -2.0), 1e-5));
  CHECK_THAT(next[1].at(0), WithinAbs(4.0 - 0.1 * (0.8 / (0.8 + 1e-6)), 1e-5));
}

TEST_CASE("the schedule rises, falls and ends, the same for the program as for people") {
  const nn::Schedule schedule{.peak = 1e-3, .warmup_steps = 10, .steps = 100};
  const auto traced = jit([&](const Array& step) { return schedule(step); });
  for (std::int32_t step : {0, 1, 9, 10, 50, 99, 100, 200})
    CHECK_THAT(traced(Tensor::scalar(step)).item(), WithinAbs(schedule.at(step), 1e-9));
  CHECK_THAT(schedule.at(9), WithinRel(1e-3, 1e-12));
  CHECK(schedule.at(99) > 0);
  CHECK(schedule.at(100) == 0);
}

TEST_CASE("a head count that does not divide the hidden size is refused") {
  try {
    nn::bert({.hidden = 10, .heads = 3});
    FAIL("was accepted");
  } catch (const Error& error) {
    CHECK(error.number() == 403);
  }
}

TEST_CASE("the buffers of a training step take at most a tenth more than what lives in them at one moment") {
  const auto step = jit([](const nn::Bert& bert, const nn::MaskedLanguageBatch& examples) {
    return value_and_grad([&](const nn::Bert& candidate) { return Loss{}(candidate, examples); })(bert);
  });
  const ExecutableStatistics statistics = step.executable(model(), batch(24)).statistics();
  CHECK(statistics.live_bytes > 0);
  CHECK(static_cast<double>(statistics.arena_bytes + statistics.thread_bytes + statistics.shared_bytes) <=
        1.1 * static_cast<double>(statistics.live_bytes));
}
