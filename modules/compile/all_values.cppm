/// Programs that give every value they compute, for looking into them. Internal to octet.compile.
module octet.compile:all_values;
import octet.base;
import octet.graph;
import octet.standard;
import :executable;

namespace octet {

/// Of each replica.
using Tensors = std::vector<std::vector<Tensor>>;

/// A program, or a region of one, in f32 precision. `graph` must stay where it is.
class AllValues {
 public:
  explicit AllValues(const Graph& graph);

  const Graph& graph() const { return graph_; }
  /// For `[replica][parameter]` the values of each replica, in the order of `Graph::values()`.
  Tensors operator()(const Tensors& arguments, Threads& threads) const;

 private:
  const Graph& graph_;
  Executable executable_;
};

/// Which parts of a loop's state part `k` comes of, by what the body computes it of in however many rounds.
std::vector<bool> parts_behind(const Graph& body, std::size_t k);

}  // namespace octet
