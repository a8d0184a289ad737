module octet.trace;
import octet.base;
import octet.graph;
import octet.standard;
import :batching;

namespace octet {

Shape of_examples(std::int64_t size, const Shape& shape) {
  Dims extents = shape.extents();
  extents.insert(extents.begin(), size);
  return Shape{extents};
}

Array for_each_example(const Batched& value, std::int64_t size) {
  if (value.each) return value.array;
  const Shape& one = value.array.shape();
  Dims places;
  for (std::int64_t d = 0; d < one.rank(); ++d) places.push_back(d + 1);
  return broadcast_in_dim(value.array, of_examples(size, one), places);
}

Array spread(const Array& value, const Shape& shape) { return broadcast_in_dim(value, shape, {0}); }

Array Batch::each(std::size_t i) const { return for_each_example(inputs[i], size); }

BatchedValues Batch::applied(std::vector<Array> operands, Attributes with) const {
  BatchedValues results;
  for (Array& result : apply(op, std::move(operands), std::move(with), place))
    results.push_back({std::move(result), true});
  return results;
}

namespace batching_rules {

namespace {

/// Dimensions of one example, counted with the examples before them.
Dims after(Dims dims) {
  for (std::int64_t& d : dims) ++d;
  return dims;
}
/// `first`, and then `rest`.
Dims joined(std::int64_t first, const Dims& rest) {
  Dims dims{first};
  dims.insert(dims.end(), rest.begin(), rest.end());
  return dims;
}
/// 0 to n - 1, all but those in `some`.
Dims others(std::int64_t n, const Dims& some) {
  Dims dims;
  for (std::int64_t d = 0; d < n; ++d)
    if (std::find(some.begin(), some.end(), d) == some.end()) dims.push_back(d);
  return dims;
}

std::vector<Array> all_each(const Batch& b) {
  std::vector<Array> arrays;
  for (std::size_t i = 0; i < b.inputs.size(); ++i) arrays.push_back(b.each(i));
  return arrays;
}

/// `type` of so many examples.
ResultAttributes of_examples(const Batch& b, const ResultAttributes& a) {
  return {{a.type.dtype, octet::of_examples(b.size, a.type.shape)}};
}

/// Element by element. The scalars that select and clamp take for all elements stay such, or become one for each.
BatchedValues elementwise(const Batch& b) {
  const Shape whole = octet::of_examples(b.size, b.types.front().shape);
  std::vector<Array> arrays;
  for (const Batched& input : b.inputs) {
    const bool scalar = input.array.rank() == (input.each ? 1 : 0) && whole.rank() > 1;
    arrays.push_back(!scalar ? for_each_example(input, b.size) : input.each ? spread(input.array, whole) : input.array);
  }
  const auto* const result = std::get_if<ResultAttributes>(&b.attributes);
  return b.applied(std::move(arrays), result ? of_examples(b, *result) : b.attributes);
}

BatchedValues broadcast_in_dim(const Batch& b) {
  const auto& a = b.as<BroadcastAttributes>();
  return b.applied({b.each(0)},
                   BroadcastAttributes{octet::of_examples(b.size, a.shape), joined(0, after(a.broadcast_dimensions))});
}

BatchedValues concatenate(const Batch& b) {
  return b.applied(all_each(b), DimensionAttributes{b.as<DimensionAttributes>().dimension + 1});
}

BatchedValues reshape(const Batch& b) { return b.applied({b.each(0)}, of_examples(b, b.as<ResultAttributes>())); }

BatchedValues reverse(const Batch& b) {
  return b.applied({b.each(0)}, DimensionsAttributes{after(b.as<DimensionsAttributes>().dimensions)});
}

BatchedValues transpose(const Batch& b) {
  return b.applied({b.each(0)}, TransposeAttributes{joined(0, after(b.as<TransposeAttributes>().permutation))});
}

BatchedValues slice(const Batch& b) {
  const auto& a = b.as<SliceAttributes>();
  return b.applied({b.each(0)},
                   SliceAttributes{joined(0, a.start_indices), joined(b.size, a.limit_indices), joined(1, a.strides)});
}

/// Where each example is padded with a number of its own, that is put around afterwards.
BatchedValues pad(const Batch& b) {
  const auto& a = b.as<PadAttributes>();
  const PadAttributes with{joined(0, a.edge_padding_low), joined(0, a.edge_padding_high),
                           joined(0, a.interior_padding)};
  const Array operand = b.each(0);
  if (!b.inputs[1].each) return b.applied({operand, b.inputs[1].array}, with);
  const Array padded = b.applied({operand, zeros({operand.dtype(), Shape{}})}, with).front().array;
  const Array inside =
      b.applied({full({DType::pred, operand.shape()}, true), constant(Tensor::scalar(false))}, with).front().array;
  return {{select(inside, padded, spread(b.inputs[1].array, padded.shape())), true}};
}

BatchedValues sort(const Batch& b) {
  SortAttributes with = b.as<SortAttributes>();
  ++with.dimension;
  return b.applied(all_each(b), with);
}

/// Examples are one more batching dimension, or, where one side is the same for all, free dimensions of the other.
BatchedValues dot_general(const Batch& b) {
  DotAttributes a = b.as<DotAttributes>();
  const bool left = b.inputs[0].each, right = b.inputs[1].each;
  if (left) {
    a.lhs_batching_dimensions = after(a.lhs_batching_dimensions);
    a.lhs_contracting_dimensions = after(a.lhs_contracting_dimensions);
  }
  if (right) {
    a.rhs_batching_dimensions = after(a.rhs_batching_dimensions);
    a.rhs_contracting_dimensions = after(a.rhs_contracting_dimensions);
  }
  if (left && right) {
    a.lhs_batching_dimensions = joined(0, a.lhs_batching_dimensions);
    a.rhs_batching_dimensions = joined(0, a.rhs_batching_dimensions);
  }
  const Array product = b.applied({b.inputs[0].array, b.inputs[1].array}, a).front().array;
  if (left && right) return {{product, true}};
  // The examples are the first of the free dimensions of their side.
  const auto batching = static_cast<std::int64_t>(a.lhs_batching_dimensions.size());
  const std::int64_t at =
      left ? batching : b.inputs[0].array.rank() - static_cast<std::int64_t>(a.lhs_contracting_dimensions.size());
  return {{at == 0 ? product : octet::transpose(product, joined(at, others(product.rank(), {at}))), true}};
}

BatchedValues reduce(const Batch& b) {
  const auto& a = b.as<ReduceAttributes>();
  return b.applied({b.each(0)}, ReduceAttributes{after(a.dimensions), a.reducer});
}

/// `indices` of each example, with the number of the example before each index; their components in dimension `vector`.
Array with_examples(const Array& indices, std::int64_t vector) {
  Array each = indices;
  if (vector == each.rank()) each = expand_dims(each, vector);
  Shape one = each.shape();
  one[vector] = 1;
  return octet::concatenate({iota({each.dtype(), one}, 0), each}, vector);
}

BatchedValues gather(const Batch& b) {
  GatherAttributes a = b.as<GatherAttributes>();
  if (!b.inputs[0].each) {
    a.offset_dims = after(a.offset_dims);
    ++a.index_vector_dim;
    return b.applied({b.inputs[0].array, b.inputs[1].array}, a);
  }
  a.start_index_map = after(a.start_index_map);
  a.collapsed_slice_dims = after(a.collapsed_slice_dims);
  a.offset_dims = after(a.offset_dims);
  if (!b.inputs[1].each) {
    a.offset_dims = joined(0, a.offset_dims);
    a.slice_sizes = joined(b.size, a.slice_sizes);
    return b.applied({b.inputs[0].array, b.inputs[1].array}, a);
  }
  ++a.index_vector_dim;
  const Array indices = with_examples(b.inputs[1].array, a.index_vector_dim);
  a.start_index_map = joined(0, a.start_index_map);
  a.collapsed_slice_dims = joined(0, a.collapsed_slice_dims);
  a.slice_sizes = joined(1, a.slice_sizes);
  return b.applied({b.inputs[0].array, indices}, a);
}

BatchedValues scatter(const Batch& b) {
  ScatterAttributes a = b.as<ScatterAttributes>();
  ++a.index_vector_dim;
  const Array indices = with_examples(b.each(1), a.index_vector_dim);
  a.update_window_dims = after(a.update_window_dims);
  a.inserted_window_dims = joined(0, after(a.inserted_window_dims));
  a.scatter_dims_to_operand_dims = joined(0, after(a.scatter_dims_to_operand_dims));
  return b.applied({b.each(0), indices, b.each(2)}, a);
}

/// Where a slice begins, in each example's own place: [examples, dimensions]. Starts are the operands from `first` on.
Array starts_of(const Batch& b, std::size_t first) {
  std::vector<Array> columns;
  for (std::size_t i = first; i < b.inputs.size(); ++i) columns.push_back(expand_dims(b.each(i), 1));
  return octet::concatenate(columns, 1);
}
bool own_starts(const Batch& b, std::size_t first) {
  return std::any_of(b.inputs.begin() + static_cast<std::ptrdiff_t>(first), b.inputs.end(),
                     [](const Batched& start) { return start.each; });
}
/// Starts that are the same for all examples, which are all taken.
void add_starts(const Batch& b, std::size_t first, std::vector<Array>& operands) {
  operands.push_back(zeros({b.inputs.size() > first ? b.inputs[first].array.dtype() : DType::i32, Shape{}}));
  for (std::size_t i = first; i < b.inputs.size(); ++i) operands.push_back(b.inputs[i].array);
}
/// From `first`, `count` dimensions.
Dims dims_from(std::int64_t first, std::size_t count) {
  Dims dims;
  for (std::size_t i = 0; i < count; ++i) dims.push_back(first + static_cast<std::int64_t>(i));
  return dims;
}

BatchedValues dynamic_slice(const Batch& b) {
  const Dims& sizes = b.as<DynamicSliceAttributes>().slice_sizes;
  if (!own_starts(b, 1)) {
    std::vector<Array> operands{b.each(0)};
    add_starts(b, 1, operands);
    return b.applied(std::move(operands), DynamicSliceAttributes{joined(b.size, sizes)});
  }
  // Windows at computed places are a gather, which keeps them inside as this does.
  const GatherAttributes a{.offset_dims = dims_from(1, sizes.size()),
                           .collapsed_slice_dims = {},
                           .start_index_map = dims_from(0, sizes.size()),
                           .index_vector_dim = 1,
                           .slice_sizes = sizes};
  if (!b.inputs[0].each) return {{octet::gather(b.inputs[0].array, starts_of(b, 1), a), true}};
  const Array starts = with_examples(starts_of(b, 1), 1);
  return {{octet::gather(b.inputs[0].array, starts,
                         {.offset_dims = a.offset_dims,
                          .collapsed_slice_dims = {0},
                          .start_index_map = dims_from(0, sizes.size() + 1),
                          .index_vector_dim = 1,
                          .slice_sizes = joined(1, sizes)}),
           true}};
}

BatchedValues dynamic_update_slice(const Batch& b) {
  const Array operand = b.each(0), update = b.each(1);
  if (!own_starts(b, 2)) {
    std::vector<Array> operands{operand, update};
    add_starts(b, 2, operands);
    return b.applied(std::move(operands), b.attributes);
  }
  // A scatter skips windows that do not lie inside: these are moved there first.
  const auto rank = static_cast<std::size_t>(operand.rank() - 1);
  Tensor last{DType::i64, Shape{1, static_cast<std::int64_t>(rank)}};
  for (std::size_t d = 0; d < rank; ++d) {
    const auto at = static_cast<std::int64_t>(d) + 1;
    last.mutable_span<std::int64_t>()[d] = operand.extent(at) - update.extent(at);
  }
  const Array starts = starts_of(b, 2);
  const Array most = octet::broadcast_in_dim(constant(last.converted(starts.dtype())), starts.shape(), {0, 1});
  const Array indices = with_examples(clamp(zeros({starts.dtype(), Shape{}}), starts, most), 1);
  return {{octet::scatter(operand, indices, update,
                          {.update_window_dims = dims_from(1, rank),
                           .inserted_window_dims = {0},
                           .scatter_dims_to_operand_dims = dims_from(0, rank + 1),
                           .index_vector_dim = 1}),
           true}};
}

BatchedValues optimization_barrier(const Batch& b) {
  std::vector<Array> arrays;
  for (const Batched& input : b.inputs) arrays.push_back(input.array);
  BatchedValues results = b.applied(std::move(arrays), b.attributes);
  for (std::size_t i = 0; i < results.size(); ++i) results[i].each = b.inputs[i].each;
  return results;
}

BatchedValues all_gather(const Batch& b) {
  AllGatherAttributes with = b.as<AllGatherAttributes>();
  ++with.all_gather_dim;
  return b.applied({b.each(0)}, with);
}

/// What all_reduce and collective_permute do to each element.
BatchedValues as_it_is(const Batch& b) { return b.applied({b.each(0)}, b.attributes); }

BatchedValues all_to_all(const Batch& b) {
  AllToAllAttributes with = b.as<AllToAllAttributes>();
  ++with.split_dimension;
  ++with.concat_dimension;
  return b.applied({b.each(0)}, with);
}

BatchedValues reduce_scatter(const Batch& b) {
  ReduceScatterAttributes with = b.as<ReduceScatterAttributes>();
  ++with.scatter_dimension;
  return b.applied({b.each(0)}, with);
}

std::array<BatchingRule, operation_count> make_table() {
  std::array<BatchingRule, operation_count> table{};
  const auto set = [&](Op op, BatchingRule rule) { table[static_cast<std::size_t>(op)] = rule; };
  for (const Operation& row : operations())
    if (is_elementwise(row.op)) set(row.op, elementwise);
#define RULE(op) set(Op::op, batching_rules::op)
  RULE(broadcast_in_dim);
  RULE(concatenate);
  RULE(dynamic_slice);
  RULE(dynamic_update_slice);
  RULE(gather);
  RULE(pad);
  RULE(reshape);
  RULE(reverse);
  RULE(scatter);
  RULE(slice);
  RULE(sort);
  RULE(transpose);
  RULE(dot_general);
  RULE(reduce);
  RULE(if_);
  RULE(optimization_barrier);
  RULE(while_);
  RULE(all_gather);
  RULE(all_to_all);
  RULE(reduce_scatter);
#undef RULE
  set(Op::all_reduce, as_it_is);
  set(Op::collective_permute, as_it_is);
  return table;
}

}  // namespace

}  // namespace batching_rules

BatchingRule batching(Op op) {
  static const std::array<BatchingRule, operation_count> table = batching_rules::make_table();
  return table[static_cast<std::size_t>(op)];
}

}  // namespace octet
