/// Rules 1 and 2, compiling, and what is compiled inside.
module octet.tpu;
import octet.base;
import octet.compile;
import octet.graph;
import octet.standard;
import :check;
import :check_lines;
import :readiness;

namespace octet {

namespace {

std::vector<Diagnostic> of_hundred(const std::vector<Diagnostic>& faults, int hundred) {
  std::vector<Diagnostic> result;
  std::copy_if(faults.begin(), faults.end(), std::back_inserter(result),
               [&](const Diagnostic& fault) { return fault.number / 100 == hundred; });
  return result;
}

/// `2 select, 1 while` of the operations that `wanted` names.
std::string operations_text(const Graph& graph, const std::vector<Op>& wanted) {
  std::map<Op, int> counts;
  for_each_node(graph, [&](const Node& node) { ++counts[node.op]; });
  std::string text;
  for (const Op op : wanted)
    if (counts[op]) text += (text.empty() ? "" : ", ") + std::to_string(counts[op]) + " " + std::string{name(op)};
  return text;
}

std::string constant_text(const Node& node) {
  return "constant " + to_string(std::get<ConstantAttributes>(node.attributes).value.type()) +
         (node.place.known() ? " at " + to_string(node.place) : "");
}

bool all_equal(const Tensor& tensor) {
  const std::size_t size = size_of(tensor.dtype());
  const auto bytes = tensor.bytes();
  for (std::size_t at = size; at < bytes.size(); at += size)
    if (std::memcmp(bytes.data(), bytes.data() + at, size) != 0) return false;
  return true;
}

}  // namespace

CheckLine judge_rule_1(const Checked& checked) {
  if (auto faults = of_hundred(checked.trace_faults, 1); !faults.empty())
    return with_faults(Verdict::fail, std::move(faults));
  if (!checked.graph) return not_traced(checked);
  CheckLine line;
  line.verdict = Verdict::pass;
  const std::string choices = operations_text(*checked.graph, {Op::select, Op::if_, Op::while_});
  line.finding = choices.empty() ? "The program takes one path for all values."
                                 : "Every choice is made on the device: " + choices + ".";
  return line;
}

CheckLine judge_rule_2(const Checked& checked) {
  if (auto faults = of_hundred(checked.trace_faults, 2); !faults.empty())
    return with_faults(Verdict::fail, std::move(faults));
  if (!checked.graph) return not_traced(checked);
  CheckLine line;
  line.verdict = Verdict::pass;
  double nodes = 0;
  for_each_node(*checked.graph, [&](const Node&) { ++nodes; });
  line.finding = "All shapes of " + counted(nodes, "operation") + " were known before any value.";
  const std::string bounded =
      operations_text(*checked.graph, {Op::gather, Op::scatter, Op::dynamic_slice, Op::dynamic_update_slice, Op::sort});
  if (!bounded.empty()) line.evidence.push_back("places that depend on data, in shapes that do not: " + bounded);
  return line;
}

CheckLine judge_compiles(const Checked& checked) {
  std::vector<Diagnostic> faults;
  for (const Diagnostic& fault : checked.trace_faults)
    if (fault.number / 100 != 1 && fault.number / 100 != 2) faults.push_back(fault);
  if (!faults.empty()) {
    const bool unknown = std::ranges::all_of(faults, [](const Diagnostic& fault) { return fault.number == 410; });
    return with_faults(unknown ? Verdict::not_judged : Verdict::fail, std::move(faults));
  }
  if (!checked.graph) return not_traced(checked);
  if (!checked.candidate.unknown.empty()) {
    CheckLine line = with_faults(Verdict::not_judged, checked.candidate.unknown);
    line.evidence.emplace_back(
        "the rest of the program is judged, with what this takes and gives, and nothing of what it computes");
    return line;
  }
  const auto start = std::chrono::steady_clock::now();
  const Executable executable =
      Executable::compile(*checked.graph, {.precision = checked.options.jit.compile.precision});
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  const ExecutableStatistics statistics = executable.statistics();
  CheckLine line;
  line.verdict = Verdict::pass;
  line.finding = counted(static_cast<double>(statistics.nodes), "operation") + " became " +
                 counted(static_cast<double>(statistics.kernels), "kernel") + ", traced in " +
                 seconds_text(checked.trace_seconds) + " and compiled in " + seconds_text(taken.count()) + ".";
  line.figures = {{"operations", static_cast<double>(statistics.nodes)},
                  {"kernels", static_cast<double>(statistics.kernels)},
                  {"trace_seconds", checked.trace_seconds, "seconds"},
                  {"compile_seconds", taken.count(), "seconds"}};
  return line;
}

CheckLine judge_inner_jit(const Checked& checked) {
  CheckLine line;
  if (!checked.called.empty() || !checked.called_results.empty()) {
    line.verdict = Verdict::warn;
    std::string names;
    for (const std::string& each : checked.called) names += (names.empty() ? "'" : ", '") + each + "'";
    if (checked.graph)
      for_each_node(*checked.graph, [&](const Node& node) {
        if (const auto* constant = std::get_if<ConstantAttributes>(&node.attributes);
            constant && line.evidence.size() < 3 &&
            std::ranges::count(checked.called_results, constant->value.data(), &Tensor::data) > 0)
          line.evidence.push_back(constant_text(node));
      });
    line.finding =
        (names.empty() ? "A compiled function" : names) +
        " ran on this machine while the program was traced: its results are frozen in the program as constants.";
    line.cure = {"call the function itself instead of the jit of it: it becomes a part of the one program"};
    return line;
  }
  if (!checked.graph) return not_traced(checked);
  if (!checked.repeats) {
    line.verdict = Verdict::warn;
    line.finding =
        "Traced twice with the same arguments, the program is not the same: something that changes on the host is "
        "frozen in it.";
    if (checked.first_difference.known()) line.evidence.push_back("first at " + to_string(checked.first_difference));
    line.cure = {"pass what changes as an argument: random numbers by their key, counters as an array of one element"};
    return line;
  }
  double bytes = 0;
  std::vector<const Node*> constants;
  for_each_node(*checked.graph, [&](const Node& node) {
    const auto* constant = std::get_if<ConstantAttributes>(&node.attributes);
    if (!constant || constant->value.elements() < 2 || all_equal(constant->value)) return;
    constants.push_back(&node);
    bytes += static_cast<double>(constant->value.bytes().size());
  });
  line.figures = {{"constants", static_cast<double>(constants.size())}, {"constant_bytes", bytes, "bytes"}};
  for (const Node* node : constants) {
    if (line.evidence.size() == 3) break;
    line.evidence.push_back(constant_text(*node));
  }
  if (constants.empty() || !checked.candidate.of_one_replica) {
    line.verdict = Verdict::pass;
    line.finding =
        constants.empty()
            ? "No table that was worked out on the host is part of the program, as an inner jit would leave one."
            : "No compiled function ran while the program was traced.";
    return line;
  }
  line.finding =
      counted(static_cast<double>(constants.size()), "constant") + " of several elements, " + bytes_text(bytes) +
      ", came from the host: tables that are meant to be there, or results of an inner jit; the program does not tell.";
  line.cure = {"check the function that it was traced from: what runs meanwhile is seen"};
  return line;
}

}  // namespace octet
