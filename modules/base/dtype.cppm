/// The element types of Octet and their StableHLO names.
export module octet.base:dtype;
import octet.standard;
import :bfloat16;

export namespace octet {

/// Element type of a tensor. `pred` is a truth value, one byte each on the host.
enum class DType : std::uint8_t { pred, i32, i64, u32, bf16, f32, f64 };

inline constexpr DType all_dtypes[] = {DType::pred, DType::i32, DType::i64, DType::u32,
                                       DType::bf16, DType::f32, DType::f64};

/// Bytes of one element.
constexpr std::size_t size_of(DType dtype) {
  switch (dtype) {
    case DType::pred:
      return 1;
    case DType::bf16:
      return 2;
    case DType::i64:
    case DType::f64:
      return 8;
    default:
      return 4;
  }
}

/// The name in StableHLO text: `i1`, `i32`, `i64`, `ui32`, `bf16`, `f32`, `f64`.
constexpr std::string_view name(DType dtype) {
  constexpr std::string_view names[] = {"i1", "i32", "i64", "ui32", "bf16", "f32", "f64"};
  return names[static_cast<std::size_t>(dtype)];
}

/// The type that `name` gives this text, if any does.
constexpr std::optional<DType> dtype_named(std::string_view text) {
  for (DType dtype : all_dtypes)
    if (name(dtype) == text) return dtype;
  return std::nullopt;
}

constexpr bool is_floating(DType dtype) { return dtype >= DType::bf16; }
constexpr bool is_integer(DType dtype) { return dtype == DType::i32 || dtype == DType::i64 || dtype == DType::u32; }
constexpr bool is_signed(DType dtype) { return dtype != DType::pred && dtype != DType::u32; }

template <class T>
inline constexpr bool is_element_type =
    std::is_same_v<T, bool> || std::is_same_v<T, std::int32_t> || std::is_same_v<T, std::int64_t> ||
    std::is_same_v<T, std::uint32_t> || std::is_same_v<T, bfloat16> || std::is_same_v<T, float> ||
    std::is_same_v<T, double>;

/// The DType that a C++ type stands for.
template <class T>
  requires is_element_type<T>
inline constexpr DType dtype_of = [] {
  if constexpr (std::is_same_v<T, bool>)
    return DType::pred;
  else if constexpr (std::is_same_v<T, std::int32_t>)
    return DType::i32;
  else if constexpr (std::is_same_v<T, std::int64_t>)
    return DType::i64;
  else if constexpr (std::is_same_v<T, std::uint32_t>)
    return DType::u32;
  else if constexpr (std::is_same_v<T, bfloat16>)
    return DType::bf16;
  else if constexpr (std::is_same_v<T, float>)
    return DType::f32;
  else
    return DType::f64;
}();

/// Calls `function` with a `std::type_identity` of the C++ type that `dtype` stands for.
template <class Function>
constexpr decltype(auto) visit_dtype(DType dtype, Function&& function) {
  switch (dtype) {
    case DType::pred:
      return function(std::type_identity<bool>{});
    case DType::i32:
      return function(std::type_identity<std::int32_t>{});
    case DType::i64:
      return function(std::type_identity<std::int64_t>{});
    case DType::u32:
      return function(std::type_identity<std::uint32_t>{});
    case DType::bf16:
      return function(std::type_identity<bfloat16>{});
    case DType::f32:
      return function(std::type_identity<float>{});
    default:
      return function(std::type_identity<double>{});
  }
}

}  // namespace octet
