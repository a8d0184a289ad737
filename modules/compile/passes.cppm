/// The passes: each takes a graph to a graph that computes the same bits with less.
export module octet.compile:passes;
import octet.base;
import octet.graph;
import octet.standard;
import :options;

export namespace octet {

// Each rewrites a graph, its regions included, and returns whether it changed anything. Where one throws, the graph is
// of no use.

/// Replaces operations by simpler ones with the same bits: identities, chains of moves, transposes folded into
/// products.
bool simplify(Graph& graph);
/// Replaces operations on small constants by their result.
bool fold_constants(Graph& graph);
/// Computes equal things once.
bool eliminate_common_subexpressions(Graph& graph);
/// Puts parts that are padded by zeros and added, and lie side by side, together before they are padded.
bool concatenate_pads(Graph& graph);
/// Leaves out what no result needs, loop state and region parameters included.
bool eliminate_dead_code(Graph& graph);

struct Pass {
  std::string_view name;
  bool (*run)(Graph&);
};
/// The passes in the order in which `optimize` runs them, until nothing changes or the round limit is reached.
std::span<const Pass> passes();

/// Runs all passes on `graph` and its regions, and verifies it before the first; where someone watches the passes,
/// after each.
Graph optimize(Graph graph, const CompileOptions& options = {});

}  // namespace octet
