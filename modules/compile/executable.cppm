/// Executable: a compiled program.
module;
#include <cstddef>
#include <memory>
#include <string>
#include <vector>
export module octet.compile:executable;
import octet.base;
import octet.graph;
import :options;

export namespace octet {

/// What a program needs and is made of.
struct ExecutableStatistics {
  std::size_t nodes = 0;            ///< operations after the passes
  std::size_t kernels = 0;          ///< what they became
  std::size_t arena_bytes = 0;      ///< intermediate buffers of one replica
  std::size_t live_bytes = 0;       ///< the largest sum of intermediate buffers alive at one moment
  std::size_t constant_bytes = 0;
  std::size_t argument_bytes = 0;
  std::size_t result_bytes = 0;
};

/// A compiled program. A cheap handle to something immutable: many threads may run it at once.
class Executable {
 public:
  /// The result of optimizing and planning `graph`.
  static Executable compile(const Graph& graph, const CompileOptions& options);

  /// Runs the program on one replica; its kernels share `threads`. Throws X405 where the arguments are not of the types it was
  /// compiled for. Donated arguments should be moved in: a tensor that someone else still holds is copied first.
  std::vector<Tensor> run(std::vector<Tensor> arguments, Threads& threads) const;
  /// Runs the program on all replicas at once, each on its own arguments: `[replica][argument]` in, `[replica][result]` out.
  /// Replicas share `threads`; the results do not depend on their number. Throws X105 where replicas part ways before a
  /// collective.
  std::vector<std::vector<Tensor>> run(std::vector<std::vector<Tensor>> arguments, Threads& threads) const;

  /// The optimized program.
  const Graph& graph() const;
  const CompileOptions& options() const;
  ExecutableStatistics statistics() const;
  /// One line for each kernel, in order of execution.
  std::string describe() const;

 private:
  struct Program;
  explicit Executable(std::shared_ptr<const Program> program);
  std::shared_ptr<const Program> program_;
};

/// Shorthand for Executable::compile.
inline Executable compile(const Graph& graph, const CompileOptions& options = {}) { return Executable::compile(graph, options); }

}  // namespace octet
