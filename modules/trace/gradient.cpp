module octet.trace;
import octet.base;
import octet.graph;
import octet.standard;
import :derivatives;
import :reachable;

namespace octet {

namespace {

using Result = std::pair<const Expression*, int>;
Result key(const Array& array) { return {array.expression().get(), array.index()}; }

[[noreturn]] void not_differentiable(const Expression& expression, std::string_view reason) {
  fail({.number = 104,
        .sentence = "The derivative of " + std::string{name(expression.op)} +
                    " was asked for, and there is none: " + std::string{reason} + ".",
        .where = expression.place,
        .because = expression.inputs.empty() ? std::vector<Link>{} : because(expression.inputs.front())});
}

constexpr std::string_view of_floats =
    "A derivative is of numbers between which there are others: of floating-point types.";

}  // namespace

std::vector<Array> vector_jacobian_product(const std::vector<Array>& outputs, const std::vector<Array>& cotangents,
                                           const std::vector<Array>& inputs) {
  if (cotangents.size() != outputs.size())
    fail([&] {
      return Diagnostic{.number = 405,
                        .sentence = "vector_jacobian_product takes a cotangent for each output, and is given " +
                                    std::to_string(cotangents.size()) + " for " + std::to_string(outputs.size()) + "."};
    });
  for (const std::vector<Array>* const arrays : {&outputs, &inputs})
    for (const Array& array : *arrays) array.type();  // throws X406 where it is empty
  std::map<Result, Array> sums;
  const auto add = [&](const Array& array, const Array& cotangent) {
    if (cotangent.empty() || !is_floating(array.dtype())) return;
    Array& sum = sums[key(array)];
    sum = sum.empty() ? cotangent : sum + cotangent;
  };
  std::unordered_set<const Expression*> wanted, active;
  for (const Array& input : inputs) wanted.insert(input.expression().get());

  const Expressions order = reachable(
      outputs, [](const Array& array) { return array.expression(); },
      [&](const Expression& expression) { return wanted.contains(&expression); });
  for (const auto& expression : order)
    if (wanted.contains(expression.get()) ||
        std::any_of(expression->inputs.begin(), expression->inputs.end(),
                    [&](const Array& input) { return active.contains(input.expression().get()); }))
      active.insert(expression.get());

  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (!cotangents[i].empty()) add(outputs[i], cotangents[i]);

  for (auto at = order.rbegin(); at != order.rend(); ++at) {
    const Expression& expression = **at;
    if (!active.contains(&expression) || wanted.contains(&expression)) continue;
    std::vector<Array> results, own;
    bool any = false;
    for (std::size_t i = 0; i < expression.types.size(); ++i) {
      results.emplace_back(*at, static_cast<int>(i));
      const auto sum = sums.find(key(results.back()));
      own.push_back(sum == sums.end() ? Array{} : sum->second);
      any |= !own.back().empty();
    }
    if (!any) continue;
    const ComposedAt scope{expression.place, true};
    std::vector<Array> given;
    if (expression.kind == Expression::Kind::alias) {
      given = expression.inputs.size() == own.size()
                  ? own
                  : derivatives::checkpoint({expression, expression.inputs, results, own}, active);
    } else {
      const Derivative& column = derivative(expression.op);
      if (column.zero) continue;
      if (!column.rule) not_differentiable(expression, column.reason);
      given = column.rule({expression, expression.inputs, results, own});
    }
    for (std::size_t i = 0; i < given.size(); ++i)
      if (active.contains(expression.inputs[i].expression().get())) add(expression.inputs[i], given[i]);
  }

  std::vector<Array> result;
  for (const Array& input : inputs) {
    const auto sum = sums.find(key(input));
    result.push_back(sum == sums.end() ? zeros(input.type()) : sum->second);
  }
  return result;
}

namespace detail {

std::vector<Array> gradients(const Array& loss, const std::vector<Array>& inputs, const Place& place) {
  if (loss.rank() != 0 || !is_floating(loss.dtype()))
    fail([&] {
      return Diagnostic{
          .number = loss.rank() == 0 ? 402 : 401,
          .sentence = "grad needs a function that returns a floating-point scalar; this one returns " +
                      to_string(loss.type()) + ".",
          .where = place,
          .because = because(loss),
          .rule = loss.rank() == 0 ? std::string{of_floats} : std::string{},
          .fix = {loss.rank() == 0 ? "make it a number with a derivative: cast<float>(x) before it is computed with"
                                   : "reduce the result to a scalar, for example with sum(x) or mean(x)"}};
    });
  for (const Array& input : inputs)
    if (!is_floating(input.dtype()))
      fail([&] {
        return Diagnostic{.number = 402,
                          .sentence = "grad was asked to differentiate with respect to " + to_string(input.type()) +
                                      ", which is not a floating-point array.",
                          .where = place,
                          .because = because(input),
                          .rule = std::string{of_floats},
                          .fix = {"pass integers as a later argument of the function", "convert with cast<float>(x)"}};
      });
  const ComposedAt scope{place};
  return vector_jacobian_product({loss}, {full(loss.type(), 1)}, inputs);
}

}  // namespace detail

Graph grad(const Graph& graph, bool value) {
  std::vector<Array> parameters, variables;
  for (ValueId id : graph.parameters()) {
    const Value& declared = graph.values()[static_cast<std::size_t>(id)];
    parameters.push_back(parameter(declared.type, declared.name));
    if (is_floating(declared.type.dtype)) variables.push_back(parameters.back());
  }
  const std::vector<Array> results = inlined(graph, parameters);
  if (results.size() != 1)
    fail(
        {.number = 401,
         .sentence = "grad needs a program with one result, and this one has " + std::to_string(results.size()) + "."});
  std::vector<Array> gradients = detail::gradients(results.front(), variables, results.front().expression()->place);
  if (value) gradients.insert(gradients.begin(), results.front());
  return linearize("grad_" + graph.name(), parameters, gradients);
}

}  // namespace octet
