/// The kernels of concatenate, dynamic_slice and dynamic_update_slice, which copy boxes, and of replica_id.
module octet.compile;
import octet.base;
import octet.graph;
import octet.standard;
import :kernel;
import :movement;

namespace octet {

namespace {

class Concatenate : public Kernel {
 public:
  Concatenate(const Graph& graph, const Node& node)
      : dimension_{std::get<DimensionAttributes>(node.attributes).dimension} {
    const TensorType& result = graph.type(node.outputs[0]);
    const Dims strides = result.shape.strides();
    const std::size_t size = size_of(result.dtype);
    std::int64_t offset = 0;
    for (ValueId input : node.inputs) {
      const Shape& shape = graph.type(input).shape;
      parts_.push_back({BoxCopy{shape.extents(), shape.strides(), strides, size}, offset});
      offset += shape[dimension_] * strides[static_cast<std::size_t>(dimension_)] * static_cast<std::int64_t>(size);
    }
  }

  void run(const KernelContext& context) const override {
    for (std::size_t i = 0; i < parts_.size(); ++i)
      parts_[i].copy.run(context.inputs[i], context.outputs[0] + parts_[i].offset, context.threads);
  }

  std::string describe() const override {
    return "concatenate of " + std::to_string(parts_.size()) + " along dimension " + std::to_string(dimension_);
  }

 private:
  struct Part {
    BoxCopy copy;
    std::int64_t offset;  ///< in the result, in bytes
  };
  std::vector<Part> parts_;
  std::int64_t dimension_;
};

/// A window of a tensor that begins at scalar start indices, moved to where the window lies within the tensor.
class DynamicWindow {
 public:
  DynamicWindow(const TensorType& tensor, const Dims& sizes, DType index) : index_{index} {
    const Dims strides = tensor.shape.strides();
    for (std::size_t d = 0; d < sizes.size(); ++d)
      dimensions_.push_back(
          {tensor.shape.begin()[d] - sizes[d], strides[d] * static_cast<std::int64_t>(size_of(tensor.dtype))});
  }

  /// Where the window begins, in bytes.
  std::int64_t offset(const std::byte* const* indices) const {
    std::int64_t result = 0;
    for (std::size_t d = 0; d < dimensions_.size(); ++d)
      result +=
          std::clamp<std::int64_t>(index_at(index_, indices[d]), 0, dimensions_[d].last_start) * dimensions_[d].stride;
    return result;
  }

 private:
  struct Dimension {
    std::int64_t last_start, stride;
  };
  DType index_;
  std::vector<Dimension> dimensions_;
};

/// The type of the start indices that begin with input `first`; any, where there are none.
DType index_type(const Graph& graph, const Node& node, std::size_t first) {
  return node.inputs.size() > first ? graph.type(node.inputs[first]).dtype : DType::i32;
}

class DynamicSlice : public Kernel {
 public:
  DynamicSlice(const TensorType& operand, const Shape& window, DType index)
      : window_{operand, window.extents(), index},
        copy_{window.extents(), operand.shape.strides(), window.strides(), size_of(operand.dtype)} {}

  void run(const KernelContext& context) const override {
    if (copy_.bytes() == 0) return;
    copy_.run(context.inputs[0] + window_.offset(context.inputs + 1), context.outputs[0], context.threads);
  }

  std::string describe() const override { return "dynamic_slice of " + std::to_string(copy_.bytes()) + " bytes"; }

 private:
  DynamicWindow window_;
  BoxCopy copy_;
};

class DynamicUpdateSlice : public Kernel {
 public:
  DynamicUpdateSlice(const TensorType& operand, const Shape& window, DType index)
      : window_{operand, window.extents(), index},
        copy_{window.extents(), window.strides(), operand.shape.strides(), size_of(operand.dtype)},
        bytes_{operand.bytes()} {}

  void run(const KernelContext& context) const override {
    std::byte* const result = context.outputs[0];
    if (result != context.inputs[0]) copy_bytes(context.inputs[0], result, bytes_, context.threads);
    if (copy_.bytes() != 0) copy_.run(context.inputs[1], result + window_.offset(context.inputs + 2), context.threads);
  }

  bool may_overwrite(std::size_t input, std::size_t output) const override { return input == 0 && output == 0; }

  std::string describe() const override {
    return "dynamic_update_slice of " + std::to_string(copy_.bytes()) + " bytes";
  }

 private:
  DynamicWindow window_;
  BoxCopy copy_;
  std::int64_t bytes_;
};

class ReplicaId : public Kernel {
 public:
  void run(const KernelContext& context) const override {
    std::memcpy(context.outputs[0], &context.replica, sizeof context.replica);
  }
  std::string describe() const override { return "replica_id"; }
};

}  // namespace

std::unique_ptr<Kernel> movement_kernel(const Graph& graph, const Node& node) {
  switch (node.op) {
    case Op::concatenate:
      return std::make_unique<Concatenate>(graph, node);
    case Op::dynamic_slice:
      return std::make_unique<DynamicSlice>(graph.type(node.inputs[0]), graph.type(node.outputs[0]).shape,
                                            index_type(graph, node, 1));
    case Op::dynamic_update_slice:
      return std::make_unique<DynamicUpdateSlice>(graph.type(node.inputs[0]), graph.type(node.inputs[1]).shape,
                                                  index_type(graph, node, 2));
    case Op::gather:
      return gather_kernel(graph, node);
    case Op::pad:
      return pad_kernel(graph, node);
    case Op::scatter:
      return scatter_kernel(graph, node);
    case Op::sort:
      return sort_kernel(graph, node);
    case Op::replica_id:
      return std::make_unique<ReplicaId>();
    default:
      return nullptr;
  }
}

}  // namespace octet
