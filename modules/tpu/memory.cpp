module octet.tpu;
import octet.base;
import octet.graph;
import octet.standard;
import :cost;
import :fused;
import :memory;

namespace octet::tpu {

namespace {

constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

std::size_t at(ValueId id) { return static_cast<std::size_t>(id); }

/// A tensor in memory, from the run that writes it to the last that reads it.
struct Life {
  std::size_t value = 0, from = 0, to = 0;
  double bytes = 0;
  bool shares = false;  ///< written over an operand of its loop that is read there for the last time
};

/// Operations in the order in which they run, some of them twice, and what is alive when.
class Schedule {
 public:
  /// Each operation once.
  Schedule(const FusedProgram& program, const std::vector<TensorType>& types) : program_{program}, types_{types} {
    written_.assign(types.size(), nowhere);
    temporary_.assign(types.size(), false);
    for (std::size_t i = 0; i < program.operations.size(); ++i) {
      runs_.push_back(i);
      for (const ValueId id : program.operations[i].writes) written_[at(id)] = i;
    }
    const auto read = [&](ValueId id) { temporary_[at(id)] = written_[at(id)] != nowhere; };
    for (const FusedOperation& operation : program.operations)
      for (const ValueId id : operation.reads) read(id);
    for (const ValueId id : program.results) read(id);
    for (const ValueId id : program.parameters) temporary_[at(id)] = false;
    again_.assign(types.size(), false);
    find_lives();
  }

  std::size_t size() const { return types_.size(); }
  std::size_t written(std::size_t v) const { return written_[v]; }
  const std::vector<std::size_t>& runs() const { return runs_; }
  const std::vector<Life>& lives() const { return lives_; }

  /// The bytes of temporaries during each run.
  std::vector<double> totals() const {
    std::vector<double> change(runs_.size() + 2, 0);
    for (const Life& life : lives_) {
      change[life.from + (life.shares ? 1 : 0)] += life.bytes;
      change[life.to + 1] -= life.bytes;
    }
    for (std::size_t i = 1; i < change.size(); ++i) change[i] += change[i - 1];
    change.resize(std::max<std::size_t>(1, runs_.size()));
    return change;
  }

  /// Of each value, whether it is written up to run `peak` and read later.
  std::vector<bool> crossing(std::size_t peak) const {
    std::vector<bool> result(types_.size(), false);
    for (const Life& life : lives_) result[life.value] = life.from <= peak && life.to > peak;
    return result;
  }

  /// From now on `dropped` values of an ordinary schedule are not kept across run `peak`: what writes them runs again
  /// before what reads them, and so does what was gone by then and is needed for it.
  void drop(const std::vector<bool>& dropped, std::size_t peak) {
    std::vector<bool> kept(types_.size(), false);  // until it is read last, wherever that is
    for (const Life& life : lives_) kept[life.value] = life.to > peak && !dropped[life.value];
    const auto gone = [&](std::size_t v) { return temporary_[v] && !kept[v] && !again_[v]; };
    std::vector<std::size_t> runs(runs_.begin(),
                                  runs_.begin() + static_cast<std::ptrdiff_t>(std::min(peak + 1, runs_.size())));
    const std::function<void(std::size_t)> run = [&](std::size_t i) {
      for (const ValueId id : program_.operations[i].reads)
        if (gone(at(id))) {
          run(written_[at(id)]);
          for (const ValueId made : program_.operations[written_[at(id)]].writes)
            if (gone(at(made))) again_[at(made)] = true;
        }
      runs.push_back(i);
    };
    for (std::size_t i = peak + 1; i < runs_.size(); ++i) run(i);
    runs_ = std::move(runs);
    find_lives();
  }

