/// What the operations mean that are made from nothing, or of the elements at one place.
module octet.graph;
import octet.standard;
import :reference_meaning;
import :reference_scalar;

namespace octet::reference {

namespace {

template <auto function>
std::vector<Tensor> unary(const Step& step) {
  return {map(function, step.inputs[0])};
}

template <auto function>
std::vector<Tensor> binary(const Step& step) {
  return {map(function, step.inputs[0], step.inputs[1])};
}

std::vector<Tensor> constant(const Step& step) { return {step.attributes<ConstantAttributes>().value}; }

std::vector<Tensor> iota(const Step& step) {
  Tensor result{step.results[0]};
  const auto dimension = step.attributes<IotaAttributes>().iota_dimension;
  const std::int64_t extent = result.shape()[dimension];
  const std::int64_t stride = result.shape().strides()[static_cast<std::size_t>(dimension)];
  visit_dtype(result.dtype(), [&]<class T>(std::type_identity<T>) {
    std::int64_t i = 0;
    for (T& element : result.mutable_span<T>()) element = convert_element<T>(i++ / stride % extent);
  });
  return {result};
}

std::vector<Tensor> replica_id(const Step& step) {
  return {Tensor::scalar(static_cast<std::uint32_t>(step.replica)).converted(step.results[0].dtype)};
}

std::vector<Tensor> convert(const Step& step) { return {step.inputs[0].converted(step.results[0].dtype)}; }

std::vector<Tensor> bitcast_convert(const Step& step) {
  return {Tensor::of_bytes(step.results[0], step.inputs[0].bytes())};
}

constexpr auto is_finite = [](scalar::Floating auto x) { return std::isfinite(x); };
constexpr auto floor = [](scalar::Floating auto x) { return std::floor(x); };
constexpr auto ceil = [](scalar::Floating auto x) { return std::ceil(x); };

/// Ties to the even one: nearbyint's rule, as no program of ours changes the rounding mode.
constexpr auto round_nearest_even = [](scalar::Floating auto x) { return std::nearbyint(x); };

std::vector<Tensor> compare(const Step& step) {
  const Comparison direction = step.attributes<CompareAttributes>().comparison_direction;
  return {map([&](auto a, auto b) { return scalar::compare(direction, a, b); }, step.inputs[0], step.inputs[1])};
}

/// `operand`, or a scalar spread over `shape`.
Tensor spread(const Tensor& operand, const Shape& shape) {
  if (operand.shape() == shape) return operand;
  Tensor result{operand.dtype(), shape};
  visit_dtype(operand.dtype(), [&]<class T>(std::type_identity<T>) {
    std::ranges::fill(result.mutable_span<T>(), operand.span<T>()[0]);
  });
  return result;
}

std::vector<Tensor> clamp(const Step& step) {
  const Shape& shape = step.inputs[1].shape();
  const Tensor least = spread(step.inputs[0], shape), greatest = spread(step.inputs[2], shape);
  return {map(scalar::minimum, map(scalar::maximum, step.inputs[1], least), greatest)};
}

std::vector<Tensor> select(const Step& step) {
  Tensor result = step.inputs[2];
  const Tensor predicate = spread(step.inputs[0], result.shape());
  const auto chosen = predicate.span<bool>();
  visit_dtype(result.dtype(), [&]<class T>(std::type_identity<T>) {
    const auto on_true = step.inputs[1].span<T>();
    const auto to = result.mutable_span<T>();
    for (std::size_t i = 0; i < to.size(); ++i)
      if (chosen[i]) to[i] = on_true[i];
  });
  return {result};
}

constexpr Meaning rows[] = {
    {Op::constant, constant},
    {Op::iota, iota},
    {Op::replica_id, replica_id},
    {Op::abs, unary<scalar::abs>},
    {Op::ceil, unary<ceil>},
    {Op::convert, convert},
    {Op::bitcast_convert, bitcast_convert},
    {Op::cosine, unary<[](scalar::Floating auto x) { return math::cos(x); }>},
    {Op::erf, unary<[](scalar::Floating auto x) { return math::erf(x); }>},
    {Op::exponential, unary<[](scalar::Floating auto x) { return math::exp(x); }>},
    {Op::exponential_minus_one, unary<[](scalar::Floating auto x) { return math::expm1(x); }>},
    {Op::floor, unary<floor>},
    {Op::is_finite, unary<is_finite>},
    {Op::log, unary<[](scalar::Floating auto x) { return math::log(x); }>},
    {Op::log_plus_one, unary<[](scalar::Floating auto x) { return math::log1p(x); }>},
    {Op::logistic, unary<[](scalar::Floating auto x) { return math::logistic(x); }>},
    {Op::negate, unary<scalar::negate>},
    {Op::not_, unary<scalar::not_>},
    {Op::round_nearest_even, unary<round_nearest_even>},
    {Op::rsqrt, unary<[](scalar::Floating auto x) { return math::rsqrt(x); }>},
    {Op::sign, unary<scalar::sign>},
    {Op::sine, unary<[](scalar::Floating auto x) { return math::sin(x); }>},
    {Op::sqrt, unary<[](scalar::Floating auto x) { return math::sqrt(x); }>},
    {Op::tanh, unary<[](scalar::Floating auto x) { return math::tanh(x); }>},
    {Op::add, binary<scalar::add>},
    {Op::and_, binary<scalar::and_>},
    {Op::compare, compare},
    {Op::divide, binary<scalar::divide>},
    {Op::maximum, binary<scalar::maximum>},
    {Op::minimum, binary<scalar::minimum>},
    {Op::multiply, binary<scalar::multiply>},
    {Op::or_, binary<scalar::or_>},
    {Op::power, binary<scalar::power>},
    {Op::remainder, binary<scalar::remainder>},
    {Op::shift_left, binary<scalar::shift_left>},
    {Op::shift_right_arithmetic, binary<scalar::shift_right_arithmetic>},
    {Op::shift_right_logical, binary<scalar::shift_right_logical>},
    {Op::subtract, binary<scalar::subtract>},
    {Op::xor_, binary<scalar::xor_>},
    {Op::clamp, clamp},
    {Op::select, select},
};

}  // namespace

std::span<const Meaning> elementwise_meanings() { return rows; }

}  // namespace octet::reference
