module octet.trace;
import octet.base;
import octet.graph;
import octet.standard;

namespace octet {

Array all_reduce(operand x, const ReplicaGroups& groups, Reducer reducer) {
  return apply_one(Op::all_reduce, {x.array()}, AllReduceAttributes{groups, reducer}, Place::of(x.where()));
}

Array group_mean(operand a, const ReplicaGroups& groups) {
  const ComposedAt scope{a.where()};
  const Array x = a.array();
  const Array total = all_reduce(x, groups);
  if (!groups.empty()) return total / static_cast<double>(group_size(groups));
  // How many replicas there are is known where the program runs: as many as ones add up to.
  return total / all_reduce(operand{1.0}.array(&x.type()), groups);
}

Array all_gather(operand x, const ReplicaGroups& groups, std::int64_t dimension) {
  return apply_one(Op::all_gather, {x.array()}, AllGatherAttributes{dimension, groups}, Place::of(x.where()));
}

Array reduce_scatter(operand x, const ReplicaGroups& groups, std::int64_t dimension, Reducer reducer) {
  return apply_one(Op::reduce_scatter, {x.array()}, ReduceScatterAttributes{dimension, groups, reducer},
                   Place::of(x.where()));
}

Array all_to_all(operand x, const ReplicaGroups& groups, std::int64_t split, std::int64_t concat) {
  return apply_one(Op::all_to_all, {x.array()}, AllToAllAttributes{split, concat, group_size(groups), groups},
                   Place::of(x.where()));
}

Array collective_permute(operand x, const ReplicaGroups& source_target_pairs) {
  return apply_one(Op::collective_permute, {x.array()}, PermuteAttributes{source_target_pairs}, Place::of(x.where()));
}

Array replica_id(std::source_location where) { return apply_one(Op::replica_id, {}, NoAttributes{}, Place::of(where)); }

}  // namespace octet
