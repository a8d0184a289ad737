/// Products of numbers so small that sums are denormal, or would be if they were not computed otherwise, beside
/// ordinary and large ones, against the plain triple loop, bit by bit.
#include <algorithm>
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

import octet.base;
import octet.compile;

#include "gemm_definition.hpp"

namespace {

/// Numbers [rows, columns] that are multiplied by 2^by: those of which `chosen(row, column)` is true.
template <class Chosen>
void scale(const Operand& of, std::int64_t rows, std::int64_t columns, int by, Chosen&& chosen) {
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j)
      if (chosen(i, j)) {
        float& number = of.numbers[static_cast<std::size_t>(i * of.row + j * of.column)];
        number = std::ldexp(number, by);
      }
}

/// Whether each instruction set gives what the plain loop gives. Where products are below 2^-134, fusing shows: only
/// those that fuse are asked then.
bool as_defined(const Gemm& g, const Operand& lhs, const Operand& rhs, bool fused = false) {
  const auto expected = triple_loop(g, lhs.data(), rhs.data(), fused);
  bool equal = true;
  for (const Isa isa : available_isas()) {
    if (fused && (!fuses_multiply_add(isa) || name(isa) == "relaxed simd128")) continue;
    UNSCOPED_INFO(name(isa));
    equal = equal && same_bits(computed(g, lhs.data(), rhs.data(), isa), expected);
  }
  return equal;
}

constexpr Extents extents[] = {{33, 35, 70}, {64, 64, 300}, {20, 5, 300}, {7, 100, 40}, {200, 16, 33}};
constexpr Layout layouts[] = {Layout::rows, Layout::columns, Layout::gaps};

}  // namespace

TEST_CASE("a few small numbers among ordinary ones leave every product's bits as they are") {
  for (const auto& [m, n, k] : extents)
    for (const Layout layout : layouts)
      for (const int every : {1, 97, 5000})
        for (const int exponent : {-60, -83, -97, -110, -117, -126, -133})
          for (const bool left : {true, false})
            for (const int other : {0, -12, -25}) {  // all of the other operand
              const Operand lhs = drawn_operand(m, k, layout, 31), rhs = drawn_operand(k, n, layout, 32);
              scale(left ? lhs : rhs, left ? m : k, left ? k : n, exponent,
                    [&](std::int64_t i, std::int64_t j) { return (i * (left ? k : n) + j) % every == 3 % every; });
              scale(left ? rhs : lhs, left ? k : m, left ? n : k, other,
                    [](std::int64_t, std::int64_t) { return true; });
              INFO(m << " x " << n << " x " << k << ", layout " << static_cast<int>(layout) << ", every " << every
                     << "th by 2^" << exponent << (left ? " of lhs" : " of rhs") << ", the other by 2^" << other);
              REQUIRE(as_defined(product(m, n, k, lhs, rhs, true), lhs, rhs, exponent + other < -117));
            }
}

TEST_CASE("small rows beside ordinary and large columns have the same bits, whatever computed their tiles before") {
  // Panels of columns by turns: products that are small; that are not, because rhs is large; that are so large that
  // nothing may be multiplied by more; and infinite ones.
  constexpr std::int64_t m = 70, n = 200;
  for (const std::int64_t k : {32, 40, 300})
    for (const int exponent : {-83, -104, -110})
      for (const int large : {0, 60, 100}) {  // of lhs
        const Operand lhs = drawn_operand(m, k, Layout::rows, 33), rhs = drawn_operand(k, n, Layout::columns, 34);
        const auto small_row = [](std::int64_t i) { return i / 20 % 2 == 0; };
        scale(lhs, m, k, exponent, [&](std::int64_t i, std::int64_t p) { return small_row(i) && p % 3 == 0; });
        scale(lhs, m, k, large, [&](std::int64_t i, std::int64_t p) { return small_row(i) && p % 3 == 1; });
        scale(rhs, k, n, 40, [](std::int64_t p, std::int64_t j) { return j / 32 % 4 == 1 && p % 3 != 1; });
        scale(rhs, k, n, 100 - large, [](std::int64_t p, std::int64_t j) { return j / 32 % 4 == 2 && p % 3 == 1; });
        const auto put = [&](std::int64_t p, std::int64_t j, float number) {
          rhs.numbers[static_cast<std::size_t>(p * rhs.row + j * rhs.column)] = number;
        };
        put(7, 170, std::numeric_limits<float>::infinity());
        put(9, 199, std::numeric_limits<float>::quiet_NaN());
        INFO(k << ", 2^" << exponent << " and 2^" << large);
        REQUIRE(as_defined(product(m, n, k, lhs, rhs, true), lhs, rhs));
      }
}

TEST_CASE("numbers too large to be multiplied by more have the same bits beside small ones") {
  const Operand lhs = drawn_operand(40, 70, Layout::rows, 37), rhs = drawn_operand(70, 40, Layout::rows, 38);
  scale(lhs, 40, 70, 110, [](std::int64_t, std::int64_t p) { return p % 2 == 0; });
  scale(lhs, 40, 70, -75, [](std::int64_t, std::int64_t p) { return p % 2 == 1; });
  scale(rhs, 70, 40, -40, [](std::int64_t, std::int64_t) { return true; });
  REQUIRE(as_defined(product(40, 40, 70, lhs, rhs, true), lhs, rhs));
}

TEST_CASE("sums of earlier depths, small, ordinary, large or infinite, go on to the same bits") {
  constexpr std::int64_t m = 33, n = 40, k = 520;
  for (const int before : {-120, -110, -50, 0, 90, 108})
    for (const int after : {-120, -110, -50, 0})
      for (const Layout layout : layouts) {
        const Operand lhs = drawn_operand(m, k, layout, 35), rhs = drawn_operand(k, n, layout, 36);
        scale(lhs, m, k, before, [](std::int64_t i, std::int64_t p) { return p < 256 && i % 3 > 0; });
        scale(lhs, m, k, after, [](std::int64_t i, std::int64_t p) { return p >= 256 && i % 2 > 0; });
        if (before <= 0) scale(rhs, k, n, 8, [](std::int64_t, std::int64_t) { return true; });
        for (std::int64_t j = 0; j < n; j += 3)  // to which nothing is added later
          for (std::int64_t p = 256; p < k; ++p)
            rhs.numbers[static_cast<std::size_t>(p * rhs.row + j * rhs.column)] = 0;
        INFO("2^" << before << ", then 2^" << after << ", layout " << static_cast<int>(layout));
        REQUIRE(as_defined(product(m, n, k, lhs, rhs, true), lhs, rhs));
      }
}