 private:
  void find_lives() {
    lives_.clear();
    std::vector<std::size_t> life(types_.size(), nowhere);  // of each value, the latest
    std::vector<bool> ran(program_.operations.size(), false);
    for (std::size_t p = 0; p < runs_.size(); ++p) {
      const FusedOperation& operation = program_.operations[runs_[p]];
      for (const ValueId id : operation.reads)
        if (temporary_[at(id)] && life[at(id)] != nowhere) lives_[life[at(id)]].to = p;
      for (const ValueId id : operation.writes) {
        if (!temporary_[at(id)] || (ran[runs_[p]] && !again_[at(id)])) continue;
        life[at(id)] = lives_.size();
        lives_.push_back({at(id), p, p, tiled_bytes(types_[at(id)])});
      }
      ran[runs_[p]] = true;
    }
    for (const ValueId id : program_.results)
      if (temporary_[at(id)]) lives_[life[at(id)]].to = runs_.size();
    share();
  }

  /// A loop writes over what it reads for the last time, where it reads that element by element.
  void share() {
    std::vector<std::vector<double>> ending(runs_.size());  // of each run, the bytes of what may be written over there
    for (const Life& life : lives_) {
      if (life.to >= runs_.size() || life.from >= life.to) continue;
      const auto& elsewhere = program_.operations[runs_[life.to]].elsewhere;
      if (std::find(elsewhere.begin(), elsewhere.end(), static_cast<ValueId>(life.value)) == elsewhere.end())
        ending[life.to].push_back(life.bytes);
    }
    for (Life& life : lives_) {
      if (program_.operations[runs_[life.from]].kind != FusedOperation::Kind::loop || life.to == life.from) continue;
      auto& bytes = ending[life.from];
      const auto same = std::find(bytes.begin(), bytes.end(), life.bytes);
      if (same == bytes.end()) continue;
      life.shares = true;
      bytes.erase(same);
    }
  }

  const FusedProgram& program_;
  const std::vector<TensorType>& types_;
  std::vector<std::size_t> runs_, written_;
  std::vector<bool> temporary_;
  std::vector<bool> again_;  ///< of each value, whether it is written a second time
  std::vector<Life> lives_;
};

std::size_t peak_of(const std::vector<double>& totals) {
  return static_cast<std::size_t>(std::max_element(totals.begin(), totals.end()) - totals.begin());
}

/// What recomputing takes. Operations of one rate are those that the layers of a program have in common.
class Recomputation {
 public:
  /// Instead of keeping what crosses run `peak` of `schedule`, in which everything runs once.
  Recomputation(const FusedProgram& program, const std::vector<TensorType>& types,
                const std::vector<OperationCost>& costs, const Schedule& schedule, std::size_t peak)
      : program_{program}, schedule_{schedule}, crosses_{schedule.crossing(peak)}, droppable_{crosses_} {
    const auto keep = [&](const std::vector<ValueId>& values) {
      for (const ValueId id : values) droppable_[at(id)] = false;
    };
    for (const FusedOperation& operation : program.operations) keep(operation.drawn);
    keep(program.results);
    if (peak < program.operations.size()) keep(program.operations[peak].reads);
    rates_.assign(program.operations.size(), never);
    for (std::size_t i = 0; i < peak && i < rates_.size(); ++i) {
      double bytes = 0, seconds = 0;
      for (const ValueId id : program.operations[i].writes)
        if (droppable_[at(id)]) bytes += tiled_bytes(types[at(id)]);
      if (bytes == 0) continue;
      for (const std::size_t each : chain(i, never)) {
        const auto& drawn = program.operations[each].drawn;
        const bool gone = std::any_of(drawn.begin(), drawn.end(), [&](ValueId id) { return !crosses_[at(id)]; });
        seconds += gone ? never : costs[each].seconds();
      }
      rates_[i] = seconds / bytes;
    }
    std::vector<double> sorted = rates_;
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    for (const double rate : sorted)
      if (rate < never) (stands_alone(rate) ? accepted_ : rejected_).push_back(rate);
  }

  /// Seconds for each byte that need not be kept, of those that are worth it; increasing.
  const std::vector<double>& rates() const { return accepted_; }

