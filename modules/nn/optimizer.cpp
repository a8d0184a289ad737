module octet.nn;
import octet.base;
import octet.graph;
import octet.standard;
import octet.trace;

namespace octet::nn {

namespace {

/// `3 gradients`.
std::string counted(std::size_t count, const std::string& what) {
  return std::to_string(count) + " " +
         (count == 1            ? what
          : what.ends_with("y") ? what.substr(0, what.size() - 1) + "ies"
                                : what + "s");
}

}  // namespace

void require_like_parameters(const std::vector<Array>& arrays, const char* what, const std::vector<std::string>& names,
                             const std::vector<Array>& parameters, const std::source_location& where) {
  if (arrays.size() != parameters.size() || names.size() != parameters.size())
    fail([&] {
      return Diagnostic{.number = 405,
                        .sentence = "An update of parameters was given " + counted(parameters.size(), "parameter") +
                                    ", " + counted(names.size(), "name") + " and " + counted(arrays.size(), what) + ".",
                        .where = placed(Place::of(where)),
                        .fix = {std::string{"give a name and a "} + what + " for each parameter, in their order"}};
    });
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    if (parameters[i].dtype() != DType::f32 || arrays[i].dtype() != DType::f32)
      fail([&] {
        const bool own = parameters[i].dtype() != DType::f32;
        return Diagnostic{
            .number = 402,
            .sentence = "An optimizer computes in f32, and " +
                        (own ? "parameter" : std::string{"the "} + what + " of") + " '" + names[i] + "' is " +
                        to_string((own ? parameters : arrays)[i].type()) + ".",
            .where = placed(Place::of(where)),
            .because = because((own ? parameters : arrays)[i]),
            .fix = {own ? "keep the parameter in f32, and cast it where the loss uses it: cast(" + names[i] +
                              ", DType::" + std::string{name(parameters[i].dtype())} + ")"
                    : what == std::string_view{"gradient"}
                        ? "cast it: cast<float>(gradient)"
                        : "make the state with initial_state, initial_sharded_state or initial_momentum_state"}};
      });
    if (arrays[i].shape() != parameters[i].shape())
      fail([&] {
        return Diagnostic{
            .number = 401,
            .sentence = std::string{"The "} + what + " of '" + names[i] + "' is " + to_string(arrays[i].type()) +
                        ", and the parameter " + to_string(parameters[i].type()) + ".",
            .where = placed(Place::of(where)),
            .because = because(arrays[i]),
            .fix = {what == std::string_view{"gradient"}
                        ? "give what grad gives; gradients of single examples are to be added up: sum(gradient, {0})"
                        : "make the state with initial_state, initial_sharded_state or initial_momentum_state, as its "
                          "optimizer needs it"}};
      });
  }
}

Array global_norm(const std::vector<Array>& arrays, std::source_location where) {
  const ComposedAt scope{where};
  if (arrays.empty())
    fail([&] {
      return Diagnostic{.number = 403,
                        .sentence = "global_norm was given no array.",
                        .where = placed(Place::of(where)),
                        .fix = {"give one or more, such as arrays_of(gradients)"}};
    });
  Array sum_of_squares;
  for (const Array& array : arrays) {
    const Array part = sum(square(array));
    sum_of_squares = sum_of_squares.empty() ? part : sum_of_squares + part;
  }
  return sqrt(sum_of_squares);
}

Array clipping(const std::vector<Array>& gradients, double norm) {
  if (!(norm > 0)) return {};
  const Array own = global_norm(gradients);
  return select(own > norm, norm / own, 1.0);
}

ParameterUpdate adamw_update(const AdamW& optimizer, const std::vector<std::string>& names,
                             const std::vector<Array>& parameters, const std::vector<Array>& gradients,
                             const std::vector<Array>& first_moments, const std::vector<Array>& second_moments,
                             const Array& step, std::source_location where) {
  const ComposedAt scope{where};
  require_like_parameters(gradients, "gradient", names, parameters, where);
  require_like_parameters(first_moments, "first moment", names, parameters, where);
  require_like_parameters(second_moments, "second moment", names, parameters, where);
  const Array rate = optimizer.schedule(step);
  const Array updates = cast<float>(step + 1);
  // 1 - beta^t, by exp and log: both are ours, and the same everywhere.
  const Array correction1 = -expm1(updates * math::log(optimizer.beta1));
  const Array correction2 = -expm1(updates * math::log(optimizer.beta2));
  // What does not depend on the parameter is worked out once: the corrections become factors of the step and of the
  // root.
  const Array step_size = rate / correction1, root_correction = rsqrt(correction2);
  const Array decay = rate * optimizer.weight_decay;  // 1 - decay would lose what is below f32's spacing at 1
  const Array scale = clipping(gradients, optimizer.clip_norm);
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
