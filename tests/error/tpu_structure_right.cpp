/// The right twin of tpu_structure.cpp.
import octet.base;
import octet.trace;
import octet.compile;
import octet.tpu;

using namespace octet;

struct Model {
  Array weight;
};
struct Batch {
  Array x;
};

Array program(const Model& model, const Batch& batch) { return matmul(batch.x, model.weight); }

void run(const Values<Model>& model, const Values<Batch>& batch) {
  const tpu::Slice slice = tpu::slice("v3-8");
  const auto step = tpu::replicate(program, slice);
  step(tpu::replicated(model, slice.replicas), tpu::sharded(batch));
}
