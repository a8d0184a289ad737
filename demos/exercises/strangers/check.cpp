#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>
import octet;
import facts;
using namespace octet;

using Document = std::vector<std::string>;
struct Pair {
  std::string first, second;
  bool random_next;
};
std::vector<Pair> pairs_of(const std::vector<Document>& documents, Key key);

std::string told(const std::vector<Pair>& pairs) {
  std::string text;
  for (const Pair& pair : pairs) text += pair.first + (pair.random_next ? " ? " : " > ") + pair.second + "\n";
  return text;
}

void check() {
  std::vector<Document> documents;
  std::vector<std::pair<std::size_t, std::size_t>> firsts;  // document and sentence of each pair
  for (const auto& [name, sentences] : {std::pair{"a", 6}, {"b", 4}, {"c", 7}, {"d", 2}}) {
    Document& document = documents.emplace_back();
    for (int i = 0; i < sentences; ++i) document.push_back(name + std::to_string(i));
    for (std::size_t i = 0; i + 1 < document.size(); ++i) firsts.emplace_back(documents.size() - 1, i);
  }
  const auto pairs = [&](unsigned seed) { return pairs_of(documents, Key::of_seed(seed)); };
  double strangers = 0, own = 0, severed = 0, unlike = 0, missing = 0, all = 0;
  std::set<std::string> met;
  for (unsigned seed = 0; seed < 200; ++seed) {
    const std::vector<Pair> each = pairs(seed);
    for (std::size_t n = 0; n < std::min(each.size(), firsts.size()); ++n) {
      const auto [d, i] = firsts[n];
      const Document& document = documents[d];
      const Pair& pair = each[n];
      ++all;
      unlike += pair.first != document[i];
      if (pair.random_next) {
        ++strangers;
        own += std::ranges::count(document, pair.second) > 0;
        missing += std::ranges::none_of(documents,
                                        [&](const Document& one) { return std::ranges::count(one, pair.second) > 0; });
        met.insert(document.front().substr(0, 1) + pair.second);
      } else {
        severed += pair.second != document[i + 1];
      }
    }
  }
  facts::result("pairs of documents of 6, 4, 7 and 2 sentences, 200 times", all, 200 * 15);
  facts::at_most("strangers of the first segment's own document", own, 0);
  facts::at_most("second segments that are said to follow and do not", severed, 0);
  facts::at_most("first segments out of their order", unlike, 0);
  facts::at_most("strangers that stand in no document", missing, 0);
  facts::at_least("share of strangers, in %", 100 * strangers / std::max(all, 1.0), 45);
  facts::at_most("share of strangers, in %", 100 * strangers / std::max(all, 1.0), 55);
  facts::result("sentences that the documents meet as strangers", static_cast<double>(met.size()), 3 * 19);
  facts::result("pairs of one key, twice the same", told(pairs(1)) == told(pairs(1)), 1);
  facts::result("pairs of two keys, the same", told(pairs(1)) == told(pairs(2)), 0);
}
