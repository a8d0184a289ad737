import octet;
import facts;
using namespace octet;

Array shared_if_high(Array x, Array loss);

/// On one replica's share of each: a number.
Array on_share(Array x, Array loss) {
  return shared_if_high(reshape(x, {}), reshape(loss, {}));
}

void check() {
  const tpu::Slice slice = tpu::slice("v3-8");
  const auto results = [&](const Tensor& losses) {
    return facts::on_replicas(facts::function(on_share), slice,
                              facts::shared_out(slice, {}, {facts::counted(8), losses}));
  };
  facts::result("replica 2 where the mean loss is 2.9375",
                results(facts::row({0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 20, 0.5f, 0.5f}))[2][0].item(), 3.5);
  facts::result("replica 2 where the mean loss is 0.5", results(facts::filled({8}, 0.5))[2][0].item(), 2);
  facts::result("replica 2 where the mean loss is 0.75 and one loss is 6",
                results(facts::row({0, 0, 0, 0, 0, 6, 0, 0}))[2][0].item(), 2);
}
