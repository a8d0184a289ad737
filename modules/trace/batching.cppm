/// Batching rules: what an operation becomes where some of its operands have a value for each example. Internal to
/// octet.trace.
module octet.trace:batching;
import octet.base;
import octet.graph;
import octet.standard;
import :array;

namespace octet {

/// A value within a function of one example: the same for all of them, or with one value for each along axis 0.
struct Batched {
  Array array;
  bool each = false;
};
using BatchedValues = std::vector<Batched>;

/// An operation of one example, of whose operands at least one has a value for each.
struct Batch {
  Op op;
  const Attributes& attributes;
  const std::vector<Graph>& regions;
  const BatchedValues& inputs;
  std::span<const TensorType> types;  ///< of the results, of one example
  const Place& place;
  std::int64_t size;  ///< examples

  template <class T>
  const T& as() const {
    return std::get<T>(attributes);
  }
  /// Operand `i` with a value for each example.
  Array each(std::size_t i) const;
  /// The results of `op`, which are for each example.
  BatchedValues applied(std::vector<Array> inputs, Attributes with) const;
};

/// The batching column of the table of operations. Of one without operands there is none: nothing depends on examples.
using BatchingRule = BatchedValues (*)(const Batch&);
BatchingRule batching(Op op);
/// The results of an operation, by its rule where an operand has a value for each example.
BatchedValues batched(Op op, const Attributes& attributes, const std::vector<Graph>& regions, BatchedValues inputs,
                      std::span<const TensorType> types, const Place& place, std::int64_t size);

/// `value` with a value for each of `size` examples.
Array for_each_example(const Batched& value, std::int64_t size);
/// `value`, a number for each example, in every element of `shape`, which begins with the examples.
Array spread(const Array& value, const Shape& shape);
/// `size` examples of `shape`.
Shape of_examples(std::int64_t size, const Shape& shape);

namespace batching_rules {

BatchedValues if_(const Batch&);
BatchedValues while_(const Batch&);

}  // namespace batching_rules

}  // namespace octet
