/// Programs drawn at random: what passes leave of them is well-formed after each pass, and computes what the reference
/// does, however loops were fused. Passes write a graph anew in its own place, so what is tried here is every order of
/// keeping, leaving out and putting in: duplicates, dead nodes, identities, moves of moves and constants lie among each
/// other, parameters come late and unused, and results are parameters, or one value twice.
#include <algorithm>
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>
import octet.base;
import octet.graph;
import octet.compile;

#include "evaluated.hpp"
// Needs the first one.
#include "compiled.hpp"
#include "random_programs.hpp"

using namespace octet;

namespace {

#ifdef __EMSCRIPTEN__  // which takes five times as long
constexpr int programs = 150;
#else
constexpr int programs = 1500;
#endif

void check(Kind kind) {
  Dice dice{70 + static_cast<std::uint64_t>(kind)};
  Threads alone, two{2};
  std::size_t left_out = 0;
  for (int i = 0; i < programs; ++i) {
    const Drawn drawn = Drawing{dice, kind}.draw();
    INFO("program " << i << "\n" << to_string(drawn.graph));
    CompileOptions options;
    // With somebody to look on, a graph is verified after each pass.
    options.on_pass = [&](std::string_view pass, const Graph& before, const Graph& after) {
      INFO(pass);
      CHECK(after.parameter_types() == before.parameter_types());
      CHECK(after.result_types() == before.result_types());
      left_out += before.nodes().size() - std::min(after.nodes().size(), before.nodes().size());
    };
    const Executable executable = compile(drawn.graph, options);
    const std::vector<Tensor> expected = evaluate(drawn.graph, drawn.arguments);
    for (Threads* const threads : {&alone, &two}) {
      const std::vector<Tensor> results = executable.run(drawn.arguments, *threads);
      REQUIRE(results.size() == expected.size());
      for (std::size_t r = 0; r < results.size(); ++r) {
        INFO("result " << r << ": " << text(results[r]) << ", and by the reference " << text(expected[r]));
        REQUIRE(same_bits(results[r], expected[r]));
      }
    }
  }
  CHECK(3 * left_out > 20 * programs);
}

}  // namespace

TEST_CASE("what is left of a random program computes the same") { check(Kind::any); }

TEST_CASE("what is left of a random program computes the same, where parameters come late") {
  check(Kind::late_parameters);
}

TEST_CASE("what is left of a random program computes the same, where loops are tangled") { check(Kind::tangled); }

TEST_CASE("two loops become one, and what came after either of them comes after it") {
  const TensorType square{DType::f32, {4, 4}};
  for (const bool swapped : {false, true}) {
    Graph graph;
    const ValueId p = graph.parameter(square), q = graph.parameter(square);
    const auto add = [&](Op op, std::vector<ValueId> inputs, Attributes attributes = {}) {
      return graph.append(op, std::move(inputs), std::move(attributes)).front();
    };
    const ValueId one = add(Op::add, {p, p}), other = add(Op::add, {q, q});
    // Another kernel, which needs the other loop.
    const ValueId upper = add(Op::slice, {other}, SliceAttributes{{0, 0}, {2, 4}, {1, 1}});
    const ValueId between = add(Op::concatenate, {upper, upper}, DimensionAttributes{0});
    const ValueId both = swapped ? add(Op::maximum, {one, other}) : add(Op::maximum, {other, one});
    const ValueId after = add(Op::add, {between, one});
    graph.set_results({both, after});
    Dice dice{5};
    const std::vector<Tensor> arguments{dice.tensor(DType::f32, {4, 4}), dice.tensor(DType::f32, {4, 4})};
    Threads alone;
    const std::vector<Tensor> expected = evaluate(graph, arguments);
    const Executable executable = compile(graph, {});
    const std::vector<Tensor> results = executable.run(arguments, alone);
    CHECK(executable.statistics().kernels == 4);  // both loops, the halves, one below the other, the sum
    for (std::size_t r = 0; r < results.size(); ++r) CHECK(same_bits(results[r], expected[r]));
  }
}
