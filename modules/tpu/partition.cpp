module octet.tpu;
import octet.base;
import octet.graph;
import octet.standard;
import :partition;

namespace octet::tpu {

void not_judged(std::string sentence, const Place& place) {
  fail({.number = 410,
        .sentence = std::move(sentence),
        .where = place,
        .fix = {"lower the program for one device, with its share of the batch"}});
}

std::optional<std::int64_t> cut_along(const Dims& parts, std::int64_t devices) {
  std::int64_t along = uncut;
  for (std::size_t d = 0; d < parts.size(); ++d) {
    if (parts[d] == 1) continue;
    if (along != uncut || parts[d] != devices) return std::nullopt;
    along = static_cast<std::int64_t>(d);
  }
  return along;
}

std::optional<Border> border_of(const Node& node, std::int64_t devices) {
  const auto* call = std::get_if<CustomCallAttributes>(&node.attributes);
  if (!call || (call->parts.empty() && !call->call_target_name.starts_with("SPMD"))) return std::nullopt;
  const std::optional<std::int64_t> along = cut_along(call->parts, devices);
  if (!along) not_judged("A value is to be cut into " + to_string(call->parts) + " parts.", node.place);
  const auto kind = call->call_target_name == "Sharding"               ? Border::Kind::asks
                    : call->call_target_name == "SPMDFullToShardShape" ? Border::Kind::enters
                                                                       : Border::Kind::leaves;
  return Border{kind, *along};
}

namespace {

/// Writes what one device runs.
class Writer {
 public:
  Writer(const Graph& whole, const Plan& plan, const Plans& plans, std::int64_t devices)
      : whole_{whole}, plan_{plan}, plans_{plans}, devices_{devices}, part_{whole.name()} {
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
      if (results[i] == uncut)
        ids.push_back(whole(id));
      else if (cut(id) == uncut)
        ids.push_back(as(id, results[i], "a result"));
      else
        ids.push_back(moved(made_[at(id)].at(cut(id)), whole_.type(id).shape, cut(id), results[i]));
    }
    part_.set_results(std::move(ids));
    return std::move(part_);
  }

