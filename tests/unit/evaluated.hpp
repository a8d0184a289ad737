/// What the reference makes of one operation, as text that a failing test prints. To be included after
/// `import octet.base;` and `import octet.graph;`, with <cstdio>, <span>, <string>, <type_traits> and <vector> before
/// them.
#pragma once

/// `f32[2]: 1 -0`, with as many digits as tell two numbers apart.
inline std::string text(const octet::Tensor& tensor) {
  std::string result = to_string(tensor.type()) + ":";
  octet::visit_dtype(tensor.dtype(), [&]<class T>(std::type_identity<T>) {
    for (T element : tensor.span<T>()) {
      if constexpr (std::is_integral_v<T>) {
        result += " " + std::to_string(element);
      } else {
        char digits[40];
        const auto value = static_cast<double>(element);
        std::snprintf(digits, sizeof digits, sizeof(T) == 8 ? " %.17g" : " %.9g", value);
        result += value != value ? " nan" : digits;
      }
    }
  });
  return result;
}

inline std::string text(const std::vector<octet::Tensor>& tensors) {
  std::string result;
  for (const octet::Tensor& tensor : tensors) result += (result.empty() ? "" : "; ") + text(tensor);
  return result;
}

/// A program of one operation on parameters of these types.
inline octet::Graph program(octet::Op op, const std::vector<octet::TensorType>& types,
                            octet::Attributes attributes = {}, std::vector<octet::Graph> regions = {},
                            octet::Place place = {}) {
  octet::Graph graph;
  std::vector<octet::ValueId> inputs;
  for (const octet::TensorType& type : types) inputs.push_back(graph.parameter(type));
  graph.set_results(graph.append(op, inputs, std::move(attributes), std::move(regions), std::move(place)));
  return graph;
}

/// The operation on one replica.
inline std::string evaluated(octet::Op op, const std::vector<octet::Tensor>& inputs, octet::Attributes attributes = {},
                             std::vector<octet::Graph> regions = {}, const octet::ReferenceOptions& options = {}) {
  std::vector<octet::TensorType> types;
  for (const octet::Tensor& input : inputs) types.push_back(input.type());
  return text(evaluate(program(op, types, std::move(attributes), std::move(regions)), inputs, options));
}

/// A tensor of rank 1.
template <class T>
octet::Tensor row(std::initializer_list<T> values) {
  return octet::Tensor::of<T>({static_cast<std::int64_t>(values.size())}, values);
}
/// A tensor of rank 1 and type bf16.
inline octet::Tensor bf16_row(std::initializer_list<float> values) {
  return row<float>(values).converted(octet::DType::bf16);
}
