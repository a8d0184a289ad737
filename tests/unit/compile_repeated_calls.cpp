#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

import octet.base;
import octet.graph;
import octet.trace;
import octet.compile;

using namespace octet;

namespace repeated_test {

struct Head {
  std::optional<Array> bias;
};
struct Heads {
  std::vector<Head> heads;
  Array x;
};
struct Flags {
  std::vector<bool> on;
  Array x;
};
enum class Activation { none, twice };
struct Layer {
  Array x;
  Activation activation;
};
// A user's own functions, of names that Octet calls functions of its own.
template <class T>
int fixed(const T&) {
  return 7;
}
template <class T>
int count_arrays(const T&) {
  return -1;
}
template <class... T>
int walk(const T&...) {
  return -1;
}
template <class... T>
std::vector<Array> arrays_of(const T&...) {
  return {};
}
struct Scaled {
  Array values;
  std::int64_t factor = 2;
};

}  // namespace repeated_test

using namespace repeated_test;

namespace {

Tensor ones(std::int64_t count) { return Tensor::full<float>({count}, 1); }
Tensor ones(std::int64_t rows, std::int64_t columns) { return Tensor::full<float>({rows, columns}, 1); }

Values<Scaled> scaled(std::int64_t count, std::int64_t factor) { return {Scaled{{}, factor}, {ones(count)}}; }

Array times_factor(const Scaled& scaled) { return scaled.values * static_cast<double>(scaled.factor); }

}  // namespace

TEST_CASE("a call like one before is a hit, its shapes and its elements counted as ever") {
  const auto f = jit([](Array x) { return x * 2.0; }, {.buckets = {{"x", 0, multiple_of(4)}}, .argument_names = {"x"}});
  // 4 fits its bucket and is called as it is; 3 is padded to it.
  for (int round = 0; round < 3; ++round) {
    CHECK(f(ones(4)) == Tensor::full<float>({4}, 2));
    CHECK(f(ones(3)).elements() == 4);
    CHECK(f(ones(8)).elements() == 8);
  }
  const CacheStatistics statistics = f.statistics();
  CHECK(statistics.misses == 2);
  CHECK(statistics.hits == 7);
  CHECK(statistics.elements == PaddedElements{.real = 45, .padding = 3});
  CHECK(f.seen().calls() == 9);
  const std::vector<VaryingExtent> varying = f.seen().varying();
  REQUIRE(varying.size() == 1);
  CHECK(varying[0].extents == LengthHistogram{{3, 3}, {4, 3}, {8, 3}});
}

TEST_CASE("lists of what holds no array have programs of their own, by their lengths") {
  const auto count = jit([](const Heads& m) { return m.x * static_cast<double>(m.heads.size()); });
  const auto heads = [](std::size_t size) {
    return Values<Heads>{{std::vector<Head>(size), {}}, {Tensor::scalar(1.0f)}};
  };
  for (int round = 0; round < 2; ++round)
    for (const std::size_t size : {2, 3}) CHECK(count(heads(size)).item() == static_cast<double>(size));
  CHECK(count.statistics().misses == 2);

  const auto sizes = jit([](const std::optional<std::vector<Array>>& list, Array x) { return list ? x + 1.0 : x; });
  using List = std::optional<std::vector<Tensor>>;
  CHECK(sizes(List{std::in_place}, Tensor::scalar(1.0f)).item() == 2);
  CHECK(sizes(List{}, Tensor::scalar(1.0f)).item() == 1);
}

TEST_CASE("a program for lists of other lengths says so, where nothing else differs") {
  std::string told;
  const auto count = jit([](const Heads& m) { return m.x * static_cast<double>(m.heads.size()); },
                         {.on_compile = [&](const CompileEvent& event) { told = event.explain(); }});
  for (const std::size_t size : {2, 3}) count(Values<Heads>{{std::vector<Head>(size), {}}, {Tensor::scalar(1.0f)}});
  CHECK(told.find("differs: lists of the arguments are of other lengths, or optionals or variants hold others") !=
        told.npos);
}

TEST_CASE("truth values may be members of a list, in a structure or by themselves") {
  const auto sum_of = [](const std::vector<bool>& on, Array x) {
    return x * static_cast<double>(std::ranges::count(on, true));
  };
  const auto f = jit([&](const Flags& m) { return sum_of(m.on, m.x); });
  const auto g = jit(sum_of);
  for (const std::vector<bool>& on : {std::vector{true, false}, {true, true}}) {
    const auto expected = static_cast<double>(std::ranges::count(on, true));
    CHECK(f(Values<Flags>{{on, {}}, {Tensor::scalar(1.0f)}}).item() == expected);
    CHECK(g(on, Tensor::scalar(1.0f)).item() == expected);
  }
}

