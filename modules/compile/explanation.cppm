/// Explanations of compiles: why none of the known programs would do, and what would spare the next ones.
export module octet.compile:explanation;
import octet.base;
import octet.standard;
import :buckets;
import :seen_shapes;
import :signature;
import :trace_difference;

export namespace octet {

/// One way to need fewer programs, and what it costs.
struct Cure {
  std::string change;                ///< as one would write it: `{"batch", 1, multiple_of(64)}` among the buckets
  std::size_t programs = 0;          ///< for the shapes seen; 0 where that cannot be told
  std::size_t programs_now = 0;      ///< with the buckets there are
  PaddedElements elements = {};      ///< of the arrays whose shapes varied, over the calls seen
  std::vector<Bucket> buckets = {};  ///< those rules, to go before the ones there are
  /// `.buckets = {{"batch", 1, multiple_of(64)}}: 2 programs instead of 9 for the shapes seen, 12.0 % padding`.
  std::string text() const;
};

/// A program was compiled, and why none of the known ones would do.
struct CompileEvent {
  std::string function = {};  ///< the name given in CacheOptions
  Signature signature = {};
  std::optional<Signature> nearest = {};              ///< the known program that differs least; none for the first
  std::vector<SignatureDifference> differences = {};  ///< from `nearest`; none where that very program had been evicted
  double milliseconds = 0;                            ///< tracing included
  std::size_t programs = 0;                           ///< in the cache now, this one included
  std::uint64_t compiles = 0;                         ///< so far, this one included
  std::vector<Cure> cures = {};                  ///< at most three, the one with the least time to be expected first
  std::optional<TraceDifference> retraced = {};  ///< of an evicted program that was traced otherwise this time

  /// Whether this very program had been compiled before and was evicted since.
  bool was_evicted() const { return nearest && differences.empty(); }
  /// One line: `step compiled in 41.0 ms: dimension 1 of batch.tokens is 128, before 64 (and 2 more)`.
  std::string text() const;
  /// Several lines: what it was compiled for, the nearest program, all that differs, and the cures.
  std::string explain() const;
};

/// What there is to weigh cures by.
struct Expense {
  double compile_milliseconds = 0;  ///< of all compiles so far
  std::uint64_t compiles = 0;
  double run_milliseconds = 0;   ///< of all calls so far
  std::size_t max_programs = 0;  ///< that the cache keeps
};

/// At most three cures for `differences`, best first. Buckets are judged by the shapes seen, as if a run of at least a
/// thousand calls went on like them; what differs otherwise has a rule of its own.
std::vector<Cure> cures(const std::vector<SignatureDifference>& differences, const SeenShapes& seen,
                        std::span<const Bucket> buckets, const Expense& expense);

}  // namespace octet

namespace octet {

/// `41.0 ms`.
std::string in_milliseconds(double milliseconds);
/// `12.0 %`.
std::string in_percent(double share);
/// `32, 37, 41, … (19 extents from 32 to 118)`.
std::string extents_text(const LengthHistogram& extents);

}  // namespace octet
