/// What orders elements: comparisons, choices of the greatest, and sorts.
module octet.graph;
import octet.base;
import octet.standard;
import :attributes;
import :cursor;
import :graph;
import :notation;
import :operation;
import :reader_composed;
import :reference;
import :region_order;
import :syntax;

namespace octet::syntax {

ValueId Composer::canonical(ValueId x) {
  const TensorType type = graph_.type(x);
  if (!is_floating(type.dtype)) return x;
  const ValueId zero = filled(0.0f, type);
  const ValueId number = one(Op::select, {compared(x, zero, Comparison::EQ), zero, x});
  return one(Op::select,
             {compared(x, x, Comparison::NE), filled(std::numeric_limits<float>::quiet_NaN(), type), number});
}

ValueId Composer::in_total_order(const std::vector<ValueId>& inputs, Comparison direction) {
  // As integers, bits of positive numbers stand in their order, those of negative ones the other way round.
  const auto rank = [&](ValueId x) {
    const TensorType type = graph_.type(x);
    if (type.dtype == DType::bf16) x = converted(x, DType::f32);
    const bool wide = type.dtype == DType::f64;
    const auto everywhere = [&](auto wide_value, auto value) {
      return filled(wide ? Tensor::scalar(wide_value) : Tensor::scalar(value), type.shape);
    };
    const ValueId bits = one(Op::bitcast_convert, {x}, ResultAttributes{{wide ? DType::i64 : DType::i32, type.shape}});
    const ValueId zero = everywhere(std::int64_t{0}, std::int32_t{0}),
                  but_the_sign =
                      everywhere(std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int32_t>::max());
    return one(Op::select, {compared(bits, zero, Comparison::LT), one(Op::xor_, {bits, but_the_sign}), bits});
  };
  if (graph_.type(inputs[0]) != graph_.type(inputs[1])) return compared(inputs[0], inputs[1], direction);  // refused
  const ValueId a = rank(inputs[0]), b = rank(inputs[1]);
  return compared(a, b, direction);
}

Reducer Composer::selected() const {
  const Region& region = only_region();
  const std::optional<Reducer> reducer = selected_by(region);
  if (!reducer || region.arguments[0].type.dtype != statement_.operand_types[0].dtype ||
      region.arguments[1].type.dtype != statement_.operand_types[1].dtype)
    text_.unknown(region.position,
                  "the region of stablehlo.reduce does not select the greatest or the smallest value with its place",
                  "reduce each tensor by itself");
  return *reducer;
}

bool Composer::counts_along(ValueId value, std::int64_t dimension) const {
  const Node* node = graph_.definition(value);
  if (!node) return false;
  if (const auto* spread = std::get_if<BroadcastAttributes>(&node->attributes)) {
    const Dims& to = spread->broadcast_dimensions;
    const auto found = std::find(to.begin(), to.end(), dimension);
    return found != to.end() && graph_.type(node->inputs[0]).shape[found - to.begin()] == spread->shape[dimension] &&
           counts_along(node->inputs[0], found - to.begin());
  }
  const auto* iota = std::get_if<IotaAttributes>(&node->attributes);
  return iota && iota->iota_dimension == dimension;
}

std::vector<ValueId> Composer::first_of(Reducer reducer, const std::vector<ValueId>& inputs) {
  const Dims dimensions = numbers(statement_.attributes, "dimensions");
  const Shape& shape = graph_.type(inputs[0]).shape;
  if (dimensions.size() != 1 || !counts_along(inputs[1], dimensions.front()) || graph_.type(inputs[1]).shape != shape ||
      shape[dimensions.front()] == 0)
    text_.unknown(statement_.position,
                  "the places that stablehlo.reduce selects by are no iota along the one dimension that it reduces",
                  "reduce each tensor by itself");
  const ValueId x = inputs[0];
  const TensorType type = graph_.type(x), place_type = graph_.type(inputs[1]);
  const ValueId value = one(Op::reduce, {x}, ReduceAttributes{dimensions, notation::of_elements(reducer, type.dtype)});
  Dims kept;
  for (std::int64_t d = 0; d < type.shape.rank(); ++d)
    if (d != dimensions.front()) kept.push_back(d);
  const ValueId spread = one(Op::broadcast_in_dim, {value}, BroadcastAttributes{type.shape, kept});
  ValueId found = compared(x, spread, Comparison::EQ);
  // A NaN is what was found where there is one, and equal to nothing.
  if (is_floating(type.dtype)) found = one(Op::or_, {found, compared(x, x, Comparison::NE)});
  const ValueId beyond = filled(neutral_element(Reducer::minimum, place_type.dtype), type.shape);
  return {value, one(Op::reduce, {one(Op::select, {found, inputs[1], beyond})},
                     ReduceAttributes{dimensions, Reducer::minimum})};
}

std::vector<ValueId> Composer::largest(const Dictionary& attributes, ValueId x) {
  const Entry* entry = find(attributes, "k");
  const auto* k = entry ? std::get_if<std::int64_t>(&entry->attribute.value) : nullptr;
  const TensorType type = graph_.type(x);
  const std::int64_t last = type.shape.rank() - 1;
  if (!k || last < 0 || *k < 0 || *k > type.shape[last])
    text_.refuse(statement_.position, "chlo.top_k takes k from 0 to the extent of its operand's last dimension");
  const ValueId places = one(Op::iota, {}, IotaAttributes{{DType::i32, type.shape}, last});
  const std::vector<ValueId> sorted =
      append_(Op::sort, {x, places}, SortAttributes{last, true, SortDirection::descending});
  SliceAttributes slice{Dims(static_cast<std::size_t>(last) + 1, 0), type.shape.extents(),
                        Dims(static_cast<std::size_t>(last) + 1, 1)};
  slice.limit_indices.back() = *k;
  return {one(Op::slice, {sorted[0]}, slice), one(Op::slice, {sorted[1]}, slice)};
}

std::vector<ValueId> Composer::sorted(const SortAttributes& attributes, const std::vector<ValueId>& inputs) {
  const std::optional<Ordering> ordering = ordering_of(only_region());
  if (!ordering || (ordering->directions.size() == 1 && !ordering->canonical))
    return append_(Op::sort, inputs, attributes);
  std::vector<ValueId> values = inputs;
  // By the last key first: what is sorted by an earlier one keeps that order where it is equal.
  for (std::size_t key = ordering->directions.size(); key-- > 0;) {
    std::vector<ValueId> operands{ordering->canonical ? canonical(values[key]) : values[key]};
    operands.insert(operands.end(), values.begin(), values.end());
    values =
        append_(Op::sort, std::move(operands), SortAttributes{attributes.dimension, true, ordering->directions[key]});
    values.erase(values.begin());
  }
  return values;
}

}  // namespace octet::syntax
