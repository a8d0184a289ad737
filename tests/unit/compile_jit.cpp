#include <array>
#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

import octet.base;
import octet.graph;
import octet.trace;
import octet.compile;

#include "refusal.hpp"

using namespace octet;

namespace jit_test {

struct Linear {
  Array weight, bias;
};
struct Model {
  std::vector<Linear> layers;
  std::optional<Array> scale;
  std::int64_t heads = 1;
};
struct Batch {
  Array tokens, mask;
};
struct Metrics {
  Array loss, count;
};
struct Rates {
  float rate = 0.1f;
  std::string kind = "mean";
};
enum class Mode : std::uint8_t { sum, product };

}  // namespace jit_test

using namespace jit_test;

namespace {

Tensor row(std::initializer_list<float> values) {
  return Tensor::of<float>({static_cast<std::int64_t>(values.size())}, values);
}

Values<Batch> batch_of(std::int64_t length) {
  Tensor tokens{DType::f32, {2, length}};
  for (float next = 1; float& token : tokens.mutable_span<float>()) token = next++;
  return {Batch{}, {tokens, Tensor::full<float>({2, length}, 1)}};
}

static_assert(std::same_as<host_t<Array>, Tensor>);
static_assert(std::same_as<host_t<Metrics>, Values<Metrics>>);
static_assert(std::same_as<host_t<std::pair<Model, Metrics>>, std::pair<Values<Model>, Values<Metrics>>>);
static_assert(
    std::same_as<host_t<std::tuple<Array, int, std::vector<Array>>>, std::tuple<Tensor, int, std::vector<Tensor>>>);
static_assert(std::same_as<symbolic_t<const Values<Model>&>, Model>);
static_assert(std::same_as<symbolic_t<std::array<Tensor, 2>>, std::array<Array, 2>>);
static_assert(std::same_as<symbolic_t<const char (&)[4]>, std::string>);

}  // namespace

TEST_CASE("a compiled function is called with tensors and returns them") {
  const auto f = jit([](Array x, Array y) { return x * y + 1; });
  CHECK(f(row({1, 2}), row({3, 4})) == row({4, 9}));
  CHECK(f(row({2, 2}), row({3, 4})) == row({7, 9}));
  CHECK(f.statistics().misses == 1);
  CHECK(f.statistics().hits == 1);
  f(row({1}), row({1}));
  CHECK(f.statistics().misses == 2);
}

TEST_CASE("structures go in and out field by field, with their static members") {
  const auto f = jit(
      [](const Model& model, const Array& x) {
        Model next = model;
        Array y = x;
        for (Linear& layer : next.layers) {
          y = y * layer.weight + layer.bias;
          layer.bias = layer.bias + 1;
        }
        if (next.scale) y = y * *next.scale;
        next.heads = model.heads + 1;
        return std::pair{next, Metrics{sum(y), constant(Tensor::scalar(2.0f))}};
      },
      {.argument_names = {"model", "x"}});
  Model structure{.layers = std::vector<Linear>(2), .scale = Array{}, .heads = 3};
  const Values<Model> model{structure, {row({2, 2}), row({1, 1}), row({3, 3}), row({0, 1}), row({10, 10})}};
  const auto [next, metrics] = f(model, row({1, 2}));
  CHECK(next.structure().heads == 4);
  CHECK(next.structure().layers.size() == 2);
  CHECK(next.names() ==
        std::vector<std::string>{"layers.0.weight", "layers.0.bias", "layers.1.weight", "layers.1.bias", "scale"});
  CHECK(next.tensors()[1] == row({2, 2}));
  CHECK(next.tensors()[3] == row({1, 2}));
  CHECK(metrics.tensors()[0].item() == (1 * 2 + 1) * 3 * 10 + ((2 * 2 + 1) * 3 + 1) * 10);
  CHECK(metrics.tensors()[1].item() == 2);

  // The state of one call is the argument of the next: another static member, another program, and then the same one.
  f(next, row({1, 2}));
  CHECK(f.statistics().misses == 2);
  structure.scale.reset();
  f(Values<Model>{structure, {row({2, 2}), row({1, 1}), row({3, 3}), row({0, 1})}}, row({1, 2}));
  CHECK(f.statistics().misses == 3);
  f(model, row({5, 6}));
  CHECK(f.statistics().hits == 1);

  const Graph graph = f.lower(model, row({1, 2}));
  CHECK(graph.values()[0].name == "model.layers.0.weight");
  CHECK(graph.values()[5].name == "x");
}

