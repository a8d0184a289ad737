/// Derivatives through branches and loops.
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

const Tensor yes = Tensor::scalar(true), no = Tensor::scalar(false);

struct Pair {
  Array first, second;
};

Arrays branches(const Arrays& in) {
  const Array x = in[1], y = in[2];
  const Pair result = cond(in[0], [&] { return Pair{x * y, sin(x)}; }, [&] { return Pair{x - y * y, x}; });
  return {result.first, result.second * y};
}

Arrays nested_branches(const Arrays& in) {
  const Array x = in[2], doubled = x * 2.0;
  return {cond(
      in[0],
      [&] {
        const Array inner = square(x);
        return cond(in[1], [&] { return inner * doubled; }, [&] { return exp(doubled); });
      },
      [&] { return cond(in[1], [&] { return doubled; }, [&] { return zeros(x.type()); }); })};
}

/// The condition depends on what is differentiated, and one branch on nothing.
Arrays branch_on_argument(const Arrays& in) {
  const Array x = in[0];
  return {cond(sum(x) > 0, [&] { return square(x); }, [&] { return full(x.type(), 3); })};
}

Arrays constant_branches(const Arrays& in) {
  const Array chosen =
      cond(sum(in[0]) > 0, [] { return constant(Tensor::scalar(2.0)); }, [] { return constant(Tensor::scalar(5.0)); });
  return {in[0] * chosen};
}

/// state = state · x + sin(y) · i, where x and y are captured.
std::function<Arrays(const Arrays&)> counted(std::int64_t lower, std::int64_t upper) {
  return [=](const Arrays& in) {
    const Array x = in[1], y = in[2];
    return Arrays{fori_loop(
        lower, upper, [&](const Array& i, const Array& state) { return state * x + sin(y) * cast<double>(i); }, in[0])};
  };
}

/// A loop over pairs of which one part changes its place, within a loop.
Arrays loops(const Arrays& in) {
  const Array scale = in[2];
  const Pair last = fori_loop(
      0, 2,
      [&](const Array& i, const Pair& outer) {
        const Pair inner = fori_loop(
            0, 3,
            [&](const Array& j, const Pair& pair) {
              return Pair{pair.second * scale, pair.first + cast<double>(i + j) * outer.first};
            },
            outer);
        return Pair{tanh(inner.first), inner.second};
      },
      Pair{in[0], in[1]});
  return {last.first, last.second};
}

/// The state is written to, at places that the counter names.
Arrays filling(const Arrays& in) {
  const Array x = in[0];
  return {fori_loop(
      0, 3,
      [&](const Array& i, const Array& table) {
        return update_leading(table, square(index_leading(table, i)) + x, i + 1);
      },
      zeros({DType::f64, {4}}))};
}

Arrays loop_in_branch_in_loop(const Arrays& in) {
  const Array x = in[0];
  return {fori_loop(
      0, 3,
      [&](const Array& i, const Array& state) {
        return cond(
            i < 2, [&] { return fori_loop(0, 2, [&](const Array&, const Array& s) { return s * x + state; }, state); },
            [&] { return state * sin(x); });
      },
      x)};
}

/// A loop whose number of repetitions can be read off its condition.
Arrays counted_while(const Arrays& in) {
  const auto [count, value] = while_loop([](const Pair& state) { return state.first < 4; },
                                         [&](const Pair& state) { return Pair{state.first + 1, state.second * in[0]}; },
                                         Pair{constant(Tensor::scalar<std::int32_t>(0)), in[0]});
  return {value};
}

/// Inputs of two kinds; the carry, and outputs of another shape than the carry.
Arrays scanned(const Arrays& in) {
  const Array scale = in[3];
  const auto [carry, outputs] = scan(
      [&](const Array& state, const Pair& element) {
        const Array next = tanh(state * scale + sum(element.first) * cast<double>(element.second));
        return std::pair{next, Pair{next * next, element.first * state}};
      },
      in[0], Pair{in[1], in[2]});
  return {carry, outputs.first, outputs.second};
}

Arrays scan_in_scan(const Arrays& in) {
  const auto [carry, rows] = scan(
      [](const Array& state, const Array& row) {
        const auto [inner, cells] =
            scan([](const Array& s, const Array& cell) { return std::pair{s * cell + sin(s), s * s}; }, state, row);
        return std::pair{inner, cells};
      },
      in[0], in[1]);
  return {carry, rows};
}

