/// The kernel of sort: line by line along a dimension, the keys are mapped to integers of the same order and sorted
/// with their places, which then tell every operand where its elements go. Where only the first ones of each line are
/// read, only those are found.
module octet.compile;
import octet.base;
import octet.graph;
import octet.standard;
import :kernel;
import :movement;

namespace octet {

namespace {

/// An integer for each element, ordered as sort orders: -NaN < -inf < … < -0 < +0 < … < +inf < NaN.
template <class T>
std::int64_t total_order(T x) {
  if constexpr (std::is_same_v<T, bfloat16>) {
    return total_order(static_cast<float>(x));
  } else if constexpr (std::is_floating_point_v<T>) {
    using Bits = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
    const auto bits = std::bit_cast<Bits>(x);
    return bits < 0 ? bits ^ std::numeric_limits<Bits>::max() : bits;
  } else {
    return static_cast<std::int64_t>(x);
  }
}

/// No two of a line are equal: what is sorted by it is sorted stably.
struct Entry {
  std::int64_t key, place;
  friend auto operator<=>(const Entry&, const Entry&) = default;
};

template <std::size_t size>
void move_line(const Entry* line, std::int64_t extent, std::int64_t stride, const std::byte* from, std::byte* to) {
  for (std::int64_t i = 0; i < extent; ++i)
    std::memcpy(to + i * stride * static_cast<std::int64_t>(size),
                from + line[i].place * stride * static_cast<std::int64_t>(size), size);
}

/// How far along the sorted dimension anyone reads what `node` sorts: the greatest few are taken by a slice.
std::int64_t read_until(const Graph& graph, const Node& node, std::int64_t dimension, std::int64_t extent) {
  const auto is_sorted = [&](ValueId id) { return std::ranges::count(node.outputs, id) != 0; };
  if (std::ranges::any_of(graph.results(), is_sorted)) return extent;
  std::int64_t until = 0;
  for (const Node& user : graph.nodes())
    if (std::ranges::any_of(user.inputs, is_sorted)) {
      if (user.op != Op::slice) return extent;
      until = std::max(until,
                       std::get<SliceAttributes>(user.attributes).limit_indices[static_cast<std::size_t>(dimension)]);
    }
  return until;
}

class Sort : public Kernel {
 public:
  Sort(const Graph& graph, const Node& node, const SortAttributes& attributes)
      : shape_{graph.type(node.inputs[0]).shape},
        extent_{shape_[attributes.dimension]},
        stride_{shape_.strides()[static_cast<std::size_t>(attributes.dimension)]},
        kept_{read_until(graph, node, attributes.dimension, extent_)},
        descends_{attributes.direction == SortDirection::descending} {
    for (ValueId input : node.inputs) dtypes_.push_back(graph.type(input).dtype);
  }

  std::size_t scratch(unsigned threads) const override {
    return std::min<std::size_t>(threads, static_cast<std::size_t>(lines())) * static_cast<std::size_t>(extent_) *
           sizeof(Entry);
  }

  void run(const KernelContext& context) const override {
    context.threads.share(
        {.extent = lines(), .most = lines()}, [&](std::size_t share, std::int64_t begin, std::int64_t end) {
          Entry* const line = reinterpret_cast<Entry*>(context.scratch) + share * static_cast<std::size_t>(extent_);
          for (std::int64_t i = begin; i < end; ++i)
            sort_line(context, line, i / stride_ * stride_ * extent_ + i % stride_);
        });
  }

  std::string describe() const override {
    return "sort of " + std::to_string(lines()) + " times " + std::to_string(extent_) + " elements" +
           (kept_ < extent_ ? ", the first " + std::to_string(kept_) : "");
  }

 private:
  std::int64_t lines() const { return extent_ == 0 ? 0 : shape_.elements() / extent_; }

  /// Sorts the line that begins at element `first`.
  void sort_line(const KernelContext& context, Entry* line, std::int64_t first) const {
    visit_dtype(dtypes_[0], [&]<class T>(std::type_identity<T>) {
      for (std::int64_t i = 0; i < extent_; ++i) {
        const std::int64_t key = total_order(reinterpret_cast<const T*>(context.inputs[0])[first + i * stride_]);
        line[i] = {descends_ ? ~key : key, i};
      }
    });
    if (kept_ < extent_)
      std::partial_sort(line, line + kept_, line + extent_);
    else
      std::sort(line, line + extent_);
    for (std::size_t operand = 0; operand < dtypes_.size(); ++operand) {
      const std::size_t size = size_of(dtypes_[operand]);
      const std::int64_t offset = first * static_cast<std::int64_t>(size);
      const auto move = size == 1 ? move_line<1> : size == 2 ? move_line<2> : size == 4 ? move_line<4> : move_line<8>;
      move(line, kept_, stride_, context.inputs[operand] + offset, context.outputs[operand] + offset);
    }
  }

  Shape shape_;
  std::int64_t extent_, stride_, kept_;
  bool descends_;
  std::vector<DType> dtypes_;
};

}  // namespace

std::unique_ptr<Kernel> sort_kernel(const Graph& graph, const Node& node) {
  return std::make_unique<Sort>(graph, node, std::get<SortAttributes>(node.attributes));
}

}  // namespace octet
