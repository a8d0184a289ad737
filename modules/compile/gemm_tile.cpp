/// Multiplying panels by vectors, written once over the vector width and the shape of the tile, and instantiated inside
/// functions of each instruction set, which lend it their registers: one for each shape, for f32 and for bf16.
///
/// Why it is fast. A tile of rows x vectors sums stays in registers over the whole depth, or, of bf16, over a chain, or
/// two side by side in half as many rows: each step loads `vectors` vectors of rhs and `rows` broadcast numbers of lhs,
/// both from the nearest cache and in order, and does rows x vectors multiply-adds with them, more than enough
/// independent ones to cover their latency. Of bf16 the sums of two chains are added to each other and to a total for
/// each block of 32, a sixteenth more work; where a chain fills the registers, while the next block is multiplied.
/// AVX-512's instruction for bf16 adds two products where another adds one: there the panels hold pairs, in half the
/// room, and a step is a pair. Between these steps, a few lines at a time, the part of the output that the next tile
/// will touch and the operands that are read next are fetched: all at once they would keep the tile's own operands
/// waiting. The number of rows is a template argument, so a tile of 13 rows does the work of 13 rows; columns are
/// padded to whole vectors with zeros of rhs whose sums are never stored.
module octet.compile;

import octet.base;
import octet.graph;
import octet.standard;
import :cpu;
import :gemm_batch;
import :gemm_pairs;
import :gemm_tile;
import :simd;

#include "tile_chains.hpp"
#include "tile_steps.hpp"

