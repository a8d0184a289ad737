/// Products of a few rows by a large matrix, such as that of a token by weights: they wait for memory, not for
/// arithmetic. Internal to octet.compile.
module octet.compile:gemm_rows;
import octet.standard;
import :cpu;
import :gemm_batch;
import :simd;

namespace octet {

/// Whether multiply_rows computes `product`, which has at least one of each: where its rhs lies along its rows. Not in
/// WebAssembly, whose code is loaded with the page.
bool is_of_few_rows(const MixedGemm& product);

/// Computes a product that is_of_few_rows, on the calling thread, to the bits that octet.compile:gemm promises. Rhs is
/// read once, where it lies; nothing is packed.
void multiply_rows(const MixedGemm& product, const GemmPlaces& places, Isa isa);

}  // namespace octet
