/// A program whose batch devices share, as each of them runs it: what GSPMD and Shardy make of data-parallel programs.
export module octet.tpu:partition;
import octet.base;
import octet.graph;
import octet.standard;

export namespace octet::tpu {

/// What one of `devices` runs of `whole`, whose parameters, by position, are cut along their first dimension into as
/// many equal parts. It computes the same: what devices have partial sums of is added up, and results of which
/// `results` says that they are whole are gathered. Throws X410 where an operation needs the examples of other devices,
/// and where a result that is said to be cut so is not.
Graph one_part(const Graph& whole, const std::set<std::size_t>& parted, std::int64_t devices,
               const std::map<std::size_t, bool>& results = {});

}  // namespace octet::tpu

namespace octet::tpu {

/// That a tensor is not cut.
inline constexpr std::int64_t uncut = -1;

/// How a node is computed in parts: the dimensions along which its operands and its results are cut, and what is summed
/// over devices afterwards.
struct Cut {
  std::vector<std::int64_t> inputs, outputs;
  std::optional<Reducer> meets = {};
  /// Of a `gather` or a `scatter` whose indices count along the cut: the component that does.
  std::optional<std::int64_t> counts = {};
};

/// The way to compute `node` from operands that are cut so; one in which nothing is cut where there is none.
Cut cut_of(const Graph& graph, const Node& node, const std::vector<std::int64_t>& inputs, std::int64_t devices);
/// The same to have its result cut along `dimension`, where that takes no more than its operands cut or whole.
std::optional<Cut> cut_for(const Graph& graph, const Node& node, std::int64_t dimension, std::int64_t devices);

}  // namespace octet::tpu
