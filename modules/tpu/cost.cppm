/// What operations cost on a core: the matrix unit, the vector unit and the memory work at the same time, and the
/// slowest of them says how long an operation takes.
export module octet.tpu:cost;
import octet.base;
import octet.graph;
import octet.standard;
import :chip;
import :constants;
import :fused;
import :slice;

export namespace octet::tpu {

/// How a program is priced.
struct Costing {
  CostConstants constants = fitted_constants();
  /// What tensors of f32 between operations are stored as; parameters, results and the gradients that replicas add up
  /// stay f32.
  DType activations = DType::f32;
  double slowdown = 1;  ///< of all time on the device
  /// Whether collectives that do not wait for one another take what one of each operation within the same groups would:
  /// a compiler joins them.
  bool joins_collectives = false;
};

/// What keeps an operation from being faster.
enum class Bound : std::uint8_t { matrix_unit, vector_unit, memory, interconnect, start };
std::string_view name(Bound bound);

/// What one operation takes, once. Seconds.
struct OperationCost {
  double matrix = 0, vector = 0, memory = 0, interconnect = 0, start = 0;
  double flops = 0;         ///< of products, as the program states them
  double padded_flops = 0;  ///< as the matrix unit works them off
  double bytes = 0;         ///< to and from memory, in tiles
  Bound bound = Bound::memory;
  /// The slowest unit, and the start before it.
  double seconds() const;
};

/// Bytes of a tensor in tiles of 8 x 128, under the order of dimensions that wastes least.
double tiled_bytes(const TensorType& type);

/// `product` with its extents filled up to the matrix unit: the rows that stream through it to 8, the other two to
/// `size`; whichever operand goes into the unit's weights that makes it less.
Product padded(const Product& product, std::int64_t size);
/// The flops of `padded`, which the matrix unit works off.
double padded_flops(const Product& product, std::int64_t size);

/// The cost of each operation of `program` on `core` of `slice`. Collectives are those of their groups.
std::vector<OperationCost> costs(const FusedProgram& program, const Slice& slice, const Core& core,
                                 const Costing& costing);

/// The type that a tensor of a program has in memory. Gradients are f32 from where replicas add them up: what a sum
/// over replicas is of and gives, where a result of the program follows from it number by number, and what lies
/// between.
std::vector<TensorType> stored_types(const FusedProgram& program, DType activations);

}  // namespace octet::tpu

namespace octet::tpu {

/// The same with those gradients as all else.
std::vector<TensorType> narrowed_types(const FusedProgram& program, DType activations);

}  // namespace octet::tpu
