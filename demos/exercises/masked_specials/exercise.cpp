/// Masks 15 % of an example's tokens: the label of a masked token is its own id, of all others -100.
#include <vector>
import octet;
using namespace octet;

struct Masked {
  std::vector<int> ids, labels;
};

Masked masked(const std::vector<int>& example, const text::Vocabulary& vocabulary, Key key) {
  Masked result{example, std::vector<int>(example.size(), data::unmasked_label)};
  for (unsigned i = 0; i < example.size(); ++i) {
    if (uniform(key, i) >= 0.15f) continue;
    result.labels[i] = example[i];
    result.ids[i] = vocabulary.special_ids().mask;
  }
  return result;
}
