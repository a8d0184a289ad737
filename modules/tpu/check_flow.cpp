/// How values flow through a program: which differ between replicas, and which are the next value of a parameter.
module octet.tpu;
import octet.base;
import octet.graph;
import octet.standard;
import :check_lines;

namespace octet {

namespace {

bool has_collectives(const Graph& graph) {
  bool found = false;
  for_each_node(graph, [&](const Node& node) { found |= is_collective(node.op); });
  return found;
}

/// Whether all replicas receive the same: they are one group, and each gets the whole.
bool makes_equal(const Node& node) {
  if (const auto* reduce = std::get_if<AllReduceAttributes>(&node.attributes))
    return reduce->replica_groups.size() <= 1;
  if (const auto* gather = std::get_if<AllGatherAttributes>(&node.attributes))
    return gather->replica_groups.size() <= 1;
  return false;
}

/// Whether elements stay what they are, or become what they are with others in their place.
bool carries_over(Op op) { return is_elementwise(op) || op == Op::reshape || op == Op::broadcast_in_dim; }

/// Whether parts that a replica each updates are put together, or cut out of what is padded to be cut alike.
bool parts(const Node& node) {
  return node.op == Op::slice || node.op == Op::dynamic_slice || node.op == Op::pad || node.op == Op::concatenate ||
         (node.op == Op::all_gather && makes_equal(node));
}

std::vector<bool> joined(std::vector<bool> a, const std::vector<bool>& b) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) a[i] = a[i] || b[i];
  return a;
}

void disagree(const Node& node, const char* what, std::vector<Diagnostic>& faults) {
  for (const Diagnostic& known : faults)
    if (known.where == node.place) return;
  faults.push_back({.number = 105,
                    .sentence = std::string{"Replicas may disagree about "} + what +
                                " in which they would meet: it follows from a replica's own values.",
                    .where = node.place,
                    .fix = {"decide by a value that is equal on all replicas: all_reduce it over slice.all() first"}});
}

}  // namespace

std::vector<bool> followed(const Graph& graph, std::vector<bool> from,
                           const std::function<bool(const Node&, bool)>& follows) {
  std::vector<bool> marked(graph.values().size(), false);
  from.resize(graph.parameters().size(), false);
  for (std::size_t i = 0; i < from.size(); ++i) marked[static_cast<std::size_t>(graph.parameters()[i])] = from[i];
  for (const Node& node : graph.nodes()) {
    std::vector<bool> inputs;
    for (const ValueId id : node.inputs) inputs.push_back(marked[static_cast<std::size_t>(id)]);
    std::vector<bool> outputs(node.outputs.size(), false);
    if (node.op == Op::if_) {
      const bool chooses = inputs.front();
      const std::vector<bool> operands(inputs.begin() + 1, inputs.end());
      for (const Graph& branch : node.regions)
        outputs = joined(std::move(outputs), followed(branch, operands, follows));
      if (follows(node, chooses)) outputs.assign(outputs.size(), true);
    } else if (node.op == Op::while_) {
      // What is marked in one round may be in all.
      bool rounds = false;
      for (bool grown = true; grown;) {
        rounds = rounds || followed(node.regions[0], inputs, follows).front();
        std::vector<bool> next = joined(inputs, followed(node.regions[1], inputs, follows));
        if (rounds) next.assign(next.size(), true);
        grown = next != inputs;
        inputs = std::move(next);
      }
      follows(node, rounds);
      outputs = inputs;
    } else if (node.op == Op::optimization_barrier) {
      outputs = inputs;
    } else {
      const bool any = std::find(inputs.begin(), inputs.end(), true) != inputs.end();
      outputs.assign(outputs.size(), follows(node, any));
    }
    for (std::size_t i = 0; i < node.outputs.size(); ++i)
      marked[static_cast<std::size_t>(node.outputs[i])] = outputs[i];
  }
  std::vector<bool> results;
  for (const ValueId id : graph.results()) results.push_back(marked[static_cast<std::size_t>(id)]);
  return results;
}

std::vector<bool> differing_results(const Graph& graph, std::vector<bool> own, std::vector<Diagnostic>& faults) {
  return followed(graph, std::move(own), [&](const Node& node, bool any) {
    if (is_collective(node.op)) return !makes_equal(node);
    if (any && std::ranges::any_of(node.regions, has_collectives))
      disagree(node, node.op == Op::if_ ? "the branch of a cond" : "the number of rounds of a loop", faults);
    return any || node.op == Op::replica_id;
  });
}

bool only_kept(const Graph& graph, std::size_t parameter, std::size_t result) {
  bool alone = true;
  std::vector<bool> from(graph.parameters().size(), false);
  from[parameter] = true;
  std::vector<bool> results = followed(graph, std::move(from), [&](const Node& node, bool any) {
    alone &= !any || carries_over(node.op) || node.op == Op::scatter || node.op == Op::dynamic_update_slice;
    return any;
  });
  results[result] = false;
  return alone && std::ranges::count(results, true) == 0;
}

bool feeds_itself(const Graph& body) {
  std::vector<bool> state(body.parameters().size(), false);
  const auto through = [](const Node& node, bool any) { return any || is_collective(node.op); };
  for (bool grown = true; grown;) {
    std::vector<bool> next = joined(state, followed(body, state, through));
    grown = next != state;
    state = std::move(next);
  }
  bool found = false;
  followed(body, std::move(state), [&](const Node& node, bool any) {
    found |= any && is_collective(node.op);
    return any;
  });
  return found;
}

