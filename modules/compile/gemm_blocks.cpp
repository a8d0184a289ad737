/// The blocking of a matrix product: which part of which operand lies in which cache while tiles are multiplied.
///
///   for each block of columns             rhs block [depth, columns] stays in the second cache
///     for each block of the depth         in increasing order; all but the first continue the sums in `out`
///       for each block of rows            lhs block [rows, depth], packed or where it lies, stays in the second cache
///         for each panel of columns       rhs panel [depth, a tile's columns], packed for the first block of rows
///           for each panel of rows        one tile, in registers; those of equally many rows by one call
///
/// Packing and tiles read operands that lie far away, and would wait for them: so what is read next is asked for while
/// tiles are multiplied, which leaves the memory idle otherwise. f32 is packed as little as can be: lhs is read in
/// place, and of rhs the first tile of a panel writes down what it reads anyway. Products of a few rows are not worth
/// any of this: octet.compile:gemm_rows has those.
module octet.compile;

import octet.base;
import octet.graph;
import octet.standard;
import :gemm;
import :gemm_batch;
import :gemm_blocks;
import :gemm_pairs;
import :gemm_tile;
import :simd;

namespace octet {
namespace {

// Sizes of blocks, by trial: an rhs block is 1 MB. The shallower, the wider: that spares packing the lhs again.
constexpr std::int64_t block_floats = 512 * 512;
std::int64_t block_columns(std::int64_t depth) { return block_floats / std::max<std::int64_t>(depth, 64); }
constexpr std::size_t alignment = 64;
constexpr std::int64_t packed_rows = 84;  // of lhs at the most, except for a matrix unit

/// Floats in a packed block of at most that many rows or columns: enough for every instruction set's tile, padded.
std::int64_t lhs_floats(std::int64_t rows) {
  return (std::min(rows, packed_rows) * 4 / 3 + 16) * lane_pitch_of(depth_by_lane);
}
std::int64_t rhs_floats(std::int64_t columns, std::int64_t depth) {
  const auto floats = [&](std::int64_t least) {
    return (std::min(columns, block_columns(least)) + 32) * rounded_up(least, 2 * dot_chain);
  };
  return std::max(floats(std::min(depth, block_depth)), floats(std::min(depth, depth_by_lane)));
}

/// One block of columns, of rows and of the depth, and how it is cut into panels.
struct Block {
  std::int64_t row, column, p;  ///< where it begins
  Cut rows, columns;
  std::int64_t depth;
  bool only_rows;  ///< that no other block of rows follows, which would read the panels of rhs again
};

/// Whether tiles read lhs where it lies. Not where its rows lie whole pages apart: what a tile reads together would
/// compete for the same few places of the nearest cache. Read down its columns, each value of p is in a line of its
/// own, for every panel of columns again: that is worth it while there are few of them, and near each other.
bool lhs_in_place(const MixedGemm& product) {
  if (!reads_in_place || product.lhs_numbers != OperandNumbers::f32) return false;
  if (product.lhs_column == 1) return product.lhs_row % page_floats != 0;
  return product.lhs_row == 1 && std::abs(product.lhs_column) < std::min(page_floats, 128 * 1024 / product.n);
}

/// Rows of lhs that are multiplied at a time, at the most: the more, the shallower they are. Read down its columns, it
/// comes in longer runs from more.
std::int64_t block_rows(const MixedGemm& product, const TileKernel& kernel) {
  if (lhs_in_place(product) && product.lhs_row == 1) return 3 * kernel.block_rows;
  const std::int64_t depth = std::clamp<std::int64_t>(product.k, 1, block_depth);
  return std::max(kernel.block_rows, std::min(packed_rows, kernel.block_rows * block_depth / depth));
}

/// Values of the contracted index that are multiplied at a time, at the most.
std::int64_t largest_depth(const MixedGemm& product, const TileKernel& kernel) {
  return std::min(product.k, product.lhs_column == 1 ? kernel.depth_by_lane : block_depth);
}

/// The blocks of a product, in the order in which they are multiplied.
class Blocks {
 public:
  Blocks(const MixedGemm& product, const TileKernel& kernel)
      : kernel_{kernel},
        columns_{Cut::at_most(product.n, block_columns(largest_depth(product, kernel)), kernel.width)},
        depths_{Cut::at_most(product.k, largest_depth(product, kernel), kernel.depth_unit)},
        tiles_{Cut::at_most(product.m, kernel.rows, kernel.row_unit)},
        rows_{Cut::at_most(tiles_.parts, block_rows(product, kernel) / kernel.rows)} {}

