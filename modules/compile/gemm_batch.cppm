/// One of several products of the same shape. Internal to octet.compile.
module octet.compile:gemm_batch;
import octet.standard;
import :cpu;
import :gemm;

namespace octet {

/// Where the matrices of a product lie.
struct GemmPlaces {
  const float* lhs;
  const float* rhs;
  float* out;
};

/// Computes `product` as octet.compile:gemm does, and meanwhile fetches the operands of the one that follows (null
/// after the last): small products, such as those of the heads of an attention, are over before theirs would have come.
void gemm(const Gemm& product, const GemmPlaces& places, const GemmPlaces* following, std::span<std::byte> workspace,
          Isa isa);

}  // namespace octet
