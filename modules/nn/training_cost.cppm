/// What a training step of a transformer takes on a slice: the estimate behind `octet estimate`.
export module octet.nn:training_cost;
import octet.base;
import octet.standard;
import octet.tpu;
import :pretraining;
import :transformer;

export namespace octet::nn {

enum class UpdateRule : std::uint8_t { adamw, lamb, adafactor };
std::string_view name(UpdateRule rule);

/// The class of code that trains. It moves results up to twofold on the same hardware.
struct CodeStyle {
  std::string_view name;           ///< `mlperf-bf16`
  std::string_view summary;        ///< what it stands for
  DType activations = DType::f32;  ///< what tensors between operations are stored as
  ProgramStyle program = {};
  bool reshapes_move = false;   ///< attention reshapes two-dimensional products, which moves data
  bool sharded_update = false;  ///< each replica updates its share of the weights (Xu et al. 2020)
  UpdateRule update = UpdateRule::adamw;
  bool megacore = false;          ///< one replica for each chip where chips have megacore
  bool flax = false;              ///< slowed down by CostConstants::flax_slowdown
  bool clips = false;             ///< gradients are scaled down to a global norm
  bool joined_all_reduce = true;  ///< one all-reduce of all gradients; else one for each, as they are
};
/// mlperf-bf16, flax-bf16, tf2, tf1-f32.
std::span<const CodeStyle> code_styles();
/// The style called `name`, or null.
const CodeStyle* find_code_style(std::string_view name);

/// What is to be trained, where and how.
struct TrainingJob {
  TransformerConfig model;
  tpu::Slice slice;
  std::int64_t batch = 256;       ///< sequences of a step, over all replicas and accumulation steps
  std::int64_t length = 512;      ///< tokens of a sequence
  std::int64_t predictions = 76;  ///< of a sequence; GPT-2 guesses every token
  std::int64_t accumulate = 1;    ///< gradients of so many parts are added up before an update
  std::int64_t padding = 0;  ///< of `batch`, sequences of weight zero that make it even; they cost what others cost
  CodeStyle code;
  tpu::CostConstants constants = tpu::fitted_constants();
};

/// Bytes of memory of one replica.
struct MemoryBudget {
  double capacity = 0;  ///< what a program may use
  double weights = 0, optimizer = 0, gradients = 0;
  double activations = 0;  ///< at the peak, beside what gradients there are by then
  double peak = 0;         ///< with nothing recomputed
  double needed = 0;  ///< with as much recomputed as it takes to fit; the least there is where nothing makes it fit
  bool fits = true;
  std::vector<tpu::LiveTensor> largest;  ///< at the peak
  /// Whether it fits by recomputing of which XLA alone was not seen to do as much: the program must ask for it.
  bool must_ask() const { return fits && peak > most_unasked * capacity; }
};

/// One thing to give up, and what it does.
struct MemoryChoice {
  std::string_view id;  ///< `half_batch`, `accumulate`, `bf16_activations`, `sharded_optimizer`
  std::string what;     ///< `half the batch, 224`
  double peak = 0;      ///< bytes of a replica
  double step_seconds = 0;
  bool fits = false;
};

/// Seconds of one step.
struct TrainingEstimate {
  double step = 0;
  double forward_backward = 0, recompute = 0, accumulate = 0, all_reduce = 0, update = 0;
  double clip = 0;                           ///< of `update` and `all_reduce`, finding the gradients' norm
  std::int64_t all_reduces = 0;              ///< of a step
  double infeed = 0;                         ///< beside the others: hidden unless it takes longer than all of them
  std::int64_t replicas = 0, sequences = 0;  ///< sequences that a replica takes at once
  double model_flops = 0;                    ///< of all replicas and a whole step, as the architecture states them
  double peak_share = 0;                     ///< model_flops over what the slice could do in a step
  double matrix_use = 0;                     ///< of the matrix units' work, the share that is not padding
  tpu::ProgramEstimate program;              ///< forward and backward of one part, on one replica
  MemoryBudget memory;
  std::vector<tpu::Waste> waste;  ///< seconds of a step
  /// Seconds that the chips compute in a step: all but the wait for input.
  double device() const { return forward_backward + recompute + accumulate + all_reduce + update; }
};

/// The estimate of one step. Throws X601 where replicas and accumulation steps cannot share the batch equally, X717 for
/// a model that cannot be, X403 for sizes below 1, X604 for a slice that `tpu::slice` did not make.
TrainingEstimate estimate_training(const TrainingJob& job);

/// The most sequences that a replica of `job` can take at once, activations dropped and computed again where that makes
/// room; 0 where not even one fits.
std::int64_t largest_batch(const TrainingJob& job);

/// More sequences of a replica are not tried.
inline constexpr std::int64_t most_sequences_tried = 1'000'000;

/// The most sequences that a replica can take at once, whatever the batch of the job; where it is
/// `most_sequences_tried`, at least so many.
struct BatchLimits {
  std::int64_t kept = 0;         ///< with nothing recomputed; 0: not one fits so
  std::int64_t recomputing = 0;  ///< with activations dropped and computed again: `largest_batch`
  double recompute_seconds = 0;  ///< of a step of so many, spent on that
};
BatchLimits batch_limits(const TrainingJob& job);

/// What would make `job` need less memory, or change what it takes: half of its batch, accumulation, the other
/// precision, its optimizer's state in shares, each layer computed again.
std::vector<MemoryChoice> memory_choices(const TrainingJob& job);

/// The equal parts that the batch of `job` is split into: of each replica one for each accumulation step.
std::int64_t shares_of(const TrainingJob& job);

/// `job` with its batch filled up by sequences of weight zero, so that replicas and accumulation steps share it
/// equally.
TrainingJob padded_evenly(TrainingJob job);

}  // namespace octet::nn

namespace octet::nn {

/// The slice with as many replicas as the code runs on it, and how its operations are priced.
tpu::Slice replica_slice(const TrainingJob& job);
tpu::EstimateOptions estimate_options(const TrainingJob& job);

}  // namespace octet::nn