  std::int64_t count() const { return columns_.parts * depths_.parts * rows_.parts; }
  Block operator[](std::int64_t index) const {
    const std::int64_t r = index % rows_.parts, d = index / rows_.parts % depths_.parts,
                       c = index / rows_.parts / depths_.parts;
    const std::int64_t row = tiles_.begin(rows_.begin(r));
    return {.row = row,
            .column = columns_.begin(c),
            .p = depths_.begin(d),
            .rows = Cut::at_most(tiles_.begin(rows_.begin(r + 1)) - row, kernel_.rows, kernel_.row_unit),
            .columns = Cut::at_most(columns_.size(c), kernel_.vectors * kernel_.width, kernel_.width),
            .depth = depths_.size(d),
            .only_rows = rows_.parts == 1};
  }

 private:
  const TileKernel& kernel_;
  Cut columns_, depths_;
  Cut tiles_, rows_;  ///< rows into tiles, and those into blocks: tiles that are all about equally high
};

/// Numbers of lhs that lie side by side along the contracted index stay so: that spares turning them over.
PanelOrder lhs_order(const Gemm& product, const TileKernel& kernel) {
  return kernel.form == PanelForm::squares || product.lhs_column == 1 ? PanelOrder::by_lane : PanelOrder::by_depth;
}

Panels lhs_panels(const Strided& job, const Block& block, float* target, const TileKernel& kernel) {
  const MixedGemm& g = job.product;
  return {.source = advanced(job.lhs, block.row * g.lhs_row + block.p * g.lhs_column, g.lhs_numbers),
          .numbers = g.lhs_numbers,
          .lane_stride = g.lhs_row,
          .depth_stride = g.lhs_column,
          .lanes = block.rows,
          .readable = g.m - block.row,
          .lane_unit = kernel.lhs_unit,
          .depth = block.depth,
          .padded_depth = kernel.padded_depth(block.depth),
          .order = lhs_order(g, kernel),
          .target = target,
          .panel_pitch = kernel.lhs_pitch(),
          .lane_pitch = lane_pitch_of(kernel.depth_by_lane)};
}

/// One panel of columns. Behind pairs are their Magnitudes.
Panels rhs_panel(const Strided& job, const Block& block, std::int64_t index, float* target, const TileKernel& kernel) {
  const MixedGemm& g = job.product;
  const std::int64_t column = block.column + block.columns.begin(index), pitch = kernel.rhs_pitch(block.depth);
  float* const at = target + (block.only_rows ? 0 : index * pitch);
  return {.source = advanced(job.rhs, block.p * g.rhs_row + column * g.rhs_column, g.rhs_numbers),
          .numbers = g.rhs_numbers,
          .lane_stride = g.rhs_column,
          .depth_stride = g.rhs_row,
          .lanes = Cut::into(block.columns.size(index), 1),
          .readable = g.n - column,
          .lane_unit = kernel.width,
          .depth = block.depth,
          .padded_depth = kernel.padded_depth(block.depth),
          .order = PanelOrder::by_depth,
          .target = at,
          .panel_pitch = pitch,
          .magnitudes = kernel.holds_bf16() ? reinterpret_cast<Magnitudes*>(at + pitch - 16) : nullptr};
}

/// Whether the first tile of a panel of rhs packs it: where it is whole vectors as it lies.
bool packed_by_tile(const Panels& panel, const TileKernel& kernel) {
  return reads_in_place && panel.numbers == OperandNumbers::f32 && panel.lane_stride == 1 &&
         rounded_up(panel.lanes.extent, kernel.width) <= panel.readable;
}

/// What is multiplied after a block: another block of the same product, or the first of another product of its shape.
struct Following {
  const Strided* job = nullptr;  ///< null after the last
  Block block{};
};

/// A block of lhs as tiles read it: packed, or where it lies.
class Lhs {
 public:
  Lhs(const Strided& job, const Block& block, float* target, const TileKernel& kernel)
      : panels_{lhs_panels(job, block, target, kernel)}, in_place_{lhs_in_place(job.product)} {
    panels_.magnitudes = magnitudes_;
    if (!in_place()) kernel.pack(panels_);
  }
  Lhs(const Lhs&) = delete;
  Lhs& operator=(const Lhs&) = delete;
  const float* panel(std::int64_t r) const {
    return in_place() ? static_cast<const float*>(panels_.source) + panels_.lanes.begin(r) * panels_.lane_stride
                      : panels_.target + r * panels_.panel_pitch;
  }
  /// Of a tile of so many rows, of f32; of pairs it is a constant.
  std::int64_t stride(std::int64_t rows) const {
    const bool by_lane = panels_.order == PanelOrder::by_lane;
    if (in_place()) return by_lane ? panels_.lane_stride : panels_.depth_stride;
    return by_lane ? panels_.lane_pitch : rounded_up(rows, panels_.lane_unit);
  }
  /// Where panels hold pairs.
  Magnitudes& magnitudes(std::int64_t r) { return magnitudes_[r]; }

