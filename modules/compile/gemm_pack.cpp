/// Packing an operand's panels, written once over the vector width and instantiated inside one function for each
/// instruction set, which lends it its registers.
module octet.compile;

import octet.base;
import octet.graph;
import octet.standard;
import :cpu;
import :gemm_batch;
import :gemm_tile;
import :simd;

#include "load_first.hpp"

namespace octet {
namespace {

using simd::Vector;

template <OperandNumbers numbers>
using Number = std::conditional_t<numbers == OperandNumbers::bf16, bfloat16, float>;

template <int width, OperandNumbers numbers>
[[gnu::always_inline]] inline void read(Vector<width>& value, const Number<numbers>* from) {
  simd::load<width>(value, from);
  if constexpr (numbers == OperandNumbers::f32_rounded) simd::round_to_bfloat16<width>(value);
}

/// What becomes of a NaN where numbers are rounded. `kept`: each number is asked whether it is one. `noticed`: it may
/// become any number, and the sum of all that was read tells that there was one, so that everything is packed again;
/// that takes two thirds of the instructions.
enum class Nans { kept, noticed };

/// Whole vectors as `read` gives them, by way of sums where NaNs are noticed.
template <int width, OperandNumbers numbers, Nans nans>
class Reader {
 public:
  /// `chain`: the one that this vector is added to. Neighbours go to different ones, and need not wait for each other.
  [[gnu::always_inline]] void load(Vector<width>& value, const Number<numbers>* from, int chain) {
    if constexpr (nans == Nans::noticed) {
      simd::load<width>(value, from);
      sums_[chain % 2] += value;
      simd::round_number_to_bfloat16<width>(value);
    } else {
      read<width, numbers>(value, from);
    }
  }
  /// Never if there was a NaN; nor where infinities of both signs were added.
  [[gnu::always_inline]] bool surely_no_nan() const {
    const Vector<width> sum = sums_[0] + sums_[1];
    return __builtin_reduce_or(sum != sum) == 0;
  }

