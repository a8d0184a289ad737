/// Products of operands whose numbers lie side by side along the contracted index: of a few rows, such as that of a
/// token by a table of embeddings, and many dot products. Internal to octet.compile.
module octet.compile:gemm_columns;
import octet.standard;
import :cpu;
import :gemm_batch;
import :gemm_rows;
import :simd;

namespace octet {

/// Whether products are added as numbers of rhs alone tell.
inline bool rhs_tells_chains(const MixedGemm& product) {
  return (product.lhs_numbers == OperandNumbers::f32) == (product.rhs_numbers == OperandNumbers::f32);
}

/// Whether multiply_columns computes `product`. Not in WebAssembly, whose code is loaded with the page.
inline bool is_by_columns(const MixedGemm& product) {
  return simd::can_prefetch && product.m <= few_rows && product.rhs_row == 1 &&
         (product.rhs_column != 1 || product.n == 1) && rhs_tells_chains(product);
}

/// Computes a product that is_by_columns, none of whose extents is 0, on the calling thread, to the bits that
/// octet.compile:gemm promises; columns of the output are `out_column` apart. Rhs is read once, where it lies; nothing
/// is packed.
void multiply_columns(const MixedGemm& product, const GemmPlaces& places, std::int64_t out_column, Isa isa);

/// Whether multiply_dots computes products of that shape.
inline bool is_dot(const MixedGemm& product) {
  return simd::can_prefetch && product.m == 1 && product.n == 1 && product.lhs_column == 1 && product.rhs_row == 1 &&
         product.lhs_numbers == product.rhs_numbers;
}

/// Computes `count` products that are such, `steps` apart, side by side in vectors.
void multiply_dots(const MixedGemm& product, const GemmPlaces& places, const GemmSteps& steps, std::int64_t count,
                   Isa isa);

}  // namespace octet
