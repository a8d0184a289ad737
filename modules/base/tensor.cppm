/// Tensor: values on the host.
export module octet.base:tensor;
import octet.standard;
import :dtype;
import :shape;

export namespace octet {

/// What a Tensor that nobody keeps gives to read, and the storage with it: `for (float x : f(y).span<float>())` reads
/// elements that are there. A std::span made of it does not keep them.
template <class T>
class HeldSpan : public std::span<const T> {
 public:
  HeldSpan(std::span<const T> elements, std::shared_ptr<const void> storage)
      : std::span<const T>{elements}, storage_{std::move(storage)} {}

 private:
  std::shared_ptr<const void> storage_;
};

}  // namespace octet

// It keeps no elements of its own: iterators outlive it as long as the expression that it is in.
template <class T>
inline constexpr bool std::ranges::enable_borrowed_range<octet::HeldSpan<T>> = true;
template <class T>
inline constexpr bool std::ranges::enable_view<octet::HeldSpan<T>> = true;

export namespace octet {

/// A dense row-major array of values on the host. A regular value: copies share storage until one of them is written
/// to. The storage is aligned to 64 bytes. One that was moved from has none: to read or write it throws X405.
class Tensor {
 public:
  /// An f32 scalar, 0.
  Tensor() : Tensor{DType::f32, Shape{}} {}
  /// All elements zero. Throws X408 where an extent is negative or memory does not suffice.
  Tensor(DType dtype, Shape shape);
  explicit Tensor(TensorType type) : Tensor{type.dtype, std::move(type.shape)} {}

  /// A scalar.
  template <class T>
    requires is_element_type<T>
  static Tensor scalar(T value) {
    return full(Shape{}, value);
  }
  /// Every element is `value`.
  template <class T>
    requires is_element_type<T>
  static Tensor full(Shape shape, T value) {
    Tensor result{dtype_of<T>, std::move(shape)};
    for (T& element : result.mutable_span<T>()) element = value;
    return result;
  }
  /// From row-major values; throws X405 where their number is not that of `shape`.
  template <class T>
    requires is_element_type<T>
  static Tensor of(Shape shape, std::span<const T> values) {
    Tensor result{dtype_of<T>, std::move(shape)};
    result.require_elements(static_cast<std::int64_t>(values.size()));
    auto to = result.mutable_span<T>();
    for (std::size_t i = 0; i < values.size(); ++i) to[i] = values[i];
    return result;
  }
  template <class T>
    requires is_element_type<T>
  static Tensor of(Shape shape, std::initializer_list<T> values) {
    return of<T>(std::move(shape), std::span<const T>{values.begin(), values.size()});
  }
  /// From row-major bytes in this machine's order; of pred, each that is not 0 is true. Throws X405 where their number
  /// does not fit `type`.
  static Tensor of_bytes(TensorType type, std::span<const std::byte> bytes);
  /// Over memory that is there already, without a copy: row-major, in this machine's order, of as many bytes as `type`
  /// has; of pred, 0 and 1 and no others. It is written to where this tensor is, and given up when no tensor shares it
  /// any more. Throws X405 where it does not begin at a multiple of 64 bytes, X408 as the constructor does.
  static Tensor over(TensorType type, std::shared_ptr<std::byte[]> storage);

  inline DType dtype() const { return type_.dtype; }
  inline const Shape& shape() const { return type_.shape; }
  inline const TensorType& type() const { return type_; }
  std::int64_t elements() const { return type_.shape.elements(); }

  std::span<const std::byte> bytes() const& {
    require_storage();
    return {storage_.get(), static_cast<std::size_t>(type_.bytes())};
  }
  HeldSpan<std::byte> bytes() && {
    const std::span<const std::byte> all = bytes();
    return {all, std::move(storage_)};
  }
  /// For writing; of pred, 0 and 1 and no others. Storage that is shared with another Tensor is copied first.
  std::span<std::byte> mutable_bytes();
  /// Where bytes() begin, null of what was moved from; and where mutable_bytes() do, which are copied first as there.
  /// (Inline: see Shape.)
  inline const std::byte* data() const { return storage_.get(); }
  std::byte* mutable_data();

