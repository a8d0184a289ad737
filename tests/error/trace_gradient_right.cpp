/// The right twin of trace_gradient.cpp.
import octet.base;
import octet.standard;
import octet.trace;

using namespace octet;

struct Model {
  Array weight;
};
struct Outcome {
  Array loss, accuracy;
};

Array loss(const Model& model, const Array& x) { return sum(matmul(x, model.weight)); }

Array program(const Model& model, const Array& x, const Tensor& data) {
  const auto [value, gradient] = value_and_grad(loss)(model, x);
  const Model again = grad(loss)(model, x);
  const Array of_copy = grad([](Array y) { return sum(y); })(x);
  const auto both = value_and_grad([](const Array& y) { return std::pair{sum(y), Outcome{sum(y), y}}; })(x);
  const auto pair = value_and_grad([](const Array& y) { return std::pair<const Array, Array>{sum(y), y}; })(x);
  const Array second = grad([](const Array& y) { return sum(grad([](const Array& z) { return sum(z * z); })(y)); })(x);
  const Array of_x =
      grad<1>(loss)(model, x) + grad([](const Array& y, const Tensor& t) { return sum(y * t); })(x, data);
  const auto [of_both, of_model] = value_and_grad<1, 0>(loss)(model, x).second;
  const Array change = jvp([&](const Array& y) { return loss(model, y); }, x, of_x).second;
  return change + sum(of_both) + sum(of_model.weight) + value + sum(gradient.weight) + sum(again.weight) +
         sum(of_copy) + pair.first.first + both.first.second.accuracy + second;
}

static_assert(std::invocable<decltype(grad(loss)), Model, Array>);
