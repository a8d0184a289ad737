#include <string>
import octet;
import facts;
using namespace octet;

Array sum_of_half(Array x);

void check() {
  const tpu::Slice slice = tpu::slice("v3-8");
  const auto arguments = facts::shared_out(slice, {}, {facts::row({1, 2, 3, 4, 10, 20, 30, 40})});
  const auto results = facts::on_replicas(facts::function(sum_of_half), slice, arguments);
  for (unsigned replica = 0; replica < 8; ++replica)
    facts::result("replica " + std::to_string(replica), results[replica][0].item(), replica < 4 ? 10 : 100);
}