/// Of the first result alone something is made.
Arrays behind_barriers(const Arrays& in) {
  const Pair one = optimization_barrier(Pair{in[0] * in[1], sin(in[1])});
  const Pair other = optimization_barrier(Pair{one.first * one.second, in[0]});
  return {other.first * one.second, one.first};
}

}  // namespace

std::vector<Sample> control_samples() {
  std::vector<Sample> samples;
  Draw draw{8};
  for (const Tensor& truth : {yes, no}) {
    samples.push_back({"branches", branches, {{truth, draw.tensor({2, 2}), draw.tensor({2, 2})}}});
    for (const Tensor& other : {yes, no})
      samples.push_back({"branches in branches", nested_branches, {{truth, other, draw.tensor({3})}}});
    const double sign = truth.item() != 0 ? 1 : -1;
    samples.push_back({"a branch on an argument", branch_on_argument, {{draw.tensor({3}, sign, 2 * sign)}}});
    samples.push_back({"branches without inputs", constant_branches, {{draw.tensor({3}, sign, 2 * sign)}}});
  }
  for (std::int64_t upper : {2, 3, 7, -5})
    samples.push_back({"a loop from 2 to " + std::to_string(upper),
                       counted(2, upper),
                       {{draw.tensor({2}, -1, 1), draw.tensor({2}, -1, 1), draw.tensor({}, -1, 1)}}});
  samples.push_back(
      {"loops in loops", loops, {{draw.tensor({2}, -1, 1), draw.tensor({2}, -1, 1), draw.tensor({}, 0.5, 1)}}});
  samples.push_back({"a loop that fills a table", filling, {{draw.tensor({}, -1, 1)}}});
  samples.push_back({"a loop in a branch in a loop", loop_in_branch_in_loop, {{draw.tensor({2}, 0.3, 0.8)}}});
  samples.push_back({"a counted while", counted_while, {{draw.tensor({2}, -1, 1)}}});
  for (std::int64_t n : {1, 2, 5})
    samples.push_back(
        {"a scan of " + std::to_string(n),
         scanned,
         {{draw.tensor({}, -1, 1), draw.tensor({n, 2}, -1, 1), draw.integers({n}, -2, 2), draw.tensor({}, -1, 1)}}});
  samples.push_back({"barriers", behind_barriers, {{draw.tensor({2}, -1, 1), draw.tensor({2}, -1, 1)}}});
  samples.push_back({"a scan in a scan", scan_in_scan, {{draw.tensor({}, -1, 1), draw.tensor({2, 3}, -1, 1)}}});
  return samples;
}

TEST_CASE("derivatives through branches and loops are those of finite differences") {
  for (const Sample& sample : control_samples()) CHECK(gradient_fault(sample) == "");
}

TEST_CASE("second derivatives through branches and loops are those of finite differences") {
  for (const Sample& sample : control_samples()) CHECK(gradient_fault(second(sample), 1e-6) == "");
}

TEST_CASE("what a branch or a loop captures is differentiated by grad of a function, too") {
  const auto through_all = [](const Array& x) {
    const Array branch = cond(x > 0, [&] { return x * x * x; }, [&] { return x; });
    return fori_loop(0, 2, [&](const Array&, const Array& s) { return s * x; }, branch);
  };
  const Graph graph =
      trace([&](const Arrays& in) { return Arrays{grad(through_all)(in[0]), grad(grad(through_all))(in[0])}; },
            {{DType::f64, {}}});
  const Tensor two = Tensor::scalar(2.0);
  const auto derived = evaluate(graph, std::span{&two, 1});
  CHECK(derived[0].item() == 80);   // 5 x⁴
  CHECK(derived[1].item() == 160);  // 20 x³
}

TEST_CASE("grad within a branch or a loop differentiates what it is given there") {
  const auto cubed = [](const Array& x) { return x * x * x; };
  const Graph graph = trace(
      [&](const Arrays& in) {
        return Arrays{cond(
                          in[0] > 0, [&] { return grad(cubed)(in[0]); }, [&] { return in[0]; }),
                      fori_loop(0, 2, [&](const Array&, const Array& x) { return x - grad(cubed)(x) * 0.25; }, in[0])};
      },
      {{DType::f64, {}}});
  const Tensor two = Tensor::scalar(2.0);
  const auto results = evaluate(graph, std::span{&two, 1});
  CHECK(results[0].item() == 12);
  CHECK(results[1].item() == -1.75);  // 2 - 3 = -1, -1 - 0.75
}

