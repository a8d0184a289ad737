module octet.tpu;
import octet.base;
import octet.graph;
import octet.standard;
import :partition;

namespace octet::tpu {

namespace {

using Dimensions = std::vector<std::int64_t>;  ///< along which each of several values is cut

[[noreturn]] void not_judged(std::string sentence, const Place& place) {
  fail({.number = 410,
        .sentence = std::move(sentence),
        .where = place,
        .fix = {"lower the program for one device, with its share of the batch"}});
}

/// Along which dimension each value of a graph is cut, and how its nodes are computed.
struct Plan {
  Dimensions values;
  std::vector<Cut> nodes;
};

struct Loop {
  Dimensions given, state;  ///< how its state is cut as it is passed in, and in each turn
  Plan condition, body;
  int rounds = 0;
};
using Loops = std::map<const Node*, Loop>;

class Planner {
 public:
  Planner(const Graph& graph, std::int64_t devices, Loops& loops) : graph_{graph}, devices_{devices}, loops_{loops} {}

  /// Results are wanted so where `wanted` says it.
  Plan run(const Dimensions& parameters, const Dimensions& wanted) {
    plan_.values.assign(graph_.values().size(), uncut);
    for (std::size_t i = 0; i < parameters.size(); ++i) value(graph_.parameters()[i]) = parameters[i];
    for (std::size_t n = 0; n < graph_.nodes().size(); ++n) forward(n);
    backward(wanted);
    return std::move(plan_);
  }

 private:
  std::int64_t& value(ValueId id) { return plan_.values[static_cast<std::size_t>(id)]; }
  const Node& node(std::size_t n) const { return graph_.nodes()[n]; }

  void forward(std::size_t n) {
    Dimensions inputs;
    for (const ValueId id : node(n).inputs) inputs.push_back(value(id));
    Cut cut = node(n).op == Op::while_ ? loop(node(n), inputs) : cut_of(graph_, node(n), inputs, devices_);
    for (std::size_t i = 0; i < cut.outputs.size(); ++i) value(node(n).outputs[i]) = cut.outputs[i];
    plan_.nodes.push_back(std::move(cut));
  }

  /// What a turn leaves in parts is in parts in each turn. A body is planned anew where it is given other parts, and no
  /// more than so often, however deep it lies.
  Cut loop(const Node& node, const Dimensions& given) {
    constexpr int most_rounds = 64;
    Loop& loop = loops_[&node];
    if (loop.rounds > 0 && loop.given == given) return {loop.state, loop.state};
    loop.given = loop.state = given;
    for (bool same = false; !same;) {
      if (++loop.rounds > most_rounds)
        not_judged("Which parts of a loop's state each device has, within other loops, is not found.", node.place);
      same = true;
      loop.body = Planner{node.regions[1], devices_, loops_}.run(loop.state, loop.state);
      for (std::size_t i = 0; i < given.size(); ++i) {
        const std::int64_t next = loop.body.values[static_cast<std::size_t>(node.regions[1].results()[i])];
        if (next == loop.state[i]) continue;
        if (loop.state[i] != uncut)
          not_judged("The state of a loop is cut over devices in one turn, and not so in the next.", node.place);
        loop.state[i] = next;
        same = false;
      }
    }
    loop.condition = Planner{node.regions[0], devices_, loops_}.run(loop.state, {uncut});
    return {loop.state, loop.state};
  }

  /// What follows from no parameter that is cut, and is wanted in parts wherever it is used, is made in parts.
  void backward(const Dimensions& wanted) {
    Dimensions wish(graph_.values().size(), unasked);
    const auto want = [&](ValueId id, std::int64_t dimension) {
      std::int64_t& own = wish[static_cast<std::size_t>(id)];
      own = own == unasked || own == dimension ? dimension : uncut;
    };
    for (std::size_t i = 0; i < graph_.results().size(); ++i)
      want(graph_.results()[i], i < wanted.size() ? wanted[i] : value(graph_.results()[i]));
    for (std::size_t n = graph_.nodes().size(); n-- > 0;) {
      if (const std::vector<ValueId>& outputs = node(n).outputs;
          !outputs.empty() && (outputs.size() == 1 || node(n).op == Op::custom_call) && value(outputs.back()) == uncut)
        if (const std::int64_t asked = wish[static_cast<std::size_t>(outputs.back())]; asked >= 0)
          if (auto cut = cut_for(graph_, node(n), asked, devices_)) {
            value(outputs.back()) = asked;
            plan_.nodes[n] = std::move(*cut);
          }
      for (std::size_t i = 0; i < node(n).inputs.size(); ++i) want(node(n).inputs[i], plan_.nodes[n].inputs[i]);
    }
  }

