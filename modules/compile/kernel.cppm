/// What a plan is made of: kernels that read and write buffers. Internal to octet.compile.
export module octet.compile:kernel;
import octet.base;
import octet.graph;
import octet.standard;
import :cpu;

namespace octet {

/// What one kernel is given for one replica.
struct KernelContext {
  const std::byte* const* inputs;
  std::byte* const* outputs;
  std::byte* scratch;  ///< Kernel::scratch bytes, aligned to 64
  Threads& threads;    ///< to share this kernel's own work; of count 1 where replicas run side by side
  std::uint32_t replica = 0;
};

/// A piece of compiled program on dense row-major buffers. Immutable: many threads may run it at once.
class Kernel {
 public:
  virtual ~Kernel() = default;
  virtual void run(const KernelContext& context) const = 0;
  /// Bytes of scratch memory for `threads` threads.
  virtual std::size_t scratch(unsigned threads) const {
    static_cast<void>(threads);
    return 0;
  }
  /// Whether output `output` may lie in the very place of input `input`: each element is read before it is written.
  virtual bool may_overwrite(std::size_t input, std::size_t output) const {
    static_cast<void>(input), static_cast<void>(output);
    return false;
  }
  /// Arithmetic operations of one run; a multiply-add counts two, an elementary function one.
  virtual double operations() const { return 0; }
  /// One line for people: `loop of 65536: multiply, add, tanh`.
  virtual std::string describe() const = 0;
};

/// A kernel in which all replicas of a program meet.
class CollectiveKernel {
 public:
  virtual ~CollectiveKernel() = default;
  /// `inputs[r]` and `outputs[r]` belong to replica r; there are `replicas` of them. The outputs overlap no input;
  /// where all replicas receive the same they may be one buffer.
  virtual void run(const std::byte* const* inputs, std::byte* const* outputs, std::uint32_t replicas,
                   Threads& threads) const = 0;
  virtual std::string describe() const = 0;
};

/// The kernel of an operation that moves elements and is not a view: concatenate, dynamic_slice, dynamic_update_slice,
/// gather, pad, scatter, sort; and replica_id. Inputs and outputs are dense.
std::unique_ptr<Kernel> movement_kernel(const Graph& graph, const Node& node);

/// The kernel of all_gather, all_reduce, all_to_all, collective_permute or reduce_scatter.
std::unique_ptr<CollectiveKernel> collective_kernel(const Graph& graph, const Node& node);

/// One step of a fused loop: `out[i] = f(a[i], b[i], c[i])` for i < n. Operands that the operation lacks are null. pred
/// is one byte, bf16 is bfloat16: each result is rounded to its element type. `out` may be any of the operands.
using StepFunction = void (*)(void* out, const void* a, const void* b, const void* c, std::size_t n);

/// The step of elementwise operation `op` whose first data operand (of select: the second) has type `operand` and whose
/// result has type `result`; `comparison` matters to compare alone. Never null for what the shape rules allow.
StepFunction step_function(Op op, DType operand, DType result, Comparison comparison, Isa isa);

}  // namespace octet
