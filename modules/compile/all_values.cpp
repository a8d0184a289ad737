module octet.compile;
import octet.base;
import octet.graph;
import octet.standard;
import :all_values;
import :executable;
import :options;

namespace octet {

namespace {

Executable compiled(Graph graph) {
  std::vector<ValueId> defined;
  for (const Node& node : graph.nodes()) defined.insert(defined.end(), node.outputs.begin(), node.outputs.end());
  graph.set_results(defined);
  return Executable::compile(std::move(graph), {.precision = Precision::f32});
}

}  // namespace

AllValues::AllValues(const Graph& graph) : graph_{graph}, executable_{compiled(graph)} {}

Tensors AllValues::operator()(const Tensors& arguments, Threads& threads) const {
  Tensors results = executable_.run(arguments, threads);
  Tensors values(arguments.size(), std::vector<Tensor>(graph_.values().size()));
  for (std::size_t r = 0; r < arguments.size(); ++r) {
    for (std::size_t i = 0; i < arguments[r].size(); ++i)
      values[r][static_cast<std::size_t>(graph_.parameters()[i])] = arguments[r][i];
    std::size_t next = 0;
    for (const Node& node : graph_.nodes())
      for (const ValueId id : node.outputs) values[r][static_cast<std::size_t>(id)] = std::move(results[r][next++]);
  }
  return values;
}

std::vector<bool> parts_behind(const Graph& body, std::size_t k) {
  std::vector<bool> parts(body.results().size(), false), seen(body.values().size(), false);
  std::vector<ValueId> pending;
  const auto look_at = [&](ValueId value) {
    if (seen[static_cast<std::size_t>(value)]) return;
    seen[static_cast<std::size_t>(value)] = true;
    pending.push_back(value);
  };
  const auto add = [&](std::size_t part) {
    parts[part] = true;
    look_at(body.results()[part]);
  };
  add(k);
  while (!pending.empty()) {
    const ValueId value = pending.back();
    pending.pop_back();
    const Node* node = body.definition(value);
    if (node)
      for (const ValueId input : node->inputs) look_at(input);
    else
      add(static_cast<std::size_t>(std::ranges::find(body.parameters(), value) - body.parameters().begin()));
  }
  return parts;
}

}  // namespace octet
