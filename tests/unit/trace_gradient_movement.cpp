/// Derivatives of operations that move elements.
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

Sample random_broadcast(Draw& draw) {
  const Shape to = draw.shape(1);
  Dims dimensions = draw.order(to.rank()), from;
  dimensions.resize(static_cast<std::size_t>(draw.integer(0, to.rank())));
  for (std::int64_t d : dimensions) from.push_back(draw.coin() ? to[d] : 1);
  return {"broadcast_in_dim of " + to_string(from) + " to " + to_string(to) + " at " + to_string(dimensions),
          [=](const Arrays& in) { return Arrays{broadcast_in_dim(in[0], to, dimensions)}; },
          {{draw.tensor(Shape{from})}}};
}

Sample random_concatenate(Draw& draw) {
  const Shape shape = draw.shape(1);
  const std::int64_t dimension = draw.integer(0, shape.rank() - 1);
  std::vector<Tensor> parts;
  for (std::int64_t n = draw.integer(1, 3); n > 0; --n) {
    Shape part = shape;
    part[dimension] = draw.integer(0, 3);
    parts.push_back(draw.tensor(part));
  }
  return {"concatenate", [=](const Arrays& in) { return Arrays{concatenate(in, dimension)}; }, {parts}};
}

/// Starts that lie before, within and beyond the operand.
Sample random_dynamic_slice(Draw& draw) {
  const Shape shape = draw.shape(0, 4);
  std::vector<Tensor> arguments{draw.tensor(shape)};
  Dims sizes;
  for (std::int64_t extent : shape) {
    sizes.push_back(draw.integer(1, extent));
    arguments.push_back(draw.integers({}, -2, extent + 1));
  }
  return {"dynamic_slice of " + to_string(shape),
          [=](const Arrays& in) { return Arrays{dynamic_slice(in[0], {in.begin() + 1, in.end()}, sizes)}; },
          {arguments}};
}

Sample random_dynamic_update_slice(Draw& draw) {
  const Shape shape = draw.shape(0, 4);
  Dims sizes;
  std::vector<Tensor> starts;
  for (std::int64_t extent : shape) {
    sizes.push_back(draw.integer(1, extent));
    starts.push_back(draw.integers({}, -2, extent + 1));
  }
  std::vector<Tensor> arguments{draw.tensor(shape), draw.tensor(Shape{sizes})};
  arguments.insert(arguments.end(), starts.begin(), starts.end());
  return {"dynamic_update_slice of " + to_string(shape),
          [=](const Arrays& in) { return Arrays{dynamic_update_slice(in[0], in[1], {in.begin() + 2, in.end()})}; },
          {arguments}};
}

/// Edges cut off and grown, and elements between neighbours.
Sample random_pad(Draw& draw) {
  const Shape shape = draw.shape(0, 4);
  Dims low, high, interior;
  for (std::int64_t extent : shape) {
    interior.push_back(draw.integer(0, 2));
    const std::int64_t spread = (extent - 1) * interior.back() + extent;
    low.push_back(draw.integer(-spread, 2));
    high.push_back(draw.integer(std::max<std::int64_t>(-spread, -spread - low.back()), 2));
  }
  return {"pad of " + to_string(shape) + " by " + to_string(low) + to_string(high) + to_string(interior),
          [=](const Arrays& in) { return Arrays{pad(in[0], in[1], low, high, interior)}; },
          {{draw.tensor(shape), draw.tensor({})}}};
}

Sample random_slice(Draw& draw) {
  const Shape shape = draw.shape(0, 5);
  Dims start, limit, strides;
  for (std::int64_t extent : shape) {
    start.push_back(draw.integer(0, extent));
    limit.push_back(draw.integer(start.back(), extent));
    strides.push_back(draw.integer(1, 3));
  }
  return {"slice of " + to_string(shape) + " from " + to_string(start) + " to " + to_string(limit) + " by " +
              to_string(strides),
          [=](const Arrays& in) { return Arrays{slice(in[0], start, limit, strides)}; },
          {{draw.tensor(shape)}}};
}

/// Keys, a payload, and integers that go with them.
Sample random_sort(Draw& draw) {
  const Shape shape = draw.shape(1, 4);
  const std::int64_t dimension = draw.integer(0, shape.rank() - 1);
  const auto direction = draw.coin() ? SortDirection::ascending : SortDirection::descending;
  return {"sort of " + to_string(shape) + " along " + std::to_string(dimension),
          [=](const Arrays& in) { return sort(in, dimension, direction); },
          {{draw.distinct(shape), draw.tensor(shape), draw.integers(shape, -5, 5)}}};
}

/// Shapes of operand, indices and windows, each in an order of its own.
struct Windows {
  Shape operand, indices;
  Dims window_dims, dropped, map;
  std::int64_t index_vector_dim;
  Dims sizes;
  Shape windows;
};

const Windows windows[] = {
    {{4, 3}, {5}, {1}, {0}, {0}, 1, {1, 3}, {5, 3}},                    // rows by number
    {{4, 3}, {2, 3}, {2}, {0}, {0}, 2, {1, 2}, {2, 3, 2}},              // parts of rows, by a table of numbers
    {{4, 5, 3}, {2, 6}, {0, 2}, {1}, {2, 0}, 0, {2, 1, 2}, {2, 6, 2}},  // index vectors down the columns, map reversed
    {{4, 5}, {2}, {0, 1}, {}, {0, 1}, 0, {2, 3}, {2, 3}},               // one window
    {{4, 5}, {3, 2}, {}, {0, 1}, {1, 0}, 1, {1, 1}, {3}},               // single elements
    {{6}, {}, {0}, {}, {0}, 0, {2}, {2}},                               // a scalar index
};

