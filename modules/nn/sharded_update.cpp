module octet.nn;
import octet.base;
import octet.graph;
import octet.standard;
import octet.trace;
import :optimizer;
import :sharded_update;

namespace octet::nn {

namespace {

/// All elements in a row, filled up with zeros to `count`.
Array in_a_row(const Array& array, std::int64_t count) {
  const std::int64_t elements = array.shape().elements();
  const Array flat = reshape(array, {elements});
  return elements == count ? flat : concatenate({flat, zeros({array.dtype(), Shape{count - elements}})}, 0);
}

/// What `in_a_row` and a cut into shares made of an array like `whole`, put together again.
Array put_together(const Array& share, const Array& whole, const ReplicaGroups& all) {
  const Array row = all_gather(share, all);
  return reshape(slice_in_dim(row, 0, whole.shape().elements(), 0), whole.shape().extents());
}

}  // namespace

std::int64_t share_of_state(std::int64_t elements, std::int64_t replicas) {
  if (elements < 0 || replicas < 1)
    fail({.number = 403,
          .sentence = std::to_string(elements) + " numbers cannot be shared by " + std::to_string(replicas) +
                      " replicas."});
  return elements / replicas + (elements % replicas != 0);
}

ParameterUpdate sharded_adamw_update(const AdamW& optimizer, const std::vector<std::string>& names,
                                     const std::vector<Array>& parameters, const std::vector<Array>& gradients,
                                     const Array& divisor, const std::vector<Array>& first_moments,
                                     const std::vector<Array>& second_moments, const Array& step,
                                     const ReplicaGroups& all, std::source_location where) {
  const ComposedAt scope{where};
  if (all.size() != 1 || all != all_replicas(group_size(all)))
    fail({.number = 603,
          .sentence = "A sharded update is one of all replicas in one group, in the order of their numbers.",
          .where = placed(Place::of(where)),
          .fix = {"take all replicas of the slice: slice.all()"}});
  require_like_parameters(gradients, "gradient", names, parameters, where);
  const std::int64_t replicas = group_size(all);
  const Array replica = cast(replica_id(), DType::i32);
  std::vector<Array> own, reduced;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const std::int64_t share = share_of_state(parameters[i].shape().elements(), replicas);
    reduced.push_back(reduce_scatter(in_a_row(gradients[i], share * replicas), all) / divisor);
    own.push_back(dynamic_slice(in_a_row(parameters[i], share * replicas), {replica * static_cast<std::int32_t>(share)},
                                {share}));
  }
  AdamW without_clipping = optimizer;
  without_clipping.clip_norm = 0;
  if (optimizer.clip_norm > 0) {
    // Squares of shares would add up in another order than those of whole gradients, and the last bits with them.
    std::vector<Array> whole;
    for (std::size_t i = 0; i < parameters.size(); ++i) whole.push_back(put_together(reduced[i], parameters[i], all));
    const Array scale = clipping(whole, optimizer.clip_norm);
    for (Array& gradient : reduced) gradient = gradient * scale;
  }
  ParameterUpdate update = adamw_update(without_clipping, names, own, reduced, first_moments, second_moments, step);
  for (std::size_t i = 0; i < parameters.size(); ++i)
    update.parameters[i] = put_together(update.parameters[i], parameters[i], all);
  return update;
}

}  // namespace octet::nn
