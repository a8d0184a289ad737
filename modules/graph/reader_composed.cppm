/// Operations that StableHLO and CHLO have and the graph says by others: what other compilers print, JAX first of all.
module octet.graph:reader_composed;
import octet.base;
import octet.standard;
import :attributes;
import :cursor;
import :graph;
import :operation;
import :reader_functions;
import :syntax;

namespace octet::syntax {

/// What to do about an operation that is not.
inline constexpr std::string_view not_had =
    "say it by other operations, or leave it out of the program that is checked";

/// Whether operations of that name are read, of their own or as others.
bool is_read(std::string_view name);

/// Whether `statement`, whose types of ui64 were read as i64, gives the same bits of both: JAX computes so what its
/// random numbers count by.
bool same_of_signed(const Statement& statement);

/// Writes operations in the place of one statement, each where the statement stands.
class Composer {
 public:
  using Append = std::function<std::vector<ValueId>(Op, std::vector<ValueId>, Attributes)>;

  Composer(const Cursor& text, const Statement& statement, const Graph& graph, Append append)
      : text_{text}, statement_{statement}, graph_{graph}, append_{std::move(append)} {}

  /// What a statement means that is not an operation of the graph and has no regions.
  std::vector<ValueId> composed(const std::vector<ValueId>& inputs);

  /// Batching dimensions of `gather` and `scatter` become components of the indices.
  void take_in_batching(bool gathers, Attributes& attributes, std::vector<ValueId>& inputs);

  /// A `dot_general`, whose result may be of another precision than its operands.
  ValueId product(const DotAttributes& attributes, std::vector<ValueId> inputs);

  /// A `compare` of floating-point numbers in their total order: -NaN, -infinity, …, -0, 0, …, infinity, NaN.
  ValueId in_total_order(const std::vector<ValueId>& inputs, Comparison direction);

  /// A `reduce` of values and their places to the greatest value, or the smallest, and where it first stands.
  std::vector<ValueId> first_of(Reducer reducer, const std::vector<ValueId>& inputs);
  /// The maximum or the minimum, as the region of such a `reduce` selects.
  Reducer selected() const;

  /// A `reduce_window` whose windows are all that lies before an element, or behind it, the element included: in each
  /// of a few steps, twice as much is added to it.
  ValueId accumulated(Reducer reducer, ValueId x);

  /// What was reduced, combined with the scalar that the reduction starts from, where that is not its neutral element.
  ValueId started(Reducer reducer, ValueId reduced, std::optional<ValueId> start);

  /// A `sort` in the order that its region says: -0 may be 0 and any NaN another, and where the first operand is equal
  /// a second may be asked.
  std::vector<ValueId> sorted(const SortAttributes& attributes, const std::vector<ValueId>& inputs);

 private:
  /// A list of integers; empty where it is not there.
  Dims numbers(const Dictionary& dictionary, std::string_view name) const;
  const Region& only_region() const;
  /// Whether elements of `value` are their own numbers along that dimension.
  bool counts_along(ValueId value, std::int64_t dimension) const;
  ValueId one(Op op, std::vector<ValueId> inputs, Attributes attributes = {});
  ValueId filled(const Tensor& scalar, const Shape& shape);
  ValueId filled(float value, TensorType type);
  ValueId compared(ValueId a, ValueId b, Comparison direction);
  /// NaN of one kind for any NaN, and 0 for -0.
  ValueId canonical(ValueId x);
  /// The `k` largest of the last dimension, as `attributes` say, and where they stand.
  std::vector<ValueId> largest(const Dictionary& attributes, ValueId x);
  /// A `custom_call` of what is known.
  std::vector<ValueId> called(const std::vector<ValueId>& inputs);
  /// `dot` and `broadcast`, which StableHLO had before their general forms.
  ValueId matrix_product(const std::vector<ValueId>& inputs);
  ValueId broadcast(ValueId x);
  ValueId converted(ValueId x, DType dtype);
  ValueId applied_to(const Function& function, const std::vector<ValueId>& inputs);
  /// A `reduce_precision`, to what bf16 keeps.
  ValueId less_precise(ValueId x);

  const Cursor& text_;
  const Statement& statement_;
  const Graph& graph_;
  Append append_;
};

}  // namespace octet::syntax
