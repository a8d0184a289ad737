import octet;
import facts;
using namespace octet;

Array halved(Array x);

void check() {
  facts::result("halved(12)", facts::run(halved, facts::number(12)), facts::number(0.75));
  facts::result("halved(0.5)", facts::run(halved, facts::number(0.5)), facts::number(0.5));
  facts::result("halved(1024)", facts::run(halved, facts::number(1024)), facts::number(0.5));
  facts::result("halved(1.5 * 2^100)", facts::run(halved, facts::number(0x1.8p100)), facts::number(0.75));
}
