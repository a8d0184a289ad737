/// Programs under a precision policy.
export module octet.nn:precision;
import octet.base;
import octet.compile;
import octet.graph;
import octet.standard;
import octet.tpu;
import octet.trace;

export namespace octet::nn {

/// What is rounded to bf16, beside the operands of products that CompileOptions::precision rounds.
struct PrecisionPolicy {
  std::int64_t passes = 1;         ///< of the matrix unit, for each product: 1, or 3 or 6 for products near f32
  DType activations = DType::f32;  ///< what tensors between operations are stored as: f32 or bf16
  bool is_default() const { return passes == 1 && activations == DType::f32; }
};

/// `function` as it computes under `policy`: a function of the same structures. What it captures is as it is. Under the
/// default policy, `function` itself.
template <class Function>
auto under(PrecisionPolicy policy, Function function);

/// `graph` as `policy` says; see octet.tpu. Throws X403 for a number of passes that there is not, X402 for activations
/// of another type.
Graph under_policy(const Graph& graph, const PrecisionPolicy& policy);

}  // namespace octet::nn

namespace octet::nn {

template <class Function>
auto under(PrecisionPolicy policy, Function function) {
  return [policy, function = std::move(function)](const auto&... arguments) {
    if (policy.is_default()) return function(arguments...);
    const std::uint64_t mark = next_birth();
    std::vector<Array> given, parameters;
    std::size_t position = 0;
    const auto filled = [&](const auto& argument) {
      for (const Array& array : octet::arrays_of(argument)) given.push_back(array);
      return parameterized(argument, "arg" + std::to_string(position++), parameters);
    };
    // Braces: arguments are filled from left to right.
    auto result = std::apply(function, std::tuple<std::decay_t<decltype(arguments)>...>{filled(arguments)...});
    const std::vector<Array> results = octet::arrays_of(result), captured = captures(results, mark);
    const Graph graph = region("under", parameters, captured, results);
    given.insert(given.end(), captured.begin(), captured.end());
    return octet::with_arrays(std::move(result), inlined(under_policy(graph, policy), given));
  };
}

}  // namespace octet::nn
