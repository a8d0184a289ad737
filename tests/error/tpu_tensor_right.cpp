/// The right twin of tpu_tensor.cpp.
import octet.base;
import octet.standard;
import octet.trace;
import octet.compile;

using namespace octet;

void run(std::vector<Tensor>& steps, const Tensor& x) {
  steps.push_back(jit([](Array y) { return y * 0.5; })(x));
  steps[0] = jit([](Array y, Array step) { return y - step; })(x, steps[1]);
}
