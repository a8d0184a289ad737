#include "share_row.hpp"
#include "output.hpp"
#include "terminal.hpp"

namespace program {

std::string share_row(std::string_view label, std::size_t width, double share) {
  constexpr std::size_t bar_width = 30, percent_width = 6;
  const std::string percent = fixed(share * 100, 2);
  std::string line = "  " + padded(harmless(label), width) + "  " +
                     std::string(percent.size() < percent_width ? percent_width - percent.size() : 0, ' ') + percent +
                     " %  " + bar(share, bar_width, shows_unicode());
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace program
