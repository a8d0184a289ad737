/// Tiles of bf16, whose products are added in chains: see octet.compile:gemm for the order. Included behind the
/// imports.
#pragma once

#include "tile_steps.hpp"

namespace octet {
namespace {

/// sum[i][v] = the sum of lhs[i] * rhs[v] over the next `depth` values of p, if any.
template <int width, int rows, int vectors, Step step, class Lhs, class Rhs>
OCTET_KERNEL_PIECE void multiply_rest(Vector<width> (&sum)[rows][vectors], Lhs& lhs, Rhs& rhs, std::int64_t depth) {
#pragma clang loop unroll(full)
  for (int i = 0; i < rows * vectors; ++i) sum[i / vectors][i % vectors] = Vector<width>{};
  for (; depth > 0; --depth, lhs.next(), rhs.next()) multiply_step<width, rows, vectors, step, false>(sum, lhs, rhs);
}

/// sum[i][v] += lhs[i] * rhs[v] up to `end`, `turn` values of p written out, and after each what is to be done besides.
template <int turn, int width, int rows, int vectors, Step step, class Lhs, class Rhs, class Besides>
OCTET_KERNEL_PIECE void multiply_until(const float* end, Vector<width> (&sum)[rows][vectors], Lhs& lhs, Rhs& rhs,
                                       Besides&& besides) {
  for (; !rhs.at(end); lhs.next(turn), rhs.next(turn))
#pragma clang loop unroll(full)
    for (int ahead = 0; ahead < turn; ++ahead) {
      multiply_step<width, rows, vectors, step, false>(sum, lhs, rhs, ahead);
      besides(ahead);
    }
}

/// What a tile puts aside, vector by vector: the sums of a block's two chains, and the totals.
template <int width, int rows, int vectors>
class Aside {
 public:
  static constexpr int steps = dot_chain - 1;               // after a chain's first
  static constexpr int turn = 3;                            // steps written out: with five, registers run out
  static constexpr int count = rows * vectors;              // vectors
  static constexpr int adds = (count + steps - 1) / steps;  // vectors added after a step
  static constexpr int row_steps = vectors / adds;          // in which a row of them is
  static constexpr int turns = (count + adds * turn - 1) / (adds * turn);
  static constexpr std::int64_t size = turns * turn * adds * width;  // what is beyond `count` is added in vain
  static_assert(steps % turn == 0 && turns * turn <= steps && row_steps * adds == vectors && rows * row_steps <= steps);

  OCTET_KERNEL_PIECE Aside() : first{room_} {
    __asm__("" : "+r"(first));  // hides that this is the room: one register points to it
    if constexpr (size > count * width)
#pragma clang loop unroll(full)
      for (float* const each : {first, second(), total()})
#pragma clang loop unroll(full)
        for (std::int64_t at = count * width; at < size; at += width) simd::store<width>(each + at, Vector<width>{});
  }
  OCTET_KERNEL_PIECE float* second() const { return first + size; }
  OCTET_KERNEL_PIECE float* total() const { return first + 2 * size; }
  OCTET_KERNEL_PIECE static void put(float* to, const Vector<width> (&sum)[rows][vectors]) {
#pragma clang loop unroll(full)
    for (int i = 0; i < count; ++i) simd::store<width>(to + i * width, sum[i / vectors][i % vectors]);
  }
  /// The total with a block, of the vector whose first sum is `at`.
  OCTET_KERNEL_PIECE static void add(Vector<width>& whole, const float* at) {
    Vector<width> both, other;
    simd::load<width>(both, at);
    simd::load<width>(other, at + size);
    simd::load<width>(whole, at + 2 * size);
    whole += both += other;
  }
  /// Adds a block to the total.
  OCTET_KERNEL_PIECE static void add(float* at) {
    Vector<width> whole;
    add(whole, at);
    simd::store<width>(at + 2 * size, whole);
  }

  float* first;

