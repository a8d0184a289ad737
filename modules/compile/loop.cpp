module octet.compile;
import octet.base;
import octet.graph;
import octet.standard;
import :kernel;
import :loop;
import :loop_loads;
import :loop_pairs;
import :loop_registers;
import :simd;

namespace octet {

namespace {

constexpr std::size_t aligned(std::size_t bytes) { return (bytes + 63) / 64 * 64; }

/// A result of so many bytes stays in no cache until it is read. Writing it past the caches spares reading, before it
/// is overwritten, what was there. By trial: a sixth to a quarter of such a loop's time; 16 MB still gain nothing.
constexpr std::int64_t far_bytes = 24 << 20;

void write_far(std::byte* to, const std::byte* from, std::size_t bytes) {
  using Line [[gnu::vector_size(16)]] = float;
  const std::size_t whole = reinterpret_cast<std::uintptr_t>(to) % sizeof(Line) == 0 ? bytes / sizeof(Line) : 0;
  for (std::size_t i = 0; i < whole; ++i) {
    Line line;
    std::memcpy(&line, from + i * sizeof line, sizeof line);
    __builtin_nontemporal_store(line, reinterpret_cast<Line*>(to) + i);
  }
  std::memcpy(to + whole * sizeof(Line), from + whole * sizeof(Line), bytes - whole * sizeof(Line));
}

class LoopKernel final : public Kernel {
 public:
  LoopKernel(LoopProgram&& program, Isa isa) : program_{std::move(program)} { prepare(isa); }

  void run(const KernelContext& context) const override {
    if (program_.reduce == LoopProgram::Reduce::columns) return run_columns(context);
    const std::int64_t row = program_.reduce == LoopProgram::Reduce::rows ? program_.reduced : 1;
    if (row == 0 || (elements_ == 0 && program_.reduce == LoopProgram::Reduce::none)) {
      if (program_.reduce == LoopProgram::Reduce::rows) write_neutral(context);
      return;
    }
    const std::int64_t rows = elements_ / row;
    const auto tasks = static_cast<std::int64_t>(
        std::min<std::int64_t>(context.threads.count(), std::max<std::int64_t>(1, elements_ / 8192)));
    context.threads.for_each(static_cast<std::size_t>(tasks), [&](std::size_t task) {
      const auto t = static_cast<std::int64_t>(task);
      // Whole blocks to each, where there are no rows to keep together.
      const auto bound = [&](std::int64_t i) {
        return i == tasks ? rows : row == 1 ? rows * i / tasks / loop_block * loop_block : rows * i / tasks;
      };
      Frame frame{*this, context, task};
      run_rows(context, frame, bound(t), bound(t + 1));
      frame.publish();
    });
  }

  std::size_t scratch(unsigned threads) const override { return frame_bytes_ * threads; }

  /// Element by element, so only where both have elements of one size: a buffer of as many bytes may be read in part.
  bool may_overwrite(std::size_t input, std::size_t output) const override {
    std::size_t stored = 0;  // bytes of an element
    for (const auto& store : program_.stores)
      if (store.output == output && program_.space.elements() > 0)
        stored = size_of(registers_.dtype[static_cast<std::size_t>(store.source)]);
    bool loaded = false;
    for (std::size_t l = 0; l < program_.loads.size(); ++l)
      if (program_.loads[l].input == input) {
        if (!loads_[l].is_direct() || size_of(program_.loads[l].dtype) != stored) return false;
        loaded = true;
      }
    return stored > 0 && loaded && program_.reduce != LoopProgram::Reduce::columns;
  }

  double operations() const override { return operations_; }

  /// As the program was written, before steps were joined.
  std::string describe() const override {
    std::string text = "loop of " + std::to_string(elements_);
    const char* separator = ": ";
    for (const Op op : written_) {
      text += separator + std::string{name(op)};
      separator = ", ";
    }
    const std::string reduces = program_.reduce == LoopProgram::Reduce::rows ? "reduce rows of " : "reduce columns of ";
    for (std::size_t k = 0; k < program_.reductions.size(); ++k) {
      text += separator + reduces + std::to_string(program_.reduced);
      separator = ", ";
    }
    return written_.empty() && program_.reductions.empty() ? text + ": copy" : text;
  }

