// Replicas compute for real, stay equal, and drifting apart is noticed.
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>
import octet.base;
import octet.graph;
import octet.trace;
import octet.compile;
import octet.tpu;

#include "refusal.hpp"

using namespace octet;

namespace {

struct Head {
  std::optional<Array> bias;
};
struct Heads {
  std::vector<Head> heads;
  Array x;
};
struct Line {
  Array slope, offset;
};

/// A step of least squares on one replica's share; `averages` says whether it averages the gradients, as it should.
struct Step {
  ReplicaGroups all;
  bool averages = true;
  std::pair<Line, Array> operator()(const Line& line, const Array& x, const Array& y) const {
    auto [loss, gradient] =
        value_and_grad([&](const Line& l) { return mean(square(l.slope * x + l.offset - y)); })(line);
    const double replicas = static_cast<double>(group_size(all));
    const auto shared = [&](const Array& g) { return averages ? all_reduce(g, all) / replicas : g; };
    return {Line{line.slope - shared(gradient.slope) * 0.1, line.offset - shared(gradient.offset) * 0.1}, loss};
  }
};

Tensor column(std::int64_t n, float scale, float offset) {
  Tensor tensor{DType::f32, Shape{n}};
  for (std::int64_t i = 0; i < n; ++i)
    tensor.mutable_span<float>()[static_cast<std::size_t>(i)] =
        scale * (static_cast<float>(i) / static_cast<float>(n)) + offset;
  return tensor;
}

Values<Line> start() { return {Line{}, {Tensor::scalar(0.0f), Tensor::scalar(0.0f)}}; }

}  // namespace

TEST_CASE("eight replicas that average their gradients stay equal to the bit and learn, on any number of threads") {
  const tpu::Slice slice = tpu::slice("v3-8");
  std::vector<Values<Line>> ends;
  for (const unsigned count : {1u, 2u, 3u}) {
    Threads threads{count};
    JitOptions options;
    options.threads = &threads;
    options.argument_names = {"line", "x", "y"};
    options.donated = {"line"};
    const auto step = tpu::replicate(Step{slice.all()}, slice, options);
    auto lines = tpu::replicated(start(), slice.replicas);
    double first = 0, last = 0;
    for (int i = 0; i < 200; ++i) {
      auto [next, losses] = step(std::move(lines), column(64, 1, 0), column(64, 3, -1));
      lines = std::move(next);
      tpu::require_equal(lines);
      (i == 0 ? first : last) = losses[7].item();
    }
    CHECK(last < first / 10);
    CHECK(step.statistics().misses == 1);
    CHECK(step.statistics().hits == 199);
    ends.push_back(lines[3]);
  }
  CHECK(ends[0].tensors() == ends[1].tensors());
  CHECK(ends[0].tensors() == ends[2].tensors());
}

TEST_CASE("where replicas' results need more memory than there is, state that was moved in is where it was") {
  const tpu::Slice slice = tpu::slice("v2-8");
  const auto step = tpu::replicate(
      [](const Array& state, const Array& x) {
        const Array square = reshape(x, {x.shape()[0], 1}) + x;
        return std::tuple{state + 1.0f, square, square * 2.0, square * 3.0};  // 24 TB on each
      },
      slice, {.argument_names = {"state", "x"}, .donated = {"state"}});
  auto state = tpu::replicated(Tensor::full(Shape{2}, 1.0f), slice.replicas);
  const auto x = tpu::replicated(Tensor{DType::f64, Shape{1 << 20}}, slice.replicas);
  for (int call = 0; call < 2; ++call) {
    CHECK(number_of([&] { step(std::move(state), x); }) == 408);
    REQUIRE(static_cast<std::int64_t>(state.size()) == slice.replicas);
    CHECK(state[0] == Tensor::full(Shape{2}, 1.0f));
    CHECK(state[7] == Tensor::full(Shape{2}, 1.0f));
  }
}

