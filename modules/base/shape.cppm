/// Shapes: the static extents of a tensor, and a tensor's type (element type and shape).
export module octet.base:shape;
import octet.standard;
import :dtype;

export namespace octet {

/// A list of extents or of dimension numbers.
using Dims = std::vector<std::int64_t>;

/// The extents of a tensor, outermost first. Rank 0 is a scalar. Extents are at least 0. Up to four of them lie in the
/// shape itself: a program has a shape for each of its thousands of values, and asks for each again and again. What
/// every call asks of its tensors is inline, which in a module it is not by being defined in its class; what is longer
/// is not, for the sake of what a page loads.
class Shape {
 public:
  Shape() = default;
  Shape(std::initializer_list<std::int64_t> extents) : Shape{extents.begin(), extents.size()} {}
  explicit Shape(const Dims& extents) : Shape{extents.data(), extents.size()} {}

  inline std::int64_t rank() const { return many_.empty() ? rank_ : static_cast<std::int64_t>(many_.size()); }
  /// Extent of dimension `d`, which there must be: it is not checked. A negative `d` counts from the end.
  std::int64_t operator[](std::int64_t d) const { return begin()[d < 0 ? d + rank() : d]; }
  std::int64_t& operator[](std::int64_t d) {
    return (many_.empty() ? few_.data() : many_.data())[d < 0 ? d + rank() : d];
  }
  /// Number of elements: the product of the extents, 1 for a scalar.
  std::int64_t elements() const {
    std::int64_t product = 1;
    for (std::int64_t extent : *this) product *= extent;
    return product;
  }
  /// Row-major strides in elements.
  Dims strides() const {
    Dims result(static_cast<std::size_t>(rank()), 1);
    for (std::int64_t d = rank() - 2; d >= 0; --d)
      result[static_cast<std::size_t>(d)] = result[static_cast<std::size_t>(d) + 1] * (*this)[d + 1];
    return result;
  }
  Dims extents() const { return {begin(), end()}; }
  inline const std::int64_t* begin() const { return many_.empty() ? few_.data() : many_.data(); }
  inline const std::int64_t* end() const { return begin() + rank(); }
  friend bool operator==(const Shape&, const Shape&) = default;

 private:
  Shape(const std::int64_t* extents, std::size_t count) {
    if (count > few_.size()) {
      many_.assign(extents, extents + count);
    } else {
      rank_ = static_cast<std::int64_t>(count);
      std::copy_n(extents, count, few_.begin());
    }
  }

  std::array<std::int64_t, 4> few_{};  ///< the extents where they are few, and zeros: == compares all
  std::int64_t rank_ = 0;  ///< where they are few; where `many_` was moved from, it is 0, and the shape a scalar
  Dims many_;              ///< all extents, where they are more
};

/// `[8, 64, 128]`.
std::string to_string(const Shape& shape);
/// `[0, 2]`, for lists of dimension numbers in messages.
std::string to_string(const Dims& dims);

/// Element type and shape: all that is known of a value inside a traced program.
struct TensorType {
  DType dtype = DType::f32;
  Shape shape;
  std::int64_t bytes() const { return shape.elements() * static_cast<std::int64_t>(size_of(dtype)); }
  friend bool operator==(const TensorType&, const TensorType&) = default;
};

/// `f32[8, 64]`.
std::string to_string(const TensorType& type);

}  // namespace octet
