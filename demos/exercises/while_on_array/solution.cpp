/// A scalar, halved until it is below 1.
import octet;
using namespace octet;

Array halved(Array x) {
  return while_loop([](Array y) { return y >= 1.0f; }, [](Array y) { return y * 0.5f; }, x);
}
