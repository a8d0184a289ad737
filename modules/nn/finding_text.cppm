/// Findings in English, and their numbers. Internal to octet.nn.
module octet.nn:finding_text;
import octet.standard;
import :findings;

namespace octet::nn {

/// 25,600 for 25600; rounded to a whole number.
std::string grouped(double value);

/// `text` with each value in place of {1}, {2}, …, and of [one|many] behind a number what goes with it.
std::string said(std::string_view text, const std::vector<FindingValue>& values);

}  // namespace octet::nn
