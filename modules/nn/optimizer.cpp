module octet.nn;
import octet.base;
import octet.graph;
import octet.standard;
import octet.trace;

namespace octet::nn {

Array global_norm(const std::vector<Array>& arrays) {
  Array sum_of_squares;
  for (const Array& array : arrays) {
    const Array part = sum(square(array));
    sum_of_squares = sum_of_squares.empty() ? part : sum_of_squares + part;
  }
  return sqrt(sum_of_squares);
}

ParameterUpdate adamw_update(const AdamW& optimizer, const std::vector<std::string>& names,
                             const std::vector<Array>& parameters, const std::vector<Array>& gradients,
                             const std::vector<Array>& first_moments, const std::vector<Array>& second_moments,
                             const Array& step) {
  const Array rate = optimizer.schedule(step);
  const Array updates = cast<float>(step + 1);
  // 1 - beta^t, by exp and log: both are ours, and the same everywhere.
  const Array correction1 = -expm1(updates * math::log(optimizer.beta1));
  const Array correction2 = -expm1(updates * math::log(optimizer.beta2));
  // What does not depend on the parameter is worked out once: the corrections become factors of the step and of the
  // root.
  const Array step_size = rate / correction1, root_correction = rsqrt(correction2);
  const Array decay = rate * optimizer.weight_decay;  // 1 - decay would lose what is below f32's spacing at 1
  Array scale;
  if (optimizer.clip_norm > 0) {
    const Array norm = global_norm(gradients);
    scale = select(norm > optimizer.clip_norm, optimizer.clip_norm / norm, 1.0);
  }
  ParameterUpdate update;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Array gradient = scale.empty() ? gradients[i] : gradients[i] * scale;
    const Array first = first_moments[i] * optimizer.beta1 + gradient * (1 - optimizer.beta1);
    const Array second = second_moments[i] * optimizer.beta2 + square(gradient) * (1 - optimizer.beta2);
    const Array direction = first / (sqrt(second) * root_correction + optimizer.epsilon);
    const bool decays = optimizer.weight_decay != 0 && !is_bias_or_norm(names[i]);
    const Array change = decays ? direction * step_size + parameters[i] * decay : direction * step_size;
    update.parameters.push_back(parameters[i] - change);
    update.first_moments.push_back(first);
    update.second_moments.push_back(second);
  }
  return update;
}

}  // namespace octet::nn
