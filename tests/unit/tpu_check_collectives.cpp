// Collectives that wait for one another, found in a program.
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <string>
#include <vector>
import octet.base;
import octet.graph;
import octet.trace;
import octet.compile;
import octet.tpu;

using namespace octet;

namespace {

const tpu::Slice pod = tpu::slice("v3-2048");

/// A sum over 16 parts of the batch, reduced in each turn of the loop or once after it.
CheckLine accumulated(bool reduces_in_each) {
  const Graph program = trace(
      [&](const std::vector<Array>& in) {
        Array sum_of = fori_loop(
            0, 16,
            [&](const Array& i, const Array& total) {
              const Array part = in[1] * cast<float>(i);
              return total + (reduces_in_each ? all_reduce(part, pod.all()) : part);
            },
            zeros({DType::f32, {256}}));
        if (!reduces_in_each) sum_of = all_reduce(sum_of, pod.all());
        return std::vector{in[0] - sum_of};
      },
      {{DType::f32, {256}}, {DType::f32, {256}}});
  CheckOptions options;
  options.batch = {"arg1"};
  return check(program, pod, options).line("gradients");
}

}  // namespace

TEST_CASE("an all_reduce in every turn of a loop is told what one after it would take") {
  const CheckLine line = accumulated(true);
  CHECK(line.verdict == Verdict::warn);
  CHECK(line.number() == 611);
  CHECK(line.finding.find("16 collectives in 16 rounds") != std::string::npos);
  CHECK(line.cure.front().find("after it") != std::string::npos);
  CHECK(accumulated(false).verdict == Verdict::pass);
}

TEST_CASE("several updates in a loop each need the one before: it is not asked to reduce their gradients once") {
  const auto updated = [](bool in_parts) {
    const Graph program = trace(
        [&](const std::vector<Array>& in) {
          return std::vector{fori_loop(
              0, 16,
              [&](const Array&, const Array& weight) {
                const auto part = [&](const Array& i, const Array& total) {
                  return total + all_reduce(in[1] * weight * cast<float>(i), pod.all());
                };
                return weight - (in_parts ? fori_loop(0, 8, part, zeros({DType::f32, {256}}))
                                          : all_reduce(in[1] * weight, pod.all()));
              },
              in[0])};
        },
        {{DType::f32, {256}}, {DType::f32, {256}}});
    CheckOptions options;
    options.batch = {"arg1"};
    return check(program, pod, options).line("gradients");
  };
  INFO(updated(false).finding);
  CHECK(updated(false).verdict == Verdict::pass);
  const CheckLine each = updated(true);  // the parts of one update can be added up
  INFO(each.finding);
  CHECK(each.number() == 611);
  const std::string waiting = "8 collectives in 8 rounds that wait for one another, in each of 16 turns, take ";
  REQUIRE(each.finding.starts_with(waiting));
  CHECK(each.finding.find(" in each would take ") != std::string::npos);
  // Of nearly all of the step: the turns together.
  const auto milliseconds_after = [&](const std::string& words) {
    return std::stod(each.finding.substr(each.finding.find(words) + words.size()));
  };
  CHECK(milliseconds_after("turns, take ") > 0.8 * milliseconds_after("of a step's "));
}

TEST_CASE(
    "what gathers the parts of weights where they are used, and hands out those of gradients, is not to be joined") {
  const Graph program = trace(
      [&](const std::vector<Array>& in) {
        Array x = in[12];
        std::vector<Array> next{in[13] - all_reduce(x, pod.all())};
        for (int i = 0; i < 12; ++i) {  // each gradient waits for the one before
          x = all_gather(in[i] * reduce_scatter(x, pod.all()), pod.all());
          next.push_back(in[i] - reduce_scatter(x, pod.all()));
        }
        return next;
      },
      [] {
        std::vector<TensorType> types(12, {DType::f32, {2}});
        types.insert(types.end(), 2, {DType::f32, {4096}});
        return types;
      }());
  CheckOptions options;
  options.batch = {"arg12"};
  for (int i = 0; i < 12; ++i) options.sharded.push_back("arg" + std::to_string(i));
  const CheckLine line = check(program, pod, options).line("gradients");
  INFO(line.finding);
  CHECK(line.number() == 0);
}

TEST_CASE("of a cond, the collectives of the branch that takes longer are counted, and not those of both") {
  const auto reduced = [](const Array& x, int times) {
    return [x, times] {
      Array next = x;
      for (int i = 0; i < times; ++i) next = all_reduce(next * 0.5, pod.all());
      return next;
    };
  };
  const Graph program = trace(
      [&](const std::vector<Array>& in) {
        return std::vector{in[0] - cond(sum(all_reduce(in[1], pod.all())) > 0, reduced(in[1], 12), reduced(in[1], 5))};
      },
      {{DType::f32, {256}}, {DType::f32, {256}}});
  CheckOptions options;
  options.batch = {"arg1"};
  const CheckLine line = check(program, pod, options).line("gradients");
  CHECK(line.number() == 611);
  INFO(line.finding);
  CHECK(line.finding.find("13 collectives in 13 rounds") != std::string::npos);
}

TEST_CASE("collectives that do not depend on each other are one round, which the compiler joins") {
  const Graph program = trace(
      [&](const std::vector<Array>& in) {
        Array next = in[0];
        for (int i = 0; i < 40; ++i) next = next - all_reduce(in[1] * static_cast<double>(i), pod.all());
        return std::vector{next};
      },
      {{DType::f32, {64}}, {DType::f32, {64}}});
  CheckOptions options;
  options.batch = {"arg1"};
  CHECK(check(program, pod, options).line("gradients").verdict == Verdict::pass);
}

TEST_CASE("a step takes what the collectives of a round take joined, and those of several rounds one by one") {
  constexpr std::int64_t each = 64 * 1024;
  const auto step_seconds = [](int pieces, bool wait) {
    const Graph program = trace(
        [&](const std::vector<Array>& in) {
          std::vector<Array> next;
          for (int i = 0; i < pieces; ++i) {
            const Array part = slice(in[1], {i * each}, {(i + 1) * each}) * 0.5;
            next.push_back(all_reduce(wait && i > 0 ? part + next.back() : part, pod.all()));
          }
          return std::vector{in[0] - concatenate(next, 0)};
        },
        {{DType::f32, {pieces * each}}, {DType::f32, {pieces * each}}});
    CheckOptions options;
    options.batch = {"arg1"};
    const CheckLine line = check(program, pod, options).line("time");
    return line.figures.front().value;
  };
  const double hops = tpu::collective_seconds(Op::all_reduce, 4, pod, tpu::fitted_constants());
  CHECK(step_seconds(20, false) < step_seconds(1, false) + 10 * hops);
  CHECK(step_seconds(20, true) > step_seconds(20, false) + 18 * hops);
}
