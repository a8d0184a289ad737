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

bool is_zeros(const Array& array) {
  const Expression& expression = *array.expression();
  if (expression.op == Op::broadcast_in_dim) return is_zeros(expression.inputs.front());
  const auto* const constant = std::get_if<ConstantAttributes>(&expression.attributes);
  return constant && array.rank() == 0 && constant->value.item() == 0;
}

/// Whether a cotangent may be zeros but for one window of them: of a scatter, one that an only index names.
bool may_be_window(const Expression& expression) {
  return expression.op == Op::dynamic_update_slice ||
         (expression.op == Op::scatter && expression.inputs[1].rank() == 0);
}

/// A sum and such a cotangent: the window alone is added to. In a loop that reads a window in each turn, the sum goes
/// round, and to add all the zeros would take as many turns times as long.
[[gnu::noinline]] Array added_within(const Array& sum, const Array& cotangent) {
  const Expression& window = *cotangent.expression();
  if (!is_zeros(window.inputs[0])) return sum + cotangent;
  const Array& second = window.inputs[1];
  if (const auto* const attributes = std::get_if<ScatterAttributes>(&window.attributes))
    return attributes->reducer == Reducer::add ? scatter(sum, second, window.inputs[2], *attributes) : sum + cotangent;
  const std::vector<Array> starts{window.inputs.begin() + 2, window.inputs.end()};
  return dynamic_update_slice(sum, dynamic_slice(sum, starts, second.shape().extents()) + second, starts);
}

constexpr std::string_view of_floats =
    "A derivative is of numbers between which there are others: of floating-point types.";

/// Throws X402 where one of `inputs` of `function` is not of a floating-point type.
void require_floating(const std::vector<Array>& inputs, const char* function, const Place& place) {
  for (const Array& input : inputs)
    if (!is_floating(input.dtype()))
      fail([&] {
        return Diagnostic{.number = 402,
                          .sentence = std::string{function} + " was asked to differentiate with respect to " +
                                      to_string(input.type()) + ", which is not a floating-point array.",
                          .where = place,
                          .because = because(input),
                          .rule = std::string{of_floats},
                          .fix = {"pass integers as a later argument of the function", "convert with cast<float>(x)"}};
      });
}

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
    const bool window = may_be_window(*cotangent.expression());
    sum = sum.empty() ? cotangent : window ? added_within(sum, cotangent) : sum + cotangent;
  };
  std::unordered_set<const Expression*> wanted, active;
  for (const Array& input : inputs) wanted.insert(input.expression().get());

  const Expressions order = reachable(
      outputs, [](const Array& array) { return array.expression(); },
      [&](const Expression& expression) { return wanted.contains(&expression); });
  // What is computed with integers, or behind an operation whose derivative is zero, as stop_gradient is, changes with
  // no input: whatever it goes through there need not have a derivative.
  const auto carries = [&](const Array& input) {
    return is_floating(input.dtype()) && active.contains(input.expression().get());
  };
  const auto changes = [&](const Expression& expression) {
    return !(expression.kind == Expression::Kind::operation && derivative(expression.op).zero) &&
           std::any_of(expression.inputs.begin(), expression.inputs.end(), carries);
  };
  for (const auto& expression : order)
    if (wanted.contains(expression.get()) || changes(*expression)) active.insert(expression.get());

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
  require_floating(inputs, "grad", place);
  const ComposedAt scope{place};
  return vector_jacobian_product({loss}, {full(loss.type(), 1)}, inputs);
}

std::vector<Array> tangents(const std::vector<Array>& outputs, const std::vector<Array>& inputs,
                            const std::vector<Array>& directions, bool alike, const Place& place) {
  require_floating(inputs, "jvp", place);
  if (directions.size() != inputs.size())
    fail([&] {
      return Diagnostic{.number = 405,
                        .sentence = "jvp takes a tangent for each array, and is given " +
                                    std::to_string(directions.size()) + " for " + std::to_string(inputs.size()) + ".",
                        .where = placed(place)};
    });
  if (!alike)
    fail([&] {
      return Diagnostic{.number = 405,
                        .sentence =
                            "jvp takes a tangent that is its argument but for the arrays, and is given one with "
                            "other alternatives, lengths of lists or numbers.",
                        .where = placed(place)};
    });
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (directions[i].type() != inputs[i].type())
      fail([&] {
        return Diagnostic{.number = 401,
                          .sentence = "jvp takes a tangent of the type of its array, " + to_string(inputs[i].type()) +
                                      ", and is given " + to_string(directions[i].type()) + ".",
                          .where = placed(place),
                          .because = because(directions[i])};
      });
  const ComposedAt scope{place};
  // A product with the transposed Jacobian is linear in the cotangents, whatever they are: its own derivative with
  // respect to them, by the directions, is the product with the Jacobian.
  std::vector<Array> cotangents;
  for (const Array& output : outputs) cotangents.push_back(alias(zeros(output.type())));
  return vector_jacobian_product(vector_jacobian_product(outputs, cotangents, inputs), directions, cotangents);
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
