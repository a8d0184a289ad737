import octet;
import facts;
using namespace octet;

Array words(Array tokens);
JitOptions options();

void check() {
  const facts::Program program{words, options()};
  double counted = 0, expected = 0;
  for (int length = 10; length <= 250; length += 12) {
    counted += program(facts::filled_i32({2, length}, 7)).item();
    expected += 2 * length;
  }
  facts::result("words counted", counted, expected);
  facts::compiles(program.statistics(), 4);
  facts::padding(program.statistics(), 0.35);
}
