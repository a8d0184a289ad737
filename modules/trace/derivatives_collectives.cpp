/// Derivatives across replicas: of the sum over all replicas of what each computes.
module octet.trace;
import octet.base;
import octet.graph;
import octet.standard;
import :derivatives;

namespace octet::derivatives {

Cotangents all_gather(const Derivation& d) {
  const auto& a = std::get<AllGatherAttributes>(d.expression.attributes);
  return {octet::reduce_scatter(d.cotangents[0], a.replica_groups, a.all_gather_dim)};
}

Cotangents all_reduce(const Derivation& d) {
  const auto& a = std::get<AllReduceAttributes>(d.expression.attributes);
  if (a.reducer != Reducer::add) refuse(d, "only the sum over replicas has a derivative that each replica can compute");
  return {octet::all_reduce(d.cotangents[0], a.replica_groups)};
}

Cotangents all_to_all(const Derivation& d) {
  const auto& a = std::get<AllToAllAttributes>(d.expression.attributes);
  return {octet::all_to_all(d.cotangents[0], a.replica_groups, a.concat_dimension, a.split_dimension)};
}

Cotangents collective_permute(const Derivation& d) {
  ReplicaGroups back = std::get<PermuteAttributes>(d.expression.attributes).source_target_pairs;
  for (Dims& pair : back) std::swap(pair[0], pair[1]);
  return {octet::collective_permute(d.cotangents[0], back)};
}

Cotangents reduce_scatter(const Derivation& d) {
  const auto& a = std::get<ReduceScatterAttributes>(d.expression.attributes);
  if (a.reducer != Reducer::add) refuse(d, "only the sum over replicas has a derivative that each replica can compute");
  return {octet::all_gather(d.cotangents[0], a.replica_groups, a.scatter_dimension)};
}

}  // namespace octet::derivatives
