/// Matrix products against a plain triple loop, bit by bit: odd shapes, all strides, every instruction set, 1 to 3
/// threads.
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

using namespace octet;

namespace {

/// What `shapes` add up to is known; those here are tried beside them: depths around one and two chains, and odd ones.
constexpr Extents chain_shapes[] = {{7, 33, 15}, {14, 18, 17}, {5, 65, 33}, {25, 40, 273}, {8, 1024, 47}, {9, 96, 529}};
constexpr Extents shapes[] = {{1, 1, 1},    {1, 1, 300},   {2, 3, 0},     {5, 7, 3},     {13, 17, 19}, {14, 32, 8},
                              {15, 33, 31}, {1, 97, 41},   {97, 1, 41},   {64, 64, 64},  {8, 2, 128},  {31, 5, 63},
                              {3, 513, 2},  {169, 47, 37}, {43, 1, 16},   {29, 48, 257}, {16, 16, 16}, {37, 95, 71},
                              {6, 530, 40}, {200, 29, 11}, {12, 100, 513}};

}  // namespace

TEST_CASE("a product has the bits of the plain triple loop on every instruction set, from any strides") {
  for (const Isa isa : available_isas())
    for (const bool round : {true, false})
      for (const std::span<const Extents> list : {std::span<const Extents>{shapes}, {chain_shapes}})
        for (const auto& [m, n, k] : list)
          for (const Layout left : {Layout::rows, Layout::columns, Layout::gaps})
            for (const Layout right : {Layout::rows, Layout::columns, Layout::gaps}) {
              const Operand lhs = drawn_operand(m, k, left, 1), rhs = drawn_operand(k, n, right, 2);
              const Gemm g = product(m, n, k, lhs, rhs, round);
              INFO(name(isa) << (round ? " bf16 " : " f32 ") << m << " x " << n << " x " << k << ", layouts "
                             << static_cast<int>(left) << " and " << static_cast<int>(right));
              REQUIRE(by_definition(computed(g, lhs.data(), rhs.data(), isa), g, lhs.data(), rhs.data(), isa));
            }
}

TEST_CASE("operands of f32 give the same bits read where they lie, and packed where rows or columns lie far apart") {
  for (const Isa isa : available_isas())
    for (const auto& [m, n, k] :
         {Extents{300, 40, 300}, {30, 40, 1024}, {1100, 150, 40}, {260, 530, 30}, {100, 530, 30}, {17, 33, 2048}})
      for (const Layout left : {Layout::rows, Layout::columns})
        for (const Layout right : {Layout::rows, Layout::columns}) {
          const Operand lhs = drawn_operand(m, k, left, 7), rhs = drawn_operand(k, n, right, 8);
          const Gemm g = product(m, n, k, lhs, rhs, false);
          INFO(name(isa) << " " << m << " x " << n << " x " << k << ", layouts " << static_cast<int>(left) << " and "
                         << static_cast<int>(right));
          CHECK(by_definition(computed(g, lhs.data(), rhs.data(), isa), g, lhs.data(), rhs.data(), isa));
        }
}

TEST_CASE("sums of bf16 have the same bits where the output's rows lie whole pages apart") {
  for (const Isa isa : available_isas())
    for (const std::int64_t k : {1, 16, 20, 40, 300, 600}) {
      const Operand lhs = drawn_operand(33, k, Layout::rows, 9), rhs = drawn_operand(k, 77, Layout::rows, 10);
      Gemm g = product(33, 77, k, lhs, rhs, true);
      g.out_row = 1024;
      INFO(name(isa) << " " << k);
      CHECK(by_definition(computed(g, lhs.data(), rhs.data(), isa), g, lhs.data(), rhs.data(), isa));
    }
}

