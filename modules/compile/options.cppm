/// What a caller may decide about compiling.
export module octet.compile:options;
import octet.base;
import octet.graph;
import octet.standard;
import :cpu;

export namespace octet {

struct CompileOptions {
  /// What a product of f32 with DotPrecision::DEFAULT rounds its operands to: bf16, as a TPU does, or nothing.
  Precision precision = Precision::bf16;
  /// Parameters (by position) whose buffers the program may write its results to; the caller's tensors are used up.
  std::vector<std::size_t> donated = {};
  /// Parameters (by position) of which all replicas are given one and the same tensor. What follows from these alone,
  /// and what all replicas reduce together, is computed once and held once.
  std::vector<std::size_t> replicated = {};
  /// Called with each pass's name and the graph before and after it.
  std::function<void(std::string_view pass, const Graph& before, const Graph& after)> on_pass = {};
  /// The instruction set to use, one of available_isas() (X709); results do not depend on it in bf16 precision.
  Isa isa = best_isa();
};

}  // namespace octet
