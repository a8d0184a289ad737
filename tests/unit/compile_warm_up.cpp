// Warm-ups: which programs are compiled ahead, and which are refused.
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

import octet.base;
import octet.graph;
import octet.trace;
import octet.compile;

#include "refusal.hpp"

using namespace octet;

namespace warm_up_test {

struct Batch {
  Array tokens, mask;
};

Values<Batch> batch_of(std::int64_t length) {
  return {Batch{}, {Tensor::full<float>({2, length}, 1), Tensor::full<float>({2, length}, 1)}};
}

Array weighed(const Batch& batch) { return sum(batch.tokens * batch.mask) / sum(batch.mask); }

Tensor ones(std::int64_t n) { return Tensor::full<float>({n}, 1); }

}  // namespace warm_up_test

TEST_CASE("a warm-up compiles each bucket ahead, and then no call compiles") {
  const auto f =
      jit(warm_up_test::weighed, {.buckets = {{"batch.tokens", 1, multiple_of(16)}, {"batch.mask", 1, multiple_of(16)}},
                                  .argument_names = {"batch"}});
  const WarmUp done = f.warm_up(warm_up_test::batch_of(50));
  CHECK(done.compiled == 4);
  CHECK(done.known == 0);
  CHECK(done.milliseconds > 0);
  CHECK(f.warm_up(warm_up_test::batch_of(50)).known == 4);
  const NoCompiling frozen = f.forbid_compiling();
  for (std::int64_t length = 1; length <= 64; ++length) f(warm_up_test::batch_of(length));
  CHECK(f.statistics().programs == 4);
  CHECK(number_of([&] { f(warm_up_test::batch_of(65)); }) == 303);
  CHECK(f.statistics().elements.real > 0);
}

TEST_CASE("a warm-up goes over all buckets of bounded policies, and all combinations of independent ones") {
  std::set<std::string> compiled;
  const auto f = jit([](const Array& a, const Array& b, const Array& whole) { return sum(a) + sum(b) + sum(whole); },
                     {.buckets = {{"a", 0, one_of({4, 8, 16})}, {"b", 0, doubling_then_linear(4, 4)}},
                      .argument_names = {"a", "b", "whole"},
                      .on_compile = [&](const CompileEvent& event) { compiled.insert(to_string(event.signature)); }});
  CHECK(f.warm_up(warm_up_test::ones(1), warm_up_test::ones(7), warm_up_test::ones(5)).compiled == 12);
  CHECK(compiled.size() == 12);
  CHECK(compiled.contains("a f32[16], b f32[8], whole f32[5]"));
  CHECK(compiled.contains("a f32[4], b f32[1], whole f32[5]"));
  CHECK_FALSE(compiled.contains("a f32[4], b f32[16], whole f32[5]"));
}

TEST_CASE("a warm-up that the cache could not keep is refused before it compiles anything") {
  const auto f = jit([](const Array& x) { return x; },
                     {.buckets = {{"x", 0, multiple_of(1)}}, .argument_names = {"x"}, .max_programs = 8});
  CHECK(number_of([&] { f.warm_up(warm_up_test::ones(9)); }) == 304);
  CHECK(f.statistics().misses == 0);
  CHECK(f.warm_up(warm_up_test::ones(8)).compiled == 8);
  CHECK(number_of([&] {
          jit([](const Array& x) { return x; }, {.buckets = {{"x", 0, one_of({4})}}, .argument_names = {"x"}})
              .warm_up(warm_up_test::ones(9));
        }) == 301);
}

TEST_CASE("an example of a warm-up that no bucket holds is refused by the argument's name, as a call is") {
  const auto f = jit([](const Array& x, const Array& y) { return x + y; },
                     {.buckets = {{"x", 0, max_length(8)}, {"y", 0, max_length(8)}}, .argument_names = {"x", "y"}});
  const std::string sentence = sentence_of([&] { f.warm_up(warm_up_test::ones(8), warm_up_test::ones(9)); });
  CHECK(sentence.starts_with("Dimension 0 of 'y' is 9"));
  CHECK(sentence == sentence_of([&] { f(warm_up_test::ones(8), warm_up_test::ones(9)); }));
}
