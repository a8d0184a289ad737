/// Calls that a traced function does not fit, and what is computed outside one. Must not compile, each at its own line.
import octet.base;
import octet.standard;
import octet.trace;
import octet.compile;
import octet.tpu;

using namespace octet;

struct Model {
  Array weight;
};

Array program(const Model& model, Array x) { return matmul(x, model.weight); }
void nothing(Array x) { square(x); }
Array of_data(const Tensor& x, Array y) { return x + y; }

Array scaled(Array x, float by) { return x * by; }
Array shifted(const Array& x, std::int64_t by) noexcept { return x + by; }

void run(const Values<Model>& model, const Tensor& x, const std::vector<float>& numbers) {
  const auto compiled = jit(program);
  compiled(model);           // refused: X405: the traced function does not take these arguments
  compiled(x, model);        // refused: X405: the traced function does not take these arguments
  compiled(model, x, 2);     // refused: X405: the traced function does not take these arguments
  compiled(model, numbers);  // refused: X405: the traced function does not take these arguments
  jit([](Array y, Array by) { return y * by; })(x, 0.5);  // refused: X405: the traced function does not take these
  jit([](Array& y) { return y; })(x);               // refused: X405: the traced function does not take these arguments
  jit(nothing)(x);                                  // refused: X405: the traced function returns nothing
  jit(grad([](Array y) { return sum(y); }))(x, x);  // refused: X405: the traced function does not take these arguments
  jit(grad(nothing))(x);                  // refused: X401: grad needs a function that returns a floating-point scalar
  jit(value_and_grad(nothing)).lower(x);  // refused: X401: grad needs a function
  jit(of_data)(x, x);                     // refused: X405: a traced function takes arrays and returns
  jit(scaled)(x, x);                      // refused: X405: the traced function takes a number of the host where
  jit([](Array y, bool by) { return by ? y : -y; })(x, x);  // refused: X405: the traced function takes a number of
  jit(shifted)(x, x);  // refused: X405: the traced function takes a number of the host where
  jit([](operand y, float by) { return y * by; })(x, x);   // refused: X405: the traced function takes a number of
  jit([](operand y, Tensor by) { return y * by; })(x, x);  // refused: X405: a traced function takes arrays and returns
  jit([&](operand y) { return compiled(model, y); })(x);   // refused: X405: a compiled function is called with host
  jit([&](Array y) { return compiled(model, y); })(x);     // refused: X405: a compiled function is called with host
  jit([](Tensor y) { return y; })(x);                      // refused: X405: a traced function takes arrays and returns
  jit([](Array) { return Tensor{DType::f32, {2}}; })(x);   // refused: X405: a traced function takes arrays and returns
  jit(grad([](Tensor y) { return y; }))(x);                // refused: X405: a traced function takes arrays and returns
  jit([](std::vector<Tensor> y) { return y[0]; })(std::vector{x});  // refused: X405: a traced function takes arrays
  jit([](Values<Model> y) { return y.tensors()[0]; })(model);       // refused: X405: a traced function takes arrays and
  compiled.warm_up(model);           // refused: X405: the traced function does not take these arguments
  compiled.check_padding(x, model);  // refused: X405: the traced function does not take these arguments
  compiled.check_trace(model);       // refused: X405: the traced function does not take these arguments
  compiled.executable(model, x, 2);  // refused: X405: the traced function does not take these arguments
  jit(nothing).lower(x);             // refused: X405: the traced function returns nothing

  const tpu::Slice slice = tpu::slice("v3-8");
  const auto step = tpu::replicate(program, slice);
  step(x);                                      // refused: X405: the traced function does not take these arguments
  step(tpu::replicated(x, slice.replicas), x);  // refused: X405: the traced function does not take these arguments
  step.compile(x);                              // refused: X405: the traced function does not take these arguments
  step.warm_up(x);                              // refused: X405: the traced function does not take these arguments
  step.check_padding(x, x, x);                  // refused: X405: the traced function does not take these arguments
  check_padding(program, {}, model);            // refused: X405: the traced function does not take these arguments
  check(program, std::tuple{model}, slice);     // refused: X405: the traced function does not take these arguments
  check(nothing, std::tuple{x}, slice);         // refused: X405: the traced function returns nothing
  check(nothing, std::vector{std::tuple{x}}, slice);  // refused: X405: the traced function returns
  tpu::replicate(grad(nothing), slice)(x);            // refused: X401: grad needs a function that returns a
  check(grad(nothing), std::tuple{x}, slice);         // refused: X401: grad needs a function that returns a
  check_padding(grad(nothing), {}, x);                // refused: X401: grad needs a function that returns a

  tpu::replicate(scaled, slice)(x, x);  // refused: X405: the traced function takes a number of the host where
  jit([&](Array y) { return step(model, y); })(x);  // refused: X405: a compiled function is called with host values
  tpu::replicate(of_data, slice)(x, x);             // refused: X405: a traced function takes arrays and returns

  const Tensor twice = x + x;  // refused: X106: an Array has no data to put into a Tensor
  static_cast<void>(twice);
}
