/// What to do about an operation through which padding leaks. Internal to octet.compile.
module octet.compile:padding_advice;
import octet.graph;
import octet.standard;

namespace octet {

/// Ways to mend `node` of `graph`, the likeliest first. `finite`: whether padding is of finite numbers, which a weight
/// of 0 takes out of a sum.
std::vector<std::string> padding_fixes(const Graph& graph, const Node& node, bool finite);

}  // namespace octet
