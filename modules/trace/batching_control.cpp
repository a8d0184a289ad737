/// Branches and loops of many examples.
module octet.trace;
import octet.base;
import octet.graph;
import octet.standard;
import :batching;
import :reachable;

namespace octet::batching_rules {

namespace {

/// The results of `graph`, a region, of `inputs`.
BatchedValues through(const Graph& graph, const BatchedValues& inputs, std::int64_t size) {
  BatchedValues values(graph.values().size());
  const auto at = [&](ValueId id) -> Batched& { return values[static_cast<std::size_t>(id)]; };
  for (std::size_t i = 0; i < inputs.size(); ++i) at(graph.parameters()[i]) = inputs[i];
  for (const Node& node : graph.nodes()) {
    BatchedValues operands;
    for (const ValueId id : node.inputs) operands.push_back(at(id));
    const ComposedAt scope{node.place, true};
    const BatchedValues results = batched(node.op, node.attributes, node.regions, std::move(operands),
                                          graph.types(node.outputs), node.place, size);
    for (std::size_t i = 0; i < results.size(); ++i) at(node.outputs[i]) = results[i];
  }
  BatchedValues results;
  for (const ValueId id : graph.results()) results.push_back(at(id));
  return results;
}

/// Which results of `graph` have a value for each example, where its parameters have `inputs`; more than do, rather
/// than fewer.
std::vector<bool> found_each(const Graph& graph, const std::vector<bool>& inputs) {
  std::vector<bool> each(graph.values().size(), false);
  for (std::size_t i = 0; i < inputs.size(); ++i) each[static_cast<std::size_t>(graph.parameters()[i])] = inputs[i];
  for (const Node& node : graph.nodes()) {
    const bool any = std::any_of(node.inputs.begin(), node.inputs.end(),
                                 [&](ValueId id) { return each[static_cast<std::size_t>(id)]; });
    for (std::size_t i = 0; i < node.outputs.size(); ++i)
      each[static_cast<std::size_t>(node.outputs[i])] =
          node.op == Op::optimization_barrier ? each[static_cast<std::size_t>(node.inputs[i])] : any;
  }
  std::vector<bool> results;
  for (const ValueId id : graph.results()) results.push_back(each[static_cast<std::size_t>(id)]);
  return results;
}

std::vector<bool> flags_of(const BatchedValues& values) {
  std::vector<bool> flags;
  for (const Batched& value : values) flags.push_back(value.each);
  return flags;
}

std::vector<bool> either(std::vector<bool> a, const std::vector<bool>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = a[i] || b[i];
  return a;
}

/// Values of a kind that a region takes or returns: with a value for each example where `flags` say so.
std::vector<Array> as_flagged(const BatchedValues& values, const std::vector<bool>& flags, std::int64_t size) {
  std::vector<Array> arrays;
  for (std::size_t i = 0; i < values.size(); ++i)
    arrays.push_back(flags[i] ? for_each_example(values[i], size) : values[i].array);
  return arrays;
}

BatchedValues flagged(const std::vector<Array>& arrays, const std::vector<bool>& flags) {
  BatchedValues values;
  for (std::size_t i = 0; i < arrays.size(); ++i) values.push_back({arrays[i], flags[i]});
  return values;
}

/// Of two values of each example, by its own truth value.
Array chosen(const Array& truth, const Array& on_true, const Array& on_false) {
  return select(spread(truth, on_true.shape()), on_true, on_false);
}

/// A region of `results`, of which each has a value for each example where `flags` say so.
Graph region_of(const std::string& name, const std::vector<Array>& parameters, const BatchedValues& results,
                const std::vector<bool>& flags, std::int64_t size) {
  return region(name, parameters, {}, as_flagged(results, flags, size));
}

}  // namespace

/// Where each example has a condition of its own, both branches are computed for all, and each takes its own.
BatchedValues if_(const Batch& b) {
  const Batched& condition = b.inputs.front();
  const BatchedValues operands{b.inputs.begin() + 1, b.inputs.end()};
  if (condition.each) {
    const BatchedValues on_true = through(b.regions[0], operands, b.size),
                        on_false = through(b.regions[1], operands, b.size);
    BatchedValues results;
    for (std::size_t i = 0; i < on_true.size(); ++i)
      results.push_back(
          {chosen(condition.array, for_each_example(on_true[i], b.size), for_each_example(on_false[i], b.size)), true});
    return results;
  }
  const std::vector<bool> given = flags_of(operands),
                          flags = either(found_each(b.regions[0], given), found_each(b.regions[1], given));
  std::vector<Array> inputs = as_flagged(operands, given, b.size);
  std::vector<Graph> regions;
  for (const Graph& branch : b.regions) {
    const std::vector<Array> parameters = parameters_like(inputs);
    regions.push_back(
        region_of(branch.name(), parameters, through(branch, flagged(parameters, given), b.size), flags, b.size));
  }
  inputs.insert(inputs.begin(), condition.array);
  return flagged(apply(Op::if_, std::move(inputs), NoAttributes{}, b.place, std::move(regions)), flags);
}

/// Where each example has a condition of its own, all go round while one of them would, and those that would not stay
/// as they are. What the body hands on as it is, as it does what it captures, stays what it is for all examples.
BatchedValues while_(const Batch& b) {
  const Graph &condition = b.regions[0], &body = b.regions[1];
  const auto handed_on = [&](std::size_t i) { return body.results()[i] == body.parameters()[i]; };
  std::vector<bool> flags = flags_of(b.inputs);
  bool own = false;
  for (bool grows = true; grows;) {
    own = own || found_each(condition, flags).front();
    std::vector<bool> next = either(flags, found_each(body, flags));
    for (std::size_t i = 0; i < next.size(); ++i) next[i] = next[i] || (own && !handed_on(i));
    grows = next != flags;
    flags = std::move(next);
  }
  std::vector<Array> initial = as_flagged(b.inputs, flags, b.size);
  const auto goes_on = [&](const std::vector<Array>& state) {
    return through(condition, flagged(state, flags), b.size).front();
  };
  std::vector<Graph> regions;
  const std::vector<Array> tested = parameters_like(initial), state = parameters_like(initial);
  const Batched test = goes_on(tested);
  regions.push_back(region(condition.name(), tested, {}, {test.each ? any(test.array) : test.array}));
  BatchedValues next = through(body, flagged(state, flags), b.size);
  if (own) {
    const Array still = for_each_example(goes_on(state), b.size);
    for (std::size_t i = 0; i < next.size(); ++i)
      if (!handed_on(i)) next[i] = {chosen(still, for_each_example(next[i], b.size), state[i]), true};
  }
  regions.push_back(region_of(body.name(), state, next, flags, b.size));
  return flagged(apply(Op::while_, std::move(initial), NoAttributes{}, b.place, std::move(regions)), flags);
}

}  // namespace octet::batching_rules
