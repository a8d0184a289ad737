/// What if and while mean, on replicas that run in lockstep. Replicas may take different paths as long as no collective
/// is on them: there the others would wait for ever.
module octet.graph;
import octet.standard;
import :reference_meaning;

namespace octet::reference {

namespace {

/// The first collective of `graph` or of the regions in it.
const Node* collective_of(const Graph& graph) {
  for (const Node& node : graph.nodes()) {
    if (is_collective(node.op)) return &node;
    for (const Graph& region : node.regions)
      if (const Node* found = collective_of(region)) return found;
  }
  return nullptr;
}

const Node* collective_of(const Node& node) {
  for (const Graph& region : node.regions)
    if (const Node* found = collective_of(region)) return found;
  return nullptr;
}

std::string list(const Dims& replicas) {
  std::string text = replicas.size() == 1 ? "replica " : "replicas ";
  for (std::size_t i = 0; i < replicas.size(); ++i) text += (i ? ", " : "") + std::to_string(replicas[i]);
  return text;
}

/// What the first value of each replica says, on which all must agree; X105 where they do not.
bool agreed(const Lockstep& step, const ReplicaValues& conditions) {
  Dims on_true, on_false;
  for (std::size_t r = 0; r < step.replicas.size(); ++r)
    (conditions[r][0].span<bool>()[0] ? on_true : on_false).push_back(step.replicas[r]);
  if (!on_true.empty() && !on_false.empty()) {
    const Node& collective = *collective_of(step.node);
    const std::string waits = std::string{name(collective.op)} + " inside needs all of them.";
    fail({.number = 105,
          .sentence = step.node.op == Op::if_ ? "The condition of this if is true on " + list(on_true) +
                                                    " and false on " + list(on_false) + ", and " + waits
                                              : "This while goes on on " + list(on_true) + " and ends on " +
                                                    list(on_false) + ", and " + waits,
          .where = step.node.place,
          .because = {{std::string{name(collective.op)} + " is reached on some replicas only", collective.place}}});
  }
  return on_false.empty();
}

/// Whether each replica may go its own way.
bool independent(const Lockstep& step) { return step.replicas.size() > 1 && !collective_of(step.node); }

ReplicaValues each_alone(const Lockstep& step, Meaning::Together meaning) {
  ReplicaValues results;
  for (std::size_t r = 0; r < step.replicas.size(); ++r)
    results.push_back(meaning({step.node, step.results, step.options, {step.replicas[r]}, {step.inputs[r]}}).front());
  return results;
}

/// The first operand chooses the region, which takes the others.
ReplicaValues if_(const Lockstep& step) {
  if (independent(step)) return each_alone(step, if_);
  ReplicaValues arguments;
  for (const std::vector<Tensor>& inputs : step.inputs) arguments.emplace_back(inputs.begin() + 1, inputs.end());
  const Graph& region = step.node.regions[agreed(step, step.inputs) ? 0 : 1];
  return run(region, step.replicas, std::move(arguments), step.options);
}

/// Its operands, all of them before anything reads one of its results.
std::vector<Tensor> optimization_barrier(const Step& step) { return {step.inputs.begin(), step.inputs.end()}; }

/// The first region says whether to go on, the second makes the next state.
ReplicaValues while_(const Lockstep& step) {
  if (independent(step)) return each_alone(step, while_);
  const Graph &condition = step.node.regions[0], &body = step.node.regions[1];
  ReplicaValues state = step.inputs;
  while (agreed(step, run(condition, step.replicas, state, step.options)))
    state = run(body, step.replicas, std::move(state), step.options);
  return state;
}

constexpr Meaning rows[] = {
    {Op::if_, nullptr, if_},
    {Op::optimization_barrier, optimization_barrier},
    {Op::while_, nullptr, while_},
};

}  // namespace

std::span<const Meaning> control_meanings() { return rows; }

}  // namespace octet::reference
