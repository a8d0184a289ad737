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

/// A tile of bf16: the products are added in chains, one after the other. A whole chain begins with a product instead
/// of a sum of nothing: a zero would take one of the tile's registers. Its sum may be -0 then, which is all the same:
/// the total begins with +0, which makes +0 of it.
///
/// Adding the sums of two chains to each other and to the total as a block ends would keep the products of the next
/// block waiting behind these additions. So a chain's sums are put aside, and those of a block are added while the next
/// block's first chain is multiplied, a vector or two after each step, to a total that lies beside them.
template <int width, int rows, int vectors, Step step, PanelOrder lhs_order, int lhs_unit>
OCTET_KERNEL_PIECE void multiply_chain_by_chain(const Tile& tile) {
  constexpr int count = rows * vectors, steps = dot_chain - 1;  // vectors of sums; steps after a chain's first
  constexpr int turn = 3;                                       // steps written out: with five, registers run out
  constexpr int adds = (count + steps - 1) / steps;             // vectors added after a step
  constexpr int adding_steps = (count + adds * turn - 1) / (adds * turn) * turn;
  constexpr int room_size = adding_steps * adds * width;
  static_assert(!of_pairs(step) && steps % turn == 0 && adding_steps <= steps);
  alignas(64) float room[3 * room_size];
  float* first = room;
  __asm__("" : "+r"(first));  // hides that this is `room`: one register points to it
  float *const second = first + room_size, *const total = second + room_size;
  alignas(64) static constexpr float nothing[vectors * width]{};
  const float* const from = tile.continues ? tile.out : nothing;
  const std::int64_t from_row = tile.continues ? tile.out_row : 0;
#pragma clang loop unroll(full)
  for (int i = 0; i < room_size / width; ++i) {
    Vector<width> before{};
    if (i < count) simd::load<width>(before, from + i / vectors * from_row + i % vectors * width);
    simd::store<width>(total + i * width, before);
    if (i < count) continue;
    simd::store<width>(first + i * width, before);
    simd::store<width>(second + i * width, before);
  }

  LhsWalk<rows, lhs_order, rounded_up(rows, lhs_unit)> lhs{tile};
  RhsWalk<width, vectors, false> rhs{tile};
  std::int64_t next_row = 0;
  Vector<width> sum[rows][vectors];
  const auto begin_chain = [&]() __attribute__((always_inline)) {
    multiply_step<width, rows, vectors, step, true>(sum, lhs, rhs);
    lhs.next(), rhs.next();
  };
  // The steps before `end`, and after each of them what is to be done besides.
  const auto go_on = [&](const float* end, auto&& besides) __attribute__((always_inline)) {
    for (; !rhs.at(end); lhs.next(turn), rhs.next(turn))
#pragma clang loop unroll(full)
      for (int ahead = 0; ahead < turn; ++ahead) {
        multiply_step<width, rows, vectors, step, false>(sum, lhs, rhs, ahead);
        besides(ahead);
      }
  };
  const auto nothing_besides = [](int) __attribute__((always_inline)) {};
  const auto put_aside = [&](float* to) __attribute__((always_inline)) {
#pragma clang loop unroll(full)
    for (int i = 0; i < count; ++i) simd::store<width>(to + i * width, sum[i / vectors][i % vectors]);
  };
  for (std::int64_t p = 0;; p += 2 * dot_chain) {
    const std::int64_t left = tile.depth - p;
    fetch_beside<vectors, width>(tile, next_row);
    if (left <= 2 * dot_chain) lhs.fetch_next(tile);
    float* adding = first;
    const auto add = [&](int i) __attribute__((always_inline)) {
      Vector<width> both, other, before;
      simd::load<width>(both, adding + i * width);
      simd::load<width>(other, adding + room_size + i * width);
      simd::load<width>(before, adding + 2 * room_size + i * width);
      both += other;
      simd::store<width>(adding + 2 * room_size + i * width, before += both);
    };
    if (left >= dot_chain) {
      const float* const end = rhs.after(dot_chain);
      begin_chain();
      if (p > 0)
        go_on(rhs.after(adding_steps), [&](int ahead) __attribute__((always_inline)) {
#pragma clang loop unroll(full)
          for (int i = 0; i < adds; ++i) add(ahead * adds + i);
          if (ahead == turn - 1) adding += turn * adds * width;
        });
      go_on(end, nothing_besides);
    } else {
      for (; p > 0 && adding != second; adding += width) add(0);
      multiply_rest<width, rows, vectors, step>(sum, lhs, rhs, left);
    }
    put_aside(first);
    if (left >= 2 * dot_chain) {
      const float* const end = rhs.after(dot_chain);
      begin_chain();
      go_on(end, nothing_besides);
    } else {
      multiply_rest<width, rows, vectors, step>(sum, lhs, rhs, left - dot_chain);
    }
    if (left <= 2 * dot_chain) break;
    put_aside(second);
  }
#pragma clang loop unroll(full)
  for (int i = 0; i < count; ++i) {
    Vector<width> other, before, &out = sum[i / vectors][i % vectors];
    simd::load<width>(other, first + i * width);
    simd::load<width>(before, total + i * width);
    out += other;
    simd::store<width>(tile.out + i / vectors * tile.out_row + i % vectors * width, out += before);
  }
}

