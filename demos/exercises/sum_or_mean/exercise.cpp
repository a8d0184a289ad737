/// One step of gradient descent, on each of eight replicas with its own share x of the batch.
import octet;
using namespace octet;

Array step(Array weight, Array x) {
  Array gradient = grad([&](Array w) { return mean(square(w - x)); })(weight);
  Array shared = all_reduce(gradient, tpu::slice("v3-8").all());
  return weight - shared * 0.1f;
}
