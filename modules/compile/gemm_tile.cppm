/// The two inner pieces of a matrix product, one pair for each instruction set: packing an operand's panel into the
/// order in which the tile reads it, and multiplying two panels into one tile of the output held in registers.
///
/// What both ask on their way is always inlined: a call within a tile would cost all the registers that hold its sums.
module octet.compile:gemm_tile;

import octet.standard;
import :cpu;
import :gemm_batch;
import :simd;

namespace octet {

/// Whether tiles of f32 read lhs where it lies, and pack rhs as they go: see Tile. Not in WebAssembly, whose addresses
/// multiply nothing, and whose code is loaded with the page.
inline constexpr bool reads_in_place = simd::can_prefetch;

/// What lies so many floats apart competes for the same few places of the nearest cache.
inline constexpr std::int64_t page_floats = 1024;

/// The largest depth of a panel; and of f32 whose lhs lies along its rows: outputs are read and written half as often,
/// which is worth that a panel of rhs fills the nearest cache, or with AVX-512 comes from the second.
inline constexpr std::int64_t block_depth = 256, depth_by_lane = reads_in_place ? 2 * block_depth : block_depth;

/// [0, extent) cut into parts, their sizes multiples of `unit` (but for the last) and otherwise as equal as can be.
/// Nothing is divided when a part is asked for: packing asks often.
struct Cut {
  std::int64_t extent, parts, unit;
  std::int64_t smaller, larger_parts;  ///< units in the smaller parts, and how many parts in front have one more

  [[gnu::always_inline]] static inline Cut into(std::int64_t extent, std::int64_t parts, std::int64_t unit = 1) {
    const std::int64_t units = (extent + unit - 1) / unit;
    return {extent, parts, unit, units / parts, units % parts};
  }
  /// The fewest parts of at most `largest`.
  [[gnu::always_inline]] static inline Cut at_most(std::int64_t extent, std::int64_t largest, std::int64_t unit = 1) {
    return into(extent, (extent + largest - 1) / largest, unit);
  }
  [[gnu::always_inline]] inline std::int64_t begin(std::int64_t index) const {
    const std::int64_t at = (smaller * index + (index < larger_parts ? index : larger_parts)) * unit;
    return at < extent ? at : extent;
  }
  [[gnu::always_inline]] inline std::int64_t size(std::int64_t index) const { return begin(index + 1) - begin(index); }
  /// Parts from that one on that are certain to be of its size.
  [[gnu::always_inline]] inline std::int64_t alike(std::int64_t index) const {
    return unit > 1 ? 1 : (index < larger_parts ? larger_parts : parts) - index;
  }
};

/// How a packed panel lies in memory. Tiles read rhs by depth, which is where their vectors come from; of lhs they need
/// single numbers, so that the panel may stay as its operand is.
/// Of pairs it says the same, p being that of pairs and the pitch pair_lane_pitch; and of a matrix unit's squares of
/// pairs, which of the two runs along the rows of a square.
enum class PanelOrder {
  by_depth,  ///< element (lane, p) at target[p * padded_lanes + lane]
  by_lane,   ///< element (lane, p) at target[lane * lane_pitch_of(largest depth) + p]
};
/// Far from a power of two, so that the lanes of a panel do not compete for the same places of the cache; half a line
/// more than whole lines, so that not all lanes go on to their next lines at the same step. Those of the usual depth,
/// and of pairs, are constants, so that the compiler can write them into addresses.
constexpr std::int64_t lane_pitch_of(std::int64_t depth) { return depth + 8; }
inline constexpr std::int64_t lane_pitch = lane_pitch_of(block_depth), pair_lane_pitch = block_depth / 2 + 16;

constexpr std::int64_t rounded_up(std::int64_t value, std::int64_t unit) { return (value + unit - 1) / unit * unit; }

/// Of which panels of lhs by depth have a multiple of lanes, where a tile has at most `rows`: a vector's, or half.
constexpr int lhs_lane_unit(int width, int rows) { return width == 16 && rows <= width / 2 ? width / 2 : width; }

/// What is known of the numbers in a panel of pairs, see gemm_pairs; exponents as it tells them.
struct Magnitudes {
  static constexpr int unknown = 1'000'000;
  int smallest = 0;       ///< exponent of the smallest that is not zero
  int largest = unknown;  ///< of the largest, once a matrix unit asked for it
  bool raised = false;    ///< whether all numbers were multiplied by pairs::raising, of lhs for a matrix unit
};
/// Panels of lhs in a block, at the most, where they hold pairs.
inline constexpr std::int64_t most_panels = 16;

/// Panels of an operand side by side: together `lanes.extent` rows of lhs (or columns of rhs) over `depth` values of
/// the contracted index. Element (lane, p) is read from source[lane * lane_stride + p * depth_stride]. In a panel by
/// depth the lanes are padded to multiples of `lane_unit`, whole vectors or half ones, with zeros or (of lhs, whose
/// padding no tile reads) with anything. The operand goes on for `readable` >= lanes.extent lanes, which lets whole
/// vectors be read where the panels end within one.
struct Panels {
  const void* source;
  OperandNumbers numbers;
  std::int64_t lane_stride, depth_stride;
  Cut lanes;
  std::int64_t readable;
  std::int64_t lane_unit;
  std::int64_t depth;
  std::int64_t padded_depth;  ///< up to which there are zeros beyond; where panels hold pairs, to a whole one besides
  PanelOrder order;
  float* target;
  std::int64_t panel_pitch;          ///< floats from one panel to the next
  std::int64_t lane_pitch = 0;       ///< from one lane to the next, of panels of f32 by lane
  Magnitudes* magnitudes = nullptr;  ///< where panels hold pairs: gets those of each
};

/// A piece of memory: `runs` runs of `length` bytes, one every `stride`.
struct Area {
  const std::byte* from = nullptr;
  std::int64_t stride = 0, runs = 0, length = 0;
};

/// Lines of memory, `step` bytes apart: so many at a time are asked for, to be in the second cache by the time they are
/// read.
struct Lines {
  static constexpr std::int64_t line = 64, floats = line / 4;
  const std::byte* at = nullptr;
  std::int64_t step = 0, together = 0;

