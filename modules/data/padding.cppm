/// Padding policies: to what length a batch is padded, and what that costs. Pure functions of lengths.
export module octet.data:padding;
import octet.standard;

export namespace octet::data {

/// What the rules of a compiled function call buckets, for the batches that are fed to it: `longest` here is `exact` or
/// `longest` there.
struct Padding {
  enum class Kind {
    max_length,            ///< always the maximum: one shape
    longest,               ///< the longest example of the batch: as many shapes as there are lengths
    multiple_of,           ///< the longest, rounded up to a multiple of `multiple`
    lengths,               ///< the smallest of `lengths` that holds the longest
    doubling_then_linear,  ///< the next power of two up to lengths[0], beyond it the next multiple of lengths[1]
  };
  Kind kind = Kind::max_length;
  std::int64_t multiple = 64;
  std::vector<std::int64_t> lengths = {};
  friend bool operator==(const Padding&, const Padding&) = default;
};

Padding pad_to_max_length();
Padding pad_to_longest();
Padding pad_to_multiple_of(std::int64_t multiple);
Padding pad_to_one_of(std::vector<std::int64_t> lengths);
Padding pad_to_doubling_then_linear(std::int64_t bound, std::int64_t step);

/// The length that a batch whose longest example has `longest` tokens is padded to; never above `max_length`.
/// Throws X709 for a policy that makes no sense (a multiple, bound or step below 1, no lengths), X301 where no length
/// holds the example.
std::int64_t padded_length(const Padding& padding, std::int64_t longest, std::int64_t max_length);

/// What padding costs.
struct PaddingCount {
  std::int64_t tokens = 0;   ///< real ones
  std::int64_t padding = 0;  ///< added ones
  double share() const {
    return tokens + padding == 0 ? 0.0 : static_cast<double>(padding) / static_cast<double>(tokens + padding);
  }
  PaddingCount& operator+=(const PaddingCount& other) {
    tokens += other.tokens;
    padding += other.padding;
    return *this;
  }
  friend bool operator==(const PaddingCount&, const PaddingCount&) = default;
};

/// What it costs to pad examples of these lengths, in this order, in batches of `batch`; a last short batch is not
/// filled up.
PaddingCount count_padding(std::span<const std::int64_t> lengths, std::int64_t batch, const Padding& padding,
                           std::int64_t max_length);

}  // namespace octet::data
