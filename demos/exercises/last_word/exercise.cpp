/// The last word of each sentence, as a language model that is to judge the sentence takes it. Both are [sentences,
/// words]; keep is 1 for words, 0 for padding.
import octet;
using namespace octet;

Array last_word(Array words, Array keep) {
  const auto n = words.extent(1);
  return sum(slice_in_dim(words * keep, n - 1, n, 1), {1});
}
