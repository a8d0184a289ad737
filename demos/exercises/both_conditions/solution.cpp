/// Values between low and high stay; all others become 0.
import octet;
using namespace octet;

Array inside(Array x, Array low, Array high) {
  return select((x >= low) & (x <= high), x, 0.0f);
}
