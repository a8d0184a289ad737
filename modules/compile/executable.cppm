/// Executable: a compiled program.
export module octet.compile:executable;
import octet.base;
import octet.graph;
import octet.standard;
import :options;

export namespace octet {

/// What a program needs and is made of.
struct ExecutableStatistics {
  std::size_t nodes = 0;    ///< operations after the passes
  std::size_t kernels = 0;  ///< what they became
  std::size_t arena_bytes =
      0;  ///< intermediate buffers that each replica keeps from one meeting with the others to the next
  std::size_t thread_bytes = 0;  ///< intermediate buffers of each thread that runs replicas
  std::size_t shared_bytes = 0;  ///< intermediate buffers that all replicas have in common
  std::size_t live_bytes = 0;    ///< the largest sum of all these alive at one moment
  std::size_t constant_bytes = 0;
  std::size_t argument_bytes = 0;
  std::size_t result_bytes = 0;
  std::size_t kept_bytes = 0;         ///< of results, let go by all, kept for the next run: each replica's own
  std::size_t kept_shared_bytes = 0;  ///< the same of those that replicas have in common
};

/// One kernel of a program, and what it took.
struct KernelProfile {
  std::string kernel;     ///< `dot_general [] x 512 x 128 x 128`
  Place place;            ///< the user's line, of a loop the last one
  double seconds = 0;     ///< of all runs so far
  double operations = 0;  ///< the same; 0 where it only moves elements, or decides
  double bytes = 0;       ///< read and written, each buffer once a run
};

/// A value that one kernel of a program writes to memory and another reads, and why the two are not one kernel.
struct UnfusedValue {
  TensorType type;
  std::string writer, reader;  ///< the operations: `add`, `dot_general`
  Place place;                 ///< the reader's line
  std::string reason;          ///< `dot_general is a kernel of its own`
};

/// An argument of a run, where its owner keeps it: read there, or, given as an rvalue, taken over.
class GivenTensor {
 public:
  explicit inline GivenTensor(const Tensor& tensor) : tensor_{&tensor} {}
  explicit inline GivenTensor(Tensor&& tensor) : tensor_{&tensor}, own_{&tensor} {}
  inline const Tensor* operator->() const { return tensor_; }
  inline const Tensor& operator*() const { return *tensor_; }
  /// The tensor: moved out if it is an rvalue, else a copy that shares its storage.
  Tensor take() const {
    if (own_) return std::move(*own_);
    return *tensor_;
  }
  /// Gives up an rvalue's storage.
  inline void let_go() const {
    if (own_) Tensor{std::move(*own_)};
  }

 private:
  const Tensor* tensor_;
  Tensor* own_ = nullptr;
};

/// A compiled program. A cheap handle to something immutable: many threads may run it at once.
class Executable {
  struct NoArgument {  ///< what there is none of
    NoArgument() = delete;
  };

 public:
  /// The result of optimizing and planning `graph`.
  static Executable compile(Graph graph, const CompileOptions& options);

  /// Runs the program on one replica; its kernels share `threads`. Throws X405 where the arguments are not of the types
  /// it was compiled for. Donated arguments should be moved in: a tensor that someone else still holds is copied first.
  std::vector<Tensor> run(std::vector<Tensor> arguments, Threads& threads) const;
  /// The same of a program without arguments, `run({}, threads)`, which would fit each of the others as well.
  std::vector<Tensor> run(std::initializer_list<NoArgument>, Threads& threads) const {
    return run(std::vector<Tensor>{}, threads);
  }
  /// The same for arguments that lie elsewhere; rvalues among them are moved out, once there is memory for all that the
  /// run needs (else it throws X408). One that is given twice and donated is copied first.
  std::vector<Tensor> run(std::span<const GivenTensor> arguments, Threads& threads) const;
  /// Runs the program on all replicas at once, each on its own arguments: `[replica][argument]` in, `[replica][result]`
  /// out. Replicas share `threads`; the results do not depend on their number. Results that are equal by construction
  /// (see CompileOptions::replicated) are one tensor for all. Throws X105 where replicas part ways before a collective.
  std::vector<std::vector<Tensor>> run(std::vector<std::vector<Tensor>> arguments, Threads& threads) const;
  /// The same for arguments that lie elsewhere; rvalues among them are moved out.
  std::vector<std::vector<Tensor>> run(std::span<const std::vector<GivenTensor>> arguments, Threads& threads) const;

  /// The same on one replica, with what each kernel took added to `profile`, which is empty at first and then has one
  /// entry for each kernel, in order of execution.
  std::vector<Tensor> run_profiled(std::vector<Tensor> arguments, Threads& threads,
                                   std::vector<KernelProfile>& profile) const;

  /// The optimized program.
  const Graph& graph() const;
  const CompileOptions& options() const;
  ExecutableStatistics statistics() const;
  /// One line for each kernel, in order of execution.
  std::string describe() const;
  /// What passes through memory from kernel to kernel: each value once for each kernel that reads it, constants aside.
  /// Bodies of loops and branches are not looked into. Found anew at each call.
  std::vector<UnfusedValue> unfused() const;

 private:
  struct Program;
  /// Throws X405 where they are not of the types the program was compiled for.
  void check(std::span<const GivenTensor> arguments) const;
  /// Throws X405 where an argument that is one tensor for all replicas is not.
  void check_replicated(std::span<const std::vector<GivenTensor>> arguments) const;
  explicit Executable(std::shared_ptr<const Program> program);
  std::shared_ptr<const Program> program_;
};

/// Shorthand for Executable::compile.
inline Executable compile(Graph graph, const CompileOptions& options = {}) {
  return Executable::compile(std::move(graph), options);
}

}  // namespace octet
