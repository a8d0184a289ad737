/// Products of a few rows by a matrix that lies column by column, and dot products side by side, written once over the
/// vector width and instantiated inside a function for each instruction set.
///
/// Why it is fast. Vectors lie along the columns, whose sums are independent of each other, but what lies side by side
/// is of one column: so squares of as many columns as values of the contracted index are turned over in registers, and
/// multiplied from there. Vectors are of eight numbers even where there are wider ones: those of eight are assembled
/// from halves as they are read, and the processor has more units that turn them over. Two numbers of bf16 are turned
/// over as one.
///
/// Loops over what is left beyond whole squares say that they are not to be unrolled: they are short, there are
/// hundreds of them, and unrolled they made more than half of the code, and of the time to compile it.
module octet.compile;

import octet.base;
import octet.graph;
import octet.standard;
import :cpu;
import :gemm_batch;
import :gemm_columns;
import :gemm_rows;
import :simd;

#include "few_rows.hpp"
#include "multiply_add.hpp"

namespace octet {

namespace {

using simd::Bits;
using simd::Vector;

constexpr std::int64_t depth_at_once = 512;  // values of the contracted index
constexpr std::int64_t fetch_ahead = 512;    // bytes of each column

/// What is multiplied at a time, and added to the output where it `continues`: columns of rhs, each by the same rows of
/// lhs, which are set out, or by a row of its own.
struct Strip {
  const float (*left)[few_rows] = nullptr;  ///< lhs[i, p] at [p][i]
  const void* lhs = nullptr;
  std::int64_t lhs_row = 0;
  const void* rhs = nullptr;
  std::int64_t rhs_column = 0;
  float* out = nullptr;
  std::int64_t out_row = 0, out_column = 1, columns = 0, depth = 0;
  bool continues = false;
};

/// Vectors of one number each of `width` columns, of some values of the contracted index p.
template <int width, OperandNumbers numbers>
class Turned {
 public:
  static constexpr bool pairs = numbers == OperandNumbers::bf16;
  static constexpr int depth = pairs ? 2 * width : width;  ///< values of p that are turned over at a time

