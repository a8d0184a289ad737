/// Functions that are composed of operations, against what they say they are: loops over the elements.
#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

import octet.base;
import octet.graph;
import octet.trace;

#include "gradients.hpp"
#include "refusal.hpp"
#include "refused_trace.hpp"
#include "traced_results.hpp"

using namespace octet;

TEST_CASE("stack, split, squeeze, swap_axes and roll move elements as NumPy does") {
  const Tensor x = counted({2, 3});
  const Tensor stacked = result([](const Arrays& in) { return stack({in[0], in[0] + 10}, 1); }, {x});
  CHECK(stacked.shape() == Shape{2, 2, 3});
  CHECK(numbers<float>(stacked) == Floats{0, 1, 2, 10, 11, 12, 3, 4, 5, 13, 14, 15});
  CHECK(result([](const Arrays& in) { return stack({in[0]}, -1); }, {x}).shape() == Shape{2, 3, 1});

  const std::vector<Tensor> parts = results([](const Arrays& in) { return split(in[0], 3, -1); }, {x});
  REQUIRE(parts.size() == 3);
  CHECK(parts[1].shape() == Shape{2, 1});
  CHECK(numbers<float>(parts[1]) == Floats{1, 4});
  CHECK(number_of([&] { result([](const Arrays& in) { return split(in[0], 2, 1)[0]; }, {x}); }) == 401);
  CHECK(number_of([&] { result([](const Arrays& in) { return split(in[0], 0)[0]; }, {x}); }) == 401);

  CHECK(result([](const Arrays& in) { return squeeze(expand_dims(in[0], 1), 1); }, {x}).shape() == Shape{2, 3});
  CHECK(number_of([&] { result([](const Arrays& in) { return squeeze(in[0], 0); }, {x}); }) == 401);
  CHECK(number_of([&] { result([](const Arrays& in) { return squeeze(in[0], 2); }, {x}); }) == 403);

  const Tensor swapped = result([](const Arrays& in) { return swap_axes(in[0], 0, -1); }, {x});
  CHECK(swapped.shape() == Shape{3, 2});
  CHECK(numbers<float>(swapped) == Floats{0, 3, 1, 4, 2, 5});

  const auto rolled = [&](std::int64_t distance, std::int64_t dimension) {
    return numbers<float>(result([=](const Arrays& in) { return roll(in[0], distance, dimension); }, {x}));
  };
  CHECK(rolled(1, -1) == Floats{2, 0, 1, 5, 3, 4});
  CHECK(rolled(-1, 1) == Floats{1, 2, 0, 4, 5, 3});
  CHECK(rolled(7, 0) == Floats{3, 4, 5, 0, 1, 2});
  CHECK(rolled(0, 0) == numbers<float>(x));
  CHECK(result([](const Arrays& in) { return roll(in[0], 3); }, {Tensor{DType::f32, {0}}}).shape() == Shape{0});
}

TEST_CASE("triangles have what lies on one side of a diagonal") {
  const Tensor x = Tensor::full<float>({2, 3}, 1);
  const auto lower = [&](std::int64_t diagonal) {
    return numbers<float>(result([=](const Arrays& in) { return lower_triangle(in[0], diagonal); }, {x}));
  };
  const auto upper = [&](std::int64_t diagonal) {
    return numbers<float>(result([=](const Arrays& in) { return upper_triangle(in[0], diagonal); }, {x}));
  };
  CHECK(lower(0) == Floats{1, 0, 0, 1, 1, 0});
  CHECK(lower(1) == Floats{1, 1, 0, 1, 1, 1});
  CHECK(lower(-1) == Floats{0, 0, 0, 1, 0, 0});
  CHECK(upper(0) == Floats{1, 1, 1, 0, 1, 1});
  CHECK(upper(2) == Floats{0, 0, 1, 0, 0, 0});
  for (const std::int64_t far : {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}) {
    CHECK(lower(far) == Floats(6, far > 0 ? 1 : 0));
    CHECK(upper(far) == Floats(6, far > 0 ? 0 : 1));
  }
  CHECK(result([](const Arrays& in) { return lower_triangle(in[0]); }, {counted({2, 2, 2})}).shape() == Shape{2, 2, 2});
  CHECK(number_of([] { result([](const Arrays& in) { return upper_triangle(in[0]); }, {counted({3})}); }) == 403);
}

