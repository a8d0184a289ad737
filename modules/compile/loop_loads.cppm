/// How the operands of a fused loop reach its registers: in place where they can, copied where they must. Internal to
/// octet.compile.
export module octet.compile:loop_loads;
import octet.base;
import octet.graph;
import octet.standard;
import :cpu;
import :loop;

namespace octet {

/// Merges neighbouring dimensions of the space that every load and counter crosses evenly. The order of elements stays.
void collapse(LoopProgram& program);

/// A position in the space, moved forward run by run along the innermost dimension. One begins with every block, on all
/// threads: the index is allocated only where there are more dimensions than usual.
class LoopWalk {
 public:
  LoopWalk(const Shape& space, std::int64_t start) : space_{space} {
    if (space.rank() > static_cast<std::int64_t>(few_.size())) {
      many_.resize(static_cast<std::size_t>(space.rank()));
      index_ = many_;
    }
    for (std::int64_t d = space.rank() - 1; d >= 0 && start > 0; --d) {
      index_[static_cast<std::size_t>(d)] = start % space[d];
      start /= space[d];
    }
  }
  LoopWalk(const LoopWalk&) = delete;
  LoopWalk& operator=(const LoopWalk&) = delete;

  std::int64_t operator[](std::int64_t d) const { return index_[static_cast<std::size_t>(d)]; }
  /// Elements left in this row, at most `n`.
  std::int64_t run(std::int64_t n) const {
    return space_.rank() == 0 ? n : std::min(n, space_[-1] - (*this)[space_.rank() - 1]);
  }
  std::int64_t offset(const Dims& strides) const {
    std::int64_t sum = 0;
    for (std::size_t d = 0; d < strides.size(); ++d) sum += index_[d] * strides[d];
    return sum;
  }
  void advance(std::int64_t n) {
    for (std::int64_t d = space_.rank() - 1; d >= 0 && n > 0; --d) {
      std::int64_t& i = index_[static_cast<std::size_t>(d)];
      i += n;
      if (i < space_[d]) return;
      n = i / space_[d];
      i %= space_[d];
    }
  }

 private:
  const Shape& space_;
  std::array<std::int64_t, 6> few_{};
  Dims many_;
  std::span<std::int64_t> index_{few_};
};

/// Writes first, first + step, ..., `n` numbers; `step` is 0 or 1.
using CountFunction = void (*)(void* to, std::int64_t first, std::int64_t step, std::int64_t n);
CountFunction count_function(DType dtype, Isa isa);

/// One load of a loop whose space is collapsed.
class LoopLoad {
 public:
  LoopLoad(const LoopProgram& program, const LoopProgram::Load& load, Isa isa);

  /// Copies `n` elements, `stride` apart, to lie side by side.
  using Gather = void (*)(void* to, const void* from, std::int64_t stride, std::int64_t n);

  /// Its register.
  inline std::size_t target() const { return static_cast<std::size_t>(load_.target); }
  /// Whether it is read in place, and its register needs none in the frame.
  inline bool is_direct() const { return way_ == Way::direct; }
  /// Whether its register is filled once, for all blocks.
  inline bool is_permanent() const { return way_ == Way::splat || way_ == Way::periodic; }
  /// Whether its register holds from block to block what it was filled with.
  inline bool keeps_its_place() const { return is_permanent() || way_ == Way::spread || way_ == Way::turned; }
  /// What its register takes, where it needs one in the frame.
  std::size_t bytes() const {
    return static_cast<std::size_t>((loop_block + (turned_ > 0 ? turned_ * space_[-1] : 0)) * size_);
  }
  /// Fills a permanent load's register.
  void fill(std::byte* place, const std::byte* const* inputs) const;
  /// Which row's element a register holds that keeps its place, or from which row on all elements of several.
  struct Held {
    std::int64_t row = -1;
  };
  /// Where elements [start, start + n) of any other load lie: in `place`, to which they are copied unless it holds them
  /// already, or where they are. Never written to: no step has a load as its target.
  std::byte* read(std::byte* place, const std::byte* const* inputs, std::int64_t start, std::int64_t n,
                  Held& held) const;

 private:
  /// Direct: in place. Splat: one element, spread over a register once. Periodic: a short row that every block begins
  /// with, repeated in a register once. Wrapped: a row that repeats, in place where the block lies within it. Strided:
  /// copied. Spread: one element for each long row, spread over a register once for all blocks within that row. Turned:
  /// rows that lie across what is read; of several that lie side by side, all are copied when the first is read.
  enum class Way : std::uint8_t { direct, splat, periodic, wrapped, strided, spread, turned };

  std::int64_t period() const;
  Way way(const LoopProgram& program) const;
  void read_spread(std::byte* place, const std::byte* from, std::int64_t start, std::int64_t n, Held& held) const;
  std::byte* read_wrapped(std::byte* place, const std::byte* from, std::int64_t start, std::int64_t n) const;
  void read_strided(std::byte* to, const std::byte* from, std::int64_t start, std::int64_t n) const;
  [[gnu::noinline]] std::byte* read_turned(std::byte* place, const std::byte* from, std::int64_t start, std::int64_t n,
                                           Held& held) const;
  std::int64_t rows_to_turn(const LoopProgram& program) const;

  LoopProgram::Load load_;
  Shape space_;
  std::int64_t size_;    ///< bytes of an element
  std::int64_t period_;  ///< how many elements come before it repeats itself; 0 where it reads no row again and again
  std::int64_t turned_;  ///< how many rows are turned at once; 0 where none are
  Way way_;
  Gather gather_;
};

}  // namespace octet
