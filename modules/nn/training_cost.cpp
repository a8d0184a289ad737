module octet.nn;
import octet.base;
import octet.graph;
import octet.standard;
import octet.tpu;
import :memory_refusal;
import :pretraining;
import :training_cost;
import :transformer;

namespace octet::nn {

namespace {

constexpr CodeStyle styles[] = {
    {.name = "mlperf-bf16",
     .summary = "as tuned for MLPerf: bf16 activations, LAMB, each replica updates its share of the weights",
     .activations = DType::bf16,
     .sharded_update = true,
     .update = UpdateRule::lamb,
     .clips = true},
    {.name = "flax-bf16",
     .summary = "JAX with Flax: bf16 activations, dropout by Threefry, AdamW, a replica for each megacore chip",
     .activations = DType::bf16,
     .program = {.counter_based_dropout = true, .keyed_bits = true, .shared_attention_masks = true},
     .megacore = true,
     .flax = true},
    {.name = "tf2",
     .summary =
         "TensorFlow 2 with Keras under mixed_bfloat16: bf16 activations, AdamW, a replica for each megacore chip",
     .activations = DType::bf16,
     .megacore = true,
     .clips = true},
    {.name = "tf1-f32",
     .summary = "TensorFlow 1 with TPUEstimator, as BERT, ALBERT and ELECTRA were released: f32 activations and "
                "dropout masks, one-hot embeddings, heads split by reshapes",
     .program = {.counter_based_dropout = true, .float_masks = true, .one_hot_embeddings = true},
     .reshapes_move = true,
     .clips = true,
     .joined_all_reduce = false},  // CrossShardOptimizer reduces each gradient by itself
};

/// Programs of so few layers and of one more say what each layer does.
constexpr std::int64_t few_layers = 3;

std::int64_t replicas_of(const TrainingJob& job) {
  return job.code.megacore && job.slice.chip.megacore ? job.slice.chips : job.slice.replicas;
}

tpu::ProgramEstimate program_of(const TrainingJob& job, std::int64_t sequences) {
  const tpu::Slice slice = replica_slice(job);
  const tpu::EstimateOptions options = estimate_options(job);
  const PretrainingBatch batch{sequences, job.length, std::min(job.predictions, job.length)};
  const auto of = [&](std::int64_t layers) {
    return tpu::fused(pretraining_program(job.model, layers, batch, job.code.program), options.fuse);
  };
  const bool shares = job.model.kind == TransformerKind::albert;  // gradients are sums over all layers
  if (const std::int64_t further = job.model.layers - few_layers - 1; further > 0 && !shares)
    if (const auto all = tpu::with_layers(of(few_layers), of(few_layers + 1), further))
      return tpu::estimate(*all, slice, options);
  return tpu::estimate(of(job.model.layers), slice, options);
}

struct Update {
  std::string_view name;
  double state = 0;  ///< bytes kept for one parameter
  double pass = 0;   ///< bytes read and written of memory for one parameter
};
constexpr Update updates[] = {
    // Weight, gradient and two moments are read, weight and moments written.
    {"adamw", 8, 28},
    // The update is written too, and read with the weight once its norm is known (You et al. 2019).
    {"lamb", 8, 40},
    // Moments are sums of rows and of columns, which take next to nothing; the gradient is read for them, for the
    // update's size and for the update, the weight is read and written (Shazeer and Stern 2018, without momentum).
    {"adafactor", 0, 20},
};
const Update& update_of(UpdateRule rule) { return updates[static_cast<std::size_t>(rule)]; }

/// The memory of `program` with what surrounds it, and what recomputation makes it fit.
MemoryBudget memory_of(const TrainingJob& job, const tpu::ProgramEstimate& program, double& recompute) {
  const tpu::Core core = tpu::core_of(job.slice.chip, estimate_options(job).megacore);
  const double parameters = parameter_count(job.model);
  const double shards = job.code.sharded_update ? static_cast<double>(replicas_of(job)) : 1;
  MemoryBudget memory;
  memory.capacity = core.usable_bytes;
  memory.weights = program.memory.parameters;
  memory.optimizer = update_of(job.code.update).state * parameters / shards;
  memory.gradients = 4 * parameters * (job.accumulate > 1 ? 2 : 1);
  // A step ends with all gradients beside what is summed up so far; its peak may lie before.
  const double around = memory.optimizer + (job.accumulate > 1 ? 4 * parameters : 0);
  memory.activations = program.memory.temporaries;
  const double least = program.memory.parameters + program.memory.results;
  const auto total = [&](const tpu::MemoryNeed& need) { return around + std::max(need.peak, least); };
  memory.peak = memory.needed = total(program.memory);
  memory.largest = program.memory.largest;
  memory.fits = memory.peak <= memory.capacity;
  recompute = 0;
  for (const tpu::MemoryNeed& need : program.recomputed) {
    if (memory.fits) break;
    const double bytes = total(need);
    if (bytes >= memory.needed) continue;
    // Of what this rate adds, as many layers as it takes.
    const double share = std::min(1.0, (memory.needed - memory.capacity) / (memory.needed - bytes));
    recompute += share * (need.recompute_seconds - recompute);
    memory.needed -= share * (memory.needed - bytes);
    memory.fits = memory.needed <= memory.capacity * (1 + 1e-9);
  }
  return memory;
}

double architecture_flops(const TransformerConfig& c, std::int64_t length, std::int64_t predictions) {
  const auto s = static_cast<double>(length), e = static_cast<double>(c.embedding),
             v = static_cast<double>(c.vocabulary), layers = static_cast<double>(c.layers),
             h = static_cast<double>(c.hidden), ff = static_cast<double>(c.intermediate);
  const auto encoder = [&](double hidden, double inner) {
    return layers * s * (8 * hidden * hidden + 4 * hidden * inner) + 4 * layers * s * s * hidden;
  };
  const auto head = [&](double hidden, double guessed) { return guessed * (2 * e * v + 2 * hidden * e); };
  double flops = encoder(h, ff);
  if (c.kind == TransformerKind::gpt2)
    flops += s * 2 * h * v;
  else if (c.kind == TransformerKind::electra) {
    const auto g = static_cast<double>(c.generator_hidden);
    flops += encoder(g, static_cast<double>(generator_intermediate(c))) + head(g, static_cast<double>(predictions)) +
             s * 2 * h * h;
  } else
    flops += head(h, static_cast<double>(predictions));
  return 3 * flops;
}

void require_shares(const TrainingJob& job) {
  tpu::require_made(job.slice);
  for (const auto& [what, value] : {std::pair{"batch", job.batch},
                                    {"sequence length", job.length},
                                    {"number of predictions", job.predictions},
                                    {"number of accumulation steps", job.accumulate}})
    if (value < 1 || value > (std::int64_t{1} << 40))
      fail({.number = 403,
            .sentence = "A " + std::string{what} + " of " + std::to_string(value) + " cannot be trained with."});
  const std::int64_t parts = replicas_of(job) * job.accumulate;
  if (job.batch % parts != 0) {
    const std::string shares =
        std::to_string(replicas_of(job)) + " replicas" +
        (job.accumulate > 1 ? " in " + std::to_string(job.accumulate) + " accumulation steps" : "");
    fail({.number = 601,
          .sentence = "A batch of " + std::to_string(job.batch) + " cannot be shared equally by " + shares + " of " +
                      job.slice.name + ".",
          .fix = {"make the batch " + std::to_string((job.batch / parts + 1) * parts),
                  "fill it up with sequences of weight zero: TrainingJob::padding; for octet estimate, --pad-batch"}});
  }
}

/// How many parameters have so many numbers.
using ParameterSizes = std::map<double, std::int64_t>;

ParameterSizes parameter_sizes(const TrainingJob& job) {
  const auto of = [&](std::int64_t layers) {
    const Graph graph = pretraining_program(job.model, layers, {1, 1, 1}, job.code.program);
    ParameterSizes sizes;
    for (const ValueId id : graph.parameters())
      if (graph.type(id).dtype == DType::f32) ++sizes[static_cast<double>(graph.type(id).shape.elements())];
    return sizes;
  };
  if (job.model.layers <= few_layers) return of(job.model.layers);
  // Each further layer has as many as the first of them.
  ParameterSizes sizes = of(few_layers);
  const ParameterSizes few = sizes;
  for (const auto& [size, count] : of(few_layers + 1)) {
    const auto at = few.find(size);
    sizes[size] += (count - (at == few.end() ? 0 : at->second)) * (job.model.layers - few_layers);
  }
  return sizes;
}

}  // namespace

tpu::Slice replica_slice(const TrainingJob& job) {
  tpu::Slice slice = job.slice;
  slice.replicas = replicas_of(job);
  return slice;
}

tpu::EstimateOptions estimate_options(const TrainingJob& job) {
  tpu::EstimateOptions options;
  options.costing.constants = job.constants;
  options.costing.activations = job.code.activations;
  options.costing.slowdown = job.code.flax ? job.constants.flax_slowdown : 1;
  options.fuse.reshapes_move = job.code.reshapes_move;
  options.fuse.draws_bits = !job.code.program.keyed_bits;
  options.megacore = replicas_of(job) == job.slice.chips && job.slice.chip.cores > 1;
  return options;
}

std::string_view name(UpdateRule rule) { return update_of(rule).name; }

std::span<const CodeStyle> code_styles() { return styles; }

const CodeStyle* find_code_style(std::string_view name) {
  for (const CodeStyle& style : styles)
    if (style.name == name) return &style;
  return nullptr;
}

TrainingEstimate estimate_training(const TrainingJob& job) {
  validate(job.model);
  require_shares(job);
  const tpu::Slice slice = replica_slice(job);
  const tpu::EstimateOptions options = estimate_options(job);
  const tpu::Core core = tpu::core_of(slice.chip, options.megacore);
  const double parameters = parameter_count(job.model), rounds = static_cast<double>(job.accumulate);
  TrainingEstimate result;
  result.replicas = slice.replicas;
  result.sequences = job.batch / (slice.replicas * job.accumulate);
  result.program = program_of(job, result.sequences);
  result.forward_backward = rounds * result.program.seconds;
  result.memory = memory_of(job, result.program, result.recompute);
  result.recompute *= rounds;

  const double bandwidth = core.hbm_bandwidth * job.constants.hbm_efficiency;
  // Each part's gradient is added to the sum: both are read, the sum is written.
  if (job.accumulate > 1) result.accumulate = rounds * 12 * parameters / bandwidth;
  if (slice.replicas > 1) {
    const ParameterSizes sizes = job.code.joined_all_reduce ? ParameterSizes{{parameters, 1}} : parameter_sizes(job);
    const double start = job.code.joined_all_reduce ? 0 : job.constants.operation_seconds;
    for (const auto& [size, count] : sizes) {
      const double each = start + tpu::collective_seconds(Op::all_reduce, 4 * size, slice, job.constants);
      result.all_reduce += static_cast<double>(count) * each;
      result.all_reduces += count;
    }
  }
  const double shards = job.code.sharded_update ? static_cast<double>(slice.replicas) : 1;
  result.update = update_of(job.code.update).pass * parameters / shards / bandwidth;
  if (job.code.clips) {
    // The norm needs all gradients before any is used, so they are read once more; of shares the squares are added up
    // over the replicas, one number each. What scales them down is part of the update.
    const double norm = 4 * parameters / shards / bandwidth;
    const double together =
        job.code.sharded_update && slice.replicas > 1
            ? job.constants.operation_seconds + tpu::collective_seconds(Op::all_reduce, 4, slice, job.constants)
            : 0;
    result.update += norm;
    result.all_reduce += together;
    result.clip = norm + together;
  }
  const double tokens = static_cast<double>(job.batch) * static_cast<double>(job.length);
  result.infeed =
      tokens * 5 * 4 / static_cast<double>(slice.chips) / tpu::host_bandwidth;  // at most five arrays of i32
  result.step = std::max(result.infeed, result.device());

  result.model_flops = static_cast<double>(job.batch - job.padding) *
                       architecture_flops(job.model, job.length, std::min(job.predictions, job.length));
  result.peak_share = result.model_flops / (result.step * slice.chip.peak * static_cast<double>(slice.chips));
  result.matrix_use = result.program.flops / std::max(1.0, result.program.padded_flops);
  result.waste = tpu::waste_of(result.program, core);
  for (tpu::Waste& waste : result.waste) waste.seconds *= rounds;
  return result;
}

std::int64_t shares_of(const TrainingJob& job) { return replicas_of(job) * std::max<std::int64_t>(1, job.accumulate); }

TrainingJob padded_evenly(TrainingJob job) {
  const std::int64_t parts = shares_of(job);
  const std::int64_t over = job.batch % parts;
  if (job.batch >= 1 && over != 0) {
    job.padding += parts - over;
    job.batch += parts - over;
  }
  return job;
}

namespace {

/// What so many sequences of one part need, asked for once each.
class SequenceNeeds {
 public:
  explicit SequenceNeeds(const TrainingJob& job) : job_{job} {
    validate(job.model);
    require_shares(job);
  }

