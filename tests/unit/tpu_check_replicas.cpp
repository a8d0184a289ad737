// The readiness check of what replicas keep to themselves: parts of a state, counts and averages, and weights that
// drift.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <functional>
#include <map>
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

using Step = std::function<Arrays(const Arrays&)>;

CheckLine gradients(const Step& step, const std::vector<TensorType>& types, std::vector<std::string> donated = {}) {
  CheckOptions options;
  options.batch = {"arg0"};
  options.jit.donated = std::move(donated);
  return check(trace(step, types), eight, options).line("gradients");
}

/// The same of its text, which says of each parameter of `over` which result takes its memory.
CheckLine gradients_of_text(const Step& step, const std::vector<TensorType>& types,
                            std::map<std::size_t, std::size_t> over) {
  CheckOptions options;
  options.batch = {"arg0"};
  return check_stablehlo(to_string(trace(step, types), {.written_over = std::move(over)}), "step.mlir", eight, options)
      .line("gradients");
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
  const std::vector<TensorType> types{{DType::f32, {4}}, {DType::f32, {4}}};
  const std::vector<std::string> state{"arg1"};
  const auto descended = [](const Array& weight, const Array& x) {
    return weight - grad([&](const Array& w) { return square(mean(x * w) - 1.0); })(weight) * 0.1;
  };
  const auto averaged = [](const Array& average, const Array& x) { return average * 0.9 + mean(x) * 0.1; };
  CHECK(gradients([&](const Arrays& in) { return Arrays{descended(in[1], in[0])}; }, types, state).verdict ==
        Verdict::fail);
  CHECK(gradients(
            [&](const Arrays& in) {
              return Arrays{fori_loop(0, 4, [&](const Array&, const Array& w) { return descended(w, in[0]); }, in[1])};
            },
            types, state)
            .verdict == Verdict::fail);

  const CheckLine kept = gradients([&](const Arrays& in) { return Arrays{averaged(in[1], in[0])}; }, types, state);
  CHECK(kept.verdict == Verdict::warn);
  CHECK(kept.number() == 602);
  CHECK(mentions(kept, "averages and counts that nothing else reads"));
  CHECK(gradients(
            [&](const Arrays& in) {
              return Arrays{fori_loop(0, 4, [&](const Array&, const Array& a) { return averaged(a, in[0]); }, in[1])};
            },
            types, state)
            .verdict == Verdict::warn);
  // What is read where it drifts is learned from.
  CHECK(
      gradients(
          [&](const Arrays& in) { return Arrays{averaged(in[1], in[0]), all_reduce(sum(in[0] - in[1]), eight.all())}; },
          types, state)
          .verdict == Verdict::fail);
  // One weight drifts beside an average.
  CHECK(gradients([&](const Arrays& in) { return Arrays{averaged(in[1], in[0]), descended(in[2], in[0])}; },
                  {types[0], types[1], types[1]}, {"arg1", "arg2"})
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

TEST_CASE("what only has the type of a parameter may be a loss or an output, and is told of; weights given away fail") {
  const std::vector<TensorType> types{{DType::f32, {4, 16}}, {DType::f32, {16}}, {DType::f32, {}}};
  const auto metric = [](const Arrays& in) { return in[1] * mean(in[0], {0}); };
  const auto loss = [&](const Arrays& in) { return sum(metric(in)) * in[2]; };
  const auto next = [](const Arrays& in) { return in[1] - all_reduce(mean(in[0], {0}) * in[2], eight.all()) * 0.1; };
  const auto drifted = [&](const Arrays& in) { return in[1] - metric(in) * 0.1; };
  const auto told = [](const CheckLine& line, const char* name) {
    return line.verdict == Verdict::warn && line.number() == 602 &&
           line.finding.starts_with("The next " + std::string{name} + " ") &&
           mentions(line, "or it is a loss or an output that only has the type of the parameter");
  };
  for (const std::vector<std::string>& donated : {std::vector<std::string>{}, {"arg1"}, {"arg1", "arg2"}}) {
    CHECK(told(gradients([&](const Arrays& in) { return Arrays{loss(in), next(in)}; }, types, donated), "'arg2'"));
    CHECK(told(gradients([&](const Arrays& in) { return Arrays{next(in), loss(in)}; }, types, donated), "'arg2'"));
  }
  CHECK(told(gradients([&](const Arrays& in) { return Arrays{drifted(in)}; }, types), "'arg1'"));
  for (const CheckLine& line :
       {gradients([&](const Arrays& in) { return Arrays{drifted(in), loss(in)}; }, types, {"arg1"}),
        gradients_of_text([&](const Arrays& in) { return Arrays{loss(in), drifted(in)}; }, types, {{1, 1}})}) {
    CHECK(line.verdict == Verdict::fail);
    CHECK(line.finding.starts_with("The next 'arg1' depends"));
    CHECK(figure(line, "drifting") == 1);
  }
  // Of two results that could be the next weights, those that are the same on all replicas are.
  for (const std::vector<std::string>& donated : {std::vector<std::string>{}, {"arg1"}}) {
    const CheckLine line = gradients([&](const Arrays& in) { return Arrays{metric(in), next(in)}; }, types, donated);
    CHECK(line.verdict == Verdict::pass);
    CHECK(line.finding.starts_with("1 updated array follows"));
  }
  // But not where another parameter's next value would have to be what drifts.
  CHECK(gradients([&](const Arrays& in) { return Arrays{in[1] - mean(in[0]), in[2] + in[1] * 0.1}; },
                  {types[0], types[1], types[1]}, {"arg1", "arg2"})
            .finding.starts_with("The next 'arg1' depends"));
  // What the text says goes before.
  const auto both = [&](const Arrays& in) { return Arrays{drifted(in), next(in)}; };
  CHECK(gradients_of_text(both, types, {{1, 0}}).verdict == Verdict::fail);
  CHECK(gradients_of_text(both, types, {{1, 1}}).verdict == Verdict::pass);
}

TEST_CASE("in a structure that is returned each array is its own next value, whatever is on the way") {
  struct State {
    Array w, count;
  };
  using Next = std::function<Array(const State&, const Array&)>;
  const auto of = [](const Next& next, bool donated) {
    const auto step = [next](const State& s, const Array& x) {
      return std::pair{State{next(s, x), s.count + 1}, mean(x)};
    };
    const State typed{parameter({DType::f32, {8}}, ""), parameter({DType::i32, {}}, "")};
    CheckOptions options;
    options.jit.argument_names = {"s", "x"};
    if (donated) options.jit.donated = {"s"};
    return check(step, std::tuple{tpu::replicated(typed, 8), parameter({DType::f32, {64}}, "")}, eight, options)
        .line("gradients");
  };
  const auto row_by_row = [](const State& s, const Array& x) {
    return map_rows([](const std::pair<Array, Array>& each) { return each.first - each.second * 0.1; },
                    std::pair{s.w, x});
  };
  const auto reversed = [](const State& s, const Array& x) { return reverse(reverse(s.w, {0}) - x, {0}); };
  const auto from_the_next = [](const State& s, const Array& x) {
    return collective_permute(s.w, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}, {7, 0}}) - x;
  };
  const auto halves = [](const State& s, const Array& x) {
    return all_reduce(s.w - x, {{0, 1, 2, 3}, {4, 5, 6, 7}}) / 4.0;
  };
  for (const Next& next : {Next{row_by_row}, Next{reversed}, Next{from_the_next}, Next{halves}}) {
    const CheckLine line = of(next, true);
    INFO(line.finding);
    CHECK(line.verdict == Verdict::fail);
    CHECK(line.finding.starts_with("The next 's.w' depends"));
    CHECK(of(next, false).verdict == Verdict::warn);  // it may be a gradient
  }
  CHECK(of([&](const State& s, const Array& x) { return row_by_row(s, all_reduce(x, eight.all())); }, true).finding ==
        "2 updated arrays follow from what all replicas share or have reduced together.");
}

