/// A program that devices share, as each of them runs it: tensors are cut along one dimension where a parameter is, and
/// what that leaves in parts is added up or gathered. What GSPMD and Shardy make of data-parallel programs.
export module octet.tpu:partition;
import octet.base;
import octet.graph;
import octet.standard;

export namespace octet::tpu {

/// What one of `devices` runs of `whole`, whose parameters, by position, are cut along these dimensions into as many
/// equal parts. It computes the same: what an operation needs whole, and is in parts, is gathered before it. Throws
/// X401 where a dimension cannot be cut so.
Graph one_part(const Graph& whole, const std::map<std::size_t, std::int64_t>& parted, std::int64_t devices);

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
