// The readiness check: planted faults are found with their numbers, and right programs are refused nothing.
#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <thread>
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

namespace {

struct Line {
  Array slope, offset;
};

/// Least squares on one replica's share; `averages` says whether gradients are averaged, as they should be.
struct Step {
  ReplicaGroups all;
  bool averages = true;
  std::pair<Line, Array> operator()(const Line& line, const Array& x, const Array& y) const {
    auto [loss, gradient] =
        value_and_grad([&](const Line& l) { return mean(square(l.slope * x + l.offset - y)); })(line);
    const auto shared = [&](const Array& g) {
      return averages ? all_reduce(g, all) / static_cast<double>(group_size(all)) : g;
    };
    return {Line{line.slope - shared(gradient.slope) * 0.1, line.offset - shared(gradient.offset) * 0.1}, loss};
  }
};

Values<Line> start() { return {Line{}, {Tensor::scalar(0.0f), Tensor::scalar(0.0f)}}; }
Tensor column(std::int64_t n) { return Tensor{DType::f32, Shape{n}}; }
Array typed(DType dtype, Shape shape) { return parameter({dtype, std::move(shape)}, ""); }

CheckOptions named(std::vector<std::string> names) {
  CheckOptions options;
  options.jit.argument_names = std::move(names);
  return options;
}

const tpu::Slice eight = tpu::slice("v3-8");

/// The report on `function` of arrays of these types, of one replica.
Readiness checked(const std::function<std::vector<Array>(const std::vector<Array>&)>& function,
                  const std::vector<TensorType>& types, CheckOptions options = {}) {
  if (options.batch.empty()) options.batch = {"arg0"};
  return check(trace(function, types), eight, options);
}

}  // namespace

TEST_CASE("a right training step is refused nothing, and every line has a verdict or says why not") {
  const Readiness readiness = check(Step{eight.all()}, std::tuple{tpu::replicated(start(), 8), column(64), column(64)},
                                    eight, named({"line", "x", "y"}));
  INFO(to_string(readiness));
  CHECK(readiness.ready());
  CHECK(readiness.lines.size() == checklist().size());
  for (std::size_t i = 0; i < readiness.lines.size(); ++i) {
    const CheckLine& line = readiness.lines[i];
    CHECK(line.id == checklist()[i].id);
    CHECK(!line.finding.empty());
    CHECK((line.verdict == Verdict::pass || !line.cure.empty() || line.verdict == Verdict::not_judged));
    if (line.number()) CHECK(!catalogue_entry(line.number()).title.empty());
  }
  for (const char* id : {"rule_1", "rule_2", "compiles", "scope", "inner_jit", "batch", "gradients", "memory"})
    CHECK(readiness.line(id).verdict == Verdict::pass);
  for (const char* id : {"rule_3", "data", "pipeline"}) CHECK(readiness.line(id).verdict == Verdict::not_judged);
  CHECK(number_of([&] { readiness.line("rule_4"); }) == 709);
}

TEST_CASE("structures of types do as well as data") {
  const Line line{typed(DType::f32, {}), typed(DType::f32, {})};
  const Array batch = typed(DType::f32, {64});
  const Readiness readiness =
      check(Step{eight.all()}, std::tuple{tpu::replicated(line, 8), batch, batch}, eight, named({"line", "x", "y"}));
  INFO(to_string(readiness));
  CHECK(readiness.ready());
  CHECK(readiness.line("gradients").finding.starts_with("2 updated arrays follow"));
  CHECK(readiness.line("batch").finding == "'x': f32[8] for each of 8 replicas.");
}

TEST_CASE("gradients that are not averaged are found, with what drifts") {
  const Readiness readiness =
      check(Step{eight.all(), false}, std::tuple{tpu::replicated(start(), 8), column(64), column(64)}, eight,
            named({"line", "x", "y"}));
  const CheckLine& line = readiness.line("gradients");
  CHECK(line.verdict == Verdict::fail);
  CHECK(line.number() == 602);
  CHECK(line.finding.starts_with("The next 'line.slope', 'line.offset' depend on a replica's own share"));
  CHECK(line.cure.front().find("all_reduce") != std::string::npos);
  CHECK(figure(line, "drifting") == 2);
}

