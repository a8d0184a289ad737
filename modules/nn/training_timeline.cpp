module octet.nn;
import octet.base;
import octet.graph;
import octet.standard;
import octet.tpu;
import :pretraining;
import :training_cost;
import :training_timeline;
import :transformer;

namespace octet::nn {

namespace {

/// Which part of the model a parameter belongs to: `layer 3`, `generator layer 0`, `head`, `embeddings`; empty for
/// none.
std::string part_of(const std::string& name) {
  constexpr std::string_view layers = ".layers.";
  if (!name.starts_with("model.")) return "";
  const std::string_view generator = name.starts_with("model.generator") ? "generator " : "";
  if (const auto at = name.find(layers); at != name.npos) {
    const auto begin = at + layers.size();
    return std::string{generator} + "layer " + name.substr(begin, name.find('.', begin) - begin);
  }
  return name.starts_with("model.head") || name.starts_with("model.judge") ? "head" : "embeddings";
}

tpu::Stretch operation(const tpu::FusedOperation& fused, const tpu::OperationCost& cost, double scale) {
  tpu::Stretch result{
      fused.description, std::string{tpu::name(cost.bound)}, scale * fused.repeats * cost.seconds(), {}, {}};
  result.facts = {{"bound by", std::string{tpu::name(cost.bound)}}};
  if (cost.flops > 0)
    result.facts.push_back(
        {"Gflop", shortest_decimal(static_cast<float>(fused.repeats * cost.flops / 1e9), Notation::plain)});
  result.facts.push_back(
      {"MB of memory", shortest_decimal(static_cast<float>(fused.repeats * cost.bytes / 1e6), Notation::plain)});
  return result;
}

/// Forward and backward of one part of the batch.
class Program {
 public:
  Program(const TrainingJob& job, const TrainingEstimate& estimate)
      : graph_{pretraining_program(job.model, job.model.layers,
                                   {estimate.sequences, job.length, std::min(job.predictions, job.length)},
                                   job.code.program)} {
    const tpu::EstimateOptions options = estimate_options(job);
    const tpu::Slice slice = replica_slice(job);
    const tpu::FusedProgram fused = tpu::fused(graph_, options.fuse);
    const auto costs = tpu::costs(fused, slice, tpu::core_of(slice.chip, options.megacore), options.costing);
    double total = 0;
    for (std::size_t i = 0; i < costs.size(); ++i) total += fused.operations[i].repeats * costs[i].seconds();
    const double rounds = static_cast<double>(job.accumulate);
    const double scale = total > 0 ? estimate.forward_backward / rounds / total : 0;
    for (tpu::Stretch* phase : {&forward_, &backward_}) phase->category = phase->name;
    tpu::Stretch* phase = &forward_;
    std::string part = "embeddings";
    for (std::size_t i = 0; i < costs.size(); ++i) {
      const tpu::FusedOperation& each = fused.operations[i];
      if (std::string named = part_read(each, phase == &forward_); !named.empty()) part = std::move(named);
      // What belongs to a layer is drawn together: its weights' gradients wait for nothing of the layers that come
      // after.
      auto at = std::find_if(phase->parts.begin(), phase->parts.end(),
                             [&](const tpu::Stretch& known) { return known.name == part; });
      if (at == phase->parts.end()) at = phase->parts.insert(at, {part, phase->name, 0, {}, {}});
      tpu::Stretch made = operation(each, costs[i], scale);
      at->seconds += made.seconds;
      phase->seconds += made.seconds;
      at->parts.push_back(std::move(made));
      // All of the forward pass goes into the loss, the program's first result.
      const ValueId loss = fused.results.front();
      if (phase == &forward_ && std::find(each.writes.begin(), each.writes.end(), loss) != each.writes.end()) {
        phase = &backward_;
        part = "head";
        seen_layers_ = false;
      }
    }
  }

  const tpu::Stretch& forward() const { return forward_; }
  const tpu::Stretch& backward() const { return backward_; }

 private:
  /// The part of the model whose weights an operation reads. The word embeddings are the head's decoder too: they are
  /// read by the head once the forward pass has been through the layers, and until the backward pass comes to them.
  std::string part_read(const tpu::FusedOperation& each, bool forward) {
    std::string part;
    for (const ValueId id : each.reads) {
      if (static_cast<std::size_t>(id) >= graph_.values().size()) continue;
      const std::string named = part_of(graph_.values()[static_cast<std::size_t>(id)].name);
      if (!named.empty()) part = named;
    }
    if (part.find("layer ") != part.npos) seen_layers_ = true;
    if (part == "embeddings" && each.kind == tpu::FusedOperation::Kind::product && forward == seen_layers_)
      part = "head";
    return part;
  }

  Graph graph_;
  tpu::Stretch forward_{"forward", "", 0, {}, {}}, backward_{"backward", "", 0, {}, {}};
  bool seen_layers_ = false;
};

/// The same without its operations.
tpu::Stretch by_layers(tpu::Stretch phase) {
  for (tpu::Stretch& part : phase.parts) part.parts.clear();
  return phase;
}

}  // namespace

std::vector<tpu::Stretch> step_stretches(const TrainingJob& job, const TrainingEstimate& estimate) {
  const Program program{job, estimate};
  const double rounds = static_cast<double>(job.accumulate);
  std::vector<tpu::Stretch> step;
  const auto add = [&](const char* name, const char* category, double seconds,
                       std::vector<std::pair<std::string, std::string>> facts = {}) {
    if (seconds > 0) step.push_back({name, category, seconds, std::move(facts), {}});
  };
  const std::int64_t shown = std::min(job.accumulate, most_parts_shown);
  for (std::int64_t round = 0; round < shown; ++round) {
    step.push_back(round == 0 ? program.forward() : by_layers(program.forward()));
    add("recompute activations", "recompute", estimate.recompute / rounds);
    step.push_back(round == 0 ? program.backward() : by_layers(program.backward()));
    add("add up gradients", "accumulate", estimate.accumulate / rounds);
  }
  if (const std::int64_t more = job.accumulate - shown; more > 0) {
    const double share = static_cast<double>(more) / rounds;
    add("forward and backward of the other parts", "forward",
        share * (estimate.forward_backward + estimate.recompute + estimate.accumulate),
        {{"parts", std::to_string(more)}});
  }
  add("all-reduce of the gradients", "collective", estimate.all_reduce,
      {{"all-reduces", std::to_string(estimate.all_reduces)}, {"bound by", "interconnect"}});
  add("optimizer", "update", estimate.update, {{"bound by", "memory"}});
  return step;
}

tpu::FeedOptions usual_feed(const TrainingJob& job, const tpu::DataPlacement& data) {
  const auto tokens = static_cast<double>(job.length);
  tpu::FeedOptions feed;
  feed.data = data;
  feed.example_bytes = 6 * tokens;
  feed.transfer_bytes = 20 * tokens;
  feed.prepare_seconds = 80e-9 * tokens;
  return feed;
}

}  // namespace octet::nn
