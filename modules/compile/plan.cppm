/// The plan: a graph turned into kernels in order, and the places of their buffers. Internal to octet.compile.
///
/// Buffers of values that are not alive at the same time share places in an arena; a kernel that reads each element
/// before it writes it may write its result over an operand that nothing needs any more. There are three arenas. What
/// is equal on all replicas lies in one that they have in common. What a replica needs from one meeting of replicas
/// until after the next is its own. What it needs in between alone lies in the arena of the thread that runs it: the
/// next replica on that thread uses the same memory. The regions of a loop or branch have one arena, which is a buffer
/// of the plan around them, alive while they run.
export module octet.compile:plan;
import octet.base;
import octet.graph;
import octet.standard;
import :kernel;
import :options;

namespace octet {

/// Where a buffer lies.
struct Placement {
  enum class Where : std::uint8_t { arena, thread_arena, shared_arena, argument, result, constant };
  Where where = Where::arena;
  std::size_t index = 0;  ///< an offset in bytes, or the number of the argument, result or constant
};

struct Plan;

/// One step of a plan: a kernel, a collective, or control flow with plans of its own.
struct Instruction {
  std::unique_ptr<Kernel> kernel;
  std::unique_ptr<CollectiveKernel> collective;
  std::vector<std::unique_ptr<Plan>> regions;  ///< if: both branches; while: condition and body
  bool is_while = false;
  bool uniform = false;              ///< run once for all replicas: its results are equal on all
  std::vector<std::size_t> varying;  ///< while: which parts of the state the body changes, in its results' order
  std::vector<bool> unread;          ///< while: which outputs nothing reads
  std::vector<std::size_t> inputs, outputs;  ///< buffers
  // Buffers of control flow that nothing else uses.
  std::vector<std::size_t> region_arena;   ///< one: what lies between the instructions of whichever region runs
  std::vector<std::size_t> second_places;  ///< while: for what the body changes and does not write over, in order
  Place place;

  bool meets() const;  ///< whether replicas meet here
  /// Whether they meet only because one of them computes for all.
  bool is_kernel_for_all() const { return uniform && !collective; }
  std::string describe() const;  ///< its kernel in one line
};

struct Plan {
  std::vector<Placement> buffers;
  std::vector<std::size_t> bytes;  ///< of each buffer
  std::vector<bool> shared;        ///< whether all replicas have one buffer in common
  std::vector<Instruction> instructions;
  std::vector<Tensor> constants;
  std::vector<TensorType> arguments, results;
  std::vector<std::int64_t> result_from;             ///< the donated argument whose place a result takes, or -1
  std::vector<bool> argument_shared, result_shared;  ///< whether it is one tensor for all replicas
  std::size_t arena_bytes = 0;                       ///< of each replica
  std::size_t thread_bytes = 0;                      ///< of the arena of each thread that runs replicas
  std::size_t shared_bytes = 0;                      ///< of the arena that replicas have in common
  std::size_t live_bytes = 0;                        ///< the largest sum of buffers in all three alive at one moment
  bool meets = false;                                ///< whether replicas meet anywhere in it
  bool is_region = false;  ///< of control flow: its one arena is a buffer of the plan around it
};

std::unique_ptr<Plan> make_plan(const Graph& graph, const CompileOptions& options);

/// A line for each instruction.
std::string to_string(const Plan& plan);

/// How a `dot_general` reads an operand through a view.
struct DotOperand {
  Dims batch_strides;  ///< one for each batching dimension
  std::int64_t offset = 0, free_stride = 0, contracted_stride = 0;
  bool stored_as_bfloat16 = false;  ///< though its type is f32: what the product would round lies rounded
};
struct DotShape {
  Dims batch;
  std::int64_t m = 1, n = 1, k = 1;
};
/// Where it writes its result: the columns lie side by side.
struct DotResult {
  Dims batch_strides;
  std::int64_t row_stride = 0;
};
/// The result's places in row-major order.
DotResult dense_result(const DotShape& shape);

std::unique_ptr<Kernel> dot_kernel(DType dtype, const DotShape& shape, const DotOperand& lhs, const DotOperand& rhs,
                                   const DotResult& result, bool round_to_bfloat16, Isa isa);

}  // namespace octet
