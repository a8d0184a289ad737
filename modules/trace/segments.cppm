/// Rows combined by the segment each belongs to, as jax.ops has them: of `x` [n, …] by `segments` [n] of integers, to
/// [count, …]. Rows of no such segment have no part in it. Throws X401 where there is not a segment for each row, X402
/// for segments that are no whole numbers.
export module octet.trace:segments;
import octet.base;
import octet.standard;
import :array;

export namespace octet {

/// A segment without rows is 0.
Array segment_sum(operand x, operand segments, std::int64_t count);
/// The largest of each segment; of one without rows -inf, of integers the least there is. Equals share the derivative.
Array segment_max(operand x, operand segments, std::int64_t count);
/// The smallest; of a segment without rows inf, of integers the largest there is.
Array segment_min(operand x, operand segments, std::int64_t count);

}  // namespace octet
