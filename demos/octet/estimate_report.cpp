
#include "json.hpp"
#include "output.hpp"
#include "terminal.hpp"

#include "estimate_input.hpp"
#include "estimate_report.hpp"
#include "transformer_options.hpp"
import octet.standard;
import octet;

namespace program {

namespace {

namespace nn = octet::nn;
namespace tpu = octet::tpu;

constexpr tpu::Bound bounds[] = {tpu::Bound::matrix_unit, tpu::Bound::vector_unit, tpu::Bound::memory,
                                 tpu::Bound::interconnect, tpu::Bound::start};

std::string gigabytes(double bytes) {
  if (bytes < 1e6) return fixed(bytes / 1e3, 1) + " kB";
  return fixed(bytes / 1e9, bytes < 1e8 ? 3 : bytes < 1e10 ? 2 : 1) + " GB";
}
std::string percent(double share) { return share > 0 && share < 0.005 ? "below 1 %" : fixed(100 * share, 0) + " %"; }
std::string counted(std::int64_t number, const char* one, const char* many) {
  return std::to_string(number) + " " + (number == 1 ? one : many);
}

/// Seconds from one step to the next: what the input makes of it.
double cycle_of(const EstimateReport& report) {
  return std::max(report.estimate.step, report.fed ? report.fed->cycle_seconds : 0);
}
/// The same with a step's share of what is compiled, of which findings are a part.
double whole_step(const EstimateReport& report) {
  const double compiling = report.compiles ? static_cast<double>(report.compiles->programs) * report.compiles->seconds /
                                                 static_cast<double>(report.compiles->steps)
                                           : 0;
  return cycle_of(report) + compiling;
}
/// What is dropped of the activations, and in attention.
std::pair<double, double> rates_of(const EstimateReport& report) {
  const nn::ProgramStyle& style = report.job.code.program;
  return {style.dropout, style.attention_dropout.value_or(style.dropout)};
}
double sequences_of(const EstimateReport& report) { return static_cast<double>(report.job.batch - report.job.padding); }

class Text {
 public:
  explicit Text(const EstimateReport& report) : report_{report} {}

  std::string run() {
    head();
    time();
    memory();
    input();
    compiler();
    operations();
    waste();
    findings();
    text_.pop_back();
    return std::move(text_);
  }

 private:
  void line(const std::string& text = "") { text_ += text + "\n"; }

  void head() {
    const tpu::Slice& slice = report_.job.slice;
    const nn::TrainingEstimate& e = report_.estimate;
    std::string torus;
    for (const auto extent : slice.torus) torus += (torus.empty() ? "" : " x ") + std::to_string(extent);
    const bool wraps = std::find(slice.wraps.begin(), slice.wraps.end(), true) != slice.wraps.end();
    line(report_.model + " on " + slice.name + ": " + counted(slice.chips, "chip", "chips") + " in a " + torus +
         (wraps ? " torus, " : " mesh, ") + counted(e.replicas, "replica", "replicas") +
         (e.replicas == slice.chips ? " of a chip, " : " of a core, ") + counted(slice.hosts, "host", "hosts"));
    line("a batch of " + grouped(report_.job.batch) + " x " + std::to_string(report_.job.length) + " tokens, " +
         counted(e.sequences, "sequence", "sequences") + " a replica" +
         (report_.job.padding > 0 ? ", " + grouped(report_.job.padding) + " of weight zero" : "") +
         (report_.job.accumulate > 1 ? " in each of " + std::to_string(report_.job.accumulate) + " accumulation steps"
                                     : "") +
         "; code " + std::string{report_.job.code.name});
    const auto [hidden, attention] = rates_of(report_);
    line(grouped(std::llround(nn::parameter_count(report_.job.model))) + " parameters, " +
         program::dropout_text(hidden, attention));
    line();
  }