TEST_CASE("what a turn of a loop reads of an array is added to its gradient there, and to no other element") {
  const TensorType rows{DType::f32, {5, 3}};
  const Tensor x = Tensor::of<float>(rows.shape, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
  using Read = Array (*)(const Array& x, const Array& i);
  for (const Read read : {Read{[](const Array& x, const Array& i) { return index_leading(x, i); }},
                          Read{[](const Array& x, const Array& i) { return take(x, i); }}}) {
    const auto squares = [&](const Array& x) {
      const auto turn = [&](const Array& i, const Array& carry) { return carry + sum(square(read(x, i))); };
      return fori_loop(0, 5, turn, constant(Tensor::scalar(0.0f)));
    };
    const Graph graph = trace([&](const Arrays& in) { return Arrays{grad(squares)(in[0])}; }, {rows});
    int loops = 0;
    for (const Node& node : graph.nodes())
      for (const Graph& region : node.regions) {
        ++loops;
        for (const Node& within : region.nodes())
          CHECK((within.op != Op::add || region.type(within.outputs.front()) != rows));
      }
    CHECK(loops > 0);
    const Tensor gradient = evaluate(graph, std::span{&x, 1}).front();
    for (std::int64_t i = 0; i < x.elements(); ++i) CHECK(gradient.at(i) == 2 * x.at(i));
  }
}

TEST_CASE("a while_loop whose repetitions are not known refuses its derivative with X104 and its line") {
  unsigned line = 0;
  const Graph graph = trace(
      [&](const Arrays& in) {
        const auto small = [](const Array& x) { return x < 100; };
        const auto twice = [](const Array& x) { return x * 2.0; };
        line = __LINE__ + 1;
        return Arrays{while_loop(small, twice, in[0])};
      },
      {{DType::f64, {}}});
  const Tensor three = Tensor::scalar(3.0);
  CHECK(evaluate(graph, std::span{&three, 1}).front().item() == 192);
  try {
    grad(graph);
    FAIL("a derivative was made");
  } catch (const Error& error) {
    const Diagnostic& fault = error.diagnostics().front();
    CHECK(fault.number == 104);
    CHECK(fault.where.line == line);
    CHECK(fault.where.file.string().ends_with("trace_gradient_control.cpp"));
    CHECK(fault.sentence.find("fori_loop or scan") != std::string::npos);
    CHECK(fault.because.size() == 1);
  }
}

TEST_CASE("a while_loop that what is differentiated does not enter is no obstacle") {
  const Graph graph = trace(
      [](const Arrays& in) {
        const Array beside = while_loop([](const Array& x) { return x < 100; }, [](const Array& x) { return x * 2.0; },
                                        constant(Tensor::scalar(3.0)));
        return Arrays{in[0] * beside};
      },
      {{DType::f64, {}}});
  const Tensor x = Tensor::scalar(1.0);
  CHECK(evaluate(grad(graph), std::span{&x, 1}).front().item() == 192);
}

TEST_CASE("a while_loop behind what has no derivative is no obstacle: its gradient is stopped before it") {
  const auto doubled = [](const Array& from, const Array& by) {
    return while_loop([](const Array& x) { return x < 100; }, [&](const Array& x) { return x * by; }, from);
  };
  const auto two = [] { return constant(Tensor::scalar(2.0)); };
  const std::pair<const char*, std::function<Array(const Array&)>> uses[] = {
      {"begins with", [&](const Array& x) { return doubled(stop_gradient(x), two()); }},
      {"captures", [&](const Array& x) { return doubled(constant(Tensor::scalar(1.0)), 1.0 + stop_gradient(x)); }},
      {"rounded", [&](const Array& x) { return doubled(round(x), two()); }},
      {"index", [&](const Array& x) { return doubled(1.0 + cast<double>(argmax(reshape(x, {1}))), two()); }},
      {"within a scan",
       [&](const Array& x) {
         return scan([&](const Array& sum,
                         const Array& row) { return std::pair{sum + doubled(stop_gradient(row), two()), row}; },
                     0.0 * x, reshape(x, {1}))
             .first;
       }},
  };
  const Tensor x = Tensor::scalar(1.0);
  for (const auto& [name, use] : uses) {
    INFO(name);
    const Graph graph = trace([&](const Arrays& in) { return Arrays{in[0] * use(in[0])}; }, {{DType::f64, {}}});
    CHECK(evaluate(grad(graph), std::span{&x, 1}).front().item() == 128);
  }
}
