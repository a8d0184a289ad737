/// Fusion: which operations run in one loop, and which are no operations at all but views. Internal to octet.compile.
///
/// An elementwise operation joins the loop of an operand that runs over the same shape; a reduction joins the loop that
/// computes what it reduces. Two loops are joined only where no third one lies between them.
export module octet.compile:fusion;
import octet.base;
import octet.graph;
import octet.standard;
import :loop;
import :view;

namespace octet {

/// Nodes that run together. A group of one that is not a loop is a kernel of its own kind.
struct FusionGroup {
  std::vector<std::size_t> nodes;  ///< indexes into Graph::nodes(), increasing
  bool is_loop = false;
  Shape space;
  LoopProgram::Reduce reduce = LoopProgram::Reduce::none;
  std::int64_t reduced = 1, columns = 1;
};

struct Fusion {
  std::vector<View> views;          ///< how each value of the graph is read; its own root where it has a buffer
  std::vector<FusionGroup> groups;  ///< in an order of execution
};

/// `uniform` says of each value whether it is equal on all replicas: what is and what is not run in different loops.
Fusion fuse(const Graph& graph, const std::vector<bool>& uniform);

/// Where the reduced dimensions of a shape are, extents of 1 aside; `none` where there are others between them.
LoopProgram::Reduce reduce_kind(const Shape& shape, const Dims& dimensions);

/// A value that one group writes to memory and another reads.
struct Passage {
  ValueId value = -1;
  std::size_t writer = 0, reader = 0;  ///< indexes into Graph::nodes()
  std::string reason;                  ///< why the two groups are not one
};

/// What passes between the groups of `fuse`, constants aside: each value once for each group that reads it.
std::vector<Passage> passages(const Graph& graph, const std::vector<bool>& uniform);

}  // namespace octet