TEST_CASE("one_hot is 1 at the class, and nowhere for what is none") {
  const Tensor ids = Tensor::of<std::int32_t>({4}, {2, 0, -1, 3});
  const Tensor hot = result([](const Arrays& in) { return one_hot(in[0], 3); }, {ids});
  CHECK(hot.type() == TensorType{DType::f32, {4, 3}});
  CHECK(numbers<float>(hot) == Floats{0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0});
  CHECK(result([](const Arrays& in) { return one_hot(in[0], 5, DType::bf16); }, {ids}).dtype() == DType::bf16);
  CHECK(number_of([] { result([](const Arrays& in) { return one_hot(in[0], 3); }, {counted({2})}); }) == 402);
  CHECK(number_of([&] { result([](const Arrays& in) { return one_hot(in[0], -1); }, {ids}); }) == 403);
}

TEST_CASE("argmin is the first of the smallest, and a NaN is") {
  const Tensor x = Tensor::of<float>({2, 3}, {2, 1, 1, 0, std::nanf(""), -1});
  CHECK(numbers<std::int32_t>(result([](const Arrays& in) { return argmin(in[0]); }, {x})) == Integers{1, 1});
  CHECK(numbers<std::int32_t>(result([](const Arrays& in) { return argmin(in[0], 0); }, {x})) == Integers{1, 1, 1});
  CHECK(number_of([] { result([](const Arrays& in) { return argmin(in[0]); }, {Tensor{DType::f32, {2, 0}}}); }) == 403);
}

TEST_CASE("log_sum_exp neither overflows nor makes NaN of infinities") {
  const auto of = [](std::vector<float> row) {
    const Tensor x = Tensor::of<float>({1, static_cast<std::int64_t>(row.size())}, row);
    return result([](const Arrays& in) { return log_sum_exp(in[0]); }, {x}).span<float>()[0];
  };
  CHECK(std::abs(of({0, 0}) - std::log(2.0f)) < 1e-6f);
  CHECK(std::abs(of({1000, 1000}) - (1000 + std::log(2.0f))) < 1e-3f);
  CHECK(of({-1000, -2000}) == -1000);
  CHECK(of({-infinity, -infinity}) == -infinity);
  CHECK(of({-infinity, 3}) == 3);
  CHECK(of({infinity, 3}) == infinity);
  CHECK(result([](const Arrays& in) { return log_sum_exp(in[0], 0, true); }, {counted({2, 3})}).shape() == Shape{1, 3});
  const Tensor x = counted({2, 3, 4});
  CHECK(result([](const Arrays& in) { return log_sum_exp(in[0], {0, -1}, true); }, {x}).shape() == Shape{1, 3, 1});
  const Tensor apart =
      result([](const Arrays& in) { return log_sum_exp(in[0], {0, -1}) - log(sum(exp(in[0]), {0, 2})); }, {x});
  CHECK(apart.shape() == Shape{3});
  for (const float each : apart.span<float>()) CHECK(std::abs(each) < 1e-6f);
}

TEST_CASE("variance divides by the number of elements") {
  const Tensor x = Tensor::of<float>({2, 2}, {1, 3, 5, 5});
  CHECK(numbers<float>(result([](const Arrays& in) { return variance(in[0], 1); }, {x})) == Floats{1, 0});
  CHECK(result([](const Arrays& in) { return variance(in[0], {0}, true); }, {x}).shape() == Shape{1, 2});
  CHECK(result([](const Arrays& in) { return variance(in[0]); }, {x}).item() == 2.75);
}

