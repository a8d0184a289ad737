/// How StableHLO's text spells what the graph keeps in attributes: for the printer and the reader.
module octet.graph:notation;
import octet.base;
import octet.standard;
import :attributes;
import :operation;

namespace octet::notation {

/// Some operations keep dimension numbers together in one attribute: `dimension_numbers = #stablehlo.gather<...>`.
struct Structure {
  Op op;
  std::string_view attribute;
  std::string_view name;  ///< after `#stablehlo.`
};

inline constexpr Structure structures[] = {
    {Op::gather, "dimension_numbers", "gather"},
    {Op::scatter, "scatter_dimension_numbers", "scatter"},
    {Op::dot_general, "dot_dimension_numbers", "dot"},
};

/// The structure of `op`, or nullptr.
constexpr const Structure* structure_of(Op op) {
  for (const Structure& structure : structures)
    if (structure.op == op) return &structure;
  return nullptr;
}

/// Whether an operation that has a structure keeps this field, of integers, in it.
constexpr bool in_structure(std::string_view field) { return field != "slice_sizes"; }

inline constexpr std::string_view comparisons[] = {"EQ", "NE", "GE", "GT", "LE", "LT"};
inline constexpr std::string_view precisions[] = {"DEFAULT", "HIGH", "HIGHEST"};

/// How elements of this type are compared: `compare` by IEEE's rules, `sort` in the total order.
constexpr std::string_view comparison_type(DType dtype, bool total_order) {
  if (is_floating(dtype)) return total_order ? "TOTALORDER" : "FLOAT";
  return is_signed(dtype) ? "SIGNED" : "UNSIGNED";
}

/// The operation that a reducer's region applies; `replace` has none, it returns its second argument.
inline constexpr std::pair<Reducer, Op> reducers[] = {
    {Reducer::add, Op::add},         {Reducer::multiply, Op::multiply}, {Reducer::maximum, Op::maximum},
    {Reducer::minimum, Op::minimum}, {Reducer::and_, Op::and_},         {Reducer::or_, Op::or_},
};

/// Of truth values, `or` is the sum and the greater one, `and` the product and the smaller one.
constexpr Reducer of_elements(Reducer reducer, DType dtype) {
  if (dtype != DType::pred) return reducer;
  if (reducer == Reducer::add || reducer == Reducer::maximum) return Reducer::or_;
  if (reducer == Reducer::multiply || reducer == Reducer::minimum) return Reducer::and_;
  return reducer;
}
/// The same of an operation that is a reducer's.
constexpr Op of_elements(Op op, DType dtype) {
  for (const auto& [reducer, combines] : reducers)
    if (combines == op)
      for (const auto& [other, instead] : reducers)
        if (other == of_elements(reducer, dtype)) return instead;
  return op;
}

/// A no-op that stands for a parameter of a branch of `if`, where it cannot be told from what the branch uses: a
/// `reshape` to the same shape with the parameter's number as an attribute.
inline constexpr std::string_view branch_parameter = "octet.parameter";

/// Attributes of the kind that `op` has, with nothing in them.
Attributes blank_attributes(Op op);

}  // namespace octet::notation
