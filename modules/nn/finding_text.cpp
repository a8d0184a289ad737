module octet.nn;
import octet.base;
import octet.standard;
import :finding_text;
import :findings;

namespace octet::nn {

std::string grouped(double value) {
  std::string text = std::to_string(std::llround(value));
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

namespace {

std::string hundredths(double value) {
  return shortest_decimal(static_cast<float>(std::round(value * 100) / 100), Notation::plain);
}

std::string text_of(const FindingValue& value) {
  switch (value.unit) {
    case FindingUnit::share:
      return grouped(100 * value.value) + " %";
    case FindingUnit::seconds:
      return value.value >= 10 ? hundredths(value.value) + " s" : hundredths(1e3 * value.value) + " ms";
    case FindingUnit::bytes:
      return grouped(value.value / 1024) + " KiB";
    case FindingUnit::factor:
      return hundredths(value.value);
    default:
      return grouped(value.value);
  }
}

}  // namespace

std::string said(std::string_view text, const std::vector<FindingValue>& values) {
  std::string result;
  bool one = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{') {
      const FindingValue& value = values[static_cast<std::size_t>(text[i + 1] - '1')];
      result += text_of(value);
      one = value.value == 1;
      i += 2;
    } else if (text[i] == '[') {
      const std::size_t bar = text.find('|', i), end = text.find(']', i);
      result += one ? text.substr(i + 1, bar - i - 1) : text.substr(bar + 1, end - bar - 1);
      i = end;
    } else {
      result += text[i];
    }
  }
  return result;
}

std::string_view name(FindingUnit unit) {
  constexpr std::array<std::string_view, 5> names{"count", "share", "seconds", "bytes", "factor"};
  return names[static_cast<std::size_t>(unit)];
}

}  // namespace octet::nn
