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

ReplicaGroups groups_along(const Axis& axis) {
  ReplicaGroups groups;
  for (std::int64_t first = 0; first < axis.devices; ++first) {
    if (first / axis.stride % axis.count != 0) continue;
    groups.emplace_back();
    for (std::int64_t i = 0; i < axis.count; ++i) groups.back().push_back(first + i * axis.stride);
  }
  return groups;
}

std::int64_t cut_along(const MeshCuts& cuts, const Axis& axis) {
  const auto cut = std::ranges::find_if(cuts, [&](const MeshCut& each) {
    return each.dimension != uncut && each.count == axis.count && each.stride == axis.stride;
  });
  if (cut != cuts.end()) return cut->dimension;
  return std::ranges::count(cuts, uncut, &MeshCut::dimension) > 0 ? unasked : uncut;
}

std::optional<Border> border_of(const Node& node, const Axis& axis) {
  using enum Border::Kind;
  const auto* call = std::get_if<CustomCallAttributes>(&node.attributes);
  if (!call) return std::nullopt;
  for (const auto& [target, kind] :
       {std::pair{"Sharding", asks}, {"SPMDFullToShardShape", enters}, {"SPMDShardToFullShape", leaves}})
    if (call->call_target_name == target) return Border{kind, cut_along(mesh_cuts(call->parts), axis)};
  return std::nullopt;
}

namespace {

/// Writes what one device runs.
class Writer {
 public:
  Writer(const Graph& whole, const Plan& plan, const Plans& plans, const Axis& axis)
      : whole_{whole}, plan_{plan}, plans_{plans}, axis_{axis}, part_{whole.name()} {
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
    if (extent % axis_.count != 0)
      not_judged("Dimension " + std::to_string(dimension) + " of " + to_string(whole) + " is cut over " +
                     std::to_string(axis_.count) + " devices, and their parts would not be equal.",
                 place_);
    extent /= axis_.count;
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
    const auto number = [&](std::int64_t each) {
      return part_.constant(Tensor::scalar(static_cast<std::int32_t>(each)), place_);
    };
    ValueId device = one(Op::convert, {one(Op::replica_id, {})}, ResultAttributes{{DType::i32, {}}});
    if (axis_.stride > 1) device = one(Op::divide, {device, number(axis_.stride)});
    if (axis_.stride * axis_.count < axis_.devices) device = one(Op::remainder, {device, number(axis_.count)});
    const ValueId begin = one(Op::multiply, {device, number(extent)});
    return dtype == DType::i32 ? begin : one(Op::convert, {begin}, ResultAttributes{{dtype, {}}});
  }

  /// A value of the whole program, of which each device then has all.
  ValueId whole(ValueId id) {
    auto& forms = made_[at(id)];
    if (!forms.contains(uncut))
      forms[uncut] = one(Op::all_gather, {forms.at(cut(id))}, AllGatherAttributes{cut(id), groups_along(axis_)});
    return forms[uncut];
  }

