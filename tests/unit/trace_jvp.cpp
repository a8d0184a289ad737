/// Derivatives along a direction, and of other arguments than the first.
#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

import octet.base;
import octet.graph;
import octet.trace;

#include "gradients.hpp"
#include "refusal.hpp"
#include "refused_trace.hpp"
#include "traced_results.hpp"

using namespace octet;

namespace {

struct Line {
  Array slope, height;
  int power = 1;
};

/// Empty where jvp of `sample` is what its results change by, along a direction drawn at random.
std::string jvp_fault(const Sample& sample) {
  Draw draw{3};
  const std::vector<Tensor>& at = sample.arguments.front();
  std::vector<Tensor> given = at, above = at, below = at;
  std::vector<std::size_t> varied;
  for (std::size_t i = 0; i < at.size(); ++i) {
    if (!is_floating(at[i].dtype())) continue;
    varied.push_back(i);
    Tensor direction{DType::f64, at[i].shape()};
    // Whole numbers, so that a step that keeps an argument exact keeps it so.
    for (double& each : direction.mutable_span<double>()) each = static_cast<double>(draw.integer(-2, 2));
    given.push_back(direction);
    for (std::size_t k = 0; k < static_cast<std::size_t>(at[i].elements()); ++k) {
      above[i].mutable_span<double>()[k] += sample.step * direction.span<double>()[k];
      below[i].mutable_span<double>()[k] -= sample.step * direction.span<double>()[k];
    }
  }
  const std::vector<Tensor> changes = results(
      [&](const Arrays& in) {
        Arrays all{in.begin(), in.begin() + static_cast<std::ptrdiff_t>(at.size())}, variables;
        for (const std::size_t i : varied) variables.push_back(all[i]);
        const auto of_varied = [&](const Arrays& now) {
          for (std::size_t k = 0; k < varied.size(); ++k) all[varied[k]] = now[k];
          return sample.function(all);
        };
        return jvp(of_varied, variables, Arrays{in.begin() + static_cast<std::ptrdiff_t>(at.size()), in.end()}).second;
      },
      given);
  const std::vector<Tensor> high = results(sample.function, above), low = results(sample.function, below);
  for (std::size_t i = 0; i < changes.size(); ++i)
    for (std::int64_t k = 0; k < changes[i].elements(); ++k) {
      const double difference = (high[i].at(k) - low[i].at(k)) / (2 * sample.step);
      if (!(std::abs(changes[i].at(k) - difference) <= 1e-7 * (1 + std::abs(difference))))
        return sample.name + ": result " + std::to_string(i) + ", element " + std::to_string(k) + " changes by " +
               std::to_string(changes[i].at(k)) + ", finite differences say " + std::to_string(difference);
    }
  return "";
}

}  // namespace

TEST_CASE("jvp of every sample is what finite differences say") {
  std::size_t tried = 0;
  for (auto samples : {elementwise_samples, movement_samples, contraction_samples, control_samples})
    for (const Sample& sample : samples()) {
      INFO(sample.name);
      CHECK(jvp_fault(sample) == "");
      ++tried;
    }
  CHECK(tried > 200);
}

TEST_CASE("jvp gives the result too, goes through structures, and leaves what has no derivative at 0") {
  const std::vector<Tensor> all = results(
      [](const Arrays& in) {
        const auto f = [&](const Line& line) { return std::pair{line.slope * in[2] + line.height, argmax(in[2])}; };
        const auto [value, change] = jvp(f, Line{in[0], in[1], 2}, Line{in[1], in[0], 2});
        return Arrays{value.first, value.second, change.first, change.second};
      },
      {Tensor::scalar(2.0f), Tensor::scalar(5.0f), Tensor::of<float>({2}, {1, 3})});
  CHECK(numbers<float>(all[0]) == Floats{7, 11});
  CHECK(all[1].item() == 1);
  CHECK(numbers<float>(all[2]) == Floats{7, 17});
  CHECK((all[3].item() == 0 && all[3].dtype() == DType::i32));
}

TEST_CASE("jvp of grad is the Hessian times the direction") {
  const auto cubes = [](const Array& x) { return sum(x * x * x) + product(x, {0}); };
  const Tensor given = result([&](const Arrays& in) { return jvp(grad(cubes), in[0], in[1]).second; },
                              {Tensor::of<float>({3}, {1, 2, 3}), Tensor::of<float>({3}, {1, 10, 100})});
  // 6 x on the diagonal, and the third of the numbers beside it.
  CHECK(numbers<float>(given) == Floats{6 + 30 + 200, 3 + 120 + 100, 2 + 10 + 1800});
}