TEST_CASE("silu and softplus keep their limits") {
  const Tensor x = Tensor::of<float>({5}, {-infinity, -100, 0, 100, infinity});
  const Floats soft = numbers<float>(result([](const Arrays& in) { return softplus(in[0]); }, {x}));
  CHECK(soft[0] == 0);
  CHECK(std::abs(soft[2] - std::log(2.0f)) < 1e-6f);
  CHECK(soft[3] == 100);
  CHECK(soft[4] == infinity);
  const Floats silus = numbers<float>(result([](const Arrays& in) { return silu(in[0]); }, {x}));
  CHECK(silus[2] == 0);
  CHECK(silus[3] == 100);
}

TEST_CASE("Derivatives of composed functions are those of finite differences") {
  Draw draw{41};
  const Tensor x = draw.tensor({3, 4}), labels = draw.integers({3}, 0, 3);
  const std::vector<Sample> samples{
      {"silu", [](const Arrays& in) { return Arrays{silu(in[0])}; }, {{x}}},
      {"softplus", [](const Arrays& in) { return Arrays{softplus(in[0])}; }, {{x}}},
      {"log_sum_exp", [](const Arrays& in) { return Arrays{log_sum_exp(in[0], 0)}; }, {{x}}},
      {"log_add_exp", [](const Arrays& in) { return Arrays{log_add_exp(in[0], in[1])}; }, {{x, draw.tensor({3, 4})}}},
      {"variance", [](const Arrays& in) { return Arrays{variance(in[0], {1})}; }, {{x}}},
      {"roll", [](const Arrays& in) { return Arrays{roll(in[0], 2)}; }, {{x}}},
      {"lower_triangle", [](const Arrays& in) { return Arrays{lower_triangle(in[0], 1)}; }, {{x}}},
      {"top_k", [](const Arrays& in) { return Arrays{top_k(in[0], 2).values}; }, {{draw.distinct({3, 4})}}},
      {"one_hot", [](const Arrays& in) { return Arrays{in[0] * one_hot(in[1], 4, DType::f64)}; }, {{x, labels}}},
      {"einsum",
       [](const Arrays& in) { return Arrays{einsum("ij,kj->ik", in[0], in[1])}; },
       {{x, draw.tensor({2, 4})}}},
      {"einsum, a trace", [](const Arrays& in) { return Arrays{einsum("ii", in[0])}; }, {{draw.tensor({3, 3})}}}};
  for (const Sample& sample : samples) CHECK(gradient_fault(sample) == "");
}

