module octet.tpu;
import octet.base;
import octet.graph;
import octet.standard;
import :cost;
import :fused;
import :memory;
import :schedule;

namespace octet::tpu {

namespace {

std::size_t peak_of(const std::vector<double>& totals) {
  return static_cast<std::size_t>(std::max_element(totals.begin(), totals.end()) - totals.begin());
}

/// What recomputing takes. Operations of one rate are those that the layers of a program have in common.
class Recomputation {
 public:
  /// Instead of keeping what crosses run `peak` of `schedule`, in which everything runs once.
  Recomputation(const FusedProgram& program, const std::vector<TensorType>& types,
                const std::vector<OperationCost>& costs, const Schedule& schedule, std::size_t peak)
      : program_{program},
        schedule_{schedule},
        loops_{schedule.loops_around(peak)},
        crosses_{schedule.crossing(peak)},
        droppable_{crosses_} {
    const auto keep = [&](const std::vector<ValueId>& values) {
      for (const ValueId id : values) droppable_[at(id)] = false;
    };
    for (const FusedOperation& operation : program.operations) keep(operation.drawn);
    keep(program.results);
    // Parameters that are written over by then cannot be read again.
    std::vector<bool> lost(types.size(), false);
    for (std::size_t i = 0; i <= peak && i < program.operations.size(); ++i)
      for (const ValueId id : program.operations[i].over)
        if (id >= 0 && schedule.written(at(id)) == nowhere) lost[at(id)] = true;
    // What a loop reads in every round is kept for all, and what it is given for a round until it is over.
    for (const auto& [begin, end] : loops_) {
      keep(program.operations[begin].writes);
      keep(program.operations[end].reads);
    }
    if (peak < program.operations.size()) keep(program.operations[peak].reads);
    rates_.assign(program.operations.size(), never);
    dropped_.assign(program.operations.size(), false);
    seen_.assign(program.operations.size(), 0);
    for (std::size_t i = 0; i < peak && i < rates_.size(); ++i) {
      double bytes = 0, seconds = 0;
      for (const ValueId id : program.operations[i].writes)
        if (droppable_[at(id)]) bytes += tiled_bytes(types[at(id)]);
      if (bytes == 0) continue;
      for (const std::size_t each : chain(i)) {
        const auto& drawn = program.operations[each].drawn;
        const auto& reads = program.operations[each].reads;
        const bool gone = std::any_of(drawn.begin(), drawn.end(), [&](ValueId id) { return !crosses_[at(id)]; }) ||
                          std::any_of(reads.begin(), reads.end(), [&](ValueId id) -> bool { return lost[at(id)]; });
        seconds += gone ? never : program.operations[each].repeats * costs[each].seconds();
      }
      rates_[i] = seconds / bytes;
    }
    std::map<std::string, std::size_t> known;
    for (const FusedOperation& operation : program.operations) {
      std::string text = operation.description;
      for (const ValueId id : operation.writes) text += " " + to_string(types[at(id)]);
      kinds_.push_back(known.try_emplace(std::move(text), known.size()).first->second);
    }
    for (std::size_t i = 0; i < rates_.size(); ++i)
      if (rates_[i] < never) order_.push_back(i);
    std::sort(order_.begin(), order_.end(),
              [&](std::size_t a, std::size_t b) { return rates_[a] != rates_[b] ? rates_[a] < rates_[b] : a < b; });
  }

  /// Drops what takes the least time for its bytes, beyond what is dropped already; false where nothing is left. What
  /// would need its likes of the layers before is kept.
  bool drop_more() {
    while (next_ < order_.size()) {
      const std::size_t begin = next_;
      const double rate = rates_[order_[begin]];
      while (next_ < order_.size() && rates_[order_[next_]] <= rate * (1 + 1e-9)) dropped_[order_[next_++]] = true;
      const bool alone = std::all_of(order_.begin() + static_cast<std::ptrdiff_t>(begin),
                                     order_.begin() + static_cast<std::ptrdiff_t>(next_), [&](std::size_t i) {
                                       const auto all = chain(i);
                                       return std::count_if(all.begin() + 1, all.end(), [&](std::size_t each) {
                                                return kinds_[each] == kinds_[i];
                                              }) < 2;  // there may be another one in a layer
                                     });
      if (alone) return true;
      for (std::size_t i = begin; i < next_; ++i) dropped_[order_[i]] = false;
    }
    return false;
  }

