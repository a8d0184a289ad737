/// A program that devices share, as each of them runs it: what GSPMD and Shardy make of it. Devices may share a batch,
/// weights and what an optimizer keeps (FSDP, ZeRO), or the work on one example (tensor parallelism); and along the
/// axes of a mesh, each of these at once.
export module octet.tpu:partition;
import octet.base;
import octet.graph;
import octet.standard;

export namespace octet::tpu {

/// That a tensor is not cut.
inline constexpr std::int64_t uncut = -1;

/// Which part of a tensor each device has.
struct Sharding {
  std::int64_t dimension = uncut;  ///< along which it is cut into equal parts, one for each device
  bool of_batch = false;           ///< whether parts are of examples, which stay where they are
  friend bool operator==(const Sharding&, const Sharding&) = default;
};

/// What one of `devices` runs of `whole`, of whose `parameters`, by position, it has parts. It computes the same: the
/// batch stays in parts; of what else is cut, such as weights, devices gather all where an operation needs all; what
/// they have partial sums of is added up, and of sums that go into what is cut each device gets its part alone. Of
/// `results` it is said along which dimension they are cut. Throws X410 where an operation needs the examples of other
/// devices, and where a result cannot be cut so.
Graph one_part(const Graph& whole, const std::map<std::size_t, Sharding>& parameters, std::int64_t devices,
               const std::map<std::size_t, std::int64_t>& results = {});

/// One cut of a tensor: devices that have parts next to each other along `dimension` are `stride` apart in number.
struct MeshCut {
  std::int64_t dimension = uncut, count = 1, stride = 1;
  friend bool operator==(const MeshCut&, const MeshCut&) = default;
};
/// Of several along one dimension, the coarser is before the finer. A cut along no dimension (`uncut`) leaves it to the
/// compiler what else is cut.
using MeshCuts = std::vector<MeshCut>;
/// From three numbers each, as `ProgramText::parts` has them.
MeshCuts mesh_cuts(const Dims& numbers);

struct MeshSharding {
  MeshCuts cuts = {};
  bool of_batch = false;  ///< whether parts along the first dimension are of examples
  bool guessed = false;   ///< whether nobody said so: then X410 where they are used as parts of weights are
};

/// The same of a mesh of devices of several axes: one after the other, what cuts the batch first. Throws X410 where the
/// axes are not those of one mesh. `same_work` is how many devices compute the same: those along axes by which no
/// product is smaller, or nothing that is computed where there is no product.
Graph one_part(const Graph& whole, const std::map<std::size_t, MeshSharding>& parameters, std::int64_t devices,
               const std::map<std::size_t, MeshCuts>& results, std::int64_t* same_work = nullptr);

}  // namespace octet::tpu

namespace octet::tpu {

using Dimensions = std::vector<std::int64_t>;  ///< along which each of several values is cut
using Shardings = std::vector<Sharding>;

inline Dimensions dimensions(const Shardings& parts) {
  Dimensions all;
  for (const Sharding& part : parts) all.push_back(part.dimension);
  return all;
}

[[noreturn]] void not_judged(std::string sentence, const Place& place);

/// Devices along one axis of a mesh, or all: device d is number d / stride % count.
struct Axis {
  std::int64_t count, stride = 1;
  std::int64_t devices = count;    ///< of all axes
  bool first = true, last = true;  ///< whether a program is cut along no axis before, and along none after
  bool of_batch = false;           ///< whether examples are cut along it
  bool guessed = false;            ///< whether nobody said that they are examples
};
/// The groups of devices that differ in their number along `axis` alone.
ReplicaGroups groups_along(const Axis& axis);

inline constexpr std::int64_t unasked = -2;  ///< of a result or a `Sharding`: as it comes

/// A `Sharding`, or the border of a program of one device within: along which dimension there are parts.
struct Border {
  enum class Kind { asks, enters, leaves } kind;
  std::int64_t dimension;
};
/// Nothing of other nodes.
std::optional<Border> border_of(const Node& node, const Axis& axis);
/// Along which dimension `cuts` has parts for the devices of an axis; `unasked` where that is left to the compiler.
std::int64_t cut_along(const MeshCuts& cuts, const Axis& axis);

/// The nodes of programs of one device within (`shard_map`): each device has its own of all that they compute, and
/// nothing of it is cut. Borders are none of them.
std::set<const Node*> nodes_of_one_device(const Graph& whole, const Axis& axis);

/// `one_part`, along one axis.
Graph part_along(const Graph& whole, const std::vector<Sharding>& parameters, const std::vector<Sharding>& results,
                 Axis axis);

/// How a node is computed in parts: the dimensions along which its operands and its results are cut, and what is summed
/// over devices afterwards. Of such a sum each device has all, or its part alone where the result is cut.
struct Cut {
  Dimensions inputs, outputs;
  std::optional<Reducer> meets = {};
  /// Of a `gather` or a `scatter` whose indices count along the cut: the component that does.
  std::optional<std::int64_t> counts = {};
  /// Of one whose operand is cut along what its indices pick: the component that picks, of what other devices may have.
  std::optional<std::int64_t> picks = {};
};

/// The way to compute `node` from operands that are cut so; one in which nothing is cut where there is none.
Cut cut_of(const Graph& graph, const Node& node, const Dimensions& inputs, std::int64_t devices);
/// The same to have its result cut along `dimension`, where that takes no more than its operands cut or whole.
std::optional<Cut> cut_for(const Graph& graph, const Node& node, std::int64_t dimension, std::int64_t devices);

/// Whether a constant's elements are one number: of it a part is as good as any other.
bool is_splat(const Node& node);
/// Whether `node` uses what `values` say are parts of a batch as it would use parts of weights: of columns or rows that
/// a product takes beside what is no batch, of a bias, of a table; or beside a parameter of which each device has all.
bool takes_as_weights(const Graph& graph, const Node& node, const Cut& how, const Shardings& values);

/// Which part of each value of a graph devices have, and how its nodes are computed.
struct Plan {
  Shardings values;
  std::vector<Cut> nodes;
  Dimensions preferred;  ///< of parameters that are whole, along which dimension something takes parts of them
};

struct Loop {
  Shardings given, state;  ///< of its state, as it is passed in, and in each turn
  Plan condition, body;
  int rounds = 0;
};

struct Branches {
  Shardings given, asked, results;
  std::vector<Plan> plans;
};

/// Of a program and all that lies within it.
struct Plans {
  std::map<const Node*, Loop> loops;
  std::map<const Node*, Branches> branches;
  /// Results that are whole by themselves and wanted along that dimension: sums over devices, and states of loops.
  std::map<std::pair<const Node*, std::size_t>, std::int64_t> asked;
  std::set<std::int64_t> entering_batch;  ///< extents, of all devices, of what programs of one device are given of it
  std::set<const Node*> of_one_device;
};

Plan plan(const Graph& whole, const Shardings& parameters, const Shardings& wanted, const Axis& axis, Plans& plans);

}  // namespace octet::tpu
