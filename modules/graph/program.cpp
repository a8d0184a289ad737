module octet.graph;
import octet.base;
import octet.standard;

namespace octet {

namespace {

/// Fails where one of `ids` names no value of `values`.
void require_values(std::string_view what, const std::vector<ValueId>& ids, std::size_t values, const Place& place) {
  for (ValueId id : ids)
    if (id < 0 || static_cast<std::size_t>(id) >= values)
      fail([&] {
        return Diagnostic{.number = 404,
                          .sentence = std::string{what} + ": value " + std::to_string(id) + " is not among the " +
                                      std::to_string(values) + " values defined so far.",
                          .where = place};
      });
}

}  // namespace

ValueId Graph::parameter(TensorType type, std::string name) {
  const auto id = static_cast<ValueId>(parts_.values.size());
  parts_.values.push_back({std::move(type), std::move(name), -1});
  parts_.parameters.push_back(id);
  return id;
}

std::vector<ValueId> Graph::append(Op op, std::vector<ValueId> inputs, Attributes attributes,
                                   std::vector<Graph> regions, Place place) {
  require_values(octet::name(op), inputs, parts_.values.size(), place);
  const std::vector<TensorType> input_types = types(inputs);
  std::vector<TensorType> result_types = infer({op, input_types, attributes, regions, place});
  std::vector<ValueId> outputs;
  for (TensorType& type : result_types) {
    outputs.push_back(static_cast<ValueId>(parts_.values.size()));
    parts_.values.push_back({std::move(type), {}, static_cast<std::int32_t>(parts_.nodes.size())});
  }
  parts_.nodes.push_back({op, std::move(inputs), outputs, std::move(attributes), std::move(regions), std::move(place)});
  return outputs;
}

const std::vector<ValueId>& Graph::adopt(Node&& node, std::span<TensorType> types) {
  Node& own = parts_.nodes.emplace_back(std::move(node));
  for (std::size_t i = 0; i < types.size(); ++i) {
    own.outputs[i] = static_cast<ValueId>(parts_.values.size());
    parts_.values.push_back({std::move(types[i]), {}, static_cast<std::int32_t>(parts_.nodes.size() - 1)});
  }
  return own.outputs;
}

ValueId Graph::constant(Tensor value, Place place) {
  return append(Op::constant, {}, ConstantAttributes{std::move(value)}, {}, std::move(place)).front();
}

std::vector<ValueId> Graph::splice(const Graph& other, const std::vector<ValueId>& arguments) {
  if (arguments.size() != other.parts_.parameters.size())
    fail([&] {
      return Diagnostic{.number = 405,
                        .sentence = other.parts_.name + " takes " + std::to_string(other.parts_.parameters.size()) +
                                    " arguments, and " + std::to_string(arguments.size()) + " are given."};
    });
  require_values(other.parts_.name, arguments, parts_.values.size(), {});
  std::vector<ValueId> map(other.parts_.values.size(), -1);
  for (std::size_t i = 0; i < arguments.size(); ++i)
    map[static_cast<std::size_t>(other.parts_.parameters[i])] = arguments[i];
  const auto mapped = [&](const std::vector<ValueId>& ids) {
    std::vector<ValueId> result;
    for (ValueId id : ids) result.push_back(map[static_cast<std::size_t>(id)]);
    return result;
  };
  for (const Node& node : other.parts_.nodes) {
    const auto outputs = append(node.op, mapped(node.inputs), node.attributes, node.regions, node.place);
    for (std::size_t i = 0; i < outputs.size(); ++i) map[static_cast<std::size_t>(node.outputs[i])] = outputs[i];
  }
  return mapped(other.parts_.results);
}

void Graph::set_results(std::vector<ValueId> results) {
  require_values("results of " + parts_.name, results, parts_.values.size(), {});
  parts_.results = std::move(results);
}

std::vector<TensorType> Graph::types(const std::vector<ValueId>& ids) const {
  std::vector<TensorType> result;
  result.reserve(ids.size());
  for (ValueId id : ids) result.push_back(type(id));
  return result;
}

bool equal(const Graph& a, const Graph& b) {
  if (a.parameters() != b.parameters() || a.results() != b.results() || a.values().size() != b.values().size() ||
      a.nodes().size() != b.nodes().size())
    return false;
  for (std::size_t i = 0; i < a.values().size(); ++i)
    if (a.values()[i].type != b.values()[i].type) return false;
  for (std::size_t i = 0; i < a.nodes().size(); ++i) {
    const Node &x = a.nodes()[i], &y = b.nodes()[i];
    if (x.op != y.op || x.inputs != y.inputs || x.outputs != y.outputs || !(x.attributes == y.attributes) ||
        x.regions.size() != y.regions.size())
      return false;
    for (std::size_t r = 0; r < x.regions.size(); ++r)
      if (!equal(x.regions[r], y.regions[r])) return false;
  }
  return true;
}

namespace {

struct AttributeHash {
  Hasher& hasher;
  void operator()(const char*, const Tensor& value) const {
    (*this)("", value.type());
    hasher.add(value.bytes());
  }
  void operator()(const char*, const TensorType& type) const {
    hasher.add(static_cast<std::uint64_t>(type.dtype));
    (*this)("", type.shape);
  }
  void operator()(const char*, const Shape& shape) const {
    hasher.add(std::as_bytes(std::span{shape.begin(), shape.end()}));
  }
  void operator()(const char*, const std::vector<TensorType>& types) const {
    for (const TensorType& type : types) (*this)("", type);
  }
  void operator()(const char*, const std::string& text) const { hasher.add(std::as_bytes(std::span{text})); }
  void operator()(const char*, const Dims& dims) const { hasher.add(std::as_bytes(std::span{dims})); }
  void operator()(const char*, const ReplicaGroups& groups) const {
    for (const Dims& group : groups) (*this)("", group);
  }
  template <class T>
    requires std::is_integral_v<T> || std::is_enum_v<T>
  void operator()(const char*, T value) const {
    hasher.add(static_cast<std::uint64_t>(value));
  }
};

void add(Hasher& hasher, const Attributes& attributes) {
  hasher.add(static_cast<std::uint64_t>(attributes.index()));
  std::visit([&](const auto& fields) { fields.fields(fields, AttributeHash{hasher}); }, attributes);
}

void add(Hasher& hasher, const Graph& graph) {
  const auto add_ids = [&](const std::vector<ValueId>& ids) { hasher.add(std::as_bytes(std::span{ids})); };
  add_ids(graph.parameters());
  for (ValueId id : graph.parameters()) AttributeHash{hasher}("", graph.type(id));
  for (const Node& node : graph.nodes()) {
    hasher.add(static_cast<std::uint64_t>(node.op));
    add_ids(node.inputs);
    add(hasher, node.attributes);
    for (const Graph& region : node.regions) add(hasher, region);
  }
  add_ids(graph.results());
}

/// What `b OP a` says of `a OP b`.
Comparison mirrored(Comparison direction) {
  switch (direction) {
    case Comparison::LT:
      return Comparison::GT;
    case Comparison::LE:
      return Comparison::GE;
    case Comparison::GT:
      return Comparison::LT;
    case Comparison::GE:
      return Comparison::LE;
    default:
      return direction;
  }
}

/// The value of a constant of one element in `graph`, or null.
const Tensor* scalar_constant(const Graph& graph, ValueId id) {
  const Node* node = graph.definition(id);
  if (!node || node->op != Op::constant) return nullptr;
  const Tensor& value = std::get<ConstantAttributes>(node->attributes).value;
  return value.elements() == 1 ? &value : nullptr;
}

/// The least and the greatest whole number up to which a loop may count in `dtype` exactly, and so that differences of
/// two do not overflow 64 bits.
std::pair<std::int64_t, std::int64_t> countable(DType dtype) {
  constexpr std::int64_t most = std::int64_t{1} << 60;
  const auto between = [](std::int64_t bits) { return std::pair{-(std::int64_t{1} << bits), std::int64_t{1} << bits}; };
  switch (dtype) {
    case DType::i32:
      return {std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()};
    case DType::u32:
      return {0, std::numeric_limits<std::uint32_t>::max()};
    case DType::i64:
      return {-most, most};
    case DType::bf16:
      return between(8);
    case DType::f32:
      return between(24);
    case DType::f64:
      return between(53);
    default:
      return {0, -1};
  }
}

/// The whole number that `scalar` is; nothing where it is none, or too large to count to.
std::optional<std::int64_t> whole(const Tensor* scalar) {
  if (!scalar || scalar->elements() != 1) return std::nullopt;
  const auto [least, most] = countable(scalar->dtype());
  if (!is_integer(scalar->dtype())) {
    const double value = scalar->item();
    if (!(value >= static_cast<double>(least) && value <= static_cast<double>(most)) || value != std::trunc(value))
      return std::nullopt;
    return static_cast<std::int64_t>(value);
  }
  const std::int64_t value = scalar->converted(DType::i64).span<std::int64_t>()[0];
  return value >= least && value <= most ? std::optional{value} : std::nullopt;
}

bool holds(std::int64_t a, Comparison direction, std::int64_t b) {
  switch (direction) {
    case Comparison::EQ:
      return a == b;
    case Comparison::NE:
      return a != b;
    case Comparison::LT:
      return a < b;
    case Comparison::LE:
      return a <= b;
    case Comparison::GT:
      return a > b;
    default:
      return a >= b;
  }
}

}  // namespace

std::uint64_t hash(const Attributes& attributes) {
  Hasher hasher;
  add(hasher, attributes);
  return hasher.value();
}

std::uint64_t hash(const Graph& graph) {
  Hasher hasher;
  add(hasher, graph);
  return hasher.value();
}

std::int64_t trip_count(const Graph& condition, const Graph& body,
                        const std::function<const Tensor*(std::size_t operand)>& initial_of) {
  const auto index_in = [](const std::vector<ValueId>& ids, ValueId id) {
    return static_cast<std::size_t>(std::ranges::find(ids, id) - ids.begin());
  };
  if (condition.results().empty()) return unknown_trips;
  const ValueId result = condition.results().front();
  if (const Tensor* always = scalar_constant(condition, result)) return always->item() == 0 ? 0 : endless_trips;
  const Node* test = condition.definition(result);
  if (!test || test->op != Op::compare) return unknown_trips;
  const std::size_t states = std::min(body.parameters().size(), body.results().size());
  // What grows or falls is the counter; what it is compared with may be carried, too.
  const auto changes = [&](std::size_t state) {
    return state < states && body.results()[state] != body.parameters()[state];
  };
  std::size_t counter = index_in(condition.parameters(), test->inputs[0]),
              bound = index_in(condition.parameters(), test->inputs[1]);
  Comparison direction = std::get<CompareAttributes>(test->attributes).comparison_direction;
  ValueId against = test->inputs[1];
  if (!changes(counter) && (changes(bound) || counter >= states)) {
    std::swap(counter, bound);
    against = test->inputs[0];
    direction = mirrored(direction);
  }
  if (counter >= states || changes(bound)) return unknown_trips;
  const Tensor *const initial = initial_of(counter), *const limit = bound < states
                                                                        ? initial_of(bound)
                                                                        : scalar_constant(condition, against);
  const std::optional<std::int64_t> from = whole(initial), to = whole(limit);
  if (!from || !to) return unknown_trips;
  if (!holds(*from, direction, *to)) return 0;
  if (!changes(counter)) return endless_trips;

  const Node* next = body.definition(body.results()[counter]);
  if (!next || (next->op != Op::add && next->op != Op::subtract)) return unknown_trips;
  const bool first = next->inputs[0] == body.parameters()[counter];
  if (!first && (next->op == Op::subtract || next->inputs[1] != body.parameters()[counter])) return unknown_trips;
  const std::optional<std::int64_t> step = whole(scalar_constant(body, next->inputs[first ? 1 : 0]));
  if (!step) return unknown_trips;
  const std::int64_t by = next->op == Op::subtract ? -*step : *step;
  if (by == 0) return endless_trips;

  std::int64_t trips = 0;
  if (direction == Comparison::EQ) {  // it left its limit with the first step
    trips = 1;
  } else if (direction == Comparison::NE) {  // it must meet the limit, and there it ends
    if ((*to - *from) % by != 0 || (*to - *from) / by < 0) return unknown_trips;
    trips = (*to - *from) / by;
  } else {
    const bool falls = direction == Comparison::GT || direction == Comparison::GE;
    const bool reaches = direction == Comparison::LE || direction == Comparison::GE;  // the limit counts, too
    // What the type's greatest number, or its least, is compared with so is always met.
    const DType counted = initial->dtype();
    if (reaches && (counted == DType::i32 || counted == DType::u32) &&
        *to == (falls ? countable(counted).first : countable(counted).second))
      return endless_trips;
    const std::int64_t way = (falls ? *from - *to : *to - *from) + (reaches ? 1 : 0), each = falls ? -by : by;
    if (each < 0) return unknown_trips;
    trips = (way + each - 1) / each;
  }
  // A counter that would wrap around, or be rounded, before it reaches the limit runs on.
  const auto [least, most] = countable(initial->dtype());
  const std::int64_t last = *from + trips * by;
  return last < least || last > most ? unknown_trips : trips;
}

std::int64_t trip_count(const Graph& graph, const Node& loop) {
  return trip_count(loop.regions[0], loop.regions[1], [&](std::size_t operand) -> const Tensor* {
    return operand < loop.inputs.size() ? scalar_constant(graph, loop.inputs[operand]) : nullptr;
  });
}

}  // namespace octet
