/// Packing and multiplying, written once over the vector width and the shape of the tile, and instantiated inside one
/// function for each instruction set, which lends them its registers.
///
/// Why it is fast. A tile of rows x vectors sums stays in registers over the whole depth: each step loads `vectors`
/// vectors of rhs and `rows` broadcast numbers of lhs, both from the nearest cache and in order, and does rows x
/// vectors multiply-adds with them, more than enough independent ones to cover their latency. Between these steps, a
/// few lines at a time, the part of the output that the next tile will touch and the operands to be packed next are
/// fetched: all at once they would keep the tile's own operands waiting. The number of rows is a template argument, so
/// a tile of 13 rows does the work of 13 rows; columns are padded to whole vectors with zeros of rhs whose sums are
/// never stored.
module octet.compile;

import octet.base;
import octet.standard;
import :cpu;
import :gemm_batch;
import :gemm_tile;
import :simd;

#include "multiply_add.hpp"

namespace octet {
namespace {

using simd::Vector;

// ---- packing ----
//
// An operand is read from far away here, and in short runs that the processor does not foresee: it is told some runs
// ahead. An address beyond the operand's end is asked for in vain.
constexpr std::int64_t rows_together = 16, prefetch_lanes = 2;

template <OperandNumbers numbers>
using Number = std::conditional_t<numbers == OperandNumbers::bf16, bfloat16, float>;

template <int width, OperandNumbers numbers>
[[gnu::always_inline]] inline void read(Vector<width>& value, const Number<numbers>* from) {
  simd::load<width>(value, from);
  if constexpr (numbers == OperandNumbers::f32_rounded) simd::round_to_bfloat16<width>(value);
}

/// Where lanes lie side by side: the first `count` < width of them, by halves, quarters, ..., single ones.
template <int width, OperandNumbers numbers>
[[gnu::always_inline]] inline void copy_lanes(const Number<numbers>* from, float* to, std::int64_t count) {
  if constexpr (width >= 1) {
    if (count >= width) {
      Vector<width> lanes;
      read<width, numbers>(lanes, from);
      simd::store<width>(to, lanes);
      from += width, to += width, count -= width;
    }
    copy_lanes<width / 2, numbers>(from, to, count);
  }
}

/// One of several panels.
template <OperandNumbers numbers>
struct Panel {
  const Number<numbers>* source;
  float* target;
  std::int64_t lanes, padded_lanes, readable;
};
template <int width, OperandNumbers numbers>
[[gnu::always_inline]] inline Panel<numbers> panel_of(const Panels& panels, std::int64_t index) {
  const std::int64_t begin = panels.lanes.begin(index), lanes = panels.lanes.begin(index + 1) - begin;
  return {static_cast<const Number<numbers>*>(panels.source) + begin * panels.lane_stride,
          panels.target + index * panels.panel_pitch, lanes, (lanes + width - 1) / width * width,
          panels.readable - begin};
}

/// Any strides, one number at a time, for p in [first, depth).
template <OperandNumbers numbers>
[[gnu::always_inline]] inline void pack_numbers(const Panels& panels, const Panel<numbers> panel, std::int64_t first) {
  for (std::int64_t p = first; p < panels.depth; ++p)
    for (std::int64_t lane = 0; lane < panel.padded_lanes; ++lane) {
      Vector<1> number{};
      if (lane < panel.lanes)
        read<1, numbers>(number, panel.source + lane * panels.lane_stride + p * panels.depth_stride);
      simd::store<1>(panel.target + p * panel.padded_lanes + lane, number);
    }
}

/// Lanes side by side in memory, whole vectors of them, for p in [first, last).
template <int width, int vectors, OperandNumbers numbers>
[[gnu::always_inline]] inline void copy_vectors(const Panels& panels, const Panel<numbers>& panel, std::int64_t first,
                                                std::int64_t last) {
  const std::int64_t stride = panels.depth_stride;
  const auto* from = panel.source + first * stride;
  float* to = panel.target + first * vectors * width;
  for (std::int64_t p = first; p < last; ++p, from += stride, to += vectors * width)
#pragma clang loop unroll(full)
    for (int v = 0; v < vectors; ++v) {
      Vector<width> lanes;
      __builtin_prefetch(from + rows_together * stride + v * width);
      read<width, numbers>(lanes, from + v * width);
      simd::store<width>(to + v * width, lanes);
    }
}

/// The same where the operand ends within a vector.
template <int width, OperandNumbers numbers>
[[gnu::always_inline]] inline void copy_ragged(const Panels& panels, const Panel<numbers>& panel, std::int64_t first,
                                               std::int64_t last) {
  for (std::int64_t p = first; p < last; ++p) {
    const auto* const from = panel.source + p * panels.depth_stride;
    float* const to = panel.target + p * panel.padded_lanes;
    std::int64_t lane = 0;
    for (; lane + width <= panel.lanes; lane += width) copy_lanes<width, numbers>(from + lane, to + lane, width);
    for (std::int64_t padding = lane; padding < panel.padded_lanes; padding += width)
      simd::store<width>(to + padding, Vector<width>{});
    copy_lanes<width / 2, numbers>(from + lane, to + lane, panel.lanes - lane);
  }
}

/// The instance for the panel's number of vectors.
template <int width, int vectors, OperandNumbers numbers>
[[gnu::always_inline]] inline void choose_copy(const Panels& panels, const Panel<numbers>& panel, std::int64_t first,
                                               std::int64_t last) {
  if constexpr (vectors > 0) {
    if (panel.padded_lanes == vectors * width)
      copy_vectors<width, vectors, numbers>(panels, panel, first, last);
    else
      choose_copy<width, vectors - 1, numbers>(panels, panel, first, last);
  }
}

/// Lanes side by side in memory. Some values of p are taken through all panels before the next ones, so that the
/// operand is read along its rows: a panel alone is a narrow strip of them, far apart.
template <int width, OperandNumbers numbers>
[[gnu::always_inline]] inline void pack_adjacent(const Panels& panels) {
  for (std::int64_t first = 0; first < panels.depth; first += rows_together) {
    const std::int64_t last = std::min(first + rows_together, panels.depth);
    for (std::int64_t c = 0; c < panels.lanes.parts; ++c) {
      const auto panel = panel_of<width, numbers>(panels, c);
      if (panel.padded_lanes <= panel.readable)
        choose_copy<width, 3, numbers>(panels, panel, first, last);
      else
        copy_ragged<width, numbers>(panels, panel, first, last);
    }
  }
}

/// Values of p side by side in memory, and to stay so.
template <int width, OperandNumbers numbers>
[[gnu::always_inline]] inline void pack_lanes(const Panels& panels, const Panel<numbers> panel) {
  for (std::int64_t lane = 0; lane < panel.lanes; ++lane) {
    const auto* const from = panel.source + lane * panels.lane_stride;
    float* const to = panel.target + lane * lane_pitch;
    std::int64_t p = 0;
    for (; p + width <= panels.depth; p += width) {
      Vector<width> values;
      __builtin_prefetch(from + prefetch_lanes * panels.lane_stride + p);
      read<width, numbers>(values, from + p);
      simd::store<width>(to + p, values);
    }
    copy_lanes<width / 2, numbers>(from + p, to + p, panels.depth - p);
  }
}

/// Values of p side by side in memory: squares of width x width are turned over in registers.
template <int width, OperandNumbers numbers>
[[gnu::always_inline]] inline void pack_transposed(const Panels& panels, const Panel<numbers> panel) {
  std::int64_t p = 0;
  for (; p + width <= panels.depth; p += width)
    for (std::int64_t lane = 0; lane < panel.padded_lanes; lane += width) {
      const auto* const from = panel.source + lane * panels.lane_stride + p;
      float* const to = panel.target + p * panel.padded_lanes + lane;
      Vector<width> square[width];
#pragma clang loop unroll(full)
      for (int i = 0; i < width; ++i) {
        square[i] = Vector<width>{};
        __builtin_prefetch(from + i * panels.lane_stride + 2 * width);
        if (lane + i < panel.lanes) read<width, numbers>(square[i], from + i * panels.lane_stride);
      }
      simd::transpose<width>(square);
#pragma clang loop unroll(full)
      for (int i = 0; i < width; ++i) simd::store<width>(to + i * panel.padded_lanes, square[i]);
    }
  pack_numbers<numbers>(panels, panel, p);
}

template <int width, OperandNumbers numbers>
[[gnu::always_inline]] inline void pack_all(const Panels& panels) {
  if (panels.order == PanelOrder::by_depth && panels.lane_stride == 1) return pack_adjacent<width, numbers>(panels);
  for (std::int64_t c = 0; c < panels.lanes.parts; ++c) {
    const auto panel = panel_of<width, numbers>(panels, c);
    if (panels.order == PanelOrder::by_lane)
      pack_lanes<width, numbers>(panels, panel);
    else if (panels.depth_stride == 1)
      pack_transposed<width, numbers>(panels, panel);
    else
      pack_numbers<numbers>(panels, panel, 0);
  }
}

template <int width>
[[gnu::always_inline]] inline void pack(const Panels& panels) {
  switch (panels.numbers) {
    case OperandNumbers::f32:
      return pack_all<width, OperandNumbers::f32>(panels);
    case OperandNumbers::f32_rounded:
      return pack_all<width, OperandNumbers::f32_rounded>(panels);
    case OperandNumbers::bf16:
      return pack_all<width, OperandNumbers::bf16>(panels);
  }
}

// ---- multiplying ----

/// What a tile fetches after `p` steps: as many rows of the next one's output as have all come by its end, and
/// operands.
template <int width, int vectors, int rows>
[[gnu::always_inline]] inline void fetch_beside(const Tile& tile, std::int64_t p, std::int64_t& row) {
  for (; row < rows && row * tile.depth <= rows * p; ++row)
#pragma clang loop unroll(full)
    for (int v = 0; v < vectors; ++v) __builtin_prefetch(tile.next_out + row * tile.out_row + v * width, 1);
  tile.fetching->lhs.fetch(tile.fetching->lhs_lines);
  tile.fetching->rhs.fetch(tile.fetching->rhs_lines);
}

/// A tile whose columns are whole vectors and lie side by side.
template <int width, int rows, int vectors, bool fused, PanelOrder lhs_order>
OCTET_KERNEL_PIECE void multiply_rows(const Tile& tile) {
  constexpr std::int64_t lhs_row = lhs_order == PanelOrder::by_lane ? lane_pitch : 1;
  constexpr std::int64_t lhs_column = lhs_order == PanelOrder::by_lane ? 1 : (rows + width - 1) / width * width;
  Vector<width> sum[rows][vectors];
#pragma clang loop unroll(full)
  for (int i = 0; i < rows; ++i)
#pragma clang loop unroll(full)
    for (int v = 0; v < vectors; ++v) {
      sum[i][v] = Vector<width>{};
      if (tile.continues) simd::load<width>(sum[i][v], tile.out + i * tile.out_row + v * width);
    }

  const float* lhs = tile.lhs;
  const float* rhs = tile.rhs;
  std::int64_t next_row = 0;
  for (std::int64_t p = 0; p < tile.depth;) {
    if constexpr (simd::can_prefetch) fetch_beside<width, vectors, rows>(tile, p + fetch_depth, next_row);
    const std::int64_t before = p;
    p = simd::can_prefetch && tile.depth - p > fetch_depth ? p + fetch_depth : tile.depth;
    for (const float* const end = lhs + (p - before) * lhs_column; lhs != end;) {
      Vector<width> right[vectors];
#pragma clang loop unroll(full)
      for (int v = 0; v < vectors; ++v) simd::load<width>(right[v], rhs + v * width);
#pragma clang loop unroll(full)
      for (int i = 0; i < rows; ++i) {
        Vector<width> left;
        simd::broadcast<width>(left, lhs[i * lhs_row]);
#pragma clang loop unroll(full)
        for (int v = 0; v < vectors; ++v) multiply_add<width, fused>(sum[i][v], left, right[v]);
      }
      lhs += lhs_column;
      rhs += vectors * width;
    }
  }

#pragma clang loop unroll(full)
  for (int i = 0; i < rows; ++i)
#pragma clang loop unroll(full)
    for (int v = 0; v < vectors; ++v) simd::store<width>(tile.out + i * tile.out_row + v * width, sum[i][v]);
}

/// The instance for the tile's number of rows.
template <int width, int rows, int vectors, bool fused, PanelOrder lhs_order>
OCTET_KERNEL_PIECE void choose_rows(const Tile& tile) {
  if constexpr (rows > 0) {
    if (tile.rows == rows)
      multiply_rows<width, rows, vectors, fused, lhs_order>(tile);
    else
      choose_rows<width, rows - 1, vectors, fused, lhs_order>(tile);
  }
}

/// The instance for the tile's number of vectors.
template <int width, int rows, int vectors, bool fused, PanelOrder lhs_order>
OCTET_KERNEL_PIECE void choose_vectors(const Tile& tile) {
  if constexpr (vectors > 0) {
    if (tile.columns > (vectors - 1) * width)
      choose_rows<width, rows, vectors, fused, lhs_order>(tile);
    else
      choose_vectors<width, rows, vectors - 1, fused, lhs_order>(tile);
  }
}

/// Columns that are no whole vectors, or not side by side, go through a buffer.
template <int width, int rows, int vectors, bool fused>
OCTET_KERNEL_PIECE void multiply(const Tile& tile) {
  const int padded = (tile.columns + width - 1) / width * width;
  const bool direct = tile.columns == padded && tile.out_column == 1;
  alignas(64) float buffer[rows * vectors * width];
  Tile inner = tile;
  if (!direct) {
    inner.out = buffer;
    inner.out_row = padded;
    if (tile.continues) {
      std::fill_n(buffer, tile.rows * padded, 0.0f);
      for (int i = 0; i < tile.rows; ++i)
        for (int j = 0; j < tile.columns; ++j)
          buffer[i * padded + j] = tile.out[i * tile.out_row + j * tile.out_column];
    }
  }
  if (tile.lhs_order == PanelOrder::by_lane)
    choose_vectors<width, rows, vectors, fused, PanelOrder::by_lane>(inner);
  else
    choose_vectors<width, rows, vectors, fused, PanelOrder::by_depth>(inner);
  if (!direct)
    for (int i = 0; i < tile.rows; ++i)
      for (int j = 0; j < tile.columns; ++j) tile.out[i * tile.out_row + j * tile.out_column] = buffer[i * padded + j];
}

// ---- instruction sets: tiles as large as their registers hold ----

using simd::baseline_width;
#if defined(__aarch64__)
constexpr int baseline_rows = 8, baseline_vectors = 2;  // 32 registers
#elif defined(OCTET_RELAXED_SIMD)
constexpr int baseline_rows = 6, baseline_vectors = 2;  // 16 registers, of which products need none and V8 one
#else
constexpr int baseline_rows = 4, baseline_vectors = 2;  // 16 registers
#endif
void pack_baseline(const Panels& panels) { pack<baseline_width>(panels); }
OCTET_KERNEL_TARGET void multiply_baseline(const Tile& tile) {
  multiply<baseline_width, baseline_rows, baseline_vectors, baseline_fused>(tile);
}
constexpr TileKernel baseline{baseline_width, baseline_rows, baseline_vectors, pack_baseline, multiply_baseline};

#if defined(__x86_64__)
[[gnu::target("avx2,fma")]] void pack_avx2(const Panels& panels) { pack<8>(panels); }
[[gnu::target("avx2,fma")]] void multiply_avx2(const Tile& tile) { multiply<8, 6, 2, true>(tile); }
constexpr TileKernel avx2{8, 6, 2, pack_avx2, multiply_avx2};

[[gnu::target("avx512f,avx512dq,avx512vl,avx512bw,fma")]] void pack_avx512(const Panels& panels) { pack<16>(panels); }
[[gnu::target("avx512f,avx512dq,avx512vl,avx512bw,fma")]] void multiply_avx512(const Tile& tile) {
  multiply<16, 14, 2, true>(tile);
}
constexpr TileKernel avx512{16, 14, 2, pack_avx512, multiply_avx512};
#endif

}  // namespace

const TileKernel& tile_kernel([[maybe_unused]] Isa isa) {
#if defined(__x86_64__)
  if (isa == Isa::avx512) return avx512;
  if (isa == Isa::avx2) return avx2;
#endif
  return baseline;
}

}  // namespace octet
