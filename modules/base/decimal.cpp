/// The C library prints and reads correctly rounded digits, with the locale's point; the smallest precision that reads
/// back is what std::to_chars finds, without libc++'s 107 KB of tables, which hardly compress and which a page would
/// load.
module;
#include <clocale>
#include <cstdio>
module octet.base;
import octet.standard;

namespace octet {

namespace {

/// ±0.d1d2d3... × 10^exponent, digits without a point and, but for zero itself, without zeros at the end.
struct Decimal {
  bool negative = false;
  std::string digits;
  int exponent = 0;
};

std::string_view local_point() { return std::localeconv()->decimal_point; }

/// "-d.ddde-xx", whatever stands for the point, of `printed`.
Decimal decimal_of(std::string_view printed) {
  Decimal decimal{.negative = printed.front() == '-', .digits = "", .exponent = 0};
  const std::size_t e = printed.find('e');
  for (const char c : printed.substr(0, e))
    if (c >= '0' && c <= '9') decimal.digits += c;
  decimal.exponent = std::atoi(printed.data() + e + 1) + 1;
  return decimal;
}

std::string print(double number, int digits) {
  char text[64];
  const int length = std::snprintf(text, sizeof text, "%.*e", std::clamp(digits, 1, 40) - 1, number);
  return {text, static_cast<std::size_t>(length)};
}

/// `number` where it has few digits and no large exponent, as numbers have that people write: then its decimal is found
/// without the C library, which takes microseconds, and of which a page would load more than of all else here. What is
/// given up on is a large number, a long one, and one that is so near two floats that rounding twice could mislead.
template <std::floating_point Real>
std::optional<Decimal> short_decimal(Real number) {
  constexpr double most = std::same_as<Real, float> ? 1e6 : 1e14;  // fewer digits than any two numbers share
  const double magnitude = std::abs(static_cast<double>(number));
  double power = 1;  // of ten, and exact up to the 22nd
  for (int places = 0; places <= 22 && magnitude * power < most; ++places, power *= 10) {
    const double whole = std::round(magnitude * power);
    const double reread = whole / power;  // correctly rounded, as both are exact
    if (static_cast<double>(static_cast<Real>(reread)) != magnitude) continue;
    if (std::same_as<Real, float> && (std::bit_cast<std::uint64_t>(reread) & 0x1FFFFFFF) == 0x10000000) break;
    Decimal decimal{.negative = std::signbit(number), .digits = std::to_string(static_cast<std::int64_t>(whole))};
    decimal.exponent = static_cast<int>(decimal.digits.size()) - places;
    while (decimal.digits.size() > 1 && decimal.digits.back() == '0') decimal.digits.pop_back();
    return decimal;
  }
  return std::nullopt;
}

/// Reads what print() wrote, under the same locale.
template <std::floating_point Real>
Real reread(const std::string& printed) {
  if constexpr (std::same_as<Real, float>)
    return std::strtof(printed.c_str(), nullptr);
  else
    return std::strtod(printed.c_str(), nullptr);
}

std::string scientific(const Decimal& decimal) {
  std::string text = decimal.negative ? "-" : "";
  text += decimal.digits[0];
  if (decimal.digits.size() > 1) text += "." + decimal.digits.substr(1);
  const int exponent = decimal.exponent - 1;
  const std::string size = std::to_string(std::abs(exponent));
  return text + (exponent < 0 ? "e-" : "e+") + (size.size() < 2 ? "0" : "") + size;
}

std::string plain(const Decimal& decimal) {
  std::string digits = decimal.digits;
  if (decimal.exponent <= 0) {
    digits.insert(0, static_cast<std::size_t>(1 - decimal.exponent), '0');
    digits.insert(1, ".");
  } else if (const auto before = static_cast<std::size_t>(decimal.exponent); before >= digits.size()) {
    digits.append(before - digits.size(), '0');
  } else {
    digits.insert(before, ".");
  }
  return (decimal.negative ? "-" : "") + digits;
}

/// By as few digits as read back.
template <std::floating_point Real>
Decimal long_decimal(Real number) {
  int low = 1, high = std::numeric_limits<Real>::max_digits10;
  while (low < high)  // the number of digits lies in [low, high]: where some are enough, more are too
    if (const int middle = (low + high) / 2; reread<Real>(print(number, middle)) == number)
      high = middle;
    else
      low = middle + 1;
  return decimal_of(print(number, low));
}

}  // namespace

template <std::floating_point Real>
std::string shortest_decimal(Real number, Notation notation) {
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number < 0 ? "-inf" : "inf";
  const std::optional<Decimal> few = short_decimal(number);
  const Decimal decimal = few ? *few : long_decimal(number);
  if (notation == Notation::plain) return plain(decimal);
  std::string text = scientific(decimal);
  if (notation == Notation::scientific) return text;
  if (std::abs(decimal.exponent) > 24) return text;  // more zeros than a double has digits
  std::string without_exponent = plain(decimal);
  return without_exponent.size() <= text.size() ? without_exponent : text;
}

template std::string shortest_decimal(float, Notation);
template std::string shortest_decimal(double, Notation);

std::string scientific_decimal(double number, int digits) {
  if (!std::isfinite(number)) return shortest_decimal(number);
  return scientific(decimal_of(print(number, digits)));
}

double read_decimal(const std::string& text) {
  const std::string_view point = local_point();
  const std::size_t at = text.find('.');
  if (point == "." || at == std::string::npos) return std::strtod(text.c_str(), nullptr);
  std::string local = text;
  local.replace(at, 1, point);
  return std::strtod(local.c_str(), nullptr);
}

}  // namespace octet
