import octet;
import facts;
using namespace octet;

Array loss(Array logits, Array labels);
JitOptions options();

void check() {
  const facts::Program program{loss, options()};
  // Of the rows, log(1 + exp(-4)), log(1 + exp(-2)) and log(1 + exp(-1)); their labels are 0, 1 and 0.
  const Tensor logits = facts::rows(2, {4, 0, 0, 2, 1, 0}), labels = facts::row_i32({0, 1, 0});
  facts::result("loss of 3 rows, padded to 8", program(logits, labels), facts::number(0.15278), 1e-5);
  program(facts::drawn({7, 2}), facts::filled_i32({7}, 1));
  facts::compiles(program.statistics(), 1);
}
