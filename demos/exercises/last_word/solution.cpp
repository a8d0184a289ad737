/// The last word of each sentence, as a language model that is to judge the sentence takes it. Both are [sentences,
/// words]; keep is 1 for words, 0 for padding.
import octet;
using namespace octet;

Array last_word(Array words, Array keep) {
  Array last = sum(keep, {1}, true) - 1.0f;
  Array position = iota(words.type(), 1);
  return sum(select(position == last, words, 0.0f), {1});
}
