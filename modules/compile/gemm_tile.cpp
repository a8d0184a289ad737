/// Multiplying panels by vectors, written once over the vector width and the shape of the tile, and instantiated inside
/// functions of each instruction set, which lend it their registers: one for each shape, for f32 and for bf16.
///
/// Why it is fast. A tile of rows x vectors sums stays in registers over the whole depth, or, of bf16, over a chain, or
/// two side by side in half as many rows: each step loads `vectors` vectors of rhs and `rows` broadcast numbers of lhs,
/// both from the nearest cache and in order, and does rows x vectors multiply-adds with them, more than enough
/// independent ones to cover their latency. The sums of two chains are added to each other and to the output after each
/// block of 32: a sixteenth more work. AVX-512's instruction for bf16 adds two products where another adds one: there
/// the panels hold pairs, in half the room, and a step is a pair. Between these steps, a few lines at a time, the part
/// of the output that the next tile will touch and the operands that are read next are fetched: all at once they would
/// keep the tile's own operands waiting. The number of rows is a template argument, so a tile of 13 rows does the work
/// of 13 rows; columns are padded to whole vectors with zeros of rhs whose sums are never stored.
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

namespace octet {
namespace {

using simd::Bits;
using simd::Vector;

/// What one step of a tile adds to each of its sums: a product, rounded before it is added or not; or the two products
/// of a pair, by one instruction, or, where denormal numbers are to be kept, by two fused multiply-adds.
enum class Step : std::uint8_t { separate, fused, pair, pair_by_numbers };
constexpr bool of_pairs(Step step) { return step >= Step::pair; }
constexpr std::int64_t numbers_of(Step step) { return of_pairs(step) ? 2 : 1; }

// ---- multiplying ----

/// With AVX2 a step is so short, twelve multiply-adds, that what is done beside them is felt: tiles of f32 do without
/// asking for lhs, and take a few steps of one that lies by lane in a turn.
template <int width>
inline constexpr bool short_steps = simd::can_prefetch && width == 8;
constexpr int turn = 4;

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
  for (std::int64_t p = 0; p < tile.depth;) {
    if constexpr (simd::can_prefetch) {
      if constexpr (!short_steps<width>) lhs.fetch(lhs_ahead);
      if (p % fetch_depth == 0) fetch_beside<vectors, width>(tile, next_row);
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

/// sum[i][v] = the sum of lhs[i] * rhs[v] over the next `depth` values of p, if any.
template <int width, int rows, int vectors, Step step, class Lhs, class Rhs>
OCTET_KERNEL_PIECE void multiply_rest(Vector<width> (&sum)[rows][vectors], Lhs& lhs, Rhs& rhs, std::int64_t depth) {
#pragma clang loop unroll(full)
  for (int i = 0; i < rows * vectors; ++i) sum[i / vectors][i % vectors] = Vector<width>{};
  for (; depth > 0; --depth, lhs.next(), rhs.next()) multiply_step<width, rows, vectors, step, false>(sum, lhs, rhs);
}

/// The same with the products added in chains: both of a block side by side (`chains` is 2), or one after the other,
/// the sums of the first being put aside meanwhile. A chain in the loop begins with a product instead of a sum of
/// nothing: a zero would take one of the tile's registers. The sums of both are added to each other and to the total,
/// which begins with +0, which makes +0 of -0. It is kept in the output, but beside it meanwhile where the output's
/// rows lie whole pages apart.
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
    if constexpr (simd::can_prefetch)
      if (begins_block) fetch_beside<vectors, width>(tile, next_row);
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

/// A tile of this shape, of an instruction set whose largest tiles have `most_rows`.
template <int width, int most_rows, int rows, int vectors, Step step, int chains, PanelOrder lhs_order, bool packs>
OCTET_KERNEL_PIECE void multiply(const Tile& tile) {
  constexpr int lhs_unit = lhs_lane_unit(width, most_rows);
  if constexpr (chains > 0)
    multiply_chains<width, rows, vectors, step, chains, lhs_order, lhs_unit>(tile);
  else
    multiply_rows<width, rows, vectors, step, lhs_order, lhs_unit, packs>(tile);
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

/// An lhs block is 100 KB at the most; where it cannot be fetched ahead, 26 KB, so that it stays in the nearest cache.
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
          .block_rows = simd::can_prefetch ? 84 : 24,
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
