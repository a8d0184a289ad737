/// Rows combined by segment.
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
#include <tuple>
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

TEST_CASE("segment_sum adds up rows") {
  const Tensor rows = counted({4, 2}), segments = Tensor::of<std::int32_t>({4}, {1, 0, 1, 7});
  const Tensor sums = result([](const Arrays& in) { return segment_sum(in[0], in[1], 3); }, {rows, segments});
  CHECK(sums.shape() == Shape{3, 2});
  CHECK(numbers<float>(sums) == Floats{2, 3, 4, 6, 0, 0});
  CHECK(number_of([&] {
          result([](const Arrays& in) { return segment_sum(in[0], in[1], 3); }, {counted({3, 2}), segments});
        }) == 401);
  Draw draw{7};
  CHECK(gradient_fault({"segment_sum",
                        [](const Arrays& in) { return Arrays{segment_sum(in[0], in[1], 3)}; },
                        {{draw.tensor({4, 2}), segments}}}) == "");
}

TEST_CASE("segment_max and segment_min are the extrema of each segment, and of none what any number replaces") {
  const Tensor segments = Tensor::of<std::int32_t>({5}, {2, 0, 2, 7, -1});
  const auto both = [&](const Tensor& rows) {
    return results([](const Arrays& in) { return Arrays{segment_max(in[0], in[1], 3), segment_min(in[0], in[1], 3)}; },
                   {rows, segments});
  };
  const std::vector<Tensor> numbered = both(Tensor::of<float>({5, 2}, {1, 8, 3, -4, 5, -6, 9, 9, -9, -9}));
  CHECK(numbered[0] == Tensor::of<float>({3, 2}, {3, -4, -infinity, -infinity, 5, 8}));
  CHECK(numbered[1] == Tensor::of<float>({3, 2}, {3, -4, infinity, infinity, 1, -6}));
  const auto extremes = [&]<class T>(T) {
    const std::vector<Tensor> given = both(Tensor::of<T>({5}, {1, 3, 5, 9, 0}));
    CHECK(given[0] == Tensor::of<T>({3}, {3, std::numeric_limits<T>::min(), 5}));
    CHECK(given[1] == Tensor::of<T>({3}, {3, std::numeric_limits<T>::max(), 1}));
  };
  extremes(std::int32_t{});
  extremes(std::uint32_t{});
  extremes(std::int64_t{});
  const std::vector<Tensor> truths = both(Tensor::of<bool>({5}, {true, false, false, true, true}));
  CHECK(truths[0] == Tensor::of<bool>({3}, {false, false, true}));
  CHECK(truths[1] == Tensor::of<bool>({3}, {false, true, false}));
}

TEST_CASE("the derivative of an extremum of a segment goes to it, in equal shares where several are it") {
  Draw draw{7};
  const Tensor segments = Tensor::of<std::int32_t>({6}, {1, 0, 1, 7, 0, 1});
  for (const auto extremum : {segment_max, segment_min}) {
    const Sample sample{"extremum of segments",
                        [&](const Arrays& in) {
                          const Array each = extremum(in[0], in[1], 3);
                          return Arrays{select(is_finite(each), each, 0.0)};
                        },
                        {{draw.distinct({6, 2}), segments}}};
    CHECK(gradient_fault(sample) == "");
    CHECK(gradient_fault(second(sample)) == "");
  }
  const Tensor shared = result(
      [](const Arrays& in) {
        const auto largest = [&](const Array& x) { return sum(slice_in_dim(segment_max(x, in[1], 3), 0, 2, 0)); };
        return grad(largest)(in[0]);
      },
      {Tensor::of<float>({6}, {4, 1, 2, 9, 1, 4}), segments});
  CHECK(numbers<float>(shared) == Floats{0.5, 0.5, 0, 0, 0.5, 0.5});
}

TEST_CASE("what lies in no segment has no derivative, though that of its neighbour is infinite or none") {
  const auto squares = [](const Arrays& in) {
    return grad([&](const Array& w) {
      const Array largest = segment_max(in[0] * w, in[1], 3);
      return sum(select(is_finite(largest), largest * largest, 0.0));
    })(in[2]);
  };
  CHECK(result(squares, {Tensor::of<float>({4}, {2, 3, 2, 5}), Tensor::of<std::int32_t>({4}, {0, 0, 1, 3}),
                         Tensor::scalar(1.0f)})
            .item() == 26);
  const auto roots = [](const Arrays& in) {
    return grad([&](const Array& y) { return sum(sqrt(segment_max(y, in[1], 2))); })(in[0]);
  };
  CHECK(numbers<float>(result(roots, {Tensor::of<float>({3}, {4, 0, 9}), Tensor::of<std::int32_t>({3}, {0, 1, 2})})) ==
        Floats{0.25f, infinity, 0});
}

TEST_CASE("a thousand equal rows of bf16 share a derivative, too") {
  Tensor rows{DType::bf16, {1000}};
  const Tensor shares =
      result([](const Arrays& in) { return grad([&](const Array& x) { return segment_max(x, in[1], 1)[0]; })(in[0]); },
             {rows, Tensor{DType::i32, {1000}}});
  double total = 0;
  for (std::int64_t i = 0; i < 1000; ++i) total += shares.at(i);
  CHECK(std::abs(total - 1) < 1.0 / 256);
}

TEST_CASE("segments that are none are refused in the name of the function") {
  const auto extremes = [](const Arrays& in) { return segment_max(in[0], in[1], 3); };
  const Diagnostic fractions = refused({f32({5, 2}), f32({5})}, extremes);
  CHECK(fractions.number == 402);
  CHECK(fractions.sentence == "segment_max takes segments by whole numbers, and is given f32[5].");
  CHECK(refused({f32({5, 2}), {DType::i32, {4}}}, extremes).number == 401);
  CHECK(refused({f32({5, 2}), {DType::i32, {5}}}, [](const Arrays& in) {
          return segment_min(in[0], in[1], -1);
        }).number == 401);
}
