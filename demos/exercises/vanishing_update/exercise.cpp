/// A weight of 1 gets a hundred updates of 0.001 each.
import octet;
using namespace octet;

Array trained(Array weight) {
  Array start = cast<bfloat16>(weight);
  Array end = fori_loop(0, 100, [](Array, Array w) { return w + 0.001f; }, start);
  return cast<float>(end);
}
