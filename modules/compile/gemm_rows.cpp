/// Products of a few rows, written once over the vector width and instantiated inside a function for each instruction
/// set.
///
/// Why it is fast. Each number of rhs is needed as often as there are rows, so that packing it, in panels a few vectors
/// wide whose rows lie far apart, would take longer than to multiply it. Instead the rows of a block of rhs are read
/// side by side from their beginnings to their ends, as the processor foresees; each vector is multiplied by the rows
/// of lhs at once, whose sums are in registers meanwhile.
module octet.compile;

import octet.base;
import octet.graph;
import octet.standard;
import :cpu;
import :gemm_batch;
import :gemm_rows;
import :simd;

#include "few_rows.hpp"
#include "load_first.hpp"
#include "multiply_add.hpp"

namespace octet {

namespace {

using simd::Vector;

constexpr int block = 2 * dot_chain;       // rows of rhs that are read side by side
constexpr std::int64_t fetch_ahead = 512;  // bytes of each

/// What is multiplied at a time: lhs by `depth` rows of rhs, added to the output where it `continues`.
struct Strip {
  float left[block][few_rows];  ///< lhs[i, p] at [p][i]
  const void* rhs;
  float* out;
  std::int64_t rhs_row, out_row, columns;
  int depth;
  bool continues;
};

/// sum[i][v] += left[p][i] * the vector v of the row p of rhs, for p in [first, last), in increasing order.
template <int width, int vectors, bool fused, int rows, OperandNumbers numbers>
OCTET_KERNEL_PIECE void add_up(Vector<width> (&sum)[rows][vectors], const Strip& strip, std::int64_t column, int first,
                               int last) {
  const auto* right = static_cast<const Number<numbers>*>(strip.rhs) + first * strip.rhs_row + column;
  for (int p = first; p < last; ++p, right += strip.rhs_row) {
    __builtin_prefetch(reinterpret_cast<const char*>(right) + fetch_ahead);
    Vector<width> of_rhs[vectors];
#pragma clang loop unroll(full)
    for (int v = 0; v < vectors; ++v) {
      simd::load<width>(of_rhs[v], right + v * width);
      if constexpr (numbers == OperandNumbers::f32_rounded) simd::round_to_bfloat16<width>(of_rhs[v]);
    }
#pragma clang loop unroll(full)
    for (int i = 0; i < rows; ++i) {
      Vector<width> of_lhs;
      simd::broadcast<width>(of_lhs, strip.left[p][i]);
#pragma clang loop unroll(full)
      for (int v = 0; v < vectors; ++v) multiply_add<width, fused>(sum[i][v], of_lhs, of_rhs[v]);
    }
  }
}

/// The columns from `column` on that are whole groups of vectors; returns the first that is not.
template <int width, int vectors, bool fused, int rows, OperandNumbers numbers, bool chains>
OCTET_KERNEL_PIECE std::int64_t multiply_columns(const Strip& strip, std::int64_t column) {
  for (; column + vectors * width <= strip.columns; column += vectors * width) {
    Vector<width> total[rows][vectors]{};
    float* const out = strip.out + column;
    if (strip.continues)
#pragma clang loop unroll(full)
      for (int i = 0; i < rows * vectors; ++i)
        simd::load<width>(total[i / vectors][i % vectors], out + i / vectors * strip.out_row + i % vectors * width);
    if constexpr (chains) {
      Vector<width> sum[rows][vectors]{}, other[rows][vectors]{};
      add_up<width, vectors, fused, rows, numbers>(sum, strip, column, 0, std::min(dot_chain, strip.depth));
      add_up<width, vectors, fused, rows, numbers>(other, strip, column, dot_chain, strip.depth);
#pragma clang loop unroll(full)
      for (int i = 0; i < rows * vectors; ++i)
        total[i / vectors][i % vectors] += sum[i / vectors][i % vectors] += other[i / vectors][i % vectors];
    } else {
      add_up<width, vectors, fused, rows, numbers>(total, strip, column, 0, strip.depth);
    }
#pragma clang loop unroll(full)
    for (int i = 0; i < rows * vectors; ++i)
      simd::store<width>(out + i / vectors * strip.out_row + i % vectors * width, total[i / vectors][i % vectors]);
  }
  return column;
}

constexpr std::int64_t least_padded = 4;  // columns: fewer are faster one by one

/// The columns from `column` on, which fill no vector: by way of copies that are padded to one.
template <int width, bool fused, int rows, OperandNumbers numbers, bool chains>
OCTET_KERNEL_PIECE void multiply_rest(const Strip& strip, std::int64_t column) {
  const std::int64_t rest = strip.columns - column;
  alignas(64) Number<numbers> rhs[block][width];
  alignas(64) float out[rows][width]{};
  const auto* from = static_cast<const Number<numbers>*>(strip.rhs) + column;
  for (int p = 0; p < strip.depth; ++p, from += strip.rhs_row) {
    __builtin_prefetch(reinterpret_cast<const char*>(from) + fetch_ahead);
    if constexpr (loads_first<width, numbers>) {
      Vector<width> numbers_of_row;
      load_first(numbers_of_row, from, rest);
      simd::store<width>(rhs[p], numbers_of_row);
    } else {
      for (std::int64_t j = 0; j < width; ++j) rhs[p][j] = j < rest ? from[j] : Number<numbers>{};
    }
  }
  float* const to = strip.out + column;
  if (strip.continues)
    for (int i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < rest; ++j) out[i][j] = to[i * strip.out_row + j];
  Strip padded = strip;
  padded.rhs = rhs;
  padded.out = out[0];
  padded.rhs_row = padded.out_row = padded.columns = width;
  multiply_columns<width, 1, fused, rows, numbers, chains>(padded, 0);
  for (int i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < rest; ++j) to[i * strip.out_row + j] = out[i][j];
}

template <int width, bool fused, int rows, OperandNumbers numbers, bool chains>
OCTET_KERNEL_PIECE void multiply_strip(const Strip& strip) {
  std::int64_t column = multiply_columns<width, 2, fused, rows, numbers, chains>(strip, 0);
  column = multiply_columns<width, 1, fused, rows, numbers, chains>(strip, column);
  if (strip.columns - column >= least_padded)
    multiply_rest<width, fused, rows, numbers, chains>(strip, column);
  else
    multiply_columns<1, 1, fused, rows, numbers, chains>(strip, column);
}

using MultiplyStrip = void(const Strip&);

struct Baseline {
  template <int rows, OperandNumbers numbers, bool chains>
  static void strip(const Strip& strip) {
    multiply_strip<simd::baseline_width, baseline_fused, rows, numbers, chains>(strip);
  }
};
#if defined(__x86_64__)
struct Avx2 {
  template <int rows, OperandNumbers numbers, bool chains>
  [[gnu::target("avx2,fma")]] static void strip(const Strip& strip) {
    multiply_strip<8, true, rows, numbers, chains>(strip);
  }
};
struct Avx512 {
  template <int rows, OperandNumbers numbers, bool chains>
  [[gnu::target("avx512f,avx512dq,avx512vl,avx512bw,fma")]] static void strip(const Strip& strip) {
    multiply_strip<16, true, rows, numbers, chains>(strip);
  }
};
#endif

template <class Set, OperandNumbers numbers, bool chains>
MultiplyStrip* strip_of(int rows) {
  constexpr MultiplyStrip* functions[few_rows]{
      &Set::template strip<1, numbers, chains>, &Set::template strip<2, numbers, chains>,
      &Set::template strip<3, numbers, chains>, &Set::template strip<4, numbers, chains>};
  return functions[rows - 1];
}

template <class Set>
MultiplyStrip* strip_of(const MixedGemm& product, int rows) {
  const bool chains = product.in_chains();
  switch (product.rhs_numbers) {
    case OperandNumbers::f32_rounded:
      return chains ? strip_of<Set, OperandNumbers::f32_rounded, true>(rows)
                    : strip_of<Set, OperandNumbers::f32_rounded, false>(rows);
    case OperandNumbers::bf16:
      return chains ? strip_of<Set, OperandNumbers::bf16, true>(rows)
                    : strip_of<Set, OperandNumbers::bf16, false>(rows);
    case OperandNumbers::f32:
      break;
  }
  return strip_of<Set, OperandNumbers::f32, false>(rows);
}

MultiplyStrip* strip_of(const MixedGemm& product, int rows, [[maybe_unused]] Isa isa) {
#if defined(__x86_64__)
  if (isa >= Isa::avx512) return strip_of<Avx512>(product, rows);
  if (isa == Isa::avx2) return strip_of<Avx2>(product, rows);
#endif
  return strip_of<Baseline>(product, rows);
}

}  // namespace

void multiply_rows(const MixedGemm& product, const GemmPlaces& places, Isa isa) {
  const auto rows = static_cast<int>(product.m);
  MultiplyStrip& multiply = *strip_of(product, rows, isa);
  Strip strip;
  strip.out = places.out;
  strip.rhs_row = product.rhs_row;
  strip.out_row = product.out_row;
  strip.columns = product.n;
  for (std::int64_t p = 0; p < product.k; p += block) {
    strip.rhs = advanced(places.rhs, p * product.rhs_row, product.rhs_numbers);
    strip.depth = static_cast<int>(std::min<std::int64_t>(block, product.k - p));
    strip.continues = p > 0;
    set_out(product, places.lhs, rows, p, strip.depth, strip.left);
    multiply(strip);
  }
}

}  // namespace octet
