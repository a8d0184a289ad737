/// Buckets fitted to the lengths that occur: those for which compiling and running together take the least time.
export module octet.compile:fitted;
import octet.base;
import octet.standard;
import :buckets;

export namespace octet {

/// How often each extent occurs.
using LengthHistogram = std::map<std::int64_t, std::int64_t>;
LengthHistogram length_histogram(std::span<const std::int64_t> lengths);

/// What the fit weighs, as measured: a compiled function's statistics() tell the times.
struct FittingOptions {
  double compile_seconds = 0;      ///< of one program
  double seconds_per_element = 0;  ///< of running, for one position of the dimension in one call
  double repetitions = 1;          ///< how often the run sees the histogram: 50 where it holds a fiftieth of the calls
  std::size_t max_buckets = 0;     ///< 0: as many as pay
  std::int64_t multiple = 8;       ///< buckets are multiples of this: the rows that a matrix unit takes at once
};

/// What a policy costs over a run.
struct BucketCost {
  std::size_t programs = 0;      ///< buckets that occur, each compiled once
  PaddedElements elements = {};  ///< of the histogram, once
  double compile_seconds = 0;
  double run_seconds = 0;  ///< padding included, all repetitions
  double seconds() const { return compile_seconds + run_seconds; }
  friend bool operator==(const BucketCost&, const BucketCost&) = default;
};

/// Throws X301 where no bucket holds a length, X403 for a negative one, X709 for options out of range or an empty
/// histogram.
BucketCost bucket_cost(const BucketPolicy& policy, const LengthHistogram& lengths, const FittingOptions& options);

/// What `fitted` found, beside what one would have taken without looking.
struct FittedBuckets {
  BucketPolicy policy = {};
  BucketCost cost = {};
  BucketCost multiples_of_64 = {};
  /// Seconds gained over multiples of 64; below 0 where `max_buckets` or `multiple` forbid what those have.
  double gain() const { return multiples_of_64.seconds() - cost.seconds(); }
  /// One line for each, and what is gained.
  std::string text() const;
};

/// The buckets with the least bucket_cost, by dynamic programming over the lengths that occur: a bucket is the longest
/// of the lengths that go to it, rounded up to `multiple`. Lengths beyond the longest of the histogram find no bucket.
/// Throws as bucket_cost does, and X709 where neither compiling nor running costs anything.
FittedBuckets fitted(const LengthHistogram& lengths, const FittingOptions& options);

}  // namespace octet
