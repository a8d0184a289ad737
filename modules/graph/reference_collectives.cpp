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

/// `replica 3`, `replicas 1 to 7`, `replicas 1, 3, …`: of numbers in rising order, each once.
std::string replicas_text(const Dims& numbers) {
  const std::string first = std::to_string(numbers.front());
  if (numbers.size() == 1) return "replica " + first;
  if (numbers.back() - numbers.front() + 1 == std::ssize(numbers))
    return "replicas " + first + " to " + std::to_string(numbers.back());
  std::string text = "replicas " + first;
  constexpr std::size_t most = 5;
  for (std::size_t i = 1; i < std::min(numbers.size(), most); ++i) text += ", " + std::to_string(numbers[i]);
  return text + (numbers.size() > most ? ", …" : "");
}

[[noreturn]] void refuse_groups(std::string_view operation, const Place& place, const ReplicaGroups& groups,
                                const std::vector<int>& named, bool each_once) {
  Dims beyond, left_out, repeated;
  for (const Dims& group : groups)
    for (std::int64_t replica : group)
      if (replica < 0 || replica >= std::ssize(named)) beyond.push_back(replica);
  std::ranges::sort(beyond);
  beyond.erase(std::ranges::unique(beyond).begin(), beyond.end());
  for (std::int64_t r = 0; each_once && r < std::ssize(named); ++r)
    if (const int times = named[static_cast<std::size_t>(r)]; times != 1)
      (times == 0 ? left_out : repeated).push_back(r);
  std::vector<Diagnostic> faults;
  const auto add = [&](std::string sentence) {
    faults.push_back({.number = 603, .sentence = std::move(sentence), .where = place});
  };
  const std::string it = "his " + std::string{operation};
  if (!beyond.empty()) {
    add("T" + it + " names " + replicas_text(beyond) + ", and " + there_are(named.size()));
    if (named.size() == 1) faults.back().fix = {"run it on the replicas of a slice: tpu::replicate(function, slice)"};
  }
  if (!left_out.empty()) add("The replica_groups of t" + it + " leave out " + replicas_text(left_out) + ".");
  if (!repeated.empty()) add("The replica_groups of t" + it + " name more than once " + replicas_text(repeated) + ".");
  throw Error{std::move(faults)};
}

/// `function` takes the operands of a group, in its order, and returns what each member gets.
template <class Function>
ReplicaValues in_groups(const Lockstep& step, const ReplicaGroups& groups, Function&& function) {
  if (groups.empty()) return in_groups(step, {step.replicas}, function);
  require_replicas(name(step.node.op), step.node.place, groups, step.replicas.size(), true);
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
  require_replicas(name(step.node.op), step.node.place, pairs, step.replicas.size(), false);
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

namespace octet {

void require_replicas(std::string_view operation, const Place& place, const ReplicaGroups& groups, std::size_t replicas,
                      bool each_once) {
  std::vector<int> named(replicas, 0);
  bool all_there = true;
  for (const Dims& group : groups)
    for (std::int64_t replica : group)
      if (replica >= 0 && replica < static_cast<std::int64_t>(replicas))
        ++named[static_cast<std::size_t>(replica)];
      else
        all_there = false;
  if (!all_there || (each_once && std::ranges::any_of(named, [](int times) { return times != 1; })))
    reference::refuse_groups(operation, place, groups, named, each_once);
}

}  // namespace octet
