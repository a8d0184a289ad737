/// Views: values that are another value read in a different order, so that nothing has to be moved. Internal to
/// octet.compile.
export module octet.compile:view;
import octet.base;
import octet.graph;
import octet.standard;

namespace octet {

/// A value read from the dense buffer of `root`: element (i0, i1, …) is at offset + Σ i·strides.
struct View {
  ValueId root = -1;
  std::int64_t offset = 0;
  Dims strides;
  std::int32_t barrier = -1;  ///< the node that must be passed before it is read, if there is one
};

/// A value read where it lies, in row-major order.
View dense_view(ValueId root, const Shape& shape);
/// Whether `view`, of `shape`, reads its root from the first element to the last.
bool is_dense(const View& view, const Shape& shape);

/// The result of `node` as a view of what its operand, of type `operand`, is a view of; nothing if elements must be
/// moved. broadcast_in_dim, transpose, slice and reverse are always views, reshape is one where the strides allow.
std::optional<View> viewed_through(const Node& node, const View& source, const Shape& operand, const Shape& result);

/// The stride of dimensions `dims` of a view taken as one dimension, row-major; nothing if they are not evenly spaced.
/// The stride of no dimension, or of extents of 1 alone, is 0.
std::optional<std::int64_t> joint_stride(const View& view, const Shape& shape, const Dims& dims);

/// Where a loop over `space` that reads a dense value of shape `root` through `view`, each element once, and writes
/// densely puts that value's elements: the strides of the root's dimensions in what is written. Nothing if there are
/// none.
std::optional<Dims> inverted(const View& view, const Shape& space, const Shape& root);

}  // namespace octet
