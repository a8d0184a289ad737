/// Floating-point numbers of 16 bits and less that Octet does not compute with, by their bits.
module;
#include <cmath>
module octet.graph;
import octet.base;
import octet.standard;
import :literal;

namespace octet::literal {

float of_narrow_bits(std::string_view type, std::uint32_t bits) {
  constexpr float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  if (type == "f8E8M0FNU") return bits == 0xff ? nan : std::ldexp(1.0f, static_cast<int>(bits) - 127);
  const std::string_view format = type == "f16" ? "E5M10" : type.substr(2);
  const int exponents = format[1] - '0', fractions = type == "f16" ? 10 : format[3] - '0';
  const bool finite = format.find("FN") != format.npos, unsigned_zero = format.ends_with("UZ");
  const int bias = format.find("B11") != format.npos ? 11 : (1 << (exponents - 1)) - 1 + unsigned_zero;
  const std::uint32_t top = (1u << exponents) - 1, ones = (1u << fractions) - 1;
  const std::uint32_t fraction = bits & ones, exponent = bits >> fractions & top;
  const float sign = bits >> (exponents + fractions) & 1 ? -1.0f : 1.0f;
  if (unsigned_zero && sign < 0 && exponent == 0 && fraction == 0) return nan;
  if (!unsigned_zero && exponent == top) {
    if (!finite) return fraction ? nan : sign * infinity;
    if (fraction == ones && type.starts_with("f8")) return nan;
  }
  const auto digits = static_cast<float>(fraction + (exponent ? ones + 1 : 0));
  return sign * std::ldexp(digits, std::max(static_cast<int>(exponent), 1) - bias - fractions);
}

bool read_narrow(std::string_view type, std::string_view text, bfloat16& value) {
  if (text.starts_with("0x")) {
    std::uint32_t bits = 0;
    const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), bits, 16);
    value = bfloat16{of_narrow_bits(type, bits)};
    return error == std::errc{} && end == text.data() + text.size() && bits <= (type == "f16" ? 0xffff : 0xff);
  }
  float wide = 0;
  if (!read_number(text, wide)) return false;
  // Half a step beyond 65,504 nothing rounds to that any more.
  constexpr float past_halves = 65520;
  if (type != "f16" || std::abs(wide) < past_halves) return read_number(text, value);
  value = bfloat16{std::copysign(std::numeric_limits<float>::infinity(), wide)};
  return true;
}

}  // namespace octet::literal
