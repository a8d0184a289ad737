/// Devices of a mesh: a program is cut along one of its axes after the other. What is left is a program for the devices
/// of the axes that follow, to which the collectives along those before are operations like any.
module octet.tpu;
import octet.base;
import octet.graph;
import octet.standard;
import :partition;

namespace octet::tpu {

MeshCuts mesh_cuts(const Dims& numbers) {
  MeshCuts cuts;
  for (std::size_t i = 0; i + 2 < numbers.size(); i += 3) cuts.push_back({numbers[i], numbers[i + 1], numbers[i + 2]});
  return cuts;
}

namespace {

/// Calls `function` with the `Sharding`s and borders within a graph.
template <class Function>
void for_each_border(Graph& graph, Function&& function) {
  for (Node& node : graph.parts().nodes) {
    if (border_of(node, {1})) function(std::get<CustomCallAttributes>(node.attributes));
    for (Graph& region : node.regions) for_each_border(region, function);
  }
}

/// Steps within those of `axes` at which a reshape parts what is cut: of 256 examples on eight devices, which become
/// four times 64, a step for each of the four.
void note_parted(const Graph& graph, const std::set<std::int64_t>& axes, std::set<std::int64_t>& steps) {
  const auto note = [&](const Shape& whole, const Shape& parts) {
    for (std::int64_t d = 0, before = 1; d < whole.rank(); before *= whole[d++])
      for (std::int64_t i = 0, passed = 1; i < parts.rank(); passed *= parts[i++]) {
        const std::int64_t count = parts[i];
        if (passed != before || count < 2 || count >= whole[d] || whole[d] % count != 0) continue;
        for (auto from = axes.begin(); std::next(from) != axes.end(); ++from)
          if (const std::int64_t to = *std::next(from); count < to / *from && to / *from % count == 0)
            steps.insert(to / count);
      }
  };
  for (const Node& node : graph.nodes()) {
    for (const Graph& region : node.regions) note_parted(region, axes, steps);
    if (node.op != Op::reshape) continue;
    const Shape &from = graph.type(node.inputs[0]).shape, &to = graph.type(node.outputs[0]).shape;
    note(from, to);
    note(to, from);
  }
}

/// Multiplications of all products; or, where there is none, elements of what is computed one by one, reduced or
/// sorted.
double work_of(const Graph& graph) {
  double products = 0, others = 0;
  const auto add = [&](const auto& again, const Graph& of) -> void {
    for (const Node& node : of.nodes()) {
      for (const Graph& region : node.regions) again(again, region);
      if (node.outputs.empty()) continue;
      auto elements = static_cast<double>(of.type(node.outputs[0]).shape.elements());
      if (is_elementwise(node.op)) others += elements;
      if (node.op == Op::reduce || node.op == Op::sort)
        others += static_cast<double>(of.type(node.inputs[0]).shape.elements());
      if (const auto* call = std::get_if<CustomCallAttributes>(&node.attributes); call && call->product.size() == 3)
        products += static_cast<double>(call->product[0]) * static_cast<double>(call->product[1]) *
                    static_cast<double>(call->product[2]);
      const auto* dot = std::get_if<DotAttributes>(&node.attributes);
      if (!dot) continue;
      for (const std::int64_t d : dot->lhs_contracting_dimensions)
        elements *= static_cast<double>(of.type(node.inputs[0]).shape[d]);
      products += elements;
    }
  };
  add(add, graph);
  return products > 0 ? products : others;
}

class Mesh {
 public:
  Mesh(Graph whole, const std::map<std::size_t, MeshSharding>& parameters, std::int64_t devices,
       const std::map<std::size_t, MeshCuts>& results)
      : whole_{std::move(whole)}, parameters_{parameters}, results_{results}, devices_{devices} {}

  /// Of axes that `finer` parts once more.
  Graph run(const std::set<std::int64_t>& finer, std::int64_t* same_work) {
    find_axes(finer);
    refine();
    const std::vector<Axis> axes = in_order();
    std::int64_t alike = devices_;
    for (const Axis& axis : axes) {
      const double before = same_work ? work_of(whole_) : 0;
      Shardings given(whole_.parameters().size()), asked(whole_.results().size(), {unasked});
      for (const auto& [i, part] : parameters_) {
        const std::int64_t d = cut_along(part.cuts, axis);
        if (d >= 0) given[i] = {d, part.of_batch && d == 0};
      }
      for (const auto& [i, cuts] : results_) asked[i] = {cut_along(cuts, axis)};
      whole_ = part_along(whole_, given, asked, axis);
      if (same_work && (before == 0 || work_of(whole_) < before)) alike /= axis.count;
    }
    if (same_work) *same_work = alike;
    return std::move(whole_);
  }
  std::set<std::int64_t> parted() {
    std::set<std::int64_t> steps;
    find_axes({});
    note_parted(whole_, steps_, steps);
    return steps;
  }

 private:
  template <class Function>
  void for_each(Function&& function) {
    for (auto& [i, part] : parameters_) function(part.cuts);
    for (auto& [i, cuts] : results_) function(cuts);
    for_each_border(whole_, [&](CustomCallAttributes& call) {
      MeshCuts cuts = mesh_cuts(call.parts);
      function(cuts);
      call.parts.clear();
      for (const auto& [dimension, count, stride] : cuts)
        call.parts.insert(call.parts.end(), {dimension, count, stride});
    });
  }

