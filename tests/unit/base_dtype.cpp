#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

import octet.base;

using namespace octet;

TEST_CASE("each element type is found by its StableHLO name") {
  for (DType dtype : all_dtypes) REQUIRE(dtype_named(name(dtype)) == dtype);
  REQUIRE(std::string{name(DType::pred)} == "i1");
  REQUIRE(std::string{name(DType::u32)} == "ui32");
  REQUIRE(std::string{name(DType::bf16)} == "bf16");
  for (std::string_view text : {"", "f", "f16", "F32", "f32 ", "float", "bool", "실수"})
    REQUIRE_FALSE(dtype_named(text));
}

TEST_CASE("visit_dtype hands out the C++ type of each element type, of the stated size") {
  for (DType dtype : all_dtypes) {
    visit_dtype(dtype, [&]<class T>(std::type_identity<T>) {
      REQUIRE(dtype_of<T> == dtype);
      REQUIRE(sizeof(T) == size_of(dtype));
    });
  }
}

TEST_CASE("an element type is a truth value, an integer or a floating-point number, and only one of them") {
  for (DType dtype : all_dtypes) REQUIRE((dtype == DType::pred) + is_integer(dtype) + is_floating(dtype) == 1);
  REQUIRE(is_floating(DType::bf16));
  REQUIRE(is_signed(DType::f64));
  REQUIRE_FALSE(is_signed(DType::u32));
  REQUIRE_FALSE(is_signed(DType::pred));
}
