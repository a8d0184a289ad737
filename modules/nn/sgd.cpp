module octet.nn;
import octet.base;
import octet.standard;
import octet.trace;

namespace octet::nn {

MomentumUpdate sgd_update(const Sgd& optimizer, const std::vector<std::string>& names,
                          const std::vector<Array>& parameters, const std::vector<Array>& gradients,
                          const std::vector<Array>& velocities, const Array& step, std::source_location where) {
  const ComposedAt scope{where};
  require_like_parameters(gradients, "gradient", names, parameters, where);
  require_like_parameters(velocities, "velocity", names, parameters, where);
  const Array rate = optimizer.schedule(step), scale = clipping(gradients, optimizer.clip_norm);
  MomentumUpdate update;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    Array gradient = scale.empty() ? gradients[i] : gradients[i] * scale;
    if (optimizer.weight_decay != 0 && !is_bias_or_norm(names[i]))
      gradient = gradient + parameters[i] * optimizer.weight_decay;
    const Array velocity = optimizer.momentum == 0 ? gradient : velocities[i] * optimizer.momentum + gradient;
    update.parameters.push_back(parameters[i] - velocity * rate);
    update.velocities.push_back(velocity);
  }
  return update;
}

}  // namespace octet::nn
