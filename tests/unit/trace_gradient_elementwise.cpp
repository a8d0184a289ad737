/// Derivatives of operations that work element by element.
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <initializer_list>
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

using namespace octet;

namespace {

struct Unary {
  std::string name;
  Array (*function)(operand);
  double low, high;
};

struct Binary {
  std::string name;
  Array (*function)(operand, operand);
  double low, high, other_low, other_high;
};

/// Samples whose second derivatives are continuous, too.
std::vector<Sample> smooth() {
  std::vector<Sample> samples;
  Draw draw{1};
  const Unary unaries[] = {
      {"cosine", cos, -3, 3},
      {"erf", erf, -2, 2},
      {"exponential", exp, -2, 2},
      {"expm1", expm1, -1, 2},
      {"log", log, 0.3, 3},
      {"log1p", log1p, -0.6, 2},
      {"logistic", logistic, -3, 3},
      {"rsqrt", rsqrt, 0.3, 3},
      {"sine", sin, -3, 3},
      {"sqrt", sqrt, 0.3, 3},
      {"tanh", tanh, -2, 2},
      {"square", square, -2, 2},
      {"gelu", gelu, -3, 3},
      {"gelu_tanh", gelu_tanh, -3, 3},
      {"negate", [](operand x) { return -x; }, -2, 2},
  };
  for (const Unary& row : unaries)
    for (int i = 0; i < 4; ++i)
      samples.push_back({row.name,
                         [f = row.function](const Arrays& in) { return Arrays{f(in[0])}; },
                         {{draw.tensor(draw.shape(), row.low, row.high)}}});
  const Binary binaries[] = {
      {"add", [](operand a, operand b) { return a + b; }, -2, 2, -2, 2},
      {"subtract", [](operand a, operand b) { return a - b; }, -2, 2, -2, 2},
      {"multiply", [](operand a, operand b) { return a * b; }, -2, 2, -2, 2},
      {"divide", [](operand a, operand b) { return a / b; }, -2, 2, 0.5, 2},
      {"divide by negative numbers", [](operand a, operand b) { return a / b; }, -2, 2, -2, -0.5},
      {"power", pow, 0.4, 2, -2, 3},
      {"remainder", [](operand a, operand b) { return a % b; }, -5, 5, 1, 2},
      {"remainder by negative numbers", [](operand a, operand b) { return a % b; }, -5, 5, -2, -1},
  };
  for (const Binary& row : binaries)
    for (int i = 0; i < 4; ++i) {
      const Shape shape = draw.shape();
      Shape other = shape;
      if (other.rank() > 0 && draw.coin()) other[draw.integer(0, other.rank() - 1)] = 1;  // broadcast
      samples.push_back({row.name,
                         [f = row.function](const Arrays& in) { return Arrays{f(in[0], in[1])}; },
                         {{draw.tensor(shape, row.low, row.high), draw.tensor(other, row.other_low, row.other_high)}}});
    }
  samples.push_back({"one array twice",
                     [](const Arrays& in) { return Arrays{in[0] * in[0] / (in[0] + 3)}; },
                     {{draw.tensor({3}, -1, 1)}}});
  return samples;
}

std::vector<Sample> with_kinks() {
  std::vector<Sample> samples;
  Draw draw{2};
  for (int i = 0; i < 4; ++i) {
    const Shape shape = draw.shape();
    Dims doubled = shape.extents();
    doubled.insert(doubled.begin(), 2);
    samples.push_back({"abs", [](const Arrays& in) { return Arrays{abs(in[0])}; }, {{draw.distinct(shape)}}});
    samples.push_back({"relu", [](const Arrays& in) { return Arrays{relu(in[0])}; }, {{draw.distinct(shape)}}});
    const auto halves = [](Array (*f)(operand, operand)) {
      return [f](const Arrays& in) { return Arrays{f(slice_in_dim(in[0], 0, 1, 0), slice_in_dim(in[0], 1, 2, 0))}; };
    };
    samples.push_back({"maximum", halves(maximum), {{draw.distinct(Shape{doubled})}}});
    samples.push_back({"minimum", halves(minimum), {{draw.distinct(Shape{doubled})}}});
    const auto clamped = [](const Arrays& in) { return Arrays{clamp(in[0], in[1], in[2])}; };
    samples.push_back({"clamp by scalars",
                       clamped,
                       {{draw.tensor({}, -0.95, -0.85), draw.distinct(shape), draw.tensor({}, 0.35, 0.45)}}});
    samples.push_back({"clamp by arrays",
                       clamped,
                       {{draw.tensor(shape, -0.95, -0.85), draw.distinct(shape), draw.tensor(shape, 0.35, 0.45)}}});
    samples.push_back({"clamp by a scalar and an array",
                       clamped,
                       {{draw.tensor(shape, -0.95, -0.85), draw.distinct(shape), draw.tensor({}, 0.35, 0.45)}}});
    samples.push_back({"clamp by bounds that cross",
                       clamped,
                       {{draw.tensor({}, 0.65, 0.75), draw.distinct(shape), draw.tensor({}, 0.45, 0.55)}}});
    samples.push_back({"clamp by bounds that meet at a value",
                       [](const Arrays& in) { return Arrays{clip(in[0], 0.5, 0.5)}; },
                       {{Tensor::of<double>({3}, {0.25, 0.5, 0.75})}}});
    const auto selected = [](const Arrays& in) { return Arrays{select(in[0], in[1], in[2])}; };
    samples.push_back({"select", selected, {{draw.truths(shape), draw.tensor(shape), draw.tensor(shape)}}});
    samples.push_back({"select by a scalar", selected, {{draw.truths({}), draw.tensor(shape), draw.tensor(shape)}}});
    samples.push_back({"select between an array and a scalar",
                       selected,
                       {{draw.truths(shape), draw.tensor(shape), draw.tensor({})}}});
  }
  // Sixty-fourths are exact in f32, and so are their differences.
  Tensor sixty_fourths{DType::f64, {5}};
  for (double& element : sixty_fourths.mutable_span<double>())
    element = static_cast<double>(draw.integer(-99, 99)) / 64;
  samples.push_back({"convert to f32 and back",
                     [](const Arrays& in) { return Arrays{sum(cast<double>(cast<float>(in[0])) * 3.0)}; },
                     {{sixty_fourths}},
                     1.0 / 64});
  samples.push_back({"convert integers",
                     [](const Arrays& in) { return Arrays{cast<double>(in[0]) * in[1]}; },
                     {{draw.integers({4}, -5, 5), draw.tensor({4})}}});
  samples.push_back(
      {"power of negative numbers and of zero",
       [](const Arrays& in) { return Arrays{pow(in[0], constant(Tensor::of<double>({6}, {3, 2, 1, 2, 0, 3})))}; },
       {{Tensor::of<double>({6}, {-1.5, -0.5, 0, 0, 1.5, 0})}}});
  samples.push_back({"power of zero, by the exponent",
                     [](const Arrays& in) { return Arrays{pow(constant(Tensor::of<double>({3}, {0, 0, 1})), in[0])}; },
                     {{Tensor::of<double>({3}, {1, 2.5, 0})}}});
  return samples;
}

/// The gradient of the sum of what `function` makes of `x`.
Tensor gradient(const std::function<Array(const Array&)>& function, const Tensor& x) {
  const Graph graph = trace([&](const Arrays& in) { return Arrays{sum(function(in[0]))}; }, {x.type()});
  return evaluate(grad(graph), std::span{&x, 1}).front();
}

}  // namespace

