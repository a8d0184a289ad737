/// The passes: each takes a graph to a graph that computes the same bits with less.
module;
#include <span>
#include <string_view>
export module octet.compile:passes;
import octet.base;
import octet.graph;
import :options;

export namespace octet {

/// Replaces operations by simpler ones with the same bits: identities, chains of moves, transposes folded into products.
Graph simplify(const Graph& graph);
/// Replaces operations on small constants by their result, computed by the reference.
Graph fold_constants(const Graph& graph);
/// Computes equal things once.
Graph eliminate_common_subexpressions(const Graph& graph);
/// Leaves out what no result needs, loop state and region parameters included.
Graph eliminate_dead_code(const Graph& graph);

struct Pass {
  std::string_view name;
  Graph (*run)(const Graph&);
};
/// The passes in the order in which `optimize` runs them, until nothing changes or the round limit is reached.
std::span<const Pass> passes();

/// Runs all passes on `graph` and its regions, and verifies it before the first and after each that changed it.
Graph optimize(Graph graph, const CompileOptions& options = {});

}  // namespace octet