 private:
  alignas(64) float room_[3 * size];
};

/// Tiles of bf16: the products are added in chains, one after the other. A whole chain begins with a product instead
/// of a sum of nothing: a zero would take one of the tile's registers. Its sum may be -0 then, which is all the same:
/// the total begins with +0, which makes +0 of it.
///
/// Adding the sums of two chains to each other and to the total as a block ends would keep the products of the next
/// block waiting behind these additions. So a chain's sums are put aside, and those of a block are added while the next
/// block's first chain is multiplied, a vector or two after each step, to a total that lies beside them. So are those
/// of a tile's last block, while the next tile's first chain is multiplied: row by row the totals go to the output, and
/// those of the next tile come in their places.
template <int width, int rows, int vectors, Step step, PanelOrder lhs_order, int lhs_unit>
OCTET_KERNEL_PIECE void multiply_chain_by_chain(Tile& tile) {
  using Lhs = LhsWalk<rows, lhs_order, rounded_up(rows, lhs_unit)>;
  using Rhs = RhsWalk<width, vectors, false>;
  using Sums = Aside<width, rows, vectors>;
  constexpr int turn = Sums::turn, adds = Sums::adds, row_steps = Sums::row_steps;
  constexpr int block = 2 * dot_chain;
  static_assert(!of_pairs(step));

  alignas(64) static constexpr float nothing[vectors * width]{};
  const std::int64_t before_row = tile.continues ? tile.out_row : 0;
  const Sums aside;
#pragma clang loop unroll(full)
  for (int i = 0; i < rows; ++i)
#pragma clang loop unroll(full)
    for (int v = 0; v < vectors; ++v) {
      Vector<width> before;
      simd::load<width>(before, (tile.continues ? tile.out : nothing) + i * before_row + v * width);
      simd::store<width>(aside.total() + (i * vectors + v) * width, before);
    }

  Lhs lhs{tile};
  Rhs rhs{tile};
  Vector<width> sum[rows][vectors];
  const auto multiply_chain = [&](auto&& besides) __attribute__((always_inline)) {
    const float* const end = rhs.after(dot_chain);
    multiply_step<width, rows, vectors, step, true>(sum, lhs, rhs);
    lhs.next(), rhs.next();
    besides();
    multiply_until<turn, width, rows, vectors, step>(end, sum, lhs, rhs, [](int) {});
  };
  float* behind = nullptr;  // the output of the tile before
  for (;; lhs = Lhs{tile}, rhs = Rhs{tile}) {
    std::int64_t next_row = 0;
    for (std::int64_t left = tile.depth; left > 0; left -= block) {
      fetch_beside<vectors, width>(tile, next_row);
      if (left <= block) lhs.fetch_next(tile);
      const bool begins = left == tile.depth;
      float* at = aside.first;
      const float* before = tile.continues ? tile.out : nothing;
      const auto hand_over = [&](int v) __attribute__((always_inline)) {
        Vector<width> whole, next;
        Sums::add(whole, at + v * width);
        simd::load<width>(next, before + v * width);
        simd::store<width>(behind + v * width, whole);
        simd::store<width>(at + 2 * Sums::size + v * width, next);
        if (v == vectors - 1) at += vectors * width, behind += tile.out_row, before += before_row;
      };
      if (left >= dot_chain) {
        multiply_chain([&]() __attribute__((always_inline)) {
          if (!begins) {
            multiply_until<turn, width, rows, vectors, step>(rhs.after(Sums::turns * turn), sum, lhs, rhs,
                                                             [&](int ahead) __attribute__((always_inline)) {
#pragma clang loop unroll(full)
                                                               for (int i = 0; i < adds; ++i)
                                                                 Sums::add(at + (ahead * adds + i) * width);
                                                               if (ahead == turn - 1) at += turn * adds * width;
                                                             });
          } else if (behind) {
            multiply_until<row_steps, width, rows, vectors, step>(rhs.after(rows * row_steps), sum, lhs, rhs,
                                                                  [&](int ahead) __attribute__((always_inline)) {
#pragma clang loop unroll(full)
                                                                    for (int i = 0; i < adds; ++i)
                                                                      hand_over(ahead * adds + i);
                                                                  });
            constexpr int rest = (Sums::steps - rows * row_steps) % turn;
            multiply_until<1, width, rows, vectors, step>(rhs.after(rest), sum, lhs, rhs, [](int) {});
          }
        });
      } else {
        if (!begins)
          for (; at != aside.second(); at += width) Sums::add(at);
        else if (behind)
          for (int i = 0; i < rows; ++i)
#pragma clang loop unroll(full)
            for (int v = 0; v < vectors; ++v) hand_over(v);
        multiply_rest<width, rows, vectors, step>(sum, lhs, rhs, left);
      }
      Sums::put(aside.first, sum);
      if (left >= block)
        multiply_chain([] {});
      else
        multiply_rest<width, rows, vectors, step>(sum, lhs, rhs, left - dot_chain);
      if (left > block || tile.tiles > 1) Sums::put(aside.second(), sum);
    }
    behind = tile.out;
    if (!tile.next()) break;
  }
#pragma clang loop unroll(full)
  for (int i = 0; i < rows; ++i)
#pragma clang loop unroll(full)
    for (int v = 0; v < vectors; ++v) {
      const float* const at = aside.first + (i * vectors + v) * width;
      Vector<width> other, before, &out = sum[i][v];
      simd::load<width>(other, at);
      simd::load<width>(before, at + 2 * Sums::size);
      out += other;
      simd::store<width>(tile.out + i * tile.out_row + v * width, out += before);
    }
}

/// The same with both chains of a block side by side (`chains` is 2), or, in WebAssembly, one after the other, the sums
/// of the first being put aside meanwhile: spread among the steps, as above, additions gain nothing there (tried
/// without relaxed SIMD), and make the program larger. There the sums of the last row, whose products come first, are
/// added first: by trial, tiles take a thirtieth less time than in the order of the rows. The total is kept in the
/// output, but beside it meanwhile where the output's rows lie whole pages apart, and in WebAssembly: there each
/// address in the output takes instructions.
template <int width, int rows, int vectors, Step step, int chains, PanelOrder lhs_order, int lhs_unit>
OCTET_KERNEL_PIECE void multiply_chains(const Tile& tile) {
  constexpr std::int64_t row_size = vectors * width;
  constexpr int chain = dot_chain / numbers_of(step);  // in steps, as the depth is
  const std::int64_t depth = (tile.depth + numbers_of(step) - 1) / numbers_of(step);
  alignas(64) static constexpr float nothing[rows * row_size]{};
  alignas(64) float room[2 * rows * row_size];
  float *aside = room, *beside = room + rows * row_size;
  // Hides that these are `room`, which the compiler would otherwise keep in variables: in WebAssembly, where these
  // become registers, V8 moves all of them around the loop with each chain.
  __asm__("" : "+r"(aside), "+r"(beside));
  constexpr bool always_beside = !simd::can_prefetch;
  const bool is_beside = always_beside || tile.out_row % page_floats == 0;
  float* const total = is_beside ? beside : tile.out;
  const std::int64_t total_row = is_beside ? row_size : tile.out_row;
  const auto copy = [](float* to, std::int64_t to_row, const float* from, std::int64_t from_row)
                        __attribute__((always_inline)) {
#pragma clang loop unroll(full)
                          for (int i = 0; i < rows; ++i)
#pragma clang loop unroll(full)
                            for (int v = 0; v < vectors; ++v) {
                              Vector<width> sums;
                              simd::load<width>(sums, from + i * from_row + v * width);
                              simd::store<width>(to + i * to_row + v * width, sums);
                            }
                        };
  LhsWalk<rows, lhs_order, rounded_up(rows, lhs_unit), of_pairs(step) ? pair_lane_pitch : lane_pitch> lhs{tile};
  RhsWalk<width, vectors, false> rhs{tile};
  std::int64_t next_row = 0;
  const float* from = tile.continues ? tile.out : nothing;
  std::int64_t from_row = tile.continues ? tile.out_row : 0;
  if constexpr (always_beside) {
    if (tile.continues) {  // else the first block writes the total: there is one, as no depth is 0 here
      copy(total, row_size, from, from_row);
      from = total;
    }
    from_row = row_size;
  }
  for (std::int64_t p = 0; p < depth; p += chains * chain) {
    const bool begins_block = chains == 2 || p % (2 * chain) == 0;
    const std::int64_t left = depth - p;
    if constexpr (always_beside) __asm__ volatile("" ::: "memory");  // the total is not kept in variables either
    if constexpr (simd::can_prefetch) fetch_beside<vectors, width>(tile, next_row);
    Vector<width> sum[chains][rows][vectors];
    if (chains == 1 || left >= 2 * chain) {
      const float* end = rhs.after(chains == 1 ? std::min<std::int64_t>(left, chain) : chain);
#pragma clang loop unroll(full)
      for (int c = 0; c < chains; ++c) multiply_step<width, rows, vectors, step, true>(sum[c], lhs, rhs, c * chain);
      lhs.next(), rhs.next();
#if defined(__wasm__)
      __asm__("" : "+r"(end));  // of a loop known to be short, the compiler makes one that V8 does not unroll
#endif
      for (; !rhs.at(end); lhs.next(), rhs.next())
#pragma clang loop unroll(full)
        for (int c = 0; c < chains; ++c) multiply_step<width, rows, vectors, step, false>(sum[c], lhs, rhs, c * chain);
      lhs.next((chains - 1) * chain), rhs.next((chains - 1) * chain);
    } else {
      multiply_rest<width, rows, vectors, step>(sum[0], lhs, rhs, std::min<std::int64_t>(left, chain));
      multiply_rest<width, rows, vectors, step>(sum[chains - 1], lhs, rhs, left - chain);
    }

    if (chains == 1 && begins_block) {
#pragma clang loop unroll(full)
      for (int i = 0; i < rows * vectors; ++i) simd::store<width>(aside + i * width, sum[0][i / vectors][i % vectors]);
      if (left > chain) continue;
    }
    const float* const first = begins_block ? nothing : aside;
    const bool last = !always_beside && p + chains * chain >= depth;
    float* const to = last ? tile.out : total;
    const std::int64_t to_row = last ? tile.out_row : total_row;
#pragma clang loop unroll(full)
    for (int at = 0; at < rows; ++at)
#pragma clang loop unroll(full)
      for (int v = 0; v < vectors; ++v) {
        const int i = always_beside ? rows - 1 - at : at;
        Vector<width> other = sum[chains - 1][i][v], before;
        if constexpr (chains == 1) simd::load<width>(other, first + i * row_size + v * width);
        simd::load<width>(before, from + i * from_row + v * width);
        sum[0][i][v] += other;
        simd::store<width>(to + i * to_row + v * width, sum[0][i][v] += before);
      }
    from = total;
    from_row = total_row;
  }
  if constexpr (always_beside) copy(tile.out, tile.out_row, total, row_size);
}

}  // namespace
}  // namespace octet