  /// Where the steps from device to device begin and end, from 1 to all devices: axes lie between.
  void find_axes(const std::set<std::int64_t>& finer) {
    steps_ = finer;
    steps_.insert({1, devices_});
    for_each([&](const MeshCuts& cuts) {
      for (const auto& [dimension, count, stride] : cuts)
        if (count > 1) steps_.insert({stride, stride * count});
    });
    for (auto step = steps_.begin(); std::next(step) != steps_.end(); ++step)
      if (*std::next(step) % *step != 0)
        not_judged("Tensors are cut along axes of which no mesh of " + std::to_string(devices_) +
                       " devices is made, for " + std::to_string(*std::next(step)) + " is no multiple of " +
                       std::to_string(*step) + ".",
                   {});
  }

  /// Cuts over several axes become as many.
  void refine() {
    for_each([&](MeshCuts& cuts) {
      MeshCuts finer;
      for (const MeshCut& cut : cuts) {
        if (cut.dimension == uncut) finer.push_back(cut);
        for (std::int64_t end = cut.stride * cut.count; cut.dimension != uncut && end > cut.stride;) {
          const std::int64_t from = *std::prev(steps_.lower_bound(end));
          finer.push_back({cut.dimension, end / from, from});
          end = from;
        }
      }
      cuts = std::move(finer);
    });
  }

  /// Those along which something is cut; of two along one dimension the coarser first, else what cuts the batch.
  std::vector<Axis> in_order() {
    std::map<std::int64_t, std::set<std::int64_t>> before;  // by strides
    std::set<std::int64_t> of_batch;
    for_each([&](const MeshCuts& cuts) {
      for (std::size_t i = 0; i < cuts.size(); ++i) {
        if (cuts[i].dimension == uncut) continue;
        before[cuts[i].stride];
        for (std::size_t j = 0; j < i; ++j)
          if (cuts[j].dimension == cuts[i].dimension) before[cuts[i].stride].insert(cuts[j].stride);
      }
    });
    for (const auto& [i, part] : parameters_)
      for (const MeshCut& cut : part.cuts)
        if (part.of_batch && cut.dimension == 0) of_batch.insert(cut.stride);
    const bool guessed = std::ranges::any_of(parameters_, [](const auto& part) { return part.second.guessed; });
    std::vector<Axis> axes;
    while (!before.empty()) {
      auto next = before.end();
      for (auto axis = before.begin(); axis != before.end(); ++axis)
        if (axis->second.empty() &&
            (next == before.end() || of_batch.contains(axis->first) >= of_batch.contains(next->first)))
          next = axis;
      if (next == before.end())
        not_judged("Dimensions are cut along two axes of a mesh, in one order here and in the other there.", {});
      const std::int64_t stride = next->first;
      axes.push_back({.count = *steps_.upper_bound(stride) / stride,
                      .stride = stride,
                      .devices = devices_,
                      .first = axes.empty(),
                      .last = false,
                      .guessed = guessed});
      before.erase(next);
      for (auto& [axis, others] : before) others.erase(stride);
    }
    if (axes.empty()) axes.push_back({.count = devices_});
    axes.back().last = true;
    return axes;
  }

  Graph whole_;
  std::map<std::size_t, MeshSharding> parameters_;
  std::map<std::size_t, MeshCuts> results_;
  std::int64_t devices_;
  std::set<std::int64_t> steps_;
};

}  // namespace

Graph one_part(const Graph& whole, const std::map<std::size_t, MeshSharding>& parameters, std::int64_t devices,
               const std::map<std::size_t, MeshCuts>& results, std::int64_t* same_work) {
  for (const auto& [i, cuts] : results)
    for (const MeshCut& cut : cuts)
      if (cut.dimension >= whole.result_types()[i].shape.rank())
        not_judged("Result " + std::to_string(i) + " is said to be cut along a dimension that it has not.", {});
  const Mesh mesh{whole, parameters, devices, results};
  try {
    return Mesh{mesh}.run({}, same_work);
  } catch (const Error& fault) {
    const std::set<std::int64_t> finer = Mesh{mesh}.parted();
    if (fault.number() != 410 || finer.empty()) throw;
    try {
      return Mesh{mesh}.run(finer, same_work);
    } catch (const Error&) {
    }
    throw;
  }
}

Graph one_part(const Graph& whole, const std::map<std::size_t, Sharding>& parameters, std::int64_t devices,
               const std::map<std::size_t, std::int64_t>& results) {
  const auto cuts = [&](std::int64_t dimension) {
    return dimension == uncut ? MeshCuts{} : MeshCuts{{dimension, devices, 1}};
  };
  std::map<std::size_t, MeshSharding> given;
  std::map<std::size_t, MeshCuts> asked;
  for (const auto& [i, part] : parameters) given[i] = {cuts(part.dimension), part.of_batch};
  for (const auto& [i, dimension] : results) asked[i] = cuts(dimension);
  return one_part(whole, given, devices, asked);
}

}  // namespace octet::tpu
