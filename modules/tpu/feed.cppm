/// The feed: what the hosts of a slice do for each batch while the chips compute on another, and how long the chips
/// wait for it.
export module octet.tpu:feed;
import octet.base;
import octet.standard;
import :chip;
import :host;
import :slice;

export namespace octet::tpu {

/// How the hosts of a slice make batches. What is 0 is filled in by `feed`.
struct FeedOptions {
  DataPlacement data = {};
  std::int64_t threads = 0;    ///< of each host that prepare examples; 0: one for each of its processors
  std::int64_t prefetch = 2;   ///< batches on their way while a step runs; 0: one is begun when the step before is done
  double example_bytes = 0;    ///< of an example as it is stored; 0: as many as the chips take
  double transfer_bytes = 0;   ///< of an example as the chips take it
  double prepare_seconds = 0;  ///< of one processor, for an example: decode, tokenize, mask
  double slow_host = 1;        ///< how many times longer than the others the first host reads and prepares
  /// Where it was measured: seconds that each host takes to read and prepare its share of a batch, instead of what
  /// follows from the above.
  std::vector<double> measured = {};
};

/// What happens to a batch, in this order. Each takes one batch at a time.
enum class FeedStage : std::uint8_t { read, prepare, transfer, step };
std::string_view name(FeedStage stage);

/// Seconds for one host's share of a batch.
struct StageSeconds {
  double read = 0, prepare = 0, transfer = 0;
  double all() const { return read + prepare + transfer; }
};

/// The feed of a slice.
struct Feed {
  std::vector<StageSeconds> hosts;  ///< one for each; all are alike, but for a slow one
  std::int64_t prefetch = 2;
  std::int64_t threads = 1;  ///< of each host
};

/// The feed of batches of `batch` examples on `slice`. A host's share is read, prepared by its threads, an example each
/// at a time (one at a time where the pipeline calls back into a program, whose interpreter runs one thread), and
/// carried over PCIe. Throws the faults of the placement (X606, X607, X610) and X403 for numbers that cannot be.
Feed feed(const FeedOptions& options, const Slice& slice, std::int64_t batch);

/// Seconds from one step to the next once the feed has filled, where a step computes for `step_seconds`: that of the
/// slowest stage, or where too few batches are on their way, of one batch's whole way divided by their number. The step
/// begins when all hosts have delivered, and a host begins on a batch when the step so many before it is done. Throws
/// X403 where no such feed or step can be.
double cycle_seconds(const Feed& feed, double step_seconds);

/// What the feed does to a program whose steps compute for `step_seconds`.
struct FeedEstimate {
  double step_seconds = 0;
  double cycle_seconds = 0;                       ///< from one step to the next
  double waiting_share = 0;                       ///< of the chips' time
  FeedStage slowest = FeedStage::step;            ///< the stage that takes longest
  bool too_few_prefetched = false;                ///< whether more batches on their way would be faster
  bool one_slow_host = false;                     ///< whether the chips wait for one host alone
  std::int64_t slow_host = 0;                     ///< that host, counted from 1
  double slow_host_factor = 1;                    ///< how many times longer than the others it takes; infinite: they
                                                  ///< take no time
  std::int64_t threads = 1, host_processors = 1;  ///< of each host
  std::optional<std::int64_t>
      threads_needed;  ///< the fewest of each host with which the chips do not wait; nothing: no number does
  std::optional<std::int64_t> prefetch_needed;  ///< the same for batches on their way, with the threads there are
};
FeedEstimate estimate_feed(const FeedOptions& options, const Slice& slice, std::int64_t batch, double step_seconds);

/// When one batch is where: of each host the beginnings and ends of the stages, and the step. Seconds from the
/// beginning.
struct FedStep {
  struct Span {
    double begin = 0, end = 0;
  };
  struct Host {
    Span read, prepare, transfer;
  };
  std::vector<Host> hosts;
  Span step;
};
/// The first `steps` steps. Throws X403 as `cycle_seconds` does.
std::vector<FedStep> fed_steps(const Feed& feed, double step_seconds, std::int64_t steps);

/// Bytes each second that one connection to a bucket, and the disk of a host, are taken to deliver; what all
/// connections of a host share is the network's (published).
inline constexpr double bucket_connection_bandwidth = 100e6;
inline constexpr double disk_bandwidth = 1e9;
inline constexpr double network_bandwidth = 25e9;

}  // namespace octet::tpu
