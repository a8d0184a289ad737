/// The primitive operations: one table of names, kinds and arities. Names and meaning are StableHLO's (and CHLO's for
/// erf).
export module octet.graph:operation;
import octet.standard;

export namespace octet {

/// The operations, in the order of the table. C++ keywords carry an underscore.
enum class Op : std::uint8_t {
  // made from nothing
  constant,
  iota,
  replica_id,
  // one operand, element by element
  abs,
  ceil,
  convert,
  bitcast_convert,
  cosine,
  erf,
  exponential,
  exponential_minus_one,
  floor,
  is_finite,
  log,
  log_plus_one,
  logistic,
  negate,
  not_,
  round_nearest_even,
  rsqrt,
  sign,
  sine,
  sqrt,
  tanh,
  // two operands, element by element
  add,
  and_,
  compare,
  divide,
  maximum,
  minimum,
  multiply,
  or_,
  power,
  remainder,
  shift_left,
  shift_right_arithmetic,
  shift_right_logical,
  subtract,
  xor_,
  // three operands, element by element
  clamp,
  select,
  // moving elements
  broadcast_in_dim,
  concatenate,
  dynamic_slice,
  dynamic_update_slice,
  gather,
  pad,
  reshape,
  reverse,
  scatter,
  slice,
  sort,
  transpose,
  // contracting and reducing
  dot_general,
  reduce,
  // control flow
  if_,
  optimization_barrier,
  while_,
  // across replicas
  all_gather,
  all_reduce,
  all_to_all,
  collective_permute,
  reduce_scatter,
  // of which nothing is known but what its types say: in no row of the table, and computed nowhere
  custom_call,
};

inline constexpr std::size_t operation_count = static_cast<std::size_t>(Op::reduce_scatter) + 1;

enum class OpKind : std::uint8_t {
  source,
  unary,
  binary,
  ternary,
  movement,
  contraction,
  reduction,
  control,
  collective
};

/// One row of the table.
struct Operation {
  Op op;
  std::string_view name;  ///< as StableHLO text writes it, with its dialect
  OpKind kind;
  int operands;  ///< -1: any number
  int regions = 0;
};

/// Every operation that Octet has, in the order of `Op`: all but `custom_call`.
std::span<const Operation> operations();
const Operation& operation(Op op);
/// The name without its dialect: `add`, `dot_general`.
std::string_view name(Op op);
/// The operation that StableHLO text calls `name`, if there is one.
std::optional<Op> operation_named(std::string_view name);

/// Whether each result element depends on the elements at the same place alone.
constexpr bool is_elementwise(Op op) { return op >= Op::abs && op <= Op::select; }
constexpr bool is_collective(Op op) { return op >= Op::all_gather && op <= Op::reduce_scatter; }

}  // namespace octet
