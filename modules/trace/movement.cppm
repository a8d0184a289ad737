/// Functions that move and choose elements without computing with them. A negative dimension counts from the end.
module;

#include "refused.hpp"
export module octet.trace:movement;
import octet.base;
import octet.graph;
import octet.standard;
import :array;
import :valueless;

export namespace octet {

/// The same elements in row-major order under another shape; one extent may be -1, and is then inferred.
Array reshape(operand x, Dims shape);
/// To the shape of another: `reshape(x, y.shape())`.
Array reshape(operand x, const std::same_as<Shape> auto& shape) { return reshape(std::move(x), shape.extents()); }
/// The same without braces: `reshape(x, -1)`, `reshape(x, 2, 3)`.
template <std::integral... Extents>
  requires(sizeof...(Extents) > 0 && !(std::same_as<Extents, bool> || ...))
Array reshape(operand x, Extents... extents) {
  return reshape(std::move(x), Dims{static_cast<std::int64_t>(extents)...});
}
/// Result dimension i is operand dimension permutation[i].
Array transpose(operand x, Dims permutation);
/// The dimensions in reverse order.
Array transpose(operand x);
template <std::integral Dimension, class... More, class Here = decltype([] {})>
OCTET_REFUSED(OCTET_NO_PERMUTATION)
Array transpose(operand, Dimension, More...) {
  static_assert(never<Here>, OCTET_NO_PERMUTATION);
  return {};
}
/// The last two dimensions exchanged.
Array matrix_transpose(operand x);
/// Broadcast as NumPy does, to `shape`.
Array broadcast_to(operand x, Dims shape);
Array broadcast_to(operand x, const std::same_as<Shape> auto& shape) {
  return broadcast_to(std::move(x), shape.extents());
}
/// Operand dimension i becomes result dimension dimensions[i]; the others repeat it.
Array broadcast_in_dim(operand x, Shape shape, Dims dimensions);
/// A dimension of extent 1 before `dimension`.
Array expand_dims(operand x, std::int64_t dimension);
/// Without `dimension`, whose extent is 1, or X401.
Array squeeze(operand x, std::int64_t dimension);
/// Without all of its dimensions of extent 1.
Array squeeze(operand x);
/// Two dimensions exchanged.
Array swap_axes(operand x, std::int64_t first, std::int64_t second);
/// Elements start, start + stride, … below limit, in every dimension.
Array slice(operand x, Dims start, Dims limit, Dims strides = {});
/// Elements start … limit - 1 of one dimension.
Array slice_in_dim(operand x, std::int64_t start, std::int64_t limit, std::int64_t dimension);
Array concatenate(const std::vector<Array>& arrays, std::int64_t dimension,
                  std::source_location where = std::source_location::current());
/// Arrays of one type side by side along a new dimension before `dimension`.
Array stack(const std::vector<Array>& arrays, std::int64_t dimension = 0,
            std::source_location where = std::source_location::current());
template <std::derived_from<operand> A, std::derived_from<operand> B, class... More, class Here = decltype([] {})>
OCTET_REFUSED(OCTET_NO_LIST("concatenate"))
Array concatenate(const A&, const B&, const More&...) {
  static_assert(never<Here>, OCTET_NO_LIST("concatenate"));
  return {};
}
template <std::derived_from<operand> A, std::derived_from<operand> B, class... More, class Here = decltype([] {})>
OCTET_REFUSED(OCTET_NO_LIST("stack"))
Array stack(const A&, const B&, const More&...) {
  static_assert(never<Here>, OCTET_NO_LIST("stack"));
  return {};
}
/// `parts` equal parts along `dimension`, or X401.
std::vector<Array> split(operand x, std::int64_t parts, std::int64_t dimension = 0);
/// Elements moved `distance` on along `dimension`, those that leave at its end first: as numpy.roll.
Array roll(operand x, std::int64_t distance, std::int64_t dimension = -1);
/// `low` and `high` elements of `value` before and after each dimension, `interior` between neighbours.
Array pad(operand x, operand value, Dims low, Dims high, Dims interior = {});
Array reverse(operand x, Dims dimensions);
/// A window of `sizes` that starts at `starts` (scalar integers, one for each dimension); clamped into the operand.
Array dynamic_slice(operand x, std::vector<Array> starts, Dims sizes);
/// `x` with the window that starts at `starts` replaced by `update`; clamped into the operand.
Array dynamic_update_slice(operand x, const Array& update, std::vector<Array> starts);
Array gather(operand x, const Array& indices, GatherAttributes attributes);
Array scatter(operand x, const Array& indices, const Array& updates, ScatterAttributes attributes);
/// The lower or upper triangle of the matrices in the last two dimensions: elements [i, j] with j - i at most, or at
/// least, `diagonal`; the others are 0. As numpy.tril and triu.
Array lower_triangle(operand x, std::int64_t diagonal = 0);
Array upper_triangle(operand x, std::int64_t diagonal = 0);
/// 1 where the last dimension is the class that `ids` […] of integers names: […, classes], as jax.nn.one_hot. All 0 for
/// what is no class.
Array one_hot(operand ids, std::int64_t classes, DType dtype = DType::f32);
/// The unit matrix [n, n], as numpy.eye.
Array eye(std::int64_t n, DType dtype = DType::f32, std::source_location where = std::source_location::current());
/// Rows of `table` [n, …] by `indices` […] of integers: [indices…, …]. Indices are clamped to 0 … n - 1.
Array take(operand table, operand indices);
/// Element `index` of the leading axis, as table[index]: a negative one counts from the end, and X403 says where there
/// is none.
Array take(const std::same_as<Array> auto& table, HostIndex index) { return table[index]; }
template <class Number, class Here = decltype([] {})>
  requires(std::floating_point<Number> || std::same_as<Number, bool>)
OCTET_REFUSED(OCTET_NO_POSITION)
Array take(operand, Number) {
  static_assert(never<Number, Here>, OCTET_NO_POSITION);
}
/// Along the last dimension, the element that `indices` (the shape of `x` without the last dimension, or X401) names.
Array take_along_last(operand x, operand indices);
/// The elements of `x` at `indices` along `dimension`, as numpy.take_along_axis: of the shape of `indices`, which is
/// that of `x` but along `dimension`, or 1 for the same indices everywhere; X401 for another one. Indices are clamped.
Array take_along_axis(operand x, operand indices, std::int64_t dimension = -1);

}  // namespace octet

namespace octet {

/// `dimension` counted from the start; what is beyond is left as it was written, and refused so.
std::int64_t from_start(std::int64_t dimension, std::int64_t rank);

}  // namespace octet