TEST_CASE("gradients averaged within groups alone are told so") {
  const ReplicaGroups halves{{0, 1, 2, 3}, {4, 5, 6, 7}};
  const CheckLine line = check(Step{halves}, std::tuple{tpu::replicated(start(), 8), column(64), column(64)}, eight,
                               named({"line", "x", "y"}))
                             .line("gradients");
  CHECK(line.number() == 602);
  CHECK(line.finding.ends_with("reduced only within groups of 4: replicas drift apart."));
}

TEST_CASE("gradients reduced within groups and then within others are not judged where these meet") {
  const ReplicaGroups halves{{0, 1, 2, 3}, {4, 5, 6, 7}}, pairs{{0, 4}, {1, 5}, {2, 6}, {3, 7}},
      neighbours{{0, 1}, {2, 3}, {4, 5}, {6, 7}};
  const auto line_of = [&](const ReplicaGroups& first, const ReplicaGroups& second) {
    return check([&](const Array& weight,
                     const Array& x) { return weight - all_reduce(all_reduce(sum(x * weight), first), second) * 0.1; },
                 std::tuple{tpu::replicated(Tensor::scalar(1.0f), 8), column(64)}, eight, named({"weight", "x"}))
        .line("gradients");
  };
  CHECK(line_of(halves, pairs).verdict == Verdict::not_judged);
  CHECK(line_of(halves, neighbours).number() == 602);
  CHECK(line_of(halves, halves).number() == 602);
}

TEST_CASE("gradients reduced in a loop over parts of the batch are the same on all replicas") {
  const auto accumulate = [](bool reduces) {
    return checked(
        [reduces](const std::vector<Array>& in) {
          const Array sum_of = fori_loop(
              0, 4, [&](const Array& i, const Array& total) { return total + sum(in[0] * in[1]) * cast<float>(i); },
              zeros({DType::f32, {}}));
          const Array gradient = reduces ? all_reduce(sum_of, eight.all()) : sum_of;
          return std::vector{in[1] - gradient * 0.1};
        },
        {{DType::f32, {4}}, {DType::f32, {4}}});
  };
  CHECK(accumulate(true).line("gradients").verdict == Verdict::pass);
  CHECK(accumulate(false).line("gradients").number() == 602);
}

TEST_CASE(
    "what each replica has to itself is no drift where it is not an update, and all replicas may be told apart by "
    "their number") {
  const Readiness evaluation = checked([](const std::vector<Array>& in) { return std::vector{sum(in[0] * in[1])}; },
                                       {{DType::f32, {8, 4}}, {DType::f32, {4}}});
  CHECK(evaluation.line("gradients").verdict == Verdict::pass);
  const Readiness by_number =
      checked([](const std::vector<Array>& in) { return std::vector{in[1] + cast<float>(replica_id()), in[0]}; },
              {{DType::f32, {4}}, {DType::f32, {}}});
  CHECK(by_number.line("gradients").number() == 602);
}

TEST_CASE("a collective over another slice's replicas is refused, with its line") {
  const Readiness larger =
      check(Step{tpu::slice("v3-32").all()}, std::tuple{tpu::replicated(start(), 8), column(64), column(64)}, eight);
  CHECK(larger.line("gradients").verdict == Verdict::fail);
  CHECK(larger.line("gradients").number() == 603);
  CHECK(larger.line("gradients").finding == "A collective names replica 31, and v3-8 has 8 replicas.");
  CHECK(larger.line("gradients").faults.front().where.file.string().find("tpu_check.cpp") != std::string::npos);
  const tpu::Slice many = tpu::slice("v3-32");
  const Readiness smaller =
      check(Step{eight.all()}, std::tuple{tpu::replicated(start(), 32), column(64), column(64)}, many);
  CHECK(smaller.line("gradients").number() == 603);
  CHECK(!smaller.ready());
}