  /// A value of the whole program, cut along `wanted`, as `asking` takes it.
  ValueId as(ValueId id, std::int64_t wanted, const std::string& asking) {
    auto& forms = made_[at(id)];
    if (const auto known = forms.find(wanted); known != forms.end()) return known->second;
    if (wanted == uncut && (!had(id).of_batch || of_axis_before_)) return whole(id);
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
    of_axis_before_ = !axis_.first && is_collective(node.op) && !of_one_device;
    if (axis_.first && (is_collective(node.op) || node.op == Op::replica_id) && !of_one_device)
      not_judged("The program leaves it to the compiler what devices share, and has a " + asking + " of its own.",
                 place_);
    const auto is_cut = [](std::int64_t d) { return d != uncut; };
    if (of_one_device && (std::ranges::any_of(how.inputs, is_cut) || std::ranges::any_of(how.outputs, is_cut)))
      not_judged("A " + asking + " takes what each device has of its own beside what they share.", place_);
    if (node.op == Op::dot_general && how.meets && !had(node.inputs[0]).of_batch && !had(node.inputs[1]).of_batch &&
        (cut(node.inputs[0]) == uncut || cut(node.inputs[1]) == uncut))
      not_judged("What a dot_general sums is cut over devices, and it is of no batch.", place_);
    if (axis_.guessed && takes_as_weights(whole_, node, how, plan_.values))
      fail({.number = 410,
            .sentence = "What is cut along its first dimension is used by a " + asking +
                        " as weights are, and may be no batch.",
            .where = place_,
            .fix = {"say what the batch is: --batch-argument NAME",
                    "lower the program for one device, with its share of the batch"}});
    // Of a batch's devices each gathers what it needs; of others the compiler moves a part of it.
    constexpr Op shifts[] = {Op::slice, Op::pad, Op::concatenate, Op::reverse};
    if (!axis_.of_batch && std::ranges::count(shifts, node.op) > 0 && how.outputs[0] == uncut)
      for (const ValueId id : node.inputs)
        if (cut(id) != uncut)
          not_judged("A " + asking + " moves elements from one device's part of " + to_string(whole_.type(id)) +
                         " to another's.",
                     place_);
    std::vector<ValueId> inputs;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) inputs.push_back(as(node.inputs[i], how.inputs[i], asking));
    if (how.counts) inputs[1] = counted_here(node, how, inputs[1]);
    std::vector<ValueId> outputs;
    if (const auto border = border_of(node, axis_))
      outputs = {crossed(node, how, *border, inputs[0])};
    else if (node.op == Op::constant && how.outputs[0] != uncut)
      outputs = {part_of_splat(node, how.outputs[0])};
    else if (node.op == Op::while_)
      outputs = loop(node, std::move(inputs));
    else if (node.op == Op::if_)
      outputs = branches(node, std::move(inputs));
    else if (of_axis_before_ && node.op == Op::all_reduce)
      outputs = {reduced(node, how, inputs[0])};
    else if (how.picks)
      outputs = {picked(node, how, std::move(inputs))};
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

  ValueId part_of_splat(const Node& node, std::int64_t dimension) {
    const Tensor& value = std::get<ConstantAttributes>(node.attributes).value;
    Tensor scalar{{value.type().dtype, {}}};
    const std::span<std::byte> one = scalar.mutable_bytes();
    std::ranges::copy(value.bytes().first(one.size()), one.begin());
    return spread(part_.constant(std::move(scalar), place_), shape(value.type().shape, dimension));
  }

  /// What goes over a border; the border itself stays for the axes that follow.
  ValueId crossed(const Node& node, const Cut& how, const Border& border, ValueId id) {
    if (border.kind == Border::Kind::asks)
      id = moved(id, whole_.type(node.inputs[0]).shape, how.inputs[0], how.outputs[0]);
    return axis_.last ? id : one(node.op, {id}, attributes(node, how));
  }

  /// A sum over devices of an axis before, of what is a sum over those of this one: over both at once.
  ValueId reduced(const Node& node, const Cut& how, ValueId id) {
    auto reduce = std::get<AllReduceAttributes>(attributes(node, how));
    const Node* inner = part_.definition(id);
    const auto* other = inner ? std::get_if<AllReduceAttributes>(&inner->attributes) : nullptr;
    if (!other || other->reducer != reduce.reducer || other->replica_groups != groups_along(axis_))
      return one(node.op, {id}, std::move(reduce));
    ReplicaGroups groups;
    for (const Dims& group : reduce.replica_groups) {
      if (group.front() / axis_.stride % axis_.count != 0) continue;
      groups.emplace_back();
      for (const std::int64_t device : group)
        for (std::int64_t i = 0; i < axis_.count; ++i) groups.back().push_back(device + i * axis_.stride);
      std::ranges::sort(groups.back());
    }
    reduce.replica_groups = std::move(groups);
    const ValueId own = inner->inputs[0];
    return one(node.op, {own}, std::move(reduce));
  }