  static constexpr std::int64_t unasked = -2;
  const Graph& graph_;
  std::int64_t devices_;
  Loops& loops_;
  Plan plan_;
};

/// Writes what one device runs.
class Writer {
 public:
  Writer(const Graph& whole, const Plan& plan, const Loops& loops, std::int64_t devices)
      : whole_{whole}, plan_{plan}, loops_{loops}, devices_{devices}, part_{whole.name()} {
    made_.resize(whole.values().size());
  }

  /// With these results cut so: a result that is wanted whole is gathered.
  Graph run(const Dimensions& results) {
    for (const ValueId id : whole_.parameters())
      made_[at(id)][cut(id)] = part_.parameter(type(whole_.type(id), cut(id)), whole_.values()[at(id)].name);
    for (std::size_t n = 0; n < whole_.nodes().size(); ++n) write(n);
    std::vector<ValueId> ids;
    for (std::size_t i = 0; i < whole_.results().size(); ++i) {
      const ValueId id = whole_.results()[i];
      ids.push_back(results[i] == uncut ? whole(id) : as(id, results[i], "a result"));
    }
    part_.set_results(std::move(ids));
    return std::move(part_);
  }

 private:
  static std::size_t at(ValueId id) { return static_cast<std::size_t>(id); }
  std::int64_t cut(ValueId id) const { return plan_.values[at(id)]; }

  TensorType type(TensorType type, std::int64_t dimension) const {
    if (dimension != uncut) type.shape = shape(type.shape, dimension);
    return type;
  }
  Shape shape(const Shape& whole, std::int64_t dimension) const {
    if (dimension == uncut) return whole;
    Dims extents = whole.extents();
    std::int64_t& extent = extents[static_cast<std::size_t>(dimension)];
    if (extent % devices_ != 0)
      not_judged("Dimension " + std::to_string(dimension) + " of " + to_string(whole) + " is cut over " +
                     std::to_string(devices_) + " devices, and their parts would not be equal.",
                 place_);
    extent /= devices_;
    return Shape{extents};
  }

  ValueId one(Op op, std::vector<ValueId> inputs, Attributes attributes = {}) {
    return part_.append(op, std::move(inputs), std::move(attributes), {}, place_).front();
  }
  ValueId spread(ValueId scalar, const Shape& shape) {
    return shape.rank() == 0 ? scalar : one(Op::broadcast_in_dim, {scalar}, BroadcastAttributes{shape, {}});
  }
  /// The number of this device's first element of so many, as `dtype`.
  ValueId first(std::int64_t extent, DType dtype) {
    const ValueId device = one(Op::convert, {one(Op::replica_id, {})}, ResultAttributes{{DType::i32, {}}});
    const ValueId size = part_.constant(Tensor::scalar(static_cast<std::int32_t>(extent)), place_);
    const ValueId begin = one(Op::multiply, {device, size});
    return dtype == DType::i32 ? begin : one(Op::convert, {begin}, ResultAttributes{{dtype, {}}});
  }

  /// A value of the whole program, of which each device then has all.
  ValueId whole(ValueId id) {
    auto& forms = made_[at(id)];
    if (!forms.contains(uncut))
      forms[uncut] = one(Op::all_gather, {forms.at(cut(id))}, AllGatherAttributes{cut(id), all_replicas(devices_)});
    return forms[uncut];
  }

