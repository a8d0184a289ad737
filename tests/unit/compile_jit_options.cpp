// Options of a compiled function that cannot be met, or name nothing: refused, each as soon as it is known.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

import octet.base;
import octet.graph;
import octet.trace;
import octet.compile;

#include "refusal.hpp"

using namespace octet;

TEST_CASE("rules and donations that name nothing are refused") {
  const Tensor one = Tensor::full<float>({1}, 1);
  const auto f = jit([](Array x) { return x + 1; }, {.buckets = {{"x", 0, multiple_of(8)}}});
  CHECK(number_of([&] { f(one); }) == 709);
  const auto g = jit([](Array x) { return x + 1; }, {.donated = {"state"}});
  CHECK(number_of([&] { g(one); }) == 709);
  CHECK(number_of([] { jit([](Array x) { return x; }, {.max_programs = 0}); }) == 709);
}

TEST_CASE("two arguments of one name are refused") {
  const auto add = [](Array x, Array y) { return x + y; };
  CHECK(number_of([&] { jit(add, {.argument_names = {"x", "x"}}); }) == 709);
}

TEST_CASE("a name too many among the arguments is refused, when they are known") {
  const auto f = jit([](const Array& x) { return x + 1.0; }, {.argument_names = {"x", "mask"}});
  const Tensor x{DType::f32, {2}};
  CHECK(number_of([&] { f.warm_up(x); }) == 709);
  try {
    f(x);
    FAIL("it ran");
  } catch (const Error& error) {
    CHECK(error.number() == 709);
    CHECK(error.diagnostics().front().sentence == "argument_names has 2 names, and the call 1 argument.");
    CHECK(error.diagnostics().front().fix.front() == "leave 'mask' out");
  }
}
