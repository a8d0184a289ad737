/// AdamW (Loshchilov and Hutter 2019), with clipping by the global norm.
export module octet.nn:optimizer;
import octet.base;
import octet.standard;
import octet.trace;
import :layers;
import :schedule;

export namespace octet::nn {

struct AdamW {
  Schedule schedule = {};
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-6;
  double weight_decay = 0.01;  ///< not where is_bias_or_norm says so of a parameter's name
  double clip_norm = 1.0;      ///< gradients are scaled down to this global norm; 0: not clipped
};

/// The parameters of `Model` and what the optimizer remembers of each.
template <class Model>
struct TrainingState {
  Model model;
  Model first_moment, second_moment;
  Array step;  ///< i32 scalar: updates done so far
};

/// The square root of the sum of the squares of all elements, a scalar; of arrays there is at least one (X403).
Array global_norm(const std::vector<Array>& arrays, std::source_location where = std::source_location::current());

struct ParameterUpdate {
  std::vector<Array> parameters, first_moments, second_moments;
};
/// One update of all parameters; `names` say which ones decay. `step` is the number of updates before this one. Throws
/// X401 where a gradient or a moment has another shape than its parameter, X405 where there are not as many, X402 where
/// one is not of f32.
ParameterUpdate adamw_update(const AdamW& optimizer, const std::vector<std::string>& names,
                             const std::vector<Array>& parameters, const std::vector<Array>& gradients,
                             const std::vector<Array>& first_moments, const std::vector<Array>& second_moments,
                             const Array& step, std::source_location where = std::source_location::current());

/// The state after one update with `gradients`, a structure like the model. Throws as adamw_update does.
template <class Model>
TrainingState<Model> updated(const AdamW& optimizer, const TrainingState<Model>& state, const Model& gradients,
                             std::source_location where = std::source_location::current()) {
  const ComposedAt scope{where};
  ParameterUpdate update =
      adamw_update(optimizer, octet::names_of(state.model), octet::arrays_of(state.model), octet::arrays_of(gradients),
                   octet::arrays_of(state.first_moment), octet::arrays_of(state.second_moment), state.step, where);
  return {octet::with_arrays(state.model, update.parameters),
          octet::with_arrays(state.first_moment, update.first_moments),
          octet::with_arrays(state.second_moment, update.second_moments), state.step + 1};
}

/// A state before the first update: `model`'s values, moments of zero.
template <class Model>
Values<TrainingState<Model>> initial_state(const Values<Model>& model) {
  std::vector<Tensor> tensors = model.tensors();
  for (int moment = 0; moment < 2; ++moment)
    for (const Tensor& tensor : model.tensors()) tensors.emplace_back(tensor.dtype(), tensor.shape());
  tensors.push_back(Tensor::scalar<std::int32_t>(0));
  return {TrainingState<Model>{model.structure(), model.structure(), model.structure(), {}}, std::move(tensors)};
}

}  // namespace octet::nn

namespace octet::nn {

/// What gradients are multiplied by where they are clipped at `norm`; empty where that is 0, and they are not.
Array clipping(const std::vector<Array>& gradients, double norm);
/// Throws X405 unless there is one of `arrays` for each of `parameters`, X402 where one of either is not of f32, and
/// X401 where they differ in shape; `what` one of them is: "gradient".
void require_like_parameters(const std::vector<Array>& arrays, const char* what, const std::vector<std::string>& names,
                             const std::vector<Array>& parameters, const std::source_location& where);

}  // namespace octet::nn
