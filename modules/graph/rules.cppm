/// The shape rule of each operation, by the name of the operation. Internal to octet.graph; the table is in
/// shape_rules.cpp.
module octet.graph:rules;
import :attributes;
import :constraints;

namespace octet::rules {

// shape_rules_elementwise.cpp
Types constant(Constraints&, const ConstantAttributes&);
Types iota(Constraints&, const IotaAttributes&);
Types replica_id(Constraints&, const NoAttributes&);
Types unary(Constraints&, const NoAttributes&);
Types is_finite(Constraints&, const NoAttributes&);
Types convert(Constraints&, const ResultAttributes&);
Types bitcast_convert(Constraints&, const ResultAttributes&);
Types binary(Constraints&, const NoAttributes&);
Types compare(Constraints&, const CompareAttributes&);
Types clamp(Constraints&, const NoAttributes&);
Types select(Constraints&, const NoAttributes&);

// shape_rules_movement.cpp
Types broadcast_in_dim(Constraints&, const BroadcastAttributes&);
Types concatenate(Constraints&, const DimensionAttributes&);
Types pad(Constraints&, const PadAttributes&);
Types reshape(Constraints&, const ResultAttributes&);
Types reverse(Constraints&, const DimensionsAttributes&);
Types slice(Constraints&, const SliceAttributes&);
Types sort(Constraints&, const SortAttributes&);
Types transpose(Constraints&, const TransposeAttributes&);

// shape_rules_indexing.cpp
Types dynamic_slice(Constraints&, const DynamicSliceAttributes&);
Types dynamic_update_slice(Constraints&, const NoAttributes&);
Types gather(Constraints&, const GatherAttributes&);
Types scatter(Constraints&, const ScatterAttributes&);

// shape_rules_contraction.cpp
Types dot_general(Constraints&, const DotAttributes&);
Types reduce(Constraints&, const ReduceAttributes&);
/// Whether `reducer` combines elements of the type of input `input`.
bool reducible(Constraints&, Reducer reducer, unsigned input);

// shape_rules_control.cpp
Types if_(Constraints&, const NoAttributes&);
Types custom_call(Constraints&, const CustomCallAttributes&);
Types optimization_barrier(Constraints&, const NoAttributes&);
Types while_(Constraints&, const NoAttributes&);

// shape_rules_collective.cpp
Types all_gather(Constraints&, const AllGatherAttributes&);
Types all_reduce(Constraints&, const AllReduceAttributes&);
Types all_to_all(Constraints&, const AllToAllAttributes&);
Types collective_permute(Constraints&, const PermuteAttributes&);
Types reduce_scatter(Constraints&, const ReduceScatterAttributes&);

}  // namespace octet::rules
