// What a compiled function says about its compiles: explanations, the alarm, limits, and traces that change by
// themselves.
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

import octet.base;
import octet.graph;
import octet.trace;
import octet.compile;

using namespace octet;

namespace recompiles_test {

struct Batch {
  Array tokens, mask, rates;
};
struct Masked {
  Array ids, mask;
};

}  // namespace recompiles_test

using recompiles_test::Batch;
using recompiles_test::Masked;

namespace {

Diagnostic refusal(auto&& function) {
  try {
    function();
  } catch (const Error& error) {
    return error.diagnostics().front();
  }
  return {};
}

Values<Batch> batch_of(std::int64_t length) {
  return {Batch{},
          {Tensor::full<float>({2, length}, 1), Tensor::full<float>({2, length}, 1), Tensor::full<float>({2, 3}, 1)}};
}

Array weighed(const Batch& batch) { return sum(batch.tokens * batch.mask) / sum(batch.mask) + sum(batch.rates); }

Tensor ones(std::int64_t n) { return Tensor::full<float>({n}, 1); }

}  // namespace

TEST_CASE("a compile is explained with the dimension by name and a cure with its padding") {
  std::vector<CompileEvent> events;
  const auto f = jit(weighed, {.argument_names = {"batch"},
                               .on_compile = [&](const CompileEvent& event) { events.push_back(event); }});
  for (const std::int64_t length : {37, 60, 41, 60}) f(batch_of(length));
  REQUIRE(events.size() == 3);
  CHECK(events[0].cures.empty());
  REQUIRE(!events[2].cures.empty());
  // The arrays that do not vary are left alone: rates has a dimension 1 too.
  std::set<std::string> changes;
  for (const Cure& cure : events[2].cures) changes.insert(cure.change);
  CHECK(changes.contains(R"(.buckets = {{"batch.tokens", 1, max_length(64)}, {"batch.mask", 1, max_length(64)}})"));
  for (const Cure& cure : events[2].cures) {
    CHECK(cure.programs_now == 3);
    CHECK(cure.programs <= 3);
    CHECK(cure.elements.real == 4 * (37 + 60 + 41));
    // What a cure promises is what it does.
    const auto cured = jit(weighed, {.buckets = cure.buckets, .argument_names = {"batch"}});
    for (const std::int64_t length : {37, 60, 41}) cured(batch_of(length));
    CHECK(cured.statistics().misses == cure.programs);
    CHECK(cured.statistics().elements == cure.elements);
  }
  const std::string text = events[2].explain();
  CHECK(text.starts_with("main compiled in "));
  CHECK(text.find("\n  differs: dimension 1 of batch.tokens is 41, before ") != text.npos);
  CHECK(text.find("\n           dimension 1 of batch.mask is 41, before ") != text.npos);
  CHECK(text.find("\n  cure:    .buckets = {{") != text.npos);
  CHECK(text.find(" instead of 3 for the shapes seen, ") != text.npos);
  CHECK(f.explain().find("dimension 1 of batch.tokens and 1 more array is 37, 41, 60") != std::string::npos);
  CHECK(f.explain().starts_with("main: 4 calls, 3 compiles in "));
  // Both compiles after the first have cures, by what was measured until now: no line is told twice.
  const std::string all = f.explain();
  std::multiset<std::string> told;
  for (std::size_t at = all.find(".buckets = {{"); at != all.npos; at = all.find(".buckets = {{", at + 1))
    told.insert(all.substr(at, all.find('\n', at) - at));
  CHECK(!told.empty());
  for (const std::string& each : told) CHECK(told.count(each) == 1);
}

TEST_CASE("rules that are there are replaced with their fill, and arguments that vary together get rules together") {
  std::vector<CompileEvent> events;
  const auto f = jit([](const Array& x, const Array& label) { return sum(x) + sum(cast<float>(label)); },
                     {.buckets = {{"x", 0, multiple_of(2)}, {"label", 0, multiple_of(2), -1}},
                      .argument_names = {"x", "label"},
                      .on_compile = [&](const CompileEvent& event) { events.push_back(event); }});
  for (const std::int64_t n : {3, 5, 8, 9, 12}) f(ones(n), Tensor{DType::i32, {n}});
  bool found = false;
  for (const Cure& cure : events.back().cures) {
    found |= cure.change == R"(.buckets = {{"x", 0, max_length(16)}, {"label", 0, max_length(16), -1}})";
    CHECK(cure.programs_now == 5);
  }
  CHECK(found);
}