  [[gnu::always_inline]] inline void fetch() {
    const std::byte* next = at;  // or `at` is written with each, and read by the next
#pragma clang loop unroll(disable)
    for (std::int64_t i = 0; i < together; ++i, next += step) __builtin_prefetch(next, 0, 2);
    at = next;
  }
};

/// An area cut into as many parts as there are tiles to fetch them beside, or fewer. A part lies along a run, or across
/// runs, so that a tile has nothing to do but to count on; some of its lines may lie beyond the end.
class AreaParts {
 public:
  AreaParts() = default;
  /// For `tiles`, each of which asks `times` for lines.
  AreaParts(const Area& area, std::int64_t tiles, std::int64_t times) : area_{area} {
    const std::int64_t lines = (area.length + Lines::line - 1) / Lines::line, all = area.runs * lines;
    if (all == 0) return;
    const std::int64_t of_tile = (all + tiles - 1) / tiles;
    along_ = lines >= of_tile;
    inner_ = along_ ? lines : area.runs;
    outer_ = along_ ? area.runs : lines;
    wide_ = along_ ? 1 : (lines + tiles - 1) / tiles;
    const std::int64_t parts = along_ ? lines / of_tile : std::max<std::int64_t>(1, tiles * wide_ / lines);
    part_ = (inner_ + parts - 1) / parts;
    together_ = (part_ + times - 1) / times;
  }
  /// Sets `lines` to the next part, to none of them after the last. Where there are fewer tiles than lines in a run,
  /// what lies beside the part is asked for at once. Fields are set one by one: to copy them by a vector that was
  /// written in parts, the processor waits until these have left for the cache, behind the multiply-adds before them.
  [[gnu::always_inline]] inline void next(Lines& lines) {
    lines.together = 0;
    if (at_outer_ >= outer_) return;
    const std::int64_t along = (along_ ? at_inner_ : at_outer_) * Lines::line, run = along_ ? at_outer_ : at_inner_;
    const std::byte* const at = area_.from + run * area_.stride + along;
    for (std::int64_t beside = 1; beside < wide_; ++beside)
      Lines{at + beside * Lines::line, area_.stride, part_}.fetch();
    at_inner_ += part_;
    if (at_inner_ >= inner_) at_inner_ = 0, at_outer_ += wide_;
    lines.at = at;
    lines.step = along_ ? Lines::line : area_.stride;
    lines.together = together_;
  }