  void time() {
    const nn::TrainingEstimate& e = report_.estimate;
    const auto part = [&](const std::string& name, double seconds, const std::string& note = "") {
      std::string number = fixed(seconds * 1e3, 2);
      number.insert(0, number.size() < 11 ? 11 - number.size() : 0, ' ');
      line("  " + padded(name, 26) + number + " ms" + (note.empty() ? "" : "   " + note));
    };
    part("step", e.step,
         fixed(sequences_of(report_) / e.step, 1) + " sequences/s, " + percent(e.peak_share) + " of the slice's peak");
    if (const double cycle = cycle_of(report_); cycle > e.step * (1 + 1e-9))
      part("step as it is fed", cycle,
           fixed(sequences_of(report_) / cycle, 1) + " sequences/s, " + percent(e.peak_share * e.step / cycle) +
               " of the slice's peak");
    part("forward and backward", e.forward_backward);
    const double rounds = static_cast<double>(report_.job.accumulate);
    for (const tpu::Bound bound : bounds)
      if (const double seconds = rounds * e.program.bound_seconds[static_cast<std::size_t>(bound)]; seconds > 0)
        part("  bound by " + std::string{tpu::name(bound)}, seconds, percent(seconds / e.step));
    if (e.recompute > 0)
      part("recomputing activations", e.recompute, "what does not fit is dropped and computed again");
    if (e.accumulate > 0) part("adding up gradients", e.accumulate, "bound by memory");
    if (e.all_reduce > 0)
      part("gradient all-reduce", e.all_reduce,
           "bound by interconnect" + (e.all_reduces > 1 ? ", in " + grouped(e.all_reduces) + " parts" : ""));
    // Of finding the norm, what is not in the all-reduce.
    double norm = 0;
    if (e.clip > 0) {
      nn::TrainingJob free = report_.job;
      free.code.clips = false;
      norm = e.update - nn::estimate_training(free).update;
    }
    part("optimizer", e.update,
         "bound by memory" + (norm > 0 ? ", " + fixed(norm * 1e3, 2) + " ms to find the gradients' norm" : ""));
    part("infeed", e.infeed, e.infeed < e.step ? "hidden behind the rest" : "the step waits for it");
    line("  of the matrix unit's work " + percent(e.matrix_use) + " is not padding");
    line();
  }

  /// Seconds that a step of so many sequences a replica computes for, recomputing apart. Of many parts two are
  /// estimated, as all of them might be more sequences than anyone trains with.
  double step_of(std::int64_t sequences) const {
    nn::TrainingJob job = report_.job;
    job.accumulate = std::min<std::int64_t>(job.accumulate, 2);
    job.batch = sequences * nn::shares_of(job);
    job.padding = 0;
    const nn::TrainingEstimate then = nn::estimate_training(job);
    const double times = static_cast<double>(report_.job.accumulate) / static_cast<double>(job.accumulate);
    return then.device() - then.recompute + (times - 1) * (then.forward_backward + then.accumulate);
  }

  void memory() {
    const nn::MemoryBudget& m = report_.estimate.memory;
    line("memory of a replica: " + gigabytes(m.needed) + " of " + gigabytes(m.capacity) +
         (m.fits ? "" : ", which does not fit") +
         (m.needed < m.peak ? "; " + gigabytes(m.peak) + " with nothing recomputed" : ""));
    if (m.must_ask())
      line("  XLA alone was not seen to make room for more than " + json_number(octet::most_unasked) +
           " times its memory: ask for recomputing in the program" +
           (report_.job.code.program.gradient_checkpointing ? ", within layers too" : " (--gradient-checkpointing)"));
    line("  weights and batch " + gigabytes(m.weights) + ", optimizer state " + gigabytes(m.optimizer) +
         (report_.job.code.sharded_update
              ? " (its share of " + gigabytes(m.optimizer * static_cast<double>(report_.estimate.replicas)) + ")"
              : "") +
         ", gradients " + gigabytes(m.gradients) + " by the end, at the peak activations and gradients " +
         gigabytes(m.activations));
    std::string largest;
    double bytes = 0;
    for (const tpu::LiveTensor& tensor : m.largest)
      if (tensor.bytes != bytes && largest.size() < 200) {
        largest += (largest.empty() ? "" : "; ") + octet::to_string(tensor.type) + " of " + tensor.description + ", " +
                   gigabytes(tensor.bytes);
        bytes = tensor.bytes;
      }
    if (!largest.empty()) line("  largest at the peak: " + largest);
    const nn::BatchLimits& limits = report_.largest;
    const std::int64_t rounds = report_.job.accumulate;
    const auto told = [&](std::int64_t each) {
      const std::string bound = each == nn::most_sequences_tried ? "at least " : "";
      return bound + program::counted(each * rounds, "sequence") + " a replica, " + bound +
             grouped(each * rounds * report_.estimate.replicas) + (rounds > 1 ? " in a step" : " at once");
    };
    const std::string more = report_.job.code.program.gradient_checkpointing ? "more " : "";
    if (limits.recomputing == 0)
      line("  not one sequence fits");
    else if (limits.kept == 0)
      line("  not one sequence fits with nothing " + more + "recomputed");
    else
      line("  the largest batch with nothing " + more + "recomputed: " + told(limits.kept));
    if (limits.recomputing > limits.kept)
      line("  if " + more + "activations are dropped and computed again, which adds " +
           fixed(limits.recompute_seconds * 1e3, 2) + " ms to a step of " +
           fixed(step_of(limits.recomputing) * 1e3, 2) + " ms: " + told(limits.recomputing));
    if (report_.job.code.program.gradient_checkpointing)
      line(
          "  with gradient checkpointing: what is within a layer is computed again on the way back, and its time is in "
          "forward and backward");
    if (const std::string dropout = dropout_bits(); !dropout.empty()) line(dropout);
    line();
  }

