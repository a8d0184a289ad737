#include <string>
import octet;
import facts;
using namespace octet;

struct Batch {
  Tensor x, weight;
};
Batch prepared(const Tensor& x);
Array mean_of_all(Array x, Array weight);

void mean_is_right(int examples, double filled_up) {
  const tpu::Slice slice = tpu::slice("v3-8");
  const Batch batch = prepared(facts::counted(examples));
  const auto results =
      facts::on_replicas(facts::function(mean_of_all), slice, facts::shared_out(slice, {}, {batch.x, batch.weight}));
  facts::result("mean of 0 to " + std::to_string(examples - 1), results[7][0].item(), (examples - 1) / 2.0, 1e-5);
  facts::result(std::to_string(examples) + " examples, filled up to", static_cast<double>(batch.x.elements()),
                filled_up);
}

void check() {
  mean_is_right(64, 64);
  mean_is_right(60, 64);
  mean_is_right(3, 8);
  mean_is_right(70, 72);
}
