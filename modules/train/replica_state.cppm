/// The state of a run as its replicas hold it: all of it on each, or with the optimizer's moments in shares. Internal
/// to octet.train.
export module octet.train:replica_state;
import octet.base;
import octet.nn;
import octet.standard;
import octet.tpu;
import octet.trace;

namespace octet::train {

/// What every replica holds all of.
template <class Model>
struct Held {
  Model model;
  Array step;
};
/// What each replica keeps its share of, flat.
template <class Model>
struct Moments {
  Model first, second;
};

template <class Model>
using ReplicaStates = tpu::Replicated<Values<nn::TrainingState<Model>>>;

/// Share `replica` of `replicas` of a tensor's numbers in a row, filled up with zeros.
Tensor share_of(const Tensor& tensor, std::int64_t replica, std::int64_t replicas);
/// A tensor of `type` put together from the shares of all replicas.
Tensor of_shares(const TensorType& type, std::span<const Tensor> shares);
/// As many numbers that are none: what is left of a replica's memory when it is lost. Integers become -1.
Tensor forgotten(const Tensor& tensor);

/// Throws X612: without the replicas `lost` step `step` cannot end.
[[noreturn]] void fail_lost(const std::set<std::int64_t>& lost, std::int64_t replicas, std::int64_t step,
                            bool in_shares);
/// Throws X613: there is no replica `replica` of the slice to lose.
[[noreturn]] void fail_no_replica(const tpu::Slice& slice, std::int64_t replica);

/// Throws X709 where a state of these tensors is none of a run whose options make a model of these arrays, or is not at
/// `step`.
void require_state(const std::vector<Array>& model, const std::vector<std::string>& names,
                   const std::vector<Tensor>& tensors, std::int64_t step);

/// So many parameters come first in a state, then as many first and second moments, then the step.
inline std::size_t parameters_of(std::size_t tensors) { return (tensors - 1) / 3; }

/// The replicas' states that `whole` stands for.
template <class Model>
ReplicaStates<Model> held_by(const Values<nn::TrainingState<Model>>& whole, std::int64_t replicas, bool in_shares) {
  ReplicaStates<Model> states = tpu::replicated(whole, replicas);
  if (!in_shares) return states;
  const std::size_t parameters = parameters_of(whole.tensors().size());
  for (std::size_t r = 0; r < states.size(); ++r)
    for (std::size_t t = parameters; t < 3 * parameters; ++t)
      states[r].tensors()[t] = share_of(whole.tensors()[t], static_cast<std::int64_t>(r), replicas);
  return states;
}

/// The other way.
template <class Model>
Values<nn::TrainingState<Model>> whole_of(const ReplicaStates<Model>& states, bool in_shares) {
  Values<nn::TrainingState<Model>> whole = states[0];
  if (!in_shares) return whole;
  const std::size_t parameters = parameters_of(whole.tensors().size());
  std::vector<Tensor> shares(states.size());
  for (std::size_t t = parameters; t < 3 * parameters; ++t) {
    for (std::size_t r = 0; r < states.size(); ++r) shares[r] = states[r].tensors()[t];
    whole.tensors()[t] = of_shares(whole.tensors()[(t - parameters) % parameters].type(), shares);
  }
  return whole;
}

/// As arguments of a step in shares. Tensors move, so that the step may write over them.
template <class Model>
std::pair<tpu::Replicated<Values<Held<Model>>>, tpu::Replicated<Values<Moments<Model>>>> parted(
    ReplicaStates<Model> states) {
  std::pair<tpu::Replicated<Values<Held<Model>>>, tpu::Replicated<Values<Moments<Model>>>> result;
  for (Values<nn::TrainingState<Model>>& state : states.each) {
    const Model model = state.structure().model;
    auto begin = std::make_move_iterator(state.tensors().begin());
    const auto moments = begin + static_cast<std::ptrdiff_t>(parameters_of(state.tensors().size()));
    const auto step = begin + static_cast<std::ptrdiff_t>(state.tensors().size() - 1);
    result.second.each.push_back({Moments<Model>{model, model}, std::vector<Tensor>(moments, step)});
    std::vector<Tensor> held(begin, moments);
    held.push_back(*step);
    result.first.each.push_back({Held<Model>{model, {}}, std::move(held)});
  }
  return result;
}

/// The other way.
template <class Model>
ReplicaStates<Model> joined(tpu::Replicated<Values<Held<Model>>> held,
                            tpu::Replicated<Values<Moments<Model>>> moments) {
  ReplicaStates<Model> result;
  for (std::size_t r = 0; r < held.size(); ++r) {
    const Model model = held[r].structure().model;
    std::vector<Tensor> tensors = std::move(held[r].tensors());
    tensors.insert(tensors.end() - 1, std::make_move_iterator(moments[r].tensors().begin()),
                   std::make_move_iterator(moments[r].tensors().end()));
    result.each.push_back({nn::TrainingState<Model>{model, model, model, {}}, std::move(tensors)});
  }
  return result;
}

}  // namespace octet::train