TEST_CASE(
    "tiles one below the other hand their last sums over with the same bits, however few or many chains they have") {
  for (const Isa isa : available_isas())
    for (const bool round : {true, false})
      for (const std::int64_t m : {6, 7, 12, 15, 23, 41, 86})
        for (const std::int64_t n : {4, 8, 16, 37})
          for (const std::int64_t k : {1, 15, 16, 17, 31, 32, 33, 47, 49, 64, 90, 257, 300}) {
            const Operand lhs = drawn_operand(m, k, Layout::rows, 11), rhs = drawn_operand(k, n, Layout::rows, 12);
            const Gemm g = product(m, n, k, lhs, rhs, round);
            INFO(name(isa) << (round ? " bf16 " : " f32 ") << m << " x " << n << " x " << k);
            REQUIRE(by_definition(computed(g, lhs.data(), rhs.data(), isa), g, lhs.data(), rhs.data(), isa));
          }
}

TEST_CASE("products of a few rows have the same bits, whatever their columns and depth") {
  for (const Isa isa : available_isas())
    for (const bool round : {true, false})
      for (const std::int64_t m : {1, 2, 3, 4, 5})
        for (const std::int64_t n : {1, 3, 4, 8, 15, 16, 17, 32, 33, 47, 100, 257})
          for (const std::int64_t k : {1, 15, 16, 17, 31, 32, 33, 47, 64, 300}) {
            const Operand lhs = drawn_operand(m, k, Layout::gaps, 21), rhs = drawn_operand(k, n, Layout::rows, 22);
            const Gemm g = product(m, n, k, lhs, rhs, round);
            INFO(name(isa) << (round ? " bf16 " : " f32 ") << m << " x " << n << " x " << k);
            REQUIRE(by_definition(computed(g, lhs.data(), rhs.data(), isa), g, lhs.data(), rhs.data(), isa));
          }
}

TEST_CASE("products of a few rows or columns have the same bits where numbers lie along the contracted index") {
  for (const Isa isa : available_isas())
    for (const bool round : {true, false})
      for (const std::int64_t few : {1, 2, 3, 4, 5})
        for (const std::int64_t many : {1, 2, 7, 8, 9, 16, 17, 33, 101})
          for (const std::int64_t k : {1, 3, 7, 8, 9, 15, 16, 17, 23, 31, 33, 47, 64, 101, 513, 1040})
            for (const bool turned : {true, false}) {
              const std::int64_t m = turned ? many : few, n = turned ? few : many;
              const Operand lhs = drawn_operand(m, k, turned ? Layout::rows : Layout::gaps, 27),
                            rhs = drawn_operand(k, n, turned ? Layout::gaps : Layout::columns, 28);
              const Gemm g = product(m, n, k, lhs, rhs, round);
              INFO(name(isa) << (round ? " bf16 " : " f32 ") << m << " x " << n << " x " << k);
              REQUIRE(by_definition(computed(g, lhs.data(), rhs.data(), isa), g, lhs.data(), rhs.data(), isa));
            }
}

TEST_CASE("products that a matrix unit would hardly fill, and those a little larger, have the same bits") {
  for (const std::int64_t m : {5, 7, 8, 9})
    for (const std::int64_t n : {5, 7, 8, 9, 15, 16, 17, 39})
      for (const std::int64_t k : {15, 16, 17, 40})
        for (const Layout layout : {Layout::rows, Layout::columns, Layout::gaps})
          for (const bool round : {true, false})
            for (const bool turned : {true, false}) {
              const std::int64_t rows = turned ? n : m, columns = turned ? m : n;
              const Operand lhs = drawn_operand(rows, k, layout, 25), rhs = drawn_operand(k, columns, layout, 26);
              const Gemm g = product(rows, columns, k, lhs, rhs, round);
              for (const Isa isa : available_isas()) {
                INFO(name(isa) << (round ? " bf16 " : " f32 ") << rows << " x " << columns << " x " << k << ", layout "
                               << static_cast<int>(layout));
                REQUIRE(by_definition(computed(g, lhs.data(), rhs.data(), isa), g, lhs.data(), rhs.data(), isa));
              }
            }
}

