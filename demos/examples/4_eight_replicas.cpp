// Data parallelism as on a TPU: eight replicas, each with all weights and its own share of the batch, meet in an
// all-reduce.
#include <cstdint>
#include <cstdio>
#include <utility>
import octet;
using namespace octet;

struct Line {
  Array slope, offset;
};
struct Points {
  Array x, y;  // [n]
};

// What every replica runs. It sees its own share of the points; without the all-reduce each would go its own way.
struct Step {
  ReplicaGroups all;
  bool averages = true;
  std::pair<Line, Array> operator()(const Line& line, const Points& points) const {
    const auto loss = [](const Line& l, const Points& p) { return mean(square(l.slope * p.x + l.offset - p.y)); };
    auto [value, gradient] = value_and_grad(loss)(line, points);
    if (averages) gradient = all_reduce_mean(gradient, all);
    return {{line.slope - 0.1 * gradient.slope, line.offset - 0.1 * gradient.offset}, value};
  }
};

int main() {
  const tpu::Slice slice = tpu::slice("v3-8");
  Threads threads{2};
  Values<Points> points{Points{}, {Tensor{DType::f32, {64}}, Tensor{DType::f32, {64}}}};
  for (std::uint64_t i = 0; i < 64; ++i) {
    const float x = 2 * uniform(Key::of_seed(1), i) - 1;
    points.tensors()[0].mutable_span<float>()[i] = x;
    points.tensors()[1].mutable_span<float>()[i] = 3 * x - 1;
  }
  const Values<Line> start{Line{}, {Tensor::scalar(0.0f), Tensor::scalar(0.0f)}};

  const auto together =
      tpu::replicate(Step{slice.all()}, slice, {.argument_names = {"line", "points"}, .threads = &threads});
  auto line = tpu::replicated(start, slice.replicas);  // all of it on each
  for (int i = 0; i < 100; ++i) line = together(std::move(line), tpu::sharded(points)).first;
  tpu::require_equal(line);  // to the bit
  std::printf("y = %.3f x + %.3f on all %zu replicas\n", line[7].tensors()[0].item(), line[7].tensors()[1].item(),
              line.size());

  const auto apart =
      tpu::replicate(Step{slice.all(), false}, slice, {.argument_names = {"line", "points"}, .threads = &threads});
  line = apart(tpu::replicated(start, slice.replicas), tpu::sharded(points)).first;
  try {
    tpu::require_equal(line);
  } catch (const Error& error) {
    std::printf("%s\n", error.what());
  }
}

// clang-format off: what this program prints
// y = 2.998 x + -1.000 on all 8 replicas
// X602: Replica 1 and replica 0 differ in 'slope', f32[].
//   rule:    Data-parallel replicas start equal and apply the same averaged gradients; what differs was computed of a replica's own share of the batch and not reduced.
//   fix:     average it over the replicas, gradients before the optimizer uses them: all_reduce_mean(gradients, slice.all())
//   see:     octet explain X602
