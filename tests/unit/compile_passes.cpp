// What the passes make of a graph, and for which instruction sets and arguments there is no program.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
import octet.base;
import octet.graph;
import octet.trace;
import octet.compile;

#include "refusal.hpp"

using namespace octet;

namespace {

const TensorType matrix{DType::f32, Shape{37, 130}};
const TensorType row{DType::f32, Shape{130}};

}  // namespace

TEST_CASE("branches and loops that give nothing are left out, in regions too") {
  const auto idle = [](Graph& graph, ValueId condition) {
    Graph never;
    never.set_results({never.constant(Tensor::scalar(false))});
    graph.append(Op::if_, {condition}, {}, {Graph{}, Graph{}});
    graph.append(Op::while_, {}, {}, {never, Graph{}});
  };
  Graph graph, branch;
  const ValueId inner = branch.parameter({DType::pred, {}});
  idle(branch, inner);
  branch.set_results({branch.append(Op::not_, {inner}).front()});
  const ValueId condition = graph.parameter({DType::pred, {}});
  idle(graph, condition);
  graph.set_results(graph.append(Op::if_, {condition, condition}, {}, {branch, branch}));
  Threads threads{1};
  const Executable executable = compile(read(to_string(graph)));
  CHECK(executable.graph().nodes().size() == 1);
  CHECK(executable.run({Tensor::scalar(true)}, threads) == evaluate(graph, std::vector{Tensor::scalar(true)}));
}

TEST_CASE("loops within loops are compiled in a time that does not double with each") {
  // Of each loop's state only the first part is needed, which needs the other one.
  const std::function<Array(int, const Array&)> nested = [&](int depth, const Array& x) {
    if (depth == 0) return x;
    const auto body = [&](const Array&, const std::pair<Array, Array>& state) {
      const Array product = state.first * state.second;
      return std::pair{nested(depth - 1, product), product};
    };
    return fori_loop(0, 1, body, std::pair{x, x}).first;
  };
  const Graph graph = trace([&](const auto& a) { return Arrays{nested(24, a[0])}; }, {row});
  Threads alone;
  const std::vector<Tensor> ones{Tensor::full<float>(row.shape, 1)};
  CHECK(compile(graph).run(ones, alone)[0] == ones[0]);
}

TEST_CASE("each pass is shown with the graph before and after it, and nothing is left to do at the end") {
  const Graph graph =
      trace([](const auto& a) { return Arrays{(a[0] * 1.0) + stop_gradient(a[0]) + (a[0] + a[0]) + (a[0] + a[0])}; },
            {matrix});
  std::vector<std::string> seen;
  CompileOptions options;
  options.on_pass = [&](std::string_view pass, const Graph& before, const Graph& after) {
    seen.push_back(std::string{pass});
    CHECK(to_string(before).find("func.func") != std::string::npos);
    CHECK(after.nodes().size() <= before.nodes().size());
  };
  const Executable executable = compile(graph, options);
  for (const Pass& pass : passes()) CHECK(std::count(seen.begin(), seen.end(), std::string{pass.name}) >= 1);
  CHECK(executable.graph().nodes().size() == 3);  // x + x once, and two sums of it
  CHECK(executable.statistics().arena_bytes + executable.statistics().thread_bytes ==
        0);  // one loop, straight into the result
}

TEST_CASE("an instruction set that the processor lacks is refused with X709") {
  const Graph graph = trace([](const auto& a) { return Arrays{a[0] + 1.0}; }, {row});
  for (const Isa isa : {Isa::baseline, Isa::avx2, Isa::avx512, Isa::avx512bf16, Isa::amx, static_cast<Isa>(77)}) {
    const bool has = std::ranges::count(available_isas(), isa) == 1;
    CHECK(number_of([&] { compile(graph, {.isa = isa}); }) == (has ? 0 : 709));
  }
}

TEST_CASE("arguments of another type are refused by name") {
  Threads alone;
  const Executable executable = compile(trace([](const auto& a) { return Arrays{a[0] + 1.0}; }, {matrix}));
  try {
    executable.run(std::vector<Tensor>{Tensor{row}}, alone);
    FAIL("was accepted");
  } catch (const Error& error) {
    CHECK(error.number() == 405);
    CHECK(std::string{error.what()}.find("arg0") != std::string::npos);
  }
}
