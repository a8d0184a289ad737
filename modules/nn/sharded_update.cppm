/// Weight-update sharding (Xu et al. 2020): each replica keeps and updates its share of the optimizer's state alone.
export module octet.nn:sharded_update;
import octet.base;
import octet.graph;
import octet.standard;
import octet.trace;
import :layers;
import :optimizer;

export namespace octet::nn {

/// Numbers of a parameter of `elements` that each of `replicas` keeps moments of; the last replica's are filled up with
/// zeros.
std::int64_t share_of_state(std::int64_t elements, std::int64_t replicas);

/// AdamW where the replicas of the one group in `all` share the work: gradients, those of each replica's own examples,
/// are added up by reduce_scatter, so that a replica has the sum of its share alone, and divided by `divisor`; it
/// updates that share of each parameter with moments [share], and all_gather puts the parameters together again. The
/// moments take one n-th of the memory, and the update one n-th of the time. As much travels as in an all_reduce, and
/// half as much again where gradients are clipped, whose norm is that of whole ones: parameters and moments are, to the
/// bit, what `adamw_update` gives. Throws X603 where `all` is not all replicas in one group, X401 and X405
/// as `adamw_update` does.
ParameterUpdate sharded_adamw_update(const AdamW& optimizer, const std::vector<std::string>& names,
                                     const std::vector<Array>& parameters, const std::vector<Array>& gradients,
                                     const Array& divisor, const std::vector<Array>& first_moments,
                                     const std::vector<Array>& second_moments, const Array& step,
                                     const ReplicaGroups& all,
                                     std::source_location where = std::source_location::current());

/// The state after one update with `gradients`, not yet reduced.
template <class Model>
TrainingState<Model> sharded_updated(const AdamW& optimizer, const TrainingState<Model>& state, const Model& gradients,
                                     const Array& divisor, const ReplicaGroups& all,
                                     std::source_location where = std::source_location::current()) {
  const ComposedAt scope{where};
  ParameterUpdate update = sharded_adamw_update(
      optimizer, octet::names_of(state.model), octet::arrays_of(state.model), octet::arrays_of(gradients), divisor,
      octet::arrays_of(state.first_moment), octet::arrays_of(state.second_moment), state.step, all, where);
  return {octet::with_arrays(state.model, update.parameters),
          octet::with_arrays(state.first_moment, update.first_moments),
          octet::with_arrays(state.second_moment, update.second_moments), state.step + 1};
}

/// One replica's state before the first update: all of `model`, and its shares of the moments, zeros.
template <class Model>
Values<TrainingState<Model>> initial_sharded_state(const Values<Model>& model, std::int64_t replicas) {
  std::vector<Tensor> tensors = model.tensors();
  for (int moment = 0; moment < 2; ++moment)
    for (const Tensor& tensor : model.tensors())
      tensors.emplace_back(tensor.dtype(), Shape{share_of_state(tensor.elements(), replicas)});
  tensors.push_back(Tensor::scalar<std::int32_t>(0));
  return {TrainingState<Model>{model.structure(), model.structure(), model.structure(), {}}, std::move(tensors)};
}

}  // namespace octet::nn
