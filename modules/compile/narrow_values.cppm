/// Values that are stored as bf16 though their type is f32. Internal to octet.compile.
export module octet.compile:narrow_values;
import octet.graph;
import octet.standard;
import :fusion;

namespace octet {

/// Whether a product of f32 rounds its operands to bf16.
bool rounds_operands(const DotAttributes& product, Precision precision);

/// Of each value, whether a loop writes it and nothing but products read it which would round it to bf16: then it is
/// written rounded, in half the memory, and the bits of the products stay the same. `movers` are the nodes whose loops
/// do not run.
std::vector<bool> find_narrow_values(const Graph& graph, const Fusion& fusion, const std::set<std::size_t>& movers,
                                     Precision precision);

}  // namespace octet
