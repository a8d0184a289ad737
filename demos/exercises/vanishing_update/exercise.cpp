/// A weight gets the same update a hundred times.
import octet;
using namespace octet;

Array trained(Array weight, Array update) {
  Array start = cast<bfloat16>(weight);
  Array end = fori_loop(0, 100, [&](Array, Array w) { return w + cast<bfloat16>(update); }, start);
  return cast<float>(end);
}
