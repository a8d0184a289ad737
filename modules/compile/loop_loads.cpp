module octet.compile;
import octet.base;
import octet.graph;
import octet.standard;
import :cpu;
import :isa_dispatch;
import :loop;
import :loop_loads;

namespace octet {

namespace {

/// `n` elements, one every `stride`, side by side.
template <class T>
struct Gathered {
  [[gnu::always_inline]] static void run(void* to, const void* from, std::int64_t stride, std::int64_t n) {
    T* __restrict const target = static_cast<T*>(to);
    const T* __restrict const source = static_cast<const T*>(from);
    if (stride == 0)
      for (std::int64_t i = 0; i < n; ++i) target[i] = source[0];
    else
      for (std::int64_t i = 0; i < n; ++i) target[i] = source[i * stride];
  }
};

template <class T>
struct Counted {
  [[gnu::always_inline]] static void run(void* to, std::int64_t first, std::int64_t step, std::int64_t n) {
    T* const target = static_cast<T*>(to);
    if (first + n <= std::numeric_limits<std::int32_t>::max()) {  // of which vectors hold most
      const auto from = static_cast<std::int32_t>(first), by = static_cast<std::int32_t>(step);
      for (std::int32_t i = 0; i < static_cast<std::int32_t>(n); ++i) target[i] = convert_element<T>(from + i * by);
    } else {
      for (std::int64_t i = 0; i < n; ++i) target[i] = convert_element<T>(first + i * step);
    }
  }
};

template <class T>
LoopLoad::Gather gather_of(Isa isa) {
  return dispatched<Gathered<T>, void*, const void*, std::int64_t, std::int64_t>(isa);
}

LoopLoad::Gather gather_of(std::size_t size, Isa isa) {
  switch (size) {
    case 1:
      return gather_of<std::uint8_t>(isa);
    case 2:
      return gather_of<std::uint16_t>(isa);
    case 4:
      return gather_of<std::uint32_t>(isa);
    default:
      return gather_of<std::uint64_t>(isa);
  }
}

/// Of columns that begin every `stride`, the first `rows` elements of each become rows of `columns`. Squares are turned
/// where nothing else competes for a line of the cache: columns a power of two apart all do.
template <class T>
void turn(std::byte* to, const std::byte* from, std::int64_t stride, std::int64_t rows, std::int64_t columns) {
  constexpr std::int64_t side = 16;
  T* const target = reinterpret_cast<T*>(to);
  const T* const source = reinterpret_cast<const T*>(from);
  for (std::int64_t r = 0; r < rows; r += side)
    for (std::int64_t c = 0; c < columns; c += side) {
      const std::int64_t high = std::min(side, rows - r), wide = std::min(side, columns - c);
      T square[side][side];
      for (std::int64_t i = 0; i < wide; ++i)
        std::memcpy(square[i], source + r + (c + i) * stride, static_cast<std::size_t>(high) * sizeof(T));
      for (std::int64_t i = 0; i < high; ++i)
        for (std::int64_t j = 0; j < wide; ++j) target[(r + i) * columns + c + j] = square[j][i];
    }
}

/// Whether every block begins at a multiple of `period`.
bool begins_blocks(const LoopProgram& program, std::int64_t period) {
  const auto divides = [period](std::int64_t n) { return n % period == 0; };
  if (program.reduce == LoopProgram::Reduce::none) return divides(loop_block);
  // Of what is reduced whole where a block holds it, else of its rows.
  const std::int64_t whole = program.reduced * program.columns;
  const std::int64_t length =
      whole <= loop_block || program.reduce == LoopProgram::Reduce::rows ? whole : program.columns;
  return divides(length) && (length <= loop_block || divides(loop_block));
}

}  // namespace

CountFunction count_function(DType dtype, Isa isa) {
  return visit_dtype(dtype, [&]<class T>(std::type_identity<T>) {
    return dispatched<Counted<T>, void*, std::int64_t, std::int64_t, std::int64_t>(isa);
  });
}

/// Merges neighbouring dimensions of the space that every load and counter crosses evenly. The order of elements stays.
void collapse(LoopProgram& program) {
  Shape& space = program.space;
  Dims extents;
  std::vector<Dims> strides(program.loads.size());
  std::vector<std::int64_t> new_dimension(static_cast<std::size_t>(space.rank()), 0);
  const auto counted = [&](std::int64_t d) {
    return std::any_of(program.counters.begin(), program.counters.end(),
                       [d](const auto& c) { return c.dimension == d; });
  };
  bool previous_counted = false;
  for (std::int64_t d = 0; d < space.rank(); ++d) {
    const auto at = static_cast<std::size_t>(d);
    if (space[d] == 1 && !counted(d)) continue;
    bool joins = !extents.empty() && !previous_counted && !counted(d);
    for (std::size_t l = 0; joins && l < strides.size(); ++l)
      joins = strides[l].back() == program.loads[l].strides[at] * space[d];
    if (joins) {
      extents.back() *= space[d];
      for (std::size_t l = 0; l < strides.size(); ++l) strides[l].back() = program.loads[l].strides[at];
    } else {
      extents.push_back(space[d]);
      for (std::size_t l = 0; l < strides.size(); ++l) strides[l].push_back(program.loads[l].strides[at]);
    }
    new_dimension[at] = static_cast<std::int64_t>(extents.size()) - 1;
    previous_counted = counted(d);
  }
  space = Shape{extents};
  for (std::size_t l = 0; l < strides.size(); ++l) program.loads[l].strides = std::move(strides[l]);
  for (auto& counter : program.counters) counter.dimension = new_dimension[static_cast<std::size_t>(counter.dimension)];
}

LoopLoad::LoopLoad(const LoopProgram& program, const LoopProgram::Load& load, Isa isa)
    : load_{load},
      space_{program.space},
      size_{static_cast<std::int64_t>(size_of(load.dtype))},
      period_{period()},
      turned_{rows_to_turn(program)},
      way_{way(program)},
      gather_{gather_of(size_of(load.dtype), isa)} {}

std::int64_t LoopLoad::period() const {
  const Dims dense = space_.strides();
  std::int64_t period = 1;
  std::size_t d = dense.size();
  for (; d > 0 && load_.strides[d - 1] == dense[d - 1]; --d) period *= space_[static_cast<std::int64_t>(d) - 1];
  for (; d > 0; --d)
    if (load_.strides[d - 1] != 0) return 0;
  return period;
}

/// As many as share a line of the cache, and of short rows more. That is at most 2 MB of them for each thread: by
/// trial, to turn 16 rows of 30,522 takes a sixth of the time that it takes to gather each.
std::int64_t LoopLoad::rows_to_turn(const LoopProgram& program) const {
  const bool in_order = program.reduce != LoopProgram::Reduce::columns || program.columns <= loop_block;
  if (space_.rank() < 2 || load_.strides.end()[-2] != 1 || load_.strides.back() == 0 || !in_order) return 0;
  const std::int64_t line = 64 / size_, columns = space_[-1];
  if (columns < 2 || columns > 32768 || space_[-2] < line / 2) return 0;
  return (std::max<std::int64_t>(1, 4096 / (line * columns))) * line;
}

LoopLoad::Way LoopLoad::way(const LoopProgram& program) const {
  if (turned_ > 0) return Way::turned;
  if (std::all_of(load_.strides.begin(), load_.strides.end(), [](std::int64_t stride) { return stride == 0; }))
    return Way::splat;
  if (period_ == 0)
    return space_.rank() == 2 && load_.strides[1] == 0 && space_[1] > loop_block ? Way::spread : Way::strided;
  if (period_ == space_.elements() && load_.offset == 0) return Way::direct;
  return period_ <= loop_block && begins_blocks(program, period_) ? Way::periodic : Way::wrapped;
}

void LoopLoad::fill(std::byte* place, const std::byte* const* inputs) const {
  const std::byte* const from = inputs[load_.input] + load_.offset * size_;
  const std::int64_t block = std::min(loop_block, space_.elements());
  if (way_ == Way::splat) return gather_(place, from, 0, block);
  for (std::int64_t at = 0; at < block; at += period_)
    std::memcpy(place + at * size_, from, static_cast<std::size_t>(std::min(period_, block - at) * size_));
}

std::byte* LoopLoad::read(std::byte* place, const std::byte* const* inputs, std::int64_t start, std::int64_t n,
                          Held& held) const {
  const std::byte* const from = inputs[load_.input] + load_.offset * size_;
  if (way_ == Way::spread) {
    read_spread(place, from, start, n, held);
    return place;
  }
  if (way_ == Way::turned) return read_turned(place, from, start, n, held);
  if (way_ == Way::wrapped) return read_wrapped(place, from, start, n);
  if (way_ == Way::strided) {
    read_strided(place, from, start, n);
    return place;
  }
  return const_cast<std::byte*>(from) + start * size_;
}

void LoopLoad::read_spread(std::byte* place, const std::byte* from, std::int64_t start, std::int64_t n,
                           Held& held) const {
  const std::int64_t columns = space_[1], row = start / columns;
  if ((start + n - 1) / columns != row) {
    held.row = -1;
    return read_strided(place, from, start, n);
  }
  if (held.row == row) return;
  held.row = row;
  gather_(place, from + row * load_.strides[0] * size_, 0, loop_block);
}

std::byte* LoopLoad::read_wrapped(std::byte* place, const std::byte* from, std::int64_t start, std::int64_t n) const {
  const std::int64_t at = start % period_;
  if (at + n <= period_) return const_cast<std::byte*>(from) + at * size_;
  for (std::int64_t done = 0, offset = at; done < n; offset = 0) {
    const std::int64_t run = std::min(n - done, period_ - offset);
    std::memcpy(place + done * size_, from + offset * size_, static_cast<std::size_t>(run * size_));
    done += run;
  }
  return place;
}

std::byte* LoopLoad::read_turned(std::byte* place, const std::byte* from, std::int64_t start, std::int64_t n,
                                 Held& held) const {
  const std::int64_t rows = space_[-2], columns = space_[-1];
  std::byte* const all = place + loop_block * size_;
  for (std::int64_t done = 0; done < n;) {
    const std::int64_t at = start + done, row = at / columns, first = row - row % rows % turned_;
    const std::int64_t count = std::min(turned_, rows - first % rows);
    if (held.row != first) {
      held.row = first;
      const std::byte* const of_first = from + LoopWalk{space_, first * columns}.offset(load_.strides) * size_;
      const auto turn_rows = size_ == 1   ? turn<std::uint8_t>
                             : size_ == 2 ? turn<std::uint16_t>
                             : size_ == 4 ? turn<std::uint32_t>
                                          : turn<std::uint64_t>;
      turn_rows(all, of_first, load_.strides.back(), count, columns);
    }
    const std::int64_t run = std::min(n - done, (first + count) * columns - at);
    std::byte* const found = all + (at - first * columns) * size_;
    if (run == n) return found;
    std::memcpy(place + done * size_, found, static_cast<std::size_t>(run * size_));
    done += run;
  }
  return place;
}

void LoopLoad::read_strided(std::byte* to, const std::byte* from, std::int64_t start, std::int64_t n) const {
  const Dims& strides = load_.strides;
  if (space_.rank() == 2) {  // the usual case, without a walk
    const std::int64_t columns = space_[1];
    std::int64_t row = start / columns, column = start % columns;
    for (std::int64_t done = 0; done < n; ++row, column = 0) {
      const std::int64_t run = std::min(n - done, columns - column);
      gather_(to + done * size_, from + (row * strides[0] + column * strides[1]) * size_, strides[1], run);
      done += run;
    }
    return;
  }
  LoopWalk walk{space_, start};
  for (std::int64_t done = 0; done < n;) {
    const std::int64_t run = walk.run(n - done);
    gather_(to + done * size_, from + walk.offset(strides) * size_, strides.back(), run);
    walk.advance(run);
    done += run;
  }
}

}  // namespace octet