TEST_CASE("a product by a vector has the same bits where its matrix lies column by column") {
  for (const Isa isa : available_isas())
    for (const bool round : {true, false})
      for (const std::int64_t row : {1, 3}) {
        const Operand lhs = drawn_operand(90, 70, Layout::columns, 23), rhs = drawn_operand(70, 1, Layout::rows, 24);
        Gemm g = product(90, 1, 70, lhs, rhs, round);
        g.out_row = row;
        INFO(name(isa) << (round ? " bf16" : " f32") << ", results " << row << " apart");
        CHECK(by_definition(computed(g, lhs.data(), rhs.data(), isa), g, lhs.data(), rhs.data(), isa));
      }
}

TEST_CASE("in bf16 precision separate and fused multiply-adds give the same bits") {
  const Operand lhs = drawn_operand(33, 300, Layout::rows, 3), rhs = drawn_operand(300, 41, Layout::rows, 4);
  const Gemm g = product(33, 41, 300, lhs, rhs, true);
  const auto expected = triple_loop(g, lhs.data(), rhs.data(), false);
  CHECK(same_bits(expected, triple_loop(g, lhs.data(), rhs.data(), true)));
  for (const Isa isa : available_isas()) CHECK(same_bits(expected, computed(g, lhs.data(), rhs.data(), isa)));
}

TEST_CASE("dividing a product among threads changes no bit") {
  for (const auto& [m, n, k] : {Extents{257, 131, 67},
                                {131, 257, 67},
                                {500, 16, 300},
                                {5, 3, 2},
                                {4, 4, 0},
                                {64, 9000, 2},
                                {300, 40, 70},
                                {2, 5000, 200},
                                {20, 4200, 40}}) {
    for (const Layout right : {Layout::rows, Layout::columns}) {
      const Operand lhs = drawn_operand(m, k, Layout::rows, 5), rhs = drawn_operand(k, n, right, 6);
      const Gemm g = product(m, n, k, lhs, rhs, true);
      const auto expected = triple_loop(g, lhs.data(), rhs.data(), false);
      for (const unsigned threads : {1u, 2u, 3u, 7u}) {
        INFO(m << " x " << n << " x " << k << " on " << threads);
        CHECK(same_bits(expected, computed(g, lhs.data(), rhs.data(), best_isa(), threads)));
      }
    }
  }
}

TEST_CASE("what is denormal, or becomes so on the way, is kept on every instruction set") {
  // Magnitudes whose products lie around and below the smallest normal number, beside ordinary ones.
  for (const Isa isa : available_isas())
    for (const auto& [m, n, k] :
         {Extents{33, 35, 70}, {16, 32, 32}, {20, 5, 300}, {100, 40, 300}, {260, 40, 40}, {3, 45, 70}})
      for (const int exponent : {-40, -56, -57, -64, -100, -127, -133})
        for (const Layout layout : {Layout::rows, Layout::columns, Layout::gaps}) {
          const Operand lhs = drawn_operand(m, k, layout, 13), rhs = drawn_operand(k, n, Layout::rows, 14);
          const auto shrink = [&](const Operand& of, std::int64_t rows, std::int64_t columns, int by) {
            for (std::int64_t i = 0; i < rows; ++i)
              for (std::int64_t j = 0; j < columns; j += 1 + i % 3) {
                float& number = of.numbers[static_cast<std::size_t>(i * of.row + j * of.column)];
                number = std::ldexp(number, by);
              }
          };
          shrink(lhs, m, k, exponent);
          shrink(rhs, k, n, std::max(exponent, -118 - exponent));  // products of 2^-134 and up: below, fusing shows
          const Gemm g = product(m, n, k, lhs, rhs, true);
          INFO(name(isa) << " " << m << " x " << n << " x " << k << ", 2^" << exponent);
          REQUIRE(same_bits(computed(g, lhs.data(), rhs.data(), isa), triple_loop(g, lhs.data(), rhs.data(), false)));
          if (!fuses_multiply_add(isa) || name(isa) == "relaxed simd128") continue;
          shrink(rhs, k, n, -20);
          REQUIRE(same_bits(computed(g, lhs.data(), rhs.data(), isa), triple_loop(g, lhs.data(), rhs.data(), true)));
        }
}

