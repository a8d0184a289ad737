// Gradients of a batch taken in parts: the same sums, in a defined order, whatever each part weighs.
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>
import octet.base;
import octet.graph;
import octet.trace;
import octet.compile;
import octet.nn;

#include "refusal.hpp"

using namespace octet;

namespace {

constexpr std::int64_t rows = 12, features = 5, classes = 7;

/// Rows with a label below 0 have nothing to learn from.
struct Examples {
  Array x;       ///< [rows, features]
  Array labels;  ///< i32 [rows]
};

nn::SummedLoss loss(const nn::Linear& model, const Examples& examples) {
  const Array logits = model(examples.x), keep = cast(examples.labels >= 0, logits.dtype());
  return {sum(nn::cross_entropy(logits, examples.labels) * keep), sum(keep)};
}

struct Gradient {
  std::int64_t parts = 1;
  nn::SummedGradient<nn::Linear> operator()(const nn::Linear& model, const Examples& examples) const {
    return nn::in_parts(nn::summed_gradient(loss), model, examples, parts);
  }
};

template <class T>
Tensor drawn(Shape shape, std::uint64_t seed) {
  std::vector<T> values;
  for (std::int64_t i = 0; i < shape.elements(); ++i)
    values.push_back(
        static_cast<T>(static_cast<double>(below(Key::of_seed(seed), static_cast<std::uint64_t>(i), 2001)) / 1000 - 1));
  return Tensor::of<T>(std::move(shape), std::span<const T>{values});
}

/// The first third of the rows has labels, then every fourth: parts weigh very different amounts.
Tensor labels() {
  std::vector<std::int32_t> values;
  for (std::int64_t r = 0; r < rows; ++r)
    values.push_back(r < rows / 3 || r % 4 == 0 ? static_cast<std::int32_t>(r % classes) : -1);
  return Tensor::of<std::int32_t>(Shape{rows}, std::span<const std::int32_t>{values});
}

template <class T>
std::vector<Tensor> gradient_in(std::int64_t parts, const Tensor& x, const Tensor& given) {
  const Values<nn::Linear> model{nn::Linear{}, {drawn<T>({features, classes}, 1), drawn<T>({classes}, 2)}};
  const Values<Examples> examples{Examples{}, {x, given}};
  return jit(Gradient{parts}, {.compile = {.precision = Precision::f32}})(model, examples).tensors();
}

Tensor some_rows(const Tensor& tensor, std::int64_t from, std::int64_t count) {
  Dims extents = tensor.shape().extents();
  const auto row = static_cast<std::size_t>(tensor.type().bytes() / extents[0]);
  extents[0] = count;
  return Tensor::of_bytes(
      {tensor.dtype(), Shape{extents}},
      tensor.bytes().subspan(static_cast<std::size_t>(from) * row, static_cast<std::size_t>(count) * row));
}

}  // namespace

TEST_CASE("sums over parts are those of the whole batch, though parts weigh different amounts") {
  const Tensor x = drawn<double>({rows, features}, 3), given = labels();
  const std::vector<Tensor> whole = gradient_in<double>(1, x, given);
  for (const std::int64_t parts : {2, 3, 4, 6, 12}) {
    const std::vector<Tensor> summed = gradient_in<double>(parts, x, given);
    INFO(parts << " parts");
    REQUIRE(summed.size() == whole.size());
    CHECK(summed[1] == whole[1]);  // the count
    for (std::size_t t = 2; t < whole.size(); ++t)
      for (std::int64_t i = 0; i < whole[t].elements(); ++i)
        REQUIRE(std::fabs(summed[t].at(i) - whole[t].at(i)) < 1e-13);
  }
}

TEST_CASE("a mean of the parts' means would be another number") {
  const Tensor x = drawn<double>({rows, features}, 3), given = labels();
  const std::vector<Tensor> whole = gradient_in<double>(1, x, given);
  double means = 0;
  for (std::int64_t part = 0; part < 3; ++part) {
    const auto own = gradient_in<double>(1, some_rows(x, 4 * part, 4), some_rows(given, 4 * part, 4));
    means += own[2].at(0) / own[1].at(0) / 3;
  }
  CHECK(std::fabs(means - whole[2].at(0) / whole[1].at(0)) > 1e-3);
}

TEST_CASE("parts are added up from the first on, to the bit") {
  const Tensor x = drawn<float>({rows, features}, 3), given = labels();
  const std::vector<Tensor> summed = gradient_in<float>(4, x, given);
  std::vector<std::vector<float>> added;
  for (std::int64_t part = 0; part < 4; ++part) {
    const auto own = gradient_in<float>(1, some_rows(x, 3 * part, 3), some_rows(given, 3 * part, 3));
    for (std::size_t t = 0; t < own.size(); ++t) {
      if (part == 0) added.emplace_back(static_cast<std::size_t>(own[t].elements()), 0.0f);
      for (std::size_t i = 0; i < added[t].size(); ++i) added[t][i] += own[t].span<float>()[i];
    }
  }
  for (std::size_t t = 0; t < summed.size(); ++t)
    for (std::size_t i = 0; i < added[t].size(); ++i) REQUIRE(summed[t].span<float>()[i] == added[t][i]);
}

TEST_CASE("parts that would not be equal are refused") {
  const auto number_in = [](std::int64_t parts) {
    return number_of([&] { gradient_in<float>(parts, drawn<float>({rows, features}, 3), labels()); });
  };
  CHECK(number_in(5) == 601);
  CHECK(number_in(0) == 601);
  CHECK(number_in(-1) == 601);
  CHECK(number_in(24) == 601);
  CHECK(number_in(12) == 0);
}
