/// Of the tests: what traced functions give, by the reference. To be included after `import octet.trace;` and
/// gradients.hpp.
#pragma once

inline octet::Tensor counted(octet::Shape shape) {
  octet::Tensor tensor{octet::DType::f32, std::move(shape)};
  float next = 0;
  for (float& element : tensor.mutable_span<float>()) element = next++;
  return tensor;
}
inline std::vector<octet::Tensor> results(const std::function<Arrays(const Arrays&)>& function,
                                          const std::vector<octet::Tensor>& inputs) {
  const octet::Graph graph = octet::trace(function, types_of(inputs));
  octet::verify(graph);
  return octet::evaluate(graph, inputs);
}
inline octet::Tensor result(const std::function<octet::Array(const Arrays&)>& function,
                            const std::vector<octet::Tensor>& inputs) {
  return results([&](const Arrays& in) { return Arrays{function(in)}; }, inputs).front();
}
template <class T>
std::vector<T> numbers(const octet::Tensor& tensor) {
  return {tensor.span<T>().begin(), tensor.span<T>().end()};
}
using Floats = std::vector<float>;
using Integers = std::vector<std::int32_t>;

constexpr float infinity = std::numeric_limits<float>::infinity();