TEST_CASE("where it is not known which result is the next value, nothing is said of it") {
  struct State {
    Array w;
  };
  struct Results {
    State state;
    Array loss;
  };
  const auto step = [](const State& s, const Array& x) { return Results{{reverse(s.w, {0}) - x}, mean(x)}; };
  CheckOptions options;
  options.jit.argument_names = {"s", "x"};
  const auto line = [&] {
    return check(step,
                 std::tuple{tpu::replicated(State{parameter({DType::f32, {8}}, "")}, 8),
                            parameter({DType::f32, {64}}, "")},
                 eight, options)
        .line("gradients");
  };
  CHECK(line().verdict == Verdict::pass);
  options.jit.donated = {"s"};
  CHECK(line().verdict == Verdict::not_judged);
  CHECK(line().finding.starts_with("Which result is the next 's.w' is not known"));
}

TEST_CASE("weights that drift in other places or in pieces are found, and by what the text says whatever is between") {
  const std::vector<TensorType> types{{DType::f32, {4, 16}}, {DType::f32, {16, 16}}};
  const auto drifted = [](const Array& weight, const Array& x) { return weight - weight * mean(x) * 0.1; };
  const auto turned = [&](const Arrays& in) {
    return Arrays{transpose(drifted(transpose(in[1], {1, 0}), in[0]), {1, 0})};
  };
  const auto pieces = [&](const Arrays& in) {
    Arrays halves;
    for (const std::int64_t at : {8, 0}) halves.push_back(drifted(slice_in_dim(in[1], at, at + 8, 0), in[0]));
    return Arrays{concatenate({halves[1] * 0.0 + 1.0, halves[0]}, 0)};
  };
  const auto product = [&](const Arrays& in) { return Arrays{matmul(in[1], in[1]) * mean(in[0])}; };
  CHECK(gradients(turned, types, {"arg1"}).verdict == Verdict::fail);
  CHECK(gradients(pieces, types, {"arg1"}).verdict == Verdict::fail);
  for (const Step& step : {Step{turned}, Step{pieces}, Step{product}})
    CHECK(gradients_of_text(step, types, {{1, 0}}).verdict == Verdict::fail);
  const CheckLine unseen = gradients(product, types, {"arg1"});
  CHECK(unseen.verdict == Verdict::pass);
  CHECK(unseen.finding ==
        "No next value of a parameter was recognized among the results: nothing is seen that could drift.");
}

TEST_CASE("where all that is updated is said to be sharded, that is told; and nothing is of the batch and sharded") {
  const std::vector<TensorType> types{{DType::f32, {4}}, {DType::f32, {4}}, {DType::f32, {4}}};
  const Graph program = trace([](const Arrays& in) { return Arrays{in[1] - in[0] * 0.1, in[2] - mean(in[0])}; }, types);
  const auto judged = [&](std::vector<std::string> sharded) {
    CheckOptions options;
    options.batch = {"arg0"};
    options.sharded = std::move(sharded);
    options.jit.donated = {"arg1", "arg2"};
    return check(program, eight, options).line("gradients");
  };
  const CheckLine all = judged({"arg1", "arg2"});
  CHECK(all.verdict == Verdict::warn);
  CHECK(all.finding == "All that is updated (2 arrays) is said to be each replica's own.");
  // That it is sharded is no way out for all that is updated.
  CHECK(judged({}).number() == 602);
  CHECK(!mentions(judged({}), "--sharded-argument"));
  CHECK(!mentions(judged({"arg1"}), "--sharded-argument"));
  CHECK(number_of([&] { judged({"arg0"}); }) == 709);
}
