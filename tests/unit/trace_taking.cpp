/// Elements that are taken by their numbers.
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

import octet.base;
import octet.graph;
import octet.trace;

#include "gradients.hpp"
#include "refused_trace.hpp"
#include "traced_results.hpp"

using namespace octet;

TEST_CASE("the places of take_along_last are counted in a type that holds them") {
  const auto places = [](std::int64_t rows) {
    return to_string(trace([](const Arrays& in) { return Arrays{take_along_last(in[0], in[1])}; },
                           std::vector<TensorType>{{DType::f32, {rows, 50'257}}, {DType::i32, {rows}}}));
  };
  CHECK(places(42'800).find("tensor<42800xi64>") != std::string::npos);
  CHECK(places(42'000).find("tensor<42000xi64>") == std::string::npos);
}

TEST_CASE("take_along_axis takes along any dimension, clamps, and gives all rows the same indices where there is one") {
  const Tensor x = counted({2, 3, 2});
  const auto taken = [&](Shape shape, std::vector<std::int32_t> indices, std::int64_t dimension) {
    return result([=](const Arrays& in) { return take_along_axis(in[0], in[1], dimension); },
                  {x, Tensor::of<std::int32_t>(std::move(shape), indices)});
  };
  CHECK(taken({2, 3, 1}, {0, 1, 0, 1, 0, 1}, -1) == Tensor::of<float>({2, 3, 1}, {0, 3, 4, 7, 8, 11}));
  CHECK(taken({2, 2, 2}, {0, 1, 2, -4, 1, 9, 1, 0}, 1) == Tensor::of<float>({2, 2, 2}, {0, 3, 4, 1, 8, 11, 8, 7}));
  CHECK(taken({4, 1, 1}, {1, 0, 0, 1}, 0).shape() == Shape{4, 3, 2});
  CHECK(numbers<float>(taken({1, 1, 1}, {1}, 0)) == Floats{6, 7, 8, 9, 10, 11});
  CHECK(taken({2, 0, 2}, {}, 1).shape() == Shape{2, 0, 2});
  // Of no elements, none.
  for (const Shape& shape : {Shape{0, 3}, Shape{2, 0}})
    CHECK(result([](const Arrays& in) { return take_along_axis(in[0], in[1], 1); },
                 {Tensor{DType::f32, shape}, Tensor{DType::i32, {shape[0], 0}}})
              .shape() == Shape{shape[0], 0});
  CHECK(result([](const Arrays& in) { return take_along_axis(in[0], in[1], 1); },
               {Tensor{DType::f32, {0, 3}}, Tensor{DType::i32, {0, 2}}})
            .type() == f32({0, 2}));
  CHECK(result([](const Arrays& in) { return take_along_axis(in[0], in[1], 1); },
               {Tensor{DType::f32, {0, 0}}, Tensor{DType::i32, {0, 2}}})
            .shape() == Shape{0, 2});
  // What sorts, sorts.
  CHECK(result(
            [](const Arrays& in) {
              return take_along_axis(in[0], argsort(in[0], 0, SortDirection::descending), 0) - reverse(in[0], {0});
            },
            {x}) == Tensor{DType::f32, {2, 3, 2}});
}

TEST_CASE("take_along_axis refuses indices that do not fit, and what are none") {
  const auto along = [](const TensorType& indices, std::int64_t dimension) {
    return refused({f32({2, 3, 4}), indices},
                   [=](const Arrays& in) { return take_along_axis(in[0], in[1], dimension); });
  };
  CHECK(along({DType::i32, {2, 7, 4}}, 1).number == 0);
  const Diagnostic fault = along({DType::i32, {2, 3}}, -1);
  CHECK(fault.number == 401);
  CHECK(fault.sentence ==
        "take_along_axis takes indices of the shape of f32[2, 3, 4] but along dimension 2, and is given i32[2, 3].");
  CHECK(along({DType::i32, {3, 3, 4}}, 1).number == 401);
  CHECK(along(f32({2, 3, 4}), 1).number == 402);
  CHECK(along({DType::i32, {2, 3, 4}}, 3).number == 403);
  const Diagnostic none =
      refused({f32({2, 0}), {DType::i32, {2, 1}}}, [](const Arrays& in) { return take_along_axis(in[0], in[1], 1); });
  CHECK(none.number == 403);
  CHECK(none.sentence == "take_along_axis finds no element along dimension 1 of f32[2, 0].");
}
