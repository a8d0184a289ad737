/// Which way a product is computed, and its division among threads.
module octet.compile;

import octet.base;
import octet.graph;
import octet.standard;
import :cpu;
import :gemm;
import :gemm_batch;
import :gemm_blocks;
import :gemm_rows;
import :gemm_tile;

namespace octet {
namespace {

constexpr std::int64_t strip_unit = 16;  // threads share no cache line of the output

/// The product of the transposed operands, which is the transposed output.
Strided transposed(const Strided& from) {
  Strided to = from;
  std::swap(to.lhs, to.rhs);
  std::swap(to.product.m, to.product.n);
  std::swap(to.product.lhs_numbers, to.product.rhs_numbers);
  to.product.lhs_row = from.product.rhs_column;
  to.product.lhs_column = from.product.rhs_row;
  to.product.rhs_row = from.product.lhs_column;
  to.product.rhs_column = from.product.lhs_row;
  to.product.out_row = from.out_column;
  to.out_column = from.product.out_row;
  return to;
}

/// The output is cut for threads into strips along its longer side, because each thread packs for itself the operand
/// that runs along the other side.
bool cut_by_rows(const Gemm& product) { return product.m >= product.n; }
Cuttable strips(const Gemm& product, unsigned threads) {
  constexpr double worth_waking_a_thread = 500'000;  // multiply-adds, some microseconds
  const double work = static_cast<double>(product.m) * static_cast<double>(product.n) * static_cast<double>(product.k);
  const std::int64_t extent = std::max(product.m, product.n);
  const auto wanted = static_cast<std::int64_t>(std::min<double>(threads, work / worth_waking_a_thread));
  return {.extent = extent, .unit = strip_unit, .most = std::clamp<std::int64_t>(wanted, 1, extent / strip_unit + 1)};
}

/// A matrix unit takes squares of 16 x 16 x 32: where most of them would be empty, vectors are faster (by trial).
Isa worth_using(const Gemm& product, Isa isa) {
  const auto [m, n, k] = std::tuple{product.m, product.n, product.k};
  return isa == Isa::amx && (std::min(m, n) < 8 || m * n <= 8 * 8 || k <= dot_chain) ? Isa::avx512 : isa;
}

}  // namespace

std::size_t gemm_workspace(const Gemm& product, unsigned threads) {
  if (product.m <= 0 || product.n <= 0 || product.k <= 0) return 0;
  return blocks_workspace(product) * static_cast<std::size_t>(strips(product, threads).most);  // of strips of any size
}

void gemm(const MixedGemm& product, const GemmPlaces& places, const GemmPlaces* following,
          std::span<std::byte> workspace, Isa isa) {
  if (product.m <= 0 || product.n <= 0) return;
  if (product.k <= 0) {
    for (std::int64_t i = 0; i < product.m; ++i) std::fill_n(places.out + i * product.out_row, product.n, 0.0f);
    return;
  }
  const TileKernel kernel = tile_kernel(worth_using(product, isa), product.in_chains());
  // Vectors lie along the columns. Where there are too few to fill one, the rows do better.
  const bool turned = product.n < kernel.width && product.m > product.n;
  const auto job_at = [&](const GemmPlaces& at) {
    const Strided job{product, at.lhs, at.rhs, at.out, 1};
    return turned ? transposed(job) : job;
  };
  const Strided job = job_at(places), next_job = job_at(following ? *following : places);
  if (is_of_few_rows(job.product) && job.out_column == 1)
    return multiply_rows(job.product, {job.lhs, job.rhs, job.out}, isa);

  multiply_blocks(job, following ? &next_job : nullptr, workspace, kernel);
}

void gemm(const MixedGemm& product, const GemmPlaces& places, std::span<std::byte> workspace, Isa isa,
          Threads& threads) {
  if (product.m <= 0 || product.n <= 0) return;
  const Cuttable cuttable = strips(product, threads.count());
  const std::size_t space = workspace.size() / static_cast<std::size_t>(cuttable.most);
  threads.share(cuttable, [&](std::size_t share, std::int64_t begin, std::int64_t end) {
    const bool rows = cut_by_rows(product);
    MixedGemm strip = product;
    (rows ? strip.m : strip.n) = end - begin;
    const std::int64_t i = rows ? begin : 0, j = rows ? 0 : begin;
    gemm(strip,
         {advanced(places.lhs, i * product.lhs_row, product.lhs_numbers),
          advanced(places.rhs, j * product.rhs_column, product.rhs_numbers), places.out + i * product.out_row + j},
         nullptr, workspace.subspan(share * space, space), isa);
  });
}

namespace {
MixedGemm of_f32(const Gemm& product) {
  const auto numbers = product.round_to_bfloat16 ? OperandNumbers::f32_rounded : OperandNumbers::f32;
  return {product, numbers, numbers};
}
}  // namespace

void gemm(const Gemm& product, const float* lhs, const float* rhs, float* out, std::span<std::byte> workspace,
          Isa isa) {
  gemm(of_f32(product), {lhs, rhs, out}, nullptr, workspace, isa);
}

void gemm(const Gemm& product, const float* lhs, const float* rhs, float* out, std::span<std::byte> workspace, Isa isa,
          Threads& threads) {
  gemm(of_f32(product), {lhs, rhs, out}, workspace, isa, threads);
}

}  // namespace octet
