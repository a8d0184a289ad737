module;
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
module octet.tpu;
import octet.base;
import octet.graph;

namespace octet::tpu {

namespace {

/// A generation, how many cores its names count by the chip, and its largest pod in what the names count.
struct Generation {
  std::string_view prefix;
  std::int64_t smallest, largest;
};
// Cloud TPU's pages for each version; the pods of 512, 2048, 8192, 12288, 256 and 256.
constexpr Generation generations[] = {{"v2", 8, 512},  {"v3", 8, 2048},  {"v4", 8, 8192},
                                      {"v5p", 8, 12288}, {"v5e", 1, 256}, {"v6e", 1, 256}};

bool is_power_of_two(std::int64_t n) { return n > 0 && (n & (n - 1)) == 0; }

}  // namespace

Slice slice(std::string_view text) {
  const auto dash = text.find('-');
  const std::string_view prefix = text.substr(0, dash);
  std::int64_t count = 0;
  if (dash != std::string_view::npos) {
    const std::string_view digits = text.substr(dash + 1);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
    if (error != std::errc{} || end != digits.data() + digits.size()) count = 0;
  }
  const auto generation = std::find_if(std::begin(generations), std::end(generations),
                                       [&](const Generation& each) { return each.prefix == prefix; });
  const bool known = generation != std::end(generations) && count >= generation->smallest && count <= generation->largest &&
                     (is_power_of_two(count) || count % 8 == 0);
  if (!known)
    fail({.number = 604,
          .sentence = "There is no TPU slice called '" + std::string{text} + "'.",
          .fix = {"use a name such as v2-8, v3-8, v3-32, v4-8 or v5e-8"}});
  if (count > most_simulated_replicas)
    fail({.number = 605,
          .sentence = std::string{text} + " has " + std::to_string(count) + " replicas; this machine simulates at most " +
                      std::to_string(most_simulated_replicas) + " with real numbers.",
          .fix = {"train on " + std::string{prefix} + "-8 here: the program is the same"}});
  return {std::string{text}, count};
}

}  // namespace octet::tpu
