/// The verifier: what must hold of every graph, after tracing, after reading and after each pass.
export module octet.graph:verifier;
import octet.base;
import octet.standard;
import :graph;

export namespace octet {

/// Every fault of `graph`: values defined once and before their use, types as inferred, regions closed and of the right
/// signature, results defined. Empty when it is well formed.
std::vector<Diagnostic> faults(const Graph& graph);

/// Throws Error with all faults, if there are any.
void verify(const Graph& graph);

}  // namespace octet
