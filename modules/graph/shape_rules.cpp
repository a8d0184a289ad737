/// The table of shape rules, one row for each operation, and the checks that come before every rule.
module octet.graph;
import octet.standard;
import :constraints;
import :rules;

namespace octet {

namespace {

/// The element types that an operation takes, in all its inputs.
enum class Elements : unsigned char { any, numbers, signed_numbers, floating, integers, bits };

struct Row {
  Op op;
  Types (*rule)(Constraints&);
  Elements elements = Elements::any;
};

/// `rule`, after a look at whether the attributes are of its kind.
template <class Kind, Types (*rule)(Constraints&, const Kind&)>
Types with(Constraints& constraints) {
  if (const Kind* attributes = std::get_if<Kind>(&constraints.application().attributes))
    return rule(constraints, *attributes);
  constraints.broken(404, 0, "its attributes are those of another operation");
  return {};
}

constexpr auto unary = with<NoAttributes, rules::unary>;
constexpr auto binary = with<NoAttributes, rules::binary>;
using enum Elements;

constexpr Row table[] = {
    {Op::constant, with<ConstantAttributes, rules::constant>},
    {Op::iota, with<IotaAttributes, rules::iota>},
    {Op::replica_id, with<NoAttributes, rules::replica_id>},
    {Op::abs, unary, signed_numbers},
    {Op::ceil, unary, floating},
    {Op::convert, with<ResultAttributes, rules::convert>},
    {Op::bitcast_convert, with<ResultAttributes, rules::bitcast_convert>},
    {Op::cosine, unary, floating},
    {Op::erf, unary, floating},
    {Op::exponential, unary, floating},
    {Op::exponential_minus_one, unary, floating},
    {Op::floor, unary, floating},
    {Op::is_finite, with<NoAttributes, rules::is_finite>, floating},
    {Op::log, unary, floating},
    {Op::log_plus_one, unary, floating},
    {Op::logistic, unary, floating},
    {Op::negate, unary, numbers},
    {Op::not_, unary, bits},
    {Op::round_nearest_even, unary, floating},
    {Op::rsqrt, unary, floating},
    {Op::sign, unary, signed_numbers},
    {Op::sine, unary, floating},
    {Op::sqrt, unary, floating},
    {Op::tanh, unary, floating},
    {Op::add, binary, numbers},
    {Op::and_, binary, bits},
    {Op::compare, with<CompareAttributes, rules::compare>},
    {Op::divide, binary, numbers},
    {Op::maximum, binary, numbers},
    {Op::minimum, binary, numbers},
    {Op::multiply, binary, numbers},
    {Op::or_, binary, bits},
    {Op::power, binary, numbers},
    {Op::remainder, binary, numbers},
    {Op::shift_left, binary, integers},
    {Op::shift_right_arithmetic, binary, integers},
    {Op::shift_right_logical, binary, integers},
    {Op::subtract, binary, numbers},
    {Op::xor_, binary, bits},
    {Op::clamp, with<NoAttributes, rules::clamp>, numbers},
    {Op::select, with<NoAttributes, rules::select>},
    {Op::broadcast_in_dim, with<BroadcastAttributes, rules::broadcast_in_dim>},
    {Op::concatenate, with<DimensionAttributes, rules::concatenate>},
    {Op::dynamic_slice, with<DynamicSliceAttributes, rules::dynamic_slice>},
    {Op::dynamic_update_slice, with<NoAttributes, rules::dynamic_update_slice>},
    {Op::gather, with<GatherAttributes, rules::gather>},
    {Op::pad, with<PadAttributes, rules::pad>},
    {Op::reshape, with<ResultAttributes, rules::reshape>},
    {Op::reverse, with<DimensionsAttributes, rules::reverse>},
    {Op::scatter, with<ScatterAttributes, rules::scatter>},
    {Op::slice, with<SliceAttributes, rules::slice>},
    {Op::sort, with<SortAttributes, rules::sort>},
    {Op::transpose, with<TransposeAttributes, rules::transpose>},
    {Op::dot_general, with<DotAttributes, rules::dot_general>, numbers},
    {Op::reduce, with<ReduceAttributes, rules::reduce>},
    {Op::if_, with<NoAttributes, rules::if_>},
    {Op::optimization_barrier, with<NoAttributes, rules::optimization_barrier>},
    {Op::while_, with<NoAttributes, rules::while_>},
    {Op::all_gather, with<AllGatherAttributes, rules::all_gather>},
    {Op::all_reduce, with<AllReduceAttributes, rules::all_reduce>},
    {Op::all_to_all, with<AllToAllAttributes, rules::all_to_all>},
    {Op::collective_permute, with<PermuteAttributes, rules::collective_permute>},
    {Op::reduce_scatter, with<ReduceScatterAttributes, rules::reduce_scatter>},
    {Op::custom_call, with<CustomCallAttributes, rules::custom_call>},
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < std::size(table); ++i)
    if (static_cast<std::size_t>(table[i].op) != i) return false;
  return std::size(table) == operation_count + 1;
}
static_assert(in_order(), "the table follows the order of Op");

bool belongs(DType dtype, Elements elements) {
  switch (elements) {
    case any:
      return true;
    case numbers:
      return dtype != DType::pred;
    case signed_numbers:
      return is_signed(dtype);
    case floating:
      return is_floating(dtype);
    case integers:
      return is_integer(dtype);
    case bits:
      return is_integer(dtype) || dtype == DType::pred;
  }
  return false;
}

constexpr std::string_view plural(Elements elements) {
  constexpr std::string_view names[] = {
      "anything", "numbers", "signed numbers", "floating-point numbers", "integers", "integers or truth values"};
  return names[static_cast<std::size_t>(elements)];
}

/// The operator that does to truth values what was perhaps meant.
std::string_view logical_twin(Op op) {
  switch (op) {
    case Op::add:
    case Op::maximum:
      return "left | right";
    case Op::multiply:
    case Op::minimum:
      return "left & right";
    case Op::subtract:
      return "left ^ right";
    case Op::negate:
      return "~x";
    default:
      return "";
  }
}

// What tells a fault is kept apart from what is called for each operation: a browser compiles anew what is called
// often.

[[gnu::noinline]] void note_elements(Constraints& constraints, Elements elements, std::size_t input) {
  const DType dtype = constraints.dtype(input);
  const std::string variable = constraints.variable(input);
  Fixes fixes;
  if (elements == bits) fixes.push_back(say(variable, " != 0"));
  bool all_truths = true, by_integers = elements == integers || elements == bits || dtype == DType::u32;
  for (std::size_t i = 0; i < constraints.inputs(); ++i) {
    all_truths = all_truths && constraints.dtype(i) == DType::pred;  // the twin takes nothing else
    by_integers = by_integers || (elements != floating && constraints.dtype(i) == DType::i32);
  }
  fixes.push_back(cast_to(by_integers ? DType::i32 : DType::f32, variable));
  if (all_truths && !logical_twin(constraints.op()).empty()) fixes.emplace_back(logical_twin(constraints.op()));
  constraints.element_types(
      0, say("it takes ", plural(elements), ", and ", constraints.noun(input), " is not of these"), std::move(fixes));
}

void check_elements(Constraints& constraints, Elements elements) {
  for (std::size_t i = 0; i < constraints.inputs(); ++i) {
    if (belongs(constraints.dtype(i), elements)) continue;
    note_elements(constraints, elements, i);
    if (i + 1 < constraints.inputs() && constraints.type(i + 1) == constraints.type(i)) return;
  }
}

[[gnu::noinline]] void note_arity(Constraints& constraints, int wanted, std::size_t given, std::string_view one,
                                  std::string_view many) {
  constraints.broken(404, 0,
                     say("it takes ", counted(static_cast<std::size_t>(wanted), one, many), ", and ", given,
                         given == 1 ? " is" : " are", " given"));
}

bool check_arity(Constraints& constraints, const Operation& operation) {
  const std::size_t operands = constraints.inputs(), regions = constraints.application().regions.size();
  if (operation.operands >= 0 && operands != static_cast<std::size_t>(operation.operands))
    note_arity(constraints, operation.operands, operands, "operand", "operands");
  if (regions != static_cast<std::size_t>(operation.regions))
    note_arity(constraints, operation.regions, regions, "region", "regions");
  return constraints.hold();
}

}  // namespace

std::vector<TensorType> infer(const Application& application) {
  Constraints constraints{application};
  const Row& row = table[static_cast<std::size_t>(application.op)];
  Types results;
  if (check_arity(constraints, operation(application.op))) {
    for (std::size_t i = 0; i < constraints.inputs(); ++i)
      if (!is_representable(constraints.shape(i))) constraints.representable(say("operand ", i), constraints.shape(i));
    if (constraints.hold()) {
      check_elements(constraints, row.elements);
      results = row.rule(constraints);
    }
    if (constraints.hold())
      for (const TensorType& result : results) constraints.representable("the result", result.shape);
  }
  if (!constraints.hold()) throw Error{constraints.take()};
  return results;
}

}  // namespace octet
