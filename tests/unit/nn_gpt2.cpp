// GPT-2: what a position sees, its loss, and gradients against finite differences.
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>
import octet.base;
import octet.graph;
import octet.trace;
import octet.compile;
import octet.nn;

#include "gradients.hpp"
#include "refusal.hpp"

using namespace octet;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

const nn::Gpt2Config small{.vocabulary = 11, .hidden = 4, .layers = 2, .heads = 2, .intermediate = 6, .positions = 6};

Values<nn::Gpt2> model() { return nn::initialize(nn::gpt2(small), Key::of_seed(3), nn::normal_initializer(0.5)); }

Tensor integers(Shape shape, std::vector<std::int32_t> values) {
  return Tensor::of<std::int32_t>(std::move(shape), values);
}

}  // namespace

TEST_CASE("no position of a GPT-2 sees what comes after it") {
  const auto states = jit([](const nn::Gpt2& gpt2, const Array& ids) { return gpt2.decode(ids); },
                          {.compile = {.precision = Precision::f32}});
  const Tensor one = states(model(), integers({1, 6}, {1, 2, 3, 4, 5, 6}));
  const Tensor other = states(model(), integers({1, 6}, {1, 2, 3, 9, 0, 7}));
  for (std::int64_t i = 0; i < 6 * 4; ++i) {
    INFO("number " << i);
    CHECK((one.at(i) == other.at(i)) == (i < 3 * 4));
  }
}

TEST_CASE("a key-value cache spares what was decoded before, and gives the same bits") {
  const nn::Gpt2Config config{
      .vocabulary = 50, .hidden = 24, .layers = 2, .heads = 3, .intermediate = 40, .positions = 40};
  const auto weights = nn::initialize(nn::gpt2(config), Key::of_seed(3), nn::normal_initializer(0.3));
  Tensor ids{DType::i32, {2, 40}};
  for (std::int64_t i = 0; i < 80; ++i) ids.mutable_span<std::int32_t>()[i] = static_cast<std::int32_t>(i * 7 % 50);
  for (const Precision precision : {Precision::bf16, Precision::f32}) {
    const auto whole = jit([](const nn::Gpt2& gpt2, const Array& given) { return gpt2.decode(given); },
                           {.compile = {.precision = precision}});
    const Tensor expected = whole(weights, ids);
    const auto further = jit([](const nn::Gpt2& gpt2, const Array& given, const Array& first,
                                const nn::KeyValueCache& cache) { return gpt2.decode(given, first, cache); },
                             {.compile = {.precision = precision},
                              .argument_names = {"gpt2", "given", "first", "cache"},
                              .donated = {"cache"}});
    auto cache = nn::key_value_cache(weights, 2, 40);
    std::int64_t first = 0;
    for (const std::int64_t length : {5, 1, 1, 16, 1, 16}) {
      Tensor given{DType::i32, {2, length}};
      for (std::int64_t row = 0; row < 2; ++row)
        for (std::int64_t i = 0; i < length; ++i)
          given.mutable_span<std::int32_t>()[row * length + i] = ids.span<std::int32_t>()[row * 40 + first + i];
      auto [hidden, all] = further(weights, given, Tensor::scalar(static_cast<std::int32_t>(first)), std::move(cache));
      cache = std::move(all);
      for (std::int64_t row = 0; row < 2; ++row)
        for (std::int64_t i = 0; i < length * 24; ++i)
          REQUIRE(hidden.at(row * length * 24 + i) == expected.at((row * 40 + first) * 24 + i));
      first += length;
    }
    CHECK(further.statistics().misses == 3);  // one for each length, not for each position
  }
}

TEST_CASE("a key-value cache that does not fit is refused") {
  const auto gpt2 = nn::gpt2(small);
  const auto of = [](Shape shape) { return parameter({DType::f32, std::move(shape)}, {}); };
  const Array ids = parameter({DType::i32, {1, 2}}, {}), first = parameter({DType::i32, {}}, {});
  const auto held = [&](const Shape& shape) { return nn::KeyValues{of(shape), of(shape)}; };
  const auto number = [&](const Array& at, const nn::KeyValueCache& cache) {
    return number_of([&] { (void)gpt2.decode(ids, at, cache); });
  };
  const nn::KeyValues fits = held({1, 6, 2, 2});
  CHECK_NOTHROW(gpt2.decode(ids, first, {{fits, fits}}));
  CHECK(number(first, {{fits}}) == 401);
  CHECK(number(first, {{fits, held({2, 6, 2, 2})}}) == 401);
  CHECK(number(first, {{fits, held({1, 1, 2, 2})}}) == 401);
  CHECK(number(first, {{fits, held({1, 6, 4})}}) == 401);
  CHECK(number(parameter({DType::i32, {1}}, {}), {{fits, fits}}) == 401);
  CHECK(number(of({}), {{fits, fits}}) == 402);
  CHECK(number_of([&] { nn::key_value_cache(model(), 1, 7); }) == 401);
  CHECK(number_of([&] { nn::key_value_cache(model(), 0, 6); }) == 401);
  CHECK(number_of([&] { nn::key_value_cache(model(), 1, 0); }) == 401);
}

