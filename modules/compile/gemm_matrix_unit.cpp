/// Multiplying by a processor's matrix unit: Intel's AMX, which multiplies and adds 16 x 16 x 32 numbers of bf16 in one
/// instruction.
///
/// That instruction adds the products of the even and those of the odd places of 32 in two chains, then the two, then
/// that to the sum: the order of octet.compile:gemm, where packing puts numbers p and p + 16 side by side. Where sums
/// may become denormal, they are computed a power of two larger; and where that would be too large, or bits would lie
/// below those of f32, vectors multiply what lies so, in the same order.
module octet.compile;

import octet.base;
import octet.graph;
import octet.standard;
import :cpu;
import :gemm_batch;
import :gemm_pairs;
import :gemm_tile;
import :simd;

#include "multiply_add.hpp"
#include "squares.hpp"

namespace octet {

#if defined(__x86_64__)
namespace {

using namespace pairs;

/// A tile of whole squares. Registers 0 to 3 hold sums, 4 and 5 squares of lhs, 6 and 7 of rhs.
template <int row_groups, int column_groups>
OCTET_MATRIX_PIECE void multiply_squares(const Tile& tile, float* out, std::int64_t out_row, bool continues) {
  const std::int64_t pitch = out_row * static_cast<std::int64_t>(sizeof(float));
  constexpr std::int64_t line = square * sizeof(float);
  float* const lower = out + square * out_row;
  if (continues) {
    __builtin_ia32_tileloadd64(0, out, pitch);
    if constexpr (column_groups == 2) __builtin_ia32_tileloadd64(1, out + square, pitch);
    if constexpr (row_groups == 2) __builtin_ia32_tileloadd64(2, lower, pitch);
    if constexpr (row_groups == 2 && column_groups == 2) __builtin_ia32_tileloadd64(3, lower + square, pitch);
  } else {
    __builtin_ia32_tilezero(0);
    if constexpr (column_groups == 2) __builtin_ia32_tilezero(1);
    if constexpr (row_groups == 2) __builtin_ia32_tilezero(2);
    if constexpr (row_groups == 2 && column_groups == 2) __builtin_ia32_tilezero(3);
  }
  const std::int64_t blocks = blocks_of(tile.depth);
  std::int64_t next_row = 0;
  for (std::int64_t at = 0; at < blocks; ++at) {
    fetch_beside<groups, square>(tile, next_row);
    __builtin_ia32_tileloadd64(4, square_at(tile.lhs, at, 0), line);
    __builtin_ia32_tileloadd64(6, square_at(tile.rhs, at, 0), line);
    __builtin_ia32_tdpbf16ps(0, 4, 6);
    if constexpr (column_groups == 2) {
      __builtin_ia32_tileloadd64(7, square_at(tile.rhs, at, 1), line);
      __builtin_ia32_tdpbf16ps(1, 4, 7);
    }
    if constexpr (row_groups == 2) {
      __builtin_ia32_tileloadd64(5, square_at(tile.lhs, at, 1), line);
      __builtin_ia32_tdpbf16ps(2, 5, 6);
    }
    if constexpr (row_groups == 2 && column_groups == 2) __builtin_ia32_tdpbf16ps(3, 5, 7);
  }
  __builtin_ia32_tilestored64(0, out, pitch);
  if constexpr (column_groups == 2) __builtin_ia32_tilestored64(1, out + square, pitch);
  if constexpr (row_groups == 2) __builtin_ia32_tilestored64(2, lower, pitch);
  if constexpr (row_groups == 2 && column_groups == 2) __builtin_ia32_tilestored64(3, lower + square, pitch);
}

template <int row_groups>
OCTET_MATRIX_PIECE void multiply_squares(const Tile& tile, float* out, std::int64_t out_row, bool continues) {
  if (tile.columns > square)
    multiply_squares<row_groups, 2>(tile, out, out_row, continues);
  else
    multiply_squares<row_groups, 1>(tile, out, out_row, continues);
}

/// Pairs become numbers, in two vectors.
OCTET_MATRIX_PIECE void unpack(const std::uint32_t* from, float* first, float* second) {
  Pairs pairs;
  __builtin_memcpy(&pairs, from, sizeof pairs);
  simd::store<square>(first, reinterpret_cast<Floats>(pairs << 16));
  simd::store<square>(second, reinterpret_cast<Floats>(pairs & 0xffff'0000u));
}

/// The same by vectors, which keep denormal numbers: four rows at a time, so that enough sums are independent. Of each
/// block of the depth, pairs become numbers once for all rows.
template <int column_groups>
OCTET_MATRIX_PIECE void multiply_by_vectors(const Tile& tile, float* out, std::int64_t out_row, bool continues) {
  constexpr int rows = 4, chains = 2, width = column_groups * square;
  alignas(64) float left[groups * square][chains][square], right[chains][square][width];
  for (std::int64_t at = 0; at < blocks_of(tile.depth); ++at, continues = true) {
    for (int group = 0; group < column_groups; ++group)
      for (int p = 0; p < square; ++p)
        unpack(square_at(tile.rhs, at, group) + p * square, right[0][p] + group * square, right[1][p] + group * square);
    for (std::int64_t i = 0; i < rounded_up(tile.rows, rows); ++i)
      unpack(square_at(tile.lhs, at, i / square) + i % square * square, left[i][0], left[i][1]);
    for (int row = 0; row < tile.rows; row += rows) {
      Floats sum[chains][rows][column_groups]{};
      for (int p = 0; p < square; ++p)
#pragma clang loop unroll(full)
        for (int chain = 0; chain < chains; ++chain)
#pragma clang loop unroll(full)
          for (int i = 0; i < rows; ++i) {
            Floats of_lhs;
            simd::broadcast<square>(of_lhs, left[row + i][chain][p]);
#pragma clang loop unroll(full)
            for (int group = 0; group < column_groups; ++group) {
              Floats of_rhs;
              simd::load<square>(of_rhs, right[chain][p] + group * square);
              multiply_add<square, true>(sum[chain][i][group], of_lhs, of_rhs);
            }
          }
#pragma clang loop unroll(full)
      for (int i = 0; i < rows; ++i)
#pragma clang loop unroll(full)
        for (int group = 0; group < column_groups; ++group) {
          float* const to = out + (row + i) * out_row + group * square;
          Floats total{};
          if (continues) simd::load<square>(total, to);
          simd::store<square>(to, total += sum[0][i][group] + sum[1][i][group]);
        }
    }
  }
}

// ---- the output so far ----

/// Sixteen columns of a row; zeros beyond the tile.
OCTET_MATRIX_PIECE Floats sums_at(const Tile& tile, std::int64_t i, std::int64_t group) {
  const std::int64_t count = i < tile.rows ? tile.columns - group * square : 0;
  const float* const from = tile.out + i * tile.out_row + group * square * tile.out_column;
  if (tile.out_column == 1) return __builtin_ia32_loadups512_mask(from, Floats{}, lowest(count));
  alignas(64) float columns[square]{};
  for (std::int64_t j = 0; j < std::min<std::int64_t>(count, square); ++j) columns[j] = from[j * tile.out_column];
  Floats sums;
  simd::load<square>(sums, columns);
  return sums;
}

OCTET_MATRIX_PIECE int exponent_of_largest(const Pairs& twice) {
  return static_cast<int>(__builtin_reduce_max(twice) >> 24) - 127;
}

OCTET_MATRIX_PIECE Magnitudes magnitudes_of_sums(const Tile& tile) {
  Smallest smallest;
  Pairs largest{};
  for (std::int64_t i = 0; i < tile.rows; ++i)
    for (std::int64_t group = 0; group * square < tile.columns; ++group) {
      const Floats sums = sums_at(tile, i, group);
      smallest.see(sums);
      largest = __builtin_elementwise_max(largest, reinterpret_cast<Pairs>(sums) << 1);
    }
  return {.smallest = smallest.exponent(), .largest = exponent_of_largest(largest)};
}

constexpr std::int64_t buffer_row = groups * square;

/// From the output, or zeros, to a buffer of whole squares, times `factor`; and from there to the output.
OCTET_MATRIX_PIECE void fill_buffer(const Tile& tile, float* buffer, float factor) {
  for (std::int64_t i = 0; i < rounded_up(tile.rows, square); ++i)
    for (std::int64_t group = 0; group * square < tile.columns; ++group) {
      const Floats sums = sums_at(tile, i, group);
      simd::store<square>(buffer + i * buffer_row + group * square, factor == 1 ? sums : sums * factor);
    }
}
OCTET_MATRIX_PIECE void empty_buffer(const Tile& tile, const float* buffer, float factor) {
  for (std::int64_t group = 0; group * square < tile.columns; ++group) {
    const std::int64_t count = std::min<std::int64_t>(tile.columns - group * square, square);
    const Mask mask = lowest(count);
    float* to = tile.out + group * square * tile.out_column;
    for (std::int64_t i = 0; i < tile.rows; ++i, to += tile.out_row) {
      const float* const from = buffer + i * buffer_row + group * square;
      if (tile.out_column == 1) {
        Floats sums;
        simd::load<square>(sums, from);
        __builtin_ia32_storeups512_mask(to, factor == 1 ? sums : sums * factor, mask);
      } else {
        for (std::int64_t j = 0; j < count; ++j) to[j * tile.out_column] = factor == 1 ? from[j] : from[j] * factor;
      }
    }
  }
}

// ---- small numbers ----

/// Each vector of a panel of so many lanes.
template <class Function>
OCTET_MATRIX_PIECE void for_vectors(float* panel, std::int64_t lanes, std::int64_t depth, Function&& function) {
  for (std::int64_t at = 0; at < blocks_of(depth); ++at)
    for (std::int64_t group = 0; group * square < lanes; ++group)
      for (std::int64_t i = 0; i < square; ++i) function(square_at(panel, at, group) + i * square);
}

/// The exponent of the largest number of a panel, found when it is first asked for; more than that of any number, where
/// there is infinity or NaN.
OCTET_MATRIX_PIECE int largest_of(Magnitudes& known, float* panel, std::int64_t lanes, std::int64_t depth) {
  if (known.largest == Magnitudes::unknown) {
    Pairs largest{};
    for_vectors(panel, lanes, depth,
                [&](const std::uint32_t* at) __attribute__((always_inline, target(OCTET_MATRIX_FEATURES))) {
                  Pairs pairs;
                  __builtin_memcpy(&pairs, at, sizeof pairs);
                  largest =
                      __builtin_elementwise_max(largest, __builtin_elementwise_max(pairs << 17, (pairs >> 16) << 17));
                });
    known.largest = exponent_of_largest(largest);
  }
  return known.largest;
}

/// What multiplies a tile: the matrix unit, the same with all numbers of lhs raised, or vectors.
enum class Way : std::uint8_t { plain, raised, by_vectors };

OCTET_MATRIX_PIECE Way way_of(const Tile& tile) {
  Magnitudes &lhs = *tile.of_lhs, &rhs = *tile.of_rhs;
  const Magnitudes sums = magnitudes_of_sums(tile.continues ? tile : Tile{});
  constexpr int least_sums = -126 + 24;  // no bit of which is below 2^-126
  if (lhs.smallest + rhs.smallest >= least_exponents && sums.smallest >= least_sums) return Way::plain;
  // What is denormal of lhs is not when raised; its last places lie as those of the least normal numbers do.
  if (std::max(lhs.smallest, -126) + rhs.smallest < least_raised_exponents) return Way::by_vectors;
  constexpr int most = 100;  // that can be raised; and a tenth bit more for sums of block_depth products
  const int left = largest_of(lhs, const_cast<float*>(tile.lhs), tile.rows, tile.depth);
  const int right = largest_of(rhs, tile.rhs, tile.columns, tile.depth);
  return std::max({left, left + right + 10, sums.largest}) <= most ? Way::raised : Way::by_vectors;
}

/// Multiplies the tile's panel of lhs by a power of two, which is exact, to have it raised or not.
OCTET_MATRIX_PIECE void raise_panel(const Tile& tile, bool raised) {
  if (tile.of_lhs->raised == raised) return;
  const float factor = raised ? raising : lowering;
  for_vectors(const_cast<float*>(tile.lhs), tile.rows, tile.depth,
              [&](std::uint32_t* at) __attribute__((always_inline, target(OCTET_MATRIX_FEATURES))) {
                Floats numbers[2];
                unpack(at, reinterpret_cast<float*>(&numbers[0]), reinterpret_cast<float*>(&numbers[1]));
                const Pairs pairs =
                    reinterpret_cast<Pairs>(numbers[0] * factor) >> 16 | reinterpret_cast<Pairs>(numbers[1] * factor);
                __builtin_memcpy(at, &pairs, sizeof pairs);
              });
  tile.of_lhs->raised = raised;
}

// ---- a tile ----

/// Rows or columns that are no whole squares, or columns not side by side, go through a buffer; and raised sums.
template <Way way>
OCTET_MATRIX_PIECE void multiply_tile(const Tile& tile) {
  constexpr bool raised = way == Way::raised;
  const bool direct = !raised && tile.rows % square == 0 && tile.columns % square == 0 && tile.out_column == 1;
  alignas(64) float buffer[groups * square * buffer_row];
  float* const out = direct ? tile.out : buffer;
  const std::int64_t out_row = direct ? tile.out_row : buffer_row;
  if (!direct && tile.continues) fill_buffer(tile, buffer, raised ? raising : 1);
  if constexpr (way == Way::by_vectors) {
    if (tile.columns > square)
      multiply_by_vectors<2>(tile, out, out_row, tile.continues);
    else
      multiply_by_vectors<1>(tile, out, out_row, tile.continues);
  } else if (tile.rows > square) {
    multiply_squares<2>(tile, out, out_row, tile.continues);
  } else {
    multiply_squares<1>(tile, out, out_row, tile.continues);
  }
  if (!direct) empty_buffer(tile, buffer, raised ? lowering : 1);
}

[[gnu::noinline]] OCTET_MATRIX_TARGET void multiply_small(const Tile& tile) {
  const Way way = way_of(tile);
  raise_panel(tile, way == Way::raised);
  if (way == Way::plain) return multiply_tile<Way::plain>(tile);
  if (way == Way::raised) return multiply_tile<Way::raised>(tile);
  multiply_tile<Way::by_vectors>(tile);
}

OCTET_MATRIX_TARGET void multiply_pairs(const Tile& tile) {
  if (tile.may_be_denormal || tile.of_lhs->raised) return multiply_small(tile);
  multiply_tile<Way::plain>(tile);
}

}  // namespace

OCTET_MATRIX_TARGET void begin_squares() {
  struct {
    std::uint8_t palette = 1, start_row = 0, reserved[14]{};
    std::uint16_t row_bytes[16]{};
    std::uint8_t rows[16]{};
  } shapes;
  for (int i = 0; i < 8; ++i) shapes.row_bytes[i] = 64, shapes.rows[i] = square;
  __builtin_ia32_tile_loadconfig(&shapes);
}
OCTET_MATRIX_TARGET void end_squares() { __builtin_ia32_tilerelease(); }

namespace {
constexpr Multiply* multiply_any = multiply_pairs;
constexpr TileKernel squares{.width = square,
                             .rows = groups * square,
                             .vectors = groups,
                             .row_unit = square,
                             .lhs_unit = square,
                             .depth_unit = block,
                             .pads_depth = true,
                             .block_rows = 256,
                             .form = PanelForm::squares,
                             .pack = pack_pairs_for_squares,
                             .tiles = &multiply_any,
                             .begin = begin_squares,
                             .end = end_squares};

}  // namespace

const TileKernel& matrix_unit_kernel() { return squares; }
#endif

}  // namespace octet
