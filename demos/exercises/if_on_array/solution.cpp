/// Values above a limit are cut off.
import octet;
using namespace octet;

Array clipped(Array x, Array limit) {
  return select(x > limit, limit, x);
}
