module;
#include <cmath>
module octet.graph;
import octet.base;
import octet.standard;
import :literal;

namespace octet::literal {

namespace {

constexpr char digits[] = "0123456789ABCDEF";

template <class T>
auto bits_of(T value) {
  if constexpr (std::is_same_v<T, bfloat16>)
    return value.bits();
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<std::uint64_t>(value);
  else
    return std::bit_cast<std::uint32_t>(value);
}

template <class T>
T of_bits(std::uint64_t bits) {
  if constexpr (std::is_same_v<T, bfloat16>)
    return bfloat16::from_bits(static_cast<std::uint16_t>(bits));
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<double>(bits);
  else
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}

/// Whether `text` is a sign, digits, and perhaps a point with digits and an exponent.
bool is_decimal(std::string_view text) {
  std::size_t i = 0;
  const auto run = [&] {
    const std::size_t from = i;
    while (i < text.size() && text[i] >= '0' && text[i] <= '9') ++i;
    return i > from;
  };
  const auto sign = [&] { i += i < text.size() && (text[i] == '-' || text[i] == '+'); };
  sign();
  if (!run()) return false;
  if (i < text.size() && text[i] == '.') {
    ++i;
    run();
  }
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    sign();
    if (!run()) return false;
  }
  return i == text.size();
}

/// The bfloat16 nearest to `value`: one rounding, not two.
bfloat16 nearest_bfloat16(double value) {
  const auto near = static_cast<float>(value);
  const bool tie = (std::bit_cast<std::uint32_t>(near) & 0xffffu) == 0x8000u;
  return bfloat16{tie && near != value ? std::nextafter(near, static_cast<float>(value > near ? HUGE_VAL : -HUGE_VAL))
                                       : near};
}

/// MLIR's floating-point numbers have a point.
std::string with_point(std::string text) {
  if (text.find('.') == std::string::npos) text.insert(std::min(text.find('e'), text.size()), ".0");
  return text;
}

std::string number(bool value) { return value ? "true" : "false"; }

template <class T>
  requires std::is_integral_v<T>
std::string number(T value) {
  return std::to_string(value);
}

template <class T>
  requires(!std::is_integral_v<T>)
std::string number(T value) {
  using Wide = std::conditional_t<std::is_same_v<T, double>, double, float>;
  const auto wide = static_cast<Wide>(value);
  if (!std::isfinite(wide)) {
    std::string text = "0x";
    const auto bits = bits_of(value);
    for (int shift = static_cast<int>(sizeof bits) * 8 - 4; shift >= 0; shift -= 4)
      text += digits[(bits >> shift) & 15u];
    return text;
  }
  const std::string text = with_point(shortest_decimal(wide));
  // MLIR reads a double first and rounds that; nine digits survive being rounded twice.
  const bool survives = !std::is_same_v<T, float> || static_cast<float>(read_decimal(text)) == wide;
  return survives ? text : scientific_decimal(wide, 9);
}

template <class T>
void write_elements(std::string& text, const T*& next, const Dims& extents, std::size_t dimension) {
  if (dimension == extents.size()) {
    text += number(*next++);
    return;
  }
  text += '[';
  for (std::int64_t i = 0; i < extents[dimension]; ++i) {
    if (i) text += ", ";
    write_elements(text, next, extents, dimension + 1);
  }
  text += ']';
}

std::string hexadecimal_bytes(const Tensor& value) {
  const std::size_t size = size_of(value.dtype());
  std::string text = "\"0x";
  text.reserve(text.size() + value.bytes().size() * 2 + 1);
  for (std::size_t i = 0; i < value.bytes().size(); ++i) {
    // The text is little-endian.
    const std::size_t within = std::endian::native == std::endian::little ? i % size : size - 1 - i % size;
    const auto byte = std::to_integer<unsigned>(value.bytes()[i - i % size + within]);
    text += digits[byte >> 4];
    text += digits[byte & 15u];
  }
  return text + '"';
}

bool same_bits_throughout(const Tensor& value) {
  const std::size_t size = size_of(value.dtype());
  const auto bytes = value.bytes();
  return bytes.size() <= size || std::memcmp(bytes.data(), bytes.data() + size, bytes.size() - size) == 0;
}

}  // namespace

std::string type(const TensorType& type) {
  std::string text = "tensor<";
  for (std::int64_t extent : type.shape) text += std::to_string(extent) + "x";
  return text + std::string{name(type.dtype)} + ">";
}

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (char c : text) {
    if (c >= ' ' && c <= '~' && c != '"' && c != '\\') {
      result += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      result += {'\\', digits[byte >> 4], digits[byte & 15u]};
    }
  }
  return result + '"';
}

std::string dense(const Tensor& value, std::size_t longest) {
  if (value.elements() == 0) return "dense<>";
  std::string text = "dense<";
  const auto count = static_cast<std::size_t>(value.elements());
  if (longest && count > longest && value.dtype() != DType::pred && !same_bits_throughout(value)) {
    text += hexadecimal_bytes(value);
  } else {
    visit_dtype(value.dtype(), [&]<class T>(std::type_identity<T>) {
      const T* next = value.span<T>().data();
      if (same_bits_throughout(value))
        text += number(*next);
      else
        write_elements(text, next, value.shape().extents(), 0);
    });
  }
  return text + '>';
}

int hexadecimal(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
  return -1;
}

template <class T>
bool read_number(std::string_view text, T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    value = text == "true" || text == "1";
    return value || text == "false" || text == "0";
  } else if constexpr (std::is_integral_v<T>) {
    if (text.starts_with("0x")) {
      std::make_unsigned_t<T> bits = 0;
      const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), bits, 16);
      value = static_cast<T>(bits);
      return error == std::errc{} && end == text.data() + text.size();
    }
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size();
  } else {
    if (text.starts_with("0x")) {
      std::uint64_t bits = 0;
      const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), bits, 16);
      value = of_bits<T>(bits);
      return error == std::errc{} && end == text.data() + text.size() && text.size() <= 2 + 2 * sizeof(T);
    }
    if (!is_decimal(text)) return false;
    const double wide = read_decimal(std::string{text});
    if constexpr (std::is_same_v<T, bfloat16>)
      value = nearest_bfloat16(wide);
    else
      value = static_cast<T>(wide);
    return std::isfinite(static_cast<double>(value));
  }
}

template bool read_number(std::string_view, bool&);
template bool read_number(std::string_view, std::int32_t&);
template bool read_number(std::string_view, std::int64_t&);
template bool read_number(std::string_view, std::uint32_t&);
template bool read_number(std::string_view, std::uint64_t&);
template bool read_number(std::string_view, bfloat16&);
template bool read_number(std::string_view, float&);
template bool read_number(std::string_view, double&);

}  // namespace octet::literal
