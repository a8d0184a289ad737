#include "misspelt.hpp"
import octet.standard;

namespace program {

namespace {

/// Letters put in, left out, changed or swapped with the next to make `to` of `from`.
std::size_t edits(std::string_view from, std::string_view to) {
  std::vector<std::vector<std::size_t>> least(from.size() + 1, std::vector<std::size_t>(to.size() + 1));
  for (std::size_t i = 0; i <= from.size(); ++i)
    for (std::size_t j = 0; j <= to.size(); ++j) {
      std::size_t& here = least[i][j];
      here = i == 0 ? j : i;
      if (i == 0 || j == 0) continue;
      const bool same = from[i - 1] == to[j - 1];
      here = std::min({least[i - 1][j] + 1, least[i][j - 1] + 1, least[i - 1][j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1])
        here = std::min(here, least[i - 2][j - 2] + 1);
    }
  return least[from.size()][to.size()];
}

}  // namespace

std::string nearest_name(const std::string& word, const std::vector<std::string>& names) {
  constexpr std::size_t longest = 64;  // of a name
  if (word.size() > longest) return {};
  std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
  std::string nearest;
  for (const std::string& name : names)
    if (const std::size_t count = edits(word, name); count < least) {
      least = count;
      nearest = name;
    }
  return nearest;
}

}  // namespace program
