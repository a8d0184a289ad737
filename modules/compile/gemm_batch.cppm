/// Products of operands that lie as f32 or bf16, and one of several products of the same shape. Internal to
/// octet.compile.
module octet.compile:gemm_batch;
import octet.base;
import octet.standard;
import :cpu;
import :gemm;

namespace octet {

/// What the numbers of an operand are, and what a product makes of them.
enum class OperandNumbers : std::uint8_t {
  f32,
  f32_rounded,  ///< to the nearest bf16, ties to even: a TPU's default precision
  bf16,
};
constexpr std::int64_t size_of(OperandNumbers numbers) { return numbers == OperandNumbers::bf16 ? 2 : 4; }
/// The address `count` numbers further on.
inline const void* advanced(const void* from, std::int64_t count, OperandNumbers numbers) {
  return static_cast<const std::byte*>(from) + count * size_of(numbers);
}

/// A product of operands that hold numbers of either kind; `Gemm::round_to_bfloat16` says nothing here.
struct MixedGemm : Gemm {
  OperandNumbers lhs_numbers = OperandNumbers::f32, rhs_numbers = OperandNumbers::f32;

  /// Whether both are bf16 as they are multiplied, so that products are added in chains.
  bool in_chains() const { return lhs_numbers != OperandNumbers::f32 && rhs_numbers != OperandNumbers::f32; }
};

/// Where the matrices of a product lie.
struct GemmPlaces {
  const void* lhs;
  const void* rhs;
  float* out;
};

/// Numbers from the matrices of one product to those of the next.
struct GemmSteps {
  std::int64_t lhs, rhs, out;
};

/// Products of one shape, in row-major order of the dimensions that they lie along.
struct GemmBatch {
  struct Dimension {
    std::int64_t extent;
    GemmSteps steps;
  };
  MixedGemm product;
  std::vector<Dimension> dimensions;
};

/// Computes `product` as octet.compile:gemm does, the output divided among `threads`.
void gemm(const MixedGemm& product, const GemmPlaces& places, std::span<std::byte> workspace, Isa isa,
          Threads& threads);

/// Computes the products of a batch from `first` to before `last` on the calling thread; `places` is of the very first.
/// The way is chosen once, and while one is computed, the operands of the next are fetched: small products, such as
/// those of the heads of an attention, are over before theirs would have come. `workspace` is as for one of them.
void gemm(const GemmBatch& batch, const GemmPlaces& places, std::int64_t first, std::int64_t last,
          std::span<std::byte> workspace, Isa isa);

}  // namespace octet