TEST_CASE("Random numbers are those of octet.base, for one key and for a key of each row") {
  const Key one = Key::of_seed(7), other = Key::of_seed(8);
  const Tensor key = Tensor::of<std::uint32_t>({2}, {one.high, one.low});
  const Tensor rows = Tensor::of<std::uint32_t>({2, 2}, {one.high, one.low, other.high, other.low});

  const Tensor drawn = result([](const Arrays& in) { return random_normal(in[0], {500}); }, {key});
  for (std::size_t i = 0; i < 500; ++i) REQUIRE(drawn.span<float>()[i] == normal(one, i));

  const Tensor low = Tensor::of<std::uint32_t>({3}, {0, 5, 1u << 31}), high = Tensor::of<std::uint32_t>({3}, {0, 9, 1});
  const Tensor at = result([](const Arrays& in) { return random_bits(in[0], in[1], in[2]); }, {key, high, low});
  for (std::size_t i = 0; i < 3; ++i)
    CHECK(at.span<std::uint32_t>()[i] ==
          bits(one, std::uint64_t{high.span<std::uint32_t>()[i]} << 32 | low.span<std::uint32_t>()[i]));

  const Tensor folded = result([](const Arrays& in) { return fold_in(in[0], 3u); }, {rows});
  CHECK(folded.shape() == Shape{2, 2});
  CHECK(folded.span<std::uint32_t>()[2] == fold_in(other, 3).high);
  CHECK(folded.span<std::uint32_t>()[3] == fold_in(other, 3).low);

  const Tensor truths = result([](const Arrays& in) { return random_bernoulli(in[0], 0.25, {1000}); }, {key});
  for (std::size_t i = 0; i < 1000; ++i) REQUIRE(truths.span<bool>()[i] == (uniform(one, i) < 0.25f));
  const Tensor beside = Tensor::of<float>({2, 1}, {0, 1});
  const Tensor all = result([](const Arrays& in) { return random_bernoulli(in[0], in[1], {2, 3}); }, {rows, beside});
  CHECK(std::vector<bool>(all.span<bool>().begin(), all.span<bool>().end()) ==
        std::vector<bool>{false, false, false, true, true, true});

  const Tensor ranged =
      result([](const Arrays& in) { return random_integers(in[0], {2, 1000}, -3, 2'000'000'000); }, {rows});
  const Tensor dice = result([](const Arrays& in) { return random_integers(in[0], {1000}, 1, 7); }, {key});
  std::array<int, 7> seen{};
  for (std::size_t i = 0; i < 1000; ++i) {
    for (const std::size_t row : {0u, 1u})
      REQUIRE(ranged.span<std::int32_t>()[row * 1000 + i] ==
              static_cast<std::int32_t>(below(row == 0 ? one : other, i, 2'000'000'003)) - 3);
    REQUIRE(dice.span<std::int32_t>()[i] == 1 + static_cast<std::int32_t>(below(one, i, 6)));
    ++seen[static_cast<std::size_t>(dice.span<std::int32_t>()[i])];
  }
  for (std::size_t face = 1; face < 7; ++face) CHECK((seen[face] > 120 && seen[face] < 220));
  for (const auto& [from, to] : std::vector<std::pair<int, int>>{{3, 3}, {4, 3}, {-2'000'000'000, 2'000'000'000}})
    CHECK(number_of([&, low = from, high = to] {
            result([&](const Arrays& in) { return random_integers(in[0], {3}, low, high); }, {key});
          }) == 403);
  for (const std::int64_t n : {0, 1, 100}) {
    Integers order =
        numbers<std::int32_t>(result([&](const Arrays& in) { return random_permutation(in[0], n); }, {key}));
    CHECK((n < 100 || !std::is_sorted(order.begin(), order.end())));
    std::sort(order.begin(), order.end());
    REQUIRE(std::ssize(order) == n);
    for (std::size_t i = 0; i < order.size(); ++i) CHECK(order[i] == static_cast<std::int32_t>(i));
  }

  CHECK(number_of([&] { result([](const Arrays& in) { return random_bits(in[0], {3, 5}); }, {rows}); }) == 401);
  CHECK(number_of([&] { result([](const Arrays& in) { return fold_in(in[0], 1u); }, {counted({2})}); }) == 401);
}

TEST_CASE("ones, the unit matrix and numbers that are equally far apart") {
  const Tensor x = counted({2, 2});
  const auto made = [&](auto make) { return result([=](const Arrays& in) { return make(in[0]); }, {x}); };
  CHECK(made([](const Array&) { return zeros({2, 3}); }) == Tensor{DType::f32, {2, 3}});
  CHECK(made([](const Array&) { return zeros({}) + full({}, 0); }) == Tensor{DType::f32, {}});
  CHECK(made([](const Array&) { return zeros(Dims{3}); }) == Tensor{DType::f32, {3}});
  CHECK(made([](const Array& y) { return zeros(y.shape(), DType::i32); }) == Tensor{DType::i32, {2, 2}});
  CHECK(made([](const Array&) { return ones({3}, DType::u32); }) == Tensor::of<std::uint32_t>({3}, {1, 1, 1}));
  CHECK(made([](const Array& y) { return full(y.shape(), 7); }) == Tensor::of<float>({2, 2}, Floats(4, 7)));
  CHECK(made([](const Array&) { return full({2}, 7, DType::i32); }) == Tensor::of<std::int32_t>({2}, {7, 7}));
  CHECK(numbers<float>(result([](const Arrays& in) { return ones({DType::f32, {2, 2}}) + ones_like(in[0]); }, {x})) ==
        Floats(4, 2));
  CHECK(numbers<float>(result([](const Arrays&) { return eye(2); }, {x})) == Floats{1, 0, 0, 1});
  CHECK(result([](const Arrays&) { return eye(3, DType::bf16); }, {x}).type() == TensorType{DType::bf16, {3, 3}});
  CHECK(result([](const Arrays&) { return eye(0); }, {x}).shape() == Shape{0, 0});
  const auto between = [&](float first, float last, std::int64_t count) {
    return numbers<float>(result([=](const Arrays&) { return linspace(first, last, count); }, {x}));
  };
  CHECK(between(-1, 1, 5) == Floats{-1, -0.5, 0, 0.5, 1});
  CHECK(between(3, 0, 4) == Floats{3, 2, 1, 0});
  CHECK(between(2, 9, 1) == Floats{2});
  CHECK(between(2, 9, 0).empty());
  const Floats tenths = between(0, 0.7f, 8);
  CHECK(tenths.back() == 0.7f);
  for (std::size_t i = 0; i < 8; ++i) CHECK(std::abs(tenths[i] - 0.1f * static_cast<float>(i)) < 1e-6f);
}

TEST_CASE("log_add_exp keeps its limits and its derivatives") {
  const Tensor x = Tensor::of<float>({6}, {0, 1000, -1000, -infinity, infinity, 1}),
               y = Tensor::of<float>({6}, {0, 999, -1000, -infinity, infinity, -infinity});
  const auto sums = [](const Arrays& in) { return log_add_exp(in[0], in[1]); };
  const Floats found = numbers<float>(result(sums, {x, y}));
  CHECK(std::abs(found[0] - std::log(2.0f)) < 1e-6f);
  CHECK(std::abs(found[1] - 1000.3132617f) < 1e-3f);
  CHECK(std::abs(found[2] + 1000 - std::log(2.0f)) < 1e-3f);
  CHECK(found[3] == -infinity);
  CHECK(found[4] == infinity);
  CHECK(found[5] == 1);
  const Floats slopes = numbers<float>(
      result([&](const Arrays& in) { return grad([&](Array a) { return sum(sums({a, in[1]})); })(in[0]); }, {x, y}));
  CHECK(slopes[0] == 0.5f);
  CHECK(std::abs(slopes[1] - 0.7310586f) < 1e-6f);
  CHECK(slopes[2] == 0.5f);
  CHECK(!std::isnan(slopes[3]));
  CHECK(slopes[5] == 1);
}

TEST_CASE("arange, zeros_like, full_like and full have the numbers that they are given, or say why not") {
  const Tensor x = counted({2, 2});
  CHECK(numbers<std::int32_t>(result([](const Arrays&) { return arange(3); }, {x})) == Integers{0, 1, 2});
  CHECK(numbers<float>(result([](const Arrays& in) { return full_like(in[0], 1.5) + zeros_like(in[0]); }, {x})) ==
        Floats(4, 1.5));
  const std::int64_t large = (std::int64_t{1} << 53) + 1;
  CHECK(result([&](const Arrays&) { return full({DType::i64, {2}}, large); }, {x}).span<std::int64_t>()[1] == large);
  CHECK(result([](const Arrays& in) { return full({DType::f32, {3}}, sum(in[0])); }, {x}).span<float>()[2] == 6);
  const auto number = [&](const std::function<Array(const Arrays&)>& function) {
    return number_of([&] { result(function, {x}); });
  };
  CHECK(number([](const Arrays&) { return full({DType::i32, {2}}, 2.9); }) == 402);
  CHECK(number([](const Arrays&) { return full({DType::i32, {2}}, std::int64_t{1} << 40); }) == 402);
  CHECK(number([](const Arrays& in) { return full({DType::f32, {2}}, in[0]); }) == 401);
  CHECK(number([](const Arrays& in) { return full({DType::i32, {2}}, sum(in[0])); }) == 402);
}

TEST_CASE("an element is taken and replaced by the host's numbers, from the end as well") {
  const Tensor x = counted({3});
  const auto replaced = [&](int index) {
    return numbers<float>(result([=](const Arrays& in) { return update_leading(in[0], 9, index); }, {x}));
  };
  CHECK(replaced(0) == Floats{9, 1, 2});
  CHECK(replaced(-1) == Floats{0, 1, 9});
  CHECK(number_of([&] { replaced(3); }) == 403);
  CHECK(number_of([&] { replaced(-4); }) == 403);
  CHECK(result([](const Arrays& in) { return take(in[0], -1); }, {x}).item() == 2);
  CHECK(number_of([&] { result([](const Arrays& in) { return take(in[0], 3); }, {x}); }) == 403);
}

TEST_CASE("a row is replaced by what broadcasts to it, and by nothing else") {
  const Tensor x = counted({2, 3});
  const auto replaced = [&](const Tensor& row) {
    return numbers<float>(result([](const Arrays& in) { return update_leading(in[0], in[1], 0); }, {x, row}));
  };
  CHECK(replaced(Tensor::of<float>({3}, {7, 8, 9})) == Floats{7, 8, 9, 3, 4, 5});
  CHECK(replaced(Tensor::of<float>({1}, {7})) == Floats{7, 7, 7, 3, 4, 5});
  CHECK(replaced(Tensor::scalar(7.0f)) == Floats{7, 7, 7, 3, 4, 5});
  CHECK(number_of([&] { replaced(Tensor::of<float>({2}, {7, 8})); }) == 401);
  CHECK(number_of([&] { replaced(Tensor::of<float>({1, 1, 3}, {7, 8, 9})); }) == 401);
}

TEST_CASE("the dimensions of a broadcast hold where the shape stays as it is, too") {
  const Tensor x = Tensor::of<float>({2, 2}, {1, 2, 3, 4});
  const auto spread = [&](Dims dimensions) {
    return numbers<float>(
        result([&](const Arrays& in) { return broadcast_in_dim(in[0], Shape{2, 2}, dimensions); }, {x}));
  };
  CHECK(spread({0, 1}) == Floats{1, 2, 3, 4});
  CHECK(spread({1, 0}) == Floats{1, 3, 2, 4});
  CHECK(number_of([&] { spread({0, 7}); }) == 403);
}

TEST_CASE("numbers have powers as without Octet") {
  CHECK(pow(2.0, 3) == 8);
  CHECK(pow(2, 3.0) == 8);
  CHECK(pow(2, 3) == 8);
}

TEST_CASE("map_arrays goes through structures side by side") {
  struct Pair {
    Array one, other;
    double rate = 0;
  };
  const std::vector<Tensor> updated = results(
      [](const Arrays& in) {
        const Pair weights{in[0], in[1], 0.5}, slopes{in[1], in[0], 0};
        const Pair after = map_arrays([](Array w, Array g) { return w - g * 2; }, weights, slopes);
        return Arrays{after.one, after.other * after.rate};
      },
      {Tensor::scalar(5.0f), Tensor::scalar(1.0f)});
  CHECK(updated[0].item() == 3);
  CHECK(updated[1].item() == -4.5);
  CHECK(number_of([] {
          result(
              [](const Arrays& in) {
                return map_arrays([](Array a, Array b) { return a + b; }, Arrays{in[0]}, Arrays{in[0], in[0]})[0];
              },
              {Tensor::scalar(1.0f)});
        }) == 405);
}

TEST_CASE("tensors and keys stand where arrays are taken, as constants") {
  const Tensor x = counted({3, 2}), rows = Tensor::of<std::int32_t>({2}, {2, 0});
  const auto same = [&](auto of_data, auto of_array) {
    CHECK(result([=](const Arrays& in) { return of_data(in[0]); }, {x}) ==
          result([=](const Arrays& in) { return of_array(in[0]); }, {x}));
  };
  same([=](const Array& y) { return take(y, rows); }, [=](const Array& y) { return take(y, constant(rows)); });
  const Tensor places = Tensor::of<std::int32_t>({3}, {1, 0, 1});
  same([=](const Array& y) { return take_along_last(y, places); },
       [=](const Array& y) { return take_along_last(y, constant(places)); });
  same([=](const Array& y) { return segment_sum(y, places, 2); },
       [=](const Array& y) { return segment_sum(y, constant(places), 2); });
  const Key key = Key::of_seed(3);
  same([=](const Array&) { return random_integers(key, {4}, 0, 9); },
       [=](const Array&) { return random_integers(key_data(key), {4}, 0, 9); });
}

TEST_CASE("a key is data, is split, and is folded with numbers of any integer type") {
  const Key key = Key::of_seed(3);
  CHECK(numbers<std::uint32_t>(key_data(key)) == std::vector<std::uint32_t>{key.high, key.low});
  const std::vector<Tensor> keys = results([](const Arrays& in) { return split_key(in[0], 2); }, {key_data(key)});
  CHECK(keys[1] == key_data(split(key, 1)));
  const Tensor step = Tensor::scalar<std::int32_t>(6);
  CHECK(result([](const Arrays& in) { return fold_in(in[0], in[1]); }, {key_data(key), step}) ==
        key_data(fold_in(key, 6)));
  CHECK(result([=](const Arrays& in) { return fold_in(key, in[0]); }, {step}) == key_data(fold_in(key, 6)));
  CHECK(number_of([&] {
          result([](const Arrays& in) { return fold_in(in[0], in[1]); }, {key_data(key), Tensor::scalar(6.0f)});
        }) == 402);
}

TEST_CASE("bounds given in the wrong order are told") {
  const auto number = [](const std::function<Array(const Array&)>& function) {
    return refused({f32({3})}, [&](const Arrays& in) { return function(in[0]); }).number;
  };
  CHECK(number([](const Array& x) { return clamp(x, -1, 1); }) == 401);
  CHECK(number([](const Array& x) { return clip(x, -1, 1); }) == 0);
  CHECK(number([](const Array&) { return concatenate({}, 0); }) == 403);
}

TEST_CASE("reshape and broadcast_to take the shape of another array, and a list of extents") {
  const Tensor x = counted({2, 3}), y = counted({3, 2});
  CHECK(result([](const Arrays& in) { return reshape(in[0], in[1].shape()); }, {x, y}) == x.reshaped({3, 2}));
  CHECK(result([](const Arrays& in) { return reshape(in[0], {3, 2}); }, {x}) == x.reshaped({3, 2}));
  CHECK(result([](const Arrays& in) { return reshape(in[0], {6}); }, {x}) == x.reshaped({6}));
  CHECK(result([](const Arrays& in) { return reshape(in[0], -1); }, {x}) == x.reshaped({6}));
  CHECK(result([](const Arrays& in) { return reshape(in[0], 1u, -1, 2); }, {x}) == x.reshaped({1, 3, 2}));
  CHECK(result([](const Arrays& in) { return squeeze(reshape(in[0], 1, 2, 1, 3)); }, {x}) == x);
  CHECK(result([](const Arrays& in) { return broadcast_to(in[1], in[0].shape()); }, {x, counted({3})}) ==
        result([](const Arrays& in) { return broadcast_to(in[0], {2, 3}); }, {counted({3})}));
  unsigned line = 0;
  const Diagnostic fault = refused({f32({2, 3}), f32({7})}, [&](const Arrays& in) {
    line = __LINE__ + 1;
    return reshape(in[0], in[1].shape());
  });
  CHECK(fault.number == 401);
  CHECK(fault.where.line == line);
}
