/// Descent with momentum, and the schedules that it and AdamW follow.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <utility>
#include <variant>
#include <vector>

import octet.base;
import octet.graph;
import octet.trace;
import octet.compile;
import octet.nn;

#include "refusal.hpp"

using namespace octet;

namespace {

struct Line {
  Array weight, bias;
};
using State = nn::MomentumState<Line>;

Values<State> begin() {
  return nn::initial_momentum_state(Values<Line>{{}, {Tensor::of<float>({2}, {1, -2}), Tensor::scalar(0.5f)}});
}

/// The gradient is 2 w + 1 of the weight and -1 of the bias.
auto descent(const nn::Sgd& optimizer) {
  return jit([=](const State& state) {
    const auto loss = [](const Line& line) { return sum(square(line.weight) + line.weight) - line.bias; };
    return nn::updated(optimizer, state, grad(loss)(state.model));
  });
}

}  // namespace

TEST_CASE("descent with momentum is what its formula says, step by step") {
  for (const double momentum : {0.0, 0.9})
    for (const double decay : {0.0, 0.1})
      for (const double clip : {0.0, 0.5}) {
        const nn::Sgd optimizer{.schedule = {.peak = 0.1, .warmup_steps = 2, .steps = 6},
                                .momentum = momentum,
                                .weight_decay = decay,
                                .clip_norm = clip};
        const auto step = descent(optimizer);
        Values<State> state = begin();
        double w[2] = {1, -2}, b = 0.5, velocity[3] = {};
        for (std::int64_t k = 0; k < 6; ++k) {
          state = step(state);
          double g[3] = {2 * w[0] + 1, 2 * w[1] + 1, -1};
          const double norm = std::sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
          for (double& each : g) each *= clip > 0 && norm > clip ? clip / norm : 1;
          for (int i = 0; i < 2; ++i) g[i] += decay * w[i];  // a bias does not decay
          for (int i = 0; i < 3; ++i) velocity[i] = momentum * velocity[i] + g[i];
          for (int i = 0; i < 2; ++i) w[i] -= optimizer.schedule.at(k) * velocity[i];
          b -= optimizer.schedule.at(k) * velocity[2];
          for (int i = 0; i < 2; ++i) CHECK(std::abs(state["model.weight"].at(i) - w[i]) < 1e-5);
          CHECK(std::abs(state["model.bias"].item() - b) < 1e-5);
          CHECK(std::abs(state["velocity.bias"].item() - velocity[2]) < 1e-5);
          CHECK(state["step"].item() == static_cast<double>(k + 1));
        }
      }
}

TEST_CASE("descent refuses gradients and velocities that are not as their parameters") {
  const Array w = parameter({DType::f32, {3, 2}}, "w"), step = parameter({DType::i32, {}}, "step"),
              other = parameter({DType::f32, {5, 3, 2}}, "other");
  CHECK(number_of([&] { nn::sgd_update({}, {"w"}, {w}, {w}, {w}, step); }) == 0);
  CHECK(number_of([&] { nn::sgd_update({}, {"w"}, {w}, {other}, {w}, step); }) == 401);
  CHECK(number_of([&] { nn::sgd_update({}, {"w"}, {w}, {w}, {other}, step); }) == 401);
  CHECK(number_of([&] { nn::sgd_update({}, {"w"}, {w}, {w}, {}, step); }) == 405);
}

TEST_CASE("a cosine schedule rises in a line and falls as half a cosine, in the program as on the host") {
  const nn::Schedule schedule{.peak = 0.5, .warmup_steps = 4, .steps = 20, .decay = nn::Decay::cosine};
  const auto rate = jit([=](Array step) { return schedule(step); });
  double before = 0;
  for (std::int32_t k = 0; k < 24; ++k) {
    const double progress = std::min(1.0, (k - 4) / 16.0);
    const double expected = k < 4 ? 0.5 * (k + 1) / 4 : 0.25 * (1 + std::cos(std::numbers::pi * progress));
    CHECK(std::abs(schedule.at(k) - expected) < 1e-12);
    CHECK(std::abs(rate(Tensor::scalar(k)).item() - expected) < 1e-6);
    CHECK((k < 4 ? schedule.at(k) > before : schedule.at(k) <= before));
    before = schedule.at(k);
  }
  CHECK(schedule.at(4) == 0.5);
  CHECK(std::abs(schedule.at(12) - 0.25) < 1e-12);
  CHECK(schedule.at(20) == 0);
  const nn::Schedule at_once{.peak = 1, .warmup_steps = 0, .steps = 2, .decay = nn::Decay::cosine};
  CHECK(at_once.at(0) == 1);
  CHECK(std::abs(at_once.at(1) - 0.5) < 1e-12);
}
