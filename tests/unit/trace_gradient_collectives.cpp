/// Derivatives across replicas: of the sum over all replicas of what each computes.
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
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

std::vector<std::vector<Tensor>> of_four(Draw& draw, const Shape& shape) {
  std::vector<std::vector<Tensor>> arguments(4);
  for (auto& own : arguments) own.push_back(draw.tensor(shape));
  return arguments;
}

}  // namespace

std::vector<Sample> collective_samples() {
  std::vector<Sample> samples;
  Draw draw{9};
  const ReplicaGroups together = all_replicas(4), pairs{{3, 0}, {1, 2}};
  for (const ReplicaGroups& groups : {together, pairs}) {
    const std::int64_t size = group_size(groups);
    samples.push_back({"softmax, its largest score stopped",
                       [=](const Arrays& in) {
                         const Array most = all_reduce(stop_gradient(max(in[0])), groups, Reducer::maximum);
                         return Arrays{log(all_reduce(sum(exp(in[0] - most)), groups)) + most};
                       },
                       of_four(draw, {2, 3})});
    samples.push_back({"all_reduce", [=](const Arrays& in) { return Arrays{square(all_reduce(in[0], groups))}; },
                       of_four(draw, {2, 3})});
    for (std::int64_t dimension : {0, 1}) {
      samples.push_back({"all_gather",
                         [=](const Arrays& in) { return Arrays{square(all_gather(in[0], groups, dimension))}; },
                         of_four(draw, {2, 3})});
      Shape split{2, 3};
      split[dimension] *= size;
      samples.push_back({"reduce_scatter",
                         [=](const Arrays& in) { return Arrays{square(reduce_scatter(in[0], groups, dimension))}; },
                         of_four(draw, split)});
      samples.push_back(
          {"all_to_all",
           [=](const Arrays& in) { return Arrays{square(all_to_all(in[0], groups, dimension, 1 - dimension))}; },
           of_four(draw, split)});
    }
  }
  samples.push_back({"all_reduce without groups",
                     [](const Arrays& in) { return Arrays{square(all_reduce(in[0], {}))}; }, of_four(draw, {2})});
  // Replica 2 is no target, replica 3 no source.
  samples.push_back(
      {"collective_permute",
       [](const Arrays& in) { return Arrays{square(collective_permute(in[0], {{0, 1}, {1, 3}, {2, 0}}))}; },
       of_four(draw, {3})});
  samples.push_back(
      {"all_reduce in a loop",
       [](const Arrays& in) {
         return Arrays{fori_loop(
             0, 2, [&](const Array&, const Array& x) { return sin(all_reduce(x, all_replicas(4))) * in[0]; }, in[0])};
       },
       of_four(draw, {2})});
  return samples;
}

TEST_CASE("derivatives across replicas are those of finite differences in one replica's input") {
  for (const Sample& sample : collective_samples()) CHECK(gradient_fault(sample) == "");
}

TEST_CASE("the largest over replicas refuses its derivative with X104") {
  for (Reducer reducer : {Reducer::maximum, Reducer::multiply}) {
    const Graph graph =
        trace([&](const Arrays& in) { return Arrays{sum(all_reduce(in[0], all_replicas(2), reducer))}; },
              {{DType::f64, {2}}});
    try {
      grad(graph);
      FAIL("a derivative was made");
    } catch (const Error& error) {
      CHECK(error.number() == 104);
    }
  }
}