/// The same with both chains of a block side by side (`chains` is 2), or, in WebAssembly, one after the other, the sums
/// of the first being put aside meanwhile: spread among the steps, as above, additions gain nothing there (tried
/// without relaxed SIMD), and make the program larger. The total is kept in the output, but beside it meanwhile where
/// the output's rows lie whole pages apart.
template <int width, int rows, int vectors, Step step, int chains, PanelOrder lhs_order, int lhs_unit>
OCTET_KERNEL_PIECE void multiply_chains(const Tile& tile) {
  constexpr std::int64_t row_size = vectors * width;
  constexpr int chain = dot_chain / numbers_of(step);  // in steps, as the depth is
  const std::int64_t depth = (tile.depth + numbers_of(step) - 1) / numbers_of(step);
  alignas(64) static constexpr float nothing[rows * row_size]{};
  alignas(64) float room[rows * row_size], beside[rows * row_size];
  float* aside = room;
  // Hides that this is `room`, which the compiler would otherwise keep in variables: in WebAssembly, where these become
  // registers, V8 moves all of them around the loop with each chain.
  __asm__("" : "+r"(aside));
  const bool pages_apart = simd::can_prefetch && tile.out_row % page_floats == 0;
  float* const total = pages_apart ? beside : tile.out;
  const std::int64_t total_row = pages_apart ? row_size : tile.out_row;
  LhsWalk<rows, lhs_order, rounded_up(rows, lhs_unit), of_pairs(step) ? pair_lane_pitch : lane_pitch> lhs{tile};
  RhsWalk<width, vectors, false> rhs{tile};
  std::int64_t next_row = 0;
  const float* from = tile.continues ? tile.out : nothing;
  std::int64_t from_row = tile.continues ? tile.out_row : 0;
  for (std::int64_t p = 0; p < depth; p += chains * chain) {
    const bool begins_block = chains == 2 || p % (2 * chain) == 0;
    const std::int64_t left = depth - p;
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
    const bool last = p + chains * chain >= depth;
    float* const to = last ? tile.out : total;
    const std::int64_t to_row = last ? tile.out_row : total_row;
#pragma clang loop unroll(full)
    for (int i = 0; i < rows; ++i)
#pragma clang loop unroll(full)
      for (int v = 0; v < vectors; ++v) {
        Vector<width> other = sum[chains - 1][i][v], before;
        if constexpr (chains == 1) simd::load<width>(other, first + i * row_size + v * width);
        simd::load<width>(before, from + i * from_row + v * width);
        sum[0][i][v] += other;
        simd::store<width>(to + i * to_row + v * width, sum[0][i][v] += before);
      }
    from = total;
    from_row = total_row;
  }
}

}  // namespace
}  // namespace octet
