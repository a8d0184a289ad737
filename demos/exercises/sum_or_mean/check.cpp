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
  const Tensor weight = facts::number(1), x = facts::filled({16}, 2);
  const auto results = facts::on_replicas(facts::function(step), slice, facts::shared_out(slice, {weight}, {x}));
  facts::result("step(1, {2, ..., 2}) on eight replicas", results[0][0], facts::run(alone, weight, x), 1e-6);
}
