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
constexpr std::string_view without_regions[] = {
    "chlo.square",           "chlo.top_k",    "sdy.sharding_constraint", "stablehlo.broadcast",
    "stablehlo.custom_call", "stablehlo.dot", "stablehlo.partition_id",  "stablehlo.reduce_precision"};
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
                                              "stablehlo.bitcast_convert",
                                              "stablehlo.broadcast",
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
                                              "stablehlo.while",
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
  if (statement.name == "stablehlo.compare") {
    const Entry* entry = find(statement.attributes, "comparison_direction");
    const auto* direction = entry ? std::get_if<std::string>(&entry->attribute.value) : nullptr;
    return direction && (*direction == "EQ" || *direction == "NE");
  }
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
  if (name == "stablehlo.custom_call") return called(inputs);
  // A program that is whole on each device has one; that of one among several is told by `replica_id`.
  if (name == "stablehlo.partition_id" && inputs.empty())
    return {one(Op::constant, {}, ConstantAttributes{Tensor::scalar(std::uint32_t{0})})};
  if (name == "stablehlo.dot" && inputs.size() == 2) return {matrix_product(inputs)};
  if (inputs.size() != 1)
    text_.refuse(statement_.position,
                 name + " takes one operand here, and " + std::to_string(inputs.size()) + " are given");
  const ValueId x = inputs.front();
  if (name == "chlo.square") return {one(Op::multiply, {x, x})};
  if (name == "chlo.top_k") return largest(statement_.attributes, x);
  if (name == "stablehlo.reduce_precision") return {less_precise(x)};
  if (name == "stablehlo.broadcast") return {broadcast(x)};
  return inputs;
}

std::vector<ValueId> Composer::called(const std::vector<ValueId>& inputs) {
  const Entry* entry = find(statement_.attributes, "call_target_name");
  const auto* target = entry ? std::get_if<std::string>(&entry->attribute.value) : nullptr;
  // Where a value is to lie, and how it is to be parted among devices: it stays what it is.
  constexpr std::string_view handing_on[] = {"LayoutConstraint", "Sharding", "annotate_device_placement"};
  const bool takes_one = inputs.size() == 1;
  if (target && takes_one && among(handing_on, *target)) return inputs;
  // As exporters wrote what CHLO has, before StableHLO had composites.
  if (target && takes_one && target->starts_with("mhlo.")) {
    const ValueId x = inputs.front();
    const std::string name = target->substr(5);
    if (name == "erf" && is_floating(graph_.type(x).dtype)) return {one(Op::erf, {x})};
    if (const Function* function = function_named("chlo." + name)) return {applied_to(*function, {x})};
    const Entry* attributes = find(statement_.attributes, "mhlo.attributes");
    const auto* given = attributes ? std::get_if<Dictionary>(&attributes->attribute.value) : nullptr;
    if (name == "topk" && given && !is_false(*given, "largest")) return largest(*given, x);
  }
  text_.unknown(
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
      text_.unknown(statement_.position,
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
    text_.unknown(statement_.position,
                  "stablehlo.reduce_precision rounds f32 to the 8 and 7 bits of bf16 here, and to nothing else",
                  "leave it out of the program that is checked");
  return converted(converted(x, DType::bf16), DType::f32);
}

ValueId Composer::converted(ValueId x, DType dtype) {
  const TensorType& type = graph_.type(x);
  return type.dtype == dtype ? x : one(Op::convert, {x}, ResultAttributes{{dtype, type.shape}});
}

ValueId Composer::product(const DotAttributes& attributes, std::vector<ValueId> inputs) {
  const DType asked = statement_.result_types.size() == 1 ? statement_.result_types.front().dtype : DType::pred;
  // A result of another precision: operands of less are converted before, what is more than was asked for afterwards.
  // Narrow integers are multiplied by floating-point numbers as such.
  if (!is_floating(asked)) return one(Op::dot_general, std::move(inputs), attributes);
  DType widest = asked;
  for (const ValueId input : inputs)
    if (const DType dtype = graph_.type(input).dtype; is_floating(dtype) && size_of(dtype) > size_of(widest))
      widest = dtype;
  const std::optional<ProductAlgorithm> algorithm = read_algorithm(text_, statement_);
  for (ValueId& input : inputs) {
    if (!is_floating(graph_.type(input).dtype) && !statement_.narrow) continue;
    if (algorithm && algorithm->rounds) input = converted(input, DType::bf16);
    input = converted(input, widest);
  }
  const ValueId made = one(Op::dot_general, std::move(inputs), attributes);
  return is_floating(graph_.type(made).dtype) ? converted(made, asked) : made;
}

ValueId Composer::matrix_product(const std::vector<ValueId>& inputs) {
  const std::int64_t rank = graph_.type(inputs[0]).shape.rank(), other = graph_.type(inputs[1]).shape.rank();
  if (rank < 1 || rank > 2 || other < 1 || other > 2)
    text_.refuse(statement_.position, "stablehlo.dot multiplies matrices and vectors, and nothing else");
  DotAttributes attributes;
  attributes.lhs_contracting_dimensions = {rank - 1};
  attributes.rhs_contracting_dimensions = {0};
  attributes.precision = read_precision(text_, statement_);
  return product(attributes, inputs);
}

ValueId Composer::broadcast(ValueId x) {
  const Shape& of = graph_.type(x).shape;
  Dims extents = numbers(statement_.attributes, "broadcast_sizes"), dimensions;
  for (std::int64_t d = 0; d < of.rank(); ++d) {
    dimensions.push_back(std::ssize(extents));
    extents.push_back(of[d]);
  }
  return one(Op::broadcast_in_dim, {x}, BroadcastAttributes{Shape{extents}, dimensions});
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
    text_.unknown(
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
