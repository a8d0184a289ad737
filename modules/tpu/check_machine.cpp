/// The matrix unit, time and input: what the model of the machine says.
module octet.tpu;
import octet.base;
import octet.compile;
import octet.graph;
import octet.standard;
import :check;
import :check_lines;
import :chip;
import :constants;
import :cost;
import :estimate;
import :host;
import :readiness;
import :slice;

namespace octet {

namespace {

/// Where a loop never ends, or nowhere.
Place endless_loop(const Graph& graph) {
  Place found;
  for (const Node& node : graph.nodes()) {
    if (node.op == Op::while_ && !found.known() && trip_count(graph, node) == endless_trips)
      found = node.place.known() ? node.place : Place{.file = "the program", .line = 0, .function = {}};
    for (const Graph& region : node.regions)
      if (!found.known()) found = endless_loop(region);
  }
  return found;
}

/// Where a loop runs as often as data say, or nowhere.
Place unknown_rounds(const Graph& graph) {
  Place found;
  const auto look = [&](const auto& self, const Graph& in) -> void {
    for (const Node& node : in.nodes()) {
      if (node.op == Op::while_ && !found.known()) {
        if (trip_count(in, node) < 0)
          found = node.place.known() ? node.place : Place{.file = "the program", .line = 0, .function = {}};
      }
      for (const Graph& region : node.regions) self(self, region);
    }
  };
  look(look, graph);
  return found;
}

std::int64_t rounded_up(std::int64_t n, std::int64_t to) { return (n + to - 1) / to * to; }

/// One dimension of a product, and what the matrix unit does for its padding.
struct Padding {
  std::string description;
  Place place;
  char dimension = 'm';
  std::int64_t extent = 0, padded = 0, unit = 8;
  double flops = 0;  ///< of padding in this dimension alone, in the run
};

std::vector<Padding> paddings_of(const tpu::ProgramEstimate& estimate, std::int64_t size) {
  std::vector<Padding> result;
  for (const tpu::OperationTotal& total : estimate.operations) {
    if (!total.is_product || total.padded_flops <= total.flops) continue;
    const tpu::Product& p = total.product;
    const bool m_streams = rounded_up(p.m, 8) * rounded_up(p.n, size) <= rounded_up(p.n, 8) * rounded_up(p.m, size);
    const std::pair<char, std::int64_t> dimensions[] = {{'m', p.m}, {'k', p.k}, {'n', p.n}};
    for (const auto& [dimension, extent] : dimensions) {
      const bool streams = dimension != 'k' && (dimension == 'm') == m_streams;
      const std::int64_t unit = streams ? 8 : size, padded = rounded_up(extent, unit);
      if (padded == extent || padded == 0) continue;
      result.push_back({total.description, total.place, dimension, extent, padded, unit,
                        total.padded_flops * (1 - static_cast<double>(extent) / static_cast<double>(padded))});
    }
  }
  std::sort(result.begin(), result.end(), [](const Padding& a, const Padding& b) {
    return a.flops != b.flops ? a.flops > b.flops
                              : std::pair{a.description, a.dimension} < std::pair{b.description, b.dimension};
  });
  return result;
}

}  // namespace

tpu::ProgramEstimate estimated(const Checked& checked, DType activations) {
  tpu::EstimateOptions options;
  options.fuse.donated = written_over(checked, checked.options.jit.donated);
  options.costing.activations = activations;
  options.costing.joins_collectives = true;
  return tpu::estimate(priced(checked.optimized, checked.options.jit.compile.precision), checked.slice, options);
}

Graph priced(const Graph& graph, Precision precision) {
  if (precision == Precision::bf16) return graph;
  Graph result{graph.name()};
  std::vector<ValueId> ids(graph.values().size());
  for (const ValueId id : graph.parameters())
    ids[static_cast<std::size_t>(id)] =
        result.parameter(graph.type(id), graph.values()[static_cast<std::size_t>(id)].name);
  for (Node node : graph.nodes()) {
    const std::vector<ValueId> outputs = node.outputs;
    std::vector<TensorType> types = graph.types(outputs);
    if (auto* dot = std::get_if<DotAttributes>(&node.attributes); dot && graph.type(node.inputs[0]).dtype == DType::f32)
      dot->precision = DotPrecision::HIGHEST;
    for (Graph& region : node.regions) region = priced(region, precision);
    for (ValueId& input : node.inputs) input = ids[static_cast<std::size_t>(input)];
    const std::vector<ValueId>& made = result.adopt(std::move(node), types);
    for (std::size_t i = 0; i < outputs.size(); ++i) ids[static_cast<std::size_t>(outputs[i])] = made[i];
  }
  std::vector<ValueId> results;
  for (const ValueId id : graph.results()) results.push_back(ids[static_cast<std::size_t>(id)]);
  result.set_results(std::move(results));
  return result;
}

std::int64_t examples_of(const Checked& checked) {
  std::int64_t examples = 0;
  for (std::size_t i = 0; i < checked.signature.names.size(); ++i) {
    if (!checked.fed[i]) continue;
    const Shape& shape = checked.signature.types[i].shape;
    if (shape.rank() == 0 || (examples && shape[0] != examples)) return 0;
    examples = shape[0];
  }
  return examples;
}

CheckLine judge_matrix_unit(const Checked& checked) {
  if (!checked.graph) return not_traced(checked);
  constexpr double much = 0.1;  // of the matrix unit's work
  const tpu::Core core = tpu::core_of(checked.slice);
  const tpu::ProgramEstimate estimate = estimated(checked, checked.options.activations);
  CheckLine line;
  line.verdict = Verdict::pass;
  if (estimate.padded_flops <= 0) {
    line.finding = "The program has no products.";
    line.verdict = Verdict::warn;
    line.evidence.push_back("all of a TPU's speed over other machines is its matrix unit's");
    line.cure = {"nothing, where the program is meant to have none"};
    return line;
  }
  // Passes are no padding: HIGHEST works each tile six times.
  double flops = 0, padded = 0, padding_seconds = 0;
  for (const tpu::OperationTotal& total : estimate.operations) {
    if (!total.is_product || total.padded_flops <= 0) continue;
    const double data = total.flops * total.product.passes;
    flops += data;
    padded += total.padded_flops;
    if (total.bound == tpu::Bound::matrix_unit) padding_seconds += total.seconds * (1 - data / total.padded_flops);
  }
  const double padding = 1 - flops / padded;
  line.figures = {{"matrix_use", 1 - padding},
                  {"padding_seconds", padding_seconds, "seconds"},
                  {"flops", flops},
                  {"padded_flops", padded}};
  line.finding = "Of the matrix unit's work, " + percent_text(padding) + " is padding.";
  if (padding < much) return line;
  const std::vector<Padding> worst = paddings_of(estimate, core.matrix_unit_size);
  std::vector<Diagnostic> faults;
  for (const Padding& each : worst) {
    if (faults.size() == 3) break;
    const std::string name{each.dimension}, extent = std::to_string(each.extent), to = std::to_string(each.padded);
    Diagnostic fault{.number = 502,
                     .sentence = "In " + each.description + ", " + name + " = " + extent + " costs what " + to +
                                 " would: " + percent_text(each.flops / padded) +
                                 " of the matrix unit's work is padding there.",
                     .where = each.place};
    const std::int64_t below = each.extent / each.unit * each.unit;
    fault.fix.push_back(
        "make " + name + " = " + to + ": " + std::to_string(each.padded - each.extent) +
        " more for the same work of the matrix unit" +
        (below > 0 ? "; or " + std::to_string(below) + ", which takes " +
                         percent_text(1 - static_cast<double>(below) / static_cast<double>(each.padded)) + " less of it"
                   : ""));
    faults.push_back(std::move(fault));
  }
  if (faults.empty()) return line;
  CheckLine warned = with_faults(Verdict::warn, std::move(faults));
  warned.figures = std::move(line.figures);
  // What memory holds up takes as long without the padding.
  warned.evidence.push_back("of all its work, " + percent_text(padding) + " is padding, " +
                            (padding_seconds > 0
                                 ? seconds_text(padding_seconds) + " of a step's " +
                                       seconds_text(estimate.seconds + checked.recompute_seconds)
                                 : "which takes no time as long as memory is what bounds these products"));
  return warned;
}

CheckLine judge_time(const Checked& checked) {
  if (!checked.graph) return not_traced(checked);
  const DType activations = checked.options.activations;
  const tpu::ProgramEstimate estimate = estimated(checked, activations);
  const double step = estimate.seconds + checked.recompute_seconds;
  CheckLine line;
  line.figures = {{"step_seconds", step, "seconds"}, {"flops", estimate.flops}};
  if (checked.recompute_seconds > 0) {
    line.figures.push_back({"recompute_seconds", checked.recompute_seconds, "seconds"});
    line.evidence.push_back("of it, computing dropped activations again takes " +
                            seconds_text(checked.recompute_seconds));
  }
  std::string parts;
  for (const tpu::Bound bound : {tpu::Bound::matrix_unit, tpu::Bound::vector_unit, tpu::Bound::memory,
                                 tpu::Bound::interconnect, tpu::Bound::start}) {
    const double seconds = estimate.bound_seconds[static_cast<std::size_t>(bound)];
    if (seconds >= 0.01 * step && seconds > 0)
      parts += (parts.empty() ? "" : ", ") +
               std::string{bound == tpu::Bound::start ? "beginning operations" : tpu::name(bound)} + " " +
               percent_text(seconds / step);
  }
  if (!parts.empty()) line.evidence.push_back("bound by: " + parts);
  if (!checked.candidate.unknown.empty())
    line.evidence.emplace_back(
        "what Octet does not know is counted by what it reads and writes, and not at all where it has no result: it "
        "may take longer");
  if (!estimate.operations.empty()) {
    const tpu::OperationTotal& slowest = estimate.operations.front();
    line.evidence.push_back("the longest: " + slowest.description + ", " +
                            percent_text(slowest.seconds / std::max(step, 1e-30)));
  }
  if (const Place place = endless_loop(*checked.graph); place.known()) {
    line.verdict = Verdict::fail;
    line.finding = "A loop never ends: its condition is always met.";
    line.evidence.push_back("the loop is at " + to_string(place));
    line.cure = {"have the condition fail at last: count by 1 or more towards a limit that can be passed"};
    return line;
  }
  if (const Place place = unknown_rounds(*checked.graph); place.known()) {
    line.finding = "A loop runs as often as its data say, which no estimate knows; with one round, a step takes " +
                   seconds_text(step) + ".";
    line.evidence.push_back("the loop is at " + to_string(place));
    return line;
  }
  const double starting = estimate.bound_seconds[static_cast<std::size_t>(tpu::Bound::start)] / std::max(step, 1e-30);
  const bool idle = starting > 0.5;
  line.verdict = idle ? Verdict::warn : Verdict::pass;
  line.finding =
      "A step takes about " + seconds_text(step) + " on " + checked.slice.name +
      (idle ? ", and " + percent_text(starting) + " of it goes into beginning operations: they are too small." : ".");
  if (idle) {
    line.cure = {"give each replica a larger batch, until operations take longer than they take to begin"};
    if (checked.slice.name != tpu::slice_names(checked.slice.chip).front()) line.cure.push_back("rent a smaller slice");
  }
  return line;
}

namespace {

/// `6,924 examples`, and below 10 with two digits: `0.43 examples`.
std::string counted_a_second(double rate, const std::string& one, const std::string& many) {
  if (!(rate > 0 && rate < 9.95)) return counted(std::round(rate), one, many);
  const double scale = std::pow(10, std::max(0.0, 1 - std::floor(std::log10(rate))));
  const std::string digits = shortest_decimal(std::round(rate * scale) / scale, Notation::plain);
  return digits + " " + (digits == "1" ? one : many);
}
std::string examples_a_second(double rate) { return counted_a_second(rate, "example", "examples") + " a second"; }

}  // namespace

CheckLine judge_input(const Checked& checked) {
  if (!checked.graph) return not_traced(checked);
  if (endless_loop(*checked.graph).known()) return not_judged("A loop never ends, and takes no further example.");
  if (unknown_rounds(*checked.graph).known())
    return not_judged("A loop runs as often as its data say, so it is not known how fast the chips take examples.");
  const double step = estimated(checked, checked.options.activations).seconds + checked.recompute_seconds;
  const std::int64_t examples = examples_of(checked);
  double bytes = 0;
  for (std::size_t i = 0; i < checked.signature.names.size(); ++i)
    if (checked.fed[i]) bytes += static_cast<double>(checked.signature.types[i].bytes());
  if (!checked.candidate.shares_known && checked.slice.replicas > 1)
    return not_judged("It is not known which parameters hold the batch, so it is not known how much is fed.");
  const double per_chip = static_cast<double>(checked.slice.replicas) / static_cast<double>(checked.slice.chips);
  const double transfer = bytes * per_chip / tpu::host_bandwidth;
  if (checked.candidate.of_one_program && std::ranges::count(checked.fed, true) == 0 && checked.slice.replicas > 1)
    return not_judged("All replicas take the same batch, and it is not known which parameters hold it.",
                      {"name them: CheckOptions::batch; for octet check, --batch-argument NAME"});
  const double total = static_cast<double>(examples * checked.slice.replicas / checked.candidate.alike),
               needed = step > 0 ? total / step : 0;
  CheckLine line;
  line.figures = {{"transfer_seconds", transfer, "seconds"},
                  {"step_seconds", step, "seconds"},
                  {"needed_examples_per_second", needed}};
  line.evidence.push_back(bytes_text(bytes * static_cast<double>(checked.slice.replicas)) + " a step, which take " +
                          seconds_text(transfer) + " from the hosts to the chips, hidden behind a step of " +
                          seconds_text(step));
  const auto too_slow = [&](const std::string& sentence, std::vector<std::string> fix = {}) {
    CheckLine warned = with_faults(Verdict::warn, {{.number = 609, .sentence = sentence, .fix = std::move(fix)}});
    warned.figures = std::move(line.figures);
    warned.evidence = std::move(line.evidence);
    return warned;
  };
  if (transfer > step) {
    line.evidence.front() =
        bytes_text(bytes * static_cast<double>(checked.slice.replicas)) + " a step for " + checked.slice.name;
    return too_slow("The input alone takes " + seconds_text(transfer) + " from the hosts to the chips, and a step " +
                        seconds_text(step) + ".",
                    {"feed fewer bytes an example: ids rather than what follows from them, which the chips compute",
                     "compute more for each example"});
  }
  const double made = checked.options.examples_per_second;
  if (!(made > 0)) {
    line.finding = "How fast the pipeline makes examples is not known; the chips would take " +
                   (examples ? examples_a_second(needed)
                             : counted_a_second(step > 0 ? 1 / step : 0, "batch", "batches") + " a second") +
                   ".";
    line.cure = {"measure it, and say so: CheckOptions::examples_per_second; for octet check, --examples-per-second N"};
    return line;
  }
  if (examples == 0)
    return not_judged(
        "The arrays of the batch have no leading extent in common, so it is not known how many examples a step takes.");
  line.figures.push_back({"made_examples_per_second", made});
  constexpr double worth_telling = 5e-4;  // of the time: less is 0.0 %
  if (1 - made / needed >= worth_telling)
    return too_slow("The pipeline makes " + examples_a_second(made) + ", and the chips would take " +
                    examples_a_second(needed) + ": they wait " + percent_text(1 - made / needed) + " of the time.");
  line.verdict = Verdict::pass;
  line.finding =
      "The pipeline makes " + examples_a_second(made) + ", and the chips take " + examples_a_second(needed) + ".";
  return line;
}

}  // namespace octet