TEST_CASE("replicas that may take different branches before they meet are refused") {
  const Readiness readiness = checked(
      [](const std::vector<Array>& in) {
        const Array met = cond(sum(in[0]) > 0.0, [&] { return all_reduce(in[1], eight.all()); }, [&] { return in[1]; });
        return std::vector{met};
      },
      {{DType::f32, {4}}, {DType::f32, {4}}});
  CHECK(readiness.line("gradients").verdict == Verdict::fail);
  CHECK(readiness.line("gradients").number() == 105);
}

TEST_CASE("a model that was not made for all replicas is named, whether its type is returned or it only does not fit") {
  const Readiness returned =
      check(Step{eight.all()}, std::tuple{start(), column(64), column(64)}, eight, named({"line", "x", "y"}));
  CHECK(returned.line("scope").verdict == Verdict::fail);
  CHECK(returned.line("scope").number() == 608);
  CHECK(returned.line("scope").finding.starts_with("'line' is what the program updates"));
  CHECK(returned.line("scope").cure.front() == "make it for all replicas: tpu::replicated(line, 8)");
  CHECK(returned.line("gradients").verdict == Verdict::pass);  // and the rest is judged as it would be

  const auto forward = [](const Array& weight, const Array& x) { return matmul(x, weight); };
  const Readiness plain = check(forward, std::tuple{Tensor{DType::f32, {16, 4}}, Tensor{DType::f32, {64, 16}}}, eight,
                                named({"weight", "x"}));
  CHECK(plain.line("scope").number() == 608);
  CHECK(plain.line("scope").finding.find("'weight'") != std::string::npos);
  CHECK(plain.line("batch").verdict == Verdict::pass);

  // A structure is marked even where an eighth of it would do, as of a model that a program only reads.
  const auto reads = [](const Line& line, const Array& x) { return sum(line.slope) * x; };
  const Line rows{typed(DType::f32, {16}), typed(DType::f32, {8})};
  const Array x = typed(DType::f32, {64});
  const CheckLine unmarked = check(reads, std::tuple{rows, x}, eight, named({"line", "x"})).line("scope");
  CHECK(unmarked.number() == 608);
  CHECK(unmarked.finding.starts_with("'line' is a structure of tensors of which it is not said"));
  CHECK(unmarked.cure == std::vector<std::string>{"make it for all replicas: tpu::replicated(line, 8)",
                                                  "or, if it is a batch, let each have its share: tpu::sharded(line)"});
  CHECK(unmarked.faults.size() == 1);
  for (const Verdict verdict : {check(reads, std::tuple{tpu::sharded(rows), x}, eight).line("scope").verdict,
                                check(reads, std::tuple{tpu::replicated(rows, 8), x}, eight).line("scope").verdict})
    CHECK(verdict == Verdict::pass);

  const Readiness other =
      check(Step{eight.all()}, std::tuple{tpu::replicated(start(), 4), column(64), column(64)}, eight);
  CHECK(other.line("scope").number() == 608);
  CHECK(other.line("scope").finding == "'arg0' was made for 4 replicas, and v3-8 has 8.");
}

TEST_CASE("a batch that replicas cannot share is refused, and judged as if it were filled up") {
  const Readiness readiness = check(Step{eight.all()}, std::tuple{tpu::replicated(start(), 8), column(60), column(60)},
                                    eight, named({"line", "x", "y"}));
  CHECK(readiness.line("batch").verdict == Verdict::fail);
  CHECK(readiness.line("batch").number() == 601);
  CHECK(readiness.line("batch").finding.find("'x' is f32[60]") != std::string::npos);
  CHECK(readiness.line("batch").faults.size() == 2);
  CHECK(readiness.line("scope").verdict == Verdict::pass);
  CHECK(readiness.line("gradients").verdict == Verdict::pass);
  const Readiness empty =
      check(Step{eight.all()}, std::tuple{tpu::replicated(start(), 8), column(0), column(0)}, eight);
  CHECK(empty.line("batch").number() == 601);
  const Readiness whole = check(
      Step{eight.all()},
      std::tuple{tpu::replicated(start(), 8), tpu::replicated(column(64), 8), tpu::replicated(column(64), 8)}, eight);
  CHECK(whole.line("batch").verdict == Verdict::warn);
  CHECK(mentions(whole.line("batch"), "same work"));
}