TEST_CASE("replicas whose lists have other lengths are refused, though no array differs") {
  const auto step =
      tpu::replicate([](const Heads& m) { return m.x * static_cast<double>(m.heads.size()); }, tpu::slice("v3-8"));
  tpu::Replicated<Values<Heads>> values;
  for (int r = 0; r < 8; ++r)
    values.each.push_back({Heads{std::vector<Head>(r == 3 ? 3u : 2u), {}}, {Tensor::scalar(1.0f)}});
  CHECK(number_of([&] { step(values); }) == 405);
  values[3] = values[0];
  CHECK(step(values)[3].item() == 2);
}

TEST_CASE("the mean of a structure over the replicas is that of each of its arrays") {
  const tpu::Slice slice = tpu::slice("v3-8");
  const auto means = tpu::replicate(
      [&](const Array& x) {
        const Line line{x * 2.0, sum(x)};
        return std::tuple{all_reduce_mean(line, slice.all()), all_reduce(line.slope, slice.all()) / 8.0,
                          all_reduce_mean(line.offset, {{0, 1}, {2, 3}, {4, 5}, {6, 7}}), all_reduce_mean(line, {})};
      },
      slice);
  const auto [whole, slope, halves, of_all] = means(column(16, 5, 1));
  tpu::require_equal(of_all);
  CHECK(of_all[5].tensors() == whole[5].tensors());
  tpu::require_equal(whole);
  tpu::require_equal(slope);
  CHECK(number_of([&] { tpu::require_equal(tpu::Replicated<Tensor>{{slope[0], Tensor::scalar(-1.0f)}}); }) == 602);
  CHECK(whole[3].tensors()[0] == slope[3]);
  // Replicas 2 and 3 have rows 4 to 7.
  const Tensor all = column(16, 5, 1);
  float of_pair = 0;
  for (const float value : all.span<float>().subspan(4, 4)) of_pair += value;
  CHECK(halves[2].item() == of_pair / 2);
  CHECK(halves[3].item() == of_pair / 2);
  CHECK(halves[4].item() != of_pair / 2);
}

TEST_CASE("replicas that keep their gradients to themselves drift apart, and the message names what and who") {
  const tpu::Slice slice = tpu::slice("v3-8");
  const auto step = tpu::replicate(Step{slice.all(), false}, slice);
  auto lines = tpu::replicated(start(), slice.replicas);
  tpu::require_equal(lines);
  auto [next, losses] = step(std::move(lines), column(64, 1, 0), column(64, 3, -1));
  try {
    tpu::require_equal(next);
    FAIL("drifting went unnoticed");
  } catch (const Error& error) {
    CHECK(error.number() == 602);
    CHECK(error.diagnostics().front().sentence == "Replica 1 and replica 0 differ in 'slope', f32[].");
  }
}

TEST_CASE("what is equal on all replicas is computed once and held once; what is not is each one's own") {
  const tpu::Slice slice = tpu::slice("v3-8");
  Threads threads{2};
  std::vector<std::string> compiled;
  JitOptions options;
  options.threads = &threads;
  options.argument_names = {"line", "x", "y"};
  options.on_compile = [&](const CompileEvent& event) {
    compiled.push_back(event.differences.empty() ? "" : to_string(event.differences.front()));
  };
  const auto step = tpu::replicate(Step{slice.all()}, slice, options);
  const auto at = [](const Values<Line>& line, std::size_t i) { return line.tensors()[i].bytes().data(); };

  auto [same, losses] = step(tpu::replicated(start(), 8), column(64, 1, 0), column(64, 3, -1));
  for (std::size_t r = 1; r < 8; ++r) {
    CHECK(at(same[r], 0) == at(same[0], 0));
    CHECK(at(same[r], 1) == at(same[0], 1));
    CHECK(losses[r].bytes().data() != losses[0].bytes().data());
  }
  // Equal numbers in tensors of their own: each replica does its own work, to the same bits.
  tpu::Replicated<Values<Line>> apart;
  for (int r = 0; r < 8; ++r) apart.each.push_back(start());
  auto [own, own_losses] = step(std::move(apart), column(64, 1, 0), column(64, 3, -1));
  CHECK(compiled == std::vector<std::string>{"", "line of the replicas is one for each, before one value"});
  for (std::size_t r = 0; r < 8; ++r) {
    CHECK(own[r].tensors() == same[r].tensors());
    CHECK(own_losses[r] == losses[r]);
    if (r > 0) CHECK(at(own[r], 0) != at(own[0], 0));
  }
  // Writing to one replica's value leaves the others alone.
  same[3].tensors()[0].mutable_span<float>()[0] += 1;
  CHECK(number_of([&] { tpu::require_equal(same); }) == 602);
}