TEST_CASE("lists, tuples, pairs and optionals of tensors keep their form") {
  const auto f = jit([](std::vector<Array> list, std::tuple<Array, std::pair<Array, int>> tuple,
                        std::optional<Array> extra, std::array<Array, 2> two) {
    for (Array& each : list) each = each + std::get<0>(tuple);
    return std::tuple{list, std::get<1>(tuple), extra, std::array{two[1], two[0]}, std::string{"fixed"}};
  });
  const std::vector<Tensor> list{row({1}), row({2, 3})};
  const std::tuple tuple{row({10}), std::pair{row({7}), 4}};
  const auto [sums, pair, extra, two, text] = f(list, tuple, std::optional<Tensor>{}, std::array{row({1}), row({2})});
  CHECK(sums == std::vector<Tensor>{row({11}), row({12, 13})});
  CHECK(pair == std::pair{row({7}), 4});
  CHECK_FALSE(extra);
  CHECK(two[0] == row({2}));
  CHECK(text == "fixed");
  CHECK(std::get<2>(f(std::vector<Tensor>{}, tuple, std::optional{row({5})}, std::array{row({1}), row({2})})) ==
        row({5}));
  CHECK(f.statistics().misses == 2);
}

TEST_CASE("each value of a static argument has a program of its own") {
  std::vector<CompileEvent> events;
  const auto f = jit(
      [](Array x, double factor, Mode mode, const std::string& name, const Rates& rates, const Shape& shape) {
        const Array y = x * factor * rates.rate + static_cast<float>(name.size());
        return mode == Mode::sum ? sum(reshape(y, shape.extents())) : product(y, {0});
      },
      {.argument_names = {"x", "factor", "mode", "name", "rates"},
       .on_compile = [&](const CompileEvent& event) { events.push_back(event); }});
  const Tensor x = row({1, 2});
  CHECK(f(x, 2.0, Mode::sum, "ab", Rates{.rate = 1}, Shape{2, 1}).item() == 10);
  CHECK(f(x, 2.0, Mode::product, "ab", Rates{.rate = 1}, Shape{2, 1}).item() == 24);
  CHECK(f(x, 2.0, Mode::product, std::string{"ab"}, Rates{.rate = 1}, Shape{2, 1}).item() == 24);
  CHECK(f.statistics().misses == 2);
  // Values that differ in their last bit, or only beyond the sixth digit, are different programs.
  f(x, 1e-9, Mode::sum, "토큰😀", Rates{}, Shape{2});
  f(x, 2e-9, Mode::sum, "토큰😀", Rates{}, Shape{2});
  CHECK(f.statistics().misses == 4);
  CHECK(to_string(events.back().differences.at(0)) == "factor is 2e-09, before 1e-09");
  CHECK(events.back().differences.size() == 1);
  CHECK(events.back().signature.statics.at(3) == StaticValue{"rates.rate", "0.1"});
}

