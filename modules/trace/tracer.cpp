module octet.trace;
import octet.base;
import octet.graph;
import octet.standard;
import :reachable;
import :tracer;
import :tree;

namespace octet {

namespace {

using Stop = std::function<bool(const Expression&)>;

/// The array that an alias stands for, through any number of them, as far as `stop` does not say to halt at one.
Array resolved(Array array, const Stop& stop) {
  array.type();  // throws X406 where it is empty
  while (array.expression()->kind == Expression::Kind::alias && !stop(*array.expression()))
    array = Array{array.expression()->inputs[static_cast<std::size_t>(array.index())]};
  return array;
}

/// What `roots` reach, aliases resolved, by increasing birth. `stop` says where not to go further, and what to leave
/// out.
Expressions reachable(const std::vector<Array>& roots, const Stop& stop) {
  return reachable(
      roots,
      [&](const Array& array) {
        auto expression = resolved(array, stop).expression();
        return stop(*expression) ? nullptr : expression;
      },
      [](const Expression&) { return false; });
}

/// A result of an expression.
struct Source {
  const Expression* expression;
  int index;
  friend bool operator==(const Source&, const Source&) = default;
};
struct SourceHash {
  std::size_t operator()(const Source& source) const {
    return std::hash<const void*>{}(source.expression) + static_cast<std::size_t>(source.index);
  }
};

Graph build(std::string name, const std::vector<Array>& parameters, const std::vector<Array>& captured,
            const std::vector<Array>& results) {
  Graph graph{std::move(name)};
  std::pmr::monotonic_buffer_resource memory;
  std::pmr::unordered_map<Source, ValueId, SourceHash> values{&memory};
  std::pmr::unordered_set<const Expression*> boundary{&memory};
  for (const Array& array : parameters) {
    values[{array.expression().get(), array.index()}] = graph.parameter(array.type(), array.expression()->name);
    boundary.insert(array.expression().get());
  }
  for (const Array& array : captured) {
    values[{array.expression().get(), array.index()}] = graph.parameter(array.type());
    boundary.insert(array.expression().get());
  }
  const Stop given = [&](const Expression& expression) { return boundary.contains(&expression); };
  const auto id = [&](const Array& array, const Place& used_at = {}) {
    const Array source = resolved(array, given);
    const auto found = values.find({source.expression().get(), source.index()});
    if (found != values.end()) return found->second;
    const Expression& expression = *source.expression();
    fail([&] {
      return Diagnostic{
          .number = 406,
          .sentence = "The traced function uses " +
                      (expression.name.empty() ? std::string{"an array"} : "the argument '" + expression.name + "'") +
                      " of type " + to_string(source.type()) + " that belongs to another trace.",
          .where = used_at.known() ? used_at : expression.place,
          .because = because(source)};
    });
  };
  const Expressions expressions = reachable(results, given);
  graph.reserve(values.size() + expressions.size(), expressions.size());
  values.reserve(values.size() + expressions.size());
  std::vector<TensorType> types;
  for (const auto& expression : expressions) {
    if (expression->kind == Expression::Kind::parameter) continue;  // of another trace: refused where it is used
    std::vector<ValueId> inputs;
    inputs.reserve(expression->inputs.size());
    for (const Array& input : expression->inputs) inputs.push_back(id(input, expression->place));
    // Its types were found when it was made.
    types = expression->types;
    const auto& outputs = graph.adopt({expression->op, std::move(inputs), std::vector<ValueId>(types.size()),
                                       expression->attributes, expression->regions, expression->place},
                                      types);
    for (std::size_t i = 0; i < outputs.size(); ++i) values[{expression.get(), static_cast<int>(i)}] = outputs[i];
  }
  std::vector<ValueId> ids;
  for (const Array& result : results) ids.push_back(id(result));
  graph.set_results(std::move(ids));
  return graph;
}

}  // namespace

void fail_empty(const std::string& what) {
  fail([&] {
    return Diagnostic{.number = 406,
                      .sentence = "An empty Array was used: " + what + " has no value.",
                      .fix = {"give it one, such as zeros({DType::f32, {}})",
                              "let it be a std::optional<Array> where there may be none"}};
  });
}

void parameterize(reflection::Tree argument, const std::string& name, std::vector<Array>& parameters) {
  reflection::each_array(argument, name, [&](const std::string& member, Array& array) {
    if (array.empty()) fail_empty("argument '" + member + "'");
    array = parameter(array.type(), member);
    parameters.push_back(array);
  });
}

namespace {

void require_filled(const std::vector<Array>& results) {
  for (std::size_t i = 0; i < results.size(); ++i)
    if (results[i].empty()) fail_empty("array " + std::to_string(i) + " of what the traced function returns");
}

}  // namespace

Graph linearize(std::string name, const std::vector<Array>& parameters, const std::vector<Array>& results) {
  require_filled(results);
  return build(std::move(name), parameters, {}, results);
}

std::vector<Array> captures(const std::vector<Array>& results, std::uint64_t mark) {
  require_filled(results);
  std::map<std::pair<std::uint64_t, int>, Array> found;
  const Stop outside = [&](const Expression& expression) { return expression.birth < mark; };
  // An alias from outside is captured as itself: what is differentiated with respect to it must see it among the
  // inputs.
  const auto consider = [&](const Array& array) {
    const Array source = resolved(array, outside);
    if (outside(*source.expression()) && !is_small_constant(*source.expression()))
      found.emplace(std::pair{source.expression()->birth, source.index()}, source);
  };
  for (const Array& result : results) consider(result);
  for (const auto& expression : reachable(results, outside))
    for (const Array& input : expression->inputs) consider(input);
  std::vector<Array> result;
  for (auto& [key, array] : found) result.push_back(std::move(array));
  return result;
}

Graph region(std::string name, std::vector<Array> parameters, const std::vector<Array>& captured,
             const std::vector<Array>& results) {
  return build(std::move(name), parameters, captured, results);
}

std::vector<Array> inlined(const Graph& graph, const std::vector<Array>& arguments) {
  return inlined(graph, arguments, [](std::size_t, const Array& result) { return result; });
}

std::vector<Array> inlined(const Graph& graph, const std::vector<Array>& arguments,
                           const std::function<Array(std::size_t, const Array&)>& made) {
  std::vector<Array> results(graph.results().size());
  std::multimap<ValueId, std::size_t> places;
  for (std::size_t r = 0; r < results.size(); ++r) places.emplace(graph.results()[r], r);
  std::vector<Array> values(graph.values().size());
  for (std::size_t i = 0; i < arguments.size(); ++i)
    values[static_cast<std::size_t>(graph.parameters()[i])] = arguments[i];
  const auto at = [&](ValueId id) -> Array& { return values[static_cast<std::size_t>(id)]; };
  const auto is_there = [&](ValueId id) {
    const auto [from, to] = places.equal_range(id);
    for (auto place = from; place != to; ++place) results[place->second] = made(place->second, at(id));
  };
  for (const ValueId id : graph.parameters()) is_there(id);
  for (const Node& node : graph.nodes()) {
    std::vector<Array> inputs;
    for (ValueId id : node.inputs) inputs.push_back(at(id));
    const ComposedAt scope{node.place, true};
    const auto outputs = apply(node.op, std::move(inputs), node.attributes, node.place, node.regions);
    for (std::size_t i = 0; i < outputs.size(); ++i) at(node.outputs[i]) = outputs[i];
    for (const ValueId id : node.outputs) is_there(id);
  }
  return results;
}

Graph trace(const std::function<std::vector<Array>(const std::vector<Array>&)>& function,
            const std::vector<TensorType>& types, std::string name) {
  std::vector<Array> parameters;
  for (const TensorType& type : types) parameters.push_back(parameter(type, "arg" + std::to_string(parameters.size())));
  return linearize(std::move(name), parameters, function(parameters));
}

}  // namespace octet
