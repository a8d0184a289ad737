#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <string>
#include <utility>
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

TEST_CASE("a shape of any rank is copied, moved, assigned, changed and compared as a whole") {
  for (std::int64_t rank = 0; rank <= 9; ++rank) {
    Dims extents;
    for (std::int64_t d = 0; d < rank; ++d) extents.push_back(d + 2);
    const Shape shape{extents};
    REQUIRE(shape.rank() == rank);
    REQUIRE(shape.extents() == extents);
    REQUIRE(Dims(shape.begin(), shape.end()) == extents);
    Shape other = shape;
    REQUIRE(other == shape);
    if (rank > 0) {
      other[-1] = 100;
      REQUIRE(other[rank - 1] == 100);
      REQUIRE_FALSE(other == shape);
      REQUIRE(shape[-1] == rank + 1);
    }
    extents.push_back(1);
    REQUIRE_FALSE(Shape{extents} == shape);  // an extent of 1 more is another shape
    // From many extents to few and back: nothing of what was there before is left.
    for (const Shape& before : {Shape{}, Shape{7, 7}, Shape{7, 7, 7, 7, 7, 7, 7}}) {
      Shape target = before;
      target = shape;
      REQUIRE(target == shape);
      Shape source = shape;
      target = before;
      target = std::move(source);
      REQUIRE(target == shape);
      source = before;
      REQUIRE(source == before);
    }
  }
}

TEST_CASE("a tensor type is written as element type and shape") {
  REQUIRE(to_string(TensorType{DType::bf16, {8, 64}}) == "bf16[8, 64]");
  REQUIRE(to_string(TensorType{}) == "f32[]");
  REQUIRE(to_string(Dims{0, 2}) == "[0, 2]");
  REQUIRE(TensorType{DType::bf16, {8, 64}}.bytes() == 1024);
}
