#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <xtensor/xarray.hpp>
#include <xtensor/xbuilder.hpp>
#include <xtensor/xmanipulation.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xview.hpp>

import octet.xtensor;

using namespace octet;

TEST_CASE("a tensor comes back from xtensor unchanged, whatever its shape") {
  const auto same = [](const Tensor& tensor) {
    return visit_dtype(tensor.dtype(),
                       [&]<class T>(std::type_identity<T>) { return to_tensor(to_xarray<T>(tensor)); }) == tensor;
  };
  CHECK(same(Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, 6})));
  CHECK(same(Tensor::of<bool>({3}, {true, false, true})));
  CHECK(same(Tensor::of<std::int64_t>({1, 1, 2}, {-1, INT64_MIN})));
  CHECK(same(Tensor::of<bfloat16>({2}, {bfloat16{1.5f}, bfloat16{-0.0f}})));
  CHECK(same(Tensor::scalar(7u)));
  CHECK(same(Tensor{DType::f64, {2, 0, 3}}));
}

TEST_CASE("an expression of xtensor is computed on the way to a tensor") {
  const auto x = to_xarray<float>(Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, 6}));
  CHECK(to_tensor(2.0f * x) == Tensor::of<float>({2, 3}, {2, 4, 6, 8, 10, 12}));
  CHECK(to_tensor(xt::transpose(x)) == Tensor::of<float>({3, 2}, {1, 4, 2, 5, 3, 6}));
  CHECK(to_tensor(xt::view(x, 1, xt::range(1, 3))) == Tensor::of<float>({2}, {5, 6}));
  CHECK(to_tensor(xt::sum(x, {1})) == Tensor::of<float>({2}, {6, 15}));
  CHECK(to_tensor(x > 3.0f) == Tensor::of<bool>({2, 3}, {false, false, false, true, true, true}));
}

TEST_CASE("an array laid out by columns becomes a tensor laid out by rows") {
  xt::xarray<std::int32_t, xt::layout_type::column_major> columns = {{1, 2}, {3, 4}};
  CHECK(to_tensor(columns) == Tensor::of<std::int32_t>({2, 2}, {1, 2, 3, 4}));
}

TEST_CASE("a tensor read as another element type is refused with X402") {
  try {
    to_xarray<double>(Tensor::of<float>({1}, {1}));
    FAIL("nothing was thrown");
  } catch (const Error& error) {
    CHECK(error.number() == 402);
  }
}
