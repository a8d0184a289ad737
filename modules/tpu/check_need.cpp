module octet.tpu;
import octet.base;
import octet.compile;
import octet.graph;
import octet.standard;
import :check;
import :check_lines;
import :check_need;
import :cost;
import :fused;
import :memory;

namespace octet {

double Need::recompute_seconds(double capacity) const {
  if (peak <= capacity || less.empty()) return 0;
  const auto first = std::ranges::find_if(less, [&](const Less& each) { return each.peak <= capacity; });
  return first == less.end() ? less.back().recompute_seconds : first->recompute_seconds;
}

Need need_of(const Checked& checked, const Graph& graph, const std::vector<std::string>& donate, DType activations,
             const tpu::Core& core, bool peak_alone) {
  tpu::FusedProgram program = tpu::fused(graph, {.donated = written_over(checked, donate)});
  const tpu::Costing costing{.activations = activations, .joins_collectives = true};
  const std::vector<TensorType> types = tpu::stored_types(program, activations);
  const std::vector<tpu::OperationCost> costs = tpu::costs(program, checked.slice, core, costing);
  const auto& updates = checked.updates;
  std::vector<ValueId> results;
  for (std::size_t r = 0; r < program.results.size(); ++r) {
    const bool in_place = r < updates.size() && updates[r] && lies_below_any(checked.names[*updates[r]], donate);
    if (!in_place) results.push_back(program.results[r]);
  }
  program.results = std::move(results);
  Need need;
  need.at_peak = tpu::memory_need(program, types);
  need.peak = need.at_peak.peak;
  for (std::size_t i = 0; i < costs.size(); ++i)
    need.step_seconds += program.operations[i].repeats * costs[i].seconds();
  if (peak_alone) return need;
  for (const tpu::MemoryNeed& each : tpu::recomputed_needs(program, types, costs))
    if (each.peak < need.least()) need.less.push_back({each.peak, each.recompute_seconds});
  return need;
}

const Need& BatchNeeds::of(std::int64_t examples, const Written& written, bool peak_alone) {
  const auto [asks, parts] = written;
  auto at = known_.find({examples, asks, parts, false});
  if (peak_alone && at == known_.end()) at = known_.find({examples, asks, parts, true});
  if (at != known_.end()) return at->second;
  Signature signature = checked_.signature;
  for (std::size_t i = 0; i < signature.names.size(); ++i)
    if (checked_.fed[i]) signature.types[i].shape[0] = examples;
  const Candidate& candidate = checked_.candidate;
  const Graph traced =
      asks || parts != candidate.parts ? candidate.trace_otherwise(signature, asks, parts) : candidate.trace(signature);
  const Graph graph = priced(optimize(traced), checked_.options.jit.compile.precision);
  Need need = need_of(checked_, graph, checked_.options.jit.donated, checked_.options.activations, core_, peak_alone);
  return known_.emplace(std::tuple{examples, asks, parts, peak_alone}, std::move(need)).first->second;
}

std::int64_t BatchNeeds::most(std::int64_t most, const Written& written, double capacity,
                              tpu::Fit (*fit)(const Need&, double), bool peak_alone) {
  return tpu::most_that_fit(
      capacity, most, [&](std::int64_t each) { return fit(of(each * written.parts, written, peak_alone), capacity); });
}

}  // namespace octet
