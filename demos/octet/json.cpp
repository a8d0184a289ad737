#include "json.hpp"

#include <cstdio>
import octet.standard;
import octet;

namespace program {

std::string json_text(std::string_view text) {
  std::string result = "\"";
  for (const char c : octet::text::replace_invalid_utf8(text)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += {'\\', c};
    } else if (c == '\n') {
      result += "\\n";
    } else if (c == '\t') {
      result += "\\t";
    } else if (byte < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", byte);
      result += escape;
    } else {
      result += c;
    }
  }
  return result + "\"";
}

std::string json_number(double number) {
  if (!std::isfinite(number)) return "null";
  const double size = std::fabs(number);
  const bool plain = size == 0 || (size >= 1e-5 && size < 1e16);  // 0.0005 rather than 5e-04
  return octet::shortest_decimal(number, plain ? octet::Notation::plain : octet::Notation::scientific);
}

}  // namespace program
