/// The kernels of gather and scatter. Both match windows of an operand with a dense tensor, which gather writes and
/// scatter reads, in row-major order of that tensor: its innermost window dimensions are one move, the others a loop
/// over moves.
module octet.compile;
import octet.base;
import octet.graph;
import octet.standard;
import :kernel;
import :movement;

namespace octet {

namespace {

bool contains(const Dims& dims, std::int64_t d) { return std::find(dims.begin(), dims.end(), d) != dims.end(); }

/// Gather's and scatter's attributes by common names.
struct Dimensions {
  const Dims& window;   ///< dimensions of the dense tensor that lie within a window
  const Dims& lacking;  ///< dimensions of the operand that windows do not have
  const Dims& map;      ///< the operand dimension that each component of a start index belongs to
  std::int64_t index_vector_dim;
};

class Windows {
 public:
  /// `sizes` are a window's extents in the operand.
  Windows(const TensorType& operand, const TensorType& indices, const Shape& dense, const Dimensions& dimensions,
          const Dims& sizes)
      : index_type_{indices.dtype}, moves_{split(operand, indices, dense, dimensions)} {
    const auto index_size = static_cast<std::int64_t>(size_of(indices.dtype));
    const Dims strides = operand.shape.strides(), index_strides = indices.shape.strides();
    const bool scalars = dimensions.index_vector_dim == indices.shape.rank();
    const std::int64_t next =
        scalars ? 0 : index_strides[static_cast<std::size_t>(dimensions.index_vector_dim)] * index_size;
    for (std::size_t i = 0; i < dimensions.map.size(); ++i) {
      const auto d = static_cast<std::size_t>(dimensions.map[i]);
      components_.push_back({static_cast<std::int64_t>(i) * next, operand.shape.begin()[d] - sizes[d],
                             strides[d] * static_cast<std::int64_t>(size_of(operand.dtype))});
    }
  }

  std::int64_t moves() const { return moves_.size(); }
  /// Extents of the dense tensor's part that one move fills, and the operand's strides along them, in elements.
  const Dims& move_extents() const { return move_extents_; }
  const Dims& operand_strides() const { return operand_strides_; }

  /// Calls function(move, offset) for the moves from `begin` to `end` with the operand's byte where the move begins.
  /// Windows that reach out of the operand are moved back into it if `clamps`, and left out otherwise.
  template <bool clamps, class Function>
  void for_each(const std::byte* indices, std::int64_t begin, std::int64_t end, Function&& function) const {
    std::int64_t move = begin;
    moves_.for_each(begin, end, [&](std::int64_t index, std::int64_t offset) {
      bool within = true;
      for (const Component& component : components_) {
        std::int64_t start = index_at(index_type_, indices + index + component.offset);
        if constexpr (clamps)
          start = std::clamp<std::int64_t>(start, 0, component.last_start);
        else
          within &= start >= 0 && start <= component.last_start;
        if (within) offset += start * component.stride;
      }
      if (within) function(move, offset);
      ++move;
    });
  }

 private:
  /// One number of a start index.
  struct Component {
    std::int64_t offset;  ///< from the start index, in bytes
    std::int64_t last_start;
    std::int64_t stride;  ///< of the operand, in bytes
  };

  /// Where each move's start index lies, and where in its window it begins, both in bytes.
  Walk split(const TensorType& operand, const TensorType& indices, const Shape& dense, const Dimensions& dimensions) {
    const auto size = static_cast<std::int64_t>(size_of(operand.dtype)),
               index_size = static_cast<std::int64_t>(size_of(indices.dtype));
    const Dims strides = operand.shape.strides();
    Dims window_strides, batch_strides = indices.shape.strides();
    for (std::int64_t d = 0; d < operand.shape.rank(); ++d)
      if (!contains(dimensions.lacking, d)) window_strides.push_back(strides[static_cast<std::size_t>(d)]);
    if (dimensions.index_vector_dim < indices.shape.rank())
      batch_strides.erase(batch_strides.begin() + dimensions.index_vector_dim);

    std::int64_t outer = dense.rank();
    while (outer > 0 && contains(dimensions.window, outer - 1)) --outer;
    Dims extents, index_places, operand_places;
    auto window = window_strides.begin(), batch = batch_strides.begin();
    for (std::int64_t d = 0; d < outer; ++d) {
      const bool is_window = contains(dimensions.window, d);
      extents.push_back(dense[d]);
      index_places.push_back(is_window ? 0 : *batch++ * index_size);
      operand_places.push_back(is_window ? *window++ * size : 0);
    }
    move_extents_.assign(dense.begin() + outer, dense.end());
    operand_strides_.assign(window, window_strides.end());
    return {extents, index_places, operand_places};
  }

  DType index_type_;
  Dims move_extents_, operand_strides_;
  Walk moves_;
  std::vector<Component> components_;
};

class Gather : public Kernel {
 public:
  Gather(const Graph& graph, const Node& node, const GatherAttributes& attributes)
      : operand_{graph.type(node.inputs[0])},
        result_{graph.type(node.outputs[0])},
        windows_{operand_,
                 graph.type(node.inputs[1]),
                 result_.shape,
                 {attributes.offset_dims, attributes.collapsed_slice_dims, attributes.start_index_map,
                  attributes.index_vector_dim},
                 window_sizes(attributes)},
        copy_{windows_.move_extents(), windows_.operand_strides(), Shape{windows_.move_extents()}.strides(),
              size_of(operand_.dtype)} {}

