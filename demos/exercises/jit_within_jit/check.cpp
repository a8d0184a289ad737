import octet;
import facts;
using namespace octet;

Array model(Array x);

void check() {
  const facts::Program program{model};
  facts::result("model({0, 0.5})", program(facts::row({0, 0.5f})), facts::row({0, 0.909252f}), 1e-5);
  facts::compiles(program.statistics(), 1);
}
