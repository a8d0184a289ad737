module;
#include <new>
module octet.base;
import octet.standard;
import :memory;

namespace octet {

namespace {

std::shared_ptr<std::byte[]> allocate(const TensorType& type, std::int64_t bytes) {
  try {
    return {detail::allocate_bytes(static_cast<std::size_t>(bytes)), detail::ReleaseBytes{}};
  } catch (const std::bad_alloc&) {
    fail([&] {
      return Diagnostic{.number = 408,
                        .sentence = to_string(type) + " needs " + std::to_string(bytes) +
                                    " bytes, which this machine does not have."};
    });
  }
}

/// How many bytes a tensor has: as many as can be addressed.
std::int64_t bytes_of(const TensorType& type) {
  bool empty = false, possible = true;
  std::int64_t bytes = static_cast<std::int64_t>(size_of(type.dtype));
  for (std::int64_t extent : type.shape) {
    if (extent < 0)
      fail([&] { return Diagnostic{.number = 408, .sentence = to_string(type) + " has a negative extent."}; });
    empty |= extent == 0;
    possible &= !__builtin_mul_overflow(bytes, extent, &bytes);
  }
  if (empty) bytes = 0;
  if (!empty && (!possible || static_cast<std::uint64_t>(bytes) > std::numeric_limits<std::size_t>::max() / 2))
    fail([&] {
      return Diagnostic{.number = 408, .sentence = to_string(type) + " has more bytes than this machine can address."};
    });
  return bytes;
}

/// Storage for all elements, zero.
std::shared_ptr<std::byte[]> allocate(const TensorType& type) {
  const std::int64_t bytes = bytes_of(type);
  auto storage = allocate(type, bytes);
  std::memset(storage.get(), 0, static_cast<std::size_t>(bytes));
  return storage;
}

}  // namespace

Tensor::Tensor(DType dtype, Shape shape) : type_{dtype, std::move(shape)}, storage_{allocate(type_)} {}

Tensor Tensor::of_bytes(TensorType type, std::span<const std::byte> bytes) {
  Tensor result{std::move(type)};
  if (static_cast<std::int64_t>(bytes.size()) != result.type_.bytes())
    fail([&] {
      return Diagnostic{.number = 405,
                        .sentence = std::to_string(bytes.size()) + " bytes were given for " + to_string(result.type_) +
                                    ", which has " + std::to_string(result.type_.bytes()) + "."};
    });
  std::copy(bytes.begin(), bytes.end(), result.storage_.get());
  // Others mark what is true with other bytes, such as 255; kernels count on 1.
  if (result.dtype() == DType::pred)
    for (std::byte& each : std::span{result.storage_.get(), bytes.size()}) each = std::byte{each != std::byte{}};
  return result;
}

Tensor::Tensor(TensorType type, std::shared_ptr<std::byte[]> storage)
    : type_{std::move(type)}, storage_{std::move(storage)} {}

Tensor Tensor::over(TensorType type, std::shared_ptr<std::byte[]> storage) {
  bytes_of(type);
  if (!storage || reinterpret_cast<std::uintptr_t>(storage.get()) % 64 != 0)
    fail([&] {
      return Diagnostic{.number = 405,
                        .sentence = "Memory for " + to_string(type) +
                                    (storage ? " does not begin at a multiple of 64 bytes." : " is none: it is null."),
                        .fix = {"let memory come from std::aligned_alloc(64, bytes), bytes a multiple of 64",
                                "copy what it holds: Tensor::of_bytes"}};
    });
  return {std::move(type), std::move(storage)};
}

std::byte* Tensor::mutable_data() {
  require_storage();
  if (storage_.use_count() > 1) {
    auto own = allocate(type_, type_.bytes());
    std::memcpy(own.get(), storage_.get(), static_cast<std::size_t>(type_.bytes()));
    storage_ = std::move(own);
  }
  // Another thread may just have given up its share: what it read comes before what is written now.
  std::atomic_thread_fence(std::memory_order_acquire);
  return storage_.get();
}

std::span<std::byte> Tensor::mutable_bytes() { return {mutable_data(), static_cast<std::size_t>(type_.bytes())}; }

double Tensor::at(std::int64_t index) const {
  if (index < 0 || index >= elements())
    fail([&] {
      return Diagnostic{.number = 403,
                        .sentence = "There is no element " + std::to_string(index) + " in " + to_string(type_) +
                                    ", which has " + std::to_string(elements()) + ".",
                        .rule = "A tensor has the elements of its shape.",
                        .fix = {elements() == 0 ? "it has no elements"
                                                : "give an index from 0 to " + std::to_string(elements() - 1)}};
    });
  return visit_dtype(dtype(), [&]<class T>(std::type_identity<T>) {
    return convert_element<double>(span<T>()[static_cast<std::size_t>(index)]);
  });
}

double Tensor::at(std::initializer_list<std::int64_t> indices) const {
  const Shape& own = shape();
  std::int64_t place = 0;
  bool exists = static_cast<std::int64_t>(indices.size()) == own.rank();
  for (std::int64_t d = 0; exists && d < own.rank(); ++d) {
    const std::int64_t given = indices.begin()[d], index = given < 0 ? given + own[d] : given;
    exists = index >= 0 && index < own[d];
    place = place * own[d] + index;
  }
  if (!exists)
    fail([&] {
      return Diagnostic{.number = 403,
                        .sentence = "There is no element " + to_string(Dims{indices}) + " in " + to_string(type_) + ".",
                        .rule = "A tensor has the elements of its shape.",
                        .fix = {elements() == 0   ? "it has no elements"
                                : own.rank() == 0 ? "a scalar's is item()"
                                                  : "give an index for each dimension, below its extent"}};
    });
  return at(place);
}

double Tensor::item() const {
  require_elements(1);
  return at(0);
}

Tensor Tensor::reshaped(Shape shape) const {
  std::int64_t count = 1;
  bool possible = true, empty = false;
  for (const std::int64_t extent : shape) {
    possible &= extent >= 0;
    empty |= extent == 0;
  }
  for (const std::int64_t extent : shape) possible &= empty || !__builtin_mul_overflow(count, extent, &count);
  if (!possible || (empty ? 0 : count) != elements())
    fail([&] {
      return Diagnostic{.number = 401,
                        .sentence = to_string(type_) + " cannot be reshaped to " + to_string(shape) + ": " +
                                    (possible ? std::to_string(elements()) + " elements are not " +
                                                    std::to_string(shape.elements()) + "."
                                              : "there is no such shape.")};
    });
  Tensor result = *this;
  result.type_.shape = std::move(shape);
  return result;
}

namespace {

/// Not inlined: a page loads those of types that no visit converts when they are called.
template <class From>
[[gnu::noinline]] void convert_elements(std::span<const From> source, Tensor& target) {
  visit_dtype(target.dtype(), [&]<class To>(std::type_identity<To>) {
    const auto to = target.mutable_span<To>();
    for (std::size_t i = 0; i < source.size(); ++i) to[i] = convert_element<To>(source[i]);
  });
}

}  // namespace

Tensor Tensor::converted(DType to) const {
  if (to == dtype()) return *this;
  Tensor result{to, shape()};
  visit_dtype(dtype(), [&]<class From>(std::type_identity<From>) { convert_elements<From>(span<From>(), result); });
  return result;
}

bool operator==(const Tensor& a, const Tensor& b) {
  return a.type_ == b.type_ &&
         (a.storage_ == b.storage_ || std::memcmp(a.bytes().data(), b.bytes().data(), a.bytes().size()) == 0);
}

void Tensor::require_storage() const {
  if (!storage_)
    fail([&] {
      return Diagnostic{.number = 405,
                        .sentence = "A tensor of type " + to_string(type_) + " was used after it was moved from.",
                        .fix = {"give it another value first, such as what the call returned that it was moved into",
                                "pass it without std::move"}};
    });
}

void Tensor::require_dtype(DType asked) const {
  require_storage();
  if (asked != dtype())
    fail([&] {
      return Diagnostic{
          .number = 402,
          .sentence = "A tensor of type " + to_string(type_) + " was read as " + std::string{name(asked)} + ".",
          .rule = "A tensor's memory is read as what it holds.",
          .fix = {"read it as " + std::string{name(dtype())},
                  "read what converted(DType::" + std::string{name(asked)} + ") gives"}};
    });
}

void Tensor::require_elements(std::int64_t count) const {
  if (count != elements())
    fail([&] {
      return Diagnostic{.number = 405,
                        .sentence = (count == 1 ? "1 value was" : std::to_string(count) + " values were") +
                                    " asked of or given to " + to_string(type_) + ", which has " +
                                    std::to_string(elements()) + ".",
                        .rule = "A tensor has as many values as its shape says.",
                        .fix = {count == 1 ? "item() is for tensors of one element: read the others by span<T>()"
                                           : "give or take as many as it has"}};
    });
}

}  // namespace octet
