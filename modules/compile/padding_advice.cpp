module octet.compile;
import octet.base;
import octet.graph;
import octet.standard;
import :padding_advice;

namespace octet {

namespace {

/// Whether one of `operations` is at most so many steps behind `node`, which a division has for its divisor.
bool leads_to(const Graph& graph, const Node& node, int steps, std::initializer_list<Op> operations) {
  std::set<ValueId> reached{node.outputs.begin(), node.outputs.end()};
  for (int step = 0; step < steps; ++step) {
    std::set<ValueId> next = reached;
    for (const Node& user : graph.nodes()) {
      if (std::ranges::none_of(user.inputs, [&](ValueId input) { return reached.contains(input); })) continue;
      if (std::ranges::find(operations, user.op) != operations.end() &&
          (user.op != Op::divide || reached.contains(user.inputs[1])))
        return true;
      next.insert(user.outputs.begin(), user.outputs.end());
    }
    reached = std::move(next);
  }
  return false;
}

/// Whether `node` adds up exponentials, or what it gives soon comes into one: a part of softmax.
bool within_softmax(const Graph& graph, const Node& node) {
  const bool of_exponentials = std::ranges::any_of(node.inputs, [&](ValueId input) {
    const Node* from = graph.definition(input);
    return from && from->op == Op::exponential;
  });
  if (of_exponentials) return leads_to(graph, node, 6, {Op::divide, Op::log});  // and not any sum of exponentials
  return std::get<ReduceAttributes>(node.attributes).reducer == Reducer::maximum &&
         leads_to(graph, node, 8, {Op::exponential});
}

}  // namespace

std::vector<std::string> padding_fixes(const Graph& graph, const Node& node, bool finite) {
  if (!finite)
    return {"fill the padding with a finite number, such as 0, and weigh it by 0 where positions are combined",
            "take it out before anything is computed of it, as no weight does: select(mask, x, 0)"};
  switch (node.op) {
    case Op::reduce:
      if (within_softmax(graph, node))
        return {
            "keep padded keys out of the softmax: softmax(scores + (1.0 - keep) * -1e9), where keep is 0 for "
            "padding"};
      if (std::get<ReduceAttributes>(node.attributes).reducer == Reducer::add)
        return {"weigh padding by 0: sum(x * mask) / sum(mask)", "fill the padding with what changes no sum, 0"};
      return {"leave padding out: take select(mask, x, value) with a value that never wins",
              "take a mask as an argument, 1 for what is real"};
    case Op::constant:
    case Op::iota:
      return {"divide by how many elements are real, sum(mask), not by how many there are",
              "count nothing by an extent that is padded"};
    case Op::dot_general:
      return {"weigh padded positions by 0 before the product that adds over them: x * mask"};
    case Op::reverse:
    case Op::slice:
    case Op::dynamic_slice:
    case Op::gather:
    case Op::concatenate:
    case Op::pad:
    case Op::dynamic_update_slice:
    case Op::scatter:
      return {"count positions from the beginning: the last position is padding, the last real one is sum(mask) - 1",
              "move the mask as the data is moved, and weigh by it"};
    case Op::while_:
      return {"let the loop leave its state alone at padded positions: select(mask_at_i, next, state)"};
    default:
      return {
          "weigh by a mask wherever positions are combined: x * mask before a sum, select(mask, x, value) before a "
          "maximum"};
  }
}

}  // namespace octet
