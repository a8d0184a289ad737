/// The derivative column of the table of operations.
module octet.trace;
import octet.base;
import octet.graph;
import octet.standard;
import :derivatives;

namespace octet {

namespace {

constexpr std::string_view step = "its derivative is zero wherever it exists";
constexpr std::string_view discrete = "integers and truth values have no derivative";
constexpr std::string_view source = "it depends on nothing";

constexpr Derivative zero(std::string_view reason) { return {nullptr, true, reason}; }

std::array<Derivative, operation_count> make_table() {
  std::array<Derivative, operation_count> table{};
  const auto set = [&](Op op, Derivative entry) { table[static_cast<std::size_t>(op)] = entry; };
  for (Op op : {Op::constant, Op::iota, Op::replica_id}) set(op, zero(source));
  for (Op op : {Op::ceil, Op::floor, Op::round_nearest_even, Op::sign}) set(op, zero(step));
  for (Op op : {Op::and_, Op::or_, Op::xor_, Op::not_, Op::compare, Op::is_finite, Op::shift_left,
                Op::shift_right_arithmetic, Op::shift_right_logical, Op::bitcast_convert})
    set(op, zero(discrete));
#define RULE(op) set(Op::op, {derivatives::op})
  RULE(abs);
  RULE(convert);
  RULE(cosine);
  RULE(erf);
  RULE(exponential);
  RULE(exponential_minus_one);
  RULE(log);
  RULE(log_plus_one);
  RULE(logistic);
  RULE(negate);
  RULE(rsqrt);
  RULE(sine);
  RULE(sqrt);
  RULE(tanh);
  RULE(add);
  RULE(divide);
  RULE(maximum);
  RULE(minimum);
  RULE(multiply);
  RULE(power);
  RULE(remainder);
  RULE(subtract);
  RULE(clamp);
  RULE(select);
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
  RULE(all_reduce);
  RULE(all_to_all);
  RULE(collective_permute);
  RULE(reduce_scatter);
#undef RULE
  return table;
}

}  // namespace

const Derivative& derivative(Op op) {
  static const std::array<Derivative, operation_count> table = make_table();
  return table[static_cast<std::size_t>(op)];
}

namespace derivatives {

void refuse(const Derivation& d, const char* reason) {
  fail({.number = 104,
        .sentence = "The derivative of " + std::string{name(d.expression.op)} +
                    " was asked for, and there is none: " + reason + ".",
        .where = d.expression.place,
        .because = because(d.inputs.front())});
}

}  // namespace derivatives

}  // namespace octet
