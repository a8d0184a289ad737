/// Products of a few rows by a large matrix, such as that of a token by weights: they wait for memory, not for
/// arithmetic. Internal to octet.compile.
module octet.compile:gemm_rows;
import octet.standard;
import :cpu;
import :gemm_batch;
import :simd;

namespace octet {

inline constexpr int few_rows = 4;  ///< at most: with eight, packing is faster where operands are at hand

/// Whether multiply_rows computes `product`: where its rhs lies along its rows. Not in WebAssembly, whose code is
/// loaded with the page.
inline bool is_of_few_rows(const MixedGemm& product) {
  return simd::can_prefetch && product.m <= few_rows && product.rhs_column == 1;
}

/// Computes a product that is_of_few_rows, none of whose extents is 0, on the calling thread, to the bits that
/// octet.compile:gemm promises. Rhs is read once, where it lies; nothing is packed.
void multiply_rows(const MixedGemm& product, const GemmPlaces& places, Isa isa);

}  // namespace octet
