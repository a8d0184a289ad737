/// Graph: a program in static single assignment, as a value.
export module octet.graph:graph;
import octet.base;
import octet.standard;
import :attributes;
import :operation;

export namespace octet {

/// Names a value of one graph: an index into `Graph::values()`.
using ValueId = std::int32_t;

/// One thing a program computes, or a parameter.
struct Value {
  TensorType type;
  std::string name;        ///< of a parameter, as the user wrote it; empty elsewhere
  std::int32_t node = -1;  ///< the node that defines it; -1 for a parameter
};

class Graph;

/// One operation applied to values.
struct Node {
  Op op;
  std::vector<ValueId> inputs;
  std::vector<ValueId> outputs;
  Attributes attributes;
  std::vector<Graph> regions;  ///< closed: a region sees its own parameters and nothing else
  Place place;
};

/// What a graph is made of. For passes, which write a graph anew in its place and leave it well-formed: `verify` finds
/// what is wrong.
struct GraphParts {
  std::string name;
  std::vector<Value> values;
  std::vector<ValueId> parameters;
  std::vector<Node> nodes;
  std::vector<ValueId> results;
};

/// A program: parameters, nodes in an order in which each value is defined before it is used, and results.
///
/// The regions of `if`: each takes the operands after the condition. The regions of `while`: the condition and the
/// body, each takes all operands.
class Graph {
 public:
  explicit Graph(std::string name = "main") { parts_.name = std::move(name); }

  /// Makes room for so many of each, which a program of known size is written into without being moved.
  void reserve(std::size_t values, std::size_t nodes) {
    parts_.values.reserve(values);
    parts_.nodes.reserve(nodes);
  }

  /// Adds a parameter.
  ValueId parameter(TensorType type, std::string name = {});
  /// Adds a node and infers the types of what it defines; throws X4xx with every constraint that is broken, X404 where
  /// an input names no value.
  std::vector<ValueId> append(Op op, std::vector<ValueId> inputs, Attributes attributes = {},
                              std::vector<Graph> regions = {}, Place place = {});
  /// Adds a constant.
  ValueId constant(Tensor value, Place place = {});
  /// Adds the nodes of `other` with its parameters replaced by `arguments`; returns what its results became. Throws
  /// X405 where there are more or fewer arguments than parameters.
  std::vector<ValueId> splice(const Graph& other, const std::vector<ValueId>& arguments);

  /// Adds `node` without asking its rule: its inputs are values of this graph, for which the rule gives `types`. What
  /// it defines is numbered anew. For passes, which have all this from another graph; `verify` finds what is wrong.
  const std::vector<ValueId>& adopt(Node&& node, std::span<TensorType> types);
  /// What the graph is made of, for a pass to write anew.
  GraphParts& parts() { return parts_; }

  const std::string& name() const { return parts_.name; }
  void rename(std::string name) { parts_.name = std::move(name); }
  const std::vector<ValueId>& parameters() const { return parts_.parameters; }
  const std::vector<Value>& values() const { return parts_.values; }
  const std::vector<Node>& nodes() const { return parts_.nodes; }
  const std::vector<ValueId>& results() const { return parts_.results; }
  /// Throws X404 where one of `results` names no value.
  void set_results(std::vector<ValueId> results);

  const TensorType& type(ValueId value) const { return parts_.values[static_cast<std::size_t>(value)].type; }
  /// The node that defines `value`, or nullptr for a parameter.
  const Node* definition(ValueId value) const {
    const std::int32_t node = parts_.values[static_cast<std::size_t>(value)].node;
    return node < 0 ? nullptr : &parts_.nodes[static_cast<std::size_t>(node)];
  }
  std::vector<TensorType> types(const std::vector<ValueId>& values) const;
  std::vector<TensorType> parameter_types() const { return types(parts_.parameters); }
  std::vector<TensorType> result_types() const { return types(parts_.results); }

 private:
  GraphParts parts_;
};

/// Whether the programs are the same but for names and places.
bool equal(const Graph& a, const Graph& b);
/// A number that is equal for `equal` programs.
std::uint64_t hash(const Graph& graph);
std::uint64_t hash(const Attributes& attributes);

/// What trip_count says of a loop that it cannot count, and of one that is never left.
inline constexpr std::int64_t unknown_trips = -1, endless_trips = -2;
/// How often a `while` of the counted form runs: one of its operands starts at a constant, is compared with a constant,
/// also one that it carries unchanged, and grows or falls by a constant; numbers are integers, or floating ones that
/// are whole and exact. Below 0 where that cannot be read off. `initial` gives the constant that an operand starts
/// from, or null.
std::int64_t trip_count(const Graph& condition, const Graph& body,
                        const std::function<const Tensor*(std::size_t operand)>& initial);
/// The same of `loop`, which stands in `graph`.
std::int64_t trip_count(const Graph& graph, const Node& loop);

}  // namespace octet
