/// Where a training job wastes time: what to change, and what that would gain.
export module octet.nn:findings;
import octet.base;
import octet.standard;
import octet.tpu;
import :training_cost;

export namespace octet::nn {

/// One thing that keeps a job from being faster.
struct Finding {
  std::string_view id;   ///< `padded_heads`
  std::string sentence;  ///< what is slow, with its numbers
  std::string change;    ///< the dimension or option to change, and to what
  double seconds = 0;    ///< of a step on as many sequences, that the change saves; 0: it is for nothing
};

/// What would make `job` faster, of which `estimate` is the estimate: the largest gain first. Each gain is that of an
/// estimate of the changed job, or of the padding that would go. With `feed`, what it is fed by is looked at too.
///
/// The ids: `uneven_shards`, `slow_host`, `host_too_slow`, `too_few_prefetched`, `tiny_collectives`,
/// `unoverlapped_all_reduce`, `bound_by_all_reduce`, `f32_activations`, `whole_update`, `padded_heads`, `padded_rows`,
/// `padded_sequence`, `padded_vocabulary`, `padded_hidden`.
std::vector<Finding> findings(const TrainingJob& job, const TrainingEstimate& estimate,
                              const std::optional<tpu::FeedOptions>& feed = {});

}  // namespace octet::nn