  /// A value of the whole program, cut along `wanted`, as `asking` takes it.
  ValueId as(ValueId id, std::int64_t wanted, const std::string& asking) {
    auto& forms = made_[at(id)];
    if (const auto known = forms.find(wanted); known != forms.end()) return known->second;
    const TensorType& of = whole_.type(id);
    if (cut(id) != uncut)
      not_judged("Each device has a part of " + to_string(of) + ", and " + asking +
                     " needs more of it: the examples of other devices, or another part.",
                 place_);
    const ValueId from = forms.at(uncut);
    std::vector<ValueId> operands{from};
    const Shape local = shape(of.shape, wanted);
    const ValueId zero = part_.constant(Tensor::scalar(std::int32_t{0}), place_);
    for (std::int64_t d = 0; d < of.shape.rank(); ++d)
      operands.push_back(d == wanted ? first(local[d], DType::i32) : zero);
    return forms[wanted] = one(Op::dynamic_slice, std::move(operands), DynamicSliceAttributes{local.extents()});
  }

  void write(std::size_t n) {
    const Node& node = whole_.nodes()[n];
    const Cut& how = plan_.nodes[n];
    place_ = node.place;
    const auto* call = std::get_if<CustomCallAttributes>(&node.attributes);
    const std::string asking = call ? call->call_target_name : "stablehlo." + std::string{name(node.op)};
    if (is_collective(node.op) || node.op == Op::replica_id)
      not_judged("The program leaves it to the compiler what devices share, and has a " + asking + " of its own.",
                 place_);
    if (node.op == Op::dot_general && how.meets)
      for (const ValueId id : node.inputs)
        if (cut(id) == uncut)
          not_judged(
              "Each device has a part of one factor of a dot_general, along what is summed, and all of the other.",
              place_);
    std::vector<ValueId> inputs;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) inputs.push_back(as(node.inputs[i], how.inputs[i], asking));
    if (how.counts) inputs[1] = counted_here(node, how, inputs[1]);
    std::vector<ValueId> outputs;
    if (node.op == Op::while_)
      outputs = loop(node, std::move(inputs));
    else if (node.op == Op::scatter && how.meets)
      outputs = {added_up(node, std::move(inputs))};
    else
      outputs = part_.append(node.op, std::move(inputs), attributes(node, how), node.regions, place_);
    if (how.meets && node.op != Op::scatter)
      for (ValueId& id : outputs)
        id = one(Op::all_reduce, {id}, AllReduceAttributes{all_replicas(devices_), *how.meets});
    if (const auto* iota = std::get_if<IotaAttributes>(&node.attributes);
        iota && how.outputs[0] == iota->iota_dimension) {
      const TensorType& made = part_.type(outputs[0]);
      outputs[0] = one(Op::add, {outputs[0], spread(first(made.shape[iota->iota_dimension], made.dtype), made.shape)});
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) made_[at(node.outputs[i])][how.outputs[i]] = outputs[i];
  }

  /// What says an extent says that of a part.
  Attributes attributes(const Node& node, const Cut& how) const {
    Attributes attributes = node.attributes;
    const std::int64_t d = how.outputs.empty() ? uncut : how.outputs[0];
    if (auto* call = std::get_if<CustomCallAttributes>(&attributes)) {
      for (std::size_t i = 0; i < call->results.size(); ++i) call->results[i] = type(call->results[i], how.outputs[i]);
      if (call->product.size() == 3 && how.inputs != Dimensions(how.inputs.size(), uncut)) call->product[0] /= devices_;
    }
    if (d == uncut && how.inputs == Dimensions(how.inputs.size(), uncut)) return attributes;
    const auto cut_extent = [&](Dims& extents, std::int64_t dimension) {
      if (dimension != uncut) extents[static_cast<std::size_t>(dimension)] /= devices_;
    };
    if (auto* result = std::get_if<ResultAttributes>(&attributes)) result->type = type(result->type, d);
    if (auto* iota = std::get_if<IotaAttributes>(&attributes)) iota->type = type(iota->type, d);
    if (auto* spread = std::get_if<BroadcastAttributes>(&attributes)) spread->shape = shape(spread->shape, d);
    if (auto* slice = std::get_if<SliceAttributes>(&attributes)) cut_extent(slice->limit_indices, d);
    if (auto* slice = std::get_if<DynamicSliceAttributes>(&attributes)) cut_extent(slice->slice_sizes, d);
    if (auto* gather = std::get_if<GatherAttributes>(&attributes); gather && !how.counts)
      cut_extent(gather->slice_sizes, how.inputs[0]);
    return attributes;
  }