std::vector<std::optional<std::size_t>> updates_of(const Graph& graph, const std::vector<bool>& passed_over,
                                                   const std::vector<bool>& differ,
                                                   const std::map<std::size_t, std::size_t>& written_over) {
  std::vector<std::optional<std::size_t>> position(graph.values().size()), result(graph.results().size());
  for (std::size_t i = 0; i < graph.parameters().size(); ++i) {
    if (i < passed_over.size() && passed_over[i]) continue;
    const ValueId id = graph.parameters()[i];
    const auto over = written_over.find(i);
    if (over == written_over.end() || over->second >= result.size() ||
        graph.type(graph.results()[over->second]) != graph.type(id))
      position[static_cast<std::size_t>(id)] = i;
    else
      result[over->second] = i;
  }
  const bool in_parts = std::ranges::any_of(
      graph.nodes(), [](const Node& node) { return node.op == Op::all_gather || node.op == Op::concatenate; });
  std::vector<std::vector<std::size_t>> reached(result.size());
  std::vector<std::size_t> seen(graph.values().size(), 0);
  for (std::size_t r = 0; r < result.size(); ++r) {
    if (result[r]) continue;
    const TensorType& type = graph.type(graph.results()[r]);
    std::vector<ValueId> pending;
    const auto visit = [&](ValueId next) {
      if (std::exchange(seen[static_cast<std::size_t>(next)], r + 1) != r + 1) pending.push_back(next);
    };
    visit(graph.results()[r]);
    while (!pending.empty()) {
      const ValueId at = pending.back();
      pending.pop_back();
      if (const auto parameter = position[static_cast<std::size_t>(at)]; parameter && graph.type(at) == type)
        reached[r].push_back(*parameter);
      const Node* node = graph.definition(at);
      if (!node) continue;
      if (carries_over(node->op) || node->op == Op::if_ || node->op == Op::transpose) {
        // As many elements: the shape may be another on the way, as pmap's text has the replica for a first dimension.
        for (const ValueId input : node->inputs)
          if (graph.type(input).shape.elements() == graph.type(at).shape.elements()) visit(input);
      } else if (node->op == Op::while_ || node->op == Op::optimization_barrier) {
        for (std::size_t i = 0; i < node->outputs.size(); ++i)
          if (node->outputs[i] == at) visit(node->inputs[i]);
      } else if (node->op == Op::concatenate) {
        for (const ValueId input : node->inputs) visit(input);
      } else if (node->op == Op::scatter || node->op == Op::dynamic_update_slice || (in_parts && parts(*node))) {
        visit(node->inputs.front());  // rows of a table written over, or what the parts are of
      }
    }
    std::ranges::sort(reached[r]);
  }
  // The first that is free; where none is, one whose result can be another parameter's next value as well.
  std::vector<std::optional<std::size_t>> taken(graph.parameters().size());
  std::vector<bool> tried;
  const std::function<bool(std::size_t)> take = [&](std::size_t r) {
    for (const bool moves : {false, true})
      for (const std::size_t parameter : reached[r]) {
        if (moves ? tried[parameter] : taken[parameter].has_value()) continue;
        tried[parameter] = true;
        if (moves && !take(*taken[parameter])) continue;
        taken[parameter] = r;
        result[r] = parameter;
        return true;
      }
    return false;
  };
  for (const bool differing : {false, true})
    for (std::size_t r = 0; r < result.size(); ++r) {
      if (differ[r] != differing) continue;
      tried.assign(taken.size(), false);
      take(r);
    }
  return result;
}

bool makes_bits(const Graph& graph) {
  constexpr std::int64_t many = 1024;
  bool found = false;
  for (const Node& node : graph.nodes()) {
    for (const ValueId id : node.outputs)
      found |= graph.type(id).dtype == DType::u32 && graph.type(id).shape.elements() >= many;
    for (const Graph& region : node.regions) found |= makes_bits(region);
  }
  return found;
}

bool computes_again(const Graph& graph) {
  const std::vector<Node>& nodes = graph.nodes();
  std::vector<ValueId> same(graph.values().size());  // of each value, the first that is equal to it
  for (std::size_t v = 0; v < same.size(); ++v) same[v] = static_cast<ValueId>(v);
  const auto first = [&](ValueId id) -> ValueId& { return same[static_cast<std::size_t>(id)]; };
  std::multimap<std::pair<Op, std::vector<ValueId>>, std::size_t> known;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const Node& node = nodes[n];
    if (std::ranges::any_of(node.regions, computes_again)) return true;
    std::vector<ValueId> operands;
    for (const ValueId id : node.inputs) operands.push_back(first(id));
    if (node.op == Op::optimization_barrier) {
      for (std::size_t i = 0; i < operands.size(); ++i) first(node.outputs[i]) = operands[i];
      continue;
    }
    if (!node.regions.empty()) continue;
    const auto key = std::pair{node.op, std::move(operands)};
    const auto [from, to] = known.equal_range(key);
    const auto equal =
        std::find_if(from, to, [&](const auto& entry) { return nodes[entry.second].attributes == node.attributes; });
    if (equal == to) {
      known.emplace(key, n);
      continue;
    }
    const Node& before = nodes[equal->second];
    // What only moves elements or rounds them is no work to speak of.
    const bool works = node.op == Op::dot_general || node.op == Op::reduce || is_elementwise(node.op);
    if (works && node.op != Op::convert && before.inputs != node.inputs) return true;
    for (std::size_t i = 0; i < node.outputs.size(); ++i) first(node.outputs[i]) = first(before.outputs[i]);
  }
  return false;
}

}  // namespace octet
