/// A training step as a timeline: which layer computes when, and how the hosts feed it.
export module octet.nn:training_timeline;
import octet.base;
import octet.standard;
import octet.tpu;
import :training_cost;

export namespace octet::nn {

/// So many accumulation steps are shown one by one, at most.
inline constexpr std::int64_t most_parts_shown = 64;

/// What a replica does in a step of `job`, of which `estimate` is the estimate, in a row: forward and backward by
/// layers and operations (of accumulation steps, operations of the first, and those after `most_parts_shown` in one),
/// then the all-reduce and the update. Together they take `estimate.device()`. An operation that reads no weights
/// counts to the layer before it.
std::vector<tpu::Stretch> step_stretches(const TrainingJob& job, const TrainingEstimate& estimate);

/// The feed of `job` from `data`: six bytes of a stored token and twenty of one that the chips take, and 80 ns of a
/// processor for each token, as Octet's own reader of masked examples takes on one thread.
tpu::FeedOptions usual_feed(const TrainingJob& job, const tpu::DataPlacement& data = {});

}  // namespace octet::nn