 private:
  static_assert(numbers == OperandNumbers::f32_rounded || nans == Nans::kept);
  Vector<width> sums_[2]{};
};

/// Where lanes lie side by side: the first `count` < width of them, by halves, quarters, ..., single ones.
template <int width, OperandNumbers numbers>
[[gnu::always_inline]] inline void copy_lanes(const Number<numbers>* from, float* to, std::int64_t count) {
  if constexpr (width >= 1) {
    if (count >= width) {
      Vector<width> lanes;
      read<width, numbers>(lanes, from);
      simd::store<width>(to, lanes);
      from += width, to += width, count -= width;
    }
    copy_lanes<width / 2, numbers>(from, to, count);
  }
}

/// One of several panels.
template <OperandNumbers numbers>
struct Panel {
  const Number<numbers>* source;
  float* target;
  std::int64_t lanes, padded_lanes, readable;
};
template <int width, OperandNumbers numbers>
[[gnu::always_inline]] inline Panel<numbers> panel_of(const Panels& panels, std::int64_t index) {
  const std::int64_t begin = panels.lanes.begin(index), lanes = panels.lanes.begin(index + 1) - begin;
  return {static_cast<const Number<numbers>*>(panels.source) + begin * panels.lane_stride,
          panels.target + index * panels.panel_pitch, lanes, rounded_up(lanes, width), panels.readable - begin};
}

/// Any strides, one number at a time, for p in [first, depth).
template <OperandNumbers numbers>
[[gnu::always_inline]] inline void pack_numbers(const Panels& panels, const Panel<numbers> panel, std::int64_t first) {
  for (std::int64_t p = first; p < panels.depth; ++p)
    for (std::int64_t lane = 0; lane < panel.padded_lanes; ++lane) {
      Vector<1> number{};
      if (lane < panel.lanes)
        read<1, numbers>(number, panel.source + lane * panels.lane_stride + p * panels.depth_stride);
      simd::store<1>(panel.target + p * panel.padded_lanes + lane, number);
    }
}

/// Lanes side by side in memory, whole vectors of them, for p in [first, last).
template <int width, int vectors, OperandNumbers numbers, Nans nans>
[[gnu::always_inline]] inline void copy_vectors(const Panels& panels, const Panel<numbers>& panel, std::int64_t first,
                                                std::int64_t last, Reader<width, numbers, nans>& reader) {
  const std::int64_t stride = panels.depth_stride;
  const auto* from = panel.source + first * stride;
  float* to = panel.target + first * vectors * width;
  for (std::int64_t p = first; p < last; ++p, from += stride, to += vectors * width)
#pragma clang loop unroll(full)
    for (int v = 0; v < vectors; ++v) {
      Vector<width> lanes;
      __builtin_prefetch(from + rows_together * stride + v * width);
      reader.load(lanes, from + v * width, v);
      simd::store<width>(to + v * width, lanes);
    }
}

/// The same where the operand ends within a vector.
template <int width, OperandNumbers numbers>
[[gnu::always_inline]] inline void copy_ragged(const Panels& panels, const Panel<numbers>& panel, std::int64_t first,
                                               std::int64_t last) {
  for (std::int64_t p = first; p < last; ++p) {
    const auto* const from = panel.source + p * panels.depth_stride;
    float* const to = panel.target + p * panel.padded_lanes;
    std::int64_t lane = 0;
    for (; lane + width <= panel.lanes; lane += width) copy_lanes<width, numbers>(from + lane, to + lane, width);
    if constexpr (loads_first<width, numbers>) {
      if (lane == panel.lanes) continue;
      Vector<width> lanes;
      load_first(lanes, from + lane, panel.lanes - lane);
      if constexpr (numbers == OperandNumbers::f32_rounded) simd::round_to_bfloat16<width>(lanes);
      simd::store<width>(to + lane, lanes);
    } else {
      for (std::int64_t padding = lane; padding < panel.padded_lanes; padding += width)
        simd::store<width>(to + padding, Vector<width>{});
      copy_lanes<width / 2, numbers>(from + lane, to + lane, panel.lanes - lane);
    }
  }
}

/// The instance for the panel's number of vectors.
template <int width, int vectors, OperandNumbers numbers, Nans nans>
[[gnu::always_inline]] inline void choose_copy(const Panels& panels, const Panel<numbers>& panel, std::int64_t first,
                                               std::int64_t last, Reader<width, numbers, nans>& reader) {
  if constexpr (vectors > 0) {
    if (panel.padded_lanes == vectors * width)
      copy_vectors<width, vectors>(panels, panel, first, last, reader);
    else
      choose_copy<width, vectors - 1>(panels, panel, first, last, reader);
  }
}

/// Two panels of at most `width` lanes, of which the first has `lanes`: twice as wide vectors are read, and halved.
template <int width, int lanes, OperandNumbers numbers, int... lane>
[[gnu::always_inline]] inline void copy_two(const Panels& panels, const Panel<numbers>& panel, std::int64_t first,
                                            std::int64_t last, std::integer_sequence<int, lane...>) {
  const auto* from = panel.source + first * panels.depth_stride;
  float* to = panel.target + first * width;
  for (std::int64_t p = first; p < last; ++p, from += panels.depth_stride, to += width) {
    Vector<2 * width> both;
    __builtin_prefetch(from + rows_together * panels.depth_stride);
    read<2 * width, numbers>(both, from);
    simd::store<width>(to, __builtin_shufflevector(both, both, lane...));
    simd::store<width>(to + panels.panel_pitch, __builtin_shufflevector(both, both, lanes + lane...));
  }
}

/// Whether that was done: for panels of 6 and of 7 lanes, such as AVX-512 has of bf16.
template <int width, OperandNumbers numbers>
[[gnu::always_inline]] inline bool copies_two(const Panels& panels, const Panel<numbers>& panel, std::int64_t first,
                                              std::int64_t last) {
  constexpr auto each = std::make_integer_sequence<int, width>{};
  if (panel.readable < 2 * width) return false;
  if (panel.lanes == 7) return copy_two<width, 7, numbers>(panels, panel, first, last, each), true;
  if (panel.lanes == 6) return copy_two<width, 6, numbers>(panels, panel, first, last, each), true;
  return false;
}

/// Lanes side by side in memory. Some values of p are taken through all panels before the next ones, so that the
/// operand is read along its rows: a panel alone is a narrow strip of them, far apart. (In WebAssembly all values are,
/// see rows_together.)
template <int width, bool halves, OperandNumbers numbers, Nans nans>
[[gnu::always_inline]] inline void pack_adjacent(const Panels& panels, Reader<width, numbers, nans>& reader) {
  for (std::int64_t first = 0; first < panels.depth; first += rows_together) {
    const std::int64_t last = std::min(first + rows_together, panels.depth);
    for (std::int64_t c = 0; c < panels.lanes.parts; ++c) {
      const auto panel = panel_of<width, numbers>(panels, c);
      if constexpr (halves)
        if (c + 1 < panels.lanes.parts && copies_two<width, numbers>(panels, panel, first, last)) {
          ++c;
          continue;
        }
      if (panel.padded_lanes <= panel.readable)
        choose_copy<width, 2>(panels, panel, first, last, reader);
      else
        copy_ragged<width, numbers>(panels, panel, first, last);
    }
  }
}

/// Values of p side by side in memory, and to stay so.
template <int width, OperandNumbers numbers, Nans nans>
[[gnu::always_inline]] inline void pack_lanes(const Panels& panels, const Panel<numbers> panel,
                                              Reader<width, numbers, nans>& reader) {
  for (std::int64_t lane = 0; lane < panel.lanes; ++lane) {
    const auto* const from = panel.source + lane * panels.lane_stride;
    float* const to = panel.target + lane * panels.lane_pitch;
    std::int64_t p = 0;
    for (; p + Lines::floats <= panels.depth; p += Lines::floats) {
      __builtin_prefetch(from + prefetch_lanes * panels.lane_stride + p);
#pragma clang loop unroll(full)
      for (std::int64_t at = 0; at < Lines::floats; at += width) {
        Vector<width> values;
        reader.load(values, from + p + at, static_cast<int>(at / width));
        simd::store<width>(to + p + at, values);
      }
    }
    for (; p + width <= panels.depth; p += width) {
      Vector<width> values;
      reader.load(values, from + p, 0);
      simd::store<width>(to + p, values);
    }
    copy_lanes<width / 2, numbers>(from + p, to + p, panels.depth - p);
  }
}

/// A square of width x width, of which there are `lanes` or, if it is `whole`, all; the others are zeros.
template <bool whole, int width, OperandNumbers numbers, Nans nans>
[[gnu::always_inline]] inline void turn_square(const Number<numbers>* from, std::int64_t stride, std::int64_t lanes,
                                               float* to, std::int64_t pitch, Reader<width, numbers, nans>& reader) {
  Vector<width> square[width];
#pragma clang loop unroll(full)
  for (int i = 0; i < width; ++i) {
    square[i] = Vector<width>{};
    __builtin_prefetch(from + i * stride + 2 * width);
    if (whole || i < lanes) reader.load(square[i], from + i * stride, i);
  }
  simd::transpose<width>(square);
#pragma clang loop unroll(full)
  for (int i = 0; i < width; ++i) simd::store<width>(to + i * pitch, square[i]);
}

/// Values of p side by side in memory: squares of width x width are turned over in registers. Panels of two whole
/// vectors have a loop without branches: most are.
template <int width, OperandNumbers numbers, Nans nans>
[[gnu::always_inline]] inline void pack_transposed(const Panels& panels, const Panel<numbers> panel,
                                                   Reader<width, numbers, nans>& reader) {
  const std::int64_t stride = panels.lane_stride, pitch = panel.padded_lanes, whole = panels.depth / width * width;
  const auto turn = [&](auto all, std::int64_t p, std::int64_t lane) __attribute__((always_inline)) {
    turn_square<all>(panel.source + lane * stride + p, stride, panel.lanes - lane, panel.target + p * pitch + lane,
                     pitch, reader);
  };
  const std::true_type all;
  const std::false_type some;
  if (panel.lanes == 2 * width) {
    for (std::int64_t p = 0; p < whole; p += width) {
      turn(all, p, 0);
      turn(all, p, width);
    }
  } else {
    for (std::int64_t p = 0; p < whole; p += width)
      for (std::int64_t lane = 0; lane < pitch; lane += width)
        if (lane + width <= panel.lanes)
          turn(all, p, lane);
        else
          turn(some, p, lane);
  }
  pack_numbers<numbers>(panels, panel, whole);
}

/// Whether there surely was no NaN, where they are noticed.
template <int width, bool halves, OperandNumbers numbers, Nans nans>
[[gnu::always_inline]] inline bool pack_all(const Panels& panels) {
  Reader<width, numbers, nans> reader;
  if (panels.order == PanelOrder::by_depth && panels.lane_stride == 1) {
    pack_adjacent<width, halves>(panels, reader);
    return reader.surely_no_nan();
  }
  for (std::int64_t c = 0; c < panels.lanes.parts; ++c) {
    const auto panel = panel_of<width, numbers>(panels, c);
    if (panels.order == PanelOrder::by_lane)
      pack_lanes(panels, panel, reader);
    else if (panels.depth_stride == 1)
      pack_transposed(panels, panel, reader);
    else
      pack_numbers<numbers>(panels, panel, 0);
  }
  return reader.surely_no_nan();
}

/// `halves`: of vectors twice as wide.
template <int width, bool halves = false>
[[gnu::always_inline]] inline void pack(const Panels& panels) {
  if constexpr (width == 16)
    if (panels.order == PanelOrder::by_depth && panels.lane_unit < width) return pack<width / 2, true>(panels);
  switch (panels.numbers) {
    case OperandNumbers::f32:
      pack_all<width, halves, OperandNumbers::f32, Nans::kept>(panels);
      break;
    case OperandNumbers::f32_rounded:
      if (!pack_all<width, halves, OperandNumbers::f32_rounded, Nans::noticed>(panels))
        pack_all<width, halves, OperandNumbers::f32_rounded, Nans::kept>(panels);
      break;
    case OperandNumbers::bf16:
      pack_all<width, halves, OperandNumbers::bf16, Nans::kept>(panels);
      break;
  }
}

void pack_baseline(const Panels& panels) { pack<simd::baseline_width>(panels); }
#if defined(__x86_64__)
[[gnu::target("avx2,fma")]] void pack_avx2(const Panels& panels) { pack<8>(panels); }
[[gnu::target("avx512f,avx512dq,avx512vl,avx512bw,fma")]] void pack_avx512(const Panels& panels) { pack<16>(panels); }
#endif

}  // namespace

Pack& pack_of([[maybe_unused]] Isa isa, [[maybe_unused]] PanelForm form) {
#if defined(__x86_64__)
  if (form == PanelForm::pairs) return pack_pairs_for_vectors;
  if (isa >= Isa::avx512) return pack_avx512;
  if (isa == Isa::avx2) return pack_avx2;
#endif
  return pack_baseline;
}

}  // namespace octet