TEST_CASE("functions of a user's own that are called as Octet's are no part of how structures are taken apart") {
  using namespace repeated_test;
  const auto layer =
      jit([](const Layer& l) { return Layer{l.activation == Activation::twice ? l.x * 2.0 : l.x, l.activation}; });
  const auto called = [&](Activation activation) {
    return layer(Values<Layer>{Layer{{}, activation}, {Tensor::scalar(3.0f)}}).tensors()[0].item();
  };
  CHECK(called(Activation::none) == 3);
  CHECK(called(Activation::twice) == 6);
  CHECK(layer.statistics().misses == 2);
}

TEST_CASE("a repeated call after its program was dropped compiles anew") {
  const auto f = jit([](Array x) { return x + 1.0; }, {.argument_names = {"x"}});
  for (int i = 0; i < 3; ++i) f(ones(2));
  f.clear();
  CHECK(f(ones(2)) == Tensor::full<float>({2}, 2));
  CHECK(f.statistics().misses == 2);
  CHECK(f.seen().calls() == 4);

  const auto small = jit([](Array x) { return x + 1.0; }, {.argument_names = {"x"}, .max_programs = 1});
  for (int i = 0; i < 2; ++i)
    for (std::int64_t count : {2, 2, 3, 3}) CHECK(small(ones(count)).elements() == count);
  CHECK(small.statistics().misses == 4);
  CHECK(small.statistics().hits == 4);
  CHECK(small.statistics().evictions == 3);
}

TEST_CASE("repeated calls keep the programs they use from being evicted") {
  const auto f = jit([](Array x) { return x + 1.0; }, {.argument_names = {"x"}, .max_programs = 2});
  f(ones(2));
  f(ones(3));
  f(ones(2));  // used last, so 3 goes
  f(ones(4));
  f(ones(2));
  CHECK(f.statistics().misses == 3);
}

TEST_CASE("calls that differ in a static value, a shape or an element type alone are not repeated ones") {
  const auto f = jit(times_factor, {.argument_names = {"scaled"}});
  for (int round = 0; round < 2; ++round) {
    CHECK(f(scaled(2, 3)) == Tensor::full<float>({2}, 3));
    CHECK(f(scaled(2, 5)) == Tensor::full<float>({2}, 5));
    CHECK(f(scaled(6, 5)) == Tensor::full<float>({6}, 5));
    CHECK(f(Values<Scaled>{Scaled{{}, 5}, {Tensor::full({6}, bfloat16{1.0f})}}).dtype() == DType::bf16);
  }
  CHECK(f.statistics().misses == 4);
  CHECK(f.statistics().hits == 4);

  const auto g = jit([](Array x, Array y) { return sum(x) + sum(y); }, {.argument_names = {"x", "y"}});
  for (int round = 0; round < 2; ++round) {
    CHECK(g(ones(2, 3), ones(6)).item() == 12);
    CHECK(g(ones(6), ones(2, 3)).item() == 12);
    CHECK(g(ones(3, 2), ones(6)).item() == 12);
  }
  CHECK(g.statistics().misses == 3);
}

TEST_CASE("extents that begin to vary later are counted with those seen before") {
  const auto f = jit([](Array x) { return x + 1.0; }, {.argument_names = {"x"}});
  for (int i = 0; i < 3; ++i) f(ones(2, 8));
  f(ones(4, 8));
  for (int i = 0; i < 2; ++i) f(ones(2, 8));
  f(ones(2, 16));
  f(ones(2, 8));
  CHECK(f.statistics().misses == 3);
  CHECK(f.statistics().hits == 5);
  std::int64_t counted = 0;
  for (const VaryingExtent& each : f.seen().varying())
    if (each.dimensions.front().dimension == 0)
      for (const auto& [extent, times] : each.extents) counted += times;
  CHECK(counted == 8);
}

TEST_CASE("a tensor that is donated and given once more is copied first, whenever it is called") {
  const auto f = jit([](Array x, Array state) { return state + reverse(x, {0}); },
                     {.argument_names = {"x", "state"}, .donated = {"state"}});
  for (int i = 0; i < 3; ++i) {
    Tensor x = Tensor::of<float>({3}, {1, 2, 4});
    CHECK(f(x, std::move(x)) == Tensor::of<float>({3}, {5, 4, 5}));
  }
  CHECK(f.statistics().misses == 1);
}

TEST_CASE("a repeated call takes over the rvalues it is given and leaves all else") {
  const auto f =
      jit([](Array state, Array x) { return state + x; }, {.argument_names = {"state", "x"}, .donated = {"state"}});
  const Tensor x = ones(4);
  Tensor state = ones(4);
  const std::byte* const memory = state.bytes().data();
  for (int i = 0; i < 4; ++i) state = f(std::move(state), x);
  CHECK(state == Tensor::full<float>({4}, 5));
  CHECK(state.bytes().data() == memory);
  CHECK(f(state, x) == Tensor::full<float>({4}, 6));
  CHECK(state == Tensor::full<float>({4}, 5));
  CHECK(x == ones(4));
  CHECK(f.statistics().misses == 1);
}
