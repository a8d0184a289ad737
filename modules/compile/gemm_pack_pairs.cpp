/// Packing for AVX-512's products of pairs of bf16. A pair is two numbers that follow each other in a chain; the one
/// that is added first, the earlier one, is in the upper half. A panel by depth has the pairs of two values of p of all
/// lanes, then of the next two; a panel by lane those of one lane, then of the next.
module octet.compile;

import octet.base;
import octet.standard;
import :gemm_batch;
import :gemm_pairs;
import :gemm_tile;
import :simd;

#include "pairs_target.hpp"

#if defined(__x86_64__)
namespace octet {
namespace {

using namespace pairs;

constexpr int width = 16;
constexpr int half = width / 2;  ///< pairs of lhs by depth that lie together: panels have at most as many lanes
constexpr Mask all = 0xffff;

/// Of two rows, the first of which is multiplied first.
OCTET_PAIRS_PIECE Pairs across(const Words& rows) {
  return reinterpret_cast<Pairs>(__builtin_shufflevector(rows, rows, 16, 0, 17, 1, 18, 2, 19, 3, 20, 4, 21, 5, 22, 6,
                                                         23, 7, 24, 8, 25, 9, 26, 10, 27, 11, 28, 12, 29, 13, 30, 14,
                                                         31, 15));
}

OCTET_PAIRS_PIECE void store(std::uint32_t* to, const Pairs& pairs) { __builtin_memcpy(to, &pairs, sizeof pairs); }

/// 32 numbers that lie side by side, of which `count` are there; all of them, if `whole`.
template <bool with_denormals, bool whole, class Number>
OCTET_PAIRS_PIECE Pairs read_along(const Number* from, std::int64_t count, Smallest& smallest) {
  const auto pairs = reinterpret_cast<Pairs>(read_words<with_denormals>(from, whole ? all : lowest(count), from + width,
                                                                        whole ? all : lowest(count - width), smallest));
  return pairs << 16 | pairs >> 16;
}

/// Packs, and notes magnitudes: panel by panel, or those of all where panels are packed side by side.
template <class Number, bool with_denormals>
class Packing {
 public:
  OCTET_PAIRS_PIECE explicit Packing(const Panels& panels) : panels_{panels} {}

  /// Whether there were denormal numbers.
  OCTET_PAIRS_PIECE bool run() {
    if (panels_.order == PanelOrder::by_depth && panels_.lane_stride == 1 && panels_.lane_unit == half) {
      pack_couples();
      return note(0, panels_.lanes.parts);
    }
    bool denormals = false;
    for (std::int64_t c = 0; c < panels_.lanes.parts; ++c) {
      smallest_ = {};
      if (panels_.order == PanelOrder::by_lane)
        pack_lanes(c);
      else if (panels_.lane_stride == 1)
        panels_.lanes.size(c) > width ? pack_rows<2>(c) : pack_rows<1>(c);
      else if (panels_.depth_stride == 1 && panels_.lane_unit == width)
        pack_transposed(c);
      else
        pack_numbers(c);
      denormals |= note(c, c + 1);
    }
    return denormals;
  }

 private:
  OCTET_PAIRS_PIECE bool note(std::int64_t first, std::int64_t last) {
    const int smallest = smallest_.exponent();
    for (std::int64_t c = first; c < last; ++c) panels_.magnitudes[c] = {.smallest = smallest};
    return smallest == of_denormals;
  }
  OCTET_PAIRS_PIECE const Number* source(std::int64_t panel) const {
    return static_cast<const Number*>(panels_.source) + panels_.lanes.begin(panel) * panels_.lane_stride;
  }
  OCTET_PAIRS_PIECE std::uint32_t* target(std::int64_t panel) const {
    return reinterpret_cast<std::uint32_t*>(panels_.target + panel * panels_.panel_pitch);
  }

  /// Values of p side by side, and to stay so.
  OCTET_PAIRS_PIECE void pack_lanes(std::int64_t c) {
    const Number* from = source(c);
    std::uint32_t* to = target(c);
    for (std::int64_t left = panels_.lanes.size(c); left > 0;
         --left, from += panels_.lane_stride, to += pair_lane_pitch) {
      std::int64_t p = 0;
      for (; p + 2 * width <= panels_.depth; p += 2 * width) {
        __builtin_prefetch(from + prefetch_lanes * panels_.lane_stride + p);
        store(to + p / 2, read_along<with_denormals, true>(from + p, 0, smallest_));
      }
      if (p < panels_.depth)
        store(to + p / 2, read_along<with_denormals, false>(from + p, panels_.depth - p, smallest_));
    }
  }

  /// Lanes side by side, in panels of whole vectors.
  template <int vectors>
  OCTET_PAIRS_PIECE void pack_rows(std::int64_t c) {
    const std::int64_t stride = panels_.depth_stride;
    const Number* from = source(c);
    std::uint32_t* to = target(c);
    Mask masks[vectors];
    for (int v = 0; v < vectors; ++v) masks[v] = lowest(panels_.lanes.size(c) - v * width);
    for (std::int64_t left = panels_.depth; left > 0; left -= 2, from += 2 * stride)
#pragma clang loop unroll(full)
      for (int v = 0; v < vectors; ++v, to += width) {
        const Number* const row = from + v * width;
        __builtin_prefetch(row + rows_together * stride);
        __builtin_prefetch(row + (rows_together + 1) * stride);
        store(to, across(read_words<with_denormals>(row, masks[v], row + stride, left > 1 ? masks[v] : Mask{0},
                                                    smallest_)));
      }
  }