  /// How the random bits of dropout are taken to be made, which says whether they are kept.
  std::string dropout_bits() const {
    if (const auto [hidden, attention] = rates_of(report_); std::max(hidden, attention) <= 0) return "";
    return report_.job.code.program.keyed_bits
               ? "  dropout's random bits follow from a key: they are made again, not kept"
               : "  dropout's random bits are the core's own, which gives none twice: masks are kept";
  }

  void input() {
    if (!report_.fed) return;
    line(input_text(*report_.feed, *report_.fed));
    line();
  }

  void compiler() {
    if (!report_.compiles) return;
    const nn::Compiles& compiles = *report_.compiles;
    const double compiling = static_cast<double>(compiles.programs) * compiles.seconds,
                 computing = static_cast<double>(compiles.steps) * cycle_of(report_);
    line("compiler: " + counted(compiles.programs, "program", "programs") + " in " +
         counted(compiles.steps, "step", "steps") + ", " + fixed(compiles.seconds, 1) + " s each: the chips wait " +
         percent(compiling / std::max(1e-30, compiling + computing)) + " of the time");
    line();
  }

  void operations() {
    line("  share        ms  calls  bound by");
    const nn::TrainingEstimate& e = report_.estimate;
    const double rounds = static_cast<double>(report_.job.accumulate);
    for (std::size_t i = 0; i < std::min<std::size_t>(12, e.program.operations.size()); ++i) {
      const tpu::OperationTotal& total = e.program.operations[i];
      std::string share = fixed(100 * rounds * total.seconds / e.step, 1), ms = fixed(rounds * total.seconds * 1e3, 2),
                  calls = fixed(rounds * total.count, 0);
      for (const auto& [text, width] : {std::pair{&share, 5u}, {&ms, 10u}, {&calls, 7u}})
        text->insert(0, text->size() < width ? width - text->size() : 1, ' ');
      line(share + " %" + ms + calls + "  " + padded(std::string{tpu::name(total.bound)}, 13) + total.description);
    }
  }

  void waste() {
    if (report_.estimate.waste.empty()) return;
    line();
    line("padding that costs time:");
    for (std::size_t i = 0; i < std::min<std::size_t>(6, report_.estimate.waste.size()); ++i) {
      const tpu::Waste& waste = report_.estimate.waste[i];
      line("  " + waste.description + ": " + waste.dimension + " = " + std::to_string(waste.extent) + " costs what " +
           std::to_string(waste.padded) + " would; " + fixed(waste.seconds * 1e3, 2) + " ms a step, " +
           percent(waste.seconds / report_.estimate.step) + ", go into padding");
    }
  }

  void findings() {
    constexpr std::size_t most = 8;
    if (report_.findings.empty()) return;
    line();
    line("what would make it faster:");
    for (std::size_t i = 0; i < std::min(most, report_.findings.size()); ++i) {
      const nn::Finding& finding = report_.findings[i];
      line("  " + std::string{finding.id} + ", " +
           // Of more rows, what other padding would save too is left out.
           (finding.id == "padded_rows" ? "at least " : "") +
           (finding.seconds > 0 ? fixed(finding.seconds * 1e3, 2) + " ms of " + fixed(whole_step(report_) * 1e3, 2)
                                : "no time, but more for the same") +
           ": " + finding.sentence);
      line("    " + finding.change);
    }
  }

