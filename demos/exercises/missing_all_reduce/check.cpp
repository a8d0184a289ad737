#include <utility>
import octet;
import facts;
using namespace octet;

struct Line {
  Array slope, offset;
};
Line step(const Line& line, const Array& x, const Array& y);

void check() {
  const tpu::Slice slice = tpu::slice("v3-8");
  const auto steps = tpu::replicate(step, slice, {.argument_names = {"line", "x", "y"}});
  const Tensor x = facts::row({0, 0.125f, 0.25f, 0.375f, 0.5f, 0.625f, 0.75f, 0.875f});
  const Tensor y = facts::row({-1, -0.625f, -0.25f, 0.125f, 0.5f, 0.875f, 1.25f, 1.625f});  // 3 x - 1
  auto lines = tpu::replicated(Values<Line>{Line{}, {facts::number(0), facts::number(0)}}, slice.replicas);
  for (int i = 0; i < 300; ++i) lines = steps(std::move(lines), x, y);
  tpu::require_equal(lines);
  facts::result("slope", lines[3].tensors()[0].item(), 3, 0.01);
  facts::result("offset", lines[3].tensors()[1].item(), -1, 0.01);
  facts::compiles(steps.statistics(), 1);
}
