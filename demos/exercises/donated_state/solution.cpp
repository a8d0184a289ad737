/// One update of a million weights.
import octet;
using namespace octet;

Array step(Array weights, Array gradient) {
  return weights - gradient * 0.1f;
}

JitOptions options() {
  return {.argument_names = {"weights", "gradient"}, .donated = {"weights"}};
}
