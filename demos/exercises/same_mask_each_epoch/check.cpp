#include <span>
#include <string>
#include <vector>
import octet;
import facts;
using namespace octet;

void mask(std::span<int> ids, std::span<int> labels, const text::Vocabulary& vocabulary, unsigned epoch,
          unsigned example);

Tensor labels_of(const text::Vocabulary& vocabulary, unsigned epoch, unsigned example) {
  std::vector<int> ids(40, 5), labels(40);
  mask(ids, labels, vocabulary, epoch, example);
  return facts::row_i32(labels);
}

void check() {
  const text::Vocabulary vocabulary{{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "cat", "dog"}};
  facts::other_bits("labels of example 3 in epochs 0 and 1", labels_of(vocabulary, 0, 3), labels_of(vocabulary, 1, 3));
  facts::other_bits("labels of examples 3 and 4 in epoch 1", labels_of(vocabulary, 1, 3), labels_of(vocabulary, 1, 4));
  facts::other_bits("labels of example 4 in epoch 0 and of example 3 in epoch 1", labels_of(vocabulary, 0, 4),
                    labels_of(vocabulary, 1, 3));
  double alike = 0;
  for (unsigned one = 0; one < 32; ++one)
    for (unsigned other = 0; other < one; ++other)
      alike += labels_of(vocabulary, one / 8, one % 8) == labels_of(vocabulary, other / 8, other % 8);
  facts::at_most("pairs of the same labels among 8 examples in 4 epochs", alike, 0);
  facts::same_bits("labels of example 3 in epoch 1, twice", labels_of(vocabulary, 1, 3), labels_of(vocabulary, 1, 3));
}
