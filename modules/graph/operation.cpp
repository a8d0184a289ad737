module octet.graph;
import octet.standard;

namespace octet {

namespace {

using enum OpKind;

constexpr Operation table[] = {
    {Op::constant, "stablehlo.constant", source, 0},
    {Op::iota, "stablehlo.iota", source, 0},
    {Op::replica_id, "stablehlo.replica_id", source, 0},
    {Op::abs, "stablehlo.abs", unary, 1},
    {Op::ceil, "stablehlo.ceil", unary, 1},
    {Op::convert, "stablehlo.convert", unary, 1},
    {Op::bitcast_convert, "stablehlo.bitcast_convert", unary, 1},
    {Op::cosine, "stablehlo.cosine", unary, 1},
    {Op::erf, "chlo.erf", unary, 1},
    {Op::exponential, "stablehlo.exponential", unary, 1},
    {Op::exponential_minus_one, "stablehlo.exponential_minus_one", unary, 1},
    {Op::floor, "stablehlo.floor", unary, 1},
    {Op::is_finite, "stablehlo.is_finite", unary, 1},
    {Op::log, "stablehlo.log", unary, 1},
    {Op::log_plus_one, "stablehlo.log_plus_one", unary, 1},
    {Op::logistic, "stablehlo.logistic", unary, 1},
    {Op::negate, "stablehlo.negate", unary, 1},
    {Op::not_, "stablehlo.not", unary, 1},
    {Op::round_nearest_even, "stablehlo.round_nearest_even", unary, 1},
    {Op::rsqrt, "stablehlo.rsqrt", unary, 1},
    {Op::sign, "stablehlo.sign", unary, 1},
    {Op::sine, "stablehlo.sine", unary, 1},
    {Op::sqrt, "stablehlo.sqrt", unary, 1},
    {Op::tanh, "stablehlo.tanh", unary, 1},
    {Op::add, "stablehlo.add", binary, 2},
    {Op::and_, "stablehlo.and", binary, 2},
    {Op::compare, "stablehlo.compare", binary, 2},
    {Op::divide, "stablehlo.divide", binary, 2},
    {Op::maximum, "stablehlo.maximum", binary, 2},
    {Op::minimum, "stablehlo.minimum", binary, 2},
    {Op::multiply, "stablehlo.multiply", binary, 2},
    {Op::or_, "stablehlo.or", binary, 2},
    {Op::power, "stablehlo.power", binary, 2},
    {Op::remainder, "stablehlo.remainder", binary, 2},
    {Op::shift_left, "stablehlo.shift_left", binary, 2},
    {Op::shift_right_arithmetic, "stablehlo.shift_right_arithmetic", binary, 2},
    {Op::shift_right_logical, "stablehlo.shift_right_logical", binary, 2},
    {Op::subtract, "stablehlo.subtract", binary, 2},
    {Op::xor_, "stablehlo.xor", binary, 2},
    {Op::clamp, "stablehlo.clamp", ternary, 3},
    {Op::select, "stablehlo.select", ternary, 3},
    {Op::broadcast_in_dim, "stablehlo.broadcast_in_dim", movement, 1},
    {Op::concatenate, "stablehlo.concatenate", movement, -1},
    {Op::dynamic_slice, "stablehlo.dynamic_slice", movement, -1},
    {Op::dynamic_update_slice, "stablehlo.dynamic_update_slice", movement, -1},
    {Op::gather, "stablehlo.gather", movement, 2},
    {Op::pad, "stablehlo.pad", movement, 2},
    {Op::reshape, "stablehlo.reshape", movement, 1},
    {Op::reverse, "stablehlo.reverse", movement, 1},
    {Op::scatter, "stablehlo.scatter", movement, 3},
    {Op::slice, "stablehlo.slice", movement, 1},
    {Op::sort, "stablehlo.sort", movement, -1},
    {Op::transpose, "stablehlo.transpose", movement, 1},
    {Op::dot_general, "stablehlo.dot_general", contraction, 2},
    {Op::reduce, "stablehlo.reduce", reduction, 1},
    {Op::if_, "stablehlo.if", control, -1, 2},
    {Op::optimization_barrier, "stablehlo.optimization_barrier", control, -1},
    {Op::while_, "stablehlo.while", control, -1, 2},
    {Op::all_gather, "stablehlo.all_gather", collective, 1},
    {Op::all_reduce, "stablehlo.all_reduce", collective, 1},
    {Op::all_to_all, "stablehlo.all_to_all", collective, 1},
    {Op::collective_permute, "stablehlo.collective_permute", collective, 1},
    {Op::reduce_scatter, "stablehlo.reduce_scatter", collective, 1},
    {Op::custom_call, "stablehlo.custom_call", control, -1},  // none of those that Octet has
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < std::size(table); ++i)
    if (static_cast<std::size_t>(table[i].op) != i) return false;
  return std::size(table) == operation_count + 1;
}
static_assert(in_order(), "the table follows the order of Op");

}  // namespace

std::span<const Operation> operations() { return std::span{table}.first(operation_count); }

const Operation& operation(Op op) { return table[static_cast<std::size_t>(op)]; }

std::string_view name(Op op) {
  const std::string_view full = operation(op).name;
  return full.substr(full.find('.') + 1);
}

std::optional<Op> operation_named(std::string_view text) {
  for (const Operation& row : operations())
    if (row.name == text) return row.op;
  return std::nullopt;
}

}  // namespace octet
