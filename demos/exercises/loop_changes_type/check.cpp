import octet;
import facts;
using namespace octet;

Array harmonic(Array x);

void check() {
  facts::result("harmonic(1)", facts::run(harmonic, facts::number(1)), facts::number(2.928968), 1e-5);
  facts::result("harmonic(10)", facts::run(harmonic, facts::number(10)), facts::number(29.28968), 1e-4);
}
