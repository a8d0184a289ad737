#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <thread>
#include <utility>
#include <vector>

import octet.base;
import octet.graph;
import octet.trace;
import octet.compile;

using namespace octet;

namespace {

constexpr std::int64_t large = 1 << 16;  ///< elements

Tensor filled(float value) { return Tensor::full<float>({large}, value); }
auto doubling() {
  return jit([](Array x) { return x + x; }, {.argument_names = {"x"}});
}
/// As much memory of that size as the system would give away, had it come back there.
std::vector<Tensor> taken_meanwhile() {
  std::vector<Tensor> tensors;
  for (int i = 0; i < 16; ++i) tensors.push_back(filled(0));
  return tensors;
}
Executable compiled_doubling() {
  using Arrays = std::vector<Array>;
  return compile(trace([](const Arrays& in) { return Arrays{in[0] + in[0]}; }, {{DType::f32, {large}}}));
}

}  // namespace

TEST_CASE("where there is no memory for what lies between operations, that is said") {
  // Sixteen times 2^43 bytes: more than any processor addresses, so that no allocator is asked.
  const auto f = jit([](Array x) {
    std::vector<Array> many;
    for (int i = 0; i < 17; ++i)
      many.push_back(sin(broadcast_to(x + static_cast<double>(i), {std::int64_t{1} << 20, std::int64_t{1} << 20})));
    return sum(sort(many)[0]);
  });
  try {
    f(Tensor::scalar(1.0));
    FAIL("it has so much memory");
  } catch (const Error& error) {
    CHECK(error.diagnostics().front().number == 408);
  }
}

TEST_CASE("a result that nobody holds lends its memory to the next one") {
  const auto twice = doubling();
  const std::byte* const first = twice(filled(1)).data();
  const std::vector<Tensor> others = taken_meanwhile();
  for (const float value : {2.0f, 3.0f}) {
    const Tensor next = twice(filled(value));
    CHECK(next.data() == first);
    CHECK(next == filled(2 * value));
  }
}

TEST_CASE("a result that is held, by a copy or under another shape, is not written over") {
  const auto twice = doubling();
  std::optional<Tensor> one = twice(filled(1));
  const Tensor reshaped = one->reshaped({large / 2, 2});
  one.reset();
  const Tensor two = twice(filled(2)), copy = two, four = twice(filled(4));
  CHECK(reshaped == filled(2).reshaped({large / 2, 2}));
  CHECK(two == filled(4));
  CHECK(copy == two);
  CHECK(four == filled(8));
}

TEST_CASE("writing to a result that comes from lent memory leaves what is held elsewhere") {
  const auto twice = doubling();
  twice(filled(1));
  Tensor result = twice(filled(1));
  const Tensor copy = result;
  std::ranges::fill(result.mutable_span<float>(), 7.0f);
  CHECK(copy == filled(2));
  CHECK(result == filled(7));
}

TEST_CASE("a result outlives the program that made it") {
  std::optional<Tensor> result;
  {
    const Executable program = compiled_doubling();
    Threads threads{1};
    result = program.run({filled(3)}, threads)[0];
  }
  CHECK(*result == filled(6));
  std::ranges::fill(result->mutable_span<float>(), 1.0f);
  CHECK(*result == filled(1));
}

TEST_CASE("each replica's result has memory of its own, which all get back") {
  const Executable program = compiled_doubling();
  Threads threads{2};
  const auto run = [&] {
    std::vector<std::vector<Tensor>> given;
    for (int r = 0; r < 4; ++r) given.push_back({filled(static_cast<float>(r))});
    return program.run(std::move(given), threads);
  };
  const auto places = [](const std::vector<std::vector<Tensor>>& results) {
    std::vector<const std::byte*> found;
    for (const auto& replica : results) found.push_back(replica[0].data());
    std::ranges::sort(found);
    return found;
  };
  std::vector<const std::byte*> first = places(run());
  CHECK(std::ranges::adjacent_find(first) == first.end());
  const std::vector<Tensor> others = taken_meanwhile();
  const auto results = run();
  CHECK(places(results) == first);
  for (int r = 0; r < 4; ++r) CHECK(results[static_cast<std::size_t>(r)][0] == filled(2.0f * static_cast<float>(r)));
}

TEST_CASE("donating an argument gives its memory to a result, and never that of somebody else") {
  const auto of = [](std::initializer_list<float> values) { return Tensor::of<float>({2}, values); };
  const auto f =
      jit([](Array state, Array x) { return state + x; }, {.argument_names = {"state", "x"}, .donated = {"state"}});
  Tensor state = of({1, 2});
  const Tensor held = state;
  CHECK(f(state, of({1, 1})) == of({2, 3}));
  CHECK(state == of({1, 2}));
  CHECK(f(std::move(state), of({1, 1})) == of({2, 3}));
  CHECK(held == of({1, 2}));

  Tensor own = of({5, 6});
  const std::byte* memory = own.bytes().data();
  const Tensor result = f(std::move(own), of({1, 1}));
  CHECK(result == of({6, 7}));
  CHECK(result.bytes().data() == memory);
}

TEST_CASE("a result given back as a donated argument keeps its memory from run to run") {
  const auto add_one = jit([](Array x) { return x + 1.0; }, {.argument_names = {"x"}, .donated = {"x"}});
  Tensor x = filled(0);
  const std::byte* const place = x.data();
  for (int i = 0; i < 3; ++i) x = add_one(std::move(x));
  CHECK(x.data() == place);
  CHECK(x == filled(3));
}

TEST_CASE("a result that a next program takes over is not lent out again") {
  const auto twice = doubling();
  const auto add_one = jit([](Array x) { return x + 1.0; }, {.argument_names = {"x"}, .donated = {"x"}});
  Tensor moved = add_one(twice(filled(1)));
  const Tensor other = twice(filled(5));
  CHECK(moved == filled(3));
  CHECK(other == filled(10));
}

TEST_CASE("several threads may call one function and let its results go, each with its own values") {
  const auto twice = doubling();
  std::vector<std::thread> callers;
  std::vector<int> wrong(4, 0);
  for (std::size_t c = 0; c < wrong.size(); ++c)
    callers.emplace_back([&, c] {
      std::optional<Tensor> held;
      for (int i = 0; i < 20; ++i) {
        const float value = static_cast<float>(c) * 100 + static_cast<float>(i);
        const Tensor result = twice(filled(value));
        if (held && held->at(large - 1) != 2.0 * static_cast<double>(value - 1)) ++wrong[c];
        if (result != filled(2 * value)) ++wrong[c];
        held = result;
      }
    });
  for (std::thread& caller : callers) caller.join();
  CHECK(wrong == std::vector<int>(4, 0));
}