  /// Lanes side by side, in panels of half vectors: two panels at a time. Some values of p are taken through all panels
  /// before the next ones, so that the operand is read along its rows.
  OCTET_PAIRS_PIECE void pack_couples() {
    const std::int64_t stride = panels_.depth_stride;
    for (std::int64_t first = 0; first < panels_.depth; first += rows_together) {
      const std::int64_t last = std::min(first + rows_together, panels_.depth);
      for (std::int64_t c = 0; c < panels_.lanes.parts; c += 2) {
        const Number* from = source(c) + first * stride;
        std::uint32_t* to = target(c) + first / 2 * half;
        const bool both = c + 1 < panels_.lanes.parts;
        const std::int64_t second = both ? panels_.lanes.size(c) : 0;  // lane in which the second panel begins
        const Mask mask = lowest(panels_.readable - panels_.lanes.begin(c));
        const Words order = couple_order(static_cast<std::uint16_t>(second));
        for (std::int64_t p = first; p < last; p += 2, from += 2 * stride, to += half) {
          __builtin_prefetch(from + rows_together * stride);
          __builtin_prefetch(from + (rows_together + 1) * stride);
          const Words words =
              read_words<with_denormals>(from, mask, from + stride, p + 1 < panels_.depth ? mask : Mask{0}, smallest_);
          using Given [[gnu::vector_size(64)]] = short;
          const auto pairs = reinterpret_cast<Pairs>(
              __builtin_ia32_permvarhi512(reinterpret_cast<Given>(words), reinterpret_cast<Given>(order)));
          __builtin_memcpy(to, &pairs, half * sizeof(std::uint32_t));
          if (both)
            __builtin_memcpy(to + panels_.panel_pitch, reinterpret_cast<const std::uint32_t*>(&pairs) + half,
                             half * sizeof(std::uint32_t));
        }
      }
    }
  }
  /// Where the words come from of the first 8 lanes' pairs, and of those of 8 lanes from `second` on.
  OCTET_PAIRS_PIECE static Words couple_order(std::uint16_t second) {
    constexpr Words first{16, 0, 17, 1, 18, 2, 19, 3, 20, 4, 21, 5, 22, 6, 23, 7,
                          16, 0, 17, 1, 18, 2, 19, 3, 20, 4, 21, 5, 22, 6, 23, 7};
    constexpr Words later{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                          1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    return first + later * second;
  }

  /// Values of p side by side, to be panels by depth: squares of 16 lanes x 16 pairs are turned over in registers.
  OCTET_PAIRS_PIECE void pack_transposed(std::int64_t c) {
    const std::int64_t count = panels_.lanes.size(c), padded = rounded_up(count, width);
    for (std::int64_t lane = 0; lane < count; lane += width)
      for (std::int64_t p = 0; p < panels_.depth; p += 2 * width) {
        const Number* const from = source(c) + lane * panels_.lane_stride + p;
        std::uint32_t* const to = target(c) + p / 2 * padded + lane;
        if (lane + width <= count && p + 2 * width <= panels_.depth)
          square<true>(from, width, 2 * width, to, padded);
        else
          square<false>(from, count - lane, panels_.depth - p, to, padded);
      }
  }
  template <bool whole>
  OCTET_PAIRS_PIECE void square(const Number* from, std::int64_t lanes, std::int64_t depth, std::uint32_t* to,
                                std::int64_t padded) {
    Floats rows[width];
#pragma clang loop unroll(full)
    for (int i = 0; i < width; ++i) {
      const Number* const row = from + i * panels_.lane_stride;
      __builtin_prefetch(row + 4 * width);
      rows[i] = reinterpret_cast<Floats>(read_along<with_denormals, whole>(row, i < lanes ? depth : 0, smallest_));
    }
    simd::transpose<width>(rows);
#pragma clang loop unroll(full)
    for (int i = 0; i < width; ++i)
      if (whole || 2 * i < depth) store(to + i * padded, reinterpret_cast<Pairs>(rows[i]));
  }

  /// Any strides.
  OCTET_PAIRS_PIECE void pack_numbers(std::int64_t c) {
    const std::int64_t count = panels_.lanes.size(c), unit = panels_.lane_unit;
    std::uint32_t* to = target(c);
    for (std::int64_t p = 0; p < panels_.depth; p += 2)
      for (std::int64_t lane = 0; lane < count; lane += unit, to += unit) {
        Number low[width]{}, high[width]{};
        for (std::int64_t i = 0; i < std::min(unit, count - lane); ++i) {
          const Number* const from = source(c) + (lane + i) * panels_.lane_stride + p * panels_.depth_stride;
          low[i] = from[0];
          if (p + 1 < panels_.depth) high[i] = from[panels_.depth_stride];
        }
        const Pairs pairs = across(read_words<with_denormals>(low, all, high, all, smallest_));
        __builtin_memcpy(to, &pairs, static_cast<std::size_t>(unit) * sizeof(std::uint32_t));
      }
  }

  const Panels& panels_;
  Smallest smallest_;
};

}  // namespace

OCTET_PAIRS_TARGET void pack_pairs_for_vectors(const Panels& panels) {
  if (panels.numbers == OperandNumbers::bf16)
    Packing<bfloat16, false>{panels}.run();
  else if (Packing<float, false>{panels}.run())
    Packing<float, true>{panels}.run();
}

}  // namespace octet
#endif
