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

/// Each lane rounded as octet::rounded_to_bfloat16 does, where none is a NaN.
template <int width>
[[gnu::always_inline]] inline void round_number_to_bfloat16(Vector<width>& value) {
  const auto bits = reinterpret_cast<Bits<width>>(value);
  value = reinterpret_cast<Vector<width>>((bits + 0x7fffu + ((bits >> 16) & 1u)) & 0xffff'0000u);
}

/// The same for any lanes: a NaN is left as it is.
template <int width>
[[gnu::always_inline]] inline void round_to_bfloat16(Vector<width>& value) {
  Vector<width> rounded = value;
  round_number_to_bfloat16<width>(rounded);
  value = value == value ? rounded : value;
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

/// The four quarters of both operands at such places, counted through both, side by side.
template <int width, int... quarter, int... lane>
[[gnu::always_inline]] inline void pick_quarters(Vector<width>& result, const Vector<width>& a, const Vector<width>& b,
                                                 std::integer_sequence<int, lane...>) {
  constexpr int from[]{quarter...}, size = width / 4;
  result = __builtin_shufflevector(a, b, (from[lane / size] * size + lane % size)...);
}

/// Rows r and r + 4 t exchange parts until vector 4 q + r holds, side by side, the four columns from 4 q on of rows r,
/// r + 4, r + 8, ...: one round for vectors of 8, two for 16.
template <int width>
[[gnu::always_inline]] inline void gather_squares(Vector<width> (&rows)[width]) {
  constexpr auto lanes = std::make_integer_sequence<int, width>{};
  if constexpr (width == 8) {
#pragma clang loop unroll(full)
    for (int r = 0; r < 4; ++r) {
      const Vector<width> upper = rows[r], lower = rows[r + 4];
      pick_quarters<width, 0, 1, 4, 5>(rows[r], upper, lower, lanes);
      pick_quarters<width, 2, 3, 6, 7>(rows[r + 4], upper, lower, lanes);
    }
  } else if constexpr (width == 16) {
#pragma clang loop unroll(full)
    for (int r = 0; r < 4; ++r) {
      Vector<width> left[2], right[2];  // columns 0 to 7 and 8 to 15, of rows r and r + 4, and of r + 8 and r + 12
#pragma clang loop unroll(full)
      for (int i = 0; i < 2; ++i) {
        pick_quarters<width, 0, 1, 4, 5>(left[i], rows[r + 8 * i], rows[r + 8 * i + 4], lanes);
        pick_quarters<width, 2, 3, 6, 7>(right[i], rows[r + 8 * i], rows[r + 8 * i + 4], lanes);
      }
      pick_quarters<width, 0, 2, 4, 6>(rows[r], left[0], left[1], lanes);
      pick_quarters<width, 1, 3, 5, 7>(rows[r + 4], left[0], left[1], lanes);
      pick_quarters<width, 0, 2, 4, 6>(rows[r + 8], right[0], right[1], lanes);
      pick_quarters<width, 1, 3, 5, 7>(rows[r + 12], right[0], right[1], lanes);
    }
  }
}
}  // namespace detail

/// rows[i][j] becomes rows[j][i], where rows are as gather_squares leaves them: within squares of four, which vectors
/// interleave by one instruction, row i with row i + 2 moves one bit of the row number into the lane number; done
/// twice, the two have changed places.
template <int width>
[[gnu::always_inline]] inline void transpose_squares(Vector<width> (&rows)[width]) {
  constexpr auto lanes = std::make_integer_sequence<int, width>{};
  constexpr int size = width < 4 ? width : 4, squares = width / size;
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

/// rows[i][j] becomes rows[j][i]. Before squares are transposed, those of wider vectors change places.
template <int width>
[[gnu::always_inline]] inline void transpose(Vector<width> (&rows)[width]) {
  detail::gather_squares<width>(rows);
  transpose_squares<width>(rows);
}

}  // namespace octet::simd
