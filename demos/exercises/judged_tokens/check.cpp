import octet;
import facts;
using namespace octet;

Array discriminator_loss(Array logits, Array ids, Array labels, Array attention_mask);

void check() {
  using facts::row;
  using facts::row_i32;
  // Where it is sure and wrong, its loss is its logit; where it is right, nothing. Ids 9 and 2 were put there.
  facts::result("loss where it takes one of four tokens for replaced that stood there before",
                facts::run(discriminator_loss, row({20, 20, -20, -20, 20, 20}), row_i32({5, 9, 7, 8, 0, 0}),
                           row_i32({-100, 6, 7, -100, -100, -100}), row_i32({1, 1, 1, 1, 0, 0})),
                facts::number(5), 1e-4);
  facts::result("loss where it misses one of two replaced tokens, of five",
                facts::run(discriminator_loss, row({-20, 20, -20, -20, -20, 20}), row_i32({5, 9, 7, 2, 8, 0}),
                           row_i32({-100, 6, -100, 3, -100, -100}), row_i32({1, 1, 1, 1, 1, 0})),
                facts::number(4), 1e-4);
  // log(2) for each token.
  facts::result("loss of one that knows nothing",
                facts::run(discriminator_loss, row({0, 0, 0, 9}), row_i32({5, 9, 7, 1}), row_i32({-100, 6, -100, -100}),
                           row_i32({1, 1, 1, 0})),
                facts::number(0.693147), 1e-5);
}
