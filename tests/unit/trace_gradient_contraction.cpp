/// Derivatives of products and reductions.
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <initializer_list>
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

/// A product with up to two batching, contracted and free dimensions of each operand, in any order.
Sample random_product(Draw& draw) {
  struct Side {
    Dims batching, contracting;
    Shape shape;
  };
  Dims batch, contracted;
  for (std::int64_t n = draw.integer(0, 2); n > 0; --n) batch.push_back(draw.integer(1, 3));
  for (std::int64_t n = draw.integer(0, 2); n > 0; --n) contracted.push_back(draw.integer(1, 3));
  const auto side = [&] {
    Dims extents = batch;
    extents.insert(extents.end(), contracted.begin(), contracted.end());
    for (std::int64_t n = draw.integer(0, 2); n > 0; --n) extents.push_back(draw.integer(1, 3));
    const Dims places = draw.order(static_cast<std::int64_t>(extents.size()));
    Side result;
    Dims shuffled(extents.size());
    for (std::size_t i = 0; i < extents.size(); ++i) {
      shuffled[static_cast<std::size_t>(places[i])] = extents[i];
      if (i < batch.size())
        result.batching.push_back(places[i]);
      else if (i < batch.size() + contracted.size())
        result.contracting.push_back(places[i]);
    }
    result.shape = Shape{shuffled};
    return result;
  };
  const Side lhs = side(), rhs = side();
  const DotAttributes attributes{lhs.batching, rhs.batching, lhs.contracting, rhs.contracting, DotPrecision::HIGHEST};
  return {"dot_general of " + to_string(lhs.shape) + " and " + to_string(rhs.shape) + ", batching " +
              to_string(lhs.batching) + " and " + to_string(rhs.batching) + ", contracting " +
              to_string(lhs.contracting) + " and " + to_string(rhs.contracting),
          [=](const Arrays& in) { return Arrays{dot_general(in[0], in[1], attributes)}; },
          {{draw.tensor(lhs.shape), draw.tensor(rhs.shape)}}};
}

Dims random_dims(Draw& draw, std::int64_t rank) {
  Dims dims;
  for (std::int64_t d = 0; d < rank; ++d)
    if (draw.coin()) dims.push_back(d);
  return dims;
}

std::vector<Sample> products() {
  std::vector<Sample> samples;
  Draw draw{3};
  for (int i = 0; i < 40; ++i) samples.push_back(random_product(draw));
  samples.push_back({"matmul with a batch",
                     [](const Arrays& in) { return Arrays{matmul(in[0], in[1])}; },
                     {{draw.tensor({2, 3, 4}), draw.tensor({2, 4, 2})}}});
  samples.push_back({"matmul of a batch by one matrix",
                     [](const Arrays& in) { return Arrays{matmul(in[0], in[1])}; },
                     {{draw.tensor({2, 3, 4}), draw.tensor({4, 2})}}});
  samples.push_back({"matmul of an array with its own transpose",
                     [](const Arrays& in) { return Arrays{matmul(in[0], matrix_transpose(in[0]))}; },
                     {{draw.tensor({3, 2})}}});
  samples.push_back({"matmul over nothing",
                     [](const Arrays& in) { return Arrays{matmul(in[0], in[1])}; },
                     {{draw.tensor({3, 0}), draw.tensor({0, 2})}}});
  return samples;
}

