/// The right twin of tpu_calls.cpp.
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

void run(const Values<Model>& model, const Tensor& x, const std::vector<float>& numbers) {
  const auto compiled = jit(program);
  compiled(model, x);
  compiled(model, Tensor::of<float>({1, static_cast<std::int64_t>(numbers.size())}, numbers));
  compiled.warm_up(model, x);
  compiled.check_padding(model, x);
  compiled.check_trace(model, x);
  compiled.executable(model, x);
  jit([](Array y) { return square(y); }).lower(x);
  jit([](const Array& y) { return y; })(x);
  jit([](Array y) { return square(y); })(x);
  jit([](auto y) { return square(y); })(x);          // compiled for an Array, and nothing else
  jit(grad([](Array y) { return sum(y * y); }))(x);  // of one argument, too
  jit(value_and_grad([](auto y) { return sum(y * y); }))(x);

  const tpu::Slice slice = tpu::slice("v3-8");
  const auto step = tpu::replicate(program, slice);
  step(tpu::replicated(model, slice.replicas), x);
  step.compile(tpu::replicated(model, slice.replicas), x);
  step.warm_up(tpu::replicated(model, slice.replicas), x);
  step.check_padding(tpu::replicated(model, slice.replicas), x);
  check_padding(program, {}, model, x);
  check(program, std::tuple{tpu::replicated(model, slice.replicas), x}, slice);

  const Tensor twice = jit([](Array y) { return y + y; })(x);
  const Tensor scaled = jit([](Array y, float by) { return by * y; })(x, 2.0f);
  jit([](Array y, Array by) { return y * by; })(x, Tensor::scalar(0.5f));  // a new number is no new program
  Tensor list = x;
  list = jit([](Array y) { return y - y; })(x);
  static_cast<void>(twice), static_cast<void>(scaled);
}