TEST_CASE("the causal loss guesses each token but the first, and no padding") {
  const auto loss = jit(
      [](const nn::Gpt2& gpt2, const nn::CausalBatch& batch) {
        const nn::SummedLoss summed = nn::causal_language_loss(gpt2, batch);
        return std::pair{summed.sum, summed.count};
      },
      {.compile = {.precision = Precision::f32}});
  const auto of = [&](Shape shape, std::vector<std::int32_t> ids, std::vector<std::int32_t> mask) {
    const auto [sum, count] =
        loss(model(), Values<nn::CausalBatch>{{}, {integers(shape, std::move(ids)), integers(shape, std::move(mask))}});
    return std::pair{sum.item(), count.item()};
  };
  const auto alone = of({1, 3}, {4, 2, 7}, {1, 1, 1});
  CHECK(alone.second == 2);
  const auto padded = of({1, 6}, {4, 2, 7, 9, 9, 9}, {1, 1, 1, 0, 0, 0});
  CHECK(padded.second == 2);
  CHECK_THAT(padded.first, WithinRel(alone.first, 1e-6));
  CHECK(of({1, 1}, {4}, {1}).second == 0);
  CHECK(of({2, 2}, {4, 5, 4, 5}, {1, 1, 1, 0}).second == 1);
}

TEST_CASE("the gradient of a GPT-2's loss is that of finite differences, for each parameter") {
  const nn::Gpt2 structure =
      nn::gpt2({.vocabulary = 5, .hidden = 4, .layers = 1, .heads = 2, .intermediate = 3, .positions = 3});
  Draw draw{9};
  Sample sample;
  sample.name = "gpt2";
  sample.arguments.emplace_back();
  for (const Array& array : arrays_of(structure)) sample.arguments[0].push_back(draw.tensor(array.shape(), -1, 1));
  const Tensor ids = integers({1, 3}, {4, 0, 2});
  sample.function = [&](const Arrays& arguments) -> Arrays {
    const nn::Gpt2 model = with_arrays(structure, arguments);
    const Array hidden = model.decode(constant(ids));
    return {nn::cross_entropy(model.logits(reshape(hidden, {3, 4})), constant(integers({3}, {0, 2, 1})))};
  };
  CHECK(gradient_fault(sample, 1e-6) == "");
}

TEST_CASE("what a layer adds begins smaller the more layers there are") {
  const auto values = nn::initialize(nn::gpt2({.hidden = 64, .layers = 8, .intermediate = 256}), Key::of_seed(1),
                                     nn::gpt2_initializer(8));
  const auto deviation = [&](const std::string& name) {
    auto copy = values;
    double sum = 0;
    const Tensor& tensor = copy[name];
    for (const float each : tensor.span<float>()) sum += static_cast<double>(each) * static_cast<double>(each);
    return std::sqrt(sum / static_cast<double>(tensor.elements()));
  };
  CHECK_THAT(deviation("layers.3.intermediate.weight"), WithinRel(0.02, 0.05));
  CHECK_THAT(deviation("layers.3.output.weight"), WithinRel(0.005, 0.05));
  CHECK_THAT(deviation("layers.3.attention.output.weight"), WithinRel(0.005, 0.05));
}

TEST_CASE("sizes that make no GPT-2 and sequences that are too long for it are refused") {
  CHECK(number_of([] { nn::gpt2({.layers = 0}); }) == 403);
  CHECK(number_of([] { nn::gpt2({.hidden = 10, .heads = 4}); }) == 403);
  CHECK(number_of([] {
          trace([](const Arrays& ids) -> Arrays { return {nn::gpt2(small).decode(ids[0])}; },
                {{DType::i32, Shape{1, 7}}});
        }) == 401);
}
