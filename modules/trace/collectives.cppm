/// Functions across replicas. Each names the groups of replicas that meet; see octet.tpu for the slice they belong to.
export module octet.trace:collectives;
import octet.base;
import octet.graph;
import octet.standard;
import :array;
import :elementwise;
import :tree;

export namespace octet {

/// Combined over the replicas of each group; every replica gets the result.
Array all_reduce(operand x, const ReplicaGroups& groups, Reducer reducer = Reducer::add);
/// all_reduce(x, groups) divided by the number of replicas in a group. No groups are one of all replicas.
Array group_mean(operand x, const ReplicaGroups& groups);
/// The mean over the replicas of each group, of every array of a structure: what data parallelism makes of gradients.
template <class T>
T all_reduce_mean(const T& structure, const ReplicaGroups& groups,
                  std::source_location where = std::source_location::current()) {
  const ComposedAt scope{where};
  std::vector<Array> means;
  for (const Array& array : octet::arrays_of(structure)) means.push_back(group_mean(array, groups));
  return octet::with_arrays(structure, means);
}
/// The arrays of a group's replicas one after another along `dimension`.
Array all_gather(operand x, const ReplicaGroups& groups, std::int64_t dimension = 0);
/// Combined over the replicas, of which each keeps its part along `dimension`.
Array reduce_scatter(operand x, const ReplicaGroups& groups, std::int64_t dimension = 0,
                     Reducer reducer = Reducer::add);
/// Part i along `split` goes to the i-th replica of the group; what is received is joined along `concat`.
Array all_to_all(operand x, const ReplicaGroups& groups, std::int64_t split, std::int64_t concat);
/// For each pair {source, target}, target receives what source gave; a replica that is no target receives zeros.
Array collective_permute(operand x, const ReplicaGroups& source_target_pairs);
/// This replica's number, u32.
Array replica_id(std::source_location where = std::source_location::current());

}  // namespace octet