 private:
  /// Apart from what moves the program here: a browser compiles anew, whole, what is called as often as loops are made.
  [[gnu::noinline]] void prepare(Isa isa) {
    collapse(program_);
    elements_ = program_.space.elements();
    for (const auto& step : program_.steps) written_.push_back(step.op);
    operations_ = static_cast<double>(elements_) * static_cast<double>(written_.size() + program_.reductions.size());
    pair_steps(program_, isa);
    for (const auto& load : program_.loads) loads_.emplace_back(program_, load, isa);
    for (const auto& counter : program_.counters) counts_.push_back(count_function(counter.dtype, isa));
    for (const auto& reduction : program_.reductions)
      functions_.push_back(&reduce_functions(reduction.reducer, reduction.dtype, isa));
    registers_ = place_registers(program_, loads_);
    place_partials();
  }

  /// What a task walks through from end to end: an operand read in place, or a result.
  struct Stream {
    const std::byte* begin;
    std::int64_t size;  ///< bytes of an element

    /// Asks for elements [first, last), in vain where they lie beyond the end.
    void fetch(std::int64_t first, std::int64_t last) const {
      constexpr std::int64_t line = 64;
      for (std::int64_t at = first * size; at < last * size; at += line) __builtin_prefetch(begin + at);
    }
  };

  /// Where the registers are during one task: in scratch memory, or in place.
  struct Frame {
    Frame(const LoopKernel& kernel, const KernelContext& context, std::size_t task)
        : memory{context.scratch + task * kernel.frame_bytes_},
          registers(static_cast<std::size_t>(kernel.program_.registers)),
          held(kernel.loads_.size()) {
      for (std::size_t r = 0; r < registers.size(); ++r) registers[r] = memory + kernel.registers_.places[r];
      for (const LoopLoad& load : kernel.loads_)
        if (load.is_permanent()) load.fill(registers[load.target()], context.inputs);
      // A result is computed where it belongs, unless that place is an operand which is still to be read.
      for (std::size_t s = 0; s < kernel.program_.stores.size(); ++s) {
        const auto& store = kernel.program_.stores[s];
        const int at = kernel.registers_.defined_at[static_cast<std::size_t>(store.source)];
        const auto reads = [&](const auto& load) {
          return context.inputs[load.input] == context.outputs[store.output];
        };
        far_store.push_back(simd::can_prefetch &&
                            kernel.elements_ * static_cast<std::int64_t>(size_of(
                                                   kernel.registers_.dtype[static_cast<std::size_t>(store.source)])) >=
                                far_bytes &&
                            std::none_of(kernel.program_.loads.begin(), kernel.program_.loads.end(), reads));
        bool direct = !far_store.back() && at >= 0 &&
                      std::none_of(kernel.program_.stores.begin(),
                                   kernel.program_.stores.begin() + static_cast<std::ptrdiff_t>(s),
                                   [&](const auto& other) { return other.source == store.source; });
        for (std::size_t l = 0; direct && l < kernel.program_.loads.size(); ++l)
          direct = context.inputs[kernel.program_.loads[l].input] != context.outputs[store.output] ||
                   kernel.registers_.last_use[static_cast<std::size_t>(kernel.program_.loads[l].target)] <= at;
        direct_store.push_back(direct);
      }
      if constexpr (simd::can_prefetch) find_streams(kernel, context);
    }
    void find_streams(const LoopKernel& kernel, const KernelContext& context) {
      for (std::size_t l = 0; l < kernel.loads_.size(); ++l)
        if (kernel.loads_[l].is_direct())
          streams.push_back({context.inputs[kernel.program_.loads[l].input],
                             static_cast<std::int64_t>(size_of(kernel.program_.loads[l].dtype))});
      for (std::size_t s = 0; s < kernel.program_.stores.size(); ++s) {
        const auto& store = kernel.program_.stores[s];
        const std::byte* const to = context.outputs[store.output];
        if (far_store[s]) continue;
        if (std::none_of(streams.begin(), streams.end(), [to](const Stream& stream) { return stream.begin == to; }))
          streams.push_back({to, static_cast<std::int64_t>(
                                     size_of(kernel.registers_.dtype[static_cast<std::size_t>(store.source)]))});
      }
    }
    /// Lets other threads see what was written past the caches: such writes are not in order with any others.
    void publish() const {
      if (std::find(far_store.begin(), far_store.end(), true) != far_store.end())
        std::atomic_thread_fence(std::memory_order_seq_cst);
    }

