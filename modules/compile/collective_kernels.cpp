/// The kernels in which replicas meet. Those that only move copy boxes between the replicas' buffers. Those that
/// combine take some thousand bytes at a time over the whole tree, so that memory is read and written once.
module octet.compile;
import octet.base;
import octet.graph;
import octet.standard;
import :kernel;
import :movement;

namespace octet {

namespace {

std::size_t unsigned_of(std::int64_t x) { return static_cast<std::size_t>(x); }

/// Which replicas meet with which, checked against those there are when the program runs.
class Groups {
 public:
  Groups(const Node& node, const ReplicaGroups& stated, bool each_once = true)
      : operation_{name(node.op)}, place_{node.place}, stated_{stated}, each_once_{each_once} {}

  const std::string& operation() const { return operation_; }

  /// All replicas are one group where none is stated. Throws X603 as require_replicas does.
  ReplicaGroups of(std::uint32_t replicas) const {
    if (stated_.empty() && each_once_) return all_replicas(replicas);
    require_replicas(operation_, place_, stated_, replicas, each_once_);
    return stated_;
  }

 private:
  std::string operation_;
  Place place_;
  ReplicaGroups stated_;
  bool each_once_;
};

/// all_gather and all_to_all: of member j's operand, member i gets the box that begins i * sent further on, and puts it
/// j * received further on than the first.
class Exchange : public CollectiveKernel {
 public:
  Exchange(Groups groups, BoxCopy copy, std::int64_t sent, std::int64_t received)
      : groups_{std::move(groups)}, copy_{std::move(copy)}, sent_{sent}, received_{received} {}

  [[gnu::noinline]] static std::unique_ptr<CollectiveKernel> all_gather(const Graph& graph, const Node& node) {
    const auto& attributes = std::get<AllGatherAttributes>(node.attributes);
    const TensorType &operand = graph.type(node.inputs[0]), &result = graph.type(node.outputs[0]);
    const Dims to = result.shape.strides();
    const std::size_t size = size_of(operand.dtype);
    return std::make_unique<Exchange>(Groups{node, attributes.replica_groups},
                                      BoxCopy{operand.shape.extents(), operand.shape.strides(), to, size}, 0,
                                      operand.shape[attributes.all_gather_dim] *
                                          to[unsigned_of(attributes.all_gather_dim)] * static_cast<std::int64_t>(size));
  }

  [[gnu::noinline]] static std::unique_ptr<CollectiveKernel> all_to_all(const Graph& graph, const Node& node) {
    const auto& attributes = std::get<AllToAllAttributes>(node.attributes);
    const TensorType &operand = graph.type(node.inputs[0]), &result = graph.type(node.outputs[0]);
    const Dims from = operand.shape.strides(), to = result.shape.strides();
    const std::size_t size = size_of(operand.dtype);
    Shape part = operand.shape;
    part[attributes.split_dimension] /= attributes.split_count;
    const auto step = [&](std::int64_t d, const Dims& strides) {
      return part[d] * strides[unsigned_of(d)] * static_cast<std::int64_t>(size);
    };
    return std::make_unique<Exchange>(Groups{node, attributes.replica_groups}, BoxCopy{part.extents(), from, to, size},
                                      step(attributes.split_dimension, from), step(attributes.concat_dimension, to));
  }

  void run(const std::byte* const* inputs, std::byte* const* outputs, std::uint32_t replicas,
           Threads& threads) const override {
    const ReplicaGroups groups = groups_.of(replicas);
    const auto size = unsigned_of(group_size(groups));
    threads.for_each(groups.size() * size * size, [&](std::size_t index) {
      const Dims& group = groups[index / (size * size)];
      const std::size_t i = index / size % size, j = index % size;
      if (i > 0 && outputs[group[i]] == outputs[group[0]]) return;  // one buffer for all
      copy_.run(inputs[group[j]] + static_cast<std::int64_t>(i) * sent_,
                outputs[group[i]] + static_cast<std::int64_t>(j) * received_);
    });
  }

