import octet;
import facts;
using namespace octet;

Array words(Array tokens);
JitOptions options();

void check() {
  const facts::Program program{words, options()};
  double counted = 0;
  for (int call = 0; call < 15; ++call) {
    const int length = call % 3 == 0 ? 50 : call % 3 == 1 ? 100 : 200;
    counted += program(facts::filled_i32({2, length}, 7)).item();
  }
  facts::result("words counted", counted, 3500);
  facts::compiles(program.statistics(), 3);
  facts::padding(program.statistics(), 0.25);
}
