/// Which values are equal on all replicas: what is computed from the same operands alone, and what all replicas reduced
/// together. Such a value is computed once and held once. Internal to octet.compile.
export module octet.compile:uniform;
import octet.graph;
import octet.standard;

namespace octet {

/// For each value of `graph` whether it is equal on all replicas by construction, where the parameters at `replicated`
/// are. Values that depend on no parameter at all are not named: every replica makes its own, which costs nothing.
std::vector<bool> uniform_values(const Graph& graph, const std::vector<std::size_t>& replicated);

}  // namespace octet
