#include <string>
#include <vector>
import octet;
import facts;
using namespace octet;

struct Masked {
  std::vector<int> ids, labels;
};
Masked masked(const std::vector<int>& example, const text::Vocabulary& vocabulary, Key key);

void check() {
  const text::Vocabulary vocabulary{{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "cat", "dog"}};
  std::vector<int> example(64, 0);  // half of it padding
  for (unsigned i = 0; i < 32; ++i) example[i] = i == 0 ? 2 : i == 31 ? 3 : 5 + static_cast<int>(i % 2);
  const auto labels_of = [&](unsigned seed) {
    return facts::row_i32(masked(example, vocabulary, Key::of_seed(seed)).labels);
  };
  double special = 0, tokens = 0, shown = 0, foreign = 0, altered = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    const Masked result = masked(example, vocabulary, Key::of_seed(seed));
    for (unsigned i = 0; i < 64; ++i) {
      const bool masked = result.labels[i] >= 0;
      if (masked) (vocabulary.is_special(example[i]) ? special : tokens) += 1;
      shown += masked && result.ids[i] != 4;
      foreign += masked && result.labels[i] != example[i];
      altered += !masked && result.ids[i] != example[i];
    }
  }
  const std::vector<int> pair{2, 5, 6, 5, 3, 6, 5, 3, 0, 0};  // two segments
  for (unsigned seed = 0; seed < 200; ++seed) {
    const Masked result = masked(pair, vocabulary, Key::of_seed(seed));
    for (unsigned i = 0; i < pair.size(); ++i) special += result.labels[i] >= 0 && vocabulary.is_special(pair[i]);
  }
  facts::at_most("[CLS], [SEP] and [PAD] masked in 400 examples", special, 0);
  const text::Vocabulary words_first{{"cat", "dog", "[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "owl"}};
  const std::vector<int> animals{4, 0, 1, 7, 0, 5, 2};
  double elsewhere = 0, words = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    const Masked result = masked(animals, words_first, Key::of_seed(seed));
    for (unsigned i = 0; i < animals.size(); ++i)
      if (result.labels[i] >= 0) (words_first.is_special(animals[i]) ? elsewhere : words) += 1;
  }
  facts::at_most("[CLS], [SEP] and [PAD] masked where they have other ids", elsewhere, 0);
  facts::at_least("share of the words masked there, in %", 100 * words / (200 * 4), 11);
  facts::at_least("share of the other tokens masked, in %", 100 * tokens / (200 * 30), 13);
  facts::at_most("share of the other tokens masked, in %", 100 * tokens / (200 * 30), 17);
  facts::at_most("tokens to be guessed and yet shown", shown, 0);
  facts::at_most("labels that are not the id that stood there", foreign, 0);
  facts::at_most("ids that were changed where there is no label", altered, 0);
  facts::other_bits("labels of one example with two keys", labels_of(0), labels_of(1));
  facts::same_bits("labels of one example with one key, twice", labels_of(0), labels_of(0));
}
