/// How operations that the graph does not have are said by those that it has.
module octet.graph;
import octet.base;
import octet.standard;
import :attributes;
import :cursor;
import :graph;
import :notation;
import :operation;
import :reader_composed;
import :reader_fields;
import :reader_functions;
import :reference;
import :region_order;
import :syntax;

namespace octet::syntax {

namespace {

/// Operations without regions that are composed, functions aside; those that only hand their operands on, among them.
constexpr std::string_view without_regions[] = {"chlo.square",
                                                "chlo.top_k",
                                                "sdy.sharding_constraint",
                                                "stablehlo.custom_call",
                                                "stablehlo.reduce_precision"};
/// And those that the reader takes apart by itself.
constexpr std::string_view taken_apart[] = {"func.call", "stablehlo.case", "stablehlo.composite",
                                            "stablehlo.reduce_window"};

/// Operations that do not ask whether the first bit of an integer is its sign.
constexpr std::string_view without_signs[] = {"chlo.square",
                                              "stablehlo.if",
                                              "stablehlo.pad",
                                              "func.call",
                                              "stablehlo.add",
                                              "stablehlo.and",
                                              "stablehlo.broadcast_in_dim",
                                              "stablehlo.case",
                                              "stablehlo.composite",
                                              "stablehlo.concatenate",
                                              "stablehlo.constant",
                                              "stablehlo.iota",
                                              "stablehlo.multiply",
                                              "stablehlo.not",
                                              "stablehlo.optimization_barrier",
                                              "stablehlo.or",
                                              "stablehlo.reshape",
                                              "stablehlo.reverse",
                                              "stablehlo.select",
                                              "stablehlo.slice",
                                              "stablehlo.shift_left",
                                              "stablehlo.shift_right_logical",
                                              "stablehlo.subtract",
                                              "stablehlo.transpose",
                                              "stablehlo.xor"};

bool among(std::span<const std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// `dims` and `more`, in increasing order where `dims` are: else the rule of the operation refuses them.
Dims merged(Dims dims, const Dims& more) {
  const bool increasing = std::is_sorted(dims.begin(), dims.end());
  dims.insert(dims.end(), more.begin(), more.end());
  if (increasing) std::sort(dims.begin(), dims.end());
  return dims;
}

bool is_false(const Dictionary& dictionary, std::string_view name) {
  const Entry* entry = find(dictionary, name);
  const auto* value = entry ? std::get_if<bool>(&entry->attribute.value) : nullptr;
  return value && !*value;
}

bool differ(Dims dims) {
  std::sort(dims.begin(), dims.end());
  return std::adjacent_find(dims.begin(), dims.end()) == dims.end();
}

}  // namespace

bool is_read(std::string_view name) {
  return operation_named(name) || function_named(name) || among(without_regions, name) || among(taken_apart, name);
}

bool same_of_signed(const Statement& statement) {
  if (statement.name != "stablehlo.convert") return among(without_signs, statement.name);
  const auto whole = [](const std::vector<TensorType>& types) {
    return std::none_of(types.begin(), types.end(), [](const TensorType& type) { return is_floating(type.dtype); });
  };
  return whole(statement.operand_types) && whole(statement.result_types);
}

Dims Composer::numbers(const Dictionary& dictionary, std::string_view name) const {
  const Entry* entry = find(dictionary, name);
  if (!entry) return {};
  std::optional<Dims> dims = integers(entry->attribute);
  if (!dims) text_.refuse(entry->position, std::string{name} + " of " + statement_.name + " is not a list of integers");
  return std::move(*dims);
}

const Region& Composer::only_region() const {
  if (statement_.regions.size() != 1)
    text_.refuse(statement_.position,
                 statement_.name + " has one region, this one has " + std::to_string(statement_.regions.size()));
  return statement_.regions.front();
}

ValueId Composer::one(Op op, std::vector<ValueId> inputs, Attributes attributes) {
  return append_(op, std::move(inputs), std::move(attributes)).front();
}

ValueId Composer::filled(const Tensor& scalar, const Shape& shape) {
  const ValueId value = one(Op::constant, {}, ConstantAttributes{scalar});
  return shape.rank() == 0 ? value : one(Op::broadcast_in_dim, {value}, BroadcastAttributes{shape, {}});
}

ValueId Composer::filled(float value, TensorType type) {
  Tensor scalar{{type.dtype, {}}};
  visit_dtype(type.dtype, [&]<class T>(std::type_identity<T>) {
    if constexpr (is_floating(dtype_of<T>)) scalar = Tensor::scalar(static_cast<T>(value));
  });
  return filled(scalar, type.shape);
}

ValueId Composer::compared(ValueId a, ValueId b, Comparison direction) {
  return one(Op::compare, {a, b}, CompareAttributes{direction});
}

std::vector<ValueId> Composer::composed(const std::vector<ValueId>& inputs) {
  const std::string& name = statement_.name;
  if (const Function* function = function_named(name)) return {applied_to(*function, inputs)};
  if (inputs.size() != 1)
    text_.refuse(statement_.position,
                 name + " takes one operand here, and " + std::to_string(inputs.size()) + " are given");
  const ValueId x = inputs.front();
  if (name == "chlo.square") return {one(Op::multiply, {x, x})};
  if (name == "chlo.top_k") return largest(statement_.attributes, x);
  if (name == "stablehlo.reduce_precision") return {less_precise(x)};
  if (name == "stablehlo.custom_call") return called(x);
  return inputs;
}

std::vector<ValueId> Composer::called(ValueId x) {
  const Entry* entry = find(statement_.attributes, "call_target_name");
  const auto* target = entry ? std::get_if<std::string>(&entry->attribute.value) : nullptr;
  // Where a value is to lie, and how it is to be parted among devices: it stays what it is.
  constexpr std::string_view handing_on[] = {"LayoutConstraint", "Sharding", "annotate_device_placement"};
  if (target && among(handing_on, *target)) return {x};
  // As exporters wrote what CHLO has, before StableHLO had composites.
  if (target && target->starts_with("mhlo.")) {
    const std::string name = target->substr(5);
    if (name == "erf" && is_floating(graph_.type(x).dtype)) return {one(Op::erf, {x})};
    if (const Function* function = function_named("chlo." + name)) return {applied_to(*function, {x})};
    const Entry* attributes = find(statement_.attributes, "mhlo.attributes");
    const auto* given = attributes ? std::get_if<Dictionary>(&attributes->attribute.value) : nullptr;
    if (name == "topk" && given && !is_false(*given, "largest")) return largest(*given, x);
  }
  text_.refuse(
      statement_.position,
      "stablehlo.custom_call calls " + (target ? "@" + *target : std::string{"code"}) + ", which is not in the text",
      "write what it computes as operations of the program");
}

ValueId Composer::applied_to(const Function& function, const std::vector<ValueId>& inputs) {
  if (inputs.size() != function.operands)
    text_.refuse(statement_.position, statement_.name + " has " + std::to_string(function.operands) +
                                          (function.operands == 1 ? " operand, " : " operands, ") +
                                          std::to_string(inputs.size()) + " are given");
  const DType dtype = graph_.type(inputs.front()).dtype;
  for (const ValueId input : inputs)
    if (graph_.type(input).dtype != dtype || !is_floating(dtype) || (function.only_f32 && dtype == DType::f64))
      text_.refuse(statement_.position,
                   statement_.name + " of " + std::string{octet::name(graph_.type(input).dtype)} +
                       " is something Octet does not have",
                   function.only_f32 ? "compute it in f32 or bf16" : "compute it in a floating-point type");
  const Term::Writer writer{[&](Op op, std::vector<ValueId> operands, Attributes attributes) {
                              return one(op, std::move(operands), std::move(attributes));
                            },
                            [&](ValueId value) { return graph_.type(value); }};
  std::vector<Term> terms;
  for (const ValueId input : inputs) terms.emplace_back(writer, input);
  return applied(function, std::move(terms)).value();
}

ValueId Composer::less_precise(ValueId x) {
  const auto bits = [&](std::string_view which) {
    const Entry* entry = find(statement_.attributes, which);
    const auto* value = entry ? std::get_if<std::int64_t>(&entry->attribute.value) : nullptr;
    return value ? *value : -1;
  };
  const std::int64_t exponent = bits("exponent_bits"), fraction = bits("mantissa_bits");
  const TensorType type = graph_.type(x);
  const bool as_bf16 = exponent == 8 && fraction == 7;
  if ((type.dtype == DType::f32 && exponent == 8 && fraction == 23) || (type.dtype == DType::bf16 && as_bf16)) return x;
  if (type.dtype != DType::f32 || !as_bf16)
    text_.refuse(statement_.position,
                 "stablehlo.reduce_precision rounds f32 to the 8 and 7 bits of bf16 here, and to nothing else",
                 "leave it out of the program that is checked");
  const ValueId rounded = one(Op::convert, {x}, ResultAttributes{{DType::bf16, type.shape}});
  return one(Op::convert, {rounded}, ResultAttributes{type});
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

void Composer::adapt(Op op, Attributes& attributes, std::vector<ValueId>& inputs) {
  if (op == Op::gather || op == Op::scatter) take_in_batching(op == Op::gather, attributes, inputs);
  if (op != Op::dot_general || statement_.result_types.size() != 1 ||
      statement_.result_types.front().dtype != DType::f32)
    return;
  for (ValueId& input : inputs)
    if (graph_.type(input).dtype == DType::bf16)
      input = one(Op::convert, {input}, ResultAttributes{{DType::f32, graph_.type(input).shape}});
}

void Composer::take_in_batching(bool gathers, Attributes& attributes, std::vector<ValueId>& inputs) {
  const Entry* entry = find(statement_.attributes, gathers ? "dimension_numbers" : "scatter_dimension_numbers");
  const auto* structure = entry ? std::get_if<Dictionary>(&entry->attribute.value) : nullptr;
  if (!structure || inputs.size() < 2) return;
  const Dims operand = numbers(*structure, gathers ? "operand_batching_dims" : "input_batching_dims"),
             indices = numbers(*structure, gathers ? "start_indices_batching_dims" : "scatter_indices_batching_dims");
  if (operand.empty() && indices.empty()) return;
  const TensorType from = graph_.type(inputs[0]);
  TensorType of = graph_.type(inputs[1]);
  auto* const gather = std::get_if<GatherAttributes>(&attributes);
  auto* const scatter = std::get_if<ScatterAttributes>(&attributes);
  const std::int64_t vector_dim = gather ? gather->index_vector_dim : scatter->index_vector_dim;
  bool holds = operand.size() == indices.size() && differ(operand) && differ(indices) && vector_dim >= 0 &&
               vector_dim <= of.shape.rank();
  for (std::size_t i = 0; holds && i < operand.size(); ++i)
    holds = operand[i] >= 0 && operand[i] < from.shape.rank() && indices[i] >= 0 && indices[i] < of.shape.rank() &&
            indices[i] != vector_dim && from.shape[operand[i]] == of.shape[indices[i]];
  if (!holds)
    text_.refuse(entry->position, "the batching dimensions of " + statement_.name +
                                      " do not name different dimensions of operand and indices that are equally long");
  if (vector_dim == of.shape.rank()) {
    Dims extents = of.shape.extents();
    extents.push_back(1);
    of.shape = Shape{extents};
    inputs[1] = one(Op::reshape, {inputs[1]}, ResultAttributes{of});
  }
  Dims one_component = of.shape.extents();
  one_component[static_cast<std::size_t>(vector_dim)] = 1;
  std::vector<ValueId> components;
  for (const std::int64_t d : indices)
    components.push_back(one(Op::iota, {}, IotaAttributes{{of.dtype, Shape{one_component}}, d}));
  components.push_back(inputs[1]);
  inputs[1] = one(Op::concatenate, std::move(components), DimensionAttributes{vector_dim});
  Dims& map = gather ? gather->start_index_map : scatter->scatter_dims_to_operand_dims;
  map.insert(map.begin(), operand.begin(), operand.end());
  Dims& dropped = gather ? gather->collapsed_slice_dims : scatter->inserted_window_dims;
  dropped = merged(std::move(dropped), operand);
}

ValueId Composer::canonical(ValueId x) {
  const TensorType type = graph_.type(x);
  if (!is_floating(type.dtype)) return x;
  const ValueId zero = filled(0.0f, type);
  const ValueId number = one(Op::select, {compared(x, zero, Comparison::EQ), zero, x});
  return one(Op::select,
             {compared(x, x, Comparison::NE), filled(std::numeric_limits<float>::quiet_NaN(), type), number});
}

Reducer Composer::selected() const {
  const Region& region = only_region();
  const std::optional<Reducer> reducer = selected_by(region);
  if (!reducer || region.arguments[0].type.dtype != statement_.operand_types[0].dtype ||
      region.arguments[1].type.dtype != statement_.operand_types[1].dtype)
    text_.refuse(region.position,
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
    text_.refuse(statement_.position,
                 "the places that stablehlo.reduce selects by are no iota along the one dimension that it reduces",
                 "reduce each tensor by itself");
  const ValueId x = inputs[0];
  const TensorType type = graph_.type(x), place_type = graph_.type(inputs[1]);
  const ValueId value = one(Op::reduce, {x}, ReduceAttributes{dimensions, reducer});
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

ValueId Composer::accumulated(Reducer reducer, ValueId x) {
  const TensorType type = graph_.type(x);
  const auto rank = static_cast<std::size_t>(type.shape.rank());
  const auto all_of = [&](std::string_view name, std::int64_t value) {
    const Dims given = numbers(statement_.attributes, name);
    return std::all_of(given.begin(), given.end(), [&](std::int64_t each) { return each == value; });
  };
  const Dims window = numbers(statement_.attributes, "window_dimensions");
  const Entry* entry = find(statement_.attributes, "padding");
  const auto* padding = entry ? std::get_if<Tensor>(&entry->attribute.value) : nullptr;
  bool holds = window.size() == rank && padding && padding->dtype() == DType::i64 &&
               padding->shape() == Shape{static_cast<std::int64_t>(rank), 2} && all_of("window_strides", 1) &&
               all_of("base_dilations", 1) && all_of("window_dilations", 1);
  // The one dimension along which the window is as long as the tensor, and what lies before it, or behind.
  std::optional<std::size_t> along;
  bool backwards = false;
  for (std::size_t d = 0; holds && d < rank; ++d) {
    const std::int64_t extent = type.shape[static_cast<std::int64_t>(d)];
    const std::int64_t low = padding->span<std::int64_t>()[2 * d], high = padding->span<std::int64_t>()[2 * d + 1];
    if (window[d] == 1 && low == 0 && high == 0) continue;
    holds = !along && window[d] == extent && low + high == extent - 1 && (low == 0 || high == 0);
    along = d;
    backwards = low == 0;
  }
  const auto* combined = std::find_if(std::begin(notation::reducers), std::end(notation::reducers),
                                      [&](const auto& each) { return each.first == reducer; });
  if (!holds || combined == std::end(notation::reducers))
    text_.refuse(
        statement_.position,
        "stablehlo.reduce_window is something Octet does not have, but for windows that accumulate: all before "
        "an element, or all behind it");
  if (!along) return x;
  const ValueId neutral = one(Op::constant, {}, ConstantAttributes{neutral_element(reducer, type.dtype)});
  for (std::int64_t shift = 1; shift < window[*along]; shift *= 2) {
    PadAttributes pad{Dims(rank, 0), Dims(rank, 0), Dims(rank, 0)};
    pad.edge_padding_low[*along] = backwards ? -shift : shift;
    pad.edge_padding_high[*along] = -pad.edge_padding_low[*along];
    x = one(combined->second, {x, one(Op::pad, {x, neutral}, std::move(pad))});
  }
  return x;
}

ValueId Composer::started(Reducer reducer, ValueId reduced, std::optional<ValueId> start) {
  if (!start) return reduced;
  const Shape shape = graph_.type(reduced).shape;
  if (shape.rank() > 0) start = one(Op::broadcast_in_dim, {*start}, BroadcastAttributes{shape, {}});
  const auto* combined = std::ranges::find(notation::reducers, reducer, &std::pair<Reducer, Op>::first);
  return one(combined->second, {reduced, *start});
}

}  // namespace octet::syntax
