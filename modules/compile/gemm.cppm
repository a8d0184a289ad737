/// Matrix products: the one loop nest in which nearly all of a training step's arithmetic happens.
///
/// What is computed: out[i, j] = sum over p of lhs[i, p] * rhs[p, j].
/// In what order: the products of one output element are added in f32, in increasing p, starting from +0. Those of bf16
/// numbers are added in chains of 16, each from +0; then two chains to each other, and such blocks of 32 in increasing
/// order: that is how matrix units of processors (Intel's AMX) add. Tiles, threads and vector width decide which
/// elements are computed together, never the order within one.
///
/// If the operands are rounded to bf16 first, each product has at most 16 significant bits and is exact in f32, so a
/// fused multiply-add and a separate multiply and add give the same bits on every instruction set. (The exception:
/// products below 2^-134 or from 2^128 up, which f32 does not hold; the separate multiply rounds those, the fused one
/// does not.) Instructions that add two such products do so one after the other. Without rounding, instruction sets
/// that fuse differ from those that do not; fuses_multiply_add tells which is which. A NaN stays a NaN everywhere; its
/// payload is not promised.
export module octet.compile:gemm;

import octet.base;
import octet.standard;
import :cpu;

export namespace octet {

/// A product of [m, k] and [k, n], and where its operands lie. Strides count elements and may have any value, 0 too.
/// `lhs[i, p]` is at `lhs[i * lhs_row + p * lhs_column]`, `rhs[p, j]` at `rhs[p * rhs_row + j * rhs_column]`,
/// `out[i, j]` at `out[i * out_row + j]`. The output overlaps neither operand.
struct Gemm {
  std::int64_t m = 0, n = 0, k = 0;
  std::int64_t lhs_row = 0, lhs_column = 1;
  std::int64_t rhs_row = 0, rhs_column = 1;
  std::int64_t out_row = 0;
  /// Round operands to the nearest bf16, ties to even, and add their products in chains: a TPU's default precision.
  bool round_to_bfloat16 = false;
};

/// Bytes of scratch memory that one call on `product` needs, on as many threads.
std::size_t gemm_workspace(const Gemm& product, unsigned threads = 1);

/// Computes `product` on the calling thread. Allocates nothing; what `workspace` holds before does not matter, its
/// alignment neither. Operands may be null where their extent is zero. `isa` is one of available_isas().
void gemm(const Gemm& product, const float* lhs, const float* rhs, float* out, std::span<std::byte> workspace, Isa isa);

/// The same bits, the output divided among `threads`; `workspace` has gemm_workspace(product, threads.count()) bytes.
void gemm(const Gemm& product, const float* lhs, const float* rhs, float* out, std::span<std::byte> workspace, Isa isa,
          Threads& threads);

/// The same definition for every other element type, written plainly. Integers wrap around; nothing is rounded to bf16.
template <class T>
void plain_gemm(const Gemm& product, const T* lhs, const T* rhs, T* out) {
  using Number = std::conditional_t<std::is_integral_v<T>, std::uint64_t, T>;
  for (std::int64_t i = 0; i < product.m; ++i) {
    T* const row = out + i * product.out_row;
    std::fill_n(row, product.n, T{});
    for (std::int64_t p = 0; p < product.k; ++p) {
      const auto left = static_cast<Number>(lhs[i * product.lhs_row + p * product.lhs_column]);
      for (std::int64_t j = 0; j < product.n; ++j) {
        const auto right = static_cast<Number>(rhs[p * product.rhs_row + j * product.rhs_column]);
        row[j] = static_cast<T>(static_cast<Number>(row[j]) + left * right);
      }
    }
  }
}

}  // namespace octet