TEST_CASE("the faults of a program that cannot be traced are on the lines of their rules") {
  const auto refused = [](int number) {
    return [number](const Array& x) -> Array {
      fail({.number = number, .sentence = "as planted"});
      return x;
    };
  };
  for (const auto& [number, id] :
       {std::pair{101, "rule_1"}, {103, "rule_1"}, {201, "rule_2"}, {401, "compiles"}, {402, "compiles"}}) {
    const Readiness readiness = check(refused(number), std::tuple{column(64)}, eight);
    INFO(to_string(readiness));
    CHECK(readiness.line(id).verdict == Verdict::fail);
    CHECK(readiness.line(id).number() == number);
    CHECK(readiness.line("memory").verdict == Verdict::not_judged);
    CHECK(readiness.count(Verdict::fail) == 1);
  }
  const Readiness shapes = check([](const Array& x, const Array& y) { return matmul(x, y); },
                                 std::tuple{Tensor{DType::f32, {64, 3}}, Tensor{DType::f32, {64, 5}}}, eight);
  CHECK(shapes.line("compiles").number() == 401);
  CHECK(shapes.line("compiles").faults.front().where.line > 0);
}

TEST_CASE("faults of different shapes are collected, each once") {
  const auto program = [](const Array& x) { return x + constant(Tensor{DType::f32, {3}}); };
  std::vector<std::tuple<Tensor>> calls;
  for (const std::int64_t length : {4, 5, 3, 5}) calls.emplace_back(Tensor{DType::f32, {8, length}});
  const Readiness readiness = check(program, calls, eight);
  CHECK(readiness.line("compiles").number() == 401);
  CHECK(readiness.line("compiles").faults.size() == 1);
}

TEST_CASE(
    "data that the hosts of a node cannot read, and pipelines that call back, are refused; on a machine of its own "
    "both work") {
  const auto placed = [](tpu::DataPlacement data, const char* slice = "v3-8") {
    const tpu::Slice on = tpu::slice(slice);
    CheckOptions options;
    options.data = data;
    return check([](const Array& x) { return x * 2.0; }, std::tuple{column(on.replicas)}, on, options);
  };
  const auto disk = placed({.place = tpu::DataPlace::disk, .host = tpu::HostKind::node});
  CHECK(disk.line("data").verdict == Verdict::fail);
  CHECK(disk.line("data").number() == 606);
  CHECK(disk.line("pipeline").verdict == Verdict::pass);
  const auto calls_back = placed({.place = tpu::DataPlace::bucket, .host = tpu::HostKind::node, .calls_back = true});
  CHECK(calls_back.line("data").verdict == Verdict::pass);
  CHECK(calls_back.line("pipeline").number() == 607);
  for (const tpu::DataPlace place : {tpu::DataPlace::memory, tpu::DataPlace::disk, tpu::DataPlace::bucket}) {
    const auto vm = placed({.place = place, .host = tpu::HostKind::vm, .calls_back = true});
    CHECK(vm.line("data").verdict == Verdict::pass);
    CHECK(vm.line("pipeline").verdict == Verdict::pass);
  }
  CHECK(placed({.place = tpu::DataPlace::disk, .host = tpu::HostKind::vm}, "v3-32").line("data").verdict ==
        Verdict::warn);
  CHECK(placed({.place = tpu::DataPlace::bucket, .host = tpu::HostKind::node}, "v4-8").line("data").number() == 610);
  CHECK(tpu::faults({.place = tpu::DataPlace::disk, .host = tpu::HostKind::node, .calls_back = true}, eight).size() ==
        2);
}