TEST_CASE("a denormal sum goes on over later blocks of the depth") {
  struct Place {
    std::int64_t p;
    float left, right;
  };
  // 2^-130 stays where only zeros follow; what cancels to 2^-130 in a later block leaves it.
  const std::vector<Place> alone{{0, 0x1p-65f, 0x1p-65f}};
  const std::vector<Place> cancelled{
      {0, 0x1.8p-56f, 0x1.8p-56f}, {1, 0x1p-65f, 0x1p-65f}, {300, -0x1.8p-56f, 0x1.8p-56f}};
  for (const Isa isa : available_isas())
    for (const std::int64_t k : {320, 512, 1024})
      for (const auto& places : {alone, cancelled})
        for (const float elsewhere : {0.0f, 1.0f}) {  // in rhs, beside zeros of lhs
          std::vector<float> lhs(static_cast<std::size_t>(16 * k), 0.0f),
              rhs(static_cast<std::size_t>(16 * k), elsewhere);
          for (const Place& place : places)
            for (std::int64_t i = 0; i < 16; ++i) {
              lhs[static_cast<std::size_t>(i * k + place.p)] = place.left;
              rhs[static_cast<std::size_t>(place.p * 16 + i)] = place.right;
            }
          const Gemm g{.m = 16, .n = 16, .k = k, .lhs_row = k, .rhs_row = 16, .out_row = 16, .round_to_bfloat16 = true};
          INFO(name(isa) << " " << k);
          for (const float value : computed(g, lhs.data(), rhs.data(), isa)) REQUIRE(value == 0x1p-130f);
        }
}

TEST_CASE("products too small for f32 add up to +0, not to -0, where they are fused") {
  for (const Isa isa : available_isas())
    for (const std::int64_t k : {5, 16, 32, 300}) {
      const std::vector<float> lhs(static_cast<std::size_t>(16 * k), -0x1p-80f),
          rhs(static_cast<std::size_t>(16 * k), 0x1p-80f);
      const Gemm g{.m = 16, .n = 16, .k = k, .lhs_row = k, .rhs_row = 16, .out_row = 16, .round_to_bfloat16 = true};
      INFO(name(isa) << " " << k);
      for (const float value : computed(g, lhs.data(), rhs.data(), isa))
        REQUIRE(std::bit_cast<std::uint32_t>(value) == 0);
    }
}

TEST_CASE("infinities and NaN reach only the outputs whose row or column holds them") {
  constexpr float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  for (const Isa isa : available_isas())
    for (const bool round : {true, false})
      for (const auto& [m, n, k] : {Extents{15, 33, 9}, {13, 3, 17}, {3, 50, 5}})
        for (const Layout left : {Layout::rows, Layout::columns})
          for (const Layout right : {Layout::rows, Layout::columns}) {
            const Operand lhs = drawn_operand(m, k, left, 7), rhs = drawn_operand(k, n, right, 8);
            lhs.numbers[static_cast<std::size_t>((m - 1) * lhs.row)] = nan;
            lhs.numbers[static_cast<std::size_t>(lhs.row + lhs.column)] = -infinity;
            rhs.numbers[static_cast<std::size_t>((n - 1) * rhs.column + 2 * rhs.row)] = infinity;
            const Gemm g = product(m, n, k, lhs, rhs, round);
            INFO(name(isa) << (round ? " bf16 " : " f32 ") << m << " x " << n << " x " << k);
            const auto out = computed(g, lhs.data(), rhs.data(), isa);
            CHECK(by_definition(out, g, lhs.data(), rhs.data(), isa));
            CHECK(std::isfinite(out[0]));
            CHECK(std::isnan(out[static_cast<std::size_t>((m - 1) * g.out_row)]));
          }
}

