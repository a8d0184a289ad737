import octet;
import facts;
using namespace octet;

Array step(Array weight, Array x);

/// What one device does with the whole batch.
Array alone(Array weight, Array x) {
  Array gradient = grad([&](Array w) { return mean(square(w - x)); })(weight);
  return weight - gradient * 0.1f;
}

void check() {
  const tpu::Slice slice = tpu::slice("v3-8");
  const Tensor weight = facts::number(1), x = facts::counted(16);
  const auto results = facts::on_replicas(facts::function(step), slice, facts::shared_out(slice, {weight}, {x}));
  const Tensor wanted = facts::run(alone, weight, x);
  facts::result("step(1, {0, ..., 15}) on replica 0", results[0][0], wanted, 1e-5);
  facts::result("step(1, {0, ..., 15}) on replica 7", results[7][0], wanted, 1e-5);
}