    std::byte* memory;
    std::vector<std::byte*> registers;
    std::vector<bool> direct_store;    ///< computed where it belongs
    std::vector<bool> far_store;       ///< written past the caches
    std::vector<Stream> streams;       ///< none where nothing can be asked for
    std::vector<LoopLoad::Held> held;  ///< of each load
  };

  /// Behind the registers, the partial results of each reduction.
  void place_partials() {
    std::size_t top = registers_.bytes;
    for (const auto* function : functions_) {
      partial_places_.push_back(top);
      top += aligned(function->partial_size * reduce_partials *
                     (program_.reduce == LoopProgram::Reduce::columns ? static_cast<std::size_t>(column_block()) : 1));
    }
    frame_bytes_ = aligned(top) + 64;
  }

  void read(const KernelContext& context, Frame& frame, std::int64_t start, std::int64_t n) const {
    for (std::size_t l = 0; l < loads_.size(); ++l) {
      const LoopLoad& load = loads_[l];
      if (!load.is_permanent())
        frame.registers[load.target()] =
            load.read(frame.memory + registers_.places[load.target()], context.inputs, start, n, frame.held[l]);
    }
    for (std::size_t c = 0; c < program_.counters.size(); ++c) {
      const auto& counter = program_.counters[c];
      LoopWalk walk{program_.space, start};
      std::byte* to = frame.registers[static_cast<std::size_t>(counter.target)];
      const std::int64_t step = counter.dimension == program_.space.rank() - 1 ? 1 : 0;
      for (std::int64_t done = 0; done < n;) {
        const std::int64_t run = walk.run(n - done);
        counts_[c](to, walk[counter.dimension], step, run);
        walk.advance(run);
        done += run;
        to += run * static_cast<std::int64_t>(size_of(counter.dtype));
      }
    }
  }

  /// Elements [start, start + n). Those from `next` on come after them, and are fetched meanwhile.
  void compute(const KernelContext& context, Frame& frame, std::int64_t start, std::int64_t n,
               std::int64_t next) const {
    read(context, frame, start, n);
    for (std::size_t s = 0; s < program_.stores.size(); ++s)
      if (frame.direct_store[s]) {
        const auto& store = program_.stores[s];
        frame.registers[static_cast<std::size_t>(store.source)] =
            context.outputs[store.output] +
            start * static_cast<std::int64_t>(size_of(registers_.dtype[static_cast<std::size_t>(store.source)]));
      }
    const auto at = [&](int r) -> void* { return r < 0 ? nullptr : frame.registers[static_cast<std::size_t>(r)]; };
    // A part of the next block is fetched with each step: memory is idle then.
    const auto steps = static_cast<std::int64_t>(program_.steps.size());
    const std::int64_t part = (n + steps - 1) / std::max<std::int64_t>(steps, 1);
    for (std::int64_t s = 0; s < steps; ++s) {
      if constexpr (simd::can_prefetch)
        for (const Stream& stream : frame.streams) stream.fetch(next + s * part, next + (s + 1) * part);
      const auto& step = program_.steps[static_cast<std::size_t>(s)];
      step.function(at(step.target), at(step.operands[0]), at(step.operands[1]), at(step.operands[2]),
                    static_cast<std::size_t>(n));
    }
    for (std::size_t s = 0; s < program_.stores.size(); ++s) {
      const auto& store = program_.stores[s];
      const std::size_t size = size_of(registers_.dtype[static_cast<std::size_t>(store.source)]);
      std::byte* const to = context.outputs[store.output] + static_cast<std::size_t>(start) * size;
      const auto* const from = static_cast<const std::byte*>(at(store.source));
      if (frame.far_store[s])
        write_far(to, from, static_cast<std::size_t>(n) * size);
      else if (!frame.direct_store[s])
        std::memmove(to, from, static_cast<std::size_t>(n) * size);
    }
  }

