/// Packing pairs of bf16 for a matrix unit, into squares of 16 x 16: numbers p and p + 16 are side by side.
module octet.compile;

import octet.base;
import octet.graph;
import octet.standard;
import :cpu;
import :gemm_batch;
import :gemm_pairs;
import :gemm_tile;
import :simd;

#include "squares.hpp"

#if defined(__x86_64__)
namespace octet {
namespace {

using namespace pairs;

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

/// Packs the panels from `first` on and returns the exponent of the smallest number.
template <bool with_denormals, class Number>
OCTET_MATRIX_PIECE int pack_panels(const Panels& panels, std::int64_t first, std::int64_t last) {
  Smallest smallest;
  for (std::int64_t c = first; c < last; ++c) {
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

/// The exponent of the smallest number of a packed panel.
OCTET_MATRIX_PIECE int smallest_of(const float* panel, std::int64_t lanes, std::int64_t depth) {
  Smallest smallest;
  for (std::int64_t at = 0; at < blocks_of(depth); ++at)
    for (std::int64_t group = 0; group * square < lanes; ++group)
      for (std::int64_t i = 0; i < square; ++i) {
        Words words;
        __builtin_memcpy(&words, square_at(panel, at, group) + i * square, sizeof words);
        smallest.see(words);
      }
  return smallest.exponent();
}

}  // namespace

/// Magnitudes are noted panel by panel only where some are small: that costs a second look.
OCTET_MATRIX_TARGET void pack_pairs_for_squares(const Panels& panels) {
  const bool of_f32 = panels.numbers != OperandNumbers::bf16;
  const std::int64_t parts = panels.lanes.parts;
  const int smallest =
      of_f32 ? pack_panels<false, float>(panels, 0, parts) : pack_panels<false, bfloat16>(panels, 0, parts);
  constexpr int small = -80;  // by ordinary numbers, products of larger ones are not
  const bool denormals = of_f32 && smallest == of_denormals;
  const bool look_again = denormals || (parts > 1 && smallest < small);
  for (std::int64_t c = 0; c < parts; ++c)
    panels.magnitudes[c] = {.smallest = denormals    ? pack_panels<true, float>(panels, c, c + 1)
                                        : look_again ? smallest_of(panels.target + c * panels.panel_pitch,
                                                                   panels.lanes.size(c), panels.padded_depth)
                                                     : smallest};
}

}  // namespace octet
#endif
