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

/// Computes `product` as octet.compile:gemm does, the output divided among `threads`.
void gemm(const MixedGemm& product, const GemmPlaces& places, std::span<std::byte> workspace, Isa isa,
          Threads& threads);

/// Computes `product` on the calling thread, and meanwhile fetches the operands of the one that follows (null
/// after the last): small products, such as those of the heads of an attention, are over before theirs would have come.
void gemm(const MixedGemm& product, const GemmPlaces& places, const GemmPlaces* following,
          std::span<std::byte> workspace, Isa isa);

}  // namespace octet