TEST_CASE("rounding while packing is rounding to nearest even, for ties, denormals, NaN and overflow") {
  std::vector<float> numbers;
  for (const std::uint32_t bits :
       {0x3f80'8000u, 0x3f81'8000u, 0x3f80'7fffu, 0x3f80'8001u, 0x0000'8000u, 0x0000'0001u, 0x8000'0000u, 0x7f7f'ffffu,
        0x7f7f'7fffu, 0x7f80'0000u, 0xff80'0000u, 0x7f80'0001u, 0x7fff'ffffu, 0xffff'ffffu, 0xffff'8000u, 0x0001'8000u})
    numbers.push_back(std::bit_cast<float>(bits));
  const float one = 1;
  for (const Isa isa : available_isas())
    for (const std::int64_t stride : {0, 1}) {  // as a column of lhs; as the contracted row of a one-row lhs
      const Gemm g{.m = 16,
                   .n = 1,
                   .k = 1,
                   .lhs_row = 1,
                   .lhs_column = stride,
                   .rhs_row = 1,
                   .out_row = 1,
                   .round_to_bfloat16 = true};
      CHECK(by_definition(computed(g, numbers.data(), &one, isa), g, numbers.data(), &one, isa));
    }
}

TEST_CASE("a NaN that is rounded while packing stays one, wherever it lies and whatever lies beside it") {
  constexpr std::uint32_t nans[]{0x7f80'0001u, 0x7fff'ffffu, 0xff80'0001u, 0xffff'ffffu};
  constexpr Extents extents{13, 36, 46};  // in depth, of each width some vectors alone and a rest
  const auto [m, n, k] = extents;
  for (const Isa isa : available_isas())
    for (const Layout layout : {Layout::rows, Layout::columns, Layout::gaps})
      for (const bool left : {true, false}) {
        const std::int64_t lines = left ? m : n;  // rows of lhs or columns of rhs: which is all the same but for names
        const Operand lhs = drawn_operand(m, k, layout, 21), rhs = drawn_operand(k, n, layout, 22);
        const Operand& with = left ? lhs : rhs;
        const std::int64_t along = left ? lhs.row : rhs.column, down = left ? lhs.column : rhs.row;
        const Gemm g = product(m, n, k, lhs, rhs, true);
        const auto rest = triple_loop(g, lhs.data(), rhs.data(), false);
        for (std::int64_t at = 0; at < lines * k; ++at) {
          float& number = with.numbers[static_cast<std::size_t>(at / k * along + at % k * down)];
          const float before = number;
          number = std::bit_cast<float>(nans[at % 4]);
          const auto out = computed(g, lhs.data(), rhs.data(), isa);
          bool right = true;
          for (std::int64_t i = 0; i < m; ++i)
            for (std::int64_t j = 0; j < n; ++j) {
              const auto place = static_cast<std::size_t>(i * g.out_row + j);
              right &= (left ? i : j) == at / k ? std::isnan(out[place]) : out[place] == rest[place];
            }
          INFO(name(isa) << ", " << (left ? "lhs " : "rhs ") << at / k << ", " << at % k);
          REQUIRE(right);
          number = before;
        }
      }
}

TEST_CASE("numbers whose sum is infinite, or none, are rounded while packing as others are") {
  constexpr float infinity = std::numeric_limits<float>::infinity(), large = std::numeric_limits<float>::max() / 2;
  for (const Isa isa : available_isas())
    for (const Layout layout : {Layout::rows, Layout::columns}) {
      const Operand lhs = drawn_operand(13, 35, layout, 23), rhs = drawn_operand(35, 36, layout, 24);
      for (std::int64_t p = 0; p < 12; ++p) lhs.numbers[static_cast<std::size_t>(p * lhs.column)] = large;
      lhs.numbers[static_cast<std::size_t>(2 * lhs.row)] = infinity;
      lhs.numbers[static_cast<std::size_t>(2 * lhs.row + 16 * lhs.column)] = -infinity;  // of any width in one lane
      for (std::int64_t at = 0; at < 35 * 36; ++at) rhs.numbers[static_cast<std::size_t>(at)] *= 0x1p-20f;
      rhs.numbers[static_cast<std::size_t>(3 * rhs.column)] = -infinity;
      const Gemm g = product(13, 36, 35, lhs, rhs, true);
      CHECK(by_definition(computed(g, lhs.data(), rhs.data(), isa), g, lhs.data(), rhs.data(), isa));
    }
}