  /// Of each value, whether it is dropped where what takes up to `most` is.
  std::vector<bool> dropped(double most) const {
    std::vector<bool> result(schedule_.size(), false);
    for (std::size_t v = 0; v < result.size(); ++v)
      if (const std::size_t from = schedule_.written(v); from != nowhere && droppable_[v])
        result[v] = drops(from, most);
    return result;
  }

 private:
  static constexpr double never = std::numeric_limits<double>::infinity();

  bool drops(std::size_t i, double most) const {
    return rates_[i] <= most && std::find(rejected_.begin(), rejected_.end(), rates_[i]) == rejected_.end();
  }

  /// The operations that run again for operation `i`: those of what is gone by then, and of what takes less than
  /// `below`.
  std::vector<std::size_t> chain(std::size_t i, double below) const {
    std::vector<std::size_t> result{i};
    for (std::size_t next = 0; next < result.size(); ++next)
      for (const ValueId id : program_.operations[result[next]].reads) {
        const std::size_t from = schedule_.written(at(id));
        if (from == nowhere || (crosses_[at(id)] && (below == never || !droppable_[at(id)] || !drops(from, below))))
          continue;
        if (std::find(result.begin(), result.end(), from) == result.end()) result.push_back(from);
      }
    return result;
  }

  /// Whether no operation of this rate needs another one of it: else each layer would be computed again from the first.
  bool stands_alone(double rate) const {
    for (std::size_t i = 0; i < rates_.size(); ++i) {
      if (rates_[i] != rate) continue;
      const std::vector<std::size_t> all = chain(i, rate);
      if (std::any_of(all.begin() + 1, all.end(), [&](std::size_t each) { return rates_[each] == rate; })) return false;
    }
    return true;
  }

  const FusedProgram& program_;
  const Schedule& schedule_;
  std::vector<bool> crosses_, droppable_;
  std::vector<double> rates_;  ///< of each operation; infinite where it cannot run again, or need not
  std::vector<double> accepted_, rejected_;
};

}  // namespace

MemoryNeed memory_need(const FusedProgram& program, const std::vector<TensorType>& types,
                       const std::vector<OperationCost>& costs, double seconds_per_byte) {
  Schedule schedule{program, types};
  MemoryNeed need;
  if (seconds_per_byte > 0) {
    const std::size_t peak = peak_of(schedule.totals());
    schedule.drop(Recomputation{program, types, costs, schedule, peak}.dropped(seconds_per_byte), peak);
    for (const std::size_t i : schedule.runs()) need.recompute_seconds += costs[i].seconds();
    for (const OperationCost& each : costs) need.recompute_seconds -= each.seconds();
  }
  const std::vector<double> totals = schedule.totals();
  const std::size_t peak = peak_of(totals);
  for (const ValueId id : program.parameters) need.parameters += tiled_bytes(types[at(id)]);
  for (const ValueId id : program.results) need.results += tiled_bytes(types[at(id)]);
  need.temporaries = totals[peak];
  need.peak = need.parameters + need.temporaries;
  for (const Life& life : schedule.lives())
    if (life.from + (life.shares ? 1 : 0) <= peak && peak <= life.to)
      need.largest.push_back(
          {program.operations[schedule.written(life.value)].description, types[life.value], life.bytes});
  std::sort(need.largest.begin(), need.largest.end(), [](const LiveTensor& a, const LiveTensor& b) {
    return a.bytes != b.bytes ? a.bytes > b.bytes : a.description < b.description;
  });
  if (need.largest.size() > 16) need.largest.resize(16);
  return need;
}

std::vector<double> recompute_rates(const FusedProgram& program, const std::vector<TensorType>& types,
                                    const std::vector<OperationCost>& costs) {
  const Schedule schedule{program, types};
  return Recomputation{program, types, costs, schedule, peak_of(schedule.totals())}.rates();
}

}  // namespace octet::tpu
