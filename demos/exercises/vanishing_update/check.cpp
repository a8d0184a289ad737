import octet;
import facts;
using namespace octet;

Array trained(Array weight, Array update);

void check() {
  using facts::number;
  facts::result("trained(1, 0.001)", facts::run(trained, number(1), number(0.001)), number(1.1), 1e-4);
  facts::result("trained(200, 0.001)", facts::run(trained, number(200), number(0.001)), number(200.1), 1e-2);
  facts::result("trained(1, 0.002)", facts::run(trained, number(1), number(0.002)), number(1.2), 1e-4);
}
