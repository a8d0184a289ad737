module octet.nn;
import octet.base;
import octet.compile;
import octet.graph;
import octet.standard;
import octet.tpu;
import :pretraining;
import :training_candidate;
import :training_step;
import :transformer;

namespace octet::nn {

namespace {

bool is_sequence(const TransformerConfig& config, std::string_view name) {
  const bool of_predictions = name.starts_with("batch.positions") || name.starts_with("batch.labels");
  return config.kind == TransformerKind::gpt2 || !of_predictions;
}

/// The arrays of a batch, as a step of one sequence of `length` tokens takes them.
Signature batch_of(TransformerConfig config, const tpu::Slice& slice, const TrainingBatches& batches,
                   const ProgramStyle& style) {
  config.layers = 1;  // what comes in does not depend on them
  const Graph graph = training_step(config, {1, batches.lengths.front(), batches.predictions}, slice.all(), style);
  Signature result;
  for (const ValueId id : graph.parameters()) {
    const Value& value = graph.values()[static_cast<std::size_t>(id)];
    if (!lies_below(value.name, "batch")) break;
    result.names.push_back(value.name);
    result.types.push_back(value.type);
  }
  result.replicated = {"state"};
  return result;
}

}  // namespace

Candidate training_candidate(const TransformerConfig& config, const tpu::Slice& slice, const TrainingBatches& batches,
                             const ProgramStyle& style, bool shards_optimizer) {
  Candidate result;
  if (batches.lengths.empty()) return result;
  result.parts = batches.parts;
  const Signature first = batch_of(config, slice, batches, style);
  for (const std::int64_t length : batches.lengths) {
    Signature call = first;
    for (std::size_t i = 0; i < call.names.size(); ++i) {
      call.types[i].shape[0] = batches.sequences;
      if (is_sequence(config, call.names[i])) call.types[i].shape[1] = length;
    }
    result.calls.push_back(std::move(call));
  }
  result.trace_otherwise = [config, style, shards_optimizer, all = slice.all(), predictions = batches.predictions,
                            usual = batches.lengths.front()](const Signature& types, bool asks, std::int64_t parts) {
    std::int64_t length = usual;
    for (std::size_t i = 0; i < types.names.size(); ++i)
      if (is_sequence(config, types.names[i])) length = types.types[i].shape[1];
    ProgramStyle written = style;
    written.gradient_checkpointing |= asks;
    return training_step(config, {types.types.front().shape[0], length, predictions}, all, written, shards_optimizer,
                         parts);
  };
  result.trace = [trace = result.trace_otherwise, parts = batches.parts](const Signature& types) {
    return trace(types, false, parts);
  };
  return result;
}

BatchLengths batch_lengths(std::span<const std::int64_t> examples, std::int64_t batch) {
  constexpr std::size_t most_batches = 4096;
  BatchLengths result;
  const auto rows = static_cast<std::size_t>(batch);
  const std::size_t different = std::min(rows, examples.size());
  const std::size_t count = std::clamp<std::size_t>((examples.size() + rows - 1) / rows, 1, most_batches);
  for (std::size_t b = 0; b < count; ++b) {
    std::int64_t& longest = result.each.emplace_back(0);
    double tokens = 0;
    for (std::size_t row = 0; row < different; ++row) {
      const std::int64_t length = examples[(b * rows + row) % examples.size()];
      longest = std::max(longest, length);
      tokens += static_cast<double>(length);
    }
    result.tokens += tokens * static_cast<double>(rows) / static_cast<double>(different);
  }
  return result;
}

std::vector<std::string> sharded_moments() { return {"state.first_moment", "state.second_moment"}; }

std::vector<std::string> sequence_arguments(const TransformerConfig& config, const Candidate& candidate) {
  std::vector<std::string> result;
  if (candidate.calls.empty()) return result;
  for (const std::string& name : candidate.calls.front().names)
    if (is_sequence(config, name)) result.push_back(name);
  return result;
}

}  // namespace octet::nn
