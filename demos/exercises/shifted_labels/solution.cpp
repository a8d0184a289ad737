/// The loss of a language model of GPT-2's kind: logits [positions, pieces] guess what comes after each of the tokens,
/// ids i32 [positions].
import octet;
using namespace octet;

Array loss(Array logits, Array ids) {
  const auto n = ids.extent(0);
  Array guesses = slice_in_dim(logits, 0, n - 1, 0);  // what comes after the last token is not known
  Array labels = slice_in_dim(ids, 1, n, 0);
  return mean(nn::cross_entropy(guesses, labels));
}