TEST_CASE("a compiled function that runs while the program is traced is named, and so is what changes between traces") {
  Values<Line> table = start();
  const auto doubled = jit([](const Array& x) { return x * 2.0; });
  const auto frozen = [&](const Array& x) { return x + doubled(Tensor::of<float>({2}, {1, 2})); };
  CheckOptions options;
  options.compiled = {{"doubled", [&] { return doubled.statistics(); }}};
  const Readiness named_jit = check(frozen, std::tuple{Tensor{DType::f32, {8, 2}}}, eight, options);
  CHECK(named_jit.line("inner_jit").verdict == Verdict::warn);
  CHECK(mentions(named_jit.line("inner_jit"), "'doubled' ran on this machine"));
  const Readiness unnamed = check(frozen, std::tuple{Tensor{DType::f32, {8, 2}}}, eight);
  CHECK(unnamed.line("inner_jit").verdict == Verdict::warn);
  CHECK(unnamed.line("inner_jit").finding.starts_with("A compiled function ran on this machine"));
  CHECK(mentions(unnamed.line("inner_jit"), "constant f32[2] at "));
  const Readiness innocent =
      check([](const Array& x) { return x * 3.0; }, std::tuple{Tensor{DType::f32, {8, 2}}}, eight, options);
  CHECK(innocent.line("inner_jit").verdict == Verdict::pass);

  // One whose result is uniform, by the name of its program, though it ran before.
  const auto saturated = jit([](const Array& x) { return tanh(x); }, {.name = "saturated"});
  const auto uniform = [&](const Array& x) { return x + saturated(Tensor::full<float>(Shape{2}, 9.0f)); };
  for (int time = 0; time < 2; ++time) {
    const CheckLine line = check(uniform, std::tuple{Tensor{DType::f32, {8, 2}}}, eight).line("inner_jit");
    CHECK(line.finding.starts_with("'saturated' ran on this machine while the program was traced"));
    CHECK(mentions(line, "constant f32[2] at "));
  }
  // A table that was there before is none, as is what another thread runs meanwhile.
  const Tensor before = doubled(Tensor::of<float>({2}, {1, 2}));
  const auto with_table = [&](const Array& x) {
    std::thread{[&] { doubled(Tensor::of<float>({2}, {1, 2})); }}.join();
    return x + before;
  };
  const CheckLine tables = check(with_table, std::tuple{Tensor{DType::f32, {8, 2}}}, eight).line("inner_jit");
  CHECK(tables.verdict == Verdict::pass);
  CHECK(mentions(tables, "constant f32[2] at "));
  const auto traced =
      trace([&](const std::vector<Array>& in) { return std::vector{in[0] + before}; }, {{DType::f32, {8, 2}}});
  CHECK(check(traced, eight).line("inner_jit").verdict == Verdict::not_judged);

  int calls = 0;
  const auto counts = [&calls](const Array& x) { return x * static_cast<double>(++calls); };
  CHECK(check(counts, std::tuple{column(8)}, eight).line("inner_jit").verdict == Verdict::warn);
}

TEST_CASE("a check without a call is refused, and so is a batch that no parameter holds") {
  CHECK(number_of([] { check([](const Array& x) { return x; }, std::vector<std::tuple<Tensor>>{}, eight); }) == 709);
  const Graph graph = trace([](const std::vector<Array>& in) { return in; }, {{DType::f32, {4}}});
  CHECK(number_of([&] { check(graph, eight, CheckOptions{.batch = {"nothing"}}); }) == 709);
  CHECK(number_of([&] { check(graph, eight, CheckOptions{.jit = {.donated = {"nothing"}}}); }) == 709);
  CHECK(number_of([&] { check(graph, tpu::Slice{}); }) == 604);
  const Readiness unknown = check(graph, eight);
  CHECK(unknown.ready());
  for (const char* id : {"scope", "batch", "gradients", "input"})
    CHECK(unknown.line(id).verdict == Verdict::not_judged);
  CHECK(check(Graph{}, eight).ready());
  CHECK(check(graph, tpu::slice("v5e-1")).line("batch").verdict == Verdict::pass);
}

TEST_CASE("the text of a report says verdict, number, finding, cure and where to read on") {
  const std::string text =
      to_string(check(Step{eight.all()}, std::tuple{tpu::replicated(start(), 8), column(60), column(60)}, eight,
                      named({"line", "x", "y"})));
  CHECK(text.starts_with("main on v3-8: not ready. 1 fail, "));
  CHECK(text.find("\nfail        replicas share the batch equally\n            X601: 'x' is f32[60]") != text.npos);
  CHECK(
      text.find(
          "\n    cure:   make the batch 64, filled up with examples of weight zero\n    see:    octet explain X601") !=
      text.npos);
  CHECK(!text.ends_with("\n"));
}