  /// Indices whose component counts the examples of all devices, as those of this one.
  ValueId counted_here(const Node& node, const Cut& how, ValueId indices) {
    const auto* gather = std::get_if<GatherAttributes>(&node.attributes);
    const std::int64_t vector =
        gather ? gather->index_vector_dim : std::get<ScatterAttributes>(node.attributes).index_vector_dim;
    const TensorType& of = part_.type(indices);
    Tensor offsets{{of.dtype, {of.shape[vector]}}};
    visit_dtype(of.dtype, [&]<class T>(std::type_identity<T>) {
      offsets.mutable_span<T>()[static_cast<std::size_t>(*how.counts)] = static_cast<T>(1);
    });
    const ValueId component = one(Op::broadcast_in_dim, {part_.constant(std::move(offsets), place_)},
                                  BroadcastAttributes{of.shape, {vector}});
    const ValueId begin = spread(first(of.shape[how.inputs[1]], of.dtype), of.shape);
    return one(Op::subtract, {indices, one(Op::multiply, {component, begin})});
  }

  /// What all devices add to an operand that each has whole: it is added once.
  ValueId added_up(const Node& node, std::vector<ValueId> inputs) {
    const ValueId operand = inputs[0];
    const TensorType& of = part_.type(operand);
    inputs[0] = spread(part_.constant(Tensor{{of.dtype, {}}}, place_), of.shape);
    const ValueId own = one(Op::scatter, std::move(inputs), node.attributes);
    const ValueId sum = one(Op::all_reduce, {own}, AllReduceAttributes{all_replicas(devices_), Reducer::add});
    return is_zero(operand) ? sum : one(Op::add, {operand, sum});
  }
  bool is_zero(ValueId id) const {
    const Node* node = part_.definition(id);
    while (node && node->op == Op::broadcast_in_dim) node = part_.definition(node->inputs[0]);
    const auto* constant = node ? std::get_if<ConstantAttributes>(&node->attributes) : nullptr;
    return constant && constant->value == Tensor{constant->value.type()};
  }

  std::vector<ValueId> loop(const Node& node, std::vector<ValueId> state) {
    const Loop& loop = loops_.at(&node);
    std::vector<Graph> regions;
    regions.push_back(Writer{node.regions[0], loop.condition, loops_, devices_}.run({uncut}));
    regions.push_back(Writer{node.regions[1], loop.body, loops_, devices_}.run(loop.state));
    return part_.append(Op::while_, std::move(state), {}, std::move(regions), place_);
  }

  const Graph& whole_;
  const Plan& plan_;
  const Loops& loops_;
  std::int64_t devices_;
  Graph part_;
  Place place_;
  std::vector<std::map<std::int64_t, ValueId>> made_;  ///< of each value, by the dimension along which it is cut
};

}  // namespace

Graph one_part(const Graph& whole, const std::set<std::size_t>& parted, std::int64_t devices,
               const std::map<std::size_t, bool>& results) {
  Dimensions parameters(whole.parameters().size(), uncut);
  for (const std::size_t i : parted) parameters[i] = 0;
  Loops loops;
  const Plan plan = Planner{whole, devices, loops}.run(parameters, {});
  Dimensions wanted;
  for (std::size_t i = 0; i < whole.results().size(); ++i) {
    wanted.push_back(plan.values[static_cast<std::size_t>(whole.results()[i])]);
    const auto said = results.find(i);
    if (said == results.end()) continue;
    if (said->second && wanted[i] != 0)
      not_judged("Result " + std::to_string(i) +
                     " is said to be cut over devices, and nothing that is cut among the arguments makes it so.",
                 {});
    if (!said->second) wanted[i] = uncut;
  }
  return Writer{whole, plan, loops, devices}.run(wanted);
}

}  // namespace octet::tpu
