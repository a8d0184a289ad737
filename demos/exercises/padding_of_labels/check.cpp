import octet;
import facts;
using namespace octet;

Array loss(Array logits, Array labels);
JitOptions options();

void check() {
  const facts::Program program{loss, options()};
  const Tensor logits = facts::rows(2, {4, 0, 0, 4, 4, 0}), labels = facts::row_i32({0, 1, 0});
  facts::result("loss of 3 rows, padded to 8", program(logits, labels), facts::run(loss, logits, labels), 1e-6);
  program(facts::drawn({7, 2}), facts::filled_i32({7}, 1));
  facts::compiles(program.statistics(), 1);
}
