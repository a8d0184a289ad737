/// The last batch of an epoch has 60 examples, and there are eight replicas.
import octet;
using namespace octet;

struct Batch {
  Tensor x;       // [examples]
  Tensor weight;  // [examples]: 1 for an example, 0 for what only fills up
};

Batch prepared(const Tensor& x) {
  const Shape whole{multiple_of(8).bucket(x.shape()[0])};
  const Tensor ones = Tensor::full<float>(x.shape(), 1.0f);
  return {pad_to(x, whole), pad_to(ones, whole)};
}

/// The program of each replica: the weighted mean over all of them.
Array mean_of_all(Array x, Array weight) {
  const ReplicaGroups all = tpu::slice("v3-8").all();
  return all_reduce(sum(x * weight), all) / all_reduce(sum(weight), all);
}
