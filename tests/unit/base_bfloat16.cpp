#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <limits>

import octet.base;

using octet::bfloat16;

namespace {

bool is_nan(std::uint16_t bits) { return (bits & 0x7fff) > 0x7f80; }
float f32(std::uint32_t bits) { return std::bit_cast<float>(bits); }
std::uint16_t rounded(std::uint32_t bits) { return bfloat16{f32(bits)}.bits(); }

}  // namespace

TEST_CASE("widening a bfloat16 and rounding it again changes none of the 65,536 values") {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto value = bfloat16::from_bits(static_cast<std::uint16_t>(bits));
    const auto wide = static_cast<float>(value);
    if (is_nan(value.bits())) {
      REQUIRE(std::isnan(wide));
      REQUIRE(is_nan(bfloat16{wide}.bits()));
    } else {
      REQUIRE(std::bit_cast<std::uint32_t>(wide) == bits << 16);
      REQUIRE(bfloat16{wide}.bits() == bits);
      REQUIRE(static_cast<double>(value) == static_cast<double>(wide));
    }
  }
}

TEST_CASE("an f32 rounds to the nearer of two neighbouring bfloat16 numbers, and a tie to the even one") {
  for (std::uint32_t upper = 0; upper < 0x10000; ++upper) {
    if (is_nan(static_cast<std::uint16_t>(upper)) || (upper & 0x7fff) == 0x7f80) continue;
    const std::uint32_t exact = upper << 16;
    const auto even = static_cast<std::uint16_t>(upper + (upper & 1));
    const auto next = static_cast<std::uint16_t>(upper + 1);
    REQUIRE(rounded(exact) == upper);
    REQUIRE(rounded(exact | 1) == upper);
    REQUIRE(rounded(exact | 0x7fff) == upper);
    REQUIRE(rounded(exact | 0x8000) == even);
    REQUIRE(rounded(exact | 0x8001) == next);
    REQUIRE(rounded(exact | 0xffff) == next);
  }
}

TEST_CASE(
    "around each of the 65,536 values f32 numbers round to the nearest, and all of them around the ends of each "
    "exponent") {
  for (std::uint32_t upper = 0; upper < 0x10000; ++upper) {
    if ((upper & 0x7fff) >= 0x7f80) continue;  // infinities and NaN
    const std::uint32_t even = upper + (upper & 1), fraction = upper & 0x7f;
    const bool at_an_end = fraction <= 1 || fraction >= 0x7e;
    std::uint32_t wrong = 0;
    for (std::uint32_t lower = 0; lower < 0x10000; ++lower) {
      const std::uint32_t nearest = lower < 0x8000 ? upper : lower > 0x8000 ? upper + 1 : even;
      wrong += rounded(upper << 16 | lower) != nearest;
      constexpr std::uint32_t close = 0x100, stride = 251;
      const bool is_close = ((lower + close) & 0x7fff) < 2 * close;  // to a value, or to the middle between two
      if (!at_an_end && !is_close) lower += stride;
    }
    REQUIRE(wrong == 0);
  }
}

TEST_CASE("an f32 too large for bfloat16 becomes infinity") {
  REQUIRE(rounded(0x7f7f'7fff) == 0x7f7f);
  REQUIRE(rounded(0x7f7f'8000) == 0x7f80);
  REQUIRE(rounded(0x7f7f'ffff) == 0x7f80);
  REQUIRE(rounded(0xff7f'ffff) == 0xff80);
}

TEST_CASE("every NaN stays a quiet NaN of the same sign, also where only low bits made it one") {
  for (std::uint32_t bits : {0x7f80'0001u, 0x7fff'ffffu, 0x7fc0'0000u, 0xff80'0001u, 0xffff'ffffu, 0x7f80'ffffu}) {
    REQUIRE(is_nan(rounded(bits)));
    REQUIRE((rounded(bits) & 0x40) != 0);
    REQUIRE(rounded(bits) >> 15 == bits >> 31);
  }
}

TEST_CASE("bfloat16 numbers compare as numbers") {
  REQUIRE(bfloat16{0.0f} == bfloat16{-0.0f});
  REQUIRE(bfloat16{0.0f}.bits() != bfloat16{-0.0f}.bits());
  REQUIRE_FALSE(bfloat16::from_bits(0x7fc0) == bfloat16::from_bits(0x7fc0));
  REQUIRE(octet::rounded_to_bfloat16(1.00390625f) == 1.0f);
  REQUIRE(octet::rounded_to_bfloat16(1.01171875f) == 1.015625f);
}