  /// Of `count` columns; beyond them stands the last.
  OCTET_KERNEL_PIECE void begin(const void* operand, std::int64_t stride, std::int64_t count) {
#pragma clang loop unroll(full)
    for (int lane = 0; lane < width; ++lane)
      column_[lane] = static_cast<const Number<numbers>*>(operand) + std::min<std::int64_t>(lane, count - 1) * stride;
  }
  /// From p on. Of what lies `ahead` each line is fetched once.
  OCTET_KERNEL_PIECE void read(std::int64_t p, std::int64_t ahead) {
    turn(column_, p);
    if (static_cast<std::size_t>(p) * sizeof(Number<numbers>) % 64 == 0)
#pragma clang loop unroll(full)
      for (int lane = 0; lane < width; ++lane) __builtin_prefetch(column_[lane] + ahead);
  }
  /// Of the value `q` further on.
  OCTET_KERNEL_PIECE void get(Vector<width>& value, int q) const {
    if constexpr (pairs) {
      const auto both = reinterpret_cast<const Bits<width>&>(square_[q / 2]);
      value = reinterpret_cast<Vector<width>>(q % 2 == 0 ? both << 16 : both & 0xffff'0000u);
    } else {
      value = square_[q];
    }
    if constexpr (numbers == OperandNumbers::f32_rounded) {
      const auto none = reinterpret_cast<Bits<width>>(value != value);  // all ones, which is a NaN, of a NaN
      simd::round_number_to_bfloat16<width>(value);
      value = reinterpret_cast<Vector<width>>(reinterpret_cast<Bits<width>>(value) | none);
    }
  }

  /// From p to the end, which are fewer than `depth`. `after`: whether there are as many as that up to the end.
  OCTET_KERNEL_PIECE void read_rest(std::int64_t p, int count, bool after, float (&rest)[depth][width]) {
    const int skipped = after ? depth - count : 0;
    if (after) {
      turn(column_, p - skipped);
    } else {
      Number<numbers> padded[width][depth]{};
      const Number<numbers>* from[width];
#pragma clang loop unroll(full)
      for (int lane = 0; lane < width; ++lane) {
        from[lane] = padded[lane];
#pragma clang loop unroll(disable) vectorize(disable)
        for (int q = 0; q < count; ++q) padded[lane][q] = column_[lane][p + q];
      }
      turn(from, 0);
    }
#pragma clang loop unroll(full)
    for (int q = 0; q < depth; ++q) {
      Vector<width> value;
      get(value, q);
      if (q >= skipped) simd::store<width>(rest[q - skipped], value);
    }
  }

 private:
  OCTET_KERNEL_PIECE void turn(const Number<numbers>* const (&column)[width], std::int64_t p) {
    // By bytes: two bf16 lie in a lane, and at no address of a float.
    const auto read = [&](auto& value, int lane, int quarter) __attribute__((always_inline)) {
      std::memcpy(&value, reinterpret_cast<const std::byte*>(column[lane] + p) + quarter * 16, sizeof value);
    };
    if constexpr (width == 8) {  // as simd::gather_squares leaves them
#pragma clang loop unroll(full)
      for (int r = 0; r < width; ++r) {
        Vector<4> low, high;
        read(low, r % 4, r / 4);
        read(high, r % 4 + 4, r / 4);
        square_[r] = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
      }
    } else {
#pragma clang loop unroll(full)
      for (int r = 0; r < width; ++r) read(square_[r], r, 0);
    }
    simd::transpose_squares<width>(square_);
  }

  const Number<numbers>* column_[width];
  Vector<width> square_[width];
};

/// Sums of `groups` vectors of columns, by `rows` rows, or, for dot products, each by its own.
template <int width, bool fused, int rows, int groups, OperandNumbers numbers, bool dots>
class Group {
 public:
  static constexpr int columns = groups * width;

  /// `count` columns from `first` on.
  OCTET_KERNEL_PIECE static void multiply(const Strip& strip, std::int64_t first, std::int64_t count) {
    Group group{strip};
    group.begin(first, count);
    alignas(64) float padded[rows][columns]{};
    float* const out = strip.out + first * strip.out_column;
    const bool whole = count == columns && strip.out_column == 1;
    float* const at = whole ? out : padded[0];
    const std::int64_t row = whole ? strip.out_row : columns;
    const auto each = [&](auto&& copy) __attribute__((always_inline)) {
#pragma clang loop unroll(disable)
      for (int i = 0; i < rows; ++i)
#pragma clang loop unroll(disable) vectorize(disable)
        for (std::int64_t j = 0; j < count; ++j) copy(padded[i][j], out[i * strip.out_row + j * strip.out_column]);
    };
    Sums total{};
    if (strip.continues) {
      if (!whole) each([](float& here, float& there) { here = there; });
      for_sums([&](int g, int i)
                   __attribute__((always_inline)) { simd::load<width>(total[g][i], at + i * row + g * width); });
    }
    group.add_all(total);
    for_sums([&](int g, int i)
                 __attribute__((always_inline)) { simd::store<width>(at + i * row + g * width, total[g][i]); });
    if (!whole) each([](float& here, float& there) { there = here; });
  }

 private:
  using Rhs = Turned<width, numbers>;
  using Sums = Vector<width>[groups][rows];

  OCTET_KERNEL_PIECE explicit Group(const Strip& strip) : strip_{strip} {}
  OCTET_KERNEL_PIECE void begin(std::int64_t first, std::int64_t count) {
#pragma clang loop unroll(full)
    for (int g = 0; g < groups; ++g) {
      const std::int64_t at = first + g * width;
      rhs_[g].begin(advanced(strip_.rhs, at * strip_.rhs_column, numbers), strip_.rhs_column, count - g * width);
      if constexpr (dots)
        lhs_[g].begin(advanced(strip_.lhs, at * strip_.lhs_row, numbers), strip_.lhs_row, count - g * width);
    }
  }