TEST_CASE("jvp refuses what has no tangent, and tangents of other types") {
  const auto doubled = [](const Array& x) { return x * 2; };
  unsigned line = __LINE__ + 1;
  Diagnostic fault = refused({f32({2}), f32({3})}, [&](const Arrays& in) { return jvp(doubled, in[0], in[1]).second; });
  CHECK(fault.number == 401);
  CHECK(fault.where.line == line);
  CHECK(fault.sentence == "jvp takes a tangent of the type of its array, f32[2], and is given f32[3].");
  fault = refused({{DType::i32, {2}}}, [&](const Arrays& in) { return jvp(doubled, in[0], in[0]).second; });
  CHECK(fault.number == 402);
  CHECK(fault.sentence.starts_with("jvp was asked to differentiate with respect to i32[2]"));
  const auto total = [](const Arrays& arrays) { return sum(arrays[0]); };
  CHECK(refused({f32({2})}, [&](const Arrays& in) { return jvp(total, in, Arrays{in[0], in[0]}).second; }).number ==
        405);
  const auto risen = [](const Line& each) { return each.slope * each.power; };
  CHECK(refused({f32({})}, [&](const Arrays& in) {
          return jvp(risen, Line{in[0], in[0], 2}, Line{in[0], in[0], 3}).second;
        }).sentence.starts_with("jvp takes a tangent that is its argument but for the arrays"));
  using Either = std::variant<Array, std::pair<Array, int>>;
  CHECK(refused({f32({})}, [&](const Arrays& in) {
          Either one, other;
          one.emplace<Array>(in[0]);
          other.emplace<1>(in[0], 0);
          const auto held = [](const Either& each) {
            return each.index() == 0 ? std::get<0>(each) : std::get<1>(each).first;
          };
          return jvp(held, one, other).second;
        }).number == 405);
  CHECK(refused({f32({2})}, [&](const Arrays& in) {
          const auto forever = [](const Array& x) {
            return while_loop([](const Array& s) { return sum(s) < 1; }, [](const Array& s) { return s * 2; }, x);
          };
          return jvp(forever, in[0], in[0]).second;
        }).number == 104);
}

TEST_CASE("gradients are taken with respect to the arguments that are named by number") {
  const auto loss = [](const Array& x, const Line& line, int shift) {
    return sum(square(x * line.slope + line.height - shift));
  };
  const std::vector<Tensor> all = results(
      [&](const Arrays& in) {
        const Line line{in[1], in[2], 3}, of_line = grad<1>(loss)(in[0], line, 1);
        const auto [of_both, of_x] = grad<1, 0>(loss)(in[0], line, 1);
        const auto [value, gradient] = value_and_grad<1>(loss)(in[0], line, 1);
        CHECK((of_line.power == 3 && of_both.power == 3));
        return Arrays{
            of_line.slope, of_line.height,       of_both.slope,  of_both.height, of_x, grad(loss)(in[0], line, 1),
            value,         loss(in[0], line, 1), gradient.height};
      },
      {Tensor::of<float>({2}, {1, 3}), Tensor::scalar(2.0f), Tensor::scalar(5.0f)});
  CHECK(all[0].item() == 2 * (6 * 1 + 10 * 3));
  CHECK(all[1].item() == 2 * (6 + 10));
  for (const auto& [one, other] : {std::pair{0, 2}, {1, 3}, {1, 8}, {4, 5}, {6, 7}})
    CHECK(all[static_cast<std::size_t>(one)] == all[static_cast<std::size_t>(other)]);
}

TEST_CASE("what a gradient is not taken with respect to may be data") {
  const Tensor weights = Tensor::of<float>({3}, {1, 0, 2});
  const std::vector<Tensor> all = results(
      [&](const Arrays& in) {
        const auto named = [](const Array& w, const Tensor& t) { return sum(w * w * t); };
        const auto any = [](const auto& t, const auto& w) { return sum(w * w * t); };
        return Arrays{grad(named)(in[0], weights), grad<1>(any)(weights, in[0]),
                      value_and_grad(checkpoint(named))(in[0], weights).second};
      },
      {Tensor::of<float>({3}, {1, 5, 3})});
  for (const Tensor& each : all) CHECK(numbers<float>(each) == Floats{2, 0, 12});
}

TEST_CASE("a loss beside other results, and arguments that are tuples, are differentiated by number, too") {
  const auto loss = [](const Array& x, const std::pair<Array, Array>& y) {
    return std::pair{sum(x * y.first * y.second), x + 1};
  };
  const std::vector<Tensor> all = results(
      [&](const Arrays& in) {
        const auto [result, gradient] = value_and_grad<1>(loss)(in[0], std::pair{in[1], in[2]});
        return Arrays{result.first, result.second, gradient.first, gradient.second};
      },
      {Tensor::scalar(2.0f), Tensor::scalar(5.0f), Tensor::scalar(7.0f)});
  CHECK(all[0].item() == 70);
  CHECK(all[1].item() == 3);
  CHECK(all[2].item() == 14);
  CHECK(all[3].item() == 10);
  CHECK(refused({f32({}), {DType::i32, {}}}, [](const Arrays& in) {
          return grad<1>([](const Array& x, const Array& y) { return x * cast<float>(y); })(in[0], in[1]);
        }).number == 402);
}