TEST_CASE("a sum of negative zeros is positive zero, and an empty sum too") {
  const std::vector<float> zeros(64, -0.0f), ones(64, 1.0f);
  for (const Isa isa : available_isas())
    for (const std::int64_t k : {0, 1, 4}) {
      const Gemm g{.m = 4, .n = 16, .k = k, .lhs_row = 4, .rhs_row = 16, .out_row = 16};
      for (const float value : computed(g, zeros.data(), ones.data(), isa)) {
        CHECK(value == 0);
        CHECK_FALSE(std::signbit(value));
      }
    }
}

TEST_CASE("a stride of zero repeats its operand") {
  const Operand row = drawn_operand(1, 40, Layout::rows, 9), rhs = drawn_operand(40, 21, Layout::rows, 10);
  for (const Isa isa : available_isas()) {
    Gemm g = product(17, 21, 40, row, rhs, true);
    g.lhs_row = 0;
    CHECK(by_definition(computed(g, row.data(), rhs.data(), isa), g, row.data(), rhs.data(), isa));
    g = product(17, 21, 40, row, rhs, true);
    g.lhs_row = 0, g.rhs_row = 0, g.lhs_column = 0;
    CHECK(by_definition(computed(g, row.data(), rhs.data(), isa), g, row.data(), rhs.data(), isa));
  }
}

TEST_CASE("products in bf16 precision have one hash on every machine") {
  for (const Isa isa : available_isas()) {
    Hasher hash;
    for (const auto& [m, n, k] : shapes) {
      const Operand lhs = drawn_operand(m, k, Layout::rows, 11), rhs = drawn_operand(k, n, Layout::columns, 12);
      const Gemm g = product(m, n, k, lhs, rhs, true);
      for (const float value : computed(g, lhs.data(), rhs.data(), isa)) hash.add(std::bit_cast<std::uint32_t>(value));
    }
    INFO(name(isa));
    CHECK(hash.text() == "1e11d9feed661340");
  }
}

TEST_CASE("the plain product agrees with its definition and wraps integers around") {
  const std::int32_t big[] = {2'000'000'000, 3, -5, 7}, other[] = {4, 1, 2, -1};
  std::int32_t sums[4];
  plain_gemm({.m = 2, .n = 2, .k = 2, .lhs_row = 2, .rhs_row = 2, .out_row = 2}, big, other, sums);
  CHECK(sums[0] == static_cast<std::int32_t>(8'000'000'006u));
  CHECK(sums[1] == 1'999'999'997);
  CHECK(sums[2] == -6);
  CHECK(sums[3] == -12);
  const double x[] = {0.5, 0.25}, y[] = {3, 8};
  double z = -1;
  plain_gemm({.m = 1, .n = 1, .k = 2, .lhs_row = 2, .rhs_row = 1, .out_row = 1}, x, y, &z);
  CHECK(z == 3.5);
}

TEST_CASE("the best instruction set is available and has a measurable peak") {
  CHECK(available_isas().front() == Isa::baseline);
  const Isa last = available_isas().back();
  CHECK((best_isa() == last || (last == Isa::avx512bf16 && best_isa() == Isa::avx512)));
#if defined(__x86_64__)
  // Were its sums in another order than the law's, it would not be offered: that is to be known.
  if (__builtin_cpu_supports("avx512bf16") && __builtin_cpu_supports("avx512bw")) CHECK(last >= Isa::avx512bf16);
#endif
  for (const Isa isa : available_isas()) {
    CHECK(measured_peak(isa) > 0.01);
    CHECK((measured_bf16_peak(isa) > 0) == (isa == Isa::amx || isa == Isa::avx512bf16));
  }
}
