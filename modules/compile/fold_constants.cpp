module octet.compile;
import octet.base;
import octet.graph;
import octet.standard;
import :executable;
import :options;
import :passes;
import :rewrite;

namespace octet {

namespace {

/// Larger constants would cost more memory than computing them anew costs time.
constexpr std::int64_t largest_folded = 256;

/// Products and reductions are left to the kernels (their rounding is an option of the compiler), and a broadcast is a
/// view.
bool folds(const Node& node) {
  return (is_elementwise(node.op) || node.op == Op::reshape || node.op == Op::transpose || node.op == Op::slice ||
          node.op == Op::concatenate || node.op == Op::pad || node.op == Op::reverse) &&
         !node.inputs.empty();
}

const Tensor* constant(const Graph& graph, ValueId id) {
  const Node* definition = graph.definition(id);
  return definition && definition->op == Op::constant ? &std::get<ConstantAttributes>(definition->attributes).value
                                                      : nullptr;
}

/// What a node makes of constants. Apart from the loop over all nodes: a browser compiles a loop that runs often once
/// more, with all that is within it.
[[gnu::noinline]] Tensor folded(const Graph& graph, const Node& node) {
  Graph one;
  std::vector<ValueId> parameters;
  std::vector<Tensor> arguments;
  for (ValueId id : node.inputs) {
    arguments.push_back(*constant(graph, id));
    parameters.push_back(one.parameter(arguments.back().type()));
  }
  one.set_results(one.append(node.op, parameters, node.attributes, {}, node.place));
  Threads alone;
  return Executable::compile(std::move(one), {}).run(std::move(arguments), alone).front();
}

}  // namespace

bool fold_constants(Graph& graph) {
  Rewrite rewrite{graph};
  while (Node* const read = rewrite.next()) {
    Node& node = *read;
    const bool known = folds(node) && rewrite.old_type(node.outputs.front()).shape.elements() <= largest_folded &&
                       std::all_of(node.inputs.begin(), node.inputs.end(),
                                   [&](ValueId id) { return constant(rewrite.graph(), id) != nullptr; });
    if (!known) {
      if (change_regions(node, fold_constants)) rewrite.note_change();
      rewrite.keep();
      continue;
    }
    Tensor value = folded(rewrite.graph(), node);
    rewrite.became(node.outputs.front(), rewrite.more().constant(std::move(value), node.place));
  }
  return rewrite.finish();
}

}  // namespace octet
