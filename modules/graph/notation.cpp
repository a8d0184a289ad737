module;
module octet.graph;
import octet.base;
import :attributes;
import :notation;
import :operation;

namespace octet::notation {

Attributes blank_attributes(Op op) {
  switch (op) {
    case Op::constant:
      return ConstantAttributes{};
    case Op::iota:
      return IotaAttributes{};
    case Op::convert:
    case Op::bitcast_convert:
    case Op::reshape:
      return ResultAttributes{};
    case Op::compare:
      return CompareAttributes{};
    case Op::broadcast_in_dim:
      return BroadcastAttributes{};
    case Op::concatenate:
      return DimensionAttributes{};
    case Op::reverse:
      return DimensionsAttributes{};
    case Op::transpose:
      return TransposeAttributes{};
    case Op::slice:
      return SliceAttributes{};
    case Op::pad:
      return PadAttributes{};
    case Op::dynamic_slice:
      return DynamicSliceAttributes{};
    case Op::gather:
      return GatherAttributes{};
    case Op::scatter:
      return ScatterAttributes{};
    case Op::sort:
      return SortAttributes{};
    case Op::dot_general:
      return DotAttributes{};
    case Op::reduce:
      return ReduceAttributes{};
    case Op::all_gather:
      return AllGatherAttributes{};
    case Op::all_reduce:
      return AllReduceAttributes{};
    case Op::all_to_all:
      return AllToAllAttributes{};
    case Op::collective_permute:
      return PermuteAttributes{};
    case Op::reduce_scatter:
      return ReduceScatterAttributes{};
    case Op::custom_call:
      return CustomCallAttributes{};
    default:
      return NoAttributes{};
  }
}

}  // namespace octet::notation
