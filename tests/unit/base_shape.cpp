#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <string>
#include <vector>

import octet.base;

using namespace octet;

TEST_CASE("a scalar has no dimensions and one element") {
  const Shape scalar;
  REQUIRE(scalar.rank() == 0);
  REQUIRE(scalar.elements() == 1);
  REQUIRE(scalar.strides().empty());
  REQUIRE(to_string(scalar) == "[]");
}

TEST_CASE("a shape counts elements and row-major strides") {
  const Shape shape{8, 64, 128};
  REQUIRE(shape.elements() == 65536);
  REQUIRE(shape.strides() == Dims{8192, 128, 1});
  REQUIRE(shape[-1] == 128);
  REQUIRE(shape[0] == 8);
  REQUIRE(to_string(shape) == "[8, 64, 128]");
  REQUIRE(Shape{1 << 20, 1 << 20}.elements() == std::int64_t{1} << 40);
}

TEST_CASE("a shape with an extent of 0 has no elements, whatever its other extents") {
  REQUIRE(Shape{0}.elements() == 0);
  REQUIRE(Shape{1 << 30, 0, 1 << 30}.elements() == 0);
  REQUIRE(TensorType{DType::f64, Shape{3, 0}}.bytes() == 0);
}

TEST_CASE("shapes are equal where all extents are") {
  REQUIRE(Shape{2, 3} == Shape{2, 3});
  REQUIRE_FALSE(Shape{2, 3} == Shape{3, 2});
  REQUIRE_FALSE(Shape{} == Shape{1});
  REQUIRE_FALSE(TensorType{DType::f32, {2}} == TensorType{DType::i32, {2}});
}

TEST_CASE("a tensor type is written as element type and shape") {
  REQUIRE(to_string(TensorType{DType::bf16, {8, 64}}) == "bf16[8, 64]");
  REQUIRE(to_string(TensorType{}) == "f32[]");
  REQUIRE(to_string(Dims{0, 2}) == "[0, 2]");
  REQUIRE(TensorType{DType::bf16, {8, 64}}.bytes() == 1024);
}
