/// What a matrix product is to be, written plainly, and operands to try it with. Included behind the imports and the
/// standard's headers.
#pragma once

namespace {

using namespace octet;

/// An operand [rows, columns] in memory of exactly its size, so that the address sanitizer sees a read beyond it.
struct Operand {
  std::int64_t row, column;
  std::unique_ptr<float[]> numbers;
  const float* data() const { return numbers.get(); }
};

/// Numbers of either sign and of magnitudes from 2^-8 to 2^8, the same on every machine.
struct Numbers {
  std::uint64_t state;
  float next() {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const auto mantissa = static_cast<std::uint32_t>(state >> 33) & 0x7f'ffffu;
    const auto exponent = static_cast<std::uint32_t>(127 - 8 + (state >> 56) % 17);
    const auto sign = static_cast<std::uint32_t>(state >> 63);
    return std::bit_cast<float>(sign << 31 | exponent << 23 | mantissa);
  }
};

enum class Layout { rows, columns, gaps };  // row by row; column by column; neither direction adjacent

Operand drawn_operand(std::int64_t rows, std::int64_t columns, Layout layout, std::uint64_t seed) {
  Operand result{};
  if (layout == Layout::rows) result.row = columns, result.column = 1;
  if (layout == Layout::columns) result.row = 1, result.column = rows;
  if (layout == Layout::gaps) result.row = columns * 3 + 5, result.column = 3;
  const bool empty = rows == 0 || columns == 0;
  const std::int64_t size = empty ? 0 : (rows - 1) * result.row + (columns - 1) * result.column + 1;
  result.numbers = std::make_unique<float[]>(static_cast<std::size_t>(size));
  Numbers numbers{seed};
  for (std::int64_t at = 0; at < size; ++at) result.numbers[static_cast<std::size_t>(at)] = numbers.next();
  return result;
}

Gemm product(std::int64_t m, std::int64_t n, std::int64_t k, const Operand& lhs, const Operand& rhs, bool round) {
  return {.m = m,
          .n = n,
          .k = k,
          .lhs_row = lhs.row,
          .lhs_column = lhs.column,
          .rhs_row = rhs.row,
          .rhs_column = rhs.column,
          .out_row = n + 3,
          .round_to_bfloat16 = round};
}

constexpr float untouched = -7.5f;
std::vector<float> empty_output(const Gemm& g) {
  return std::vector<float>(static_cast<std::size_t>(g.m * g.out_row), untouched);
}

/// The definition.
std::vector<float> triple_loop(const Gemm& g, const float* lhs, const float* rhs, bool fused) {
  std::vector<float> out = empty_output(g);
  for (std::int64_t i = 0; i < g.m; ++i)
    for (std::int64_t j = 0; j < g.n; ++j) {
      const auto chain = [&](std::int64_t first, std::int64_t last) {
        float sum = 0;
        for (std::int64_t p = first; p < std::min(last, g.k); ++p) {
          float a = lhs[i * g.lhs_row + p * g.lhs_column], b = rhs[p * g.rhs_row + j * g.rhs_column];
          if (g.round_to_bfloat16) a = rounded_to_bfloat16(a), b = rounded_to_bfloat16(b);
          sum = fused ? std::fma(a, b, sum) : sum + a * b;
        }
        return sum;
      };
      float sum = 0;
      if (g.round_to_bfloat16)
        for (std::int64_t p = 0; p < g.k; p += 32) sum += chain(p, p + 16) + chain(p + 16, p + 32);
      else
        sum = chain(0, g.k);
      out[static_cast<std::size_t>(i * g.out_row + j)] = sum;
    }
  return out;
}

std::vector<float> computed(const Gemm& g, const float* lhs, const float* rhs, Isa isa, unsigned threads = 1) {
  std::vector<float> out = empty_output(g);
  // A workspace of exactly the promised size, at an odd address.
  const std::size_t bytes = gemm_workspace(g, threads);
  const auto memory = std::make_unique<std::byte[]>(bytes + 1);
  std::fill_n(memory.get(), bytes + 1, std::byte{0xff});  // NaN, in whatever is read before it is written
  const std::span workspace{memory.get() + 1, bytes};
  if (threads == 1) {
    gemm(g, lhs, rhs, out.data(), workspace, isa);
  } else {
    Threads pool{threads};
    gemm(g, lhs, rhs, out.data(), workspace, isa, pool);
  }
  return out;
}

/// Equal bits, where all NaN count as equal.
bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t at = 0; at < a.size(); ++at)
    if (std::bit_cast<std::uint32_t>(a[at]) != std::bit_cast<std::uint32_t>(b[at]) &&
        !(std::isnan(a[at]) && std::isnan(b[at])))
      return false;
  return true;
}

/// Whether `out` is what the definition gives on `isa`. Relaxed SIMD may fuse or not, as the machine likes.
[[maybe_unused]] bool by_definition(const std::vector<float>& out, const Gemm& g, const float* lhs, const float* rhs,
                                    Isa isa) {
  if (same_bits(out, triple_loop(g, lhs, rhs, !g.round_to_bfloat16 && fuses_multiply_add(isa)))) return true;
  return name(isa) == "relaxed simd128" && same_bits(out, triple_loop(g, lhs, rhs, false));
}

struct Extents {
  std::int64_t m, n, k;
};

}  // namespace
