import octet;
import facts;
using namespace octet;

Array mean_loss(Array loss, Array keep);

void check() {
  // Replica 0 has two tokens of loss 1, each of the others one token of loss 10 and one that does not count.
  const Tensor loss = facts::row({1, 1, 10, 7, 10, 7, 10, 7, 10, 7, 10, 7, 10, 7, 10, 7});
  const Tensor keep = facts::row({1, 1, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0});
  const tpu::Slice slice = tpu::slice("v3-8");
  const auto results =
      facts::on_replicas(facts::function(mean_loss), slice, facts::shared_out(slice, {}, {loss, keep}));
  facts::result("mean_loss of 2 tokens with 1 and 7 tokens with 10", results[0][0], facts::number(8), 1e-6);
}
