module octet.nn;
import octet.base;
import octet.compile;
import octet.graph;
import octet.standard;
import octet.tpu;
import :precision;

namespace octet::nn {

Graph under_policy(const Graph& graph, const PrecisionPolicy& policy) {
  if (policy.activations != DType::f32 && policy.activations != DType::bf16)
    fail({.number = 402,
          .sentence =
              "Activations are stored as f32 or as bf16, not as " + std::string{name(policy.activations)} + "."});
  if (policy.passes != 1 && policy.passes != 3 && policy.passes != 6)
    fail({.number = 403,
          .sentence = "A product cannot be made in " + std::to_string(policy.passes) + " passes of the matrix unit.",
          .fix = {"choose 1, 3 or 6"}});
  const Graph optimized = optimize(graph);
  return tpu::in_passes(policy.activations == DType::bf16 ? tpu::rounded_between_operations(optimized) : optimized,
                        static_cast<int>(policy.passes));
}

}  // namespace octet::nn
