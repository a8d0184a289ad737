/// A program as text: what a TPU cannot take is looked for line by line before it is read.
module octet.tpu;
import octet.base;
import octet.compile;
import octet.graph;
import octet.standard;
import :check;
import :check_lines;
import :host;
import :partition;
import :readiness;
import :slice;

namespace octet {

namespace {

constexpr std::size_t most_faults = 8;

/// Operations whose result has a shape that values decide.
constexpr std::string_view dynamic_operations[] = {"dynamic_reshape",    "dynamic_broadcast_in_dim", "dynamic_iota",
                                                   "dynamic_pad",        "dynamic_gather",           "dynamic_conv",
                                                   "real_dynamic_slice", "set_dimension_size"};
/// Calls of Python that JAX writes for functions that the host runs, which a TPU waits for, and of TensorFlow's, which
/// no compiled program makes.
constexpr std::string_view callbacks[] = {"xla_python_cpu_callback",
                                          "xla_python_gpu_callback",
                                          "xla_ffi_python_cpu_callback",
                                          "xla_ffi_partitioned_python_cpu_callback",
                                          "xla_ffi_python_gpu_callback",
                                          "xla_ffi_partitioned_python_gpu_callback",
                                          "tf.PyFunc",
                                          "tf.EagerPyFunc",
                                          "CallTfEager"};
bool is_of_jax(std::string_view callback) { return callback.starts_with("xla_"); }

/// A line without what follows `//` and without the texts in quotes that are no operations.
std::string_view code_of(std::string_view line) {
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && (i == 0 || line[i - 1] != '\\')) quoted = !quoted;
    if (!quoted && line.substr(i).starts_with("//")) return line.substr(0, i);
  }
  return line;
}

/// The first type of `line` with an extent that is not known: `tensor<?x4xf32>`.
std::string_view dynamic_type(std::string_view line) {
  for (std::size_t at = line.find("tensor<"); at != line.npos; at = line.find("tensor<", at + 1)) {
    const std::size_t end = line.find('>', at);
    const std::string_view type = line.substr(at, end == line.npos ? line.npos : end - at + 1);
    if (type.find('?') != type.npos) return type;
  }
  return {};
}

struct Scan {
  std::vector<Diagnostic> shapes, calls_back, calls_tensorflow, halves;
  std::size_t inner_calls = 0;
};

Scan scan(std::string_view text, const std::string& file) {
  Scan found;
  unsigned number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = code_of(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    const Place place{.file = file, .line = ++number, .function = {}};
    const auto has = [&](std::string_view word) { return line.find(word) != line.npos; };
    std::string dynamic{dynamic_type(line)};
    for (const std::string_view operation : dynamic_operations)
      if (dynamic.empty() &&
          (has("stablehlo." + std::string{operation} + "\"") || has("stablehlo." + std::string{operation} + " ")))
        dynamic = operation;
    if (!dynamic.empty() && found.shapes.size() < most_faults)
      found.shapes.push_back(
          {.number = 201,
           .sentence = "'" + dynamic + "' has a shape that is not known when the program is compiled.",
           .where = place,
           .fix = {"export the program again for inputs of fixed shapes, padded to a few lengths, with a mask"}});
    for (const std::string_view callback : callbacks)
      if (has(callback) && found.calls_back.size() < most_faults)
        (is_of_jax(callback) ? found.calls_back : found.calls_tensorflow)
            .push_back({.number = 607,
                        .sentence = "'" + std::string{callback} +
                                    (is_of_jax(callback)
                                         ? "' runs Python of the host in each step: on a TPU VM the chips wait for it, "
                                           "and where a TPU node has them it does not run."
                                         : "' calls back into the program that made this text, which no program that "
                                           "is compiled for a TPU does."),
                        .where = place,
                        .fix = {"write what it computes as operations of the program",
                                "compute it beforehand, and pass it as an argument"}});
    if ((has("xf16>") || has("<f16>")) && found.halves.size() < most_faults)
      found.halves.push_back({.number = 402, .sentence = "f16", .where = place});
    if (has("func.call") || has(" call @")) ++found.inner_calls;
  }
  return found;
}

CheckLine* line_of(Readiness& readiness, std::string_view id) {
  for (CheckLine& line : readiness.lines)
    if (line.id == id) return &line;
  return nullptr;
}

void replace(Readiness& readiness, std::string_view id, CheckLine line) {
  CheckLine* old = line_of(readiness, id);
  line.id = old->id;
  line.question = old->question;
  *old = std::move(line);
}

/// The name of a parameter, as options have it.
std::string name_of(const Graph& graph, std::size_t parameter) {
  const std::string& name = graph.values()[static_cast<std::size_t>(graph.parameters()[parameter])].name;
  return name.empty() ? argument_name({}, parameter) : name;
}

