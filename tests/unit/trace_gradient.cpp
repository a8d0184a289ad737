/// The derivative column: it has no gaps, and no rule in it is untested.
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

import octet.base;
import octet.graph;
import octet.trace;

#include "gradients.hpp"

using namespace octet;

namespace {

void collect(const Graph& graph, std::set<Op>& found) {
  for (const Node& node : graph.nodes()) {
    found.insert(node.op);
    for (const Graph& region : node.regions) collect(region, found);
  }
}

/// The operations on which the samples are differentiated.
std::set<Op> sampled() {
  std::set<Op> found;
  for (auto samples : {elementwise_samples, movement_samples, contraction_samples, control_samples, collective_samples})
    for (const Sample& sample : samples()) collect(trace(sample.function, types_of(sample.arguments.front())), found);
  return found;
}

}  // namespace

TEST_CASE("every operation with a derivative rule has a sample that compares it with finite differences") {
  const std::set<Op> found = sampled();
  for (const Operation& row : operations()) {
    INFO(row.name);
    if (derivative(row.op).rule) CHECK(found.contains(row.op));
  }
}

TEST_CASE("every operation has a rule, or a reason why its derivative is zero or missing") {
  for (const Operation& row : operations()) {
    INFO(row.name);
    const Derivative& column = derivative(row.op);
    CHECK((column.rule != nullptr) != !column.reason.empty());
    CHECK_FALSE((column.rule && column.zero));
  }
}

TEST_CASE("the comparison with finite differences notices a derivative that is wrong") {
  const Sample half{"half of the derivative",
                    [](const Arrays& in) { return Arrays{in[0] * stop_gradient(in[0])}; },
                    {{Tensor::full<double>({2}, 1.5)}}};
  CHECK(gradient_fault(half).starts_with("half of the derivative: argument 0 f64[2], element 0"));
}

TEST_CASE("operations whose derivative is zero pass nothing on") {
  const std::vector<std::pair<std::string, std::function<Array(const Array&)>>> functions{
      {"floor", [](const Array& x) { return floor(x); }},
      {"ceil", [](const Array& x) { return ceil(x); }},
      {"round", [](const Array& x) { return round(x); }},
      {"sign", [](const Array& x) { return sign(x); }},
      {"compare", [](const Array& x) { return cast<double>(x > 0.3); }},
      {"is_finite", [](const Array& x) { return cast<double>(is_finite(x)); }},
      {"through integers", [](const Array& x) { return cast<double>(cast<std::int32_t>(x * 10) & 3); }},
      {"stop_gradient", [](const Array& x) { return stop_gradient(square(x)); }},
  };
  for (const auto& [name, function] : functions) {
    INFO(name);
    const Graph graph = trace([&](const Arrays& in) { return Arrays{sum(function(in[0]))}; }, {{DType::f64, {3}}});
    const Tensor x = Tensor::of<double>({3}, {0.25, -1.5, 2.75});
    CHECK(evaluate(grad(graph), std::span{&x, 1}).front() == Tensor{DType::f64, {3}});
  }
}