TEST_CASE("a batch that eight replicas cannot share is refused") {
  const tpu::Slice slice = tpu::slice("v3-8");
  const auto step = tpu::replicate(Step{slice.all()}, slice);
  CHECK(number_of([&] { step(tpu::replicated(start(), 8), column(63, 1, 0), column(63, 1, 0)); }) == 601);
  CHECK(number_of([&] { step(tpu::replicated(start(), 4), column(64, 1, 0), column(64, 1, 0)); }) == 405);
}

TEST_CASE("replicated state that was moved into a call that is refused is still there") {
  const tpu::Slice slice = tpu::slice("v3-8");
  const auto step = tpu::replicate(Step{slice.all()}, slice);
  auto lines = tpu::replicated(start(), 8);
  CHECK(number_of([&] { step(std::move(lines), column(63, 1, 0), column(63, 1, 0)); }) == 601);
  CHECK(number_of([&] { step(std::move(lines), column(64, 1, 0), column(32, 1, 0)); }) == 401);  // while it is traced
  REQUIRE(lines.size() == 8);
  for (std::size_t r = 0; r < 8; ++r) CHECK(lines[r].tensors() == start().tensors());
  auto xs = tpu::replicated(column(8, 1, 0), 8);
  xs[3] = column(7, 1, 0);
  try {
    step(std::move(lines), xs, xs);
    FAIL("replicas were given different extents");
  } catch (const Error& error) {
    const Diagnostic& uneven = error.diagnostics().front();
    CHECK(uneven.number == 405);
    CHECK(uneven.sentence ==
          "Replica 3 was given f32[7] for 'arg1', replica 0 f32[8], and all replicas run one program.");
    CHECK(uneven.fix.at(0).find("max_length") != std::string::npos);
  }
  xs[3] = column(8, 1, 0);
  const Tensor taken = std::move(xs[5]);
  CHECK(number_of([&] { step(std::move(lines), xs, tpu::replicated(column(8, 1, 0), 8)); }) == 405);
  CHECK(lines.size() == 8);
  step(std::move(lines), column(64, 1, 0), column(64, 1, 0));
  CHECK(lines.size() == 0);
}

TEST_CASE("what fills rows up is converted to their element type") {
  const Tensor rows{DType::i32, {1, 2}};
  const auto filled = [&](double value) { return tpu::filled_up(rows, 2, value); };
  CHECK(filled(-1) == Tensor::of<std::int32_t>({2, 2}, {0, 0, -1, -1}));
  CHECK(filled(std::nan("")) == Tensor::of<std::int32_t>({2, 2}, {0, 0, 0, 0}));
  constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
  CHECK(filled(1e300) == Tensor::of<std::int32_t>({2, 2}, {0, 0, most, most}));
}

TEST_CASE("nothing is shared by no replicas, and what is cleared on one is not equal") {
  for (const std::int64_t replicas : {0, -2})
    CHECK(number_of([&] { tpu::shares(column(4, 1, 0), replicas, "x"); }) == 601);
  auto lines = tpu::replicated(Values<Line>{Line{}, {column(1, 1, 0), column(1, 1, 0)}}, 3);
  tpu::require_equal(lines);
  lines[2].tensors().pop_back();
  CHECK(number_of([&] { tpu::require_equal(lines); }) == 405);
  lines = tpu::replicated(Values<Line>{Line{}, {column(1, 1, 0), column(1, 1, 0)}}, 3);
  lines[0].tensors().clear();
  CHECK(number_of([&] { tpu::require_equal(lines); }) == 405);
}