 private:
  bool in_place() const { return reads_in_place && in_place_; }

  Panels panels_;
  bool in_place_;
  Magnitudes magnitudes_[most_panels];
};

/// Vectors write whole ones of themselves, side by side: other columns go through a buffer.
void multiply_tile(const Tile& tile, const TileKernel& kernel, PanelOrder lhs) {
  Multiply& multiply = kernel.function(tile, lhs);
  const int padded = tile.vectors * kernel.width;
  if (kernel.form == PanelForm::squares || (tile.columns == padded && tile.out_column == 1)) return multiply(tile);
  alignas(alignment) float buffer[largest_tile];
  Tile inner = tile;
  inner.out = buffer;
  inner.out_row = padded;
  const auto each = [&](auto&& copy) {
    for (int i = 0; i < tile.rows; ++i)
      for (int j = 0; j < tile.columns; ++j)
        copy(buffer[i * padded + j], tile.out[i * tile.out_row + j * tile.out_column]);
  };
  if (tile.continues) {
    std::fill_n(buffer, tile.rows * padded, 0.0f);
    each([](float& within, float& out) { within = out; });
  }
  multiply(inner);
  each([](float& within, float& out) { out = within; });
}

/// Multiplies a block tile by tile. The first block of rows packs the panels of rhs as it comes to them. What is packed
/// next is fetched a bit with each tile: the following panel of rhs while one panel is multiplied, the lhs of the
/// following block during the whole of this one.
void multiply_block(const Strided& job, const Block& block, const Following& following, Lhs&& lhs, float* rhs,
                    bool& small_sums, const TileKernel& kernel) {
  const MixedGemm& g = job.product;
  const auto out_at = [&](std::int64_t r, std::int64_t c) {
    return job.out + (block.row + block.rows.begin(r)) * g.out_row +
           (block.column + block.columns.begin(c)) * job.out_column;
  };
  const std::int64_t rows = block.rows.parts, columns = block.columns.parts;
  const PanelOrder order = lhs_order(g, kernel);
  const std::int64_t times =
      simd::can_prefetch ? (block.depth + fetch_depth - 1) / fetch_depth : 1;  // that a tile fetches
  Fetching fetching;
  fetching.out_rows = simd::can_prefetch ? (kernel.rows + times - 1) / times : 0;
  if (simd::can_prefetch && following.job)
    fetching.next_lhs = {area_of(lhs_panels(*following.job, following.block, nullptr, kernel)), rows * columns, times};
  // Squares add to the sums of earlier blocks, which may be denormal, too; vectors add to those as they add everywhere.
  const bool small_before = kernel.form == PanelForm::squares && block.p > 0 && small_sums;
  for (std::int64_t c = 0; c < columns; ++c) {
    const Panels panel = rhs_panel(job, block, c, rhs, kernel);
    const bool by_tile = block.row == 0 && packed_by_tile(panel, kernel);
    if (block.row == 0 && !by_tile) kernel.pack(panel);
    if constexpr (simd::can_prefetch) {
      fetching.next_rhs = {};
      if (c + 1 < columns) {
        if (block.row == 0) fetching.next_rhs = {area_of(rhs_panel(job, block, c + 1, rhs, kernel)), rows, times};
      } else if (following.job && following.block.row == 0) {
        fetching.next_rhs = {area_of(rhs_panel(*following.job, following.block, 0, rhs, kernel)), rows, times};
      }
    }
    Tile tile{.rhs = panel.target,
              .unpacked_stride = panel.depth_stride,
              .out_row = g.out_row,
              .out_column = job.out_column,
              .depth = kernel.padded_depth(block.depth),
              .columns = static_cast<int>(block.columns.size(c)),
              .vectors = static_cast<int>(block.columns.size(c) + kernel.width - 1) / kernel.width,
              .continues = block.p > 0,
              .of_rhs = panel.magnitudes,
              .fetching = &fetching};
    const bool whole = tile.columns == tile.vectors * kernel.width && job.out_column == 1;
    const auto small = [&](std::int64_t r) {
      return kernel.holds_bf16() && lhs.magnitudes(r).smallest + panel.magnitudes->smallest < pairs::least_exponents;
    };
    float* out = out_at(0, c);
    for (std::int64_t r = 0; r < rows; r += tile.tiles) {
      const std::int64_t height = block.rows.size(r);
      tile.lhs = lhs.panel(r);
      if (reads_in_place) tile.lhs_stride = lhs.stride(height);  // else all is packed
      tile.unpacked = by_tile && r == 0 ? static_cast<const float*>(panel.source) : nullptr;
      tile.out = out;
      tile.rows = static_cast<int>(height);
      tile.tiles = tile.unpacked || !whole ? 1 : block.rows.alike(r);
      if (kernel.holds_bf16()) {
        const bool here = small(r);
        small_sums |= here;
        tile.may_be_denormal = here || small_before;
        tile.of_lhs = &lhs.magnitudes(r);
        for (std::int64_t next = 1; next < tile.tiles; ++next)
          if (small(r + next) != here) tile.tiles = next;
      }
      tile.lhs_panel = lhs.panel(r + 1) - tile.lhs;
      out += tile.tiles * height * g.out_row;
      if constexpr (simd::can_prefetch) {
        const std::int64_t next = r + tile.tiles;
        fetching.next_tile();
        tile.next_out = next < rows ? out : c + 1 < columns ? out_at(0, c + 1) : out_at(rows, 0);
        tile.next_lhs = lhs.panel(next < rows ? next : 0);
      }
      multiply_tile(tile, kernel, order);
    }
  }
}

}  // namespace

/// Room for either operand to be the one whose panels are vectors wide.
std::size_t blocks_workspace(const Gemm& product) {
  const auto [m, n, k] = std::tuple{product.m, product.n, product.k};
  const std::int64_t floats = std::max(rhs_floats(n, k) + lhs_floats(m), rhs_floats(m, k) + lhs_floats(n));
  return static_cast<std::size_t>(floats) * sizeof(float) + alignment;
}

void multiply_blocks(const Strided& job, const Strided* following, std::span<std::byte> workspace,
                     const TileKernel& kernel) {
  void* start = workspace.data();
  std::size_t space = workspace.size();
  std::align(alignment, sizeof(float), start, space);
  float* const rhs = static_cast<float*>(start);
  float* const lhs = rhs + rhs_floats(job.product.n, job.product.k);
  const Blocks blocks{job.product, kernel};
  bool small_sums = false;
  if (kernel.begin) kernel.begin();
  for (std::int64_t index = 0; index < blocks.count(); ++index) {
    const Block block = blocks[index];
    const bool last = index + 1 == blocks.count();
    multiply_block(job, block, {last ? following : &job, blocks[last ? 0 : index + 1]}, {job, block, lhs, kernel}, rhs,
                   small_sums, kernel);
  }
  if (kernel.end) kernel.end();
}

}  // namespace octet
