// The readiness check of what replicas keep to themselves: parts of a state, counts and averages, and weights that
// drift.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>
import octet.base;
import octet.graph;
import octet.trace;
import octet.compile;
import octet.tpu;

#include "refusal.hpp"

#include "check_lines.hpp"

using namespace octet;
using Arrays = std::vector<Array>;

namespace {

const tpu::Slice eight = tpu::slice("v3-8");

/// Gradient descent with momentum, of which each replica keeps and applies an eighth.
Arrays sharded_step(const Arrays& in) {
  const Array &momentum = in[0], &weight = in[1], &x = in[2];
  const Array gradient = reduce_scatter(weight * mean(x), eight.all());
  const Array next = momentum * 0.9 + gradient;
  const Array part = dynamic_slice(weight, {replica_id() * 2}, {2});
  return {next, all_gather(part - next * 0.1, eight.all()), mean(x)};
}
const std::vector<TensorType> sharded_types{{DType::f32, {2}}, {DType::f32, {16}}, {DType::f32, {4}}};

CheckLine gradients(const std::function<Arrays(const Arrays&)>& step, const std::vector<TensorType>& types) {
  CheckOptions options;
  options.batch = {"arg0"};
  return check(trace(step, types), eight, options).line("gradients");
}

}  // namespace

TEST_CASE("a sharded state may differ between replicas, is no batch and is not whole, and the weights follow from it") {
  const Graph program = trace(sharded_step, sharded_types);
  CheckOptions options;
  options.batch = {"arg2"};
  const CheckLine untold = check(program, eight, options).line("gradients");
  CHECK(untold.number() == 602);
  CHECK(untold.finding.starts_with("The next 'arg0' depends"));
  CHECK(mentions(untold, "CheckOptions::sharded; for octet check, --sharded-argument NAME"));

  options.sharded = {"arg0"};
  const Readiness told = check(program, eight, options);
  INFO(to_string(told));
  CHECK(told.ready());
  CHECK(told.line("gradients").finding.starts_with("1 updated array follows"));
  CHECK(told.line("scope").finding == "Each of 8 replicas has 1 parameter whole, and its own part of 1 parameter.");
  CHECK(told.line("batch").finding == "'arg2': f32[4] for each of 8 replicas.");
  CHECK(mentions(told.line("input"), "128 bytes a step"));

  // The text says it itself.
  CheckOptions unsaid;
  unsaid.batch = {"arg2"};
  const Readiness read = check_stablehlo(to_string(program, {.sharded = {0}}), "step.mlir", eight, unsaid);
  CHECK(read.line("gradients").finding == told.line("gradients").finding);
  CHECK(read.line("scope").finding == told.line("scope").finding);
  CHECK(number_of([&] { check(program, eight, {.batch = {"arg2"}, .sharded = {"nothing"}}); }) == 709);
}

TEST_CASE("a function's sharded state is told by the name of its argument, replicated or split") {
  const auto step = [](const Array& momentum, const Array& weight, const Array& x) {
    Arrays next = sharded_step({momentum, weight, x});
    return std::tuple{next[0], next[1], next[2]};
  };
  CheckOptions options;
  options.jit.argument_names = {"momentum", "weight", "x"};
  options.sharded = {"momentum"};
  const auto tensor = [](std::int64_t n) { return Tensor{DType::f32, Shape{n}}; };
  for (const Readiness& readiness :
       {check(step, std::tuple{tpu::replicated(tensor(2), 8), tpu::replicated(tensor(16), 8), tensor(32)}, eight,
              options),
        check(step, std::tuple{tensor(16), tpu::replicated(tensor(16), 8), tensor(32)}, eight, options)}) {
    INFO(to_string(readiness));
    CHECK(readiness.ready());
    CHECK(readiness.line("gradients").verdict == Verdict::pass);
    CHECK(readiness.line("scope").finding == "Each of 8 replicas has 'weight' whole, and its own part of 'momentum'.");
    CHECK(readiness.line("batch").finding == "'x': f32[4] for each of 8 replicas.");
  }
}

TEST_CASE("a structure that is split and returned is in scope where it is told to be sharded") {
  struct Momentum {
    Array of;
  };
  const auto step = [](const Momentum& momentum, const Array& weight, const Array& x) {
    Arrays next = sharded_step({momentum.of, weight, x});
    return std::tuple{Momentum{next[0]}, next[1], next[2]};
  };
  const auto typed = [](std::int64_t n) { return parameter({DType::f32, {n}}, ""); };
  const auto scope = [&](std::vector<std::string> sharded) {
    CheckOptions options;
    options.jit.argument_names = {"momentum", "weight", "x"};
    options.sharded = std::move(sharded);
    return check(step,
                 std::tuple{tpu::sharded(Momentum{typed(16)}), tpu::replicated(Momentum{typed(16)}, 8).each.front().of,
                            typed(32)},
                 eight, options)
        .line("scope");
  };
  CHECK(scope({}).number() == 608);
  CHECK(scope({"momentum"}).number() != 608);
}

TEST_CASE("weights that drift fail, in a loop as well; averages and counts that nothing reads are told of") {
  const std::vector<TensorType> types{{DType::f32, {4}}, {DType::f32, {}}};
  const auto descended = [](const Array& weight, const Array& x) {
    return weight - grad([&](const Array& w) { return mean(square(x * w - 1.0)); })(weight) * 0.1;
  };
  const auto averaged = [](const Array& average, const Array& x) { return average * 0.9 + mean(x) * 0.1; };
  CHECK(gradients([&](const Arrays& in) { return Arrays{descended(in[1], in[0])}; }, types).verdict == Verdict::fail);
  CHECK(gradients(
            [&](const Arrays& in) {
              return Arrays{fori_loop(0, 4, [&](const Array&, const Array& w) { return descended(w, in[0]); }, in[1])};
            },
            types)
            .verdict == Verdict::fail);

  const CheckLine kept = gradients([&](const Arrays& in) { return Arrays{averaged(in[1], in[0])}; }, types);
  CHECK(kept.verdict == Verdict::warn);
  CHECK(kept.number() == 602);
  CHECK(mentions(kept, "averages and counts that nothing else reads"));
  CHECK(gradients(
            [&](const Arrays& in) {
              return Arrays{fori_loop(0, 4, [&](const Array&, const Array& a) { return averaged(a, in[0]); }, in[1])};
            },
            types)
            .verdict == Verdict::warn);
  // What is read where it drifts is learned from.
  CHECK(
      gradients(
          [&](const Arrays& in) { return Arrays{averaged(in[1], in[0]), all_reduce(sum(in[0] - in[1]), eight.all())}; },
          types)
          .verdict == Verdict::fail);
  // One weight drifts beside an average.
  CHECK(gradients([&](const Arrays& in) { return Arrays{averaged(in[1], in[0]), descended(in[2], in[0])}; },
                  {{DType::f32, {4}}, {DType::f32, {}}, {DType::f32, {}}})
            .verdict == Verdict::fail);
  // A key of each replica.
  CHECK(gradients(
            [&](const Arrays& in) {
              const Array own = in[1] + cast<std::uint32_t>(replica_id());
              return Arrays{own, mean(in[0] * cast<float>(own))};
            },
            {{DType::f32, {4}}, {DType::u32, {}}})
            .verdict == Verdict::warn);
}
