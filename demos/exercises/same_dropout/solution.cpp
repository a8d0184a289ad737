/// Dropout on each replica's share of the batch: a tenth of x becomes 0. All replicas are given the same key, u32[2].
import octet;
using namespace octet;

Array dropped(Array x, Array key) {
  Array own = fold_in(key, replica_id());
  Array keep = random_uniform(own, x.shape()) >= 0.1f;
  return select(keep, x / 0.9f, 0.0f);
}
