module octet.trace;
import octet.graph;
import octet.standard;
import :reachable;

namespace octet {

Expressions reachable(const std::vector<Array>& roots,
                      const std::function<std::shared_ptr<const Expression>(const Array&)>& met,
                      const std::function<bool(const Expression&)>& is_end) {
  Expressions found, pending;
  std::pmr::monotonic_buffer_resource memory;
  std::pmr::unordered_set<const Expression*> seen{&memory};
  const auto visit = [&](const Array& array) {
    auto expression = met(array);
    if (expression && seen.insert(expression.get()).second) pending.push_back(std::move(expression));
  };
  for (const Array& root : roots) visit(root);
  while (!pending.empty()) {
    found.push_back(std::move(pending.back()));
    pending.pop_back();
    if (is_end(*found.back())) continue;
    const Expression& expression = *found.back();
    for (const Array& input : expression.inputs) visit(input);
  }
  // By a heap: a quarter of the code of the other sort, for which whoever opens the page would wait.
  const auto born_before = [](const auto& a, const auto& b) { return a->birth < b->birth; };
  std::make_heap(found.begin(), found.end(), born_before);
  std::sort_heap(found.begin(), found.end(), born_before);
  return found;
}

std::vector<Array> parameters_like(const std::vector<Array>& arrays) {
  std::vector<Array> parameters;
  for (const Array& array : arrays) parameters.push_back(parameter(array.type(), {}));
  return parameters;
}

bool is_small_constant(const Expression& expression) {
  return expression.kind == Expression::Kind::operation && expression.op == Op::constant &&
         expression.types.front().shape.elements() <= 8;
}

}  // namespace octet