 private:
  Area area_{};
  bool along_ = false;
  std::int64_t inner_ = 0, outer_ = 0, part_ = 0, together_ = 0;  ///< lines along a run and runs, or the other way
  std::int64_t wide_ = 1;                                         ///< lines side by side of a part across runs
  std::int64_t at_inner_ = 0, at_outer_ = 0;
};

/// What packing reads; nothing where no numbers lie side by side.
[[gnu::always_inline]] inline Area area_of(const Panels& panels) {
  const auto* const from = static_cast<const std::byte*>(panels.source);
  const std::int64_t size = size_of(panels.numbers);
  if (panels.lane_stride == 1) return {from, panels.depth_stride * size, panels.depth, panels.lanes.extent * size};
  if (panels.depth_stride == 1) return {from, panels.lane_stride * size, panels.lanes.extent, panels.depth * size};
  return {};
}

/// Values of the contracted index between which a tile fetches.
inline constexpr std::int64_t fetch_depth = 32;

/// What packing takes through all panels at a time. An operand is read from far away there, and in short runs that the
/// processor does not foresee: it is told so many rows, or lanes, ahead. An address beyond the operand's end is asked
/// for in vain. Where nothing can be asked for, a panel is packed whole before the next one: by trial, a sixth faster.
inline constexpr std::int64_t rows_together = simd::can_prefetch ? 16 : block_depth, prefetch_lanes = 2;

/// Sums in a tile, at the most.
inline constexpr int largest_tile = 14 * 32;

/// What a tile fetches beside its work: what is packed soon.
struct Fetching {
  AreaParts next_lhs, next_rhs;
  Lines lhs, rhs;
  std::int64_t out_rows = 0;  ///< of the next tile, each time

  [[gnu::always_inline]] inline void next_tile() {
    next_lhs.next(lhs);
    next_rhs.next(rhs);
  }
};

/// out[i, j] = (continues ? out[i, j] : 0) + sum over p of lhs[i, p] * rhs[p, j], for i < rows and j < columns, which
/// are padded to whole vectors and lie side by side (but where a matrix unit multiplies). `lhs` is a panel of `rows`
/// lanes, `rhs` one of `columns` lanes, by depth; lanes by depth are padded as Panels says.
///
/// There may be more tiles one below the other, all of so many rows: with a call for each, products of f32 took a
/// twentieth longer with AVX2.
///
/// The first tile of a panel of rhs may be the one that packs it, from `unpacked`, whose vectors lie `unpacked_stride`
/// apart: what it reads anyway it writes to `rhs`, where it would have waited for nothing.
struct Tile {
  const float* lhs = nullptr;
  std::int64_t lhs_stride = 0;  ///< floats from a lane to the next (of lhs by lane) or from a value of p to the next
  float* rhs = nullptr;
  const float* unpacked = nullptr;
  std::int64_t unpacked_stride = 0;
  float* out = nullptr;
  std::int64_t out_row = 0, out_column = 1;
  std::int64_t depth = 0;  ///< in numbers, where panels hold pairs too
  int rows = 0, columns = 0;
  int vectors = 0;  ///< that the columns fill, the last one perhaps in part
  bool continues = false;
  bool may_be_denormal = false;  ///< where panels hold pairs: whether sums may become so, see gemm_pairs
  Magnitudes* of_lhs = nullptr;  ///< where panels hold pairs
  Magnitudes* of_rhs = nullptr;
  std::int64_t tiles = 1, lhs_panel = 0;  ///< how many, and floats from the lhs of one to that of the next
  const float* next_out = nullptr;        ///< the output of the tile behind the last
  const float* next_lhs = nullptr;        ///< and its lhs; behind the block's last tile, that of the first
  Fetching* fetching = nullptr;

