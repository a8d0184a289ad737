/// The loss of a language model of GPT-2's kind: logits [positions, pieces] guess what comes after each of the tokens,
/// ids i32 [positions].
import octet;
using namespace octet;

Array loss(Array logits, Array ids) {
  return mean(nn::cross_entropy(logits, ids));
}
