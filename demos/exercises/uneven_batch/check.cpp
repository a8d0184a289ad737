#include <string>
import octet;
import facts;
using namespace octet;

struct Batch {
  Tensor x, weight;
};
Batch prepared(const Tensor& x);
Array mean_of_all(Array x, Array weight);

void mean_is_right(int examples) {
  const tpu::Slice slice = tpu::slice("v3-8");
  const Batch batch = prepared(facts::counted(examples));
  const auto results =
      facts::on_replicas(facts::function(mean_of_all), slice, facts::shared_out(slice, {}, {batch.x, batch.weight}));
  facts::result("mean of 0 to " + std::to_string(examples - 1), results[7][0].item(), (examples - 1) / 2.0, 1e-5);
}

void check() {
  mean_is_right(64);
  mean_is_right(60);
  mean_is_right(3);
  mean_is_right(70);
}
