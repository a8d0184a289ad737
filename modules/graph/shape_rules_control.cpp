/// Shape rules of if and while: what their regions take and return.
module octet.graph;
import octet.standard;
import :constraints;
import :rules;

namespace octet::rules {

namespace {

std::string listed(std::span<const TensorType> types) {
  if (types.empty()) return "nothing";
  std::string text;
  for (std::size_t i = 0; i < types.size(); ++i)
    text += say(i == 0 ? "" : i + 1 == types.size() ? " and " : ", ", types[i]);
  return text;
}

/// What turns a value of type `from` into one of type `to`.
Fixes conversions(const std::string& variable, const TensorType& from, const TensorType& to) {
  if (from.dtype == to.dtype) return ways_to(variable, from.shape, to.shape);
  const std::string cast = cast_to(to.dtype, variable);
  return from.shape == to.shape ? Fixes{cast} : ways_to(cast, from.shape, to.shape);
}

/// The region takes `types`.
bool takes(Constraints& c, const std::string& region, const Graph& graph, std::span<const TensorType> types, int number,
           int constraint) {
  const Types parameters = graph.parameter_types();
  if (std::equal(parameters.begin(), parameters.end(), types.begin(), types.end())) return true;
  c.broken(number, constraint, say(region, " takes ", listed(parameters), ", and is given ", listed(types)));
  return false;
}

}  // namespace

Types if_(Constraints& c, const NoAttributes&) {
  if (c.inputs() == 0) {
    c.broken(404, 0, "it takes a predicate, and none is given");
    return {};
  }
  if (c.dtype(0) != DType::pred)
    c.element_types(0, say("the predicate ", c.type(0), " must be a truth value"), {"predicate != 0"});
  if (c.shape(0).rank() != 0)
    c.shapes(0, say("the predicate ", c.type(0), " must be a scalar: one branch is taken for the whole tensor"),
             {"select(predicate, a, b), to choose element by element", "all(predicate) or any(predicate)"});
  const Graph &on_true = c.application().regions[0], &on_false = c.application().regions[1];
  const auto operands = c.application().inputs.subspan(1);
  takes(c, "the branch taken when true", on_true, operands, 102, 1);
  takes(c, "the branch taken when false", on_false, operands, 102, 1);

  const Types one = on_true.result_types(), other = on_false.result_types();
  if (one.size() != other.size())
    c.broken(102, 2,
             say("when true it returns ", counted(one.size(), "value", "values"), " (", listed(one), "), when false ",
                 other.size(), " (", listed(other), ")"),
             {"return equally many values from both branches, zeros where one has nothing to say"});
  else
    for (std::size_t i = 0; i < one.size(); ++i)
      if (one[i] != other[i]) {
        const std::string differ = one[i].dtype == other[i].dtype   ? "the shapes differ"
                                   : one[i].shape == other[i].shape ? "the element types differ"
                                                                    : "element types and shapes differ";
        Fixes fixes;
        for (std::string& fix : conversions("value", other[i], one[i]))
          fixes.push_back("in the branch taken when false: " + fix);
        for (std::string& fix : conversions("value", one[i], other[i]))
          fixes.push_back("in the branch taken when true: " + fix);
        c.broken(102, 2, say("result ", i, " is ", one[i], " when true and ", other[i], " when false: ", differ),
                 std::move(fixes));
      }
  return one;
}

/// Whoever calls says what comes of it.
Types custom_call(Constraints&, const CustomCallAttributes& attributes) { return attributes.results; }

Types optimization_barrier(Constraints& c, const NoAttributes&) {
  const auto inputs = c.application().inputs;
  return {inputs.begin(), inputs.end()};
}

Types while_(Constraints& c, const NoAttributes&) {
  const auto state = c.application().inputs;
  const Graph &condition = c.application().regions[0], &body = c.application().regions[1];
  takes(c, "the condition", condition, state, 103, 1);
  takes(c, "the body", body, state, 103, 2);

  const Types tests = condition.result_types();
  if (tests.size() != 1 || tests[0] != TensorType{DType::pred, {}}) {
    Fixes fixes;
    if (tests.size() == 1 && tests[0].dtype == DType::pred)
      fixes = {"all(condition)", "any(condition)"};
    else if (tests.size() == 1 && tests[0].shape.rank() == 0)
      fixes = {"condition != 0"};
    c.broken(103, 1,
             say("the condition returns ", listed(tests), ", and it must return one truth value, ",
                 TensorType{DType::pred, {}}),
             std::move(fixes));
  }
  const Types next = body.result_types();
  if (next.size() != state.size())
    c.broken(103, 2,
             say("the body takes ", counted(state.size(), "value", "values"), " (", listed(state), ") and returns ",
                 next.size(), " (", listed(next), ")"));
  else
    for (std::size_t i = 0; i < next.size(); ++i)
      if (next[i] != state[i]) {
        Fixes fixes;
        for (std::string& fix : conversions("value", next[i], state[i])) fixes.push_back("in the body: " + fix);
        for (std::string& fix : conversions("value", state[i], next[i])) fixes.push_back("before the loop: " + fix);
        c.broken(103, 2, say("state ", i, " is ", state[i], " before the body and ", next[i], " after it"),
                 std::move(fixes));
      }
  return {state.begin(), state.end()};
}

}  // namespace octet::rules
