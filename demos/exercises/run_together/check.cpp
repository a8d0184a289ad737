#include <string>
#include <vector>
import octet;
import facts;
using namespace octet;

using Tokens = std::vector<int>;
std::vector<Tokens> blocks(const std::vector<Tokens>& documents, int separator, unsigned length);

std::string shown(const std::vector<Tokens>& blocks) {
  std::string result;
  for (const Tokens& block : blocks) {
    result += result.empty() ? "{" : " {";
    for (std::size_t i = 0; i < block.size(); ++i) result += (i ? ", " : "") + std::to_string(block[i]);
    result += "}";
  }
  return result;
}

void check() {
  facts::result("blocks of 4 of {1, 2, 3}, {4, 5}, {6, 7, 8, 9}; separator 0",
                shown(blocks({{1, 2, 3}, {4, 5}, {6, 7, 8, 9}}, 0, 4)), "{1, 2, 3, 0} {4, 5, 0, 6} {7, 8, 9, 0}");
  facts::result("blocks of 3 of {1, 2, 3, 4}, {5}, {6}; separator 99", shown(blocks({{1, 2, 3, 4}, {5}, {6}}, 99, 3)),
                "{1, 2, 3} {4, 99, 5} {99, 6, 99}");
  facts::result("blocks of 2 of {1, 2}; separator 0", shown(blocks({{1, 2}}, 0, 2)), "{1, 2}");
}
