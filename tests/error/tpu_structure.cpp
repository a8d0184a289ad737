/// A model given to replicate as it is, as if it were a batch to be shared out. Must not compile.
import octet.base;
import octet.trace;
import octet.compile;
import octet.tpu;

using namespace octet;

struct Model {
  Array weight;
};

Array program(const Model& model, const Array& x) { return matmul(x, model.weight); }

void run(const Values<Model>& model, const Tensor& x) {
  const auto step = tpu::replicate(program, tpu::slice("v3-8"));
  step(model, x);  // refused: X608: a structure of tensors may be a model
}
