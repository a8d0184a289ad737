module octet.compile;
import octet.base;
import octet.graph;
import octet.standard;
import :kernel;
import :loop;
import :loop_frame;
import :loop_loads;
import :loop_pairs;
import :loop_registers;

namespace octet {

namespace {

class LoopKernel final : public Kernel {
 public:
  LoopKernel(LoopProgram&& program, Isa isa) : program_{std::move(program)} { prepare(isa); }

  void run(const KernelContext& context) const override {
    if (elements_ == 0) return write_neutral(context);
    if (has_long_columns()) return run_columns(context);
    if (has_long_rows()) return run_long_rows(context);
    // Whole blocks to each, where there are no rows to keep together.
    const Cuttable cuttable{
        .extent = elements_ / whole(), .unit = whole() == 1 ? loop_block : 1, .most = worth_sharing()};
    context.threads.share(cuttable, [&](std::size_t share, std::int64_t begin, std::int64_t end) {
      LoopFrame frame = frame_of(context, share);
      run_rows(context, frame, begin, end);
      frame.publish();
    });
  }

  std::size_t scratch(unsigned threads) const override { return totals_bytes_ + frame_bytes_ * threads; }

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
    return stored > 0 && loaded;
  }

  double operations() const override { return operations_; }

  /// As the program was written, before steps were joined.
  std::string describe() const override {
    std::string does;
    const auto add = [&](std::string_view what) { does.append(does.empty() ? "" : ", ").append(what); };
    for (const Op op : written_) add(name(op));
    const std::string reduces = program_.reduce == LoopProgram::Reduce::rows ? "reduce rows of " : "reduce columns of ";
    for (std::size_t k = 0; k < program_.reductions.size(); ++k) add(reduces + std::to_string(program_.reduced));
    return "loop of " + std::to_string(elements_) + ": " + (does.empty() ? "copy" : does);
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
      functions_.push_back(reduce_functions(reduction.reducer, reduction.dtype, isa));
    registers_ = place_registers(program_, loads_);
    place_partials();
  }

  /// Before the frames, the totals of reductions of long columns or rows, one for each run and result. In a frame,
  /// behind the registers, the partial results of columns, or the totals of a block's rows.
  void place_partials() {
    if (has_short_columns()) find_places();
    const std::int64_t partials = has_long_columns()    ? filled() * column_block()
                                  : has_short_columns() ? filled() * std::ssize(places_)
                                                        : loop_block;
    std::size_t top = registers_.bytes;
    for (const ReduceFunctions& function : functions_) {
      partial_places_.push_back(top);
      top += aligned(function.partial_size * static_cast<std::size_t>(partials));
      if (runs() == 1 || !(has_long_columns() || has_long_rows())) continue;
      totals_pitch_ =
          std::max(totals_pitch_, aligned(function.partial_size * static_cast<std::size_t>(runs() * program_.results)));
    }
    totals_bytes_ = totals_pitch_ * functions_.size();
    lists_place_ = aligned(top);
    frame_bytes_ = lists_place_ + LoopFrame::list_bytes(program_) + 64;
  }

  [[gnu::noinline]] void find_places() {
    places_.resize(static_cast<std::size_t>(wholes_at_once() * program_.columns));
    std::size_t i = 0;
    for (std::int64_t begin = 0; i < places_.size(); begin += whole())
      for (std::int64_t column = 0; column < program_.columns; ++column)
        places_[i++] = static_cast<std::int32_t>(begin + column);
  }

  /// The most parts that this loop's work is worth cutting into.
  std::int64_t worth_sharing() const { return std::max<std::int64_t>(1, elements_ / 8192); }

  LoopFrame frame_of(const KernelContext& context, std::size_t share) const {
    std::byte* const memory = context.scratch + totals_bytes_ + share * frame_bytes_;
    return {program_, loads_, registers_, context, memory, memory + lists_place_};
  }

