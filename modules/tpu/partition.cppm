/// A program that devices share, as each of them runs it: what GSPMD and Shardy make of data-parallel programs, also of
/// those whose weights and optimizer are cut (FSDP, ZeRO).
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

/// The dimension along which all devices have equal parts, `uncut` where none is cut; nothing where it is another cut.
std::optional<std::int64_t> cut_along(const Dims& parts, std::int64_t devices);

/// A `Sharding`, or the border of a program of one device within: along which dimension there are parts.
struct Border {
  enum class Kind { asks, enters, leaves } kind;
  std::int64_t dimension;
};
/// Nothing of other nodes.
std::optional<Border> border_of(const Node& node, std::int64_t devices);

/// The nodes of programs of one device within (`shard_map`): each device has its own of all that they compute, and
/// nothing of it is cut. Borders are none of them.
std::set<const Node*> nodes_of_one_device(const Graph& whole, std::int64_t devices);

/// How a node is computed in parts: the dimensions along which its operands and its results are cut, and what is summed
/// over devices afterwards. Of such a sum each device has all, or its part alone where the result is cut.
struct Cut {
  Dimensions inputs, outputs;
  std::optional<Reducer> meets = {};
  /// Of a `gather` or a `scatter` whose indices count along the cut: the component that does.
  std::optional<std::int64_t> counts = {};
};

/// The way to compute `node` from operands that are cut so; one in which nothing is cut where there is none.
Cut cut_of(const Graph& graph, const Node& node, const Dimensions& inputs, std::int64_t devices);
/// The same to have its result cut along `dimension`, where that takes no more than its operands cut or whole.
std::optional<Cut> cut_for(const Graph& graph, const Node& node, std::int64_t dimension, std::int64_t devices);

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

inline constexpr std::int64_t unasked = -2;  ///< of a result: as it comes

Plan plan(const Graph& whole, const Shardings& parameters, const Shardings& wanted, std::int64_t devices, Plans& plans);

}  // namespace octet::tpu