TEST_CASE("calls in turn that differ in names or static values alone are not taken for each other") {
  // The names of a call are remembered for the next one: each of these is like the one before but for one thing.
  const auto f = jit(
      [](const std::vector<std::vector<Array>>& lists, std::optional<Array> extra, const std::string& a,
         const std::string& b, Rates rates, const Shape& shape) {
        double factor = 1;
        for (const auto& list : lists) factor = factor * 10 + static_cast<double>(list.size());
        factor = factor * 10 + static_cast<double>(a.size());
        factor = factor * 10 + static_cast<double>(b.size());
        factor = factor * 10 + static_cast<double>(shape.rank());
        return lists[0][0] * (factor + rates.rate + (extra ? 0.5 : 0.0));
      },
      {.argument_names = {"lists"}});
  const Tensor x = row({2});
  using Lists = std::vector<std::vector<Tensor>>;
  using Extra = std::optional<Tensor>;
  struct Call {
    Lists lists;
    Extra extra;
    std::string a, b;
    Rates rates;
    Shape shape;
    float expected;
  };
  const std::vector<Call> calls{
      {{{x, x}, {x}}, {}, "ab", "c", {0}, {2, 3}, 2 * 121212.0f},
      {{{x}, {x, x}}, {}, "ab", "c", {0}, {2, 3}, 2 * 112212.0f},
      {{{x}, {x, x}}, {}, "a", "bc", {0}, {2, 3}, 2 * 112122.0f},
      {{{x}, {x, x}}, x, "a", "bc", {0}, {2, 3}, 2 * 112122.5f},
      {{{x}, {x, x}}, x, "a", "bc", {0.25f}, {2, 3}, 2 * 112122.75f},
      {{{x}, {x, x}}, x, "a", "bc", {0.25f}, {6}, 2 * 112121.75f},
  };
  const auto check_all = [&] {
    for (const Call& call : calls)
      for (int repeat = 0; repeat < 2; ++repeat)
        CHECK(f(call.lists, call.extra, call.a, call.b, call.rates, call.shape).span<float>()[0] == call.expected);
  };
  check_all();
  check_all();
  CHECK(f.statistics().misses == calls.size());
}

TEST_CASE("static lists that end where something else begins are not taken for each other") {
  const auto f = jit([](Array x, const Dims& axes, const Shape& shape) {
    return x * (static_cast<double>(axes.size()) * 10 + static_cast<double>(shape.rank()));
  });
  const Tensor x = row({1});
  for (int repeat = 0; repeat < 2; ++repeat) {
    CHECK(f(x, Dims{}, Shape{2, 1, 5}).item() == 3);
    CHECK(f(x, Dims{0, 3}, Shape{5}).item() == 21);
    CHECK(f(x, Dims{}, Shape{2, 0}).item() == 2);
    CHECK(f(x, Dims{0, 2}, Shape{}).item() == 20);
  }
  using Maybe = std::vector<std::optional<std::int64_t>>;
  const auto g = jit([](Array y, const Maybe& a, const Maybe& b) {
    return y * (static_cast<double>(a.size()) * 10 + static_cast<double>(b.size()));
  });
  CHECK(g(x, Maybe{std::nullopt}, Maybe{std::nullopt}).item() == 11);
  CHECK(g(x, Maybe{}, Maybe{0}).item() == 1);
}

TEST_CASE("a call that is refused keeps the tensors that were to be moved in") {
  const auto f = jit([](const Batch& good, const Batch& bad) { return good.tokens + bad.tokens; },
                     {.argument_names = {"good", "bad"}});
  Values<Batch> good = batch_of(3), bad = batch_of(3);
  bad.tensors().pop_back();
  CHECK(number_of([&] { f(std::move(good), std::move(bad)); }) == 405);
  CHECK(good.tensors().size() == 2);
  CHECK(good.tensors()[0].elements() == 6);
  CHECK(bad.tensors()[0].elements() == 6);
}