TEST_CASE("a cure keeps what each array of an argument is filled with") {
  const auto f = [](const Masked& b) { return sum(cast<float>(b.ids) * cast<float>(b.mask)); };
  std::vector<CompileEvent> events;
  const auto own = jit(f, {.buckets = {{"b.ids", 1, multiple_of(8), -7}, {"b.mask", 1, multiple_of(8)}},
                           .argument_names = {"b"},
                           .on_compile = [&](const CompileEvent& event) { events.push_back(event); }});
  const auto call = [](const auto& function, std::int64_t n) {
    return function(Values<Masked>{{}, {Tensor::full<std::int32_t>({2, n}, 2), Tensor::full<bool>({2, n}, true)}})
        .item();
  };
  CHECK(call(own, 3) == 12);
  CHECK(call(own, 9) == 36);
  REQUIRE(!events.back().cures.empty());
  for (const Cure& cure : events.back().cures) {
    INFO(cure.change);
    const auto cured = jit(f, {.buckets = cure.buckets, .argument_names = {"b"}});
    CHECK(call(cured, 3) == 12);
    CHECK(call(cured, 9) == 36);
  }
}

TEST_CASE("no cure is the rule that is there already") {
  std::vector<CompileEvent> events;
  const auto f =
      jit([](Array x) { return sum(x); }, {.buckets = {{"x", 0, multiple_of(8)}},
                                           .argument_names = {"x"},
                                           .on_compile = [&](const CompileEvent& event) { events.push_back(event); }});
  for (const std::int64_t n : {3, 9, 20, 33}) f(ones(n));
  REQUIRE(!events.back().cures.empty());
  for (const Cure& cure : events.back().cures) CHECK(cure.change != R"(.buckets = {{"x", 0, multiple_of(8)}})");
}

TEST_CASE("what is not an extent has a cure of its own") {
  std::vector<CompileEvent> events;
  const auto f = jit([](const Array& x, double rate) { return x * rate; },
                     {.argument_names = {"x", "rate"}, .max_programs = 3, .on_compile = [&](const CompileEvent& event) {
                        events.push_back(event);
                      }});
  f(ones(2), 0.1);
  f(ones(2), 0.2);
  CHECK(events[1].cures.at(0).text() == "pass rate as a Tensor: it is then data, and all its values share a program");
  f(Tensor{DType::f64, {2}}, 0.2);
  CHECK(events[2].cures.at(0).text() == "pass x as f32 in every call: .converted(DType::f32)");
  f(Tensor{DType::f32, {2, 1}}, 0.2);
  CHECK(events[3].cures.at(0).text().starts_with("pass x with one rank"));
  f(ones(2), 0.1);
  CHECK(events[4].was_evicted());
  CHECK(events[4].cures.at(0).text().starts_with(".max_programs = 6"));
}

TEST_CASE("the alarm is given once when compiles keep coming, and not when programs are found") {
  std::vector<Diagnostic> alarms;
  const auto options = [&](std::vector<Bucket> buckets) {
    return JitOptions{.buckets = std::move(buckets),
                      .argument_names = {"x"},
                      .on_alarm = [&](const Diagnostic& diagnostic) { alarms.push_back(diagnostic); },
                      .alarm = {.compiles = 4, .share = 0.01},
                      .name = "step"};
  };
  const auto f = jit([](const Array& x) { return sum(x * 2); }, options({}));
  for (std::int64_t n = 1; n <= 3; ++n) f(ones(n));
  CHECK(alarms.empty());
  for (std::int64_t n = 4; n <= 12; ++n) f(ones(n));
  REQUIRE(alarms.size() == 1);
  CHECK(alarms[0].number == 302);
  CHECK(alarms[0].sentence.starts_with("step was compiled 4 times in 4 calls, which took "));
  CHECK(alarms[0].where.file.string().ends_with("compile_recompiles.cpp"));
  CHECK(alarms[0].because.at(0).what == "dimension 0 of x is 1, 2, 3, 4");
  CHECK(alarms[0].fix.at(0).starts_with(".buckets = {{\"x\", 0, "));
  CHECK_FALSE(alarms[0].rule.empty());
  CHECK(alarms[0].see == "octet explain X302");

  alarms.clear();
  const auto cured = jit([](const Array& x) { return sum(x * 2); }, options({{"x", 0, multiple_of(64)}}));
  for (std::int64_t n = 1; n <= 12; ++n) cured(ones(n));
  // Compiles that were asked for are no cause for alarm.
  const auto warmed = jit([](const Array& x) { return sum(x * 2); }, options({{"x", 0, multiple_of(2)}}));
  CHECK(warmed.warm_up(ones(12)).compiled == 6);
  for (std::int64_t n = 1; n <= 12; ++n) warmed(ones(n));
  CHECK(alarms.empty());
}

