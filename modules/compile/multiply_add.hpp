/// What a kernel's inlined pieces are declared with, and their multiply-add. Included behind the imports.
///
/// WebAssembly engines that have relaxed SIMD are given copies of these kernels that use it (OCTET_RELAXED_SIMD): there
/// the engine may round a multiply-add once or twice, as its processor likes best.
#pragma once

#if defined(OCTET_RELAXED_SIMD)
#define OCTET_KERNEL_TARGET [[gnu::target("relaxed-simd")]]
#define OCTET_KERNEL_PIECE [[gnu::always_inline, gnu::target("relaxed-simd")]] inline
#else
#define OCTET_KERNEL_TARGET
#define OCTET_KERNEL_PIECE [[gnu::always_inline]] inline
#endif

namespace octet {

/// sum += a * b, rounded once if `fused`, else twice.
template <int width, bool fused>
OCTET_KERNEL_PIECE void multiply_add(simd::Vector<width>& sum, const simd::Vector<width>& a,
                                     const simd::Vector<width>& b) {
#if defined(OCTET_RELAXED_SIMD)
  sum = __builtin_wasm_relaxed_madd_f32x4(a, b, sum);
#else
  if constexpr (fused)
    sum = __builtin_elementwise_fma(a, b, sum);
  else
    sum = a * b + sum;  // two roundings: the build switches contraction off
#endif
}

/// Whether the baseline's multiply-add is fused.
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA) || defined(OCTET_RELAXED_SIMD)
inline constexpr bool baseline_fused = true;
#else
inline constexpr bool baseline_fused = false;
#endif

}  // namespace octet
