/// A program as text that devices share: which of its parameters are the batch, and what one device runs.
module octet.tpu;
import octet.base;
import octet.compile;
import octet.graph;
import octet.standard;
import :check;
import :check_lines;
import :collective;
import :partition;

namespace octet {

namespace {

[[noreturn]] void not_judged(const ProgramText& program, const std::string& file, std::string sentence,
                             std::vector<std::string> fixes = {}) {
  fixes.emplace_back("lower it for one device, with its share of the batch");
  fail({.number = 410,
        .sentence = std::move(sentence) + ". Of programs that " + std::to_string(program.partitions) +
                    " devices share, Octet judges those whose tensors are cut into equal parts along the axes of one "
                    "mesh, and whose batch is cut along its first dimension.",
        .where = {.file = file, .line = 1, .function = {}},
        .fix = std::move(fixes)});
}

/// A parameter that devices have parts of.
struct CutParameter {
  std::size_t position;
  std::string name;
  tpu::MeshCuts cuts;
  std::int64_t rank, extent;  ///< of the first dimension, of all devices
  bool of_ids;                ///< whether its elements may be token ids: narrow ones may be weights

  /// How many devices have examples of their own, if it is a batch.
  std::int64_t shares() const {
    std::int64_t parts = 1;
    for (const tpu::MeshCut& cut : cuts) parts *= cut.dimension == 0 ? cut.count : 1;
    return parts;
  }
};

/// Parameters whose elements go, one by one, into the next values of what is updated, as gradients do.
std::set<std::size_t> added_to_updates(const ProgramText& program) {
  const Graph& graph = program.graph;
  std::vector<std::set<std::size_t>> from(graph.values().size());
  const auto at = [&](ValueId id) -> std::set<std::size_t>& { return from[static_cast<std::size_t>(id)]; };
  for (std::size_t i = 0; i < graph.parameters().size(); ++i) at(graph.parameters()[i]).insert(i);
  for (const Node& node : graph.nodes())
    if (is_elementwise(node.op) && node.outputs.size() == 1)
      for (const ValueId id : node.inputs)
        if (graph.type(id).shape == graph.type(node.outputs[0]).shape)
          at(node.outputs[0]).insert(at(id).begin(), at(id).end());
  std::set<std::size_t> found;
  for (const auto& [parameter, result] : program.written_over) found.merge(std::set{at(graph.results()[result])});
  return found;
}

/// The batch of a program: of what is cut along its first dimension and not updated, that which the options name; or
/// all of one extent; or those of the extent that token ids have.
std::vector<CutParameter> batch_of(const ProgramText& program, const std::string& file, const CheckOptions& options,
                                   const std::vector<CutParameter>& cut) {
  const std::vector<TensorType> results = program.graph.result_types();
  const std::set<std::size_t> in_updates = added_to_updates(program);
  std::vector<CutParameter> batch;
  for (const CutParameter& each : cut) {
    const bool donated = std::ranges::count(program.donated, each.position) > 0;
    const bool updated = program.written_over.contains(each.position) || in_updates.contains(each.position) ||
                         (donated && std::ranges::count(results, program.graph.parameter_types()[each.position]) > 0);
    const bool named = options.batch.empty() || lies_below_any(each.name, options.batch);
    if (each.shares() > 1 && !updated && named) batch.push_back(each);
  }
  const auto other = [&] {
    return std::ranges::find_if(batch, [&](const CutParameter& each) { return each.extent != batch.front().extent; });
  };
  if (other() != batch.end()) {
    std::set<std::int64_t> extents;
    for (const CutParameter& each : batch)
      if (each.of_ids) extents.insert(each.extent);
    if (extents.size() == 1)
      std::erase_if(batch, [&](const CutParameter& each) { return each.extent != *extents.begin(); });
  }
  if (batch.empty()) return batch;
  if (const auto two = other(); two != batch.end())
    not_judged(program, file,
               "'" + batch.front().name + "', of " + std::to_string(batch.front().extent) + " examples, and '" +
                   two->name + "', of " + std::to_string(two->extent) + ", are both cut, so one is not the batch",
               {"say which is: --batch-argument NAME"});
  const CutParameter& first = batch.front();
  if (first.extent % first.shares() != 0)
    fail({.number = 601,
          .sentence = "'" + first.name + "' has " + std::to_string(first.extent) + " examples, which " +
                      std::to_string(first.shares()) + " devices cannot share equally.",
          .where = {.file = file, .line = 1, .function = {}},
          .fix = {"lower the program for a batch that is a multiple of " + std::to_string(first.shares()),
                  "pad the batch to one, with weight zero for what is added"}});
  return batch;
}

/// Whether what was taken for the batch is one: named so, of token ids, or beside what is updated; or each device has
/// results of its own examples. Weights that an inference has parts of give none.
bool is_batch(const ProgramText& program, const CheckOptions& options, const std::vector<CutParameter>& batch,
              const Graph& of_one) {
  if (!options.batch.empty() || !program.written_over.empty() || !program.donated.empty()) return true;
  if (std::ranges::any_of(batch, &CutParameter::of_ids)) return true;
  const std::vector<TensorType> whole = program.graph.result_types(), own = of_one.result_types();
  for (std::size_t r = 0; r < own.size(); ++r)
    if (own[r].shape.rank() > 0 && own[r].shape[0] != whole[r].shape[0]) return true;
  return false;
}

/// What of `batch` it may be, where an operation needs parts of it that a batch keeps apart: token ids, or what is no
/// bias. All of it first.
std::vector<std::vector<CutParameter>> guesses_of(const std::vector<CutParameter>& batch) {
  std::vector<std::vector<CutParameter>> guesses{batch};
  for (const bool of_ids : {true, false}) {
    std::vector<CutParameter> some;
    std::ranges::copy_if(batch, std::back_inserter(some),
                         [&](const CutParameter& each) { return of_ids ? each.of_ids : each.rank > 1; });
    if (!some.empty() && some.size() < batch.size()) guesses.push_back(std::move(some));
  }
  return guesses;
}

/// One device's part, with that batch.
Graph part_with(const ProgramText& program, const std::vector<CutParameter>& cut,
                const std::vector<CutParameter>& batch) {
  std::map<std::size_t, tpu::MeshSharding> parts;
  for (const CutParameter& each : cut) parts[each.position].cuts = each.cuts;
  for (const CutParameter& each : batch) parts[each.position].of_batch = true;
  std::map<std::size_t, tpu::MeshCuts> results;
  for (const auto& [result, of] : program.result_parts) results[result] = tpu::mesh_cuts(of);
  return tpu::one_part(program.graph, parts, program.partitions, results);
}

/// Whether weights are cut so that each device computes with a part of them on all examples, and gathers none: whatever
/// is cut by rows, something is cut by columns along the same axis.
bool is_tensor_parallel(const std::vector<CutParameter>& cut, const Graph& of_one) {
  bool gathers = false;
  for_each_node(of_one, [&](const Node& node) { gathers |= node.op == Op::all_gather; });
  std::set<std::pair<std::int64_t, std::int64_t>> rows, columns;
  for (const CutParameter& each : cut)
    for (const auto& [dimension, count, stride] : each.cuts) (dimension > 0 ? columns : rows).insert({count, stride});
  return !gathers && std::ranges::includes(columns, rows);
}

}  // namespace

std::string name_of_parameter(const Graph& graph, std::size_t parameter) {
  const std::string& name = graph.values()[static_cast<std::size_t>(graph.parameters()[parameter])].name;
  return name.empty() ? argument_name({}, parameter) : name;
}

bool meets_in_groups(const Graph& graph) {
  bool found = false;
  for_each_node(graph, [&](const Node& node) { found |= is_collective(node.op) && tpu::groups_of(node).size() > 1; });
  return found;
}

OneDevice of_one_device(const ProgramText& program, const std::string& file, CheckOptions& options) {
  std::vector<CutParameter> cut;
  const std::vector<TensorType> types = program.graph.parameter_types();
  for (const auto& [position, parts] : program.parts) {
    const Shape& shape = types[position].shape;
    cut.push_back({position, name_of_parameter(program.graph, position), tpu::mesh_cuts(parts), shape.rank(), shape[0],
                   is_integer(types[position].dtype) && !program.narrow.contains(position)});
    if (program.of_one_device) cut.back().extent *= cut.back().shares();
  }
  if (cut.empty())
    for_each_node(program.graph, [&](const Node& node) {
      const auto* call = std::get_if<CustomCallAttributes>(&node.attributes);
      if (call && std::ranges::any_of(tpu::mesh_cuts(call->parts),
                                      [](const tpu::MeshCut& each) { return each.dimension != tpu::uncut; }))
        not_judged(program, file, "A value within the program is cut, and no parameter");
    });
  std::vector<CutParameter> batch;
  std::optional<Graph> of_one;
  std::optional<Error> fault, unclear;
  try {
    batch = batch_of(program, file, options, cut);
  } catch (const Error& error) {
    if (error.number() != 410) throw;
    unclear = error;
  }
  for (const std::vector<CutParameter>& guess : guesses_of(batch)) {
    if (of_one) break;
    try {
      of_one = program.of_one_device ? program.graph : part_with(program, cut, guess);
      batch = guess;
    } catch (const Error& error) {
      if (!fault) fault = error;
    }
  }
  if (!of_one) throw unclear ? *unclear : *fault;
  if (unclear && (program.of_one_device || !is_tensor_parallel(cut, *of_one))) throw *unclear;
  if (!batch.empty() && !program.of_one_device && !is_batch(program, options, batch, *of_one)) {
    const std::string name = batch.front().name;
    batch.clear();
    try {
      of_one = part_with(program, cut, batch);
    } catch (const Error&) {
      of_one.reset();
    }
    if (!of_one || !is_tensor_parallel(cut, *of_one))
      not_judged(program, file, "'" + name + "' is cut along its first dimension, and may be no batch",
                 {"say whether it is: --batch-argument NAME"});
  }
  for (const CutParameter& each : cut) {
    const bool shared = std::ranges::count(batch, each.position, &CutParameter::position) > 0;
    (shared ? options.batch : options.sharded).push_back(each.name);
  }
  return {std::move(*of_one), program.partitions / (batch.empty() ? 1 : batch.front().shares())};
}

}  // namespace octet
