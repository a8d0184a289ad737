/// Rule 2: what NumPy gives in as many elements as the data asks for. XLA allocates every buffer before any value
/// exists, so these functions take a bound: the result has that many elements, the first ones as in jax.numpy, the rest
/// a fill value. Without the bound they are refused by the compiler.
module;

#include "refused.hpp"
export module octet.trace:bounded;
import octet.base;
import octet.graph;
import octet.standard;
import :array;
import :valueless;

export namespace octet {

/// How many elements a result has that the data would decide, and what stands where the data gives none.
struct Bound {
  std::int64_t size;                 ///< at least 0; what lies beyond it is cut off
  std::optional<operand> fill = {};  ///< of the result's element type
};

/// The different elements of `x`, of any shape, in increasing order: `[size]`, as jax.numpy.unique. NaNs are one
/// element and come last, -0 and 0 are one. Without a fill the rest repeats the least element. Throws X205 for a
/// negative size, and where an empty `x` has no least element to fill with.
Array unique(operand x, Bound bound);
/// Where `x` is not zero (a NaN is not), in row-major order: the index in each dimension, i32 `[size]` each, as
/// jax.numpy.nonzero. Without a fill the rest is 0, which is an index as good as any: mask by
/// `iota({DType::i32, {size}}, 0) < sum(cast<std::int32_t>(x != 0))` what must not count. Throws X205 for a negative
/// size, X403 for a scalar.
std::vector<Array> nonzero(operand x, Bound bound);
/// The same indices as rows, i32 `[size, rank]`, as jax.numpy.argwhere.
Array argwhere(operand x, Bound bound);

/// How many rows a repetition has that the data would decide.
struct RepeatBound {
  std::int64_t total;
  std::int64_t dimension = 0;
};

/// Row i of `x` along a dimension, `counts[i]` times (integers [n], or one for all; below 0 is 0): `total` rows, as
/// jax.numpy.repeat with total_repeat_length. What lies beyond `total` is cut off; where the counts give fewer, the
/// last row of `x` fills the rest. Throws X205 for a negative total or no rows to repeat, X401 where the counts are not
/// one for each row.
Array repeat(operand x, const Array& counts, RepeatBound bound);
/// Each row `count` times, which the host knows: `[n, …]` → `[n · count, …]` for dimension 0.
Array repeat(operand x, std::integral auto count, std::int64_t dimension = 0);
Array repeat_each(operand x, std::int64_t count, std::int64_t dimension);

/// The sums of all elements up to and with each, along `dimension`, as numpy.cumsum: [.., n, ..] → [.., n, ..].
Array cumulative_sum(operand x, std::int64_t dimension = -1);

// Without a bound they are refused.

template <has_no_value A, class Here = decltype([] {})>
OCTET_REFUSED(OCTET_NO_UNIQUE)
Array unique(const A&) {
  static_assert(never<A, Here>, OCTET_NO_UNIQUE);
  return {};
}
template <has_no_value A, class Here = decltype([] {})>
OCTET_REFUSED(OCTET_NO_NONZERO)
std::vector<Array> nonzero(const A&) {
  static_assert(never<A, Here>, OCTET_NO_NONZERO);
  return {};
}
template <has_no_value A, class Here = decltype([] {})>
OCTET_REFUSED(OCTET_NO_ARGWHERE)
Array argwhere(const A&) {
  static_assert(never<A, Here>, OCTET_NO_ARGWHERE);
  return {};
}
template <has_no_value A, class Here = decltype([] {})>
OCTET_REFUSED(OCTET_NO_WHERE)
std::vector<Array> where(const A&) {
  static_assert(never<A, Here>, OCTET_NO_WHERE);
  return {};
}
template <has_no_value A, class Here = decltype([] {})>
OCTET_REFUSED(OCTET_NO_REPEAT)
Array repeat(const A&, const A&) {
  static_assert(never<A, Here>, OCTET_NO_REPEAT);
  return {};
}
/// Along a dimension.
template <has_no_value A, std::integral Dimension, class Here = decltype([] {})>
OCTET_REFUSED(OCTET_NO_REPEAT)
Array repeat(const A&, const A&, Dimension) {
  static_assert(never<A, Here>, OCTET_NO_REPEAT);
  return {};
}

}  // namespace octet

namespace octet {

Array repeat(operand x, std::integral auto count, std::int64_t dimension) {
  return repeat_each(x, static_cast<std::int64_t>(count), dimension);
}

}  // namespace octet
