/// The shape of the reference: rows that give an operation its meaning, kind by kind, and the few functions on tensors
/// that more than one kind needs.
module octet.graph:reference_meaning;
import octet.base;
import octet.standard;
import :attributes;
import :graph;
import :operation;
import :reference;
import :reference_scalar;

namespace octet::reference {

/// Values of several replicas: `[replica][value]`.
using ReplicaValues = std::vector<std::vector<Tensor>>;

/// An operation on one replica.
struct Step {
  const Node& node;
  std::vector<TensorType> results;
  const ReferenceOptions& options;
  std::int64_t replica;  ///< its number
  std::span<const Tensor> inputs;

  template <class T>
  const T& attributes() const {
    return std::get<T>(node.attributes);
  }
};

/// An operation on all replicas that take this step together.
struct Lockstep {
  const Node& node;
  std::vector<TensorType> results;
  const ReferenceOptions& options;
  Dims replicas;  ///< their numbers
  ReplicaValues inputs;

  template <class T>
  const T& attributes() const {
    return std::get<T>(node.attributes);
  }
};

/// The meaning of one operation: of one replica's values alone, or of all replicas'.
struct Meaning {
  using Alone = std::vector<Tensor> (*)(const Step&);
  using Together = ReplicaValues (*)(const Lockstep&);
  Op op;
  Alone alone = nullptr;
  Together together = nullptr;
};

std::span<const Meaning> elementwise_meanings();
std::span<const Meaning> movement_meanings();
std::span<const Meaning> contraction_meanings();
std::span<const Meaning> control_meanings();
std::span<const Meaning> collective_meanings();

/// Runs `graph` on the replicas of these numbers.
ReplicaValues run(const Graph& graph, const Dims& replicas, ReplicaValues arguments, const ReferenceOptions& options);

/// A tensor of `shape` made of the elements of `operands` at `places`: row-major, those of the second operand counted
/// on from those of the first.
Tensor take(std::span<const Tensor> operands, const Shape& shape, std::span<const std::int64_t> places);
/// Result dimension i is dimension permutation[i] of `operand`.
Tensor transposed(const Tensor& operand, const Dims& permutation);
/// `operands` one after another along `dimension`.
Tensor concatenated(std::span<const Tensor> operands, std::int64_t dimension);
/// `operand` cut along `dimension` into `count` equal parts.
std::vector<Tensor> split(const Tensor& operand, std::int64_t dimension, std::int64_t count);

std::vector<Tensor> gather(const Step& step);
std::vector<Tensor> scatter(const Step& step);

/// `function` of the elements at each place of `first` and `others`, which have its type. bf16 is widened to float, and
/// rounded where the result is a float. A truth value as result gives a tensor of pred.
template <class Function, class... Others>
Tensor map(const Function& function, const Tensor& first, const Others&... others) {
  return visit_dtype(first.dtype(), [&]<class T>(std::type_identity<T>) -> Tensor {
    using Operand = scalar::Computing<T>;
    if constexpr (requires(Operand x, const Others&... other) { function(x, (static_cast<void>(other), x)...); }) {
      return [&](auto... operands) {
        using Computed = decltype(function(static_cast<Operand>(operands[0])...));
        using Result = std::conditional_t<std::is_same_v<Computed, bool>, bool, T>;
        Tensor result{dtype_of<Result>, first.shape()};
        const auto to = result.mutable_span<Result>();
        for (std::size_t i = 0; i < to.size(); ++i)
          to[i] = static_cast<Result>(function(static_cast<Operand>(operands[i])...));
        return result;
      }(first.span<T>(), others.template span<T>()...);
    } else {
      fail({.number = 402, .sentence = "This operation has no meaning on " + to_string(first.type()) + "."});
    }
  });
}

}  // namespace octet::reference