namespace octet {
namespace {

/// A tile whose columns are whole vectors and lie side by side, the products added one by one.
template <int width, int rows, int vectors, Step step, PanelOrder lhs_order, int lhs_unit, bool packs>
OCTET_KERNEL_PIECE void multiply_rows(const Tile& tile) {
  Vector<width> sum[rows][vectors];
#pragma clang loop unroll(full)
  for (int i = 0; i < rows; ++i)
#pragma clang loop unroll(full)
    for (int v = 0; v < vectors; ++v) {
      sum[i][v] = Vector<width>{};
      if (tile.continues) simd::load<width>(sum[i][v], tile.out + i * tile.out_row + v * width);
    }

  LhsWalk<rows, lhs_order, reads_in_place ? 0 : rounded_up(rows, lhs_unit)> lhs{tile};
  RhsWalk<width, vectors, packs> rhs{tile};
  std::int64_t next_row = 0;
  constexpr int turn = 4;  // steps that are taken together where they are short
  for (std::int64_t p = 0; p < tile.depth;) {
    if constexpr (simd::can_prefetch) {
      if constexpr (!short_steps<width>) lhs.fetch(lhs_ahead);
      if (p % fetch_depth == 0) fetch_beside<vectors, width>(tile, next_row);
      if (short_steps<width> && tile.depth - p <= lhs_ahead) lhs.fetch_next(tile);
    }
    const std::int64_t before = p;
    p = simd::can_prefetch && tile.depth - p > lhs_ahead ? p + lhs_ahead : tile.depth;
    const float* const end = rhs.after(p - before);
    if constexpr (short_steps<width> && !packs && lhs_order == PanelOrder::by_lane)
      for (const float* const whole = rhs.after((p - before) / turn * turn); !rhs.at(whole);
           lhs.next(turn), rhs.next(turn))
#pragma clang loop unroll(full)
        for (int ahead = 0; ahead < turn; ++ahead)
          multiply_step<width, rows, vectors, step, false>(sum, lhs, rhs, ahead);
    for (; !rhs.at(end); lhs.next(), rhs.next()) multiply_step<width, rows, vectors, step, false>(sum, lhs, rhs);
  }

#pragma clang loop unroll(full)
  for (int i = 0; i < rows; ++i)
#pragma clang loop unroll(full)
    for (int v = 0; v < vectors; ++v) simd::store<width>(tile.out + i * tile.out_row + v * width, sum[i][v]);
}

/// Tiles of this shape, of an instruction set whose largest have `most_rows`.
template <int width, int most_rows, int rows, int vectors, Step step, int chains, PanelOrder lhs_order, bool packs>
OCTET_KERNEL_PIECE void multiply(const Tile& tiles) {
  constexpr int lhs_unit = lhs_lane_unit(width, most_rows);
  Tile tile = tiles;
  tile.rows = rows;
  if constexpr (chains == 1 && simd::can_prefetch)
    return multiply_chain_by_chain<width, rows, vectors, step, lhs_order, lhs_unit>(tile);
  do {
    if constexpr (chains > 0)
      multiply_chains<width, rows, vectors, step, chains, lhs_order, lhs_unit>(tile);
    else
      multiply_rows<width, rows, vectors, step, lhs_order, lhs_unit, packs>(tile);
  } while (tile.next());
}

// ---- instruction sets: tiles as large as their registers hold ----

using simd::baseline_width;
#if defined(__aarch64__)
constexpr int baseline_rows = 8;  // 32 registers
#elif defined(OCTET_RELAXED_SIMD)
constexpr int baseline_rows = 6;  // 16 registers, of which products need none and V8 one
#else
constexpr int baseline_rows = 4;  // 16 registers
#endif
constexpr int tile_vectors = 2;

// Each has a function for each shape of tile, of which a program needs a few. WebAssembly's engines compile a function
// when it is called, and compile it well once it was called often: with one that held all shapes, a page's first
// training step took half as long again. Natively it is all the same.
struct Baseline {
  static constexpr int width = baseline_width;
  template <int most_rows, int rows, int vectors, int chains, PanelOrder lhs_order, bool packs>
  OCTET_KERNEL_TARGET static void tile(const Tile& tile) {
    multiply<width, most_rows, rows, vectors, baseline_fused ? Step::fused : Step::separate, chains, lhs_order, packs>(
        tile);
  }
};
#if defined(__x86_64__)
struct Avx2 {
  static constexpr int width = 8;
  template <int most_rows, int rows, int vectors, int chains, PanelOrder lhs_order, bool packs>
  [[gnu::target("avx2,fma")]] static void tile(const Tile& tile) {
    multiply<width, most_rows, rows, vectors, Step::fused, chains, lhs_order, packs>(tile);
  }
};
struct Avx512 {
  static constexpr int width = 16;
  template <int most_rows, int rows, int vectors, int chains, PanelOrder lhs_order, bool packs>
  [[gnu::target("avx512f,avx512dq,avx512vl,avx512bw,fma")]] static void tile(const Tile& tile) {
    multiply<width, most_rows, rows, vectors, Step::fused, chains, lhs_order, packs>(tile);
  }
};
struct Avx512Bf16 {
  static constexpr int width = 16;
  template <int most_rows, int rows, int vectors, int chains, PanelOrder lhs_order, bool denormals>
  OCTET_PAIRS_TARGET static void tile(const Tile& tile) {
    constexpr Step step = denormals ? Step::pair_by_numbers : Step::pair;
    multiply<width, most_rows, rows, vectors, step, chains, lhs_order, false>(tile);
  }
};
#endif

/// The functions of tiles of up to `rows`, in the order of TileKernel::function.
template <class Set, int rows, int chains, PanelForm form>
struct Shapes {
  static constexpr int orders = 2;
  static constexpr int ways = form == PanelForm::pairs || (chains == 0 && reads_in_place) ? 2 : 1;
  template <int... at>
  static constexpr auto all(std::integer_sequence<int, at...>) {
    return std::array<Multiply*, sizeof...(at)>{
        &Set::template tile<rows, at % rows + 1, at / rows % tile_vectors + 1, chains,
                            static_cast<PanelOrder>(at / rows / tile_vectors % orders),
                            (at / rows / tile_vectors / orders > 0)>...};
  }
  static constexpr auto functions = all(std::make_integer_sequence<int, rows * tile_vectors * orders * ways>{});
};

/// An lhs block is 100 KB at the most where it is packed; where it cannot be fetched ahead, about 50 KB, by trial.
template <class Set, int rows, int chains, PanelForm form = PanelForm::f32>
constexpr TileKernel vectors_of() {
  static_assert(rows * tile_vectors * Set::width <= largest_tile);
  return {.width = Set::width,
          .rows = rows,
          .vectors = tile_vectors,
          .row_unit = 1,
          .lhs_unit = lhs_lane_unit(Set::width, rows),
          .depth_unit = chains > 0 ? 2 * dot_chain : 1,
          .pads_depth = false,
          .block_rows = simd::can_prefetch ? 84 : 48,
          .depth_by_lane = chains == 0 ? depth_by_lane : block_depth,
          .form = form,
          .tiles = Shapes<Set, rows, chains, form>::functions.data()};
}
// With 32 registers, half as many rows of two chains are faster than sums put aside.
constexpr TileKernel baseline[] = {vectors_of<Baseline, baseline_rows, 0>(), vectors_of<Baseline, baseline_rows, 1>()};
#if defined(__x86_64__)
constexpr TileKernel avx2[] = {vectors_of<Avx2, 6, 0>(), vectors_of<Avx2, 6, 1>()};
constexpr TileKernel avx512[] = {vectors_of<Avx512, 14, 0>(), vectors_of<Avx512, 7, 2>()};
constexpr TileKernel avx512bf16 = vectors_of<Avx512Bf16, 7, 2, PanelForm::pairs>();
#endif

}  // namespace

TileKernel tile_kernel([[maybe_unused]] Isa isa, bool of_bf16) {
#if defined(__x86_64__)
  if (isa == Isa::amx && of_bf16 && lends_matrix_unit()) return matrix_unit_kernel();
#endif
  TileKernel kernel = baseline[of_bf16];
#if defined(__x86_64__)
  if (isa == Isa::avx2) kernel = avx2[of_bf16];
  if (isa >= Isa::avx512) kernel = avx512[of_bf16];
  if (isa == Isa::avx512bf16 && of_bf16) kernel = avx512bf16;
#endif
  kernel.pack = pack_of(isa, kernel.form);
  return kernel;
}

}  // namespace octet
