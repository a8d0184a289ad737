/// Gradients against central finite differences, in f64 by the reference. To be included after `import octet.base;`,
/// `import octet.graph;` and `import octet.trace;`, with <array>, <cmath>, <cstdint>, <functional>, <optional>, <span>,
/// <string>, <utility>, <variant> and <vector> before them.
#pragma once

using Arrays = std::vector<octet::Array>;

/// A function, and where to differentiate it: at the floating-point arguments, which are f64; the others are fixed.
struct Sample {
  std::string name;
  std::function<Arrays(const Arrays&)> function;
  std::vector<std::vector<octet::Tensor>> arguments;  ///< [replica][parameter]
  double step = 1e-5;
};

// One list for each kind of operation, in the file of its name.
std::vector<Sample> elementwise_samples();
std::vector<Sample> movement_samples();
std::vector<Sample> contraction_samples();
std::vector<Sample> control_samples();
std::vector<Sample> collective_samples();

/// Random shapes, values and attributes.
struct Draw {
  octet::Key key;
  std::uint64_t drawn = 0;

  explicit Draw(std::uint64_t seed) : key{octet::Key::of_seed(seed)} {}

  double number(double low, double high) { return low + (high - low) * octet::uniform(key, drawn++); }
  /// From `low` to `high`, both included.
  std::int64_t integer(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(octet::below(key, drawn++, static_cast<std::uint64_t>(high - low + 1)));
  }
  bool coin() { return integer(0, 1) == 1; }
  /// The numbers 0 to n - 1 in any order.
  octet::Dims order(std::int64_t n) {
    octet::Dims result;
    for (std::int64_t i = 0; i < n; ++i) result.insert(result.begin() + integer(0, i), i);
    return result;
  }
  octet::Shape shape(std::int64_t least_rank = 0, std::int64_t most_extent = 3) {
    octet::Dims extents;
    for (std::int64_t rank = integer(least_rank, 3); rank > 0; --rank) extents.push_back(integer(1, most_extent));
    return octet::Shape{extents};
  }
  octet::Tensor tensor(const octet::Shape& shape, double low = -2, double high = 2) {
    octet::Tensor result{octet::DType::f64, shape};
    for (double& element : result.mutable_span<double>()) element = number(low, high);
    return result;
  }
  /// No two elements closer than 0.2, and none closer to 0 than 0.1: for functions with kinks.
  octet::Tensor distinct(const octet::Shape& shape) {
    octet::Tensor result{octet::DType::f64, shape};
    const octet::Dims places = order(shape.elements());
    for (std::size_t i = 0; i < places.size(); ++i)
      result.mutable_span<double>()[i] =
          0.2 * (static_cast<double>(places[i]) - static_cast<double>(places.size() / 2)) + 0.1;
    return result;
  }
  octet::Tensor integers(const octet::Shape& shape, std::int64_t low, std::int64_t high) {
    octet::Tensor result{octet::DType::i32, shape};
    for (std::int32_t& element : result.mutable_span<std::int32_t>())
      element = static_cast<std::int32_t>(integer(low, high));
    return result;
  }
  octet::Tensor truths(const octet::Shape& shape) {
    octet::Tensor result{octet::DType::pred, shape};
    for (bool& element : result.mutable_span<bool>()) element = coin();
    return result;
  }
};

inline std::vector<octet::TensorType> types_of(const std::vector<octet::Tensor>& tensors) {
  std::vector<octet::TensorType> types;
  for (const octet::Tensor& tensor : tensors) types.push_back(tensor.type());
  return types;
}

/// The gradient of a random scalar functional of the sample's results, summed over the replicas, with respect to every
/// floating-point argument of every replica: empty where it is that of finite differences, else the first that is not.
inline std::string gradient_fault(const Sample& sample, double tolerance = 1e-7) {
  using namespace octet;
  const std::size_t replicas = sample.arguments.size(), count = sample.arguments.front().size();
  std::vector<TensorType> types = types_of(sample.arguments.front());
  const Graph alone = trace(sample.function, types);
  Draw draw{replicas + 17};
  std::vector<std::vector<Tensor>> arguments = sample.arguments;
  for (const TensorType& type : alone.result_types())
    if (is_floating(type.dtype)) {
      types.push_back(type);
      for (auto& own : arguments) own.push_back(draw.tensor(type.shape));
    }
  const Graph functional = trace(
      [&](const Arrays& all) -> Arrays {
        Array total = constant(Tensor::scalar(0.0));
        std::size_t weight = count;
        for (const Array& result : sample.function({all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count)}))
          if (is_floating(result.dtype())) total = total + sum(result * all[weight++]);
        return {total};
      },
      types);
  const Graph derived = grad(functional, true);
  verify(derived);
  const auto gradients = evaluate(derived, arguments);
  const auto value = [&] {
    double sum = 0;
    for (const auto& own : evaluate(functional, arguments)) sum += own[0].item();
    return sum;
  };
  for (std::size_t r = 0; r < replicas; ++r)
    for (std::size_t p = 0, result = 1; p < count; ++p) {
      Tensor& argument = arguments[r][p];
      if (!is_floating(argument.dtype())) continue;
      const Tensor& gradient = gradients[r][result++];
      if (gradient.type() != argument.type()) return sample.name + ": the gradient is " + to_string(gradient.type());
      for (std::size_t i = 0; i < static_cast<std::size_t>(argument.elements()); ++i) {
        const double at = argument.span<double>()[i];
        argument.mutable_span<double>()[i] = at + sample.step;
        const double above = value();
        argument.mutable_span<double>()[i] = at - sample.step;
        const double difference = (above - value()) / (2 * sample.step), given = gradient.span<double>()[i];
        argument.mutable_span<double>()[i] = at;
        if (!(std::abs(given - difference) <= tolerance * (1 + std::abs(difference))))
          return sample.name + ": argument " + std::to_string(p) + " " + to_string(argument.type()) + ", element " +
                 std::to_string(i) + " at " + std::to_string(at) + ", replica " + std::to_string(r) +
                 ": the gradient is " + std::to_string(given) + ", finite differences say " +
                 std::to_string(difference);
      }
    }
  return "";
}

/// The gradient of a functional of the sample's results as a function to be differentiated itself.
inline Sample second(const Sample& sample) {
  using namespace octet;
  Sample result = sample;
  result.name += ", second derivative";
  result.function = [function = sample.function](const Arrays& arguments) {
    Arrays outputs, cotangents, inputs;
    Draw draw{5};
    for (const Array& output : function(arguments))
      if (is_floating(output.dtype())) {
        outputs.push_back(output);
        cotangents.push_back(constant(draw.tensor(output.shape())));
      }
    for (const Array& argument : arguments)
      if (is_floating(argument.dtype())) inputs.push_back(argument);
    return vector_jacobian_product(outputs, cotangents, inputs);
  };
  return result;
}