  template <class Function>
  OCTET_KERNEL_PIECE static void for_sums(Function&& function) {
#pragma clang loop unroll(full)
    for (int g = 0; g < groups; ++g)
#pragma clang loop unroll(full)
      for (int i = 0; i < rows; ++i) function(g, i);
  }

  OCTET_KERNEL_PIECE void add_all(Sums& total) {
    if constexpr (numbers == OperandNumbers::f32) return add_up(total, 0, strip_.depth);
    for (std::int64_t p = 0; p < strip_.depth; p += 2 * dot_chain) {
      Sums sum{}, other{};
      const std::int64_t middle = std::min<std::int64_t>(p + dot_chain, strip_.depth);
      add_up(sum, p, middle);
      add_up(other, middle, std::min<std::int64_t>(middle + dot_chain, strip_.depth));
      for_sums([&](int g, int i) __attribute__((always_inline)) { total[g][i] += sum[g][i] += other[g][i]; });
    }
  }

  /// sum[g][i] += lhs[i, p] * the numbers p of the columns of group g, for p in [first, last), in increasing order.
  OCTET_KERNEL_PIECE void add_up(Sums& sum, std::int64_t first, std::int64_t last) {
    std::int64_t p = first;
    for (; p + Rhs::depth <= last; p += Rhs::depth)
#pragma clang loop unroll(full)
      for (int g = 0; g < groups; ++g) {
        const std::int64_t ahead = p + fetch_ahead / size_of(numbers);
        const std::int64_t behind = ahead - strip_.depth;  // from there on, of the next columns
        rhs_[g].read(p, behind < 0 ? ahead : behind + columns * strip_.rhs_column);
        if constexpr (dots) lhs_[g].read(p, behind < 0 ? ahead : behind + columns * strip_.lhs_row);
#pragma clang loop unroll(full)
        for (int q = 0; q < Rhs::depth; ++q) {
          Vector<width> right, left;
          rhs_[g].get(right, q);
          if constexpr (dots) lhs_[g].get(left, q);
          add(sum[g], left, right, p + q);
        }
      }
    if (p == last) return;
    const auto count = static_cast<int>(last - p);
    const bool after = strip_.continues || last >= Rhs::depth;
#pragma clang loop unroll(full)
    for (int g = 0; g < groups; ++g) {
      alignas(32) float rights[Rhs::depth][width], lefts[Rhs::depth][width];
      rhs_[g].read_rest(p, count, after, rights);
      if constexpr (dots) lhs_[g].read_rest(p, count, after, lefts);
#pragma clang loop unroll(disable) vectorize(disable)
      for (int q = 0; q < count; ++q) {
        Vector<width> right, left;
        simd::load<width>(right, rights[q]);
        if constexpr (dots) simd::load<width>(left, lefts[q]);
        add(sum[g], left, right, p + q);
      }
    }
  }
  OCTET_KERNEL_PIECE void add(Vector<width> (&sum)[rows], Vector<width>& left, const Vector<width>& right,
                              std::int64_t p) {
#pragma clang loop unroll(full)
    for (int i = 0; i < rows; ++i) {
      if constexpr (!dots) simd::broadcast<width>(left, strip_.left[p][i]);
      multiply_add<width, fused>(sum[i], left, right);
    }
  }