  const EstimateReport& report_;
  std::string text_;
};

}  // namespace

std::string text_of(const EstimateReport& report) { return Text{report}.run(); }

/// Numbers by their names, which end in their units: seconds are told in milliseconds.
static JsonObject values_json(const std::vector<nn::FindingValue>& values) {
  JsonObject json;
  for (const nn::FindingValue& each : values) {
    std::string name{each.name};
    if (each.unit != nn::FindingUnit::seconds) {
      json.add(name, each.value);
      continue;
    }
    if (const auto at = name.find("seconds"); at != name.npos) name.replace(at, 7, "ms");
    json.add(name, 1e3 * each.value);
  }
  return json;
}

std::string json_of(const EstimateReport& report) {
  const nn::TrainingEstimate& e = report.estimate;
  const nn::MemoryBudget& m = e.memory;
  const double rounds = static_cast<double>(report.job.accumulate);
  JsonObject bound;
  for (const tpu::Bound each : bounds) {
    std::string name{tpu::name(each)};
    std::replace(name.begin(), name.end(), ' ', '_');
    bound.add(name + "_ms", rounds * e.program.bound_seconds[static_cast<std::size_t>(each)] * 1e3);
  }
  std::vector<JsonObject> operations, waste;
  for (const tpu::OperationTotal& total : e.program.operations) {
    if (operations.size() == 24) break;
    operations.push_back(JsonObject{}
                             .add("operation", total.description)
                             .add("bound", tpu::name(total.bound))
                             .add("calls", rounds * total.count)
                             .add("ms", rounds * total.seconds * 1e3)
                             .add("flops", rounds * total.flops)
                             .add("padded_flops", rounds * total.padded_flops)
                             .add("bytes", rounds * total.bytes));
  }
  for (const tpu::Waste& each : e.waste)
    waste.push_back(JsonObject{}
                        .add("operation", each.description)
                        .add("dimension", std::string{each.dimension})
                        .add("extent", each.extent)
                        .add("padded", each.padded)
                        .add("ms", each.seconds * 1e3));
  std::vector<JsonObject> findings;
  for (const nn::Finding& each : report.findings)
    findings.push_back(JsonObject{}
                           .add("id", each.id)
                           .add("sentence", each.sentence)
                           .add("values", values_json(each.values))
                           .add("remedy", each.remedy)
                           .add("change", each.change)
                           .add("change_values", values_json(each.changes))
                           .add("gain_ms", each.seconds * 1e3)
                           .add("gain_share", each.seconds / std::max(1e-30, whole_step(report))));
  JsonObject json;
  const auto [hidden, attention] = rates_of(report);
  json.add("model", report.model)
      .add("parameters", std::llround(nn::parameter_count(report.job.model)))
      .add("dropout", hidden)
      .add("attention_dropout", attention)
      .add("slice", report.job.slice.name)
      .add("code", report.job.code.name)
      .add("chips", report.job.slice.chips)
      .add("replicas", e.replicas)
      .add("batch", report.job.batch)
      .add("padding_sequences", report.job.padding)
      .add("seq", report.job.length)
      .add("predictions",
           report.job.model.kind == nn::TransformerKind::gpt2 ? report.job.length : report.job.predictions)
      .add("accumulate", report.job.accumulate)
      .add("sharded_optimizer", report.job.code.sharded_update)
      .add("gradient_checkpointing", report.job.code.program.gradient_checkpointing)
      .add("sequences_per_replica", e.sequences)
      .add("step_ms", e.step * 1e3)
      .add("forward_backward_ms", e.forward_backward * 1e3)
      .add("recompute_ms", e.recompute * 1e3)
      .add("accumulate_ms", e.accumulate * 1e3)
      .add("all_reduce_ms", e.all_reduce * 1e3)
      .add("update_ms", e.update * 1e3)
      .add("clip_ms", e.clip * 1e3)
      .add("infeed_ms", e.infeed * 1e3)
      .add("bound", bound)
      .add("sequences_per_second", sequences_of(report) / e.step)
      .add("fed_sequences_per_second", sequences_of(report) / cycle_of(report))
      .add("model_flops", e.model_flops)
      .add("peak_share", e.peak_share)
      .add("matrix_use", e.matrix_use)
      .add("memory", JsonObject{}
                         .add("capacity_bytes", m.capacity)
                         .add("needed_bytes", m.needed)
                         .add("without_recomputing_bytes", m.peak)
                         .add("weights_bytes", m.weights)
                         .add("optimizer_bytes", m.optimizer)
                         .add("gradients_bytes", m.gradients)
                         .add("activations_bytes", m.activations))
      .add("fits", m.fits)
      .add("must_ask_for_recomputing", m.must_ask())
      .add("largest_batch_per_replica", report.largest.recomputing * report.job.accumulate)
      .add("largest_batch_without_recomputing_per_replica", report.largest.kept * report.job.accumulate)
      .add("largest_batch_is_lower_bound", report.largest.recomputing == nn::most_sequences_tried)
      .add("recompute_ms_of_largest_batch", report.largest.recompute_seconds * 1e3)
      .add("operations", operations)
      .add("waste", waste)
      .add("findings", findings);
  if (report.fed) json.add("input", input_json(*report.feed, *report.fed));
  if (report.compiles) {
    const double compiling = static_cast<double>(report.compiles->programs) * report.compiles->seconds,
                 computing = static_cast<double>(report.compiles->steps) * cycle_of(report);
    json.add("compiler", JsonObject{}
                             .add("programs", report.compiles->programs)
                             .add("steps", report.compiles->steps)
                             .add("seconds_each", report.compiles->seconds)
                             .add("waiting_share", compiling / std::max(1e-30, compiling + computing)));
  }
  return json.text();
}

}  // namespace program
