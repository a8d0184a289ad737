module octet.tpu;
import octet.base;
import octet.graph;
import octet.standard;
import :partition;

namespace octet::tpu {

namespace {

using Dimensions = std::vector<std::int64_t>;  ///< along which each of several values is cut

/// Along which dimension each value of a graph is cut, and how its nodes are computed.
struct Plan {
  Dimensions values;
  std::vector<Cut> nodes;
  std::vector<Dimensions> loops;  ///< of each node that is a loop: its state
};

class Planner {
 public:
  Planner(const Graph& graph, std::int64_t devices) : graph_{graph}, devices_{devices} {}

  /// Results are wanted so where `wanted` says it.
  Plan run(const Dimensions& parameters, const Dimensions& wanted) {
    plan_.values.assign(graph_.values().size(), uncut);
    for (std::size_t i = 0; i < parameters.size(); ++i) value(graph_.parameters()[i]) = parameters[i];
    plan_.loops.resize(graph_.nodes().size());
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
    Cut cut = node(n).op == Op::while_ ? loop(n, inputs) : cut_of(graph_, node(n), inputs, devices_);
    for (std::size_t i = 0; i < cut.outputs.size(); ++i) value(node(n).outputs[i]) = cut.outputs[i];
    plan_.nodes.push_back(std::move(cut));
  }

  /// The state of a loop is cut as its body leaves it, where that is so in each round.
  Cut loop(std::size_t n, Dimensions state) {
    const Graph& body = node(n).regions[1];
    constexpr int most_rounds = 8;
    for (int round = 0;; ++round) {
      const Plan plan = Planner{body, devices_}.run(state, state);
      bool same = true;
      for (std::size_t i = 0; i < state.size(); ++i) {
        const std::int64_t next = plan.values[static_cast<std::size_t>(body.results()[i])];
        if (next == state[i]) continue;
        same = false;
        state[i] = round < most_rounds && state[i] == uncut ? next : uncut;
      }
      if (same || round > 2 * most_rounds) break;
    }
    plan_.loops[n] = state;
    return {state, state};
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
  Plan plan_;
};

/// Writes what one device runs.
class Writer {
 public:
  Writer(const Graph& whole, Plan plan, std::int64_t devices)
      : whole_{whole}, plan_{std::move(plan)}, devices_{devices}, part_{whole.name()} {
    made_.resize(whole.values().size());
  }

  Graph run(const Dimensions& results) {
    for (const ValueId id : whole_.parameters())
      made_[at(id)][cut(id)] = part_.parameter(type(whole_.type(id), cut(id)), whole_.values()[at(id)].name);
    for (std::size_t n = 0; n < whole_.nodes().size(); ++n) write(n);
    std::vector<ValueId> ids;
    for (std::size_t i = 0; i < whole_.results().size(); ++i) {
      const ValueId id = whole_.results()[i];
      ids.push_back(as(id, i < results.size() ? results[i] : cut(id)));
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
      fail({.number = 401,
            .sentence = "Dimension " + std::to_string(dimension) + " of " + to_string(whole) + " is cut into " +
                        std::to_string(devices_) + " parts, and they would not be equal.",
            .where = place_});
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

  /// A value of the whole program, cut along `wanted`.
  ValueId as(ValueId id, std::int64_t wanted) {
    auto& forms = made_[at(id)];
    if (const auto known = forms.find(wanted); known != forms.end()) return known->second;
    const TensorType& of = whole_.type(id);
    if (wanted == uncut)
      return forms[uncut] =
                 one(Op::all_gather, {forms.at(cut(id))}, AllGatherAttributes{cut(id), all_replicas(devices_)});
    const ValueId from = as(id, uncut);
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
    std::vector<ValueId> inputs;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) inputs.push_back(as(node.inputs[i], how.inputs[i]));
    if (how.counts) inputs[1] = counted_here(node, how, inputs[1]);
    std::vector<ValueId> outputs;
    if (node.op == Op::while_)
      outputs = loop(n, std::move(inputs));
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
      if (call->product.size() == 3 && how.inputs != Dimensions(how.inputs.size(), uncut))
        call->product[how.meets ? 2 : 0] /= devices_;
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

  std::vector<ValueId> loop(std::size_t n, std::vector<ValueId> state) {
    const Node& node = whole_.nodes()[n];
    const Dimensions& cuts = plan_.loops[n];
    std::vector<Graph> regions;
    for (std::size_t r = 0; r < node.regions.size(); ++r) {
      const Graph& region = node.regions[r];
      const Dimensions results = r == 0 ? Dimensions(region.results().size(), uncut) : cuts;
      regions.push_back(Writer{region, Planner{region, devices_}.run(cuts, results), devices_}.run(results));
    }
    return part_.append(Op::while_, std::move(state), {}, std::move(regions), place_);
  }

  const Graph& whole_;
  Plan plan_;
  std::int64_t devices_;
  Graph part_;
  Place place_;
  std::vector<std::map<std::int64_t, ValueId>> made_;  ///< of each value, by the dimension along which it is cut
};

}  // namespace

Graph one_part(const Graph& whole, const std::map<std::size_t, std::int64_t>& parted, std::int64_t devices) {
  Dimensions parameters(whole.parameters().size(), uncut);
  for (const auto& [parameter, dimension] : parted) parameters[parameter] = dimension;
  return Writer{whole, Planner{whole, devices}.run(parameters, {}), devices}.run({});
}

}  // namespace octet::tpu
