/// Packing and multiplying for a processor's matrix unit: Intel's AMX, which multiplies and adds 16 x 16 x 32 numbers
/// of bf16 in one instruction.
///
/// That instruction adds the products of the even and those of the odd places of 32 in two chains, then the two, then
/// that to the sum: the order of octet.compile:gemm, where packing puts numbers p and p + 16 side by side. Where sums
/// may become denormal, vectors multiply what lies so, in the same order.
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
#include "pairs_target.hpp"

#if defined(__x86_64__)
#define OCTET_MATRIX_FEATURES OCTET_PAIRS_FEATURES ",amx-tile,amx-bf16"
#define OCTET_MATRIX_TARGET [[gnu::target(OCTET_MATRIX_FEATURES)]]
#define OCTET_MATRIX_PIECE [[gnu::always_inline, gnu::target(OCTET_MATRIX_FEATURES)]] inline
#endif

namespace octet {

#if defined(__x86_64__)
namespace {

using namespace pairs;

constexpr int square = 16;            ///< rows of a tile register, and pairs in each
constexpr int block = 2 * dot_chain;  ///< values of the contracted index that one instruction adds up
constexpr std::int64_t square_pairs = square * square;
constexpr int groups = 2;  ///< squares side by side in a panel

/// [depth / 32][group][16][16] pairs: of lhs [lane][p], of rhs [p][lane].
std::uint32_t* square_at(float* panel, std::int64_t at, std::int64_t group) {
  return reinterpret_cast<std::uint32_t*>(panel) + (at * groups + group) * square_pairs;
}
const std::uint32_t* square_at(const float* panel, std::int64_t at, std::int64_t group) {
  return reinterpret_cast<const std::uint32_t*>(panel) + (at * groups + group) * square_pairs;
}
constexpr std::int64_t blocks_of(std::int64_t padded_depth) { return padded_depth / block; }

// ---- packing ----

/// Sixteen numbers at each of two places, as pairs; beyond the counts zeros, and nothing is read.
template <bool with_denormals, class Number>
OCTET_MATRIX_PIECE Pairs read_pairs(const Number* low, std::int64_t low_count, const Number* high,
                                    std::int64_t high_count, Smallest& smallest) {
  const Words both = read_words<with_denormals>(low, lowest(low_count), high, lowest(high_count), smallest);
  return reinterpret_cast<Pairs>(__builtin_shufflevector(both, both, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7,
                                                         23, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15,
                                                         31));
}

/// One square of an operand: `lanes` of 16 from `from` on, `depth` of 32. `by_lane` tells how it is to lie.
template <bool with_denormals, class Number>
OCTET_MATRIX_PIECE void pack_square(const Panels& panels, const Number* from, std::int64_t lanes, std::int64_t depth,
                                    bool by_lane, std::uint32_t* to, Smallest& smallest) {
  Floats rows[square];  // of pairs
  const bool along_depth = panels.depth_stride == 1 || panels.lane_stride != 1;
  if (panels.depth_stride == 1) {
#pragma clang loop unroll(full)
    for (int lane = 0; lane < square; ++lane) {
      const Number* const row = from + lane * panels.lane_stride;
      rows[lane] = reinterpret_cast<Floats>(read_pairs<with_denormals>(row, lane < lanes ? depth : 0, row + dot_chain,
                                                                       lane < lanes ? depth - dot_chain : 0, smallest));
    }
  } else if (panels.lane_stride == 1) {
#pragma clang loop unroll(full)
    for (int p = 0; p < square; ++p) {
      const Number* const row = from + p * panels.depth_stride;
      rows[p] = reinterpret_cast<Floats>(read_pairs<with_denormals>(row, p < depth ? lanes : 0,
                                                                    row + dot_chain * panels.depth_stride,
                                                                    p + dot_chain < depth ? lanes : 0, smallest));
    }
  } else {
    for (int lane = 0; lane < square; ++lane) {
      Number numbers[block]{};
      if (lane < lanes)
        for (std::int64_t p = 0; p < std::min<std::int64_t>(depth, block); ++p)
          numbers[p] = from[lane * panels.lane_stride + p * panels.depth_stride];
      rows[lane] = reinterpret_cast<Floats>(
          read_pairs<with_denormals>(numbers, dot_chain, numbers + dot_chain, dot_chain, smallest));
    }
  }
  if (along_depth != by_lane) simd::transpose<square>(rows);
#pragma clang loop unroll(full)
  for (int i = 0; i < square; ++i) __builtin_memcpy(to + i * square, &rows[i], sizeof rows[i]);
}

template <bool with_denormals, class Number>
OCTET_MATRIX_PIECE int pack_panels(const Panels& panels) {
  Smallest smallest;
  for (std::int64_t c = 0; c < panels.lanes.parts; ++c) {
    const std::int64_t begin = panels.lanes.begin(c), lanes = panels.lanes.begin(c + 1) - begin;
    const Number* const source = static_cast<const Number*>(panels.source) + begin * panels.lane_stride;
    float* const target = panels.target + c * panels.panel_pitch;
    for (std::int64_t at = 0; at < blocks_of(panels.padded_depth); ++at)
      for (std::int64_t group = 0; group * square < lanes; ++group)
        pack_square<with_denormals>(panels,
                                    source + group * square * panels.lane_stride + at * block * panels.depth_stride,
                                    lanes - group * square, panels.depth - at * block,
                                    panels.order == PanelOrder::by_lane, square_at(target, at, group), smallest);
  }
  return smallest.exponent();
}

OCTET_MATRIX_TARGET void pack_pairs(const Panels& panels) {
  if (panels.numbers == OperandNumbers::bf16) {
    *panels.exponent = pack_panels<false, bfloat16>(panels);
    return;
  }
  *panels.exponent = pack_panels<false, float>(panels);
  if (*panels.exponent == of_denormals) pack_panels<true, float>(panels);
}

// ---- multiplying ----

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

/// The same by vectors, which keep denormal numbers.
OCTET_MATRIX_PIECE void multiply_by_vectors(const Tile& tile, float* out, std::int64_t out_row, bool continues) {
  for (std::int64_t i = 0; i < tile.rows; ++i)
    for (std::int64_t group = 0; group * square < tile.columns; ++group) {
      float* const to = out + i * out_row + group * square;
      Floats total{};
      if (continues) simd::load<square>(total, to);
      for (std::int64_t at = 0; at < blocks_of(tile.depth); ++at) {
        const std::uint32_t* const left = square_at(tile.lhs, at, i / square) + i % square * square;
        const std::uint32_t* const right = square_at(tile.rhs, at, group);
        Floats low{}, high{};
        for (int p = 0; p < square; ++p) {
          Pairs pairs;
          __builtin_memcpy(&pairs, right + p * square, sizeof pairs);
          Floats left_low, left_high;
          simd::broadcast<square>(left_low, std::bit_cast<float>(left[p] << 16));
          simd::broadcast<square>(left_high, std::bit_cast<float>(left[p] & 0xffff'0000u));
          multiply_add<square, true>(low, left_low, reinterpret_cast<Floats>(pairs << 16));
          multiply_add<square, true>(high, left_high, reinterpret_cast<Floats>(pairs & 0xffff'0000u));
        }
        total += low + high;
      }
      simd::store<square>(to, total);
    }
}

/// Rows or columns that are no whole squares, or columns not side by side, go through a buffer.
OCTET_MATRIX_TARGET void multiply_pairs(const Tile& tile) {
  const bool direct = tile.rows % square == 0 && tile.columns % square == 0 && tile.out_column == 1;
  alignas(64) float buffer[groups * square * groups * square];
  constexpr std::int64_t buffer_row = groups * square;
  float* const out = direct ? tile.out : buffer;
  const std::int64_t out_row = direct ? tile.out_row : buffer_row;
  if (!direct && tile.continues) {
    for (float& number : buffer) number = 0;
    for (int i = 0; i < tile.rows; ++i)
      for (int j = 0; j < tile.columns; ++j)
        buffer[i * buffer_row + j] = tile.out[i * tile.out_row + j * tile.out_column];
  }
  if (tile.may_be_denormal)
    multiply_by_vectors(tile, out, out_row, tile.continues);
  else if (tile.rows > square && tile.columns > square)
    multiply_squares<2, 2>(tile, out, out_row, tile.continues);
  else if (tile.rows > square)
    multiply_squares<2, 1>(tile, out, out_row, tile.continues);
  else if (tile.columns > square)
    multiply_squares<1, 2>(tile, out, out_row, tile.continues);
  else
    multiply_squares<1, 1>(tile, out, out_row, tile.continues);
  if (!direct)
    for (int i = 0; i < tile.rows; ++i)
      for (int j = 0; j < tile.columns; ++j)
        tile.out[i * tile.out_row + j * tile.out_column] = buffer[i * buffer_row + j];
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
                             .pack = pack_pairs,
                             .tiles = &multiply_any,
                             .begin = begin_squares,
                             .end = end_squares};

}  // namespace

const TileKernel& matrix_unit_kernel() { return squares; }
#endif

}  // namespace octet