  /// The counters of elements [start, start + n).
  void count(LoopFrame& frame, std::int64_t start, std::int64_t n) const {
    for (std::size_t c = 0; c < program_.counters.size(); ++c) {
      const auto& counter = program_.counters[c];
      LoopWalk walk{program_.space, start};
      std::byte* to = frame[counter.target];
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
  void compute(LoopFrame& frame, std::int64_t start, std::int64_t n, std::int64_t next) const {
    frame.begin(program_, loads_, start, n);
    count(frame, start, n);
    const auto at = [&](int r) -> void* { return r < 0 ? nullptr : frame[r]; };
    // A part of the next block is fetched with each step: memory is idle then.
    const auto steps = static_cast<std::int64_t>(program_.steps.size());
    const std::int64_t part = (n + steps - 1) / std::max<std::int64_t>(steps, 1);
    for (std::int64_t s = 0; s < steps; ++s) {
      frame.fetch(next + s * part, next + (s + 1) * part);
      const auto& step = program_.steps[static_cast<std::size_t>(s)];
      step.function(at(step.target), at(step.operands[0]), at(step.operands[1]), at(step.operands[2]),
                    static_cast<std::size_t>(n));
    }
    frame.store(program_, start, n);
  }

  void run_rows(const KernelContext& context, LoopFrame& frame, std::int64_t first, std::int64_t last) const {
    const std::int64_t row = whole();
    if (program_.reduce == LoopProgram::Reduce::none) {
      for (std::int64_t at = first; at < last; at += loop_block)
        compute(frame, at, std::min(loop_block, last - at), at + loop_block);
      return;
    }
    if (row <= loop_block) {
      for (std::int64_t at = first; at < last; at += wholes_at_once()) {
        const std::int64_t rows = std::min(wholes_at_once(), last - at);
        compute(frame, at * row, rows * row, (at + rows) * row);
        for (std::size_t k = 0; k < program_.reductions.size(); ++k) {
          if (has_short_columns()) {
            add_short_columns(context, frame, k, at, rows);
            continue;
          }
          functions_[k].start(totals_of(frame, k), static_cast<std::size_t>(rows));
          take_rows(frame, k, rows, row);
          finish_rows(context, frame, k, at, rows);
        }
      }
      return;
    }
    for (std::int64_t r = first; r < last; ++r) {
      for (std::size_t k = 0; k < program_.reductions.size(); ++k) functions_[k].start(totals_of(frame, k), 1);
      for (std::int64_t at = 0; at < row; at += loop_block) {  // a whole number of runs
        const std::int64_t n = std::min(loop_block, row - at);
        compute(frame, r * row + at, n, r * row + at + n);
        for (std::size_t k = 0; k < program_.reductions.size(); ++k) take_rows(frame, k, 1, n);
      }
      for (std::size_t k = 0; k < program_.reductions.size(); ++k) finish_rows(context, frame, k, r, 1);
    }
  }

  /// The results of `count` rows, or as many blocks of columns, that lie within a block and of which the first is
  /// number `first` of all. Where they, or their rows, have too few numbers for a vector, they are put side by side.
  [[gnu::noinline]] void add_short_columns(const KernelContext& context, LoopFrame& frame, std::size_t k,
                                           std::int64_t first, std::int64_t count) const {
    const ReduceFunctions& function = functions_[k];
    const std::size_t size = size_of(program_.reductions[k].dtype);
    const auto reduced = static_cast<std::size_t>(program_.reduced), lanes = static_cast<std::size_t>(filled());
    const bool apart = program_.columns < reduce_partials;
    const std::int64_t columns = program_.columns * (apart ? count : 1);
    const auto width = static_cast<std::size_t>(columns);
    std::byte* const partials = totals_of(frame, k);
    const std::byte* values = source_of(frame, k);
    alignas(64) std::byte together[loop_block * sizeof(std::int64_t)];
    if (apart) {
      function.pick(together, values, places_.data(), width, reduced, static_cast<std::size_t>(program_.columns));
      values = together;
    }
    const std::int64_t begin = first * program_.columns, end = begin + count * program_.columns;
    for (std::int64_t at = begin; at < end; at += columns) {
      function.start(partials, lanes * width);
      for (std::size_t row = 0; row < reduced; row += lanes) {
        const std::size_t n = std::min(lanes, reduced - row) * width;
        function.column(partials, values, n);
        values += n * size;
      }
      function.fold(partials, width, lanes);
      function.finish(result_at(context, k, at), partials, width, 1);
    }
  }

  /// Rows too few to be shared out as they are, one as a rule, are cut into runs: the total of one depends on no other.
  void run_long_rows(const KernelContext& context) const {
    const std::int64_t units = program_.results * runs(), at_once = loop_block / reduce_run;
    context.threads.share({.extent = units, .unit = at_once, .most = worth_sharing()},
                          [&](std::size_t share, std::int64_t begin, std::int64_t end) {
                            LoopFrame frame = frame_of(context, share);
                            for (std::int64_t unit = begin; unit < end;) {
                              const std::int64_t run = unit % runs(),
                                                 count = std::min({at_once, end - unit, runs() - run});
                              add_runs(context, frame, unit, count);
                              unit += count;
                            }
                            frame.publish();
                          });
    for (std::size_t k = 0; k < functions_.size(); ++k)
      for (std::int64_t r = 0; r < program_.results; ++r)
        functions_[k].finish(result_at(context, k, r), total_at(context, k, r * runs()), 1,
                             static_cast<std::size_t>(runs()));
  }

  /// The totals of `count` runs of one row, within a block. They are numbered row by row.
  void add_runs(const KernelContext& context, LoopFrame& frame, std::int64_t unit, std::int64_t count) const {
    const std::int64_t first = unit % runs() * reduce_run;  // in its row
    const std::int64_t n = std::min(count * reduce_run, program_.reduced - first), whole = n / reduce_run;
    const std::int64_t start = unit / runs() * program_.reduced + first;
    compute(frame, start, n, start + n);
    for (std::size_t k = 0; k < functions_.size(); ++k) {
      const auto add = [&](std::int64_t from, std::int64_t rows, std::int64_t length) {
        const auto size = static_cast<std::int64_t>(size_of(program_.reductions[k].dtype));
        functions_[k].rows(total_at(context, k, unit + from), source_of(frame, k) + from * reduce_run * size,
                           static_cast<std::size_t>(rows), static_cast<std::size_t>(length));
      };
      functions_[k].start(total_at(context, k, unit), static_cast<std::size_t>(count));
      add(0, whole, reduce_run);
      if (whole < count) add(whole, 1, n % reduce_run);
    }
  }

  /// Columns are cut into blocks, and rows into runs, of which threads take neighbouring ones: those rows that they had
  /// to compute in the loops before, as a rule.
  void run_columns(const KernelContext& context) const {
    const std::int64_t columns = program_.columns, blocks = (columns + column_block() - 1) / column_block();
    const std::int64_t outer = elements_ / whole(), units = outer * runs() * blocks;
    context.threads.share({.extent = units, .most = worth_sharing()},
                          [&](std::size_t share, std::int64_t begin, std::int64_t end) {
                            LoopFrame frame = frame_of(context, share);
                            for (std::int64_t unit = begin; unit < end; ++unit)
                              add_columns(context, frame, unit / blocks, unit % blocks);
                            frame.publish();
                          });
    if (runs() == 1) return;
    for (std::size_t k = 0; k < functions_.size(); ++k)
      for (std::int64_t i = 0; i < outer; ++i)
        functions_[k].finish(result_at(context, k, i * columns), total_at(context, k, i * runs() * columns),
                             static_cast<std::size_t>(columns), static_cast<std::size_t>(runs()));
  }

  /// The totals of one run of rows, counted through all that is reduced, in one block of columns; their results where
  /// there is no other run.
  void add_columns(const KernelContext& context, LoopFrame& frame, std::int64_t run, std::int64_t block) const {
    const std::int64_t columns = program_.columns, first = block * column_block();
    const std::int64_t n = std::min(column_block(), columns - first);
    const std::int64_t origin = run / runs() * whole() + first, begin = run % runs() * reduce_run,
                       end = std::min(begin + reduce_run, program_.reduced);
    const auto filled = static_cast<std::size_t>(std::min<std::int64_t>(end - begin, reduce_partials));
    const auto partials_at = [&](std::size_t k, std::int64_t row) {
      return frame.memory() + partial_places_[k] +
             static_cast<std::size_t>(row % reduce_partials * n) * functions_[k].partial_size;
    };
    for (std::size_t k = 0; k < functions_.size(); ++k)
      functions_[k].start(partials_at(k, 0), filled * static_cast<std::size_t>(n));
    const auto add = [&](std::int64_t row, std::int64_t rows, std::int64_t from, std::int64_t count,
                         std::int64_t next) {
      compute(frame, origin + row * columns + from, rows * count, origin + next);
      for (std::size_t k = 0; k < functions_.size(); ++k)
        for (std::int64_t i = 0, together = 0; i < rows; i += together) {
          // Up to the last partial result, those of rows lie as the rows do.
          together = std::min(rows - i, reduce_partials - (row + i) % reduce_partials);
          functions_[k].column(
              partials_at(k, row + i) + static_cast<std::size_t>(from) * functions_[k].partial_size,
              source_of(frame, k) + i * count * static_cast<std::int64_t>(size_of(program_.reductions[k].dtype)),
              static_cast<std::size_t>(together * count));
        }
    };
    const auto add_row = [&](std::int64_t r, std::int64_t next_row) {
      for (std::int64_t from = 0; from < n; from += loop_block) {
        const std::int64_t count = std::min(loop_block, n - from);
        add(r, 1, from, count, (from + count < n ? r : next_row) * columns + (from + count) % n);
      }
    };
    if (columns > loop_block) {
      // Of many columns all rows of one partial result come before those of the next: the nearest cache cannot hold
      // more than one.
      const std::int64_t step = n > 1024 ? reduce_partials : 1;
      for (std::int64_t first_row = begin; first_row < std::min(begin + step, end); ++first_row)
        for (std::int64_t r = first_row; r < end; r += step) add_row(r, r + step);
    } else {
      // Rows lie one after another where one block holds them whole: then several short ones are computed at once.
      const std::int64_t rows_at_once = at_once(columns);
      for (std::int64_t r = begin; r < end; r += rows_at_once) {
        const std::int64_t rows = std::min(rows_at_once, end - r);
        add(r, rows, 0, columns, (r + rows) * columns);
      }
    }
    for (std::size_t k = 0; k < functions_.size(); ++k) {
      functions_[k].fold(partials_at(k, 0), static_cast<std::size_t>(n), filled);
      if (runs() == 1)
        functions_[k].finish(result_at(context, k, run * columns + first), partials_at(k, 0),
                             static_cast<std::size_t>(n), 1);
      else
        std::memcpy(total_at(context, k, run * columns + first), partials_at(k, 0),
                    static_cast<std::size_t>(n) * functions_[k].partial_size);
    }
  }

  std::byte* result_at(const KernelContext& context, std::size_t k, std::int64_t index) const {
    const auto& reduction = program_.reductions[k];
    return context.outputs[reduction.output] + index * static_cast<std::int64_t>(size_of(reduction.dtype));
  }
  const std::byte* source_of(LoopFrame& frame, std::size_t k) const { return frame[program_.reductions[k].source]; }
  std::byte* totals_of(LoopFrame& frame, std::size_t k) const { return frame.memory() + partial_places_[k]; }
  /// Of a run; see place_partials.
  std::byte* total_at(const KernelContext& context, std::size_t k, std::int64_t index) const {
    return context.scratch + k * totals_pitch_ + static_cast<std::size_t>(index) * functions_[k].partial_size;
  }
  void take_rows(LoopFrame& frame, std::size_t k, std::int64_t rows, std::int64_t n) const {
    functions_[k].rows(totals_of(frame, k), source_of(frame, k), static_cast<std::size_t>(rows),
                       static_cast<std::size_t>(n));
  }
  void finish_rows(const KernelContext& context, LoopFrame& frame, std::size_t k, std::int64_t first,
                   std::int64_t rows) const {
    functions_[k].finish(result_at(context, k, first), totals_of(frame, k), static_cast<std::size_t>(rows), 1);
  }
  /// The results of a reduction of nothing.
  void write_neutral(const KernelContext& context) const {
    for (std::size_t k = 0; k < functions_.size(); ++k)
      functions_[k].finish(result_at(context, k, 0), nullptr, static_cast<std::size_t>(program_.results), 0);
  }

  /// Whether threads share the runs of rows: where there are few rows, of several blocks.
  bool has_long_rows() const {
    return program_.reduce == LoopProgram::Reduce::rows && program_.reduced > loop_block && program_.results < 16;
  }
  /// What is reduced to results side by side: a row, or a block of columns.
  std::int64_t whole() const { return program_.reduced * program_.columns; }
  bool has_long_columns() const { return program_.reduce == LoopProgram::Reduce::columns && whole() > loop_block; }
  bool has_short_columns() const {
    return program_.reduce != LoopProgram::Reduce::none && whole() > 0 &&
           whole() <= (program_.columns > 1 ? loop_block : 31);
  }
  /// How many times so many elements a block takes: where they are few, whole vectors, and all partial results, of
  /// them.
  static std::int64_t at_once(std::int64_t elements) {
    const std::int64_t most = loop_block / elements;
    return most > reduce_partials ? most / reduce_partials * reduce_partials : most;
  }
  std::int64_t wholes_at_once() const { return at_once(whole()); }
  /// Of which each result is made.
  std::int64_t runs() const { return (program_.reduced + reduce_run - 1) / reduce_run; }
  /// How many partial results of a run values join.
  std::int64_t filled() const { return std::min<std::int64_t>(program_.reduced, reduce_partials); }
  /// Columns whose partial results are kept at a time: at most 128 KB of f32.
  std::int64_t column_block() const { return std::clamp<std::int64_t>(program_.columns, 1, 2048); }

  LoopProgram program_;
  std::int64_t elements_ = 0;
  double operations_ = 0;
  std::vector<Op> written_;  // the operations of all steps
  std::vector<LoopLoad> loads_;
  std::vector<CountFunction> counts_;  ///< of each counter
  std::vector<ReduceFunctions> functions_;
  LoopRegisters registers_;
  std::vector<std::int32_t> places_;                 ///< of the first elements of a block's short columns
  std::vector<std::size_t> partial_places_;          ///< bytes from a frame's beginning
  std::size_t totals_pitch_ = 0, totals_bytes_ = 0;  ///< from the totals of one reduction to the next, and of all
  std::size_t lists_place_ = 0, frame_bytes_ = 64;   ///< bytes from a frame's beginning, and that it takes
};

}  // namespace

std::unique_ptr<Kernel> loop_kernel(LoopProgram program, Isa isa) {
  return std::make_unique<LoopKernel>(std::move(program), isa);
}

}  // namespace octet