  /// Goes on to the next of the tiles, and says whether there is one.
  [[gnu::always_inline]] inline bool next() {
    if (--tiles == 0) return false;
    lhs += lhs_panel;
    out += rows * out_row;
    if constexpr (simd::can_prefetch) fetching->next_tile();
    return true;
  }
};

/// What a tile does every fetch_depth steps, `row` being 0 at first: asks for some rows of the next tile's output,
/// each of `vectors` vectors of `width` floats, and for operands.
template <int vectors, int width>
[[gnu::always_inline]] inline void fetch_beside(const Tile& tile, std::int64_t& row) {
  Fetching& fetching = *tile.fetching;
  const float* const next_out = tile.tiles > 1 ? tile.out + tile.rows * tile.out_row : tile.next_out;
  for (std::int64_t i = 0; i < fetching.out_rows; ++i) {
#pragma clang loop unroll(full)
    for (int at = 0; at < vectors * width; at += Lines::floats)
      __builtin_prefetch(next_out + row * tile.out_row + at, 1);
    row += row < tile.rows - 1;
  }
  fetching.lhs.fetch();
  fetching.rhs.fetch();
}

using Pack = void(const Panels&);
using Multiply = void(const Tile&);

/// What a panel holds: f32; pairs of bf16, in half the room; or such pairs in a matrix unit's squares of 16 x 16.
enum class PanelForm : std::uint8_t { f32, pairs, squares };

/// The shape of an instruction set's tile, and its two pieces.
struct TileKernel {
  int width;                                 ///< lanes of a vector
  int rows;                                  ///< rows of the largest tile
  int vectors;                               ///< vectors in a row of the largest tile
  int row_unit;                              ///< of which tiles have a multiple of rows, but for the last
  int lhs_unit;                              ///< of which panels of lhs by depth have a multiple of lanes
  int depth_unit;                            ///< of which panels have a multiple of depth, but for the last
  bool pads_depth;                           ///< whether the last has as well, with zeros
  std::int64_t block_rows;                   ///< of lhs that are packed at a time, at the most
  std::int64_t depth_by_lane = block_depth;  ///< the largest, of panels whose lhs lies along its rows
  PanelForm form;
  Pack* pack = nullptr;
  Multiply* const* tiles;     ///< a function for each shape of tile, or one for all where panels hold squares
  void (*begin)() = nullptr;  ///< called before a thread's first tile, and `end` after its last; or null
  void (*end)() = nullptr;

  bool holds_bf16() const { return form != PanelForm::f32; }

  /// What multiplies such a tile: the number of its rows counts fastest, then that of vectors in a row, the order of
  /// lhs, and whether it packs, or has pairs whose sums may become denormal.
  inline Multiply& function(const Tile& tile, PanelOrder lhs) const {
    if (form == PanelForm::squares) return **tiles;
    const int way = form == PanelForm::pairs ? tile.may_be_denormal : reads_in_place && tile.unpacked;
    return *tiles[((way * 2 + static_cast<int>(lhs)) * vectors + tile.vectors - 1) * rows + tile.rows - 1];
  }

  std::int64_t padded_depth(std::int64_t depth) const { return pads_depth ? rounded_up(depth, depth_unit) : depth; }
  /// Floats from one packed panel to the next. Behind pairs of rhs there is room for their Magnitudes.
  std::int64_t lhs_pitch() const {
    if (form == PanelForm::squares) return rows * block_depth / 2;
    return rounded_up(rows, lhs_unit) * (form == PanelForm::pairs ? pair_lane_pitch : lane_pitch_of(depth_by_lane));
  }
  std::int64_t rhs_pitch(std::int64_t depth) const {
    if (form == PanelForm::f32) return vectors * width * depth;
    return vectors * width * ((padded_depth(depth) + 1) / 2) + 16;
  }
};

/// What multiplies on `isa`: numbers of bf16, or of f32.
TileKernel tile_kernel(Isa isa, bool of_bf16);

/// Packs such panels for the vectors of `isa`.
Pack& pack_of(Isa isa, PanelForm form);

#if defined(__x86_64__)
/// Asks the system, once, for this process's leave to use the matrix unit: whether it was given.
bool lends_matrix_unit();

/// Packs pairs for Isa::avx512bf16.
void pack_pairs_for_vectors(const Panels& panels);

/// Packs pairs for Isa::amx, into squares.
void pack_pairs_for_squares(const Panels& panels);

/// For Isa::amx, of bf16 only.
const TileKernel& matrix_unit_kernel();

/// Tells a thread's matrix unit that its eight registers are squares of 16 x 16 pairs; and that it is no longer needed.
void begin_squares();
void end_squares();
#endif

}  // namespace octet