  void run(const KernelContext& context) const override {
    std::byte* const result = context.outputs[0];
    if (operand_.bytes() == 0) {
      std::fill_n(result, result_.bytes(), std::byte{});
      return;
    }
    in_parts(context.threads, windows_.moves(), copy_.bytes(), [&](std::int64_t begin, std::int64_t end) {
      windows_.for_each<true>(context.inputs[1], begin, end, [&](std::int64_t move, std::int64_t offset) {
        copy_.run(context.inputs[0] + offset, result + move * copy_.bytes());
      });
    });
  }

  std::string describe() const override {
    return "gather of " + std::to_string(windows_.moves()) + " times " + std::to_string(copy_.bytes()) + " bytes";
  }

 private:
  /// A collapsed 0 counts as 1: the reference.
  static Dims window_sizes(const GatherAttributes& attributes) {
    Dims sizes = attributes.slice_sizes;
    for (std::int64_t& size : sizes) size = std::max<std::int64_t>(size, 1);
    return sizes;
  }

  TensorType operand_, result_;
  Windows windows_;
  BoxCopy copy_;
};

class Scatter : public Kernel {
 public:
  Scatter(const Graph& graph, const Node& node, const ScatterAttributes& attributes)
      : operand_{graph.type(node.inputs[0])},
        windows_{operand_,
                 graph.type(node.inputs[1]),
                 graph.type(node.inputs[2]).shape,
                 {attributes.update_window_dims, attributes.inserted_window_dims,
                  attributes.scatter_dims_to_operand_dims, attributes.index_vector_dim},
                 window_sizes(operand_.shape, graph.type(node.inputs[2]).shape, attributes)},
        runs_{windows_.move_extents(), windows_.operand_strides(), Shape{windows_.move_extents()}.strides()},
        run_{runs_.take_run(1)},
        combine_{combining_step(attributes.reducer, operand_.dtype)} {}

  void run(const KernelContext& context) const override {
    if (operand_.bytes() == 0) return;
    if (context.outputs[0] != context.inputs[0])
      copy_bytes(context.inputs[0], context.outputs[0], operand_.bytes(), context.threads);
    // Threads share the columns of the windows: each applies all updates, in their order, to its own.
    constexpr std::int64_t fewest = 16;
    if (windows_.moves() * move_bytes() < worth_sharing) return apply(context, 0, run_);
    context.threads.share({.extent = run_, .unit = fewest, .most = run_ / fewest},
                          [&](std::size_t, std::int64_t begin, std::int64_t end) { apply(context, begin, end); });
  }

  bool may_overwrite(std::size_t input, std::size_t output) const override { return input == 0 && output == 0; }

  std::string describe() const override {
    return "scatter of " + std::to_string(windows_.moves()) + " times " + std::to_string(move_bytes()) + " bytes";
  }

 private:
  /// A window's extents in the operand; 1 where the updates lack the dimension.
  static Dims window_sizes(const Shape& operand, const Shape& updates, const ScatterAttributes& attributes) {
    Dims sizes;
    auto next = attributes.update_window_dims.begin();
    for (std::int64_t d = 0; d < operand.rank(); ++d)
      sizes.push_back(contains(attributes.inserted_window_dims, d) ? 1 : updates[*next++]);
    return sizes;
  }

  std::int64_t move_bytes() const { return runs_.size() * run_ * static_cast<std::int64_t>(size_of(operand_.dtype)); }

  /// Combines the columns from `begin` to `end` of each run, update by update.
  void apply(const KernelContext& context, std::int64_t begin, std::int64_t end) const {
    const auto size = static_cast<std::int64_t>(size_of(operand_.dtype));
    const auto columns = static_cast<std::size_t>(end - begin);
    windows_.for_each<false>(context.inputs[1], 0, windows_.moves(), [&](std::int64_t move, std::int64_t offset) {
      std::byte* const window = context.outputs[0] + offset + begin * size;
      const std::byte* const updates = context.inputs[2] + move * move_bytes() + begin * size;
      runs_.for_each(0, runs_.size(), [&](std::int64_t to, std::int64_t from) {
        std::byte* const target = window + to * size;
        if (combine_)
          combine_(target, target, updates + from * size, nullptr, columns);
        else
          std::memcpy(target, updates + from * size, columns * static_cast<std::size_t>(size));
      });
    });
  }

  TensorType operand_;
  Windows windows_;
  Walk runs_;  ///< places of a move's runs in the operand and in the updates, in elements
  std::int64_t run_;
  StepFunction combine_;
};

}  // namespace

std::unique_ptr<Kernel> gather_kernel(const Graph& graph, const Node& node) {
  return std::make_unique<Gather>(graph, node, std::get<GatherAttributes>(node.attributes));
}

std::unique_ptr<Kernel> scatter_kernel(const Graph& graph, const Node& node) {
  return std::make_unique<Scatter>(graph, node, std::get<ScatterAttributes>(node.attributes));
}

}  // namespace octet
