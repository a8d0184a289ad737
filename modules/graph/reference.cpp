/// Runs a graph node by node, by the meaning of each operation.
module octet.graph;
import octet.standard;
import :reference_meaning;

namespace octet::reference {

namespace {

/// The row of `op` in the tables of the kinds, which follow each other as in `Op`.
const Meaning& meaning(const Node& node) {
  const Op op = node.op;
  if (const auto* call = std::get_if<CustomCallAttributes>(&node.attributes))
    fail([&] {
      return Diagnostic{
          .number = 410, .sentence = "Octet has no operation " + call->call_target_name + ".", .where = node.place};
    });
  auto index = static_cast<std::size_t>(op);
  for (std::span<const Meaning> rows : {elementwise_meanings(), movement_meanings(), contraction_meanings(),
                                        control_meanings(), collective_meanings()}) {
    if (index < rows.size()) return rows[index];
    index -= rows.size();
  }
  fail([&] {
    return Diagnostic{.number = 404,
                      .sentence = "There is no operation number " + std::to_string(static_cast<int>(op)) + "."};
  });
}

ReplicaValues apply(const Lockstep& step) {
  const Meaning& row = meaning(step.node);
  if (row.together) return row.together(step);
  ReplicaValues outputs;
  for (std::size_t r = 0; r < step.replicas.size(); ++r)
    outputs.push_back(row.alone({step.node, step.results, step.options, step.replicas[r], step.inputs[r]}));
  return outputs;
}

/// `of replica 3`, where there is more than one.
std::string of_replica(std::size_t replica, std::size_t replicas) {
  return replicas == 1 ? "" : " of replica " + std::to_string(replica);
}

/// X405 with each argument that is not of the type of its parameter.
void require_arguments(const Graph& graph, std::span<const std::vector<Tensor>> arguments) {
  std::vector<Diagnostic> faults;
  const auto fault = [&](std::string sentence) { faults.push_back({.number = 405, .sentence = std::move(sentence)}); };
  for (std::size_t r = 0; r < arguments.size(); ++r) {
    const std::size_t given = arguments[r].size(), taken = graph.parameters().size();
    const std::string whose = of_replica(r, arguments.size());
    if (given != taken)
      fault("Program " + graph.name() + " takes " + std::to_string(taken) + " arguments; those" + whose + " are " +
            std::to_string(given) + ".");
    for (std::size_t i = 0; i < given && i < taken; ++i) {
      const Value& parameter = graph.values()[static_cast<std::size_t>(graph.parameters()[i])];
      if (arguments[r][i].type() != parameter.type)
        fault("Parameter " + std::to_string(i) + (parameter.name.empty() ? "" : ", " + parameter.name + ",") + " is " +
              to_string(parameter.type) + "; the argument" + whose + " is " + to_string(arguments[r][i].type()) + ".");
    }
  }
  if (!faults.empty()) throw Error{std::move(faults)};
}

}  // namespace

ReplicaValues run(const Graph& graph, const Dims& replicas, ReplicaValues arguments, const ReferenceOptions& options) {
  ReplicaValues values(replicas.size(), std::vector<Tensor>(graph.values().size()));
  const auto picked = [&](const std::vector<ValueId>& ids) {
    ReplicaValues result(replicas.size());
    for (std::size_t r = 0; r < replicas.size(); ++r)
      for (ValueId id : ids) result[r].push_back(values[r][static_cast<std::size_t>(id)]);
    return result;
  };
  const auto assign = [&](const std::vector<ValueId>& ids, ReplicaValues& from) {
    for (std::size_t r = 0; r < replicas.size(); ++r)
      for (std::size_t i = 0; i < ids.size(); ++i) values[r][static_cast<std::size_t>(ids[i])] = std::move(from[r][i]);
  };
  assign(graph.parameters(), arguments);
  for (const Node& node : graph.nodes()) {
    ReplicaValues outputs = apply({node, graph.types(node.outputs), options, replicas, picked(node.inputs)});
    assign(node.outputs, outputs);
  }
  return picked(graph.results());
}

}  // namespace octet::reference

namespace octet {

std::vector<Tensor> evaluate(const Graph& graph, std::span<const Tensor> arguments, const ReferenceOptions& options) {
  const std::vector<Tensor> alone{arguments.begin(), arguments.end()};
  return evaluate(graph, std::span{&alone, 1}, options).front();
}

std::vector<std::vector<Tensor>> evaluate(const Graph& graph, std::span<const std::vector<Tensor>> arguments,
                                          const ReferenceOptions& options) {
  reference::require_arguments(graph, arguments);
  Dims replicas;
  for (std::size_t r = 0; r < arguments.size(); ++r) replicas.push_back(static_cast<std::int64_t>(r));
  return reference::run(graph, replicas, {arguments.begin(), arguments.end()}, options);
}

}  // namespace octet