  const Strip& strip_;
  Rhs rhs_[groups], lhs_[dots ? groups : 1];
};

/// Columns in groups, so that enough sums are independent.
template <int width, bool fused, int rows, OperandNumbers numbers, bool dots>
OCTET_KERNEL_PIECE void multiply_strip(const Strip& strip) {
  constexpr int groups = rows == 1 || (rows == 2 && numbers == OperandNumbers::f32) ? 2 : 1;
  using Several = Group<width, fused, rows, groups, numbers, dots>;
  using One = Group<width, fused, rows, 1, numbers, dots>;
  std::int64_t j = 0;
  if constexpr (groups > 1)
    for (; j + Several::columns <= strip.columns; j += Several::columns) Several::multiply(strip, j, Several::columns);
  for (; j < strip.columns; j += width) One::multiply(strip, j, std::min<std::int64_t>(width, strip.columns - j));
}

using MultiplyStrip = void(const Strip&);

struct Baseline {
  template <int rows, OperandNumbers numbers, bool dots = false>
  static void strip(const Strip& strip) {
    multiply_strip<simd::baseline_width, baseline_fused, rows, numbers, dots>(strip);
  }
};
#if defined(__x86_64__)
struct Avx2 {
  template <int rows, OperandNumbers numbers, bool dots = false>
  [[gnu::target("avx2,fma")]] static void strip(const Strip& strip) {
    multiply_strip<8, true, rows, numbers, dots>(strip);
  }
};
struct Avx512 {
  template <int rows, OperandNumbers numbers, bool dots = false>
  [[gnu::target("avx512f,avx512dq,avx512vl,avx512bw,fma")]] static void strip(const Strip& strip) {
    multiply_strip<8, true, rows, numbers, dots>(strip);
  }
};
#endif

constexpr int dots = 0;  ///< instead of a number of rows

template <class Set, OperandNumbers numbers>
MultiplyStrip* strip_of(int rows) {
  constexpr MultiplyStrip* functions[]{&Set::template strip<1, numbers, true>, &Set::template strip<1, numbers>,
                                       &Set::template strip<2, numbers>, &Set::template strip<3, numbers>,
                                       &Set::template strip<4, numbers>};
  static_assert(std::size(functions) == few_rows + 1);
  return functions[rows];
}

template <class Set>
MultiplyStrip* strip_of(OperandNumbers numbers, int rows) {
  if (numbers == OperandNumbers::f32) return strip_of<Set, OperandNumbers::f32>(rows);
  if (numbers == OperandNumbers::f32_rounded) return strip_of<Set, OperandNumbers::f32_rounded>(rows);
  return strip_of<Set, OperandNumbers::bf16>(rows);
}

MultiplyStrip* strip_of(OperandNumbers numbers, int rows, [[maybe_unused]] Isa isa) {
#if defined(__x86_64__)
  if (isa >= Isa::avx512) return strip_of<Avx512>(numbers, rows);
  if (isa == Isa::avx2) return strip_of<Avx2>(numbers, rows);
#endif
  return strip_of<Baseline>(numbers, rows);
}

}  // namespace

void multiply_columns(const MixedGemm& product, const GemmPlaces& places, std::int64_t out_column, Isa isa) {
  const auto rows = static_cast<int>(product.m);
  MultiplyStrip& multiply = *strip_of(product.rhs_numbers, rows, isa);
  alignas(64) float left[depth_at_once][few_rows];
  for (std::int64_t p = 0; p < product.k; p += depth_at_once) {
    const std::int64_t depth = std::min(depth_at_once, product.k - p);
    set_out(product, places.lhs, rows, p, depth, left);
    multiply({.left = left,
              .rhs = advanced(places.rhs, p, product.rhs_numbers),
              .rhs_column = product.rhs_column,
              .out = places.out,
              .out_row = product.out_row,
              .out_column = out_column,
              .columns = product.n,
              .depth = depth,
              .continues = p > 0});
  }
}

void multiply_dots(const MixedGemm& product, const GemmPlaces& places, const GemmSteps& steps, std::int64_t count,
                   Isa isa) {
  (*strip_of(product.rhs_numbers, dots, isa))({.lhs = places.lhs,
                                               .lhs_row = steps.lhs,
                                               .rhs = places.rhs,
                                               .rhs_column = steps.rhs,
                                               .out = places.out,
                                               .out_column = steps.out,
                                               .columns = count,
                                               .depth = product.k});
}

}  // namespace octet
