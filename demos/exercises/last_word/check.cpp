import octet;
import facts;
using namespace octet;

Array last_word(Array words, Array keep);

void check() {
  const Tensor words = facts::rows(3, {1, 2, 3, 4, 5, 6}), keep = facts::filled({2, 3}, 1);
  const auto padded = jit(last_word, {.buckets = {{"words", 1, multiple_of(8)}, {"keep", 1, multiple_of(8)}},
                                      .argument_names = {"words", "keep"},
                                      .name = "last_word"});
  padded.check_padding(words, keep).require();
  facts::result("the last words of {1, 2, 3} and {4, 5, 6}, padded to 8", padded(words, keep), facts::row({3, 6}));
  facts::result("the last words of {1, 2, padding} and {4, 5, 6}", padded(words, facts::rows(3, {1, 1, 0, 1, 1, 1})),
                facts::row({2, 6}));
  facts::result("the last words of {3, 1, 2} and {6, 4, padding}",
                padded(facts::rows(3, {3, 1, 2, 6, 4, 5}), facts::rows(3, {1, 1, 1, 1, 1, 0})), facts::row({2, 4}));
}
