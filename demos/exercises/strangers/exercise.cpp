/// Pairs of segments for next-sentence prediction: the second of each follows the first, or is a stranger.
#include <string>
#include <vector>
import octet;
using namespace octet;

using Document = std::vector<std::string>;
struct Pair {
  std::string first, second;
  bool random_next;
};

std::vector<Pair> pairs_of(const std::vector<Document>& documents, Key key) {
  std::vector<Pair> pairs;
  unsigned draws = 0;
  for (std::size_t d = 0; d < documents.size(); ++d)
    for (std::size_t i = 0; i + 1 < documents[d].size(); ++i) {
      Pair pair{documents[d][i], documents[d][i + 1], uniform(key, draws++) < 0.5f};
      if (pair.random_next) {
        std::size_t other = below(key, draws++, documents.size());
        pair.second = documents[other][below(key, draws++, documents[other].size())];
      }
      pairs.push_back(pair);
    }
  return pairs;
}
