// What the Machine section asks about one number: its bits in f32 and bf16, and what becomes of small updates to it.
#include <cmath>

#include "crossing.hpp"
import octet.standard;
import octet;

namespace {

using crossing::list, crossing::take, crossing::text_of, crossing::val;
using octet::bfloat16;

/// The f32 that `text` writes. Throws X709 where it writes none.
float number_of(std::string text) {
  const auto blank = [](unsigned char c) { return std::isspace(c) != 0; };
  text.erase(text.begin(), std::find_if_not(text.begin(), text.end(), blank));
  text.erase(std::find_if_not(text.rbegin(), text.rend(), blank).base(), text.end());
  std::string small = text;
  for (char& c : small) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const std::string plain = !small.empty() && (small[0] == '-' || small[0] == '+') ? small.substr(1) : small;
  const float sign = small.starts_with('-') ? -1.0f : 1.0f;
  if (plain == "nan") return std::copysign(std::numeric_limits<float>::quiet_NaN(), sign);
  if (plain == "inf" || plain == "infinity") return sign * std::numeric_limits<float>::infinity();

  std::size_t at = 0, digits = 0;
  const auto run = [&] {
    std::size_t count = 0;
    for (; at < plain.size() && plain[at] >= '0' && plain[at] <= '9'; ++at) ++count;
    return count;
  };
  digits = run();
  if (at < plain.size() && plain[at] == '.') ++at, digits += run();
  bool reads = digits > 0;
  if (reads && at < plain.size() && plain[at] == 'e') {
    ++at;
    if (at < plain.size() && (plain[at] == '-' || plain[at] == '+')) ++at;
    reads = run() > 0;
  }
  if (!reads || at != plain.size() || plain.size() > 400)
    octet::fail({.number = 709,
                 .sentence = "'" + text.substr(0, 40) + "' is not a number.",
                 .fix = {"write one such as 0.1, -3, 1e-40, inf or nan"}});
  return static_cast<float>(octet::read_decimal((sign < 0 ? "-" : "") + plain));
}

const char* kind_of(float value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return "infinity";
  if (value == 0) return "zero";
  return std::fpclassify(value) == FP_SUBNORMAL ? "subnormal" : "normal";
}

std::string bits_of(std::uint32_t pattern, int count) {
  std::string text;
  for (int bit = count - 1; bit >= 0; --bit) text += (pattern >> bit & 1) ? '1' : '0';
  return text;
}

/// A number of f32 with `count` bits of its pattern from the top: the first is the sign, then eight of the exponent.
val written(float value, int count) {
  const auto pattern = std::bit_cast<std::uint32_t>(value);
  const int fraction_bits = count - 9;
  const std::uint32_t fraction = (pattern & 0x7f'ffffu) >> (23 - fraction_bits);
  val object = val::object();
  object.set("bits", bits_of(pattern >> (32 - count), count));
  object.set("text", octet::shortest_decimal(value));
  object.set("value", static_cast<double>(value));
  object.set("kind", kind_of(value));
  object.set("exponent", std::max(1, static_cast<int>(pattern >> 23 & 0xff)) - 127);
  object.set("fraction", std::ldexp(static_cast<double>(fraction), -fraction_bits));
  return object;
}

/// The next bf16 number away from zero, or towards it; zero's neighbours are the smallest there are.
bfloat16 neighbour(bfloat16 from, bool above) {
  const auto bits = from.bits();
  if ((bits & 0x7fff) == 0) return bfloat16::from_bits(above ? 0x0001 : 0x8001);
  const bool larger = above != ((bits & 0x8000) != 0);
  return bfloat16::from_bits(static_cast<std::uint16_t>(larger ? bits + 1 : bits - 1));
}

/// `{text}` or `{bits}`, 32 or 16 of them → the number in f32 and in bf16, and what lies beside it.
val take_apart(const val& request) {
  const std::string bits = text_of(request, "bits");
  float value = 0;
  if (bits.empty()) {
    value = number_of(text_of(request, "text"));
  } else {
    if ((bits.size() != 32 && bits.size() != 16) || bits.find_first_not_of("01") != bits.npos)
      octet::fail({.number = 709, .sentence = "A number has 32 bits in f32 and 16 in bf16."});
    std::uint32_t pattern = 0;
    for (const char bit : bits) pattern = pattern << 1 | static_cast<std::uint32_t>(bit == '1');
    value = std::bit_cast<float>(bits.size() == 16 ? pattern << 16 : pattern);
  }
  const bfloat16 rounded{value};
  const auto narrow = static_cast<float>(rounded);
  val answer = val::object();
  answer.set("f32", written(value, 32));
  answer.set("bf16", written(narrow, 16));
  const bool finite = std::isfinite(value) && std::isfinite(narrow);
  const double error = static_cast<double>(narrow) - static_cast<double>(value);
  answer.set("error", finite ? val{error} : val::null());
  answer.set("relative_error", finite && value != 0 ? val{std::fabs(error / static_cast<double>(value))} : val::null());
  const bool has_neighbours = std::isfinite(narrow);
  answer.set("below", has_neighbours ? written(static_cast<float>(neighbour(rounded, false)), 16) : val::null());
  answer.set("above", has_neighbours ? written(static_cast<float>(neighbour(rounded, true)), 16) : val::null());
  return answer;
}

/// `{text, power, updates}` → a weight to which 2^-power of it is added again and again: kept in bf16, and with a
/// master in f32 of which the bf16 weight is a copy.
val update_again(const val& request) {
  const float weight = number_of(text_of(request, "text"));
  int power = 10, updates = 128;
  take(request, "power", power);
  take(request, "updates", updates);
  updates = std::clamp(updates, 1, 4096);
  if (!std::isfinite(static_cast<float>(bfloat16{weight})) || static_cast<float>(bfloat16{weight}) == 0)
    octet::fail(
        {.number = 709, .sentence = "A weight that is updated is a number other than 0, within the range of bf16."});
  const float change = std::ldexp(std::fabs(weight), -std::clamp(power, 0, 60));
  const bfloat16 first{weight};
  bfloat16 alone = first;
  float master = weight;
  std::vector<double> kept, masters, copies;
  const auto note = [&] {
    kept.push_back(static_cast<double>(alone));
    masters.push_back(master);
    copies.push_back(static_cast<double>(bfloat16{master}));
  };
  note();
  for (int i = 0; i < updates; ++i) {
    alone = bfloat16{static_cast<float>(alone) + change};
    master += change;
    note();
  }
  // Beyond the largest number there is none, and what it is rounded to decides as if there were.
  const bool largest = std::isinf(static_cast<float>(neighbour(first, true)));
  const double gap = largest ? static_cast<double>(first) - static_cast<double>(neighbour(first, false))
                             : static_cast<double>(neighbour(first, true)) - static_cast<double>(first);
  val answer = val::object();
  answer.set("weight", octet::shortest_decimal(static_cast<float>(first)));
  answer.set("change", octet::shortest_decimal(change));
  answer.set("after_one", octet::shortest_decimal(static_cast<float>(kept[1])));
  answer.set("vanished", kept[1] == kept[0]);
  answer.set("half_gap", octet::shortest_decimal(static_cast<float>(gap / 2)));
  answer.set("kept", list(kept, [](double each) { return each; }));
  answer.set("masters", list(masters, [](double each) { return each; }));
  answer.set("copies", list(copies, [](double each) { return each; }));
  answer.set("kept_text", octet::shortest_decimal(static_cast<float>(alone)));
  answer.set("master_text", octet::shortest_decimal(master));
  return answer;
}

const crossing::Functions functions{{"takeApart", take_apart}, {"updateAgain", update_again}};

}  // namespace