  /// A value that is cut along `from`, cut along `to`, as the program asks for it: the batch, too.
  ValueId moved(ValueId id, const Shape& whole, std::int64_t from, std::int64_t to) {
    if (from == to) return id;
    if (to == uncut) return one(Op::all_gather, {id}, AllGatherAttributes{from, groups_along(axis_)});
    shape(whole, to);
    return one(Op::all_to_all, {id}, AllToAllAttributes{to, from, axis_.count, groups_along(axis_)});
  }

  /// What says an extent says that of a part.
  Attributes attributes(const Node& node, const Cut& how) const {
    Attributes attributes = node.attributes;
    const std::int64_t d = how.outputs.empty() || how.meets ? uncut : how.outputs[0];
    if (auto* call = std::get_if<CustomCallAttributes>(&attributes)) {
      for (std::size_t i = 0; i < call->results.size(); ++i) call->results[i] = type(call->results[i], how.outputs[i]);
      if (call->product.size() == 3 && how.inputs != Dimensions(how.inputs.size(), uncut))
        call->product[0] /= axis_.count;
    }
    if (d == uncut && how.inputs == Dimensions(how.inputs.size(), uncut)) return attributes;
    const auto cut_extent = [&](Dims& extents, std::int64_t dimension) {
      if (dimension != uncut) extents[static_cast<std::size_t>(dimension)] /= axis_.count;
    };
    if (auto* result = std::get_if<ResultAttributes>(&attributes)) result->type = type(result->type, d);
    if (auto* iota = std::get_if<IotaAttributes>(&attributes)) iota->type = type(iota->type, d);
    if (auto* spread = std::get_if<BroadcastAttributes>(&attributes)) spread->shape = shape(spread->shape, d);
    if (auto* slice = std::get_if<SliceAttributes>(&attributes)) cut_extent(slice->limit_indices, d);
    if (auto* slice = std::get_if<DynamicSliceAttributes>(&attributes)) cut_extent(slice->slice_sizes, d);
    if (auto* gather = std::get_if<GatherAttributes>(&attributes); gather && !how.counts && !how.picks)
      cut_extent(gather->slice_sizes, how.inputs[0]);
    return attributes;
  }

  /// Indices whose component counts the examples of all devices, as those of this one.
  ValueId counted_here(const Node& node, const Cut& how, ValueId indices) {
    const auto* gather = std::get_if<GatherAttributes>(&node.attributes);
    const std::int64_t vector =
        gather ? gather->index_vector_dim : std::get<ScatterAttributes>(node.attributes).index_vector_dim;
    const TensorType of = part_.type(indices);
    return shifted(indices, vector, *how.counts, first(of.shape[how.inputs[1]], of.dtype));
  }

  /// Rows of a table that are picked from the part of it that a device has, or written to it: of what others have a
  /// gather gives zero, and a scatter writes nothing, for its indices are outside.
  ValueId picked(const Node& node, const Cut& how, std::vector<ValueId> inputs) {
    const auto* gather = std::get_if<GatherAttributes>(&node.attributes);
    const auto* scatter = std::get_if<ScatterAttributes>(&node.attributes);
    const std::int64_t vector = gather ? gather->index_vector_dim : scatter->index_vector_dim;
    const std::int64_t extent = part_.type(inputs[0]).shape[how.inputs[0]];
    const TensorType of = part_.type(inputs[1]);
    const ValueId indices = shifted(inputs[1], vector, *how.picks, first(extent, of.dtype));
    inputs[1] = indices;
    if (scatter) return one(node.op, std::move(inputs), node.attributes);
    const ValueId found = one(node.op, std::move(inputs), attributes(node, how));
    // Which of them this device has, by the component that picks.
    Dims starts(of.shape.extents().size(), 0), limits = of.shape.extents(), lookups = limits;
    if (vector < of.shape.rank()) {
      const auto v = static_cast<std::size_t>(vector);
      starts[v] = *how.picks;
      limits[v] = *how.picks + 1;
      lookups.erase(lookups.begin() + vector);
    }
    ValueId component = one(Op::slice, {indices}, SliceAttributes{starts, limits, Dims(starts.size(), 1)});
    component = one(Op::reshape, {component}, ResultAttributes{{of.dtype, Shape{lookups}}});
    const auto against = [&](std::int64_t number, Comparison direction) {
      Tensor scalar{{of.dtype, {}}};
      visit_dtype(of.dtype,
                  [&]<class T>(std::type_identity<T>) { scalar.mutable_span<T>()[0] = static_cast<T>(number); });
      return one(Op::compare, {component, spread(part_.constant(std::move(scalar), place_), Shape{lookups})},
                 CompareAttributes{direction});
    };
    const ValueId own = one(Op::and_, {against(0, Comparison::GE), against(extent, Comparison::LT)});
    const TensorType type = part_.type(found);
    Dims batch;
    for (std::int64_t d = 0; d < type.shape.rank(); ++d)
      if (std::ranges::find(gather->offset_dims, d) == gather->offset_dims.end()) batch.push_back(d);
    const ValueId mask = one(Op::broadcast_in_dim, {own}, BroadcastAttributes{type.shape, batch});
    return one(Op::select, {mask, found, spread(part_.constant(Tensor{{type.dtype, {}}}, place_), type.shape)});
  }