 private:
  static std::size_t at(ValueId id) { return static_cast<std::size_t>(id); }
  Sharding had(ValueId id) const { return plan_.values[at(id)]; }
  std::int64_t cut(ValueId id) const { return had(id).dimension; }

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
    if (wanted == uncut && !had(id).of_batch) return whole(id);
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
    const bool of_one_device = plans_.of_one_device.contains(&node);
    if ((is_collective(node.op) || node.op == Op::replica_id) && !of_one_device)
      not_judged("The program leaves it to the compiler what devices share, and has a " + asking + " of its own.",
                 place_);
    const auto is_cut = [](std::int64_t d) { return d != uncut; };
    if (of_one_device && (std::ranges::any_of(how.inputs, is_cut) || std::ranges::any_of(how.outputs, is_cut)))
      not_judged("A " + asking + " takes what each device has of its own beside what they share.", place_);
    if (node.op == Op::dot_general && how.meets && !had(node.inputs[0]).of_batch && !had(node.inputs[1]).of_batch &&
        (cut(node.inputs[0]) == uncut || cut(node.inputs[1]) == uncut))
      not_judged("What a dot_general sums is cut over devices, and it is of no batch.", place_);
    std::vector<ValueId> inputs;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) inputs.push_back(as(node.inputs[i], how.inputs[i], asking));
    if (how.counts) inputs[1] = counted_here(node, how, inputs[1]);
    std::vector<ValueId> outputs;
    if (const auto border = border_of(node, devices_))
      outputs = {border->kind == Border::Kind::asks
                     ? moved(inputs[0], whole_.type(node.inputs[0]).shape, how.inputs[0], border->dimension)
                     : inputs[0]};
    else if (node.op == Op::while_)
      outputs = loop(node, std::move(inputs));
    else if (node.op == Op::if_)
      outputs = branches(node, std::move(inputs));
    else if (node.op == Op::scatter && how.meets)
      outputs = {added_up(node, how, std::move(inputs))};
    else
      outputs = part_.append(node.op, std::move(inputs), attributes(node, how), node.regions, place_);
    if (how.meets && node.op != Op::scatter) outputs = {summed(outputs.front(), how)};
    if (const auto* iota = std::get_if<IotaAttributes>(&node.attributes);
        iota && how.outputs[0] == iota->iota_dimension) {
      const TensorType made = part_.type(outputs[0]);
      outputs[0] = one(Op::add, {outputs[0], spread(first(made.shape[iota->iota_dimension], made.dtype), made.shape)});
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) made_[at(node.outputs[i])][how.outputs[i]] = outputs[i];
  }

  /// A value that is cut along `from`, cut along `to`, as the program asks for it: the batch, too.
  ValueId moved(ValueId id, const Shape& whole, std::int64_t from, std::int64_t to) {
    if (from == to) return id;
    if (to == uncut) return one(Op::all_gather, {id}, AllGatherAttributes{from, all_replicas(devices_)});
    shape(whole, to);
    return one(Op::all_to_all, {id}, AllToAllAttributes{to, from, devices_, all_replicas(devices_)});
  }

  /// What says an extent says that of a part.
  Attributes attributes(const Node& node, const Cut& how) const {
    Attributes attributes = node.attributes;
    const std::int64_t d = how.outputs.empty() || how.meets ? uncut : how.outputs[0];
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
    const TensorType of = part_.type(indices);
    Tensor offsets{{of.dtype, {of.shape[vector]}}};
    visit_dtype(of.dtype, [&]<class T>(std::type_identity<T>) {
      offsets.mutable_span<T>()[static_cast<std::size_t>(*how.counts)] = static_cast<T>(1);
    });
    const ValueId component = one(Op::broadcast_in_dim, {part_.constant(std::move(offsets), place_)},
                                  BroadcastAttributes{of.shape, {vector}});
    const ValueId begin = spread(first(of.shape[how.inputs[1]], of.dtype), of.shape);
    return one(Op::subtract, {indices, one(Op::multiply, {component, begin})});
  }

  /// What devices have partial sums of, whole or each device's part of it.
  ValueId summed(ValueId own, const Cut& how) {
    const std::vector<Dims> all = all_replicas(devices_);
    return how.outputs[0] == uncut
               ? one(Op::all_reduce, {own}, AllReduceAttributes{all, *how.meets})
               : one(Op::reduce_scatter, {own}, ReduceScatterAttributes{how.outputs[0], all, *how.meets});
  }

  /// What all devices add to an operand is added to it once.
  ValueId added_up(const Node& node, const Cut& how, std::vector<ValueId> inputs) {
    const ValueId operand = inputs[0];
    const auto& [dtype, shape] = whole_.type(node.inputs[0]);
    inputs[0] = spread(part_.constant(Tensor{{dtype, {}}}, place_), shape);
    const ValueId sum = summed(one(Op::scatter, std::move(inputs), node.attributes), how);
    if (is_zero(operand)) return sum;
    return one(Op::add, {how.inputs[0] == how.outputs[0] ? operand : as(node.inputs[0], how.outputs[0], "a sum"), sum});
  }
  bool is_zero(ValueId id) const {
    const Node* node = part_.definition(id);
    while (node && node->op == Op::broadcast_in_dim) node = part_.definition(node->inputs[0]);
    const auto* constant = node ? std::get_if<ConstantAttributes>(&node->attributes) : nullptr;
    return constant && constant->value == Tensor{constant->value.type()};
  }

  std::vector<ValueId> loop(const Node& node, std::vector<ValueId> state) {
    const Loop& loop = plans_.loops.at(&node);
    std::vector<Graph> regions;
    regions.push_back(Writer{node.regions[0], loop.condition, plans_, devices_}.run({uncut}));
    regions.push_back(Writer{node.regions[1], loop.body, plans_, devices_}.run(dimensions(loop.state)));
    return part_.append(Op::while_, std::move(state), {}, std::move(regions), place_);
  }

  std::vector<ValueId> branches(const Node& node, std::vector<ValueId> inputs) {
    const Branches& branches = plans_.branches.at(&node);
    std::vector<Graph> regions;
    for (std::size_t r = 0; r < node.regions.size(); ++r)
      regions.push_back(Writer{node.regions[r], branches.plans[r], plans_, devices_}.run(dimensions(branches.results)));
    return part_.append(Op::if_, std::move(inputs), {}, std::move(regions), place_);
  }

  const Graph& whole_;
  const Plan& plan_;
  const Plans& plans_;
  std::int64_t devices_;
  Graph part_;
  Place place_;
  std::vector<std::map<std::int64_t, ValueId>> made_;  ///< of each value, by the dimension along which it is cut
};

}  // namespace

Graph one_part(const Graph& whole, const std::map<std::size_t, Sharding>& parameters, std::int64_t devices,
               const std::map<std::size_t, std::int64_t>& results) {
  Shardings given(whole.parameters().size()), asked(whole.results().size(), {unasked});
  for (const auto& [i, part] : parameters) given[i] = part;
  for (const auto& [i, dimension] : results) asked[i] = {dimension};
  Dimensions wanted = dimensions(asked);
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (wanted[i] >= whole.result_types()[i].shape.rank())
      not_judged("Result " + std::to_string(i) + " is said to be cut along a dimension that it has not.", {});
  Plans plans{.of_one_device = nodes_of_one_device(whole, devices)};
  const Plan made = plan(whole, given, asked, devices, plans);
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (wanted[i] == unasked) wanted[i] = made.values[static_cast<std::size_t>(whole.results()[i])].dimension;
  return Writer{whole, made, plans, devices}.run(wanted);
}

}  // namespace octet::tpu
