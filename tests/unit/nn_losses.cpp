/// Rule 2 in a loss: weighed by a mask, it is the loss of what a filter would have left.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

import octet.base;
import octet.graph;
import octet.trace;
import octet.compile;
import octet.nn;

#include "refusal.hpp"

using namespace octet;
using Arrays = std::vector<Array>;

namespace {

/// Losses and whether each counts, always the same.
struct Losses {
  std::vector<double> values;
  std::vector<std::int32_t> labels;
};

Losses made_up(std::int64_t n, std::uint64_t seed, double share) {
  Losses result;
  const Key key = Key::of_seed(seed);
  for (std::int64_t i = 0; i < n; ++i) {
    result.values.push_back(std::exp(static_cast<double>(normal(key, static_cast<std::uint64_t>(2 * i)))));
    result.labels.push_back(
        static_cast<double>(below(key, static_cast<std::uint64_t>(2 * i + 1), 1000)) < 1000 * share ? 1 : -100);
  }
  return result;
}

/// What the filter leaves.
Losses filtered(const Losses& all) {
  Losses kept;
  for (std::size_t i = 0; i < all.values.size(); ++i)
    if (all.labels[i] >= 0) {
      kept.values.push_back(all.values[i]);
      kept.labels.push_back(all.labels[i]);
    }
  return kept;
}

/// The same with positions that do not count after them.
Losses padded(Losses losses, std::int64_t n, double with) {
  losses.values.insert(losses.values.end(), static_cast<std::size_t>(n), with);
  losses.labels.insert(losses.labels.end(), static_cast<std::size_t>(n), -100);
  return losses;
}

using Loss = std::function<Array(const Array& losses, const Array& labels)>;

Array weighed(const Array& losses, const Array& labels) { return nn::masked_mean(losses, labels >= 0); }
/// The usual mistake: the sum is right, the number is that of all positions.
Array over_all_positions(const Array& losses, const Array& labels) { return mean(select(labels >= 0, losses, 0)); }

/// In f64, by the reference.
double of(const Loss& loss, const Losses& losses) {
  const std::int64_t n = std::ssize(losses.values);
  const Graph graph = trace([&](const Arrays& in) { return Arrays{loss(in[0], in[1])}; },
                            std::vector<TensorType>{{DType::f64, {n}}, {DType::i32, {n}}});
  return evaluate(graph, std::vector<Tensor>{Tensor::of<double>({n}, losses.values),
                                             Tensor::of<std::int32_t>({n}, losses.labels)})
      .front()
      .item();
}

/// How a user finds the mistake: what does not count must not change the loss, however much there is of it.
bool changes_with_padding(const Loss& loss, const Losses& losses) {
  return of(loss, losses) != of(loss, padded(losses, std::ssize(losses.values), 0));
}

}  // namespace

TEST_CASE("the masked loss is the loss of the filtered positions, to the last bit of f64") {
  for (const std::int64_t n : {1, 2, 15, 16, 17, 64, 1000})
    for (const double share : {0.05, 0.15, 0.5, 1.0})
      for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const Losses all = made_up(n, seed, share), kept = filtered(all);
        if (kept.values.empty()) continue;
        // The filter's own mean, on the host, from the first to the last: no function of Octet's takes part in it.
        double total = 0;
        for (const double value : kept.values) total += value;
        INFO(n << " positions, " << kept.values.size() << " kept");
        CHECK(of(weighed, all) == total / static_cast<double>(kept.values.size()));
        CHECK(of(weighed, all) == of(weighed, kept));
      }
}

TEST_CASE("what is masked out has no part in the loss, be it infinite or NaN") {
  const Losses all = made_up(40, 3, 0.5);
  for (const double with : {0.0, 1e300, HUGE_VAL, -HUGE_VAL, static_cast<double>(NAN)})
    CHECK(of(weighed, padded(all, 24, with)) == of(weighed, all));
}

TEST_CASE("a mask that keeps nothing gives a loss of 0") {
  CHECK(of(weighed, padded({}, 3, 2.0)) == 0);
  CHECK(of(weighed, {}) == 0);
}

TEST_CASE("dividing by the number of all positions is found by padding, and weighing passes") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Losses all = made_up(64, seed, 0.15);
    CHECK(changes_with_padding(over_all_positions, all));
    CHECK(!changes_with_padding(weighed, all));
    CHECK(of(over_all_positions, all) < 0.5 * of(weighed, all));
  }
}

