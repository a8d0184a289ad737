/// Masks an example as it is read, anew in each epoch.
#include <span>
import octet;
using namespace octet;

void mask(std::span<int> ids, std::span<int> labels, const text::Vocabulary& vocabulary, unsigned epoch,
          unsigned example) {
  data::mask_tokens(ids, labels, {.probability = 0.15}, vocabulary, {.seed = 1, .epoch = epoch, .example = example});
}
