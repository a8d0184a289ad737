/// What kernels that move elements are made of: passing over two layouts at once, copying a box of elements from one
/// layout to the other, and sharing such work among threads. Internal to octet.compile.
export module octet.compile:movement;
import octet.base;
import octet.graph;
import octet.standard;
import :kernel;

namespace octet {

/// A box of indexes with two places for each: (i0, i1, …) is at Σ i·first and at Σ i·second.
class Walk {
 public:
  /// `first` and `second` are strides, one for each extent.
  Walk(const Dims& extents, const Dims& first, const Dims& second);

  std::int64_t size() const { return size_; }

  /// Takes off the innermost dimension if both layouts pass over it in steps of `step`, and returns its extent; else 1.
  std::int64_t take_run(std::int64_t step);

  /// Calls function(first, second) for the indexes from `begin` to `end`, counted row-major.
  template <class Function>
  void for_each(std::int64_t begin, std::int64_t end, Function&& function) const {
    const Dimension inner = dimensions_.empty() ? Dimension{} : dimensions_.back();
    while (begin < end) {
      std::int64_t rest = begin / inner.extent;
      const std::int64_t at = begin - rest * inner.extent, count = std::min(end - begin, inner.extent - at);
      std::int64_t first = at * inner.first, second = at * inner.second;
      for (std::size_t d = dimensions_.size(); rest != 0 && d-- > 1;) {
        const Dimension& outer = dimensions_[d - 1];
        const std::int64_t next = rest / outer.extent, index = rest - next * outer.extent;
        first += index * outer.first;
        second += index * outer.second;
        rest = next;
      }
      for (std::int64_t i = 0; i < count; ++i, first += inner.first, second += inner.second) function(first, second);
      begin += count;
    }
  }

 private:
  struct Dimension {
    std::int64_t extent = 1, first = 0, second = 0;
  };
  std::vector<Dimension> dimensions_;  ///< none of extent 1; neighbours that both layouts pass over evenly are one
  std::int64_t size_ = 1;
};

/// Bytes to move from which on waking other threads pays.
inline constexpr std::int64_t worth_sharing = 128 * 1024;

/// Calls function(begin, end) for parts of [0, count): one part where all of it, `bytes` for each index, is little.
template <class Function>
void in_parts(Threads& threads, std::int64_t count, std::int64_t bytes, Function&& function) {
  constexpr std::int64_t part_bytes = worth_sharing / 2;
  if (count <= 0) return;
  if (threads.count() == 1 || count * bytes < worth_sharing) return function(std::int64_t{0}, count);
  const std::int64_t part = std::max<std::int64_t>(part_bytes / std::max<std::int64_t>(bytes, 1), 1);
  threads.for_each(static_cast<std::size_t>((count + part - 1) / part), [&](std::size_t index) {
    const auto begin = static_cast<std::int64_t>(index) * part;
    function(begin, std::min(begin + part, count));
  });
}

/// Strides in bytes.
Dims scaled(Dims strides, std::int64_t element_size);

/// Copies bytes from one place to another that does not overlap it.
void copy_bytes(const std::byte* from, std::byte* to, std::int64_t bytes, Threads& threads);

/// Copies a box of elements between two layouts, in the longest runs that both allow.
class BoxCopy {
 public:
  /// Strides count elements.
  BoxCopy(const Dims& extents, const Dims& from_strides, const Dims& to_strides, std::size_t element_size);

  void run(const std::byte* from, std::byte* to) const { copy(from, to, 0, walk_.size()); }
  void run(const std::byte* from, std::byte* to, Threads& threads) const;

  std::int64_t bytes() const { return walk_.size() * run_; }

 private:
  void copy(const std::byte* from, std::byte* to, std::int64_t begin, std::int64_t end) const;

  Walk walk_;  ///< places of runs, in bytes
  std::int64_t run_;
};

/// A start index of any integer type.
std::int64_t index_at(DType dtype, const std::byte* at);

/// The elementwise operation that `reducer` combines by; there is none for `replace`.
StepFunction combining_step(Reducer reducer, DType dtype);

std::unique_ptr<Kernel> gather_kernel(const Graph& graph, const Node& node);
std::unique_ptr<Kernel> scatter_kernel(const Graph& graph, const Node& node);
std::unique_ptr<Kernel> sort_kernel(const Graph& graph, const Node& node);
std::unique_ptr<Kernel> pad_kernel(const Graph& graph, const Node& node);

}  // namespace octet
