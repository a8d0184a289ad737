/// Stochastic gradient descent with momentum (Sutskever et al. 2013), with clipping by the global norm.
export module octet.nn:sgd;
import octet.base;
import octet.standard;
import octet.trace;
import :schedule;

export namespace octet::nn {

struct Sgd {
  Schedule schedule = {};
  double momentum = 0.9;    ///< the share of the last velocity that the next keeps; 0: plain descent
  double weight_decay = 0;  ///< of the parameter, added to its gradient; not where is_bias_or_norm says so of its name
  double clip_norm = 0;     ///< gradients are scaled down to this global norm; 0: not clipped
};

/// The parameters of `Model` and how fast each moves.
template <class Model>
struct MomentumState {
  Model model;
  Model velocity;
  Array step;  ///< i32 scalar: updates done so far
};

struct MomentumUpdate {
  std::vector<Array> parameters, velocities;
};
/// One update of all parameters, as PyTorch's: a velocity is momentum times the last and the gradient, and a parameter
/// loses the rate times its velocity. `step` is the number of updates before this one. Throws X401 where a gradient or
/// a velocity has another shape than its parameter, X405 where there are not as many, X402 where one is
/// not of f32.
MomentumUpdate sgd_update(const Sgd& optimizer, const std::vector<std::string>& names,
                          const std::vector<Array>& parameters, const std::vector<Array>& gradients,
                          const std::vector<Array>& velocities, const Array& step,
                          std::source_location where = std::source_location::current());

/// The state after one update with `gradients`, a structure like the model. Throws as sgd_update does.
template <class Model>
MomentumState<Model> updated(const Sgd& optimizer, const MomentumState<Model>& state, const Model& gradients,
                             std::source_location where = std::source_location::current()) {
  const ComposedAt scope{where};
  MomentumUpdate update = sgd_update(optimizer, octet::names_of(state.model), octet::arrays_of(state.model),
                                     octet::arrays_of(gradients), octet::arrays_of(state.velocity), state.step, where);
  return {octet::with_arrays(state.model, update.parameters), octet::with_arrays(state.velocity, update.velocities),
          state.step + 1};
}

/// A state before the first update: `model`'s values, velocities of zero.
template <class Model>
Values<MomentumState<Model>> initial_momentum_state(const Values<Model>& model) {
  std::vector<Tensor> tensors = model.tensors();
  for (const Tensor& tensor : model.tensors()) tensors.emplace_back(tensor.dtype(), tensor.shape());
  tensors.push_back(Tensor::scalar<std::int32_t>(0));
  return {MomentumState<Model>{model.structure(), model.structure(), {}}, std::move(tensors)};
}

}  // namespace octet::nn