TEST_CASE("of a structure that is a batch each replica has its share, of one that is a model all of it") {
  const auto f =
      tpu::replicate([](const Line& model, const Line& batch) { return sum(model.slope) + sum(batch.slope); },
                     tpu::slice("v3-8"), {.argument_names = {"model", "batch"}});
  const Values<Line> rows{Line{}, {column(16, 16, 0), column(8, 8, 0)}};  // 0, 1, 2, …
  const auto sums = f(tpu::replicated(rows, 8), tpu::sharded(rows));
  for (std::size_t r = 0; r < 8; ++r) CHECK(sums[r].item() == 120.0 + 4.0 * static_cast<double>(r) + 1.0);
  const Values<Line> uneven{Line{}, {column(16, 16, 0), column(9, 9, 0)}};
  CHECK(number_of([&] { f(tpu::replicated(rows, 8), tpu::sharded(uneven)); }) == 601);
}

TEST_CASE("replicas whose static values differ are refused with X405") {
  const tpu::Slice slice = tpu::slice("v3-8");
  const auto raised =
      tpu::replicate([](Array x, std::int64_t power) { return pow(x, static_cast<double>(power)); }, slice);
  auto powers = tpu::replicated(std::int64_t{2}, slice.replicas);
  CHECK(raised(Tensor::full<float>({8}, 3), powers)[5].at(0) == 9);
  powers[5] = 3;
  CHECK(number_of([&] { raised(Tensor::full<float>({8}, 3), powers); }) == 405);
  CHECK(number_of([&] { raised.warm_up(Tensor::full<float>({8}, 3), powers); }) == 405);
  CHECK(number_of([&] { static_cast<void>(raised.check_padding(Tensor::full<float>({8}, 3), powers)); }) == 405);
}

TEST_CASE("replicas see their own number, and a collective inside a branch is refused where they would part ways") {
  Threads threads{2};
  JitOptions options;
  options.threads = &threads;
  const tpu::Slice slice = tpu::slice("v2-8");
  const auto numbers = tpu::replicate([](const Array& x) { return x + cast<float>(replica_id()); }, slice, options);
  const auto seen = numbers(tpu::replicated(Tensor::scalar(0.5f), 8));
  for (std::size_t r = 0; r < 8; ++r) CHECK(seen[r].item() == 0.5 + static_cast<double>(r));

  const auto branch = [all = slice.all()](bool agree) {
    return [all, agree](const Array& x) {
      const Array where = agree ? all_reduce(x, all) : x;
      return cond(where > 100.0, [&] { return all_reduce(x, all); }, [&] { return x; });
    };
  };
  tpu::Replicated<Tensor> values;
  for (int r = 0; r < 8; ++r) values.each.push_back(Tensor::scalar(static_cast<float>(r) * 25));
  CHECK(number_of([&] { tpu::replicate(branch(false), slice, options)(values); }) == 105);
  const auto summed = tpu::replicate(branch(true), slice, options)(values);
  for (std::size_t r = 0; r < 8; ++r) CHECK(summed[r].item() == 700);
}

TEST_CASE("a slice too large to simulate is refused by replicate, not by its name") {
  CHECK(number_of([] { tpu::replicate([](const Array& x) { return x; }, tpu::slice("v3-2048")); }) == 605);
}