  void run_rows(const KernelContext& context, Frame& frame, std::int64_t first, std::int64_t last) const {
    const bool reduces = program_.reduce == LoopProgram::Reduce::rows;
    const std::int64_t row = reduces ? program_.reduced : 1;
    if (!reduces) {
      for (std::int64_t at = first; at < last; at += loop_block)
        compute(context, frame, at, std::min(loop_block, last - at), at + loop_block);
      return;
    }
    if (row <= loop_block) {
      const std::int64_t rows_at_once = loop_block / row;
      for (std::int64_t at = first; at < last; at += rows_at_once) {
        const std::int64_t rows = std::min(rows_at_once, last - at);
        compute(context, frame, at * row, rows * row, (at + rows) * row);
        for (std::size_t k = 0; k < program_.reductions.size(); ++k)
          functions_[k]->rows(result_at(context, k, at), source_of(frame, k), static_cast<std::size_t>(rows),
                              static_cast<std::size_t>(row));
      }
      return;
    }
    for (std::int64_t r = first; r < last; ++r) {
      for (std::size_t k = 0; k < program_.reductions.size(); ++k) start_partials(frame, k);
      for (std::int64_t at = 0; at < row; at += loop_block) {  // a multiple of 16, so that lane i stays partial i
        const std::int64_t n = std::min(loop_block, row - at);
        compute(context, frame, r * row + at, n, r * row + at + n);
        for (std::size_t k = 0; k < program_.reductions.size(); ++k) take_row(frame, k, n);
      }
      for (std::size_t k = 0; k < program_.reductions.size(); ++k) finish_row(context, frame, k, r);
    }
  }

  /// Columns are cut into blocks. Where there are fewer blocks than threads, each block's rows are shared out by their
  /// partial result: row r belongs to partial r mod 16, so that a group of 16 / groups neighbouring ones adds up in the
  /// same order as all.
  void run_columns(const KernelContext& context) const {
    if (program_.reduced == 0 || elements_ == 0) return write_neutral(context);
    const std::int64_t columns = elements_ / program_.reduced;
    const std::int64_t blocks = (columns + column_block() - 1) / column_block();
    const auto threads = std::min<std::int64_t>(context.threads.count(), std::max<std::int64_t>(1, elements_ / 8192));
    std::int64_t groups = 1;
    while (groups < reduce_partials && blocks * groups * 2 <= threads) groups *= 2;
    const std::int64_t tasks = groups > 1 ? blocks * groups : std::min(threads, blocks);
    context.threads.for_each(static_cast<std::size_t>(tasks), [&](std::size_t task) {
      Frame frame{*this, context, task};
      const auto t = static_cast<std::int64_t>(task);
      if (groups > 1) {
        add_columns(context, frame, context.scratch + static_cast<std::size_t>(t / groups) * frame_bytes_, t / groups,
                    t % groups, groups);
      } else {
        for (std::int64_t b = blocks * t / tasks; b < blocks * (t + 1) / tasks; ++b) {
          add_columns(context, frame, frame.memory, b, 0, 1);
          finish_columns(context, frame.memory, b);
        }
      }
      frame.publish();
    });
    for (std::int64_t b = 0; groups > 1 && b < blocks; ++b)
      finish_columns(context, context.scratch + static_cast<std::size_t>(b) * frame_bytes_, b);
  }

