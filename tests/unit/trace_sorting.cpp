/// Functions that put elements in order.
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

import octet.base;
import octet.graph;
import octet.trace;

#include "gradients.hpp"
#include "refusal.hpp"
#include "traced_results.hpp"

using namespace octet;

TEST_CASE("top_k are the largest in order, of equal ones the first") {
  const Tensor x = Tensor::of<float>({2, 4}, {1, 3, 3, 2, -infinity, 5, -7, 5});
  const std::vector<Tensor> top = results(
      [](const Arrays& in) {
        const Largest largest = top_k(in[0], 3);
        return Arrays{largest.values, largest.indices};
      },
      {x});
  CHECK(numbers<float>(top[0]) == Floats{3, 3, 2, 5, 5, -7});
  CHECK(numbers<std::int32_t>(top[1]) == Integers{1, 2, 3, 1, 3, 2});
  CHECK(result([](const Arrays& in) { return top_k(in[0], 0).values; }, {x}).shape() == Shape{2, 0});
  CHECK(number_of([&] { result([](const Arrays& in) { return top_k(in[0], 5).values; }, {x}); }) == 403);
  // A NaN of either sign is the largest, and -0 equals 0.
  const auto places = [](std::vector<float> row) {
    const Tensor given = Tensor::of<float>({1, static_cast<std::int64_t>(row.size())}, row);
    return numbers<std::int32_t>(result([](const Arrays& in) { return top_k(in[0], 2).indices; }, {given}));
  };
  CHECK(places({5, -std::nanf(""), 7}) == Integers{1, 2});
  CHECK(places({-0.0f, 0.0f, -1}) == Integers{0, 1});
  const auto nan = [](std::uint32_t bits) { return std::bit_cast<float>(bits); };
  CHECK(places({1, nan(0x7fc0'0001), nan(0x7fc0'0000), nan(0xffc0'0002)}) == Integers{1, 2});
  CHECK(number_of([] { result([](const Arrays& in) { return top_k(in[0], 1).values; }, {Tensor::scalar(1.0f)}); }) ==
        403);
}

TEST_CASE("NaNs are sorted behind all numbers, whatever their signs, and -0 and 0 stay as they stand") {
  const float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  const auto sorted = [](const Arrays& in) { return sort({in[0] / in[1], in[0]}); };
  // 0 / 0 and inf - inf are NaNs of a sign that machines do not agree on.
  for (const float sign : {1.0f, -1.0f}) {
    const Tensor x = Tensor::of<float>({5}, {0, 3, -infinity, -1, 0}),
                 y = Tensor::of<float>({5}, {0 * sign, 1, 2, 1, -1});
    const auto order = numbers<float>(result([&](const Arrays& in) { return sorted(in)[1]; }, {x, y}));
    CHECK(order == std::vector<float>{-infinity, -1, 0, 3, 0});
    CHECK(std::isnan(numbers<float>(result([&](const Arrays& in) { return sorted(in)[0]; }, {x, y})).back()));
  }
  const Tensor zeros = Tensor::of<float>({4}, {0.0f, -nan, -0.0f, -1}),
               places = Tensor::of<std::int32_t>({4}, {0, 1, 2, 3});
  CHECK(numbers<std::int32_t>(result([](const Arrays& in) { return sort(in)[1]; }, {zeros, places})) ==
        Integers{3, 0, 2, 1});
  const auto first = [](const Array& x) { return sum(sort({x, square(x)})[1] * Tensor::of<float>({3}, {1, 10, 100})); };
  CHECK(numbers<float>(result([&](const Arrays& in) { return grad(first)(in[0]); },
                              {Tensor::of<float>({3}, {2, 3, 1})})) == std::vector<float>{40, 600, 2});
}

TEST_CASE("an axis whose places i32 cannot count is refused, by each function that gives them") {
  const TensorType huge{DType::f32, {3'000'000'000}};
  const auto sentence = [&](const auto& function) {
    try {
      trace([&](const Arrays& in) { return Arrays{function(in[0])}; }, {huge});
    } catch (const Error& error) {
      CHECK(error.number() == 403);
      return error.diagnostics().front().sentence;
    }
    return std::string{};
  };
  CHECK(
      sentence([](const Array& x) { return argsort(x); }).starts_with("argsort gives places of i32, and dimension 0"));
  CHECK(sentence([](const Array& x) { return top_k(x, 2).indices; }).starts_with("top_k gives places of i32"));
  CHECK(sentence([](const Array& x) { return argmax(x, 0); }).starts_with("argmax gives places of i32"));
  CHECK(sentence([](const Array& x) { return nonzero(x, {.size = 2})[0]; }).starts_with("nonzero gives places of i32"));
}

TEST_CASE("argsort sorts") {
  const Tensor x = Tensor::of<float>({2, 3}, {3, 1, 2, 0, 0, -1});
  CHECK(numbers<std::int32_t>(result([](const Arrays& in) { return argsort(in[0]); }, {x})) ==
        Integers{1, 2, 0, 2, 0, 1});
  CHECK(numbers<std::int32_t>(result([](const Arrays& in) { return argsort(in[0], -1, SortDirection::descending); },
                                     {x})) == Integers{0, 2, 1, 0, 1, 2});
  const auto nan = [](std::uint32_t bits) { return std::bit_cast<float>(bits); };
  const Tensor nans = Tensor::of<float>({4}, {nan(0x7fc0'0001), nan(0x7fc0'0000), nan(0xffc0'0002), 1});
  CHECK(numbers<std::int32_t>(result([](const Arrays& in) { return argsort(in[0]); }, {nans})) == Integers{3, 0, 1, 2});
}

TEST_CASE("argmax and argmin of truth values are the first that holds and the first that does not") {
  const Tensor x =
      Tensor::of<bool>({3, 4}, {false, true, true, false, false, false, false, false, true, true, true, true});
  CHECK(numbers<std::int32_t>(result([](const Arrays& in) { return argmax(in[0]); }, {x})) == Integers{1, 0, 0});
  CHECK(numbers<std::int32_t>(result([](const Arrays& in) { return argmin(in[0]); }, {x})) == Integers{0, 0, 0});
  CHECK(numbers<std::int32_t>(result([](const Arrays& in) { return argmax(in[0], 0); }, {x})) == Integers{2, 0, 0, 2});
  CHECK(numbers<std::int32_t>(result([](const Arrays& in) { return argmin(in[0], 0); }, {x})) == Integers{0, 1, 1, 0});
}
