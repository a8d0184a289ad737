/// Shapes: the static extents of a tensor, and a tensor's type (element type and shape).
export module octet.base:shape;
import octet.standard;
import :dtype;

export namespace octet {

/// A list of extents or of dimension numbers.
using Dims = std::vector<std::int64_t>;

/// The extents of a tensor, outermost first. Rank 0 is a scalar. Extents are at least 0.
class Shape {
 public:
  Shape() = default;
  Shape(std::initializer_list<std::int64_t> extents) : extents_{extents} {}
  explicit Shape(Dims extents) : extents_{std::move(extents)} {}

  std::int64_t rank() const { return static_cast<std::int64_t>(extents_.size()); }
  /// Extent of dimension `d`; a negative `d` counts from the end.
  std::int64_t operator[](std::int64_t d) const { return extents_[static_cast<std::size_t>(d < 0 ? d + rank() : d)]; }
  std::int64_t& operator[](std::int64_t d) { return extents_[static_cast<std::size_t>(d < 0 ? d + rank() : d)]; }
  /// Number of elements: the product of the extents, 1 for a scalar.
  std::int64_t elements() const {
    std::int64_t product = 1;
    for (std::int64_t extent : extents_) product *= extent;
    return product;
  }
  /// Row-major strides in elements.
  Dims strides() const {
    Dims result(extents_.size(), 1);
    for (std::int64_t d = rank() - 2; d >= 0; --d)
      result[static_cast<std::size_t>(d)] = result[static_cast<std::size_t>(d) + 1] * (*this)[d + 1];
    return result;
  }
  const Dims& extents() const { return extents_; }
  auto begin() const { return extents_.begin(); }
  auto end() const { return extents_.end(); }
  friend bool operator==(const Shape&, const Shape&) = default;

 private:
  Dims extents_;
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
