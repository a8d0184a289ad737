/// What the operations mean that move elements. Each is a map: for each place of the result, the place in the operands
/// that its element comes from, so that the meaning is one for all element types.
module;
#include <xtensor/xarray.hpp>
#include <xtensor/xbroadcast.hpp>
#include <xtensor/xmanipulation.hpp>
#include <xtensor/xstrided_view.hpp>
module octet.graph;
import octet.standard;
import :reference_meaning;
import :reference_scalar;

namespace octet::reference {

namespace {

using Places = xt::xarray<std::int64_t>;

std::vector<std::size_t> unsigned_extents(const Dims& dims) { return {dims.begin(), dims.end()}; }

/// The places of an operand of `shape`, each where it is: `first` and on.
Places places(const Shape& shape, std::int64_t first = 0) {
  Places result = Places::from_shape(unsigned_extents(shape.extents()));
  for (std::int64_t& place : result) place = first++;
  return result;
}

/// The elements of the operands at the places `from`, in its shape.
Tensor moved(std::span<const Tensor> operands, const Places& from) {
  return take(operands, Shape{Dims(from.shape().begin(), from.shape().end())}, std::span{from.data(), from.size()});
}
Tensor moved(const Tensor& operand, const Places& from) { return moved({&operand, 1}, from); }

/// The window that begins at `starts` and is `sizes` long.
xt::xstrided_slice_vector window(const Dims& starts, const Dims& sizes) {
  xt::xstrided_slice_vector result;
  for (std::size_t d = 0; d < starts.size(); ++d) result.push_back(xt::range(starts[d], starts[d] + sizes[d]));
  return result;
}

/// The elements of `operand` within `ranges`, which make up `shape`. xtensor has no views of nothing.
Tensor within(const Tensor& operand, const xt::xstrided_slice_vector& ranges, const Shape& shape) {
  if (shape.elements() == 0) return {operand.dtype(), shape};
  return moved(operand, xt::strided_view(places(operand.shape()), ranges));
}

/// Puts `values` in place of what lies within `ranges`.
void replace(Places& places, const xt::xstrided_slice_vector& ranges, const Places& values) {
  if (values.size() > 0) xt::strided_view(places, ranges) = values;
}

std::vector<Tensor> broadcast_in_dim(const Step& step) {
  const Tensor& operand = step.inputs[0];
  const auto& [shape, dimensions] = step.attributes<BroadcastAttributes>();
  // The operand's dimensions in the order that they have in the result, with extents of 1 between them.
  Dims order, extents(static_cast<std::size_t>(shape.rank()), 1);
  for (std::int64_t d = 0; d < shape.rank(); ++d)
    if (const auto at = std::ranges::find(dimensions, d); at != dimensions.end()) {
      order.push_back(at - dimensions.begin());
      extents[static_cast<std::size_t>(d)] = operand.shape()[order.back()];
    }
  Places from = xt::transpose(places(operand.shape()), order);
  from.reshape(unsigned_extents(extents));
  return {moved(operand, xt::broadcast(from, unsigned_extents(shape.extents())))};
}

std::vector<Tensor> concatenate(const Step& step) {
  return {concatenated(step.inputs, step.attributes<DimensionAttributes>().dimension)};
}

/// Start indices, given as scalars, moved to where a window of `sizes` lies within `shape`.
Dims clamped_starts(std::span<const Tensor> indices, const Shape& shape, const Dims& sizes) {
  Dims starts;
  for (std::size_t d = 0; d < indices.size(); ++d)
    starts.push_back(std::clamp<std::int64_t>(indices[d].converted(DType::i64).span<std::int64_t>()[0], 0,
                                              shape.begin()[d] - sizes[d]));
  return starts;
}

std::vector<Tensor> dynamic_slice(const Step& step) {
  const Tensor& operand = step.inputs[0];
  const Dims& sizes = step.attributes<DynamicSliceAttributes>().slice_sizes;
  const Dims starts = clamped_starts(step.inputs.subspan(1), operand.shape(), sizes);
  return {within(operand, window(starts, sizes), Shape{sizes})};
}

std::vector<Tensor> dynamic_update_slice(const Step& step) {
  const Tensor &operand = step.inputs[0], &update = step.inputs[1];
  const Dims starts = clamped_starts(step.inputs.subspan(2), operand.shape(), update.shape().extents());
  Places from = places(operand.shape());
  replace(from, window(starts, update.shape().extents()), places(update.shape(), operand.elements()));
  return {moved(step.inputs.first(2), from)};
}

/// Operand element i of a dimension comes to low + i * (interior + 1), where the result has such a place.
std::vector<Tensor> pad(const Step& step) {
  const Shape &shape = step.inputs[0].shape(), &result = step.results[0].shape;
  const auto& attributes = step.attributes<PadAttributes>();
  Places from = places(result);
  from.fill(shape.elements());
  xt::xstrided_slice_vector shown, targets;
  bool empty = false;
  for (std::size_t d = 0; d < static_cast<std::size_t>(shape.rank()); ++d) {
    const std::int64_t low = attributes.edge_padding_low[d], stride = attributes.interior_padding[d] + 1;
    const std::int64_t first = low < 0 ? (-low + stride - 1) / stride : 0;
    const std::int64_t room = result.begin()[d] - low;
    const std::int64_t last = std::min(shape.begin()[d], room > 0 ? (room + stride - 1) / stride : 0);
    empty |= last <= first;
    shown.push_back(xt::range(first, last));
    targets.push_back(xt::range(low + first * stride, low + (last - 1) * stride + 1, stride));
  }
  if (!empty) xt::strided_view(from, targets) = xt::strided_view(places(shape), shown);
  return {moved(step.inputs, from)};
}

std::vector<Tensor> reshape(const Step& step) { return {step.inputs[0].reshaped(step.results[0].shape)}; }

std::vector<Tensor> reverse(const Step& step) {
  const Tensor& operand = step.inputs[0];
  if (operand.elements() == 0) return {operand};
  Places from = places(operand.shape());
  for (std::int64_t d : step.attributes<DimensionsAttributes>().dimensions)
    from = Places{xt::flip(from, static_cast<std::size_t>(d))};
  return {moved(operand, from)};
}

std::vector<Tensor> slice(const Step& step) {
  const auto& [starts, limits, strides] = step.attributes<SliceAttributes>();
  xt::xstrided_slice_vector ranges;
  for (std::size_t d = 0; d < starts.size(); ++d) ranges.push_back(xt::range(starts[d], limits[d], strides[d]));
  return {within(step.inputs[0], ranges, step.results[0].shape)};
}

std::vector<Tensor> sort(const Step& step) {
  const Tensor& keys = step.inputs[0];
  const auto& attributes = step.attributes<SortAttributes>();
  const std::int64_t extent = keys.shape()[attributes.dimension];
  const std::int64_t stride = keys.shape().strides()[static_cast<std::size_t>(attributes.dimension)];
  std::vector<std::int64_t> key(static_cast<std::size_t>(keys.elements()));
  visit_dtype(keys.dtype(), [&]<class T>(std::type_identity<T>) {
    std::ranges::transform(keys.span<T>(), key.begin(), scalar::total_order<T>);
  });
  const auto before = [&](std::int64_t a, std::int64_t b) {
    const auto x = key[static_cast<std::size_t>(a)], y = key[static_cast<std::size_t>(b)];
    if (x == y) return a < b;  // stable
    return attributes.direction == SortDirection::ascending ? x < y : y < x;
  };
  std::vector<std::int64_t> from(key.size()), line(static_cast<std::size_t>(extent));
  for (std::int64_t first = 0; first < keys.elements(); ++first) {
    if (first / stride % extent != 0) continue;  // not the first of a line
    for (std::int64_t i = 0; i < extent; ++i) line[static_cast<std::size_t>(i)] = first + i * stride;
    std::ranges::sort(line, before);
    for (std::int64_t i = 0; i < extent; ++i)
      from[static_cast<std::size_t>(first + i * stride)] = line[static_cast<std::size_t>(i)];
  }
  std::vector<Tensor> results;
  for (const Tensor& operand : step.inputs) results.push_back(take({&operand, 1}, operand.shape(), from));
  return results;
}

std::vector<Tensor> transpose(const Step& step) {
  return {transposed(step.inputs[0], step.attributes<TransposeAttributes>().permutation)};
}

constexpr Meaning rows[] = {
    {Op::broadcast_in_dim, broadcast_in_dim},
    {Op::concatenate, concatenate},
    {Op::dynamic_slice, dynamic_slice},
    {Op::dynamic_update_slice, dynamic_update_slice},
    {Op::gather, gather},
    {Op::pad, pad},
    {Op::reshape, reshape},
    {Op::reverse, reverse},
    {Op::scatter, scatter},
    {Op::slice, slice},
    {Op::sort, sort},
    {Op::transpose, transpose},
};

}  // namespace

std::span<const Meaning> movement_meanings() { return rows; }

Tensor take(std::span<const Tensor> operands, const Shape& shape, std::span<const std::int64_t> places) {
  Tensor result{operands[0].dtype(), shape};
  const std::size_t size = size_of(result.dtype());
  std::byte* to = result.mutable_data();
  for (std::int64_t place : places) {
    const Tensor* operand = operands.data();
    for (; place >= operand->elements(); ++operand) place -= operand->elements();
    std::memcpy(to, operand->data() + static_cast<std::size_t>(place) * size, size);
    to += size;
  }
  return result;
}

Tensor transposed(const Tensor& operand, const Dims& permutation) {
  return moved(operand, xt::transpose(places(operand.shape()), permutation));
}

Tensor concatenated(std::span<const Tensor> operands, std::int64_t dimension) {
  Shape shape = operands[0].shape();
  shape[dimension] = 0;
  for (const Tensor& operand : operands) shape[dimension] += operand.shape()[dimension];
  Places from = places(shape);
  Dims starts(static_cast<std::size_t>(shape.rank()), 0);
  std::int64_t first = 0;
  for (const Tensor& operand : operands) {
    replace(from, window(starts, operand.shape().extents()), places(operand.shape(), first));
    starts[static_cast<std::size_t>(dimension)] += operand.shape()[dimension];
    first += operand.elements();
  }
  return moved(operands, from);
}

std::vector<Tensor> split(const Tensor& operand, std::int64_t dimension, std::int64_t count) {
  Dims sizes = operand.shape().extents(), starts(sizes.size(), 0);
  std::int64_t& size = sizes[static_cast<std::size_t>(dimension)];
  size /= count;
  std::vector<Tensor> parts;
  for (std::int64_t part = 0; part < count; ++part) {
    parts.push_back(within(operand, window(starts, sizes), Shape{sizes}));
    starts[static_cast<std::size_t>(dimension)] += size;
  }
  return parts;
}

}  // namespace octet::reference
