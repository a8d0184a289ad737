/// The order of the checklist, and what its lines share.
module;
#include <cstdio>
module octet.tpu;
import octet.base;
import octet.compile;
import octet.graph;
import octet.standard;
import :check;
import :check_lines;
import :readiness;
import :slice;

namespace octet {

namespace {

struct Row {
  CheckItem item;
  Judge judge;
};

constexpr Row rows[] = {
    {{"rule_1", "no branch depends on a tensor's value", "XLA compiles the program before any value exists."},
     judge_rule_1},
    {{"rule_2", "no shape depends on a tensor's values", "XLA allocates every buffer before the program runs."},
     judge_rule_2},
    {{"rule_3", "inputs come in few shapes", "Each new shape is compiled anew, which takes longer than many steps."},
     judge_rule_3},
    {{"compiles", "the program compiles on this machine",
      "What a compiler of static programs refuses here, XLA refuses there."},
     judge_compiles},
    {{"data", "the data lie where the TPU's hosts can read them",
      "On a TPU node, what feeds the chips runs on another machine."},
     judge_data},
    {{"pipeline", "the input pipeline needs no program beside it",
      "On a TPU node, the program is not where the pipeline runs."},
     judge_pipeline},
    {{"scope", "model and state are made for all replicas", "What is made for one replica, the others do not have."},
     judge_scope},
    {{"inner_jit", "nothing inside is compiled by itself",
      "A TPU's program is compiled whole; what ran while it was traced is frozen in it."},
     judge_inner_jit},
    {{"batch", "replicas share the batch equally", "All replicas run one program of static shapes."}, judge_batch},
    {{"gradients", "updates are the same on all replicas", "Replicas that update by their own gradients drift apart."},
     judge_gradients},
    {{"memory", "it fits into a replica's memory", "A replica has the memory of its core or chip, and none behind it."},
     judge_memory},
    {{"matrix_unit", "the matrix unit works on data, not on padding", "It works in tiles: 10 rows cost what 16 cost."},
     judge_matrix_unit},
    {{"precision", "numbers survive bf16", "bf16 has the range of f32 and 8 bits of precision."}, judge_precision},
    {{"time", "a step is long enough to keep the chips busy", "An operation takes time to begin, however small it is."},
     judge_time},
    {{"input", "the input keeps up with the chips", "The matrix unit is so fast that the input may decide."},
     judge_input},
};

constexpr auto items = [] {
  std::array<CheckItem, std::size(rows)> result{};
  for (std::size_t i = 0; i < std::size(rows); ++i) result[i] = rows[i].item;
  return result;
}();

}  // namespace

std::span<const CheckItem> checklist() { return items; }

Readiness check(const Candidate& candidate, const tpu::Slice& slice, const CheckOptions& options) {
  if (candidate.calls.empty())
    fail({.number = 709,
          .sentence = "A check needs at least one call to judge the program by, and there is none.",
          .fix = {"give the arguments of a call, as a std::tuple, or of several calls of different shapes"}});
  tpu::require_made(slice);
  Checked what = checked(candidate, slice, options);
  what.recompute_seconds = recompute_seconds(what, options.activations);
  Readiness readiness{.program = options.jit.name, .slice = slice.name, .lines = {}};
  for (const Row& row : rows) {
    CheckLine line;
    try {
      line = row.judge(what);
    } catch (const Error& error) {
      line = with_faults(Verdict::fail, error.diagnostics());
    }
    line.id = row.item.id;
    line.question = row.item.question;
    if (!line.faults.empty())
      line.faults = Error{std::move(line.faults)}.diagnostics();  // completed from the catalogue
    readiness.lines.push_back(std::move(line));
  }
  return readiness;
}

namespace {

/// Whether parameter `i` of those below `batch` is the same on all replicas: a scalar, or a key of random numbers
/// beside arrays of examples. What is named itself is what it is called.
bool has_no_share(const Signature& call, std::size_t i, const std::vector<std::string>& batch) {
  if (std::ranges::count(batch, call.names[i]) > 0) return false;
  const Shape& shape = call.types[i].shape;
  if (shape.rank() == 0) return true;
  const bool key = call.types[i].dtype == DType::u32 && (shape == Shape{2} || shape == Shape{4});
  if (!key) return false;
  for (std::size_t other = 0; other < call.names.size(); ++other) {
    const Shape& beside = call.types[other].shape;
    if (lies_below_any(call.names[other], batch) && beside.rank() > 0 && beside[0] != shape[0]) return true;
  }
  return false;
}

}  // namespace

Candidate candidate_of(const Graph& program, const CheckOptions& options) {
  Candidate candidate;
  Signature call;
  for (std::size_t i = 0; i < program.parameters().size(); ++i) {
    const Value& value = program.values()[static_cast<std::size_t>(program.parameters()[i])];
    call.names.push_back(value.name.empty() ? argument_name({}, i) : value.name);
    call.types.push_back(value.type);
  }
  for (std::size_t i = 0; i < call.names.size(); ++i)
    if (!lies_below_any(call.names[i], options.batch) || has_no_share(call, i, options.batch))
      call.replicated.push_back(call.names[i]);
  for (const auto& [arguments, role] : {std::pair{&options.batch, "hold the batch"},
                                        {&options.sharded, "be sharded"},
                                        {&options.jit.donated, "be donated"}})
    for (const std::string& argument : *arguments)
      if (std::none_of(call.names.begin(), call.names.end(),
                       [&](const std::string& name) { return lies_below(name, argument); })) {
        std::vector<std::string> names;  // of many parameters, their structures
        for (const std::string& name : call.names)
          if (std::string whole = call.names.size() > 8 ? name.substr(0, name.find_first_of(".[")) : name;
              std::ranges::count(names, whole) == 0)
            names.push_back(std::move(whole));
        std::string known;
        for (std::size_t i = 0; i < std::min<std::size_t>(8, names.size()); ++i) known += (i ? ", " : "") + names[i];
        fail({.number = 709,
              .sentence = "'" + argument + "' is to " + role + ", and no parameter of the program is called that.",
              .fix = {call.names.empty() ? "leave it out: the program has no parameters"
                                         : "name one of " + known + (names.size() > 8 ? ", ..." : "")}});
      }
  for (const std::string& name : call.names)
    if (lies_below_any(name, options.batch) && lies_below_any(name, options.sharded))
      fail({.number = 709,
            .sentence = "'" + name + "' is to hold the batch and to be sharded, and it can be one of the two.",
            .fix = {"name it as what changes from step to step, or as what a replica keeps"}});
  candidate.calls = {call};
  candidate.of_one_replica = true;
  candidate.shares_known = !options.batch.empty();
  candidate.trace = [&](const Signature&) { return program; };
  return candidate;
}

Readiness check(const Graph& program, const tpu::Slice& slice, const CheckOptions& options) {
  return check(candidate_of(program, options), slice, options);
}

CheckLine not_judged(std::string reason, std::vector<std::string> cure) {
  CheckLine line;
  line.finding = std::move(reason);
  line.cure = std::move(cure);
  return line;
}

CheckLine with_faults(Verdict verdict, std::vector<Diagnostic> faults) {
  CheckLine line;
  line.verdict = verdict;
  line.finding = faults.front().sentence;
  for (const Diagnostic& fault : faults)
    for (const std::string& fix : fault.fix)
      if (std::find(line.cure.begin(), line.cure.end(), fix) == line.cure.end() && line.cure.size() < 5)
        line.cure.push_back(fix);
  if (line.cure.empty()) line.cure.emplace_back(catalogue_entry(faults.front().number).cure);
  line.faults = std::move(faults);
  return line;
}

CheckLine not_traced(const Checked& checked) {
  const int number = checked.trace_faults.empty() ? 0 : checked.trace_faults.front().number;
  return not_judged("The program could not be traced" +
                    (number ? " (" + diagnostic_name(number) + ")" : std::string{}) +
                    ": once that is mended, this can be judged.");
}

std::string number_text(double number) {
  char digits[400];
  std::snprintf(digits, sizeof digits, "%.0f", number);
  std::string text = digits;
  for (std::size_t at = text.size(); at > 3 + (text[0] == '-' ? 1u : 0u);) text.insert(at -= 3, ",");
  return text;
}

std::string counted(double number, const std::string& one, const std::string& many) {
  return number_text(number) + " " + (number == 1 ? one : many.empty() ? one + "s" : many);
}

namespace {

/// Three digits of `number` and so many more.
std::string three_digits(double number, int more = 0) {
  char text[32];
  const double size = std::fabs(number);
  std::snprintf(text, sizeof text, "%.*f", more + (size >= 100 ? 0 : size >= 10 ? 1 : 2), number);
  return text;
}

std::string bytes_with(double bytes, int more) {
  const double size = std::fabs(bytes);
  if (size >= 1e9) return three_digits(bytes / 1e9, more) + " GB";
  if (size >= 1e6) return three_digits(bytes / 1e6, more) + " MB";
  if (size >= 1e3) return three_digits(bytes / 1e3, more) + " KB";
  return counted(bytes, "byte");
}

}  // namespace

std::string bytes_text(double bytes) { return bytes_with(bytes, 0); }

std::string bytes_text_beside(double other, double bytes) {
  int more = 0;
  while (more < 9 && bytes != other && bytes_with(bytes, more) == bytes_with(other, more)) ++more;
  return bytes_with(bytes, more);
}

std::string seconds_text(double seconds) {
  const double size = std::fabs(seconds);
  if (size >= 1) return three_digits(seconds) + " s";
  if (size >= 1e-3) return three_digits(seconds * 1e3) + " ms";
  return three_digits(seconds * 1e6) + " µs";
}

std::string percent_text(double share) {
  char text[32];
  const bool nearly_all = share >= 0.995 && share < 1;  // which 100 % would not be true of
  std::snprintf(text, sizeof text, "%.*f %%", (share > 0 && share < 0.1) || nearly_all ? 1 : 0,
                nearly_all ? std::min(100 * share, 99.9) : 100 * share);
  return text;
}

}  // namespace octet
