module octet.compile;
import octet.base;
import octet.graph;
import octet.standard;
import :passes;
import :rewrite;

namespace octet {

namespace {

/// Which parameters the results of regions need, each asked once: loops ask again and again of the loops within them.
/// The regions must stay where they are.
struct Needs {
  struct Answer {
    const Graph* region;
    std::vector<bool> results, parameters;
  };
  std::vector<Answer> answers;
};

/// Which values of `graph` the results number i, where `results[i]`, need. Of control flow, only the operands that the
/// needed results need.
std::vector<bool> needed_values(const Graph& graph, const std::vector<bool>& results, Needs& needs);

/// `graph` with only those results of which `keep_result` holds, and without the parameters that are not in
/// `keep_parameter`, which those results do not need.
Graph narrowed(const Graph& graph, const std::vector<bool>& keep_parameter, const std::vector<bool>& keep_result) {
  Graph wanted = graph;
  std::vector<ValueId> results;
  for (std::size_t i = 0; i < graph.results().size(); ++i)
    if (keep_result[i]) results.push_back(graph.results()[i]);
  wanted.set_results(std::move(results));
  eliminate_dead_code(wanted);

  Graph result{graph.name()};
  std::vector<ValueId> now(wanted.values().size(), -1);
  for (std::size_t i = 0; i < wanted.parameters().size(); ++i)
    if (keep_parameter[i]) {
      const Value& value = wanted.values()[static_cast<std::size_t>(wanted.parameters()[i])];
      now[static_cast<std::size_t>(wanted.parameters()[i])] = result.parameter(value.type, value.name);
    }
  const auto mapped = [&](std::vector<ValueId> ids) {
    for (ValueId& id : ids) id = now[static_cast<std::size_t>(id)];
    return ids;
  };
  for (const Node& node : wanted.nodes()) {
    const auto outputs = result.append(node.op, mapped(node.inputs), node.attributes, node.regions, node.place);
    for (std::size_t i = 0; i < outputs.size(); ++i) now[static_cast<std::size_t>(node.outputs[i])] = outputs[i];
  }
  result.set_results(mapped(wanted.results()));
  return result;
}

/// Which parameters of `region` its results number i, where `results[i]`, need.
std::vector<bool> needed_parameters(const Graph& region, const std::vector<bool>& results, Needs& needs) {
  for (const Needs::Answer& answer : needs.answers)
    if (answer.region == &region && answer.results == results) return answer.parameters;
  const std::vector<bool> needed = needed_values(region, results, needs);
  std::vector<bool> parameters;
  for (ValueId id : region.parameters()) parameters.push_back(needed[static_cast<std::size_t>(id)]);
  needs.answers.push_back({&region, results, parameters});
  return parameters;
}

void merge(std::vector<bool>& into, const std::vector<bool>& from) {
  for (std::size_t i = 0; i < into.size(); ++i) into[i] = into[i] || from[i];
}

/// The parts of a loop's state that the parts in `outputs` depend on: what the condition reads, and what those read in
/// turn.
std::vector<bool> needed_state(const Node& node, std::vector<bool> outputs, Needs& needs) {
  merge(outputs, needed_parameters(node.regions[0], {true}, needs));
  for (;;) {
    std::vector<bool> more = outputs;
    merge(more, needed_parameters(node.regions[1], outputs, needs));
    if (more == outputs) return outputs;
    outputs = std::move(more);
  }
}

/// Which operands after the condition the branches of an if read for the results in `outputs`.
std::vector<bool> needed_operands(const Node& node, const std::vector<bool>& outputs, Needs& needs) {
  std::vector<bool> operands = needed_parameters(node.regions[0], outputs, needs);
  merge(operands, needed_parameters(node.regions[1], outputs, needs));
  return operands;
}

std::vector<bool> needed_values(const Graph& graph, const std::vector<bool>& results, Needs& needs) {
  std::vector<bool> needed(graph.values().size(), false);
  const auto mark = [&](ValueId id) { needed[static_cast<std::size_t>(id)] = true; };
  for (std::size_t i = 0; i < results.size(); ++i)
    if (results[i]) mark(graph.results()[i]);
  for (auto node = graph.nodes().rbegin(); node != graph.nodes().rend(); ++node) {
    if (std::none_of(node->outputs.begin(), node->outputs.end(),
                     [&](ValueId id) { return needed[static_cast<std::size_t>(id)]; }))
      continue;
    if (node->regions.empty()) {
      for (ValueId id : node->inputs) mark(id);
      continue;
    }
    std::vector<bool> outputs;
    for (ValueId id : node->outputs) outputs.push_back(needed[static_cast<std::size_t>(id)]);
    if (node->op == Op::while_) {
      const auto state = needed_state(*node, outputs, needs);
      for (std::size_t i = 0; i < state.size(); ++i)
        if (state[i]) mark(node->inputs[i]);
    } else if (node->op == Op::if_) {
      mark(node->inputs[0]);
      const auto operands = needed_operands(*node, outputs, needs);
      for (std::size_t i = 0; i < operands.size(); ++i)
        if (operands[i]) mark(node->inputs[i + 1]);
    } else {
      for (ValueId id : node->inputs) mark(id);
    }
  }
  return needed;
}

/// A needed node of control flow, without what nobody needs of it. Apart from the loop over all nodes: a browser
/// compiles a loop that runs often once more, with all that is within it.
[[gnu::noinline]] void keep_needed(Rewrite& rewrite, Node& node, const std::vector<bool>& needed) {
  std::vector<bool> outputs;
  for (ValueId id : node.outputs) outputs.push_back(needed[static_cast<std::size_t>(id)]);
  const bool loop = node.op == Op::while_;
  Needs needs;
  if (loop) outputs = needed_state(node, outputs, needs);
  const std::vector<bool> operands = loop ? outputs : needed_operands(node, outputs, needs);
  std::vector<Graph> regions;
  regions.push_back(narrowed(node.regions[0], operands, loop ? std::vector<bool>{true} : outputs));
  regions.push_back(narrowed(node.regions[1], operands, outputs));
  const bool all = std::find(operands.begin(), operands.end(), false) == operands.end() &&
                   std::find(outputs.begin(), outputs.end(), false) == outputs.end();
  if (all && std::equal(regions.begin(), regions.end(), node.regions.begin(), equal)) return rewrite.keep();
  std::vector<ValueId> inputs;
  if (!loop) inputs.push_back(node.inputs[0]);
  for (std::size_t i = 0; i < operands.size(); ++i)
    if (operands[i]) inputs.push_back(node.inputs[i + (loop ? 0 : 1)]);
  const auto now =
      rewrite.more().append(node.op, std::move(inputs), std::move(node.attributes), std::move(regions), node.place);
  std::size_t next = 0;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (outputs[i]) rewrite.became(node.outputs[i], now[next++]);
}

}  // namespace

bool eliminate_dead_code(Graph& graph) {
  Needs needs;
  const std::vector<bool> needed = needed_values(graph, std::vector<bool>(graph.results().size(), true), needs);
  const auto is_needed = [&](const Node& node) {
    return std::any_of(node.outputs.begin(), node.outputs.end(),
                       [&](ValueId id) { return needed[static_cast<std::size_t>(id)]; });
  };
  if (std::all_of(graph.nodes().begin(), graph.nodes().end(),
                  [&](const Node& node) { return node.regions.empty() && is_needed(node); }))
    return false;
  Rewrite rewrite{graph};
  while (Node* const node = rewrite.next()) {
    if (!is_needed(*node)) {
      rewrite.note_change();
      continue;
    }
    if (node->regions.empty())
      rewrite.keep();
    else
      keep_needed(rewrite, *node, needed);
  }
  return rewrite.finish();
}

}  // namespace octet