TEST_CASE("while compiling is forbidden a new shape is refused with what differs, and known ones run") {
  const auto f = jit([](const Array& x) { return x + 1; }, {.argument_names = {"x"}, .name = "step"});
  f(ones(2));
  {
    const NoCompiling frozen = f.forbid_compiling();
    CHECK(f(ones(2)).elements() == 2);
    const Diagnostic diagnostic = refusal([&] { f(ones(3)); });
    CHECK(diagnostic.number == 303);
    CHECK(diagnostic.sentence ==
          "step would have to compile a program while compiling is forbidden: dimension 0 of x is 3, before 2.");
    CHECK(diagnostic.fix.at(0).starts_with(".buckets = {{\"x\", 0, "));
    NoCompiling second = f.forbid_compiling();
    NoCompiling moved = std::move(second);
  }
  CHECK(f(ones(3)).elements() == 3);
  CHECK(f.statistics().misses == 2);
  CHECK(f.statistics().failures == 0);
  const NoCompiling frozen = jit([](const Array& x) { return x; }, {}).forbid_compiling();  // outlives its function
}

TEST_CASE("a cache that refuses keeps what it has") {
  const auto f = jit([](const Array& x) { return x + 1; },
                     {.argument_names = {"x"}, .max_programs = 2, .when_full = WhenFull::refuse});
  f(ones(1));
  f(ones(2));
  const Diagnostic diagnostic = refusal([&] { f(ones(3)); });
  CHECK(diagnostic.number == 304);
  CHECK(diagnostic.sentence.starts_with("main would need program 3, and may have 2: dimension 0 of x is 3, before "));
  f(ones(1));
  CHECK(f.statistics().evictions == 0);
  CHECK(f.statistics().programs == 2);
}

TEST_CASE("a refusal offers no buckets with which the same calls would be refused again") {
  for (const std::size_t most : {1, 2}) {
    const auto f = jit([](const Array& x) { return sum(x); },
                       {.argument_names = {"x"}, .max_programs = most, .when_full = WhenFull::refuse});
    const auto call = [&] {
      for (const std::int64_t n : {5, 20, 40}) f(ones(n));
    };
    for (const std::string& fix : refusal(call).fix) {
      INFO(fix);
      CHECK(fix.find("as many as now") == fix.npos);
      if (most == 1 && fix.starts_with(".buckets")) CHECK(fix.find(": 1 program instead of") != fix.npos);
    }
  }
  const auto f = jit([](const Array& x) { return sum(x); }, {.argument_names = {"x"}});
  f(ones(5));
  const NoCompiling frozen = f.forbid_compiling();
  for (const std::string& fix : refusal([&] { f(ones(20)); }).fix) CHECK(fix.find("as many as now") == fix.npos);
}

TEST_CASE("a program that was evicted and is traced otherwise is told with the first operation that differs") {
  double factor = 0.5;
  std::vector<CompileEvent> events;
  std::vector<Diagnostic> alarms;
  const auto f = jit([&](const Array& x) { return x * factor + 1; },
                     {.max_programs = 1,
                      .on_compile = [&](const CompileEvent& event) { events.push_back(event); },
                      .on_alarm = [&](const Diagnostic& diagnostic) { alarms.push_back(diagnostic); }});
  f(ones(1));
  f(ones(2));
  f(ones(1));
  CHECK_FALSE(events.at(2).retraced);
  factor = 0.25;
  f(ones(2));
  REQUIRE(events.at(3).retraced);
  CHECK(events[3].retraced->now == "constant 0.25");
  CHECK(events[3].retraced->before == "constant 0.5");
  CHECK(events[3].text().ends_with("was traced otherwise now: operation 0 is constant 0.25, before constant 0.5"));
  REQUIRE(alarms.size() == 1);
  CHECK(alarms[0].number == 306);
}

