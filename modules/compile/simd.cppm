/// Vectors of f32 by the compiler's own vector type, so that one source serves every instruction set.
///
/// Everything here is a template that must be inlined into a function carrying the `target` attribute of the
/// instruction set it is meant for. Vectors go by reference: by value, a wide vector would change the calling
/// convention.
module octet.compile:simd;
import octet.base;
import octet.standard;

namespace octet::simd {

template <int width>
using Vector [[gnu::vector_size(width * sizeof(float))]] = float;
template <int width>
using Bits [[gnu::vector_size(width * sizeof(float))]] = std::uint32_t;

/// The vector width that every build of this processor family has.
inline constexpr int baseline_width = 4;

/// Whether memory can be asked for before it is read: WebAssembly has no instruction for that.
#if defined(__wasm__)
inline constexpr bool can_prefetch = false;
#else
inline constexpr bool can_prefetch = true;
#endif

/// Has what is there fetched into the cache: in WebAssembly by reading it.
[[gnu::always_inline]] inline void prefetch(const std::byte* at) {
#if defined(__wasm__)
  static_cast<void>(*static_cast<const volatile std::byte*>(at));
#else
  __builtin_prefetch(at);
#endif
}

/// Reads from an address of any alignment.
template <int width>
[[gnu::always_inline]] inline void load(Vector<width>& value, const float* from) {
  std::memcpy(&value, from, sizeof value);
}

/// Reads bf16, which is the upper half of an f32.
template <int width>
[[gnu::always_inline]] inline void load(Vector<width>& value, const bfloat16* from) {
  using Halves [[gnu::vector_size(width * sizeof(std::uint16_t))]] = std::uint16_t;
  Halves halves;
  std::memcpy(&halves, from, sizeof halves);
  value = reinterpret_cast<Vector<width>>(__builtin_convertvector(halves, Bits<width>) << 16);
}

template <int width>
[[gnu::always_inline]] inline void store(float* to, const Vector<width>& value) {
  std::memcpy(to, &value, sizeof value);
}

/// All lanes equal to `scalar`, its sign included: subtracting +0 changes no number, adding it would lose -0.
template <int width>
[[gnu::always_inline]] inline void broadcast(Vector<width>& value, float scalar) {
  value = scalar - Vector<width>{};
}

/// Each lane rounded as octet::rounded_to_bfloat16 does, but that a NaN is left as it is.
template <int width>
[[gnu::always_inline]] inline void round_to_bfloat16(Vector<width>& value) {
  const auto bits = reinterpret_cast<Bits<width>>(value);
  const Bits<width> rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) & 0xffff'0000u;
  value = value == value ? reinterpret_cast<Vector<width>>(rounded) : value;
}

namespace detail {
/// Of each of `parts` parts of both operands the first (`upper` 0) or second half of the lanes, interleaved: a0 b0 a1
/// b1 ...
template <int width, int parts, int upper, int... lane>
[[gnu::always_inline]] inline void interleave(Vector<width>& result, const Vector<width>& a, const Vector<width>& b,
                                              std::integer_sequence<int, lane...>) {
  constexpr int size = width / parts;
  result =
      __builtin_shufflevector(a, b, (lane / size * size + upper * size / 2 + lane % size / 2 + lane % 2 * width)...);
}
}  // namespace detail

/// rows[i][j] becomes rows[j][i]. Interleaving row i with row i + width/2 moves one bit of the row number into the lane
/// number; done log2(width) times, the two have changed places. Vectors of eight are two halves, each of which
/// interleaves by one instruction: there the halves change places first, and then squares of four are turned over.
template <int width>
[[gnu::always_inline]] inline void transpose(Vector<width> (&rows)[width]) {
  constexpr auto lanes = std::make_integer_sequence<int, width>{};
  constexpr int squares = width == 8 ? 2 : 1, size = width / squares;
  if constexpr (squares == 2)
#pragma clang loop unroll(full)
    for (int i = 0; i < size; ++i) {
      const Vector<width> upper = rows[i], lower = rows[i + size];
      rows[i] = __builtin_shufflevector(upper, lower, 0, 1, 2, 3, 8, 9, 10, 11);
      rows[i + size] = __builtin_shufflevector(upper, lower, 4, 5, 6, 7, 12, 13, 14, 15);
    }
#pragma clang loop unroll(full)
  for (int round = 1; round < size; round *= 2) {
    Vector<width> next[width];
#pragma clang loop unroll(full)
    for (int i = 0; i < width; ++i) {
      const int first = i / size * size + i % size / 2;
      if (i % 2 == 0)
        detail::interleave<width, squares, 0>(next[i], rows[first], rows[first + size / 2], lanes);
      else
        detail::interleave<width, squares, 1>(next[i], rows[first], rows[first + size / 2], lanes);
    }
#pragma clang loop unroll(full)
    for (int i = 0; i < width; ++i) rows[i] = next[i];
  }
}

}  // namespace octet::simd