std::vector<Sample> indexed() {
  std::vector<Sample> samples;
  Draw draw{6};
  for (const Windows& row : windows)
    for (DType dtype : {DType::i32, DType::i64, DType::u32}) {
      // Twice the same place, before the first and beyond the last.
      const Tensor indices = draw.integers(row.indices, dtype == DType::u32 ? 0 : -2, 5).converted(dtype);
      GatherAttributes gathered{row.window_dims, row.dropped, row.map, row.index_vector_dim, row.sizes};
      const std::string of = " of windows " + to_string(row.sizes) + " of " + to_string(row.operand);
      samples.push_back({"gather" + of,
                         [=](const Arrays& in) { return Arrays{gather(in[0], in[1], gathered)}; },
                         {{draw.tensor(row.operand), indices}}});
      for (Reducer reducer : {Reducer::add, Reducer::replace, Reducer::maximum, Reducer::minimum}) {
        ScatterAttributes scattered{row.window_dims, row.dropped, row.map, row.index_vector_dim, reducer};
        samples.push_back({"scatter by reducer " + std::to_string(static_cast<int>(reducer)) + of,
                           [=](const Arrays& in) { return Arrays{scatter(in[0], in[1], in[2], scattered)}; },
                           {{draw.tensor(row.operand), indices, draw.tensor(row.windows)}}});
      }
    }
  samples.push_back({"take",
                     [](const Arrays& in) { return Arrays{take(in[0], in[1])}; },
                     {{draw.tensor({4, 2}), draw.integers({3, 2}, -1, 4)}}});
  samples.push_back({"take_along_last",
                     [](const Arrays& in) { return Arrays{take_along_last(in[0], in[1])}; },
                     {{draw.tensor({3, 2, 4}), draw.integers({3, 2}, -1, 4)}}});
  samples.push_back({"take_along_axis",
                     [](const Arrays& in) { return Arrays{take_along_axis(in[0], in[1], 1)}; },
                     {{draw.tensor({3, 4, 2}), draw.integers({3, 5, 1}, -1, 4)}}});
  samples.push_back(
      {"scatter into nothing",
       [](const Arrays& in) { return Arrays{scatter(in[0], in[1], in[2], {{1}, {0}, {0}, 1, Reducer::replace})}; },
       {{draw.tensor({0, 3}), draw.integers({2}, 0, 1), draw.tensor({2, 3})}}});
  return samples;
}

}  // namespace

std::vector<Sample> movement_samples() {
  std::vector<Sample> samples = indexed();
  Draw draw{7};
  for (int i = 0; i < 12; ++i) {
    for (auto random : {random_broadcast, random_concatenate, random_dynamic_slice, random_dynamic_update_slice,
                        random_pad, random_slice, random_sort})
      samples.push_back(random(draw));
    const Shape shape = draw.shape();
    const Dims order = draw.order(shape.rank());
    samples.push_back(
        {"transpose", [=](const Arrays& in) { return Arrays{transpose(in[0], order)}; }, {{draw.tensor(shape)}}});
    samples.push_back(
        {"reshape", [=](const Arrays& in) { return Arrays{reshape(in[0], {1, -1})}; }, {{draw.tensor(shape)}}});
    Dims reversed = order;
    reversed.resize(static_cast<std::size_t>(draw.integer(0, shape.rank())));
    samples.push_back(
        {"reverse", [=](const Arrays& in) { return Arrays{reverse(in[0], reversed)}; }, {{draw.tensor(shape)}}});
  }
  samples.push_back({"pad of nothing",
                     [](const Arrays& in) { return Arrays{pad(in[0], in[1], {2}, {1}, {1})}; },
                     {{draw.tensor({0}), draw.tensor({})}}});
  return samples;
}

TEST_CASE("derivatives of movements are those of finite differences") {
  for (const Sample& sample : movement_samples()) CHECK(gradient_fault(sample) == "");
}

TEST_CASE("second derivatives through movements are those of finite differences") {
  for (const Sample& sample : movement_samples()) {
    Sample squared = sample;
    squared.function = [=](const Arrays& in) {
      Arrays results;
      for (const Array& result : sample.function(in))
        if (is_floating(result.dtype())) results.push_back(result * result * result);
      return results;
    };
    CHECK(gradient_fault(second(squared), 1e-6) == "");
  }
}

TEST_CASE("a cotangent that is huge beside what is padded loses nothing in the padding's") {
  // The cotangents are 1e17 and, for the padding, 1: their sum less the former would be 0.
  const Graph graph = trace(
      [](const Arrays& in) {
        const Array weights = constant(Tensor::of<double>({2}, {1e17, 1}));
        return Arrays{sum(pad(in[0], in[1], {0}, {1}) * weights)};
      },
      {{DType::f64, {1}}, {DType::f64, {}}});
  const std::vector<Tensor> zeros{Tensor{DType::f64, {1}}, Tensor{DType::f64, {}}};
  CHECK(evaluate(grad(graph), zeros)[1].item() == 1);
}

TEST_CASE("a scatter that multiplies refuses its derivative with X104 and the user's line") {
  unsigned line = 0;
  const Graph graph = trace(
      [&](const Arrays& in) {
        line = __LINE__ + 1;
        return Arrays{sum(scatter(in[0], in[1], in[2], {{}, {0}, {0}, 1, Reducer::multiply}))};
      },
      {{DType::f64, {4}}, {DType::i32, {2}}, {DType::f64, {2}}});
  try {
    grad(graph);
    FAIL("a derivative was made");
  } catch (const Error& error) {
    CHECK(error.number() == 104);
    CHECK(error.diagnostics().front().where.line == line);
  }
}
