import octet;
import facts;
using namespace octet;

Array doubled(Array start);
Array slope(Array start);

void check() {
  facts::result("doubled(100)", facts::run(doubled, facts::number(100)), facts::number(207.8928), 1e-2);
  facts::result("doubled(3)", facts::run(doubled, facts::number(3)), facts::number(6.23678), 1e-4);
  facts::result("slope(100)", facts::run(slope, facts::number(100)), facts::number(2.078928), 1e-4);
}