TEST_CASE("lengths in one bucket share a program, and the mask keeps the result") {
  std::vector<std::string> compiles;
  const auto mean = jit([](const Batch& batch) { return sum(batch.tokens * batch.mask) / sum(batch.mask); },
                        {.buckets = {{"batch", 1, multiple_of(64)}},
                         .argument_names = {"batch"},
                         .on_compile = [&](const CompileEvent& event) { compiles.push_back(event.text()); }});
  const auto exactly = jit([](const Batch& batch) { return sum(batch.tokens * batch.mask) / sum(batch.mask); });
  for (std::int64_t length : {1, 5, 63, 64}) CHECK(mean(batch_of(length)) == exactly(batch_of(length)));
  CHECK(mean.statistics().misses == 1);
  CHECK(exactly.statistics().misses == 4);
  CHECK(mean.statistics().elements == PaddedElements{4 * (1 + 5 + 63 + 64), 4 * (63 + 59 + 1)});
  mean(batch_of(65));
  REQUIRE(compiles.size() == 2);
  CHECK(compiles[1].ends_with("dimension 1 of batch.tokens is 128, before 64 (and 1 more)"));
}

TEST_CASE("results keep the padding") {
  const auto f = jit([](Array x) { return x + 1; }, {.buckets = {{"arg0", 0, one_of({4, 8}), -1}}});
  CHECK(f(row({1, 2, 3})) == row({2, 3, 4, 0}));
  CHECK(f(Tensor{DType::f32, {0}}) == row({0, 0, 0, 0}));
  CHECK(f.statistics().misses == 1);
  CHECK(number_of([&] { f(Tensor{DType::f32, {9}}); }) == 301);
  CHECK(f.statistics().elements == PaddedElements{3, 5});
}

TEST_CASE("a structure without its data is refused") {
  const auto f = jit([](const Batch& batch) { return batch.tokens; }, {.argument_names = {"batch"}});
  CHECK(number_of([&] { f(Batch{}); }) == 405);
  CHECK(number_of([&] { f(Values<Batch>{}); }) == 405);
}

TEST_CASE("a tensor that was moved into a call is refused by the next one") {
  const auto f = jit([](Array state, Array x) { return state + x; });
  Tensor state = row({1, 2});
  CHECK(f(std::move(state), row({1, 1})) == row({2, 3}));
  CHECK(number_of([&] { f(std::move(state), row({1, 1})); }) == 405);
  CHECK(number_of([&] { f(row({1, 1}), state); }) == 405);
  state = row({5, 6});
  CHECK(f(std::move(state), row({1, 1})) == row({6, 7}));
}

TEST_CASE("what was moved into a call that is refused is still there") {
  const auto f = jit([](Array state, Array x) { return state + sum(x); },
                     {.buckets = {{"x", 0, one_of({2})}}, .argument_names = {"state", "x"}});
  Tensor state = row({1, 2});
  CHECK(number_of([&] { f(std::move(state), row({1, 1, 1})); }) == 301);  // beyond all buckets
  CHECK(state == row({1, 2}));
  const auto g = jit([](Array state, Array x) { return state + x; });
  CHECK(number_of([&] { g(std::move(state), row({1, 1, 1})); }) == 401);  // refused while it is traced
  CHECK(state == row({1, 2}));
  Tensor x = row({1, 1}), taken = std::move(x);
  CHECK(number_of([&] { g(std::move(state), x); }) == 405);
  CHECK(state == row({1, 2}));
  CHECK(g(std::move(state), row({1, 1})) == row({2, 3}));
}

TEST_CASE("a program can be had without running it") {
  const auto f = jit([](Array x) { return exp(x) * exp(x); }, {.name = "squares"});
  const Graph graph = f.lower(row({1, 2}));
  CHECK(graph.name() == "squares");
  CHECK(graph.nodes().size() == 3);
  CHECK(f.statistics().misses == 0);
  const Executable executable = f.executable(row({1, 2}));
  CHECK(executable.graph().nodes().size() == 2);
  CHECK(f.statistics().misses == 1);
  f(row({3, 4}));
  CHECK(f.statistics().hits == 1);
  f.clear();
  CHECK(f.statistics().programs == 0);
}

