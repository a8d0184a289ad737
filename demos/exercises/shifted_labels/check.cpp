import octet;
import facts;
using namespace octet;

Array loss(Array logits, Array ids);

void check() {
  // Of the guesses, one is sure of 1 and one of 2; what is guessed after the last token has nothing to be compared
  // with.
  const Tensor ids = facts::row_i32({0, 1, 2});
  facts::result("loss of a model that guesses {1, 2, 0} after the tokens {0, 1, 2}",
                facts::run(loss, facts::rows(3, {0, 20, 0, 0, 0, 20, 20, 0, 0}), ids), facts::number(0), 1e-5);
  facts::result("the same, where it guesses {1, 2, 1}",
                facts::run(loss, facts::rows(3, {0, 20, 0, 0, 0, 20, 0, 20, 0}), ids), facts::number(0), 1e-5);
  facts::result("loss of a model that copies: it guesses {0, 1, 2}",
                facts::run(loss, facts::rows(3, {20, 0, 0, 0, 20, 0, 0, 0, 20}), ids), facts::number(20), 1e-4);
  // Of four pieces alike, each has log(4).
  facts::result("loss of a model that guesses nothing, {3, 1}",
                facts::run(loss, facts::filled({2, 4}, 0), facts::row_i32({3, 1})), facts::number(1.386294), 1e-5);
}
