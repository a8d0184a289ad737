import octet;
import facts;
using namespace octet;

Array words(Array tokens);
JitOptions options();

void check() {
  const facts::Program program{words, options()};
  double counted = 0, expected = 0;
  const auto sentences = [&](int count, int shortest, int longest) {
    for (int i = 0; i < count; ++i) {
      const int length = shortest + (longest - shortest) * i / (count - 1);
      counted += program(facts::filled_i32({1, length}, 7)).item();
      expected += length;
    }
  };
  sentences(600, 22, 30);
  sentences(250, 46, 60);
  sentences(120, 100, 120);
  sentences(30, 400, 512);
  facts::result("words counted", counted, expected);
  facts::compiles(program.statistics(), 4);
  facts::padding(program.statistics(), 0.20);
}
