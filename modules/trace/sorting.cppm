/// Sorting.
export module octet.trace:sorting;
import octet.base;
import octet.graph;
import octet.standard;
import :array;

export namespace octet {

/// All operands sorted together by the first one. NaNs are the largest, -0 and 0 equal.
std::vector<Array> sort(std::vector<Array> arrays, std::int64_t dimension = -1,
                        SortDirection direction = SortDirection::ascending, bool stable = true,
                        std::source_location where = std::source_location::current());

/// The `count` largest elements along the last dimension, the largest first, and where they are (i32); of equal ones
/// the first. NaNs are the largest. As jax.lax.top_k. Throws X403 for a count below 0 or beyond the extent.
struct Largest {
  Array values;   ///< […, count]
  Array indices;  ///< […, count]
};
Largest top_k(operand x, std::int64_t count);

/// The order (i32) that sorts `x` along `dimension`, of equal ones as they stand. NaNs are the largest, -0 and 0 equal.
Array argsort(operand x, std::int64_t dimension = -1, SortDirection direction = SortDirection::ascending);

}  // namespace octet

namespace octet {

/// What `x` is sorted by, where all that is equal counts as one: 0 for -0, and for each NaN a positive one, the
/// largest.
Array sorting_key(const Array& x);
/// Sorted together by the bits of the first one: -0 before 0, and a NaN by its sign, which is not the same on all
/// machines where arithmetic made it.
std::vector<Array> sort_by_bits(std::vector<Array> arrays, const SortAttributes& how, const Place& place);

}  // namespace octet
