/// The steps of a tile: the numbers of lhs and the vectors of rhs from one value of the contracted index to the next,
/// and what is multiplied and added with them. Included behind the imports.
#pragma once

#include "multiply_add.hpp"
#include "pairs_target.hpp"

namespace octet {
namespace {

using simd::Bits;
using simd::Vector;

/// What one step of a tile adds to each of its sums: a product, rounded before it is added or not; or the two products
/// of a pair, by one instruction, or, where denormal numbers are to be kept, by two fused multiply-adds.
enum class Step : std::uint8_t { separate, fused, pair, pair_by_numbers };
constexpr bool of_pairs(Step step) { return step >= Step::pair; }
constexpr std::int64_t numbers_of(Step step) { return of_pairs(step) ? 2 : 1; }

/// With AVX2 a step is so short, twelve multiply-adds, that what is done beside them is felt: tiles of f32 do not
/// ask for lhs as they go, but for the next tile's as they end, and take a few steps of one that lies by lane in a
/// turn.
template <int width>
inline constexpr bool short_steps = simd::can_prefetch && width == 8;

/// Steps ahead of which operands that are not packed are brought to the nearest cache.
constexpr std::int64_t lhs_ahead = 16, rhs_ahead = 8;

/// The numbers of lhs that a tile multiplies by, from one value of p to the next. The strides of a packed panel are
/// written into addresses. Others are registers, of which an address multiplies one by 1, 2, 4 or 8: so every fifth
/// lane has a pointer of its own.
template <int rows, PanelOrder order, std::int64_t packed_lanes, std::int64_t packed_pitch = lane_pitch>
class LhsWalk {
 public:
  OCTET_KERNEL_PIECE explicit LhsWalk(const Tile& tile) : stride_{tile.lhs_stride} {
#pragma clang loop unroll(full)
    for (int g = 0; g < groups; ++g) at_[g] = tile.lhs + g * together * lane();
  }
  /// Of lane i, `ahead` values of p further on.
  OCTET_KERNEL_PIECE float at(int i, int ahead = 0) const {
    return at_[i / together][i % together * lane() + ahead * step()];
  }
  OCTET_KERNEL_PIECE void next(int steps = 1) {
#pragma clang loop unroll(full)
    for (int g = 0; g < groups; ++g) {
      at_[g] += steps * step();
      if constexpr (groups > 1) __asm__("" : "+r"(at_[g]));  // or there will be a pointer for each lane
    }
  }
  /// Asks for what `ahead` steps will read: by lane the line in which each lane goes on, by depth those of that step.
  OCTET_KERNEL_PIECE void fetch(std::int64_t ahead) const {
#pragma clang loop unroll(full)
    for (int i = 0; i < (by_lane ? rows : 1); ++i)
      __builtin_prefetch(at_[i / together] + i % together * lane() + ahead * step());
    if constexpr (!by_lane && rows > 1) __builtin_prefetch(at_[0] + rows - 1 + ahead * step());
  }
  /// Asks for what the next tile will read first: by lane a line of each lane, by depth, where it is packed, as many.
  OCTET_KERNEL_PIECE void fetch_next(const Tile& tile) const {
    const float* const next = tile.tiles > 1 ? tile.lhs + tile.lhs_panel : tile.next_lhs;
    if constexpr (by_lane || packed)
#pragma clang loop unroll(full)
      for (int i = 0; i < rows; ++i) __builtin_prefetch(next + i * (by_lane ? lane() : Lines::floats));
  }

 private:
  static constexpr bool by_lane = order == PanelOrder::by_lane, packed = packed_lanes > 0;
  static constexpr int together = packed || !by_lane ? rows : 5;
  static constexpr int groups = (rows + together - 1) / together;
  OCTET_KERNEL_PIECE std::int64_t lane() const { return !by_lane ? 1 : packed ? packed_pitch : stride_; }
  OCTET_KERNEL_PIECE std::int64_t step() const { return by_lane ? 1 : packed ? packed_lanes : stride_; }

