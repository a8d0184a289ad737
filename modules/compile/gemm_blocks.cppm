/// Products that are worth packing, block by block. Internal to octet.compile.
module octet.compile:gemm_blocks;
import octet.standard;
import :gemm;
import :gemm_batch;
import :gemm_tile;

namespace octet {

/// A product with an output of any strides.
struct Strided {
  MixedGemm product;
  const void* lhs;
  const void* rhs;
  float* out;
  std::int64_t out_column;
};

/// Bytes of scratch memory for `product`, or for that of its operands transposed.
std::size_t blocks_workspace(const Gemm& product);

/// Computes `job`, none of whose extents is 0, on the calling thread, and meanwhile fetches the operands of the one
/// that follows, if any, which is of its shape.
void multiply_blocks(const Strided& job, const Strided* following, std::span<std::byte> workspace,
                     const TileKernel& kernel);

}  // namespace octet