  /// Indices less `begin` in one component.
  ValueId shifted(ValueId indices, std::int64_t vector, std::int64_t component, ValueId begin) {
    const TensorType of = part_.type(indices);
    if (vector == of.shape.rank()) return one(Op::subtract, {indices, spread(begin, of.shape)});
    Tensor offsets{{of.dtype, {of.shape[vector]}}};
    visit_dtype(of.dtype, [&]<class T>(std::type_identity<T>) {
      offsets.mutable_span<T>()[static_cast<std::size_t>(component)] = static_cast<T>(1);
    });
    const ValueId which = one(Op::broadcast_in_dim, {part_.constant(std::move(offsets), place_)},
                              BroadcastAttributes{of.shape, {vector}});
    return one(Op::subtract, {indices, one(Op::multiply, {which, spread(begin, of.shape)})});
  }

  /// What devices have partial sums of, whole or each device's part of it.
  ValueId summed(ValueId own, const Cut& how) {
    const std::vector<Dims> all = groups_along(axis_);
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
    regions.push_back(Writer{node.regions[0], loop.condition, plans_, axis_}.run({uncut}));
    regions.push_back(Writer{node.regions[1], loop.body, plans_, axis_}.run(dimensions(loop.state)));
    return part_.append(Op::while_, std::move(state), {}, std::move(regions), place_);
  }

  std::vector<ValueId> branches(const Node& node, std::vector<ValueId> inputs) {
    const Branches& branches = plans_.branches.at(&node);
    std::vector<Graph> regions;
    for (std::size_t r = 0; r < node.regions.size(); ++r)
      regions.push_back(Writer{node.regions[r], branches.plans[r], plans_, axis_}.run(dimensions(branches.results)));
    return part_.append(Op::if_, std::move(inputs), {}, std::move(regions), place_);
  }

  const Graph& whole_;
  const Plan& plan_;
  const Plans& plans_;
  Axis axis_;
  Graph part_;
  Place place_;
  bool of_axis_before_ = false;                        ///< whether what is written is a collective along another axis
  std::vector<std::map<std::int64_t, ValueId>> made_;  ///< of each value, by the dimension along which it is cut
};

}  // namespace

Graph part_along(const Graph& whole, const Shardings& parameters, const Shardings& results, Axis axis) {
  axis.of_batch = std::ranges::any_of(parameters, &Sharding::of_batch);
  Plans plans;
  plans.of_one_device = nodes_of_one_device(whole, axis);
  const Plan made = plan(whole, parameters, results, axis, plans);
  Dimensions wanted = dimensions(results);
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (wanted[i] == unasked) wanted[i] = made.values[static_cast<std::size_t>(whole.results()[i])].dimension;
  return Writer{whole, made, plans, axis}.run(wanted);
}

}  // namespace octet::tpu
