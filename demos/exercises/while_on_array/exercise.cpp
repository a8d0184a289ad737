/// A scalar, halved until it is below 1.
import octet;
using namespace octet;

Array halved(Array x) {
  while (x >= 1.0f) x = x * 0.5f;
  return x;
}
