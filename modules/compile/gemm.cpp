/// Which way a product is computed, and its division among threads.
module octet.compile;

import octet.base;
import octet.graph;
import octet.standard;
import :cpu;
import :gemm;
import :gemm_batch;
import :gemm_blocks;
import :gemm_columns;
import :gemm_rows;
import :gemm_tile;
import :simd;

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

/// How products of one shape are computed, chosen once for all of them.
class Way {
 public:
  Way(const MixedGemm& product, Isa isa)
      : product_{product}, isa_{isa}, kernel_{tile_kernel(worth_using(product, isa), product.in_chains())} {
    // Vectors lie along the columns. Where there are too few to fill one, the rows do better.
    turned_ = product.n < kernel_.width && product.m > product.n;
    const Strided job = at({});
    by_columns_ = is_by_columns(job.product);
    by_rows_ = is_of_few_rows(job.product) && job.out_column == 1;
  }

  /// `following` may be null.
  void multiply(const GemmPlaces& places, const GemmPlaces* following, std::span<std::byte> workspace) const {
    if (product_.k <= 0) {
      for (std::int64_t i = 0; i < product_.m; ++i) std::fill_n(places.out + i * product_.out_row, product_.n, 0.0f);
      return;
    }
    const Strided job = at(places);
    if (simd::can_prefetch && by_columns_)
      return multiply_columns(job.product, {job.lhs, job.rhs, job.out}, job.out_column, isa_);
    if (simd::can_prefetch && by_rows_) return multiply_rows(job.product, {job.lhs, job.rhs, job.out}, isa_);
    const Strided next_job = at(following ? *following : places);
    multiply_blocks(job, following ? &next_job : nullptr, workspace, kernel_);
  }

 private:
  Strided at(const GemmPlaces& places) const {
    const Strided job{product_, places.lhs, places.rhs, places.out, 1};
    return turned_ ? transposed(job) : job;
  }

  MixedGemm product_;
  Isa isa_;
  TileKernel kernel_;
  bool turned_;
  bool by_columns_, by_rows_;  ///< never where nothing can be fetched, see there: asked for too, or a page loads both
};

/// Goes through a batch from one product to the next.
class Walk {
 public:
  Walk(const GemmBatch& batch, const GemmPlaces& places, std::int64_t first) : batch_{batch}, places_{places} {
    index_.resize(batch.dimensions.size());
    for (std::size_t d = index_.size(); d-- > 0; first /= batch.dimensions[d].extent) {
      index_[d] = first % batch.dimensions[d].extent;
      move(d, index_[d]);
    }
  }
  const GemmPlaces& places() const { return places_; }
  /// Products from here on that lie along the last dimension.
  std::int64_t along() const { return batch_.dimensions.back().extent - index_.back(); }
  void next(std::int64_t count = 1) {
    for (std::size_t d = index_.size(); d-- > 0; count = 1) {
      move(d, count);
      if ((index_[d] += count) < batch_.dimensions[d].extent) return;
      move(d, -index_[d]);
      index_[d] = 0;
    }
  }

 private:
  void move(std::size_t d, std::int64_t count) {
    const GemmSteps& steps = batch_.dimensions[d].steps;
    places_.lhs = advanced(places_.lhs, count * steps.lhs, batch_.product.lhs_numbers);
    places_.rhs = advanced(places_.rhs, count * steps.rhs, batch_.product.rhs_numbers);
    places_.out += count * steps.out;
  }

  const GemmBatch& batch_;
  GemmPlaces places_;
  std::vector<std::int64_t> index_;
};

}  // namespace

std::size_t gemm_workspace(const Gemm& product, unsigned threads) {
  if (product.m <= 0 || product.n <= 0 || product.k <= 0) return 0;
  return blocks_workspace(product) * static_cast<std::size_t>(strips(product, threads).most);  // of strips of any size
}

void gemm(const GemmBatch& batch, const GemmPlaces& places, std::int64_t first, std::int64_t last,
          std::span<std::byte> workspace, Isa isa) {
  if (batch.product.m <= 0 || batch.product.n <= 0) return;
  Walk walk{batch, places, first};
  if (is_dot(batch.product) && batch.product.k > 0 && !batch.dimensions.empty()) {
    for (std::int64_t b = first, count; b < last; b += count, walk.next(count)) {
      count = std::min(walk.along(), last - b);
      multiply_dots(batch.product, walk.places(), batch.dimensions.back().steps, count, isa);
    }
    return;
  }
  const Way way{batch.product, isa};
  for (std::int64_t b = first; b < last; ++b) {
    const GemmPlaces here = walk.places();
    walk.next();
    way.multiply(here, b + 1 < last ? &walk.places() : nullptr, workspace);
  }
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
    Way{strip, isa}.multiply(
        {advanced(places.lhs, i * product.lhs_row, product.lhs_numbers),
         advanced(places.rhs, j * product.rhs_column, product.rhs_numbers), places.out + i * product.out_row + j},
        nullptr, workspace.subspan(share * space, space));
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
  if (product.m > 0 && product.n > 0) Way{of_f32(product), isa}.multiply({lhs, rhs, out}, nullptr, workspace);
}

void gemm(const Gemm& product, const float* lhs, const float* rhs, float* out, std::span<std::byte> workspace, Isa isa,
          Threads& threads) {
  gemm(of_f32(product), {lhs, rhs, out}, workspace, isa, threads);
}

}  // namespace octet
