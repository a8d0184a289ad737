/// Buckets: to which extent a dimension is padded, so that many shapes share few programs.
export module octet.compile:buckets;
import octet.base;
import octet.standard;

export namespace octet {

/// A rule from extents to extents, never smaller ones. Made by the functions below; a default one is `exact()`.
class BucketPolicy {
 public:
  enum class Kind : std::uint8_t { exact, multiple_of, one_of, doubling_then_linear, longest };

  BucketPolicy() = default;

  /// The extent that `extent` is padded to. Throws X301 where no bucket is large enough, X403 for a negative extent.
  std::int64_t bucket(std::int64_t extent) const;
  /// Whether some bucket is large enough for `extent`.
  bool holds(std::int64_t extent) const;
  /// Whether there are only so many buckets, whatever extents come.
  bool bounded() const { return kind_ == Kind::one_of; }
  /// The buckets, increasing: all of a bounded policy, else those from the smallest to that of `largest`, and of
  /// `exact` and `longest` `largest` alone. At most `most` of them, the smallest. Throws as `bucket(largest)` does.
  std::vector<std::int64_t> buckets_up_to(std::int64_t largest, std::size_t most = 4096) const;

  Kind kind() const { return kind_; }
  /// Of `multiple_of`: the multiple. Of `one_of`: the buckets, increasing. Of `doubling_then_linear`: the bound and the
  /// step.
  const std::vector<std::int64_t>& extents() const { return extents_; }

  friend bool operator==(const BucketPolicy&, const BucketPolicy&) = default;
  friend BucketPolicy exact();
  friend BucketPolicy multiple_of(std::int64_t n);
  friend BucketPolicy one_of(std::vector<std::int64_t> extents);
  friend BucketPolicy doubling_then_linear(std::int64_t bound, std::int64_t step);
  friend BucketPolicy longest();

 private:
  Kind kind_ = Kind::exact;
  std::vector<std::int64_t> extents_;
};

/// No padding: a program for each extent.
BucketPolicy exact();
/// The next multiple of `n`; zero stays zero. Throws X709 where `n` is below 1.
BucketPolicy multiple_of(std::int64_t n);
/// The smallest of `extents` that is large enough. Throws X709 where there are none or one is below 1.
BucketPolicy one_of(std::vector<std::int64_t> extents);
/// Always `n`: one program.
BucketPolicy max_length(std::int64_t n);
/// The next power of two where that is at most `bound`, else the next multiple of `step`: few programs for short
/// extents, little padding of long ones. Zero stays zero. Throws X709 where one of them is below 1.
BucketPolicy doubling_then_linear(std::int64_t bound, std::int64_t step);
/// The longest extent that the rule finds among the arrays of one call: they all get that one, and each longest extent
/// has a program of its own. A batch whose rows were padded to the longest of them is left as it is.
BucketPolicy longest();
/// As one would write it: `multiple_of(64)`, `one_of({64, 128})`.
std::string to_string(const BucketPolicy& policy);

/// Pads dimension `dimension` of every array that is called `argument` or lies below it: `batch` names `batch.tokens`.
/// Arrays below it that have no such dimension are left alone.
struct Bucket {
  std::string argument;
  std::int64_t dimension = 0;  ///< a negative one counts from the end
  BucketPolicy policy = {};
  double fill = 0;  ///< what the padding consists of, converted to the array's element type
  friend bool operator==(const Bucket&, const Bucket&) = default;
};

/// Whether `name` is `argument` or lies below it: `batch.x` and, as JAX writes it, `batch['x']` below `batch`.
bool lies_below(std::string_view name, std::string_view argument);

/// `tensor` with `fill` after its elements in each dimension, up to `shape`. Throws X401 where `shape` has another rank
/// or a smaller extent. A tensor that has that shape already is returned as it is, sharing its storage.
Tensor pad_to(const Tensor& tensor, const Shape& shape, double fill = 0);

/// Elements of arrays that a bucket names: what was given, and what padding added.
struct PaddedElements {
  std::int64_t real = 0;
  std::int64_t padding = 0;
  /// The share of padding in what is computed; 0 where nothing is.
  double share() const {
    return real + padding == 0
               ? 0
               : static_cast<double>(padding) / (static_cast<double>(real) + static_cast<double>(padding));
  }
  PaddedElements& operator+=(const PaddedElements& other) {
    real += other.real;
    padding += other.padding;
    return *this;
  }
  friend bool operator==(const PaddedElements&, const PaddedElements&) = default;
};

/// Pads `tensors`, called `names`, up to their buckets. Where several rules name a dimension of an array, the first
/// decides; where dimensions of one array are filled differently, the later rule fills the corner. Throws X301 for all
/// dimensions that no bucket holds, X709 for a rule that no array answers to, or that an earlier one leaves nothing to
/// decide.
PaddedElements pad_to_buckets(std::span<const std::string> names, std::span<Tensor> tensors,
                              std::span<const Bucket> buckets);

}  // namespace octet

namespace octet {

/// A dimension of an array that a rule decides.
struct BucketedDimension {
  std::size_t array, rule;
  std::int64_t dimension, extent;
  std::optional<std::int64_t> bucket;  ///< none where no bucket is large enough
};

/// Whether `earlier` decides all that `later` names, whatever arrays there are, and otherwise than `later` would.
bool forestalls(const Bucket& earlier, const Bucket& later);

/// What `buckets` decide of arrays called `names` with these shapes, by array and then by rule. Throws X709 for a rule
/// that no array answers to, or that an earlier one leaves nothing to decide.
std::vector<BucketedDimension> bucketed_dimensions(std::span<const std::string> names,
                                                   std::span<const Shape* const> shapes,
                                                   std::span<const Bucket> buckets);

}  // namespace octet
