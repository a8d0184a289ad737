/// The replicas of a slice learn the mean of a batch: each takes its own share of it.
import octet;
using namespace octet;

Tensor learned(const Tensor& batch, const tpu::Slice& slice) {
  const auto step = tpu::replicate(
      [slice](Array weight, Array x) {
        Array gradient = all_reduce(mean(weight - x), slice.all()) / static_cast<double>(slice.replicas);
        return weight - gradient;
      },
      slice, {.argument_names = {"weight", "batch"}});

  auto weights = tpu::replicated(Tensor::scalar(0.0f), slice.replicas);
  return step(weights, batch)[0];
}