  std::string describe() const override {
    return groups_.operation() + " of " + std::to_string(copy_.bytes()) + " bytes for each pair of replicas";
  }

 private:
  Groups groups_;
  BoxCopy copy_;
  std::int64_t sent_, received_;  ///< in bytes
};

class Permute : public CollectiveKernel {
 public:
  Permute(const Graph& graph, const Node& node, const PermuteAttributes& attributes)
      : pairs_{node, attributes.source_target_pairs, false}, bytes_{graph.type(node.inputs[0]).bytes()} {}

  void run(const std::byte* const* inputs, std::byte* const* outputs, std::uint32_t replicas,
           Threads& threads) const override {
    std::vector<const std::byte*> sources(replicas, nullptr);
    for (const Dims& pair : pairs_.of(replicas)) sources[unsigned_of(pair[1])] = inputs[unsigned_of(pair[0])];
    threads.for_each(replicas, [&](std::size_t target) {
      if (bytes_ == 0) return;
      if (sources[target])
        std::memcpy(outputs[target], sources[target], unsigned_of(bytes_));
      else
        std::memset(outputs[target], 0, unsigned_of(bytes_));
    });
  }

  std::string describe() const override {
    return "collective_permute of " + std::to_string(bytes_) + " bytes from each replica";
  }

 private:
  Groups pairs_;
  std::int64_t bytes_;
};

/// Combines the operands of a group: neighbours first, then neighbours of those; an odd last one moves up unchanged.
class Combination {
 public:
  static constexpr std::int64_t chunk_bytes =
      4096;  // two operands, the result and what waits stay in the nearest cache

  Combination(Reducer reducer, DType dtype) : step_{combining_step(reducer, dtype)}, size_{size_of(dtype)} {}

  /// Bytes of scratch memory for a group of `count`: one chunk for each right half that waits for another one.
  static std::size_t scratch(std::size_t count) { return std::bit_width(count) * unsigned_of(chunk_bytes); }

  /// target = the combination of the `bytes` at `offset` in the buffers of a group's members. At most chunk_bytes.
  void combine(const std::byte* const* inputs, const Dims& group, std::int64_t offset, std::int64_t bytes,
               std::byte* target, std::byte* scratch) const {
    const std::byte* const result = combined(inputs, group.data(), group.size(), offset, bytes, target, scratch);
    if (result != target) std::memcpy(target, result, unsigned_of(bytes));
  }

 private:
  /// Where the combination of `count` members' bytes is: at `target`, or where a single member has them.
  const std::byte* combined(const std::byte* const* inputs, const std::int64_t* members, std::size_t count,
                            std::int64_t offset, std::int64_t bytes, std::byte* target, std::byte* scratch) const {
    if (count == 1) return inputs[*members] + offset;
    const std::size_t half = std::bit_ceil(count) / 2;
    const std::byte* const left = combined(inputs, members, half, offset, bytes, target, scratch);
    const std::byte* const right =
        combined(inputs, members + half, count - half, offset, bytes, scratch, scratch + chunk_bytes);
    step_(target, left, right, nullptr, unsigned_of(bytes) / size_);
    return target;
  }

  StepFunction step_;
  std::size_t size_;
};

class AllReduce : public CollectiveKernel {
 public:
  AllReduce(const Graph& graph, const Node& node, const AllReduceAttributes& attributes)
      : groups_{node, attributes.replica_groups},
        bytes_{graph.type(node.inputs[0]).bytes()},
        combination_{attributes.reducer, graph.type(node.inputs[0]).dtype} {}