  struct Need {
    double kept = 0, least = 0;  ///< bytes with nothing recomputed, and with all that can be
    double capacity = 0, recompute_seconds = 0;
    bool fits = false;
  };
  const Need& of(std::int64_t sequences) {
    const auto [at, is_new] = known_.try_emplace(sequences);
    if (!is_new) return at->second;
    const tpu::ProgramEstimate program = program_of(job_, sequences);
    Need& need = at->second;
    const MemoryBudget memory = memory_of(job_, program, need.recompute_seconds);
    double bytes = program.memory.peak;
    for (const tpu::MemoryNeed& each : program.recomputed) bytes = std::min(bytes, each.peak);
    need.kept = memory.peak;
    need.least = bytes + memory.peak - program.memory.peak;
    need.capacity = memory.capacity;
    need.fits = memory.fits;
    return need;
  }

  std::int64_t most(bool recomputing) {
    return tpu::most_that_fit(of(8).capacity, most_sequences_tried, [&](std::int64_t sequences) {
      const Need& need = of(sequences);
      return recomputing ? tpu::Fit{need.least, need.fits} : tpu::Fit{need.kept, need.kept <= need.capacity};
    });
  }

 private:
  const TrainingJob& job_;
  std::map<std::int64_t, Need> known_;
};

}  // namespace

std::int64_t largest_batch(const TrainingJob& job) { return SequenceNeeds{job}.most(true); }

BatchLimits batch_limits(const TrainingJob& job) {
  SequenceNeeds needs{job};
  BatchLimits limits{.kept = needs.most(false), .recomputing = needs.most(true)};
  if (limits.recomputing > limits.kept)
    limits.recompute_seconds = static_cast<double>(job.accumulate) * needs.of(limits.recomputing).recompute_seconds;
  return limits;
}

std::vector<MemoryChoice> memory_choices(const TrainingJob& job) {
  std::vector<MemoryChoice> choices;
  const auto choice = [&](std::string_view id, std::string what, const TrainingJob& changed) {
    const TrainingEstimate estimate = estimate_training(changed);
    choices.push_back({id, std::move(what), estimate.memory.needed, estimate.step, estimate.memory.fits});
  };
  const std::int64_t sequences = job.batch / (replicas_of(job) * job.accumulate);
  if (sequences % 2 == 0) {
    TrainingJob smaller = job;
    smaller.batch /= 2;
    smaller.padding = 0;
    choice("half_batch", "half the batch, " + std::to_string(smaller.batch), smaller);
    TrainingJob accumulating = job;
    accumulating.accumulate *= 2;
    choice("accumulate", accumulation_text(accumulating.accumulate), accumulating);
  }
  if (job.code.activations == DType::f32) {
    TrainingJob narrow = job;
    narrow.code.activations = DType::bf16;
    choice("bf16_activations", "bf16 activations", narrow);
  }
  if (!job.code.sharded_update && replicas_of(job) > 1) {
    TrainingJob sharded = job;
    sharded.code.sharded_update = true;
    choice("sharded_optimizer", "optimizer state sharded over the replicas", sharded);
  }
  if (!job.code.program.gradient_checkpointing) {
    TrainingJob again = job;
    again.code.program.gradient_checkpointing = true;
    choice("gradient_checkpointing", "gradient checkpointing, which computes each layer again", again);
  }
  return choices;
}

}  // namespace octet::nn
