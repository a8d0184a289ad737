/// Functions that combine elements along dimensions. Without dimensions: along all of them. A negative one counts from
/// the end.
module;

#include "refused.hpp"
export module octet.trace:reduction;
import octet.base;
import octet.graph;
import octet.standard;
import :array;
import :valueless;

export namespace octet {

/// Combines with `reducer`, starting from its neutral element; the dimensions leave the shape unless `keep` says they
/// stay as 1.
Array reduce(operand x, Reducer reducer, Dims dimensions, bool keep = false);

Array sum(operand x);
Array sum(operand x, Dims dimensions, bool keep = false);
Array mean(operand x);
Array mean(operand x, Dims dimensions, bool keep = false);
Array max(operand x);
Array max(operand x, Dims dimensions, bool keep = false);
Array min(operand x);
Array min(operand x, Dims dimensions, bool keep = false);
/// The mean of the squared distance from the mean: divided by the number of elements, as numpy.var.
Array variance(operand x);
Array variance(operand x, Dims dimensions, bool keep = false);
Array product(operand x, Dims dimensions, bool keep = false);
template <class Other, class... More, class Here = decltype([] {})>
  requires(std::is_arithmetic_v<Other> || std::derived_from<Other, operand>)
OCTET_REFUSED(OCTET_NO_LARGEST_OF_TWO)
Array max(operand, const Other&, const More&...) {
  static_assert(never<Here>, OCTET_NO_LARGEST_OF_TWO);
  return {};
}
template <class Other, class... More, class Here = decltype([] {})>
  requires(std::is_arithmetic_v<Other> || std::derived_from<Other, operand>)
OCTET_REFUSED(OCTET_NO_LARGEST_OF_TWO)
Array min(operand, const Other&, const More&...) {
  static_assert(never<Here>, OCTET_NO_LARGEST_OF_TWO);
  return {};
}
/// Of pred arrays; X402 for others.
Array all(operand x);
Array all(operand x, Dims dimensions);
Array any(operand x);
Array any(operand x, Dims dimensions);

/// Along one dimension. Not of max and min, which would be read as the larger of two: that is maximum(x, 0).
template <class Dimension>
concept dimension_number = std::integral<Dimension> && !std::same_as<Dimension, bool>;
Array sum(operand x, dimension_number auto dimension, bool keep = false) {
  return sum(std::move(x), Dims{dimension}, keep);
}
Array mean(operand x, dimension_number auto dimension, bool keep = false) {
  return mean(std::move(x), Dims{dimension}, keep);
}
Array variance(operand x, dimension_number auto dimension, bool keep = false) {
  return variance(std::move(x), Dims{dimension}, keep);
}
Array all(operand x, dimension_number auto dimension) { return all(std::move(x), Dims{dimension}); }
Array any(operand x, dimension_number auto dimension) { return any(std::move(x), Dims{dimension}); }

/// The index (i32) of the largest element along `dimension`; the first of equals, a NaN before all numbers: […, n, …] →
/// […]. Of truth values the first that holds, and 0 where none does. Throws X403 where there is no element to name.
Array argmax(operand x, std::int64_t dimension = -1);
/// The same of the smallest; of truth values the first that does not hold.
Array argmin(operand x, std::int64_t dimension = -1);

/// exp(x - max) / sum of the same, along `dimension`.
Array softmax(operand x, std::int64_t dimension = -1);
/// The logarithm of the sum of exp(x) along `dimensions`, the last one where none are said, which leave the shape
/// unless `keep` says they stay as 1; the largest is taken out first, so that none overflows, and of nothing but -inf
/// it is -inf.
Array log_sum_exp(operand x, Dims dimensions = {-1}, bool keep = false);
Array log_sum_exp(operand x, dimension_number auto dimension, bool keep = false) {
  return log_sum_exp(std::move(x), Dims{dimension}, keep);
}
/// x - log of the sum of exp(x), along `dimension`.
Array log_softmax(operand x, std::int64_t dimension = -1);

}  // namespace octet
