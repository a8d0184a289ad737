/// Numbers of bf16 as the instructions take them that multiply two at a time: AVX-512's in vectors, and AMX's in a
/// matrix unit. Internal to octet.compile.
///
/// They take denormal numbers for zero, and make zero of denormal sums. So packing notes the smallest magnitude of what
/// it packs. Bits of a product lie at multiples of the last places' product, and so do those of sums: where that is at
/// least 2^-126, nothing can become denormal. Where it is less, other instructions multiply, in the same order.
module octet.compile:gemm_pairs;

import octet.base;
import octet.standard;
import :simd;

#include "pairs_target.hpp"

namespace octet::pairs {

/// Exponents of two operands' smallest numbers whose products, and their sums, have no bit below 2^-126.
inline constexpr int least_exponents = -126 + 2 * 7;
/// Stands for denormal numbers' exponents, and for that of 2^-126, which is told for a little less than it is.
inline constexpr int of_denormals = -1000;

/// Where that is less than 2^-126, but at least 2^-149, f32 holds sums exactly even where they are denormal, and so
/// they are the same numbers, only smaller, where all is multiplied by 2^23: then none becomes denormal.
inline constexpr int raise_exponent = 23, least_raised_exponents = least_exponents - raise_exponent;
inline constexpr float raising = 0x1p23f, lowering = 0x1p-23f;

}  // namespace octet::pairs

#if defined(__x86_64__)
namespace octet::pairs {

using Floats = simd::Vector<16>;
using Words [[gnu::vector_size(64)]] = std::uint16_t;
using HalfWords [[gnu::vector_size(32)]] = std::uint16_t;
using Pairs = simd::Bits<16>;  ///< two numbers of bf16 each
using Mask = std::uint16_t;    ///< of 16 lanes

/// sum += the products of the upper halves, then those of the lower ones. Not always_inline: a tile's pieces have no
/// target of their own, and may only call this, not inline it, until they are themselves inlined into a tile.
OCTET_PAIRS_TARGET inline void add_both(Floats& sum, const Pairs& left, const Pairs& right) {
  using Given [[gnu::vector_size(64)]] = __bf16;
  sum = __builtin_ia32_dpbf16ps_512(sum, reinterpret_cast<const Given&>(left), reinterpret_cast<const Given&>(right));
}

/// The least of the magnitudes that are not zero. Twice the bits less one: that drops the sign, and zero becomes the
/// largest.
struct Smallest {
  Pairs of_f32 = Pairs{} - 1u;
  Words of_bf16 = Words{} - static_cast<std::uint16_t>(1);

  OCTET_PAIRS_PIECE void see(const Floats& numbers) {
    const auto bits = reinterpret_cast<Pairs>(numbers);
    of_f32 = __builtin_elementwise_min(of_f32, bits + bits - 1u);
  }
  OCTET_PAIRS_PIECE void see(const Words& numbers) {
    of_bf16 = __builtin_elementwise_min(of_bf16, numbers + numbers - static_cast<std::uint16_t>(1));
  }
  /// One less than it is, of a power of two.
  OCTET_PAIRS_PIECE int exponent() const {
    const std::uint32_t f32 = __builtin_reduce_min(of_f32), bf16 = __builtin_reduce_min(of_bf16);
    const auto biased = static_cast<int>(std::min(f32 >> 24, bf16 >> 8));
    return biased == 0 ? of_denormals : biased - 127;
  }
};

/// The lowest `count` of 16 lanes.
OCTET_PAIRS_PIECE Mask lowest(std::int64_t count) {
  return static_cast<Mask>(count >= 16 ? 0xffffu : count <= 0 ? 0u : (1u << count) - 1u);
}

/// The upper halves are the nearest numbers of bf16; of a NaN the half that tells it from infinity is kept.
OCTET_PAIRS_PIECE Pairs rounded(Floats numbers) {
  const Floats quiet = reinterpret_cast<Floats>(reinterpret_cast<Pairs>(numbers) | 0x0040'0000u);
  numbers = numbers == numbers ? numbers : quiet;
  simd::round_to_bfloat16<16>(numbers);
  return reinterpret_cast<Pairs>(numbers);
}

/// Sixteen numbers at each of two places, one after the other; zeros where a mask has none, and nothing is read. The
/// instruction that rounds two vectors at once makes zero of denormal numbers.
template <bool with_denormals>
OCTET_PAIRS_PIECE Words read_words(const float* low, Mask low_mask, const float* high, Mask high_mask,
                                   Smallest& smallest) {
  const Floats lows = __builtin_ia32_loadups512_mask(low, Floats{}, low_mask);
  const Floats highs = __builtin_ia32_loadups512_mask(high, Floats{}, high_mask);
  smallest.see(lows);
  smallest.see(highs);
  if constexpr (with_denormals)
    return __builtin_shufflevector(reinterpret_cast<Words>(rounded(lows)), reinterpret_cast<Words>(rounded(highs)), 1,
                                   3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31, 33, 35, 37, 39, 41, 43, 45,
                                   47, 49, 51, 53, 55, 57, 59, 61, 63);
  return reinterpret_cast<Words>(__builtin_ia32_cvtne2ps2bf16_512(highs, lows));
}
OCTET_PAIRS_PIECE void read_halves(HalfWords& halves, const bfloat16* from, Mask mask) {
  using Given [[gnu::vector_size(32)]] = short;
  halves = reinterpret_cast<HalfWords>(
      __builtin_ia32_loaddquhi256_mask(reinterpret_cast<const Given*>(from), Given{}, mask));
}
template <bool with_denormals>
OCTET_PAIRS_PIECE Words read_words(const bfloat16* low, Mask low_mask, const bfloat16* high, Mask high_mask,
                                   Smallest& smallest) {
  HalfWords lows, highs;
  read_halves(lows, low, low_mask);
  read_halves(highs, high, high_mask);
  const Words both = __builtin_shufflevector(lows, highs, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17,
                                             18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31);
  smallest.see(both);
  return both;
}

}  // namespace octet::pairs
#endif