  void run(const std::byte* const* inputs, std::byte* const* outputs, std::uint32_t replicas,
           Threads& threads) const override {
    constexpr std::int64_t chunk = Combination::chunk_bytes;
    for (const Dims& group : groups_.of(replicas))
      in_parts(threads, (bytes_ + chunk - 1) / chunk, chunk, [&](std::int64_t begin, std::int64_t end) {
        std::vector<std::byte> scratch(Combination::scratch(group.size()));
        std::byte* const first = outputs[group.front()];
        for (std::int64_t offset = begin * chunk; offset < std::min(end * chunk, bytes_); offset += chunk) {
          const std::int64_t bytes = std::min(chunk, bytes_ - offset);
          combination_.combine(inputs, group, offset, bytes, first + offset, scratch.data());
          for (std::size_t i = 1; i < group.size(); ++i)
            if (outputs[group[i]] != first) std::memcpy(outputs[group[i]] + offset, first + offset, unsigned_of(bytes));
        }
      });
  }

  std::string describe() const override {
    return "all_reduce of " + std::to_string(bytes_) + " bytes from each replica";
  }

 private:
  Groups groups_;
  std::int64_t bytes_;
  Combination combination_;
};

/// Member i gets part i of what all operands combine to.
class ReduceScatter : public CollectiveKernel {
 public:
  ReduceScatter(const Graph& graph, const Node& node, const ReduceScatterAttributes& attributes)
      : ReduceScatter{node, attributes, graph.type(node.inputs[0]), graph.type(node.outputs[0]).shape} {}

  void run(const std::byte* const* inputs, std::byte* const* outputs, std::uint32_t replicas,
           Threads& threads) const override {
    constexpr std::int64_t chunk = Combination::chunk_bytes;
    const ReplicaGroups groups = groups_.of(replicas);
    const auto size = unsigned_of(group_size(groups));
    threads.for_each(groups.size() * size, [&](std::size_t index) {
      const Dims& group = groups[index / size];
      const std::size_t member = index % size;
      std::vector<std::byte> scratch(Combination::scratch(size));
      runs_.for_each(0, runs_.size(), [&](std::int64_t from, std::int64_t to) {
        from += static_cast<std::int64_t>(member) * part_;
        for (std::int64_t done = 0; done < run_; done += chunk)
          combination_.combine(inputs, group, from + done, std::min(chunk, run_ - done),
                               outputs[group[member]] + to + done, scratch.data());
      });
    });
  }

  std::string describe() const override {
    return "reduce_scatter to " + std::to_string(runs_.size() * run_) + " bytes for each replica";
  }

 private:
  ReduceScatter(const Node& node, const ReduceScatterAttributes& attributes, const TensorType& operand,
                const Shape& result)
      : groups_{node, attributes.replica_groups},
        size_{static_cast<std::int64_t>(size_of(operand.dtype))},
        runs_{result.extents(), scaled(operand.shape.strides(), size_), scaled(result.strides(), size_)},
        run_{runs_.take_run(size_) * size_},
        part_{result[attributes.scatter_dimension] *
              operand.shape.strides()[unsigned_of(attributes.scatter_dimension)] * size_},
        combination_{attributes.reducer, operand.dtype} {}

  Groups groups_;
  std::int64_t size_;  ///< of an element; this and all below in bytes
  Walk runs_;          ///< places of runs in the operand and the result
  std::int64_t run_, part_;
  Combination combination_;
};

/// Not inlined, as the kernels that are made above: a page loads those that no visit makes when they are.
template <class Kernel, class Attributes>
[[gnu::noinline]] std::unique_ptr<CollectiveKernel> made(const Graph& graph, const Node& node) {
  return std::make_unique<Kernel>(graph, node, std::get<Attributes>(node.attributes));
}

}  // namespace

std::unique_ptr<CollectiveKernel> collective_kernel(const Graph& graph, const Node& node) {
  switch (node.op) {
    case Op::all_gather:
      return Exchange::all_gather(graph, node);
    case Op::all_to_all:
      return Exchange::all_to_all(graph, node);
    case Op::collective_permute:
      return made<Permute, PermuteAttributes>(graph, node);
    case Op::all_reduce:
      return made<AllReduce, AllReduceAttributes>(graph, node);
    case Op::reduce_scatter:
      return made<ReduceScatter, ReduceScatterAttributes>(graph, node);
    default:
      return nullptr;
  }
}

}  // namespace octet
