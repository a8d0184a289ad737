import octet;
import facts;
using namespace octet;

Array trained(Array weight);

void check() {
  facts::result("trained(1)", facts::run(trained, facts::number(1)), facts::number(1.1), 1e-4);
  facts::result("trained(200)", facts::run(trained, facts::number(200)), facts::number(200.1), 1e-2);
}
