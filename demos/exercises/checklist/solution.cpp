/// A training step, and the checklist for a v3-8 that it is to pass.
#include <tuple>
import octet;
using namespace octet;

struct Model {
  Array slope;
};

const tpu::Slice eight = tpu::slice("v3-8");

Model step(const Model& model, const Array& x, const Array& y) {
  auto loss = [&](const Model& m) { return mean(square(x * m.slope - y)); };
  Array gradient = all_reduce(grad(loss)(model).slope, eight.all()) / 8.0f;
  return {model.slope - gradient * 0.1f};
}

Readiness readiness() {
  const Model model{parameter({DType::f32, {}}, "slope")};
  const Array column = parameter({DType::f32, {64}}, "column");
  return check(step, std::tuple{tpu::replicated(model, 8), column, column}, eight,
               {.jit = {.argument_names = {"model", "x", "y"}, .donated = {"model"}},
                .data = tpu::DataPlacement{.place = tpu::DataPlace::bucket, .host = tpu::HostKind::node}});
}