TEST_CASE("a trace that depends on more than its arguments is found, with the operation and its line") {
  double factor = 0.5;
  int calls = 0;
  const auto captured = jit([&](const Array& x) { return x * factor; }, {.name = "scaled"});
  captured(ones(2));
  captured.check_trace(ones(2));
  factor = 0.1;
  const Diagnostic diagnostic = refusal([&] { captured.check_trace(ones(2)); });
  CHECK(diagnostic.number == 306);
  CHECK(diagnostic.sentence ==
        "Traced twice for the same arguments, scaled became two programs: operation 0 is constant 0.1, before constant "
        "0.5.");
  CHECK(diagnostic.where.file.string().ends_with("compile_recompiles.cpp"));
  std::int64_t whole = 9'007'199'254'740'993;
  const auto far = jit([&](const Array& x) { return x + constant(Tensor::scalar(whole)); });
  far(Tensor::scalar<std::int64_t>(1));
  --whole;
  CHECK(refusal([&] {
          far.check_trace(Tensor::scalar<std::int64_t>(1));
        }).sentence.find("operation 0 is constant 9007199254740992, before constant 9007199254740993") !=
        std::string::npos);
  // Not compiled yet: two traces are compared.
  const auto counting = jit([&](const Array& x) { return ++calls % 2 ? x + x : x * x; });
  CHECK(refusal([&] { counting.check_trace(ones(2)); }).sentence.find("operation 0 is multiply, before add") !=
        std::string::npos);
  CHECK(counting.statistics().misses == 0);
  const auto growing = jit([&](const Array& x) {
    Array y = x;
    for (int i = 0; i < calls % 7; ++i) y = y + x;
    ++calls;
    return y;
  });
  calls = 1;
  CHECK(refusal([&] { growing.check_trace(ones(2)); }).sentence.find("operation 1 is add, before there was none") !=
        std::string::npos);
  const auto swapped = jit([&](const Array& x, const Array& y) { return ++calls % 2 ? x : y; });
  CHECK(refusal([&] { swapped.check_trace(ones(2), ones(2)); }).sentence.find("results are other values") !=
        std::string::npos);
}

TEST_CASE("the shapes of calls are counted, and bounded") {
  SeenShapes seen;
  const std::vector<std::string> names{"x", "y"};
  const auto call = [&](std::int64_t x, std::int64_t y) {
    const std::vector<Tensor> tensors{Tensor{DType::f32, {x}}, Tensor{DType::f32, {y, 2}}};
    seen.add(names, tensors);
  };
  CHECK(seen.varying().empty());
  call(3, 3);
  CHECK(seen.varying().empty());
  call(3, 3);
  call(5, 5);
  REQUIRE(seen.varying().size() == 1);
  CHECK(seen.varying()[0].dimensions == std::vector<VaryingExtent::Dimension>{{"x", 0}, {"y", 0}});
  CHECK(seen.varying()[0].extents == LengthHistogram{{3, 2}, {5, 1}});
  call(5, 6);
  REQUIRE(seen.varying().size() == 2);
  CHECK(seen.varying()[1].extents == LengthHistogram{{3, 2}, {5, 1}, {6, 1}});
  const std::vector<Bucket> eight{{"x", 0, max_length(8)}, {"y", 0, multiple_of(2)}};
  const std::optional<SeenOutcome> outcome = seen.under(eight);
  REQUIRE(outcome);
  CHECK(outcome->programs == 2);
  CHECK(outcome->elements == PaddedElements{16 + 34, 16 + 6});
  const std::vector<Bucket> small{{"x", 0, max_length(4)}};
  CHECK_FALSE(seen.under(small));
  for (std::int64_t i = 0; i < 5000; ++i) call(i, 7);
  CHECK(seen.calls() == 5004);
  CHECK(seen.beyond() == 5004 - SeenShapes::most_shapes - 1);
}

TEST_CASE("a cure that makes no fewer programs does not say that it does") {
  const Cure fewer{.change = "so", .programs = 2, .programs_now = 9},
      as_many{.change = "so", .programs = 2, .programs_now = 2};
  CHECK(fewer.text() == "so: 2 programs instead of 9 for the shapes seen, 0.0 % padding");
  CHECK(as_many.text() == "so: 2 programs, as many as now, for the shapes seen, 0.0 % padding");
}

TEST_CASE("a cure that is explained takes all calls until now, those after the last compile, too") {
  const auto function = [](const Array& x) { return sum(x); };
  const auto called = [&](const std::vector<Bucket>& buckets) {
    Jit step = jit(function, {.buckets = buckets, .argument_names = {"x"}});
    for (std::int64_t length = 5; length < 60; length += 3) step(Tensor::full<float>({4, length}, 1));
    return step;
  };
  // The last program is compiled for 50; 53, 56 and 59 are in its bucket.
  const std::string text = called({{"x", 1, multiple_of(16)}}).explain();
  INFO(text);
  CHECK(text.find("max_length(56)") == std::string::npos);
  const std::size_t at = text.rfind("max_length(");
  REQUIRE(at != std::string::npos);
  const std::int64_t longest = std::stoll(text.substr(at + 11));
  CHECK(longest == 64);
  CHECK(called({{"x", 1, max_length(longest)}}).statistics().misses == 1);
}
