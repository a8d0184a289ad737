import octet;
import facts;
using namespace octet;

Array mean_loss(Array loss, Array keep);

void check() {
  // Replica 0 has two tokens of loss 1, each of the others one token of loss 10 and one that does not count.
  const Tensor loss = facts::row({1, 1, 10, 7, 10, 7, 10, 7, 10, 7, 10, 7, 10, 7, 10, 7});
  const Tensor keep = facts::row({1, 1, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0});
  const tpu::Slice slice = tpu::slice("v3-8");
  const auto of_replica_0 = [&](const Tensor& losses, const Tensor& kept) {
    return facts::on_replicas(facts::function(mean_loss), slice, facts::shared_out(slice, {}, {losses, kept}))[0][0];
  };
  facts::result("mean_loss of 2 tokens with 1 and 7 tokens with 10", of_replica_0(loss, keep), facts::number(8), 1e-5);
  facts::result("mean_loss of {0, 1, 2, 3, 4, 6, 8, 10, 12, 14}",
                of_replica_0(facts::counted(16), facts::row({1, 1, 1, 1, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0})),
                facts::number(6), 1e-5);
}