  const float* at_[groups];
  std::int64_t stride_;
};

/// The vectors of rhs, from one value of p to the next.
template <int width, int vectors, bool packs>
class RhsWalk {
 public:
  OCTET_KERNEL_PIECE explicit RhsWalk(const Tile& tile)
      : packed_{tile.rhs}, from_{tile.unpacked}, stride_{tile.unpacked_stride} {}
  /// Those `ahead` values of p further on: of the next one alone where they are yet to be packed.
  OCTET_KERNEL_PIECE void load(Vector<width> (&value)[vectors], int ahead = 0) const {
#pragma clang loop unroll(full)
    for (int v = 0; v < vectors; ++v) {
      simd::load<width>(value[v], (packs ? from_ : packed_) + (ahead * vectors + v) * width);
      if constexpr (packs) {
        __builtin_prefetch(from_ + rhs_ahead * stride_ + v * width);
        simd::store<width>(packed_ + v * width, value[v]);
      }
    }
  }
  OCTET_KERNEL_PIECE void next(int steps = 1) {
    packed_ += steps * vectors * width;
    if constexpr (packs) from_ += stride_;
  }
  OCTET_KERNEL_PIECE const float* after(std::int64_t depth) const { return packed_ + depth * vectors * width; }
  OCTET_KERNEL_PIECE bool at(const float* end) const { return packed_ == end; }

 private:
  float* packed_;
  const float* from_;
  std::int64_t stride_;
};

/// sum += left * right of pairs, that of the upper halves first; or, of the first of a chain, that of nothing.
template <int width, Step step, bool begins>
OCTET_KERNEL_PIECE void add_pair(Vector<width>& sum, const Bits<width>& left, const Bits<width>& right) {
  if constexpr (begins) sum = Vector<width>{};
  if constexpr (step == Step::pair) {
    using namespace pairs;  // looked up where it is used: other processors have no such function
    add_both(sum, left, right);
  } else {
    const Bits<width> earlier_left = left & 0xffff'0000u, earlier_right = right & 0xffff'0000u;
    const Bits<width> later_left = left << 16, later_right = right << 16;
    multiply_add<width, true>(sum, reinterpret_cast<const Vector<width>&>(earlier_left),
                              reinterpret_cast<const Vector<width>&>(earlier_right));
    multiply_add<width, true>(sum, reinterpret_cast<const Vector<width>&>(later_left),
                              reinterpret_cast<const Vector<width>&>(later_right));
  }
}

/// sum[i][v] += lhs[i] * rhs[v], or, of the first of a chain, sum[i][v] = lhs[i] * rhs[v], `ahead` values of p further
/// on than the two are.
template <int width, int rows, int vectors, Step step, bool begins, class Lhs, class Rhs>
OCTET_KERNEL_PIECE void multiply_step(Vector<width> (&sum)[rows][vectors], const Lhs& lhs, const Rhs& rhs,
                                      int ahead = 0) {
  Vector<width> right[vectors];
  rhs.load(right, ahead);
#pragma clang loop unroll(full)
  for (int i = 0; i < rows; ++i) {
    if constexpr (of_pairs(step)) {
      const Bits<width> left = std::bit_cast<std::uint32_t>(lhs.at(i, ahead)) - Bits<width>{};
#pragma clang loop unroll(full)
      for (int v = 0; v < vectors; ++v)
        add_pair<width, step, begins>(sum[i][v], left, reinterpret_cast<const Bits<width>&>(right[v]));
    } else {
      Vector<width> left;
      simd::broadcast<width>(left, lhs.at(i, ahead));
#pragma clang loop unroll(full)
      for (int v = 0; v < vectors; ++v)
        if constexpr (begins)
          sum[i][v] = left * right[v];
        else
          multiply_add<width, step == Step::fused>(sum[i][v], left, right[v]);
    }
  }
}

}  // namespace
}  // namespace octet
