/// Holding out lines to measure on: never trained on, the same ones every time.
module;
#include <cstddef>
#include <string>
#include <vector>
export module octet.data:hold_out;

export namespace octet::data {

struct Split {
  std::vector<std::string> training;
  std::vector<std::string> held_out;
};

/// Holds out lines number `one_in`, 2 `one_in`, 3 `one_in`, … (counted from 1 among the non-blank lines); of a text
/// with fewer lines than that, the last one. Throws X706 for fewer than two lines, X709 for `one_in` below 2.
Split hold_out(std::vector<std::string> lines, std::size_t one_in = 20);

}  // namespace octet::data
