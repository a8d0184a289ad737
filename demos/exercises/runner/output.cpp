#include "output.hpp"

#include <algorithm>

namespace exercises {

namespace {

constexpr std::size_t most_first = 1u << 20, most_last = 1u << 16;

}  // namespace

void Output::append(std::string_view bytes) {
  lines += static_cast<std::size_t>(std::ranges::count(bytes, '\n'));
  const std::size_t room = std::min(bytes.size(), most_first - first.size());
  first += bytes.substr(0, room);
  last += bytes.substr(room);
  if (last.size() > 2 * most_last) last.erase(0, last.size() - most_last);
}

}  // namespace exercises
