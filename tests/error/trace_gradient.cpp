/// Calls of a gradient that its function does not fit. Must not compile, each at its own line.
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

Array program(const Model& model, const Array& x) {
  value_and_grad(loss)(model);     // refused: X405: the function whose gradient is taken does not take these arguments
  value_and_grad(loss)(x, model);  // refused: X405: the function whose gradient is taken does not take these arguments
  grad(loss)(model, x, 2);         // refused: X405: the function whose gradient is taken does not take these arguments
  grad([](Array& y) { return sum(y); })(x);  // refused: X405: the function whose gradient is taken does not take these
  grad([](const Array& y) { sum(y); })(x);  // refused: X401: grad needs a function that returns a floating-point scalar
  value_and_grad([](const Array& y) { return Outcome{sum(y), y}; })(x);  // refused: X401: grad needs a function that
  grad(grad([](const Array& y) { sum(y); }))(x);  // refused: X401: grad needs a function that returns a floating-point
  grad<1>([](const Array& y) { return sum(y); })(x);  // refused: X405: .* or to those that grad<1>.f. names by number
  grad<0, 2>(loss)(model, x);  // refused: X405: the function whose gradient is taken does not take these arguments
  grad<1>([](const Array& y, const Array& z) { return y * z, 1; })(x, x);  // refused: X401: grad needs a function that
  grad<0, 0>(loss);                                 // refused: X405: grad<0, 2>.f. names each argument once
  value_and_grad<1, 0, 1>(loss)(model, x);          // refused: X405: grad<0, 2>.f. names each argument once
  jvp([](const Model& y) { return y; }, model, x);  // refused: X405: jvp.f, x, tangent. takes
  grad([](const Array& y, const Tensor& t) { return sum(y * t); })(x, x);  // refused: X405: a traced function takes
  jvp([](const Array& y) { return y; }, x);                                // refused: X405: jvp.f, x, tangent. takes
  jvp([](const Array& y, const Array& z) { return y * z; }, x, x);         // refused: X405: jvp.f, x, tangent. takes
  grad([](const Tensor& y) { return y; })(x);           // refused: X405: a traced function takes arrays and returns
  vmap([](std::vector<Tensor> y) { return y[0]; })(x);  // refused: X405: a traced function takes arrays and returns
  checkpoint([](Values<Model> y) { return y.tensors(); })(model);  // refused: X405: a traced function takes arrays and
  grad([] { return Array{}; })();  // refused: X405: the function whose gradient is taken does not take these arguments
  return x;
}
void data(const Tensor& tensor, const Values<Model>& values, const Model& model) {
  grad(loss)(model, tensor);                             // refused: X106: grad, vmap and checkpoint make functions of
  grad<1>(loss)(model, tensor);                          // refused: X106: grad, vmap and checkpoint make functions of
  grad([](const Array& y) { return sum(y); })(tensor);   // refused: X106: grad, vmap and checkpoint make functions of
  value_and_grad(loss)(values, tensor);                  // refused: X106: grad, vmap and checkpoint make functions of
  vmap([](const Array& y) { return sum(y); })(tensor);   // refused: X106: grad, vmap and checkpoint make functions of
  checkpoint([](const Array& y) { return y; })(tensor);  // refused: X106: grad, vmap and checkpoint make functions of
}
static_assert(!std::invocable<decltype(grad(loss)), Model>);