  /// Adds up the rows of one group in one block of columns; the block's partial results are in `memory`.
  void add_columns(const KernelContext& context, Frame& frame, std::byte* memory, std::int64_t block,
                   std::int64_t group, std::int64_t groups) const {
    const std::int64_t columns = elements_ / program_.reduced, first = block * column_block();
    const std::int64_t n = std::min(column_block(), columns - first), partials = reduce_partials / groups;
    const auto partials_at = [&](std::size_t k, std::int64_t row) {
      return memory + partial_places_[k] +
             static_cast<std::size_t>(row % reduce_partials * column_block()) * functions_[k]->partial_size;
    };
    for (std::size_t k = 0; k < functions_.size(); ++k)
      functions_[k]->start(partials_at(k, group * partials), static_cast<std::size_t>(partials * column_block()));
    const auto add = [&](std::int64_t row, std::int64_t rows, std::int64_t from, std::int64_t count,
                         std::int64_t next) {
      compute(context, frame, row * columns + first + from, rows * count, next);
      for (std::size_t k = 0; k < functions_.size(); ++k)
        for (std::int64_t i = 0; i < rows; ++i)
          functions_[k]->column(
              partials_at(k, row + i) + static_cast<std::size_t>(from) * functions_[k]->partial_size,
              source_of(frame, k) + i * count * static_cast<std::int64_t>(size_of(program_.reductions[k].dtype)),
              static_cast<std::size_t>(count));
    };
    const auto add_row = [&](std::int64_t r, std::int64_t next_row) {
      for (std::int64_t from = 0; from < n; from += loop_block) {
        const std::int64_t count = std::min(loop_block, n - from);
        add(r, 1, from, count, (from + count < n ? r : next_row) * columns + first + (from + count) % n);
      }
    };
    const std::int64_t last = (group + 1) * partials;
    if (n > 1024) {
      // All rows of one partial result before those of the next: the nearest cache cannot hold more than one.
      for (std::int64_t partial = group * partials; partial < last; ++partial)
        for (std::int64_t r = partial; r < program_.reduced; r += reduce_partials) add_row(r, r + reduce_partials);
      return;
    }
    // Rows lie one after another where one block holds them whole: then several short ones are computed at once.
    const std::int64_t rows_at_once = columns <= loop_block ? loop_block / columns : 1;
    for (std::int64_t begin = group * partials; begin < program_.reduced; begin += reduce_partials) {
      const std::int64_t end = std::min(begin + partials, program_.reduced);
      for (std::int64_t r = begin; r < end; r += rows_at_once) {
        const std::int64_t rows = std::min(rows_at_once, end - r);
        if (columns <= loop_block)
          add(r, rows, 0, columns, (r + rows) * columns);
        else
          add_row(r, r + 1);
      }
    }
  }

  void finish_columns(const KernelContext& context, const std::byte* memory, std::int64_t block) const {
    const std::int64_t columns = elements_ / program_.reduced, first = block * column_block();
    for (std::size_t k = 0; k < functions_.size(); ++k)
      functions_[k]->finish(result_at(context, k, first), memory + partial_places_[k],
                            static_cast<std::size_t>(std::min(column_block(), columns - first)),
                            static_cast<std::size_t>(column_block()));
  }

  std::byte* result_at(const KernelContext& context, std::size_t k, std::int64_t index) const {
    const auto& reduction = program_.reductions[k];
    return context.outputs[reduction.output] + index * static_cast<std::int64_t>(size_of(reduction.dtype));
  }
  void start_partials(Frame& frame, std::size_t k) const {
    functions_[k]->start(frame.memory + partial_places_[k], reduce_partials);
  }
  const std::byte* source_of(const Frame& frame, std::size_t k) const {
    return frame.registers[static_cast<std::size_t>(program_.reductions[k].source)];
  }
  void take_row(Frame& frame, std::size_t k, std::int64_t n) const {
    functions_[k]->row(frame.memory + partial_places_[k], source_of(frame, k), static_cast<std::size_t>(n));
  }
  void finish_row(const KernelContext& context, Frame& frame, std::size_t k, std::int64_t row) const {
    functions_[k]->finish(result_at(context, k, row), frame.memory + partial_places_[k], 1, 1);
  }
  /// The results of a reduction of nothing.
  void write_neutral(const KernelContext& context) const {
    for (std::size_t k = 0; k < functions_.size(); ++k)
      for (std::int64_t i = 0; i < program_.results; ++i) {
        functions_[k]->start(context.scratch + partial_places_[k], reduce_partials);
        functions_[k]->finish(result_at(context, k, i), context.scratch + partial_places_[k], 1, 1);
      }
  }

  /// Columns whose partial results are kept at a time: at most 128 KB of f32.
  std::int64_t column_block() const { return std::clamp<std::int64_t>(program_.results, 1, 2048); }

  LoopProgram program_;
  std::int64_t elements_ = 0;
  double operations_ = 0;
  std::vector<Op> written_;  // the operations of all steps
  std::vector<LoopLoad> loads_;
  std::vector<CountFunction> counts_;  ///< of each counter
  std::vector<const ReduceFunctions*> functions_;
  LoopRegisters registers_;
  std::vector<std::size_t> partial_places_;
  std::size_t frame_bytes_ = 64;
};

}  // namespace

std::unique_ptr<Kernel> loop_kernel(LoopProgram program, Isa isa) {
  return std::make_unique<LoopKernel>(std::move(program), isa);
}

}  // namespace octet