[[noreturn]] void not_judged(const ProgramText& program, const std::string& file, std::string sentence,
                             std::vector<std::string> fixes = {}) {
  fixes.emplace_back("lower it for one device, with its share of the batch");
  fail({.number = 410,
        .sentence = std::move(sentence) + ". Of programs that " + std::to_string(program.partitions) +
                    " devices share, Octet judges those that share a batch along its first dimension, and where each "
                    "has of anything else the whole or an equal part along one dimension.",
        .where = {.file = file, .line = 1, .function = {}},
        .fix = std::move(fixes)});
}

std::int64_t cut_along(const ProgramText& program, const std::string& file, const std::string& name,
                       const Dims& parts) {
  const std::optional<std::int64_t> along = tpu::cut_along(parts, program.partitions);
  if (!along) not_judged(program, file, name + " is cut into " + to_string(parts) + " parts");
  return *along;
}

/// A parameter that devices have parts of.
struct CutParameter {
  std::size_t position;
  std::string name;
  std::int64_t dimension, extent;
  bool of_ids;  ///< whether its elements may be token ids: narrow ones may be weights
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
    if (each.dimension == 0 && !updated && named) batch.push_back(each);
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
  if (batch.empty())
    not_judged(program, file,
               "'" + cut.front().name + "' is cut, and no batch is: nothing that is " +
                   (options.batch.empty() ? "not updated" : "named so") + " is cut along its first dimension");
  if (const auto two = other(); two != batch.end())
    not_judged(program, file,
               "'" + batch.front().name + "', of " + std::to_string(batch.front().extent) + " examples, and '" +
                   two->name + "', of " + std::to_string(two->extent) + ", are both cut, so one is not the batch",
               {"say which is: --batch-argument NAME"});
  const CutParameter& first = batch.front();
  if (first.extent % program.partitions != 0)
    fail({.number = 601,
          .sentence = "'" + first.name + "' has " + std::to_string(first.extent) + " examples, which " +
                      std::to_string(program.partitions) + " devices cannot share equally.",
          .where = {.file = file, .line = 1, .function = {}},
          .fix = {"lower the program for a batch that is a multiple of " + std::to_string(program.partitions),
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

/// A program that devices share, as one of them runs it. Throws X410 where it is not known what they share, and X601
/// where the batch cannot be shared equally.
Graph of_one_device(const ProgramText& program, const std::string& file, CheckOptions& options) {
  std::vector<CutParameter> cut;
  const std::vector<TensorType> types = program.graph.parameter_types();
  for (const auto& [position, parts] : program.parts) {
    const std::string name = name_of(program.graph, position);
    const std::int64_t along = cut_along(program, file, "'" + name + "'", parts);
    const std::int64_t extent = types[position].shape[along] * (program.of_one_device ? program.partitions : 1);
    cut.push_back(
        {position, name, along, extent, is_integer(types[position].dtype) && !program.narrow.contains(position)});
  }
  std::map<std::size_t, std::int64_t> results;
  for (const auto& [result, of] : program.result_parts)
    results[result] = cut_along(program, file, "Result " + std::to_string(result), of);
  if (cut.empty()) {
    for_each_node(program.graph, [&](const Node& node) {
      if (const auto border = tpu::border_of(node, program.partitions); border && border->dimension != tpu::uncut)
        not_judged(program, file, "A value within the program is cut, and no parameter");
    });
    return program.of_one_device ? program.graph : tpu::one_part(program.graph, {}, program.partitions, results);
  }
  const std::vector<CutParameter> batch = batch_of(program, file, options, cut);
  std::map<std::size_t, tpu::Sharding> parts;
  for (const CutParameter& each : cut) parts[each.position] = {each.dimension};
  for (const CutParameter& each : batch) parts[each.position].of_batch = true;
  Graph of_one =
      program.of_one_device ? program.graph : tpu::one_part(program.graph, parts, program.partitions, results);
  if (!program.of_one_device && !is_batch(program, options, batch, of_one))
    not_judged(program, file, "'" + batch.front().name + "' is cut along its first dimension, and may be no batch",
               {"say whether it is: --batch-argument NAME"});
  for (const CutParameter& each : cut)
    (parts[each.position].of_batch ? options.batch : options.sharded).push_back(each.name);
  return of_one;
}

/// What the text donates is donated, and what it shards is sharded, besides what the options name.
Readiness check_program(const ProgramText& program, const tpu::Slice& slice, CheckOptions options) {
  for (const auto& [said, names] :
       {std::pair{&program.donated, &options.jit.donated}, {&program.sharded, &options.sharded}})
    for (const std::size_t i : *said) names->push_back(name_of(program.graph, i));
  const Graph& graph = program.graph;
  // Groups say themselves of which replicas they are; a program that devices share says how many it is for.
  const std::int64_t in_groups = program.partitions > 1 ? 0 : named_replicas(graph),
                     devices = in_groups > 0 ? 0 : program.replicas * program.partitions,
                     named = in_groups > 0 ? in_groups
                             : devices > 1 ? devices
                                           : 0;
  // JAX and TensorFlow 2 make a replica for each chip where both of its cores are one device.
  const bool by_chip = slice.chip.megacore && slice.replicas != slice.chips &&
                       (options.by_chip ? named <= slice.chips : named == slice.chips);
  Candidate candidate = candidate_of(graph, options);
  candidate.written_over = program.written_over;
  candidate.unknown = program.unknown;
  candidate.devices = devices > 1 ? devices : 0;
  candidate.of_one_program = program.partitions > 1 && !program.of_one_device;
  Readiness readiness = check(candidate, by_chip ? tpu::megacore(slice) : slice, options);
  if (CheckLine* shapes = line_of(readiness, "rule_3");
      shapes && shapes->verdict == Verdict::not_judged && !shapes->cure.empty())
    shapes->cure = {"a program in StableHLO has one shape: check one of each length that the data really have"};
  if (program.widened) {
    const auto may_change = [&](std::string_view id, std::initializer_list<Verdict> verdicts, const char* to) {
      CheckLine* line = line_of(readiness, id);
      if (std::ranges::count(verdicts, line->verdict) == 0) return;
      line->verdict = Verdict::not_judged;
      line->cure.clear();
      line->evidence.push_back(std::string{"types that Octet does not have are counted as wider ones: "} + to);
    };
    may_change("memory", {Verdict::warn, Verdict::fail}, "it may fit");
    may_change("time", {Verdict::pass}, "it may take less");
    may_change("input", {Verdict::pass, Verdict::warn, Verdict::fail}, "both may take less");
  }
  if (CheckLine* memory = line_of(readiness, "memory"); by_chip)
    memory->evidence.push_back("the program is for a replica on each chip, whose cores are one device (megacore)");
  if (CheckLine* batch = line_of(readiness, "batch"); program.partitions > 1)
    batch->evidence.push_back("the text says that " + counted(static_cast<double>(program.partitions), "device") +
                              " share the program, and of " +
                              counted(static_cast<double>(program.parts.size()), "parameter") +
                              " that each has a part");
  if (CheckLine* memory = line_of(readiness, "memory"); !program.donated.empty())
    memory->evidence.push_back("the text says of " +
                               counted(static_cast<double>(program.donated.size()), "parameter", "parameters") +
                               " that results may take the memory");
  return readiness;
}

}  // namespace

Readiness check_stablehlo(std::string_view text, const std::string& file, const tpu::Slice& slice,
                          const CheckOptions& options) {
  const Scan found = scan(text, file);
  std::vector<Diagnostic> faults = found.shapes;
  std::optional<ProgramText> program;
  CheckOptions said = options;
  if (found.shapes.empty()) {
    try {
      ProgramText read = read_program(text, file);
      if (read.partitions > 1) read.graph = of_one_device(read, file, said);
      program = std::move(read);
    } catch (const Error& error) {
      faults = error.diagnostics();
    }
  }
  Readiness readiness;
  if (program) {
    readiness = check_program(*program, slice, std::move(said));
  } else {
    Candidate candidate;
    candidate.calls.emplace_back();
    candidate.of_one_replica = true;
    candidate.shares_known = false;
    candidate.trace = [&](const Signature&) -> Graph { throw Error{faults}; };
    readiness = check(candidate, slice, options);
  }
  const bool node = options.data && options.data->host == tpu::HostKind::node;
  if (!found.calls_back.empty())
    replace(readiness, "pipeline", with_faults(node ? Verdict::fail : Verdict::warn, found.calls_back));
  if (!found.calls_tensorflow.empty())
    replace(readiness, "pipeline", with_faults(Verdict::fail, found.calls_tensorflow));
  if (!found.halves.empty()) {
    CheckLine line;
    line.verdict = Verdict::fail;
    line.finding = "The program computes in f16 (" + to_string(found.halves.front().where) +
                   "), which a TPU has no unit for, and whose numbers end at 65,504.";
    line.cure = {"use bf16: it has the range of f32, and needs no loss scaling"};
    if (program)
      line.evidence.push_back("all else is judged as it would be with bf16 in place of f16, which takes as much memory");
    replace(readiness, "precision", std::move(line));
  }
  if (CheckLine* inner = line_of(readiness, "inner_jit"); found.inner_calls && inner->verdict != Verdict::warn) {
    inner->evidence.push_back(
        counted(static_cast<double>(found.inner_calls), "call") +
        " of functions of their own, as an inner jit leaves them, became a part of the one program");
  }
  return readiness;
}

}  // namespace octet
