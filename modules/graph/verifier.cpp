module octet.graph;
import octet.standard;
import :constraints;

namespace octet {

namespace {

/// Collects the faults of one graph; regions are looked at with a name that says where they are. What tells a fault is
/// kept out of the loops: a browser compiles a loop that runs often once more, with all that is within it.
class Verification {
 public:
  explicit Verification(std::vector<Diagnostic>& found) : found_{found} {}

  void check(const Graph& graph, const std::string& path) {
    std::vector<bool> defined(graph.values().size());
    check_parameters(graph, path, defined);
    for (std::size_t n = 0; n < graph.nodes().size(); ++n) check_node(graph, n, path, defined);
    const auto missing = std::find(defined.begin(), defined.end(), false);
    if (missing != defined.end()) check_all_defined(path, defined);
    for (std::size_t r = 0; r < graph.results().size(); ++r)
      if (!is_value(graph, graph.results()[r]) || !defined[static_cast<std::size_t>(graph.results()[r])])
        fault(path, say("result ", r, " is value ", graph.results()[r], ", which is not defined"));
  }

 private:
  [[gnu::noinline]] void check_all_defined(const std::string& path, const std::vector<bool>& defined) {
    for (std::size_t v = 0; v < defined.size(); ++v)
      if (!defined[v]) fault(path, say("value ", v, " is never defined"));
  }

  static bool is_value(const Graph& graph, ValueId id) {
    return id >= 0 && static_cast<std::size_t>(id) < graph.values().size();
  }

  [[gnu::noinline]] void fault(const std::string& path, std::string sentence, const Place& place = {}) {
    found_.push_back({.number = 404, .sentence = say(path, ": ", sentence, "."), .where = place});
  }

  /// What a sentence calls a node or a parameter; made only where there is something to say.
  struct Subject {
    const Node* node;
    std::size_t number;
    std::string text() const {
      return node ? say("node ", number, ", ", name(node->op), ",") : say("parameter ", number);
    }
  };

  /// Notes that `id` is defined here, by the node of that number or by -1 for a parameter.
  bool define(const Graph& graph, ValueId id, std::int32_t node, const Subject& what, const std::string& path,
              std::vector<bool>& defined, const Place& place) {
    if (!is_value(graph, id)) {
      beyond(graph, id, what, path, place);
      return false;
    }
    const auto index = static_cast<std::size_t>(id);
    const std::int32_t definition = graph.values()[index].node;
    if (defined[index] || definition != node) misdefined(id, defined[index], node, definition, what, path, place);
    defined[index] = true;
    return true;
  }

  [[gnu::noinline]] void beyond(const Graph& graph, ValueId id, const Subject& what, const std::string& path,
                                const Place& place) {
    fault(path, say(what.text(), " defines value ", id, ", and there are ", graph.values().size(), " values"), place);
  }

  [[gnu::noinline]] void misdefined(ValueId id, bool twice, std::int32_t node, std::int32_t definition,
                                    const Subject& what, const std::string& path, const Place& place) {
    if (twice) fault(path, say(what.text(), " defines value ", id, " once more"), place);
    if (definition != node)
      fault(path, say(what.text(), " defines value ", id, ", which says that node ", definition, " does"), place);
  }

  void check_parameters(const Graph& graph, const std::string& path, std::vector<bool>& defined) {
    for (std::size_t p = 0; p < graph.parameters().size(); ++p) {
      const ValueId id = graph.parameters()[p];
      if (define(graph, id, -1, {nullptr, p}, path, defined, {}) && !is_representable(graph.type(id).shape))
        fault(path,
              say("parameter ", p, " is ", graph.type(id), ", which has a negative extent or more than 2^40 elements"));
    }
  }

  [[gnu::noinline]] void check_node(const Graph& graph, std::size_t number, const std::string& path,
                                    std::vector<bool>& defined) {
    const Node& node = graph.nodes()[number];
    if (node.op > Op::custom_call) {
      fault(path, say("node ", number, " is no operation"), node.place);
      return;
    }
    const Subject what{&node, number};
    bool inputs_hold = true;
    for (ValueId id : node.inputs)
      if (!is_value(graph, id) || !defined[static_cast<std::size_t>(id)]) {
        undefined(id, what, path);
        inputs_hold = false;
      }
    const bool regions_hold = node.regions.empty() || check_regions(node, number, path);
    bool outputs_hold = true;
    for (ValueId id : node.outputs)
      outputs_hold &= define(graph, id, static_cast<std::int32_t>(number), what, path, defined, node.place);
    if (inputs_hold && regions_hold) check_types(graph, node, what, path, outputs_hold);
  }

  [[gnu::noinline]] void undefined(ValueId id, const Subject& what, const std::string& path) {
    fault(path, say(what.text(), " uses value ", id, ", which is not defined before it"), what.node->place);
  }

  [[gnu::noinline]] bool check_regions(const Node& node, std::size_t number, const std::string& path) {
    const std::size_t before = found_.size();
    for (std::size_t r = 0; r < node.regions.size(); ++r)
      check(node.regions[r], say(path, ", region ", r, " of node ", number, " (", name(node.op), ")"));
    return found_.size() == before;
  }

  /// The operation accepts its inputs, and its outputs are of the types that it infers.
  [[gnu::noinline]] void check_types(const Graph& graph, const Node& node, const Subject& what, const std::string& path,
                                     bool outputs_hold) {
    const std::vector<TensorType> inputs = graph.types(node.inputs);
    std::vector<TensorType> inferred;
    try {
      inferred = infer({node.op, inputs, node.attributes, node.regions, node.place});
    } catch (const Error& error) {
      found_.insert(found_.end(), error.diagnostics().begin(), error.diagnostics().end());
      return;
    }
    if (inferred.size() != node.outputs.size()) return miscounted(inferred.size(), what, path);
    if (!outputs_hold) return;
    for (std::size_t i = 0; i < inferred.size(); ++i)
      if (graph.type(node.outputs[i]) != inferred[i]) mistyped(graph, node.outputs[i], inferred[i], what, path);
  }

  [[gnu::noinline]] void miscounted(std::size_t inferred, const Subject& what, const std::string& path) {
    fault(path,
          say(what.text(), " defines ", counted(what.node->outputs.size(), "value", "values"),
              ", and its operation has ", inferred),
          what.node->place);
  }

  [[gnu::noinline]] void mistyped(const Graph& graph, ValueId id, const TensorType& inferred, const Subject& what,
                                  const std::string& path) {
    fault(path, say(what.text(), " defines value ", id, " as ", graph.type(id), ", and its operation gives ", inferred),
          what.node->place);
  }

  std::vector<Diagnostic>& found_;
};

}  // namespace

std::vector<Diagnostic> faults(const Graph& graph) {
  std::vector<Diagnostic> found;
  Verification{found}.check(graph, graph.name());
  return found;
}

void verify(const Graph& graph) {
  std::vector<Diagnostic> found = faults(graph);
  if (!found.empty()) throw Error{std::move(found)};
}

}  // namespace octet
