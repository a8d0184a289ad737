/// The shapes that a function was called with, and how often: what an explanation of its recompiles goes by.
export module octet.compile:seen_shapes;
import octet.base;
import octet.standard;
import :buckets;
import :fitted;

export namespace octet {

/// Dimensions that were always of one extent, and how often which.
struct VaryingExtent {
  struct Dimension {
    std::string array;  ///< `batch.tokens`
    std::int64_t dimension = 0;
    friend bool operator==(const Dimension&, const Dimension&) = default;
  };
  std::vector<Dimension> dimensions;
  LengthHistogram extents;
  std::vector<std::string> also;  ///< arrays with such a dimension of another extent, under the same arguments
};

/// What the calls seen would need under some buckets.
struct SeenOutcome {
  std::size_t programs = 0;
  PaddedElements elements = {};  ///< of the arrays whose shapes varied, over all calls
};

/// Counts calls by their shapes before padding. Bounded: beyond `most_shapes` distinct ones, further ones are only
/// counted together.
class SeenShapes {
 public:
  static constexpr std::size_t most_shapes = 2048;
  static constexpr std::size_t most_forms = 8;  ///< lists of names and ranks

  /// Where a call was counted. Good until other shapes make the place finer.
  struct Place {
    std::size_t form = 0;
    Dims extents = {};
    std::uint64_t fineness = 0;
  };

  /// Where it was counted; nothing where it was not kept.
  std::optional<Place> add(std::span<const std::string> names, std::span<const Tensor> tensors);
  bool holds(const Place& place) const { return place.fineness == fineness_; }
  /// Counts another call like the one counted at `place`, which holds.
  void add(const Place& place);

  std::uint64_t calls() const { return calls_; }
  std::uint64_t beyond() const { return beyond_; }  ///< calls of shapes that were not kept
  /// The extents that varied, of the calls with the names and ranks that are most frequent.
  std::vector<VaryingExtent> varying() const;
  /// Nothing where a bucket holds not all that was seen, or names nothing.
  std::optional<SeenOutcome> under(std::span<const Bucket> buckets) const;

 private:
  /// Calls with the same names and ranks. A shape is kept as the extents of the dimensions that are not always the
  /// same.
  struct Form {
    std::vector<std::string> names;
    std::vector<Shape> first;
    struct Position {
      std::size_t array;
      std::int64_t dimension;
    };
    std::vector<Position> varying;
    std::map<Dims, std::uint64_t> calls;
    std::uint64_t count = 0;
  };
  Form* form(std::span<const std::string> names, std::span<const Tensor> tensors);

  std::vector<Form> forms_;
  std::uint64_t fineness_ = 0;  ///< how often further dimensions were found to vary
  std::size_t shapes_ = 0;
  std::uint64_t calls_ = 0, beyond_ = 0;
};

}  // namespace octet