TEST_CASE("the gradient of a masked loss is 1 / count where the mask holds and 0 elsewhere") {
  const Graph graph = trace(
      [](const Arrays& in) {
        return Arrays{grad([&](const Array& losses) { return nn::masked_mean(losses, in[1] >= 0); })(in[0])};
      },
      std::vector<TensorType>{{DType::f32, {4}}, {DType::i32, {4}}});
  const std::vector<Tensor> arguments{Tensor::of<float>({4}, {1, NAN, 3, 4}),
                                      Tensor::of<std::int32_t>({4}, {1, -100, 0, -100})};
  CHECK(evaluate(graph, arguments).front() == Tensor::of<float>({4}, {0.5f, 0, 0.5f, 0}));
  Threads threads{1};
  CHECK(compile(graph).run(arguments, threads).front() == Tensor::of<float>({4}, {0.5f, 0, 0.5f, 0}));
}

TEST_CASE("the cross-entropy of logits of any rank is that of their rows") {
  const auto losses = [](const Shape& logits, const Shape& labels) {
    const Graph graph = trace([](const Arrays& in) { return Arrays{nn::cross_entropy(in[0], in[1])}; },
                              std::vector<TensorType>{{DType::f32, logits}, {DType::i32, labels}});
    const std::vector<float> values{0, 1, 2, 3, 4, 6, 8, 10, 5, 5, 1, 1, 0, 9, 3, 2, 2, 7};
    return evaluate(graph, std::vector<Tensor>{Tensor::of<float>(logits, values),
                                               Tensor::of<std::int32_t>(labels, {0, 1, 2, 2, 1, 0})})
        .front();
  };
  const Tensor rows = losses({6, 3}, {6});
  CHECK(losses({2, 3, 3}, {2, 3}) == rows.reshaped({2, 3}));
  CHECK(losses({1, 2, 3, 3}, {1, 2, 3}) == rows.reshaped({1, 2, 3}));
}

TEST_CASE("the cross-entropy refuses labels that are not one for each row with X401") {
  const auto refused = [](const Shape& logits, const Shape& labels) {
    return number_of([&] {
      trace([](const Arrays& in) { return Arrays{nn::cross_entropy(in[0], in[1])}; },
            std::vector<TensorType>{{DType::f32, logits}, {DType::i32, labels}});
    });
  };
  CHECK(refused({4, 3}, {1}) == 401);
  CHECK(refused({4, 3}, {4, 1}) == 401);
  CHECK(refused({4, 3}, {}) == 401);
  CHECK(refused({4, 3, 2}, {3}) == 401);
  CHECK(refused({}, {}) == 401);
  CHECK(refused({3}, {}) == 0);
}

TEST_CASE("the losses of bf16 logits are added up in f32, those of f64 in f64") {
  for (const DType dtype : {DType::bf16, DType::f32, DType::f64}) {
    const auto f = jit([=](Array x, Array labels) {
      const nn::SummedLoss loss = nn::summed_cross_entropy(cast(x, dtype), labels);
      return std::pair{loss.sum, loss.count};
    });
    const auto [sum, count] = f(Tensor{DType::f32, {301, 2}}, Tensor{DType::i32, {301}});
    CHECK(sum.dtype() == (dtype == DType::f64 ? DType::f64 : DType::f32));
    CHECK(count == Tensor::scalar(301.0f));
    const double each = Tensor::scalar(std::log(2.0)).converted(dtype).item();
    CHECK(std::abs(sum.item() - 301 * each) < 1e-3);
  }
}

TEST_CASE("a row that is ignored has no part in the sum, be its loss infinite") {
  const float infinity = std::numeric_limits<float>::infinity();
  const auto f = jit([](Array x, Array labels) {
    return value_and_grad([&](Array logits) { return nn::summed_cross_entropy(logits, labels).sum; })(x);
  });
  const auto [loss, gradient] =
      f(Tensor::of<float>({2, 3}, {-infinity, 1, 2, -infinity, 0.5f, 0.25f}), Tensor::of<std::int32_t>({2}, {1, -1}));
  CHECK(std::abs(loss.item() - 1.3132616) < 1e-6);
  for (std::int64_t column = 0; column < 3; ++column) CHECK(gradient.at({1, column}) == 0);
}

