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
  bool updated;               ///< or added to what is
  bool named;                 ///< by the options, as of the batch

  /// How many devices have examples of their own, if it is a batch.
  std::int64_t shares() const {
    std::int64_t parts = 1;
    for (const tpu::MeshCut& cut : cuts) parts *= cut.dimension == 0 ? cut.count : 1;
    return parts;
  }
  /// How many examples it has, and which devices have which, if it is a batch.
  std::pair<std::int64_t, tpu::MeshCuts> examples() const {
    std::pair<std::int64_t, tpu::MeshCuts> all{extent, {}};
    std::ranges::copy_if(cuts, std::back_inserter(all.second), [](const auto& cut) { return cut.dimension == 0; });
    return all;
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

/// Of how many devices each two have parts of their own, where all tensors are cut so.
std::int64_t apart(const std::vector<const tpu::MeshCuts*>& tensors, std::int64_t devices) {
  std::set<Dims> found;
  for (std::int64_t device = 0; device < devices; ++device) {
    Dims numbers;
    for (const tpu::MeshCuts* cuts : tensors)
      for (const auto& [dimension, count, stride] : *cuts)
        if (dimension != tpu::uncut) numbers.push_back(device / stride % count);
    found.insert(std::move(numbers));
  }
  return std::ssize(found);
}

/// The batch of a program: of what is cut along its first dimension and not updated, that which the options name; or
/// all, if of one extent and cut over the same devices; or those that token ids are beside.
std::vector<CutParameter> batch_of(const ProgramText& program, const std::string& file, const CheckOptions& options,
                                   const std::vector<CutParameter>& cut) {
  std::vector<CutParameter> batch;
  for (const CutParameter& each : cut) {
    if (each.named && each.shares() == 1 && !each.cuts.empty())
      not_judged(program, file,
                 "'" + each.name + "' is to hold the batch, and is cut along dimension " +
                     std::to_string(each.cuts.front().dimension));
    if (each.shares() > 1 && (options.batch.empty() ? !each.updated : each.named)) batch.push_back(each);
  }
  const auto other = [&] {
    return std::ranges::find_if(batch,
                                [&](const CutParameter& each) { return each.examples() != batch.front().examples(); });
  };
  if (other() != batch.end()) {
    const auto ids = std::ranges::find_if(batch, &CutParameter::of_ids);
    if (ids != batch.end()) {
      const CutParameter of = *ids;
      if (std::ranges::all_of(
              batch, [&](const CutParameter& each) { return !each.of_ids || each.examples() == of.examples(); }))
        std::erase_if(batch, [&](const CutParameter& each) { return each.examples() != of.examples(); });
    }
  }
  if (batch.empty()) return batch;
  if (const auto two = other(); two != batch.end())
    not_judged(program, file,
               batch.front().extent != two->extent
                   ? "'" + batch.front().name + "', of " + std::to_string(batch.front().extent) + " examples, and '" +
                         two->name + "', of " + std::to_string(two->extent) + ", are both cut, so one is not the batch"
                   : "'" + batch.front().name + "' and '" + two->name +
                         "' are cut over different devices, so one is not the batch",
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

/// Whether a parameter may be a weight: a bias, a table, or what only comes second in products.
bool may_be_weight(const Graph& graph, const CutParameter& parameter) {
  if (parameter.rank == 1) return true;
  std::set<ValueId> forms{graph.parameters()[parameter.position]};
  bool second = false;
  for (const Node& node : graph.nodes()) {
    const auto takes = [&](std::size_t i) { return i < node.inputs.size() && forms.contains(node.inputs[i]); };
    if ((node.op == Op::convert || node.op == Op::transpose || node.op == Op::reshape) && takes(0))
      forms.insert(node.outputs[0]);
    second |= node.op == Op::gather && takes(0);
    if (node.op != Op::dot_general) continue;
    if (takes(0)) return false;
    second |= takes(1);
  }
  return second;
}

/// Whether what was taken for the batch, and was not named so, is one: of token ids; or beside what is updated, or of
/// examples of which each device has the results. All else that is cut is updated, or may be a weight.
bool is_batch(const ProgramText& program, const std::vector<CutParameter>& cut, const std::vector<CutParameter>& batch,
              const Graph& of_one) {
  for (const CutParameter& each : cut)
    if (!each.updated && std::ranges::count(batch, each.position, &CutParameter::position) == 0 &&
        (program.of_one_device || !may_be_weight(program.graph, each)))
      return false;
  if (std::ranges::any_of(batch, &CutParameter::of_ids)) return true;
  const auto cuts = batch.front().examples().second;
  if (program.of_one_device) {
    for (const CutParameter& each : cut)
      if (each.updated && std::ranges::any_of(each.cuts, [&](const auto& own) {
            return std::ranges::any_of(cuts, [&](const auto& of) { return of.stride == own.stride; });
          }))
        return false;
    if (!program.written_over.empty() || !program.donated.empty()) return true;
    return std::ranges::any_of(program.result_parts, [&](const auto& part) {
      return std::ranges::any_of(tpu::mesh_cuts(part.second), [&](const auto& own) { return own == cuts.front(); });
    });
  }
  if (!program.written_over.empty() || !program.donated.empty()) return true;
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
                const std::vector<CutParameter>& batch, std::int64_t& same_work) {
  std::map<std::size_t, tpu::MeshSharding> parts;
  for (const CutParameter& each : cut) parts[each.position].cuts = each.cuts;
  for (const CutParameter& each : batch) {
    parts[each.position].of_batch = true;
    parts[each.position].guessed = !each.named;
  }
  std::map<std::size_t, tpu::MeshCuts> results;
  for (const auto& [result, of] : program.result_parts) results[result] = tpu::mesh_cuts(of);
  return tpu::one_part(program.graph, parts, program.partitions, results, &same_work);
}

/// Whether all that is cut is updated; or may be weights of which each device computes with a part on all examples, and
/// gathers none: along each axis some are cut by rows and others by columns, and something is whole that may be the
/// batch.
bool is_tensor_parallel(const ProgramText& program, const std::vector<CutParameter>& cut, const Graph& of_one) {
  bool gathers = false;
  for_each_node(of_one, [&](const Node& node) { gathers |= node.op == Op::all_gather; });
  std::set<std::pair<std::int64_t, std::int64_t>> rows, columns;
  for (const CutParameter& each : cut)
    for (const auto& [dimension, count, stride] : each.cuts) (dimension > 0 ? columns : rows).insert({count, stride});
  if (std::ranges::all_of(cut, &CutParameter::updated)) return true;
  const std::vector<TensorType> types = program.graph.parameter_types();
  bool whole = false;
  for (std::size_t i = 0; i < types.size(); ++i)
    whole |= (types[i].shape.rank() > 1 || (is_integer(types[i].dtype) && types[i].shape.rank() > 0)) &&
             !program.parts.contains(i) && !program.written_over.contains(i) &&
             std::ranges::count(program.donated, i) == 0;
  return whole && !gathers && rows == columns && std::ranges::all_of(cut, [&](const CutParameter& each) {
           return each.updated || may_be_weight(program.graph, each);
         });
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
  const std::vector<TensorType> types = program.graph.parameter_types(), results = program.graph.result_types();
  const std::set<std::size_t> in_updates = added_to_updates(program);
  for (const auto& [position, parts] : program.parts) {
    const Shape& shape = types[position].shape;
    const std::string name = name_of_parameter(program.graph, position);
    const bool donated = std::ranges::count(program.donated, position) > 0;
    cut.push_back({position, name, tpu::mesh_cuts(parts), shape.rank(), shape[0],
                   is_integer(types[position].dtype) && !program.narrow.contains(position),
                   program.written_over.contains(position) || in_updates.contains(position) ||
                       (donated && std::ranges::count(results, types[position]) > 0),
                   !options.batch.empty() && lies_below_any(name, options.batch)});
    if (program.of_one_device) cut.back().extent *= cut.back().shares();
  }
  if (cut.empty())
    for_each_node(program.graph, [&](const Node& node) {
      const auto* call = std::get_if<CustomCallAttributes>(&node.attributes);
      if (call && std::ranges::any_of(tpu::mesh_cuts(call->parts),
                                      [](const tpu::MeshCut& each) { return each.dimension != tpu::uncut; }))
        not_judged(program, file, "A value within the program is cut, and no parameter");
    });
  std::vector<const tpu::MeshCuts*> all_cuts;
  for (const CutParameter& each : cut) all_cuts.push_back(&each.cuts);
  OneDevice one{program.graph};
  one.same_work = program.partitions / apart(all_cuts, program.partitions);
  const bool named = !options.batch.empty();
  std::vector<CutParameter> batch;
  bool found = false;
  std::optional<Error> fault;
  const auto tried = [&](const std::vector<CutParameter>& guess) {
    try {
      if (!program.of_one_device) one.graph = part_with(program, cut, guess, one.same_work);
      batch = guess;
      return true;
    } catch (const Error& error) {
      if (error.number() != 410) throw;
      if (!fault) fault = error;
      return false;
    }
  };
  try {
    batch = batch_of(program, file, options, cut);
  } catch (const Error& error) {
    if (error.number() != 410 || named) throw;
    fault = error;
  }
  if (!fault)
    for (const std::vector<CutParameter>& guess :
         named ? std::vector<std::vector<CutParameter>>{batch} : guesses_of(batch))
      if (!found) found = tried(guess);
  if (named && !found) throw *fault;
  // Of what nobody named: whether it is a batch, or all that is cut are weights.
  if (!named && !cut.empty() && (!found || batch.empty() || !is_batch(program, cut, batch, one.graph))) {
    const std::string name = found && !batch.empty() ? batch.front().name : cut.front().name;
    if (program.of_one_device || !tried({}) || !is_tensor_parallel(program, cut, one.graph)) {
      if (!found) {
        std::vector<Diagnostic> faults = fault->diagnostics();
        std::vector<std::string>& fixes = faults.front().fix;
        if (cut.size() > 1 && std::ranges::none_of(fixes, [](const std::string& fix) {
              return fix.find("--batch-argument") != fix.npos;
            }))
          fixes.insert(fixes.begin(), "say what the batch is: --batch-argument NAME");
        throw Error{std::move(faults)};
      }
      not_judged(program, file, "'" + name + "' is cut, and may be the batch or a weight",
                 {"say what the batch is: --batch-argument NAME"});
    }
  }
  for (const CutParameter& each : cut) {
    const bool shared = std::ranges::count(batch, each.position, &CutParameter::position) > 0;
    if (shared || !each.named) (shared ? options.batch : options.sharded).push_back(each.name);
    if (!shared) one.own_parts &= apart({&each.cuts}, program.partitions) == program.partitions;
  }
  one.alike = program.partitions / (batch.empty() ? 1 : batch.front().shares());
  one.same_share =
      batch.empty() ? program.partitions : program.partitions / apart({&batch.front().cuts}, program.partitions);
  return one;
}

}  // namespace octet
