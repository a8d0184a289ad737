/// The attributes of operations: what is fixed when a program is traced. Field names are StableHLO's.
/// Each structure lists its fields once, in `fields`, for printing, reading and hashing.
export module octet.graph:attributes;
import octet.base;
import octet.standard;

export namespace octet {

/// How `compare` compares. Floating-point comparison is IEEE's: NaN is unordered, `NE` is true of it.
enum class Comparison : std::uint8_t { EQ, NE, GE, GT, LE, LT };

/// What `reduce`, `scatter`, `all_reduce` and `reduce_scatter` combine with. `replace` is for scatter alone: the update
/// wins.
enum class Reducer : std::uint8_t { add, multiply, maximum, minimum, and_, or_, replace };

/// How exact a `dot_general` of f32 must be. DEFAULT is what the compile option `Precision` says: one bf16 pass on a
/// TPU.
/// On a TPU one, three and six passes of bf16 over f32 operands; here HIGH is computed as HIGHEST is.
enum class DotPrecision : std::uint8_t { DEFAULT, HIGH, HIGHEST };

/// What DEFAULT stands for when a program is compiled: operands rounded to bf16 and added up in f32, or f32 throughout.
enum class Precision : std::uint8_t { bf16, f32 };

enum class SortDirection : std::uint8_t { ascending, descending };

/// Groups of replica numbers that meet in a collective; each group by itself.
using ReplicaGroups = std::vector<Dims>;

struct NoAttributes {
  friend bool operator==(const NoAttributes&, const NoAttributes&) = default;
  static void fields(auto&&, auto&&) {}
};

struct ConstantAttributes {
  Tensor value;
  friend bool operator==(const ConstantAttributes&, const ConstantAttributes&) = default;
  static void fields(auto&& self, auto&& field) { field("value", self.value); }
};

/// `convert`, `bitcast_convert` (element type) and `reshape` (shape): the result type is all there is to say.
struct ResultAttributes {
  TensorType type;
  friend bool operator==(const ResultAttributes&, const ResultAttributes&) = default;
  static void fields(auto&& self, auto&& field) { field("result", self.type); }
};

struct IotaAttributes {
  TensorType type;
  std::int64_t iota_dimension = 0;
  friend bool operator==(const IotaAttributes&, const IotaAttributes&) = default;
  static void fields(auto&& self, auto&& field) {
    field("result", self.type);
    field("iota_dimension", self.iota_dimension);
  }
};

struct CompareAttributes {
  Comparison comparison_direction = Comparison::EQ;
  friend bool operator==(const CompareAttributes&, const CompareAttributes&) = default;
  static void fields(auto&& self, auto&& field) { field("comparison_direction", self.comparison_direction); }
};

struct BroadcastAttributes {
  Shape shape;                ///< of the result
  Dims broadcast_dimensions;  ///< operand dimension i becomes result dimension broadcast_dimensions[i]
  friend bool operator==(const BroadcastAttributes&, const BroadcastAttributes&) = default;
  static void fields(auto&& self, auto&& field) {
    field("result", self.shape);
    field("broadcast_dimensions", self.broadcast_dimensions);
  }
};

/// `concatenate`.
struct DimensionAttributes {
  std::int64_t dimension = 0;
  friend bool operator==(const DimensionAttributes&, const DimensionAttributes&) = default;
  static void fields(auto&& self, auto&& field) { field("dimension", self.dimension); }
};

/// `reverse`.
struct DimensionsAttributes {
  Dims dimensions;
  friend bool operator==(const DimensionsAttributes&, const DimensionsAttributes&) = default;
  static void fields(auto&& self, auto&& field) { field("dimensions", self.dimensions); }
};

struct TransposeAttributes {
  Dims permutation;  ///< result dimension i is operand dimension permutation[i]
  friend bool operator==(const TransposeAttributes&, const TransposeAttributes&) = default;
  static void fields(auto&& self, auto&& field) { field("permutation", self.permutation); }
};

struct SliceAttributes {
  Dims start_indices, limit_indices, strides;
  friend bool operator==(const SliceAttributes&, const SliceAttributes&) = default;
  static void fields(auto&& self, auto&& field) {
    field("start_indices", self.start_indices);
    field("limit_indices", self.limit_indices);
    field("strides", self.strides);
  }
};

struct PadAttributes {
  Dims edge_padding_low, edge_padding_high, interior_padding;  ///< negative edges cut off
  friend bool operator==(const PadAttributes&, const PadAttributes&) = default;
  static void fields(auto&& self, auto&& field) {
    field("edge_padding_low", self.edge_padding_low);
    field("edge_padding_high", self.edge_padding_high);
    field("interior_padding", self.interior_padding);
  }
};

struct DynamicSliceAttributes {
  Dims slice_sizes;
  friend bool operator==(const DynamicSliceAttributes&, const DynamicSliceAttributes&) = default;
  static void fields(auto&& self, auto&& field) { field("slice_sizes", self.slice_sizes); }
};

/// Operands of `gather`: the operand and the start indices.
struct GatherAttributes {
  Dims offset_dims = {}, collapsed_slice_dims = {}, start_index_map = {};
  std::int64_t index_vector_dim = 0;
  Dims slice_sizes = {};
  friend bool operator==(const GatherAttributes&, const GatherAttributes&) = default;
  static void fields(auto&& self, auto&& field) {
    field("offset_dims", self.offset_dims);
    field("collapsed_slice_dims", self.collapsed_slice_dims);
    field("start_index_map", self.start_index_map);
    field("index_vector_dim", self.index_vector_dim);
    field("slice_sizes", self.slice_sizes);
  }
};

/// Operands of `scatter`: the operand, the scatter indices and the updates. Updates are applied in row-major order of
/// the updates; those whose window does not lie inside the operand are skipped.
struct ScatterAttributes {
  Dims update_window_dims = {}, inserted_window_dims = {}, scatter_dims_to_operand_dims = {};
  std::int64_t index_vector_dim = 0;
  Reducer reducer = Reducer::replace;
  friend bool operator==(const ScatterAttributes&, const ScatterAttributes&) = default;
  static void fields(auto&& self, auto&& field) {
    field("update_window_dims", self.update_window_dims);
    field("inserted_window_dims", self.inserted_window_dims);
    field("scatter_dims_to_operand_dims", self.scatter_dims_to_operand_dims);
    field("index_vector_dim", self.index_vector_dim);
    field("reducer", self.reducer);
  }
};

/// Result dimensions: batching, then the rest of lhs, then the rest of rhs.
struct DotAttributes {
  Dims lhs_batching_dimensions = {}, rhs_batching_dimensions = {};
  Dims lhs_contracting_dimensions = {}, rhs_contracting_dimensions = {};
  DotPrecision precision = DotPrecision::DEFAULT;
  friend bool operator==(const DotAttributes&, const DotAttributes&) = default;
  static void fields(auto&& self, auto&& field) {
    field("lhs_batching_dimensions", self.lhs_batching_dimensions);
    field("rhs_batching_dimensions", self.rhs_batching_dimensions);
    field("lhs_contracting_dimensions", self.lhs_contracting_dimensions);
    field("rhs_contracting_dimensions", self.rhs_contracting_dimensions);
    field("precision", self.precision);
  }
};

/// Starts from the reducer's neutral element.
struct ReduceAttributes {
  Dims dimensions;  ///< removed from the result
  Reducer reducer = Reducer::add;
  friend bool operator==(const ReduceAttributes&, const ReduceAttributes&) = default;
  static void fields(auto&& self, auto&& field) {
    field("dimensions", self.dimensions);
    field("reducer", self.reducer);
  }
};

/// Sorts all operands together by the first one, in the total order of its type (-NaN < -inf < ... < -0 < +0 < ... <
/// NaN).
struct SortAttributes {
  std::int64_t dimension = 0;
  bool is_stable = true;
  SortDirection direction = SortDirection::ascending;
  friend bool operator==(const SortAttributes&, const SortAttributes&) = default;
  static void fields(auto&& self, auto&& field) {
    field("dimension", self.dimension);
    field("is_stable", self.is_stable);
    field("direction", self.direction);
  }
};

struct AllReduceAttributes {
  ReplicaGroups replica_groups;
  Reducer reducer = Reducer::add;
  friend bool operator==(const AllReduceAttributes&, const AllReduceAttributes&) = default;
  static void fields(auto&& self, auto&& field) {
    field("replica_groups", self.replica_groups);
    field("reducer", self.reducer);
  }
};

struct AllGatherAttributes {
  std::int64_t all_gather_dim = 0;
  ReplicaGroups replica_groups;
  friend bool operator==(const AllGatherAttributes&, const AllGatherAttributes&) = default;
  static void fields(auto&& self, auto&& field) {
    field("all_gather_dim", self.all_gather_dim);
    field("replica_groups", self.replica_groups);
  }
};

struct ReduceScatterAttributes {
  std::int64_t scatter_dimension = 0;
  ReplicaGroups replica_groups;
  Reducer reducer = Reducer::add;
  friend bool operator==(const ReduceScatterAttributes&, const ReduceScatterAttributes&) = default;
  static void fields(auto&& self, auto&& field) {
    field("scatter_dimension", self.scatter_dimension);
    field("replica_groups", self.replica_groups);
    field("reducer", self.reducer);
  }
};

struct AllToAllAttributes {
  std::int64_t split_dimension = 0, concat_dimension = 0, split_count = 1;
  ReplicaGroups replica_groups;
  friend bool operator==(const AllToAllAttributes&, const AllToAllAttributes&) = default;
  static void fields(auto&& self, auto&& field) {
    field("split_dimension", self.split_dimension);
    field("concat_dimension", self.concat_dimension);
    field("split_count", self.split_count);
    field("replica_groups", self.replica_groups);
  }
};

/// A replica that is no target receives zeros.
struct PermuteAttributes {
  ReplicaGroups source_target_pairs;  ///< pairs {source, target}
  friend bool operator==(const PermuteAttributes&, const PermuteAttributes&) = default;
  static void fields(auto&& self, auto&& field) { field("source_target_pairs", self.source_target_pairs); }
};

/// What a text says of an operation that Octet does not have, so that a program with it can be judged.
struct CustomCallAttributes {
  std::string call_target_name;  ///< of an operation of another name, that name: `stablehlo.convolution`
  std::vector<TensorType> results = {};
  Dims product = {};  ///< m, n and k of the product that it is on the matrix unit; empty where it is none
  /// Of `Sharding`, which hands on what it is given, of `SPMDFullToShardShape`, which gives each device its part, and
  /// of `SPMDShardToFullShape`, which makes one tensor of parts: how devices cut it. See `ProgramText::parts`.
  Dims parts = {};
  friend bool operator==(const CustomCallAttributes&, const CustomCallAttributes&) = default;
  static void fields(auto&& self, auto&& field) {
    field("call_target_name", self.call_target_name);
    field("result", self.results);
    field("product", self.product);
    field("parts", self.parts);
  }
};

using Attributes =
    std::variant<NoAttributes, ConstantAttributes, ResultAttributes, IotaAttributes, CompareAttributes,
                 BroadcastAttributes, DimensionAttributes, DimensionsAttributes, TransposeAttributes, SliceAttributes,
                 PadAttributes, DynamicSliceAttributes, GatherAttributes, ScatterAttributes, DotAttributes,
                 ReduceAttributes, SortAttributes, AllReduceAttributes, AllGatherAttributes, ReduceScatterAttributes,
                 AllToAllAttributes, PermuteAttributes, CustomCallAttributes>;

/// The number of replicas in each group; 1 where there are no groups.
inline std::int64_t group_size(const ReplicaGroups& groups) {
  return groups.empty() ? 1 : static_cast<std::int64_t>(groups.front().size());
}

/// A group of the replicas 0 to count-1.
inline ReplicaGroups all_replicas(std::int64_t count) {
  Dims group;
  for (std::int64_t replica = 0; replica < count; ++replica) group.push_back(replica);
  return {group};
}

}  // namespace octet