std::vector<Sample> elementwise_samples() {
  std::vector<Sample> samples = smooth();
  for (Sample& sample : with_kinks()) samples.push_back(std::move(sample));
  return samples;
}

TEST_CASE("derivatives of elementwise operations are those of finite differences") {
  for (const Sample& sample : elementwise_samples()) CHECK(gradient_fault(sample) == "");
}

TEST_CASE("second derivatives of smooth elementwise operations are those of finite differences") {
  for (const Sample& sample : smooth()) CHECK(gradient_fault(second(sample), 1e-6) == "");
}

TEST_CASE("where maximum's operands are equal, each gets half of the cotangent") {
  const Tensor x = Tensor::of<double>({3}, {1, 2, 3});
  const auto with_two = [](Array (*f)(operand, operand)) { return [f](const Array& a) { return f(a, 2.0); }; };
  CHECK(gradient(with_two(maximum), x) == Tensor::of<double>({3}, {0, 0.5, 1}));
  CHECK(gradient(with_two(minimum), x) == Tensor::of<double>({3}, {1, 0.5, 0}));
}

TEST_CASE("the derivative of abs at zero is zero") {
  CHECK(gradient([](const Array& a) { return abs(a); }, Tensor::of<double>({2}, {0.0, -2.0})) ==
        Tensor::of<double>({2}, {0.0, -1.0}));
}

TEST_CASE("the derivative of relu at zero is zero, unlike that of maximum") {
  CHECK(gradient([](const Array& a) { return relu(a); }, Tensor::of<double>({4}, {0.0, -0.0, -2.0, 3.0})) ==
        Tensor::of<double>({4}, {0, 0, 0, 1}));
}

TEST_CASE("zero to the power of zero has derivatives of zero rather than NaN") {
  const Tensor zero = Tensor::scalar(0.0);
  CHECK(gradient([](const Array& a) { return pow(a, 0.0); }, zero).item() == 0);
  CHECK(gradient([](const Array& a) { return pow(0.0, a); }, zero).item() == 0);
  CHECK(gradient([](const Array& a) { return pow(a, a); }, zero).item() == 0);
}

TEST_CASE("a derivative has the element type of its argument") {
  for (DType dtype : {DType::bf16, DType::f32, DType::f64}) {
    const Graph graph = trace([](const Arrays& in) { return Arrays{sum(gelu(in[0]) * tanh(in[0]))}; }, {{dtype, {2}}});
    CHECK(grad(graph).result_types().front() == TensorType{dtype, {2}});
  }
}

TEST_CASE("at a bound itself nothing of clamp's gradient goes to the value, as in JAX") {
  const Graph program = trace(
      [](const Arrays& in) { return Arrays{grad([](const Array& x) { return sum(clamp(-1.0, x, 1.0)); })(in[0])}; },
      {{DType::f64, {6}}});
  const std::vector<Tensor> values{
      Tensor::of<double>({6}, {-2, -1, 0.5, 1, 3, std::numeric_limits<double>::quiet_NaN()})};
  CHECK(evaluate(program, values).front() == Tensor::of<double>({6}, {0, 0, 1, 0, 0, 0}));
}
