// Calls of compiled functions for which memory does not suffice.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

import octet.base;
import octet.graph;
import octet.trace;
import octet.compile;

#include "refusal.hpp"

using namespace octet;

TEST_CASE("where a call's results need more memory than there is, what was moved in is where it was") {
  // Each is 8 TB, and all are more than can be addressed.
  const auto state_and_squares = [](const Array& state, const Array& x) {
    const Array square = reshape(x, {x.shape()[0], 1}) + x;
    std::vector<Array> results{state + 1.0f};
    for (int k = 1; k <= 20; ++k) results.push_back(square * static_cast<double>(k));
    return results;
  };
  const auto step = jit(state_and_squares, {.argument_names = {"state", "x"}, .donated = {"state"}});
  Tensor state = Tensor::full(Shape{2}, 1.0f);
  const Tensor x{DType::f64, Shape{1 << 20}};
  for (int call = 0; call < 3; ++call) {  // the first one compiles
    CHECK(number_of([&] { step(std::move(state), x); }) == 408);
    REQUIRE(state == Tensor::full(Shape{2}, 1.0f));
  }
  // So it is where x is padded.
  const auto padded =
      jit(state_and_squares, {.buckets = {{.argument = "x", .dimension = 0, .policy = multiple_of(1 << 20)}},
                              .argument_names = {"state", "x"},
                              .donated = {"state"}});
  Tensor shorter{DType::f64, Shape{(1 << 20) - 1}};
  CHECK(number_of([&] { padded(std::move(state), std::move(shorter)); }) == 408);
  CHECK(state == Tensor::full(Shape{2}, 1.0f));
  CHECK(shorter.shape() == Shape{(1 << 20) - 1});
  CHECK(shorter == Tensor{DType::f64, Shape{(1 << 20) - 1}});
}