TEST_CASE("replicas are warmed up together, in the buckets of their shares, and then none compiles") {
  const tpu::Slice slice = tpu::slice("v3-8");
  JitOptions options;
  options.argument_names = {"line", "x"};
  options.buckets = {{"x", 0, multiple_of(2)}};
  const auto f = tpu::replicate(
      [all = slice.all()](const Line& line, const Array& x) { return all_reduce(sum(x) * line.slope, all); }, slice,
      options);
  Values<Line> line = start();
  line.tensors()[0] = Tensor::scalar(2.0f);
  const auto lines = tpu::replicated(line, slice.replicas);
  CHECK(f.warm_up(lines, column(48, 0, 1)).compiled == 3);
  CHECK(f.warm_up(lines, column(48, 0, 1)).known == 3);
  const NoCompiling frozen = f.forbid_compiling();
  for (std::int64_t n = 8; n <= 48; n += 8) CHECK(f(lines, column(n, 0, 1))[7].item() == 2.0 * static_cast<double>(n));
  CHECK(number_of([&] { f(lines, column(56, 0, 1)); }) == 303);
  CHECK(f.statistics().misses == 3);
  // A replica's shapes count once for all.
  CHECK(f.seen().calls() == 7);
  CHECK(f.explain().find("dimension 0 of x is 1, 2, 3, 4, 5, 6, … (7 extents up to 7)") != std::string::npos);
}

TEST_CASE("fewer replicas than none, and a slice that nobody made, are refused") {
  CHECK(number_of([] { tpu::replicated(Tensor::scalar(1.0f), -1); }) == 403);
  CHECK(tpu::replicated(Tensor::scalar(1.0f), 0).size() == 0);
  CHECK(number_of([] { tpu::replicate([](const Array& x) { return x; }, tpu::Slice{}); }) == 604);
}

TEST_CASE("a text is static, given as a literal, too") {
  const auto scaled = tpu::replicate(
      [](const Array& x, const std::string& how) { return how == "twice" ? x * 2.0 : x; }, tpu::slice("v3-8"));
  const Tensor x{DType::f32, {8}};
  CHECK(scaled(x, "twice").each.size() == 8);
  scaled(x, std::string{"twice"});
  scaled.compile(x, "once");
  CHECK(scaled.statistics().misses == 2);
}

TEST_CASE("nothing is made for more replicas, or of more rows, than there can be") {
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  CHECK(number_of([&] { tpu::replicated(1, most); }) == 403);
  CHECK(number_of([&] { tpu::replicated(1, -1); }) == 403);
  CHECK(number_of([&] { tpu::filled_up(column(4, 1, 0), most, 0); }) == 408);
  const Tensor filled = tpu::filled_up(column(2, 1, 0), 3, 7);
  CHECK(filled.shape()[0] == 3);
  CHECK(filled.at(2) == 7);
  CHECK(number_of([] { tpu::slice("v4-9223372036854775807"); }) == 604);
}

TEST_CASE("a function of operands is refused at the line that compiles it") {
  const auto place_of = [](const auto& function, const Tensor& x) {
    try {
      (void)function(x);
    } catch (const Error& error) {
      CHECK(error.number() == 401);
      CHECK(error.diagnostics().front().where.file.string().ends_with("tpu_replicas.cpp"));
      return error.diagnostics().front().where.line;
    }
    FAIL("nothing was refused");
    return 0u;
  };
  const auto folded = [](operand x) { return reshape(x, {7}); };
  const unsigned line = __LINE__ + 1;
  const auto alone = jit(folded);
  const auto together = tpu::replicate(folded, tpu::slice("v3-8"));
  CHECK(place_of(alone, Tensor{DType::f32, {8}}) == line);
  CHECK(place_of(together, Tensor{DType::f32, {16}}) == line + 1);
  CHECK(alone(Tensor::full<float>({7, 1}, 2)) == Tensor::full<float>({7}, 2));
  const Jit<std::decay_t<decltype(folded)>> named{folded};
  CHECK(place_of(named, Tensor{DType::f32, {8}}) == line + 5);
  // What is given is handed on as it is.
  const auto taken = jit([](operand x, std::vector<Array>&& more) { return x + more.at(0); });
  CHECK(taken(Tensor::scalar(1.0f), std::vector{Tensor::scalar(2.0f)}).item() == 3);
}
