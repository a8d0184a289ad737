/// What a TPU's compiler makes of a program: operations fused, and the tensors that pass through memory between them.
///
/// The rules are XLA's in outline. An operation on elements is computed where it is used: in the loop, the reduction or
/// the operand of the one product that uses it, or in each of several users where that is cheap and reads no more than
/// its result would be. What follows a product element by element is computed as the product leaves the matrix unit.
/// Loops over the same elements run as one. Everything else passes through memory, and so does what passes a barrier,
/// across which nothing is fused.
export module octet.tpu:fused;
import octet.base;
import octet.graph;
import octet.standard;

export namespace octet::tpu {

/// The extents of a product: batch times [m, k] by [k, n].
struct Product {
  std::int64_t batch = 1, m = 1, n = 1, k = 1;
  int passes = 1;  ///< through the matrix unit: 1 for operands rounded to bf16, 3 for HIGH, 6 for HIGHEST
};

/// Operations that run as one.
struct FusedOperation {
  /// A handover moves nothing: it gives tensors that lie in the same place a new name, where a loop begins or ends.
  enum class Kind : std::uint8_t { product, loop, movement, collective, handover };
  Kind kind = Kind::loop;
  std::string description;             ///< `dot_general [512, 1024] x [1024, 4096]`
  Place place;                         ///< of its last node
  std::size_t node = 0;                ///< its last node, by position in the graph
  std::size_t after = 0;               ///< the barrier that it waits for, by position in the graph
  Product product;                     ///< of a product
  double vector_operations = 0;        ///< f32 operations of the vector unit
  std::vector<ValueId> reads, writes;  ///< tensors in memory, each once
  std::vector<double> read_shares;     ///< of each read, the share of it that is touched (a gather reads rows)
  Op collective = Op::all_reduce;      ///< of a collective
  ReplicaGroups groups;
  double write_share = 1;     ///< the share of what it writes that is touched (an update writes rows)
  std::vector<ValueId> over;  ///< of each of `writes`, the one of `reads` in whose place it lies, or -1; may be empty
  int nesting = 0;            ///< of a handover: 1 where a loop begins, -1 where it ends
  /// Of `reads`, what a loop, or what follows a product, reads at other elements than the one it is at.
  std::vector<ValueId> elsewhere;
  std::vector<ValueId> drawn;  ///< of `writes`, what random bits made that nothing gives a second time
  double repeats = 1;          ///< in a loop of so many rounds
};

struct FuseOptions {
  /// Whether a reshape that splits or joins the last dimension moves data, as it does between two-dimensional products
  /// and four-dimensional attention; a product that writes the split form at once needs no such copy.
  bool reshapes_move = false;
  /// Whether u32 are random bits of the core's own generator, which gives none twice, instead of computed from a key.
  bool draws_bits = false;
  /// Parameters, by position, that may be written over once they are read for the last time.
  std::vector<std::size_t> donated = {};
};

/// The operations of `graph` in an order of execution, regions of control flow in place of their nodes: a `while` as
/// often as it runs (once where that cannot be read off), of an `if` the longer branch. What a loop carries has one
/// place from round to round, into which the body's result is copied where it cannot be computed there. A
/// `dynamic_update_slice` or a `scatter` writes into its operand where nothing needs that any more.
struct FusedProgram {
  std::vector<TensorType>
      tensors;  ///< what ids in `operations` name: the values of the graph, then those of its regions
  std::vector<FusedOperation> operations;
  std::vector<ValueId> parameters, results;
};
FusedProgram fused(const Graph& graph, const FuseOptions& options = {});

/// f32 operations of the vector unit that one element of `op` costs; XLA expands the elementary functions into
/// polynomials of about so many terms.
double vector_weight(Op op);

}  // namespace octet::tpu

namespace octet::tpu {

bool contains(const auto& list, auto value) { return std::find(list.begin(), list.end(), value) != list.end(); }

/// The elements that the loop of `node` runs over.
const Shape& loop_space(const Graph& graph, const Node& node);

/// Loops over the same elements become one where the second reads what the first reads or writes, and all it needs is
/// there when the first begins. `operations` are those of `graph`, in order.
void merge_loops(const Graph& graph, std::vector<FusedOperation>& operations);

/// Of each output of `loop`, a `while`, whether its body hands that part of the state on as it is.
std::vector<bool> handed_on(const Node& loop);

/// Passes of the matrix unit that the product `dot` takes. Operands of bf16 are exact in one, whatever it asks for.
int passes_of(const Graph& graph, const Node& dot);

/// An operand of control flow.
struct Given {
  ValueId id = -1;
  bool dies = false;  ///< whether it may be written over there
};
/// What lies in memory of the tensors of a program that grows; small constants do not.
struct InMemory {
  std::vector<bool> each;
  std::size_t counted = 0;  ///< operations that were looked at
};
/// Adds the regions of `control`, which stands in `graph` and is given `operands`, to `program`.
void add_regions(FusedProgram& program, const Graph& graph, const Node& control, std::vector<Given> operands,
                 const FuseOptions& options, InMemory& in_memory);

}  // namespace octet::tpu