std::vector<Sample> reductions() {
  std::vector<Sample> samples;
  Draw draw{4};
  for (int i = 0; i < 10; ++i) {
    const Shape shape = draw.shape(0, 4);
    const Dims dims = random_dims(draw, shape.rank());
    const std::string over = " of " + to_string(shape) + " over " + to_string(dims);
    const auto by = [&](Reducer reducer) {
      return [=](const Arrays& in) { return Arrays{reduce(in[0], reducer, dims)}; };
    };
    samples.push_back({"sum" + over, by(Reducer::add), {{draw.tensor(shape)}}});
    samples.push_back({"max" + over, by(Reducer::maximum), {{draw.distinct(shape)}}});
    samples.push_back({"min" + over, by(Reducer::minimum), {{draw.distinct(shape)}}});
    Tensor factors = draw.tensor(shape);
    samples.push_back({"product" + over, by(Reducer::multiply), {{factors}}});
    for (double& factor : factors.mutable_span<double>())
      if (draw.integer(0, 2) == 0) factor = 0;
    samples.push_back({"product with zeros" + over, by(Reducer::multiply), {{factors}}});
    samples.push_back(
        {"mean" + over, [=](const Arrays& in) { return Arrays{mean(in[0], dims, true)}; }, {{draw.tensor(shape)}}});
  }
  for (Reducer reducer : {Reducer::add, Reducer::multiply})
    samples.push_back({"over no elements",
                       [=](const Arrays& in) { return Arrays{reduce(in[0], reducer, {1})}; },
                       {{draw.tensor({2, 0})}}});
  const Shape scores{2, 4};
  samples.push_back({"softmax", [](const Arrays& in) { return Arrays{softmax(in[0])}; }, {{draw.tensor(scores)}}});
  samples.push_back({"softmax along the first dimension",
                     [](const Arrays& in) { return Arrays{softmax(in[0], 0)}; },
                     {{draw.tensor(scores)}}});
  samples.push_back(
      {"log_softmax", [](const Arrays& in) { return Arrays{log_softmax(in[0])}; }, {{draw.tensor(scores, -20, 20)}}});
  return samples;
}

Tensor gradient(Reducer reducer, const Tensor& x) {
  const Graph graph = trace([&](const Arrays& in) { return Arrays{reduce(in[0], reducer, {0})}; }, {x.type()});
  return evaluate(grad(graph), std::span{&x, 1}).front();
}

}  // namespace

std::vector<Sample> contraction_samples() {
  std::vector<Sample> samples = products();
  for (Sample& sample : reductions()) samples.push_back(std::move(sample));
  return samples;
}

TEST_CASE("derivatives of products and reductions are those of finite differences") {
  for (const Sample& sample : contraction_samples()) CHECK(gradient_fault(sample) == "");
}

TEST_CASE("second derivatives of products and reductions are those of finite differences") {
  for (const Sample& sample : contraction_samples()) CHECK(gradient_fault(second(sample), 1e-6) == "");
}

TEST_CASE("elements that share an extremum share its cotangent") {
  const Tensor x = Tensor::of<double>({5}, {3, 1, 3, 1, 2});
  CHECK(gradient(Reducer::maximum, x) == Tensor::of<double>({5}, {0.5, 0, 0.5, 0, 0}));
  CHECK(gradient(Reducer::minimum, x) == Tensor::of<double>({5}, {0, 0.5, 0, 0.5, 0}));
}

TEST_CASE("the gradient of a product with two zeros is zero") {
  CHECK(gradient(Reducer::multiply, Tensor::of<double>({3}, {0, 5, 0})) == Tensor::of<double>({3}, {0, 0, 0}));
  CHECK(gradient(Reducer::multiply, Tensor::of<double>({3}, {0, 5, 2})) == Tensor::of<double>({3}, {10, 0, 0}));
}

TEST_CASE("a derived product keeps the precision of the product it is derived from") {
  const DotAttributes attributes{{}, {}, {1}, {0}, DotPrecision::HIGHEST};
  const Graph graph = trace([&](const Arrays& in) { return Arrays{sum(dot_general(in[0], in[1], attributes))}; },
                            {{DType::f32, {2, 3}}, {DType::f32, {3, 2}}});
  const Graph derived = grad(graph);
  int products = 0;
  for (const Node& node : derived.nodes())
    if (node.op == Op::dot_general) {
      ++products;
      CHECK(std::get<DotAttributes>(node.attributes).precision == DotPrecision::HIGHEST);
    }
  CHECK(products == 2);
}
