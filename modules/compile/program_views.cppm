/// Which operations of a program move nothing: how each value is read instead. Internal to octet.compile.
export module octet.compile:program_views;
import octet.base;
import octet.graph;
import octet.standard;
import :view;

namespace octet {

/// Whether an operation of this kind only moves elements, so that it can be a view of its operand.
bool is_move(Op op);

struct ProgramViews {
  std::vector<View> views;    ///< how each value of the graph is read; its own root where it has a buffer
  std::vector<bool> is_view;  ///< of each node, whether it has no buffer and no kernel
};

/// Moves that their readers can look through, and barriers.
ProgramViews program_views(const Graph& graph);

}  // namespace octet