  /// Of each value, whether it is dropped.
  std::vector<bool> dropped() const {
    std::vector<bool> result(schedule_.size(), false);
    for (std::size_t v = 0; v < result.size(); ++v)
      if (const std::size_t from = schedule_.written(v); from != nowhere) result[v] = droppable_[v] && dropped_[from];
    return result;
  }

 private:
  static constexpr double never = std::numeric_limits<double>::infinity();

  /// The operations that run again for operation `i`, itself first: those of what is gone by then or dropped.
  std::vector<std::size_t> chain(std::size_t i) {
    ++visit_;
    std::vector<std::size_t> result{i};
    seen_[i] = visit_;
    for (std::size_t next = 0; next < result.size(); ++next)
      for (const ValueId id : program_.operations[result[next]].reads) {
        const std::size_t from = schedule_.written(at(id));
        if (from == nowhere || seen_[from] == visit_) continue;
        if (crosses_[at(id)] && !(droppable_[at(id)] && dropped_[from])) continue;
        if (loops_.contains(from)) continue;
        seen_[from] = visit_;
        result.push_back(from);
      }
    return result;
  }

  const FusedProgram& program_;
  const Schedule& schedule_;
  const std::map<std::size_t, std::size_t> loops_;  ///< that the peak lies in
  std::vector<bool> crosses_, droppable_;
  std::vector<std::size_t> kinds_;  ///< of each operation, a number that those share which do the same
  std::vector<double> rates_;       ///< of each operation; infinite where it cannot run again, or need not
  std::vector<std::size_t> order_;  ///< operations by rate
  std::size_t next_ = 0;            ///< in `order_`, the first that was not considered yet
  std::vector<bool> dropped_;       ///< of each operation, whether what it writes is
  std::vector<std::size_t> seen_;   ///< of each operation, the latest visit that came by
  std::size_t visit_ = 0;
};

MemoryNeed need_of(const FusedProgram& program, const std::vector<TensorType>& types, const Schedule& schedule) {
  MemoryNeed need;
  const std::vector<double> totals = schedule.totals();
  const std::size_t peak = peak_of(totals);
  for (const ValueId id : program.parameters) need.parameters += tiled_bytes(types[at(id)]);
  for (const ValueId id : program.results) need.results += tiled_bytes(types[at(id)]);
  need.temporaries = totals[peak];
  need.peak = need.parameters + need.temporaries;
  std::vector<const Life*> alive;
  for (const Life& life : schedule.lives())
    if (!life.given && life.from + (life.shares ? 1 : 0) <= peak && peak <= life.to) alive.push_back(&life);
  const auto description = [&](const Life& life) -> const std::string& {
    return program.operations[schedule.written(life.value)].description;
  };
  std::sort(alive.begin(), alive.end(), [&](const Life* a, const Life* b) {
    if (a->bytes != b->bytes) return a->bytes > b->bytes;
    return description(*a) != description(*b) ? description(*a) < description(*b) : a->value < b->value;
  });
  if (alive.size() > 16) alive.resize(16);
  for (const Life* life : alive) need.largest.push_back({description(*life), types[life->value], life->bytes});
  return need;
}

}  // namespace

MemoryNeed memory_need(const FusedProgram& program, const std::vector<TensorType>& types) {
  return need_of(program, types, Schedule{program, types});
}

std::vector<MemoryNeed> recomputed_needs(const FusedProgram& program, const std::vector<TensorType>& types,
                                         const std::vector<OperationCost>& costs) {
  const Schedule once{program, types};
  const std::size_t peak = peak_of(once.totals());
  Recomputation recomputation{program, types, costs, once, peak};
  std::vector<MemoryNeed> needs;
  while (recomputation.drop_more()) {
    Schedule schedule = once;
    schedule.drop(recomputation.dropped(), peak);
    needs.push_back(need_of(program, types, schedule));
    std::vector<bool> ran(program.operations.size(), false);
    for (const std::size_t i : schedule.runs()) {
      if (ran[i]) needs.back().recompute_seconds += program.operations[i].repeats * costs[i].seconds();
      ran[i] = true;
    }
  }
  return needs;
}

}  // namespace octet::tpu
