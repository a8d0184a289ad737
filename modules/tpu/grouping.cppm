/// Which operations of a program a TPU's compiler runs as one, and which are only other ways to read a tensor. Internal
/// to octet.tpu.
export module octet.tpu:grouping;
import octet.base;
import octet.graph;
import octet.standard;
import :fused;

namespace octet::tpu {

/// Nodes and values are named by their positions in the graph. A kernel is named by the node that leads it, its last
/// one; but a product is led by the loop that follows it, which runs as it leaves the matrix unit.
struct Grouping {
  std::vector<ValueId> roots;                     ///< of each value, where it lies
  std::vector<std::size_t> after;                 ///< of each value, the barrier that it is a result of
  std::vector<bool> is_view;                      ///< of each node
  std::vector<std::vector<std::size_t>> kernels;  ///< of each node, those that it is computed in
  std::vector<std::int64_t> product_of;           ///< of each node that leads a kernel, the product it follows, or -1
  std::vector<bool> absorbed;                     ///< of each node, whether it is a product that another leads

  ValueId root(ValueId id) const { return roots[static_cast<std::size_t>(id)]; }
  bool leads(std::size_t n) const { return kernels[n].size() == 1 && kernels[n][0] == n; }
  /// Whether node `from` is computed with node `leader`: the product that it follows, or what leads no kernel.
  bool is_computed_with(const Graph& graph, std::size_t leader, std::size_t from) const;
};

Grouping grouped(const Graph& graph, const FuseOptions& options);

/// f32 operations that one element of `each` costs: a division by what is broadcast is a multiplication by its
/// reciprocal.
double weight(const Graph& graph, const Node& each);

void insert_sorted(auto& set, auto value) {
  const auto at = std::lower_bound(set.begin(), set.end(), value);
  if (at == set.end() || *at != value) set.insert(at, value);
}

}  // namespace octet::tpu
