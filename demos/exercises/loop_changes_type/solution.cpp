/// x/1 + x/2 + x/3 + ... + x/10
import octet;
using namespace octet;

Array harmonic(Array x) {
  Array nothing_yet = constant(Tensor::scalar(0.0f));
  return fori_loop(1, 11, [&](Array i, Array total) { return total + x / cast<float>(i); }, nothing_yet);
}
