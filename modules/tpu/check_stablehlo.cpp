/// A program as text: what a TPU cannot take is looked for line by line before it is read.
module octet.tpu;
import octet.base;
import octet.compile;
import octet.graph;
import octet.standard;
import :check;
import :check_lines;
import :host;
import :readiness;
import :slice;

namespace octet {

namespace {

constexpr std::size_t most_faults = 8;

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

/// Whether a text in quotes, `after` this and before that, is the name of an operation or of what one calls.
bool names(std::string_view after, std::string_view before) {
  const auto ends_with = [&](std::string_view token) {
    after = after.substr(0, after.find_last_not_of(" \t") + 1);
    const bool ends = after.ends_with(token);
    if (ends) after.remove_suffix(token.size());
    return ends;
  };
  if (ends_with("@") || (ends_with("=") && ends_with("call_target_name"))) return true;
  before = before.substr(std::min(before.find_first_not_of(" \t"), before.size()));
  // What stands in brackets is the name of a location: loc("f"("model.py":1:2)).
  return before.starts_with('(') && !(ends_with("(") || ends_with("[") || ends_with(",") || ends_with(" at"));
}

/// A line without what follows `//`, and with nothing between quotes where it names nothing that runs.
std::string code_of(std::string_view line) {
  std::string code;
  for (std::size_t i = 0; i < line.size();) {
    if (line.substr(i).starts_with("//")) break;
    std::size_t end = i + 1;
    if (line[i] == '"') {
      while (end < line.size() && line[end] != '"') end += line[end] == '\\' ? 2 : 1;
      end = std::min(end + 1, line.size());
    }
    const std::string_view part = line.substr(i, end - i);
    const bool is_callback = part.size() > 1 && !code.ends_with('(') &&
                             std::ranges::find(callbacks, part.substr(1, part.size() - 2)) != std::end(callbacks);
    if (line[i] != '"' || is_callback || names(line.substr(0, i), line.substr(end)))
      code += part;
    else
      code += "\"\"";
    i = end;
  }
  return code;
}

/// The first type of `line` with an extent that is not known: `tensor<?x4xf32>`.
std::string_view dynamic_type(std::string_view line) {
  for (std::size_t at = line.find("tensor<"); at != line.npos; at = line.find("tensor<", at + 1)) {
    int depth = 0;
    std::size_t end = at;
    while (end < line.size()) {
      const char c = line[end++];
      depth += c == '<' ? 1 : c == '>' ? -1 : 0;
      if (c == '>' && depth == 0) break;
    }
    const std::string_view type = line.substr(at, end - at);
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
    const std::string line = code_of(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    const Place place{.file = file, .line = ++number, .function = {}};
    const auto has = [&](std::string_view word) { return line.find(word) != line.npos; };
    const std::string dynamic{dynamic_type(line)};
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

/// What the text donates is donated, and what it shards is sharded, besides what the options name.
Readiness check_program(const ProgramText& program, const OneDevice& one, const tpu::Slice& slice,
                        CheckOptions options) {
  for (const auto& [said, names] :
       {std::pair{&program.donated, &options.jit.donated}, {&program.sharded, &options.sharded}})
    for (const std::size_t i : *said) names->push_back(name_of_parameter(program.graph, i));
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
  candidate.alike = one.alike;
  candidate.same_share = one.same_share;
  candidate.same_work = one.same_work;
  candidate.own_parts = one.own_parts;
  candidate.of_one_program = program.partitions > 1 && !program.of_one_device;
  // Of a program that is one for all, the text says of each parameter whether it is cut.
  candidate.shares_known |= candidate.of_one_program;
  Readiness readiness = check(candidate, by_chip ? tpu::megacore(slice) : slice, options);
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
  if (program.of_one_device && meets_in_groups(graph))
    replace(
        readiness, "gradients",
        not_judged("The program of each device reduces along axes of a mesh, one by one, and which devices agree on "
                   "what is not followed."));
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
  OneDevice one;
  if (found.shapes.empty()) {
    try {
      ProgramText read = read_program(text, file);
      if (read.partitions > 1) {
        one = of_one_device(read, file, said);
        read.graph = std::move(one.graph);
      }
      program = std::move(read);
    } catch (const Error& error) {
      faults = error.diagnostics();
    }
  }
  Readiness readiness;
  if (program) {
    readiness = check_program(*program, one, slice, std::move(said));
  } else {
    Candidate candidate;
    candidate.calls.emplace_back();
    candidate.of_one_replica = true;
    candidate.shares_known = false;
    candidate.trace = [&](const Signature&) -> Graph { throw Error{faults}; };
    readiness = check(candidate, slice, options);
  }
  if (CheckLine* shapes = line_of(readiness, "rule_3");
      shapes && shapes->verdict == Verdict::not_judged && !shapes->cure.empty())
    shapes->cure = {"a program in StableHLO has one shape: check one of each length that the data really have"};
  const bool node = options.data && options.data->host == tpu::HostKind::node;
  if (!found.calls_back.empty())
    replace(readiness, "pipeline", with_faults(node ? Verdict::fail : Verdict::warn, found.calls_back));
  if (!found.calls_tensorflow.empty())
    replace(readiness, "pipeline", with_faults(Verdict::fail, found.calls_tensorflow));
  if (!found.halves.empty()) {
    CheckLine line;
    line.verdict = Verdict::fail;
    line.finding = "The program has numbers of f16 (" + to_string(found.halves.front().where) +
                   "), which a TPU has no unit for, and whose numbers end at 65,504.";
    line.cure = {"use bf16: it has the range of f32, and needs no loss scaling"};
    if (program)
      line.evidence.push_back(
          "all else is judged as it would be with bf16 in place of f16, which takes as much memory");
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
