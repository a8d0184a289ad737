/// The kernel of pad: each byte of the result is written once, by copying a run of the operand or by repeating the
/// padding.
module octet.compile;
import octet.base;
import octet.graph;
import octet.standard;
import :kernel;
import :movement;

namespace octet {

namespace {

class Pad : public Kernel {
 public:
  Pad(const TensorType& operand, const Shape& result, const PadAttributes& attributes)
      : element_size_{static_cast<std::int64_t>(size_of(operand.dtype))} {
    for (std::size_t d = 0; d < static_cast<std::size_t>(operand.shape.rank()); ++d)
      add({operand.shape.begin()[d], result.begin()[d], attributes.edge_padding_low[d],
           attributes.interior_padding[d] + 1});
    if (levels_.empty()) levels_.push_back({});
    std::int64_t from = element_size_, to = element_size_;
    for (std::size_t level = levels_.size(); level-- > 0;) {
      levels_[level].from_stride = from;
      levels_[level].to_stride = to;
      from *= levels_[level].extent;
      to *= levels_[level].padded;
    }
  }

  void run(const KernelContext& context) const override {
    const Level& outer = levels_.front();
    in_parts(context.threads, outer.padded, outer.to_stride, [&](std::int64_t begin, std::int64_t end) {
      rows(0, context.inputs[0], context.outputs[0], context.inputs[1], begin, end);
    });
  }

  std::string describe() const override {
    const Level& outer = levels_.front();
    return "pad of " + std::to_string(outer.extent * outer.from_stride) + " bytes to " +
           std::to_string(outer.padded * outer.to_stride);
  }

 private:
  /// A dimension, or several of which only the first is padded. Operand row i becomes row low + i * step of the result.
  struct Level {
    std::int64_t extent = 1, padded = 1, low = 0, step = 1;
    std::int64_t from_stride = 0, to_stride = 0;  ///< bytes of a row

    bool plain() const { return low == 0 && step == 1 && extent == padded; }
  };

  /// Joins a dimension with the level outside of it where one copy can pass over both.
  void add(Level next) {
    if (next.extent < 2) next.step = 1;
    if (next.plain() && next.extent == 1) return;
    if (next.plain() && !levels_.empty() && levels_.back().step == 1) {
      Level& outer = levels_.back();
      outer.extent *= next.extent;
      outer.padded *= next.extent;
      outer.low *= next.extent;
    } else {
      levels_.push_back(next);
    }
  }

  /// The first row of the operand that comes to row `place` of the result or behind it.
  static std::int64_t first_from(const Level& level, std::int64_t place) {
    return place <= level.low ? 0 : std::min((place - level.low + level.step - 1) / level.step, level.extent);
  }

  void fill(std::byte* to, std::int64_t bytes, const std::byte* value) const {
    constexpr std::int64_t longest_copy = 4096;
    if (bytes == 0) return;
    std::memcpy(to, value, static_cast<std::size_t>(element_size_));
    for (std::int64_t done = element_size_; done < bytes;) {
      const std::int64_t count = std::min({done, bytes - done, longest_copy});
      std::memcpy(to + done, to, static_cast<std::size_t>(count));
      done += count;
    }
  }

  /// Writes the rows from `begin` to `end` of a result at `to` whose operand is at `from`, both from `depth` inwards.
  void rows(std::size_t depth, const std::byte* from, std::byte* to, const std::byte* value, std::int64_t begin,
            std::int64_t end) const {
    const Level& level = levels_[depth];
    const bool innermost = depth + 1 == levels_.size();
    const std::int64_t last = first_from(level, end), together = innermost && level.step == 1 ? level.extent : 1;
    for (std::int64_t row = first_from(level, begin); row < last;) {
      const std::int64_t place = level.low + row * level.step, count = std::min(together, last - row);
      fill(to + begin * level.to_stride, (place - begin) * level.to_stride, value);
      if (innermost)
        std::memcpy(to + place * level.to_stride, from + row * level.from_stride,
                    static_cast<std::size_t>(count * level.from_stride));
      else
        rows(depth + 1, from + row * level.from_stride, to + place * level.to_stride, value, 0,
             levels_[depth + 1].padded);
      begin = place + count;
      row += count;
    }
    fill(to + begin * level.to_stride, (end - begin) * level.to_stride, value);
  }

  std::int64_t element_size_;
  std::vector<Level> levels_;
};

}  // namespace

std::unique_ptr<Kernel> pad_kernel(const Graph& graph, const Node& node) {
  return std::make_unique<Pad>(graph.type(node.inputs[0]), graph.type(node.outputs[0]).shape,
                               std::get<PadAttributes>(node.attributes));
}

}  // namespace octet