TEST_CASE("a masked mean of f32 keeps f32 where products are rounded to bf16") {
  const Graph graph = trace([](const Arrays& in) { return Arrays{nn::masked_mean(in[0], in[1])}; },
                            std::vector<TensorType>{{DType::f32, {2, 2}}, {DType::pred, {2, 2}}});
  const std::vector<Tensor> arguments{Tensor::of<float>({2, 2}, {1.001f, 5, 2.003f, 7}),
                                      Tensor::of<bool>({2, 2}, {true, false, true, false})};
  const float expected = (1.001f + 2.003f) / 2;
  CHECK(evaluate(graph, arguments, {.precision = Precision::bf16}).front().item() == static_cast<double>(expected));
  Threads threads{1};
  CHECK(compile(graph).run(arguments, threads).front().item() == static_cast<double>(expected));
}

TEST_CASE("the cross-entropy of two classes is finite for large logits, and its slope is the error") {
  const Tensor logits = Tensor::of<float>({5}, {-200, -1, 0, 2, 200}),
               labels = Tensor::of<float>({5}, {1, 0, 0.5, 1, 0});
  const auto [losses, slopes] = jit([](Array x, Array z) {
    return std::pair{nn::binary_cross_entropy(x, z),
                     grad([&](Array given) { return sum(nn::binary_cross_entropy(given, z)); })(x)};
  })(logits, labels);
  for (std::size_t i = 0; i < 5; ++i) {
    const double x = static_cast<double>(logits.span<float>()[i]), z = static_cast<double>(labels.span<float>()[i]);
    const double log_of_one = -std::log1p(std::exp(-std::abs(x))) + std::min(x, 0.0);  // log(1 / (1 + exp(-x)))
    CHECK(std::abs(static_cast<double>(losses.span<float>()[i]) + z * log_of_one + (1 - z) * (log_of_one - x)) < 1e-5);
    CHECK(std::abs(static_cast<double>(slopes.span<float>()[i]) - (1 / (1 + std::exp(-x)) - z)) < 1e-6);
  }
  const Tensor sigmoids = jit([](Array x) { return nn::log_sigmoid(x); })(logits);
  CHECK(sigmoids.span<float>()[0] == -200);
  CHECK(sigmoids.span<float>()[4] == 0);
}

TEST_CASE("label smoothing shares a part of each label among all classes") {
  const Tensor logits = Tensor::of<double>({2, 3}, {1, -2, 0.5, 30, 0, -4});
  const Tensor labels = Tensor::of<std::int32_t>({2}, {2, 1});
  for (const double shared : {0.0, 0.1, 1.0}) {
    const auto smoothed = [&](const Array& x, const Array& y) {
      return nn::cross_entropy(x, y, {.label_smoothing = shared});
    };
    const auto written_out = [&](const Array& x, const Array& y) {
      const Array target = one_hot(y, 3, DType::f64) * (1 - shared) + shared / 3;
      return -sum(target * log_softmax(x), {-1});
    };
    const auto of = [&](const std::function<Array(const Array&, const Array&)>& loss) {
      const Graph graph = trace(
          [&](const Arrays& in) {
            const auto summed = [&](const Array& x) {
              return sum(loss(x, in[1]) * constant(Tensor::of<double>({2}, {1, 3})));
            };
            return Arrays{loss(in[0], in[1]), grad(summed)(in[0])};
          },
          std::vector<TensorType>{logits.type(), labels.type()});
      return evaluate(graph, std::vector<Tensor>{logits, labels});
    };
    const std::vector<Tensor> found = of(smoothed), expected = of(written_out);
    for (std::size_t r = 0; r < 2; ++r)
      for (std::int64_t i = 0; i < expected[r].elements(); ++i)
        CHECK(std::abs(found[r].at(i) - expected[r].at(i)) < 1e-12);
  }
  const Array x = parameter({DType::f32, {2, 3}}, "x"), y = parameter({DType::i32, {2}}, "y");
  for (const double none : {-0.1, 1.5, static_cast<double>(NAN)})
    CHECK(number_of([&] { nn::cross_entropy(x, y, {.label_smoothing = none}); }) == 403);
  CHECK(number_of([&] { nn::summed_cross_entropy(x, y, {.label_smoothing = 0.1}); }) == 0);
}
