/// What the operations mean in which replicas meet. Each group meets by itself; where no groups
/// are stated all replicas are one, as in XLA.
module octet.graph;
import octet.standard;
import :reference_meaning;
import :reference_scalar;

namespace octet::reference {

namespace {

std::string there_are(std::size_t replicas) {
  return replicas == 1 ? "there is replica 0 only." : "there are replicas 0 to " + std::to_string(replicas - 1) + ".";
}

/// X603 with each replica that is named and not there and, where all must be named, each that is not named once.
void require_replicas(const Lockstep& step, const ReplicaGroups& groups, bool each_once) {
  const std::size_t count = step.replicas.size();
  const std::string operation{name(step.node.op)};
  std::vector<Diagnostic> faults;
  std::vector<int> named(count, 0);
  for (const Dims& group : groups)
    for (std::int64_t replica : group)
      if (replica >= 0 && replica < static_cast<std::int64_t>(count))
        ++named[static_cast<std::size_t>(replica)];
      else
        faults.push_back({.number = 603,
                          .sentence = "This " + operation + " names replica " + std::to_string(replica) + ", and " +
                                      there_are(count),
                          .where = step.node.place});
  if (each_once)
    for (std::size_t r = 0; r < count; ++r)
      if (named[r] != 1)
        faults.push_back({.number = 603,
                          .sentence = "The replica_groups of this " + operation +
                                      (named[r] == 0 ? " leave out replica " : " name more than once replica ") +
                                      std::to_string(r) + ".",
                          .where = step.node.place});
  if (!faults.empty()) throw Error{std::move(faults)};
}

/// `function` takes the operands of a group, in its order, and returns what each member gets.
template <class Function>
ReplicaValues in_groups(const Lockstep& step, const ReplicaGroups& groups, Function&& function) {
  if (groups.empty()) return in_groups(step, {step.replicas}, function);
  require_replicas(step, groups, true);
  ReplicaValues results(step.replicas.size());
  for (const Dims& group : groups) {
    std::vector<Tensor> operands;
    for (std::int64_t member : group) operands.push_back(step.inputs[static_cast<std::size_t>(member)][0]);
    const std::vector<Tensor> received = function(operands);
    for (std::size_t i = 0; i < group.size(); ++i) results[static_cast<std::size_t>(group[i])] = {received[i]};
  }
  return results;
}

/// Neighbours first, then neighbours of those; an odd last one moves up unchanged.
Tensor combined(Reducer reducer, std::vector<Tensor> level) {
  const auto combine = [&](auto a, auto b) { return scalar::combine(reducer, a, b); };
  while (level.size() > 1) {
    std::vector<Tensor> next;
    for (std::size_t i = 0; i + 1 < level.size(); i += 2) next.push_back(map(combine, level[i], level[i + 1]));
    if (level.size() % 2 != 0) next.push_back(level.back());
    level = std::move(next);
  }
  return level.front();
}

ReplicaValues all_gather(const Lockstep& step) {
  const auto& attributes = step.attributes<AllGatherAttributes>();
  return in_groups(step, attributes.replica_groups, [&](const std::vector<Tensor>& operands) {
    return std::vector(operands.size(), concatenated(operands, attributes.all_gather_dim));
  });
}

ReplicaValues all_reduce(const Lockstep& step) {
  const auto& attributes = step.attributes<AllReduceAttributes>();
  return in_groups(step, attributes.replica_groups, [&](const std::vector<Tensor>& operands) {
    return std::vector(operands.size(), combined(attributes.reducer, operands));
  });
}

/// Member i gets part i of each member's operand.
ReplicaValues all_to_all(const Lockstep& step) {
  const auto& attributes = step.attributes<AllToAllAttributes>();
  return in_groups(step, attributes.replica_groups, [&](const std::vector<Tensor>& operands) {
    std::vector<std::vector<Tensor>> sent;
    for (const Tensor& operand : operands)
      sent.push_back(split(operand, attributes.split_dimension, attributes.split_count));
    std::vector<Tensor> received;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      std::vector<Tensor> parts;
      for (const std::vector<Tensor>& from : sent) parts.push_back(from[i]);
      received.push_back(concatenated(parts, attributes.concat_dimension));
    }
    return received;
  });
}

ReplicaValues collective_permute(const Lockstep& step) {
  const auto& pairs = step.attributes<PermuteAttributes>().source_target_pairs;
  require_replicas(step, pairs, false);
  ReplicaValues results(step.replicas.size(), {Tensor{step.results[0]}});
  for (const Dims& pair : pairs)
    results[static_cast<std::size_t>(pair[1])] = {step.inputs[static_cast<std::size_t>(pair[0])][0]};
  return results;
}

/// Member i gets part i of what all operands combine to.
ReplicaValues reduce_scatter(const Lockstep& step) {
  const auto& attributes = step.attributes<ReduceScatterAttributes>();
  return in_groups(step, attributes.replica_groups, [&](const std::vector<Tensor>& operands) {
    return split(combined(attributes.reducer, operands), attributes.scatter_dimension,
                 static_cast<std::int64_t>(operands.size()));
  });
}

constexpr Meaning rows[] = {
    {Op::all_gather, nullptr, all_gather},         {Op::all_reduce, nullptr, all_reduce},
    {Op::all_to_all, nullptr, all_to_all},         {Op::collective_permute, nullptr, collective_permute},
    {Op::reduce_scatter, nullptr, reduce_scatter},
};

}  // namespace

std::span<const Meaning> collective_meanings() { return rows; }

}  // namespace octet::reference