TEST_CASE("the compiled result is the reference's") {
  const auto f = jit([](Array x, Array y) { return std::pair{softmax(matmul(x, y)), sum(tanh(x), {1})}; });
  Tensor x{DType::f32, {5, 7}}, y{DType::f32, {7, 3}};
  for (float next = -2; float& each : x.mutable_span<float>()) each = next += 0.125f;
  for (float next = 3; float& each : y.mutable_span<float>()) each = next -= 0.25f;
  const auto expected = evaluate(f.lower(x, y), std::vector{x, y});
  const auto [probabilities, sums] = f(x, y);
  CHECK(probabilities == expected[0]);
  CHECK(sums == expected[1]);
}

TEST_CASE("copies of a compiled function share its programs, and threads may call them at once") {
  Threads threads{4};
  std::atomic<int> traced{0}, wrong{0};
  const auto f = jit(
      [&](Array x) {
        ++traced;
        return x * 2;
      },
      {.threads = &threads});
  const auto g = f;
  threads.for_each(64, [&](std::size_t i) {
    const auto extent = static_cast<std::int64_t>(i % 4 + 1);
    const Tensor x = Tensor::full<float>({extent}, static_cast<float>(i));
    if ((i % 2 ? f : g)(x) != Tensor::full<float>({extent}, static_cast<float>(2 * i))) ++wrong;
  });
  CHECK(wrong == 0);
  CHECK(traced == 4);
  CHECK(g.statistics().misses == 4);
  CHECK(g.statistics().hits == 60);
}

TEST_CASE("one generic function serves arguments of several types") {
  const auto f = jit([](const auto& x) { return x; });
  CHECK(f(std::pair{row({1}), row({2})}).second == row({2}));
  CHECK(f(std::vector{row({1}), row({2})}).at(1) == row({2}));
  CHECK(f.statistics().misses == 2);
}

TEST_CASE("empty lists are not taken for each other") {
  const auto f = jit([](std::vector<std::vector<Array>> lists) { return lists; });
  using Lists = std::vector<std::vector<Tensor>>;
  for (const Lists& lists : {Lists{}, Lists{{}}, Lists{{}, {}}, Lists{{row({1})}, {}}, Lists{{}, {row({1})}}})
    CHECK(f(lists) == lists);
  CHECK(f.statistics().misses == 5);
}

TEST_CASE("a fault in the traced function reaches the caller, and the next call is traced anew") {
  bool faulty = true;
  const auto f = jit([&](Array x) { return faulty ? x + constant(row({1, 2, 3})) : x; });
  CHECK(number_of([&] { f(row({1, 2})); }) == 401);
  CHECK(f.statistics().failures == 1);
  faulty = false;
  CHECK(f(row({1, 2})) == row({1, 2}));
}

TEST_CASE("a function without arguments is compiled once") {
  const auto f = jit([] { return iota({DType::i32, {3}}, 0); });
  CHECK(f() == Tensor::of<std::int32_t>({3}, {0, 1, 2}));
  CHECK(f() == f());
  CHECK(f.statistics().misses == 1);
}

TEST_CASE("a gradient step is an ordinary compiled function") {
  const auto step = jit(
      [](const Linear& model, const Array& x, const Array& y) {
        const auto loss = [](const Linear& m, const Array& in, const Array& out) {
          return mean(square(in * m.weight + m.bias - out));
        };
        auto [value, gradient] = value_and_grad(loss)(model, x, y);
        return std::pair{Linear{model.weight - gradient.weight * 0.1, model.bias - gradient.bias * 0.1}, value};
      },
      {.argument_names = {"model", "x", "y"}, .donated = {"model"}});
  Values<Linear> model{Linear{}, {Tensor::scalar(0.0f), Tensor::scalar(0.0f)}};
  double last = 0;
  for (int i = 0; i < 200; ++i) {
    auto [next, loss] = step(std::move(model), row({-1, 0, 1, 2}), row({-1, 1, 3, 5}));
    model = std::move(next);
    last = loss.item();
  }
  CHECK(last < 1e-3);
  CHECK(step.statistics().misses == 1);
  CHECK(step.statistics().hits == 199);
}
