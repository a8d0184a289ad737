/// Findings in English, and their numbers. Internal to octet.nn.
module octet.nn:finding_text;
import octet.standard;
import :findings;

namespace octet::nn {

inline constexpr double worth_telling = 0.02;  ///< of a step

inline FindingValue count(std::string_view name, auto value) {
  return {name, static_cast<double>(value), FindingUnit::count};
}
inline FindingValue share(std::string_view name, double value) { return {name, value, FindingUnit::share}; }
inline FindingValue seconds(std::string_view name, double value) { return {name, value, FindingUnit::seconds}; }

/// A code, what it says in English, and its numbers.
struct Said {
  std::string_view code;
  std::string english;
  std::vector<FindingValue> values;
};

/// 25,600 for 25600; rounded to a whole number.
std::string grouped(double value);

/// `text` with each value in place of {1}, {2}, …, and of [one|many] behind a number what goes with it.
std::string said(std::string_view text, const std::vector<FindingValue>& values);

}  // namespace octet::nn
