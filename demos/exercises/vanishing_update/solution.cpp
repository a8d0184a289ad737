/// A weight gets the same update a hundred times.
import octet;
using namespace octet;

Array trained(Array weight, Array update) {
  return fori_loop(0, 100, [&](Array, Array w) { return w + update; }, weight);
}
