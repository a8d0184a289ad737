/// What a language model is trained on: documents joined to one text, a separator after each, and cut into blocks.
#include <vector>
import octet;
using namespace octet;

using Tokens = std::vector<int>;

std::vector<Tokens> blocks(const std::vector<Tokens>& documents, int separator, unsigned length) {
  Tokens joined;
  for (const Tokens& document : documents) {
    joined.insert(joined.end(), document.begin(), document.end());
    joined.push_back(separator);
  }
  std::vector<Tokens> result;
  for (unsigned begin = 0; begin + length <= joined.size(); begin += length)  // a last one that is not full is dropped
    result.emplace_back(joined.begin() + begin, joined.begin() + begin + length);
  return result;
}
