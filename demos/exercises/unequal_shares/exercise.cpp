/// The mean loss of all tokens that are to be guessed. Replicas have different numbers of them: keep is 1 where there
/// is one.
import octet;
using namespace octet;

Array mean_loss(Array loss, Array keep) {
  const ReplicaGroups all = tpu::slice("v3-8").all();
  Array own = sum(loss * keep) / sum(keep);
  return all_reduce(own, all) / 8.0f;
}
