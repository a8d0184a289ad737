/// Sixteen bytes that are compared at once. Internal to octet.text.
export module octet.text:sixteen_bytes;
import octet.standard;

export namespace octet::text {

using SixteenBytes = unsigned char __attribute__((vector_size(16)));

inline SixteenBytes sixteen_bytes(const char* from) {
  SixteenBytes bytes;
  std::memcpy(&bytes, from, sizeof bytes);
  return bytes;
}

/// The highest bit of each byte, that of the first byte lowest where numbers begin with their lowest byte.
inline std::uint64_t highest_bits(SixteenBytes bytes) {
#if defined(__wasm_simd128__)
  return __builtin_wasm_bitmask_i8x16(bytes);
#elif defined(__SSE2__) && defined(__clang__)
  return static_cast<std::uint16_t>(__builtin_ia32_pmovmskb128(bytes));
#else
  std::uint64_t halves[2];
  std::memcpy(halves, &bytes, sizeof halves);
  const auto gathered = [](std::uint64_t eight) { return (eight & 0x8080808080808080u) * 0x0002040810204081u >> 56; };
  return gathered(halves[0]) | gathered(halves[1]) << 8;
#endif
}

}  // namespace octet::text
