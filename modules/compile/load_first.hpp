/// Loading the first numbers of a vector where an operand ends within it. Included behind the imports.
#pragma once

namespace octet {
namespace {

#if defined(__x86_64__)
/// The first `count` of 16 lanes or of 8, zeros beyond, where nothing is read. Not always_inline: pieces have no target
/// of their own, and may only call these, not inline them, until they are themselves inlined into a function of one.
[[gnu::target("avx512f")]] inline void load_first(simd::Vector<16>& lanes, const float* from, std::int64_t count) {
  lanes = __builtin_ia32_loadups512_mask(from, simd::Vector<16>{}, static_cast<std::uint16_t>((1u << count) - 1u));
}
[[gnu::target("avx2")]] inline void load_first(simd::Vector<8>& lanes, const float* from, std::int64_t count) {
  using Given [[gnu::vector_size(32)]] = int;
  const Given mask = Given{0, 1, 2, 3, 4, 5, 6, 7} < static_cast<int>(count);
  lanes = __builtin_ia32_maskloadps256(reinterpret_cast<const simd::Vector<8>*>(from), mask);
}
template <int width, OperandNumbers numbers>
inline constexpr bool loads_first = width >= 8 && numbers != OperandNumbers::bf16;
#else
template <int width, OperandNumbers numbers>
inline constexpr bool loads_first = false;
#endif

}  // namespace
}  // namespace octet
