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
  Model gradient = grad(loss)(model);
  return {model.slope - gradient.slope * 0.1f};
}

Readiness readiness() {
  const Model model{parameter({DType::f32, {}}, "slope")};
  const Array column = parameter({DType::f32, {60}}, "column");
  return check(step, std::tuple{model, column, column}, eight,
               {.jit = {.argument_names = {"model", "x", "y"}, .donated = {"model"}},
                .data = tpu::DataPlacement{.place = tpu::DataPlace::disk, .host = tpu::HostKind::node}});
}