  /// The elements as `T`; throws X402 where `T` is not this tensor's element type.
  template <class T>
    requires is_element_type<T>
  std::span<const T> span() const& {
    require_dtype(dtype_of<T>);
    return {reinterpret_cast<const T*>(storage_.get()), static_cast<std::size_t>(elements())};
  }
  template <class T>
    requires is_element_type<T>
  HeldSpan<T> span() && {
    const std::span<const T> all = span<T>();
    return {all, std::move(storage_)};
  }
  template <class T>
    requires is_element_type<T>
  std::span<T> mutable_span() {
    require_dtype(dtype_of<T>);
    return {reinterpret_cast<T*>(mutable_data()), static_cast<std::size_t>(elements())};
  }
  /// The only element of a tensor of one element, as a number.
  double item() const;
  /// Element `index` (row-major) as a number; throws X403 where there is none.
  double at(std::int64_t index) const;
  /// The element at `indices`, one for each dimension, as a number: `x.at({1, 2})`. A negative one counts from the end.
  /// Throws X403 where there is none.
  double at(std::initializer_list<std::int64_t> indices) const;

  /// The same elements under another shape; throws X401 where the number of elements differs, or an extent is negative.
  Tensor reshaped(Shape shape) const;
  /// Each element converted to `dtype`, as StableHLO's `convert` does.
  Tensor converted(DType dtype) const;

  /// Whether type and every byte agree.
  friend bool operator==(const Tensor& a, const Tensor& b);

 private:
  /// Takes its storage as it is.
  Tensor(TensorType type, std::shared_ptr<std::byte[]> storage);
  void require_storage() const;
  void require_dtype(DType dtype) const;
  void require_elements(std::int64_t count) const;

  TensorType type_;
  std::shared_ptr<std::byte[]> storage_;
};

/// The elements as NumPy prints them, `[[1.   2.5 ]\n [3.   4.25]]`: of more than 1,000 the first and last three along
/// each dimension. `to_string(x.type())` tells the type.
std::string to_string(const Tensor& tensor);
template <class Stream>
  requires requires(Stream& stream) { stream.rdbuf(); }
Stream& operator<<(Stream& stream, const Tensor& tensor) {
  const std::string text = to_string(tensor);
  stream.write(text.data(), static_cast<std::ptrdiff_t>(text.size()));
  return stream;
}

/// Converts one element as StableHLO's `convert` does: floating to integer truncates towards zero and saturates
/// (NaN becomes 0), anything to `pred` asks whether it is not zero, to bf16 rounds to nearest even, of other types than
/// f32 what f32 makes of it.
template <class To, class From>
constexpr To convert_element(From value);

}  // namespace octet

namespace octet {

template <class To, class From>
constexpr To convert_element(From value) {
  if constexpr (std::is_same_v<To, From>) {
    return value;
  } else if constexpr (std::is_same_v<From, bfloat16>) {
    return convert_element<To>(static_cast<float>(value));
  } else if constexpr (std::is_same_v<To, bool>) {
    return value != From{};
  } else if constexpr (std::is_same_v<To, bfloat16>) {
    return bfloat16{static_cast<float>(value)};
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    if (value != value) return To{0};
    // The bounds are exact in f64, and their upper one is the first value that does not fit.
    constexpr double low = std::is_signed_v<To> ? (sizeof(To) == 4 ? -2147483648.0 : -9223372036854775808.0) : 0.0;
    constexpr double beyond = std::is_signed_v<To> ? -low : 4294967296.0;
    const double wide = value;
    if (wide < low) return static_cast<To>(low);
    if (wide >= beyond)
      return std::is_signed_v<To> ? static_cast<To>(~(To{1} << (sizeof(To) * 8 - 1))) : static_cast<To>(~To{0});
    return static_cast<To>(value);
  } else {
    return static_cast<To>(value);
  }
}

}  // namespace octet
