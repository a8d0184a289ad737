/// Where a training job wastes time: what to change, and what that would gain.
export module octet.nn:findings;
import octet.base;
import octet.standard;
import octet.tpu;
import :training_cost;

export namespace octet::nn {

/// What a number in a finding counts.
enum class FindingUnit : std::uint8_t { count, share, seconds, bytes, factor };
std::string_view name(FindingUnit unit);

struct FindingValue {
  std::string_view name;  ///< `padding`
  double value = 0;
  FindingUnit unit = FindingUnit::count;
};

/// One thing that keeps a job from being faster, in English and as a code with its numbers, for other languages.
struct Finding {
  std::string_view id;                ///< `padded_heads`
  std::string sentence;               ///< what is slow, with its numbers
  std::vector<FindingValue> values;   ///< of the sentence, in the order given below
  std::string_view remedy;            ///< `fewer_heads`
  std::string change;                 ///< the dimension or option to change, and to what
  std::vector<FindingValue> changes;  ///< of `change`
  /// Of a step on as many sequences, that the change saves; where it is their length, on as many tokens. 0 where a step
  /// takes no longer with it, and computes on data what is padding now.
  double seconds = 0;
};

/// Programs compiled in a run, as counted or foreseen.
struct Compiles {
  std::int64_t programs = 1;
  std::int64_t steps = 1;
  double seconds = 30;  ///< of one; XLA takes a quarter of a minute for a small transformer, minutes for a large one
};

/// What would make `job` faster, of which `estimate` is the estimate: the largest gain first. Each gain is that of an
/// estimate of the changed job, which must fit, or none, where padding would become data. With `feed`, what it is fed
/// by is looked at too, and chips that wait for it gain nothing by computing less; with `compiles`, what the compiler
/// takes of each step.
///
/// The ids, and what their sentences count:
/// - `uneven_shards` given, parts, padding, batch
/// - `slow_host` host, hosts, factor, waiting_share; where the others take no time `only_slow_host` host, hosts,
///   waiting_share
/// - `bucket_too_slow`, `disk_too_slow`, `network_too_slow`, `host_callback`, `host_too_slow`, `transfer_too_slow`
///   host_seconds, step_seconds, waiting_share
/// - `too_few_prefetched` prefetch, waiting_share
/// - `recompiles` programs, steps, compile_seconds, waiting_share
/// - `tiny_collectives` all_reduces, bytes, seconds, chips
/// - `unoverlapped_all_reduce` seconds
/// - `bound_by_all_reduce` share, sequences
/// - `whole_update` parameters, seconds
/// - `f32_activations` memory_share
/// - `padded_heads`, `padded_rows` extent, padded
/// - `padded_sequence`, `padded_vocabulary`, `padded_hidden`, `padded_intermediate` extent, unit, padded
///
/// The remedies, and what they count: `even_batch` batch, below; `even_batch_above` batch; `mend_host`; `faster_hosts`
/// step_seconds; `threads` needed, now; `more_threads`, which do not end the wait, needed, now, cycle_seconds;
/// `threads_of_more_hosts` needed, now, processors; `record_files`; `from_bucket`; `from_memory`; `bucket_or_memory`;
/// `fewer_stored_bytes` cycle_seconds; `store_prepared`; `fewer_bytes`; `prefetch` needed; `prefetch_more` now;
/// `few_lengths`; `join_all_reduces` seconds; `overlap_all_reduce`; `larger_batch_either` batch, at_once_seconds,
/// parts, in_parts_seconds; `larger_batch_at_once` batch; `larger_batch_in_parts` batch, parts; `shard_optimizer`;
/// `bf16_activations`; `fewer_heads` heads, size, now; `batch_of_rows`, of parts
/// `batch_of_rows_in_parts`, batch, sequences; `other_length`, `longer_positions` to, step_seconds, saved_share;
/// `fill_up` to; `fill_up_or_below` to, below; `down_to` below.
std::vector<Finding> findings(const TrainingJob& job, const TrainingEstimate& estimate,
                              const std::optional<tpu::FeedOptions>& feed = {},
                              const std::optional<Compiles>& compiles = {});

}  // namespace octet::nn
