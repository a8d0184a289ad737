/// The two inner pieces of a matrix product, one pair for each instruction set: packing an operand's panel into the
/// order in which the tile reads it, and multiplying two panels into one tile of the output held in registers.
module;
#include <cstdint>
module octet.compile:gemm_tile;

import :cpu;

namespace octet {

/// The largest depth of a panel.
inline constexpr std::int64_t block_depth = 256;

/// How a packed panel lies in memory. Tiles read rhs by depth, which is where their vectors come from; of lhs they need
/// single numbers, so that the panel may stay as its operand is.
enum class PanelOrder {
  by_depth,  ///< element (lane, p) at target[p * padded_lanes + lane]
  by_lane,   ///< element (lane, p) at target[lane * lane_pitch + p]
};
/// A constant, so that the compiler can write it into addresses; far from a power of two, so that the lanes of a panel
/// do not compete for the same places of the cache.
inline constexpr std::int64_t lane_pitch = block_depth + 16;

/// A strip of an operand: `lanes` rows of lhs (or columns of rhs) over `depth` values of the contracted index.
/// Element (lane, p) is read from source[lane * lane_stride + p * depth_stride]. In a panel by depth, lanes from
/// `lanes` to `padded_lanes` become zero. The operand goes on for `readable` >= `lanes` lanes, which lets whole vectors
/// be read where the panel ends within one.
struct Panel {
  const float* source;
  std::int64_t lane_stride, depth_stride;
  std::int64_t lanes, padded_lanes, readable;
  std::int64_t depth;
  PanelOrder order;
  bool round_to_bfloat16;
  float* target;
};

/// out[i, j] = (continues ? out[i, j] : 0) + sum over p of lhs[i, p] * rhs[p, j], for i < rows and j < columns.
/// `lhs` is a panel of `rows` lanes, `rhs` one of `columns` lanes, by depth, padded to whole vectors.
struct Tile {
  const float* lhs;
  const float* rhs;
  float* out;
  const float* next_out;  ///< where the next tile begins, or `out` again
  std::int64_t out_row, out_column;
  std::int64_t depth;
  int rows, columns;
  PanelOrder lhs_order;
  bool continues;
};

/// The shape of an instruction set's tile, and its two pieces.
struct TileKernel {
  int width;    ///< lanes of a vector
  int rows;     ///< rows of the largest tile
  int vectors;  ///< vectors in a row of the largest tile
  void (*pack)(const Panel&);
  void (*multiply)(const Tile&);
};

const TileKernel& tile_kernel(Isa isa);

/// Floats beyond its end that packing a panel may overwrite.
inline constexpr std::int64_t pack_overrun = 16;

}  // namespace octet
