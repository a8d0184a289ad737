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

/// When each tensor is written and read. Positions are those of operations.
class Lifetimes {
 public:
  Lifetimes(const FusedProgram& program, const std::vector<TensorType>& types) : program_{program}, types_{types} {
    written_.assign(types.size(), nowhere);
    reads_.resize(types.size());
    given_.assign(types.size(), false);
    for (const ValueId id : program.parameters) given_[at(id)] = true;
    for (std::size_t i = 0; i < program.operations.size(); ++i) {
      for (const ValueId id : program.operations[i].reads) reads_[at(id)].push_back(i);
      for (const ValueId id : program.operations[i].writes) written_[at(id)] = i;
    }
    for (const ValueId id : program.results)
      if (!given_[at(id)]) reads_[at(id)].push_back(program.operations.size());
    dropped_.assign(types.size(), false);
    reload_.assign(types.size(), nowhere);
  }

  std::size_t size() const { return types_.size(); }
  std::size_t written(std::size_t v) const { return written_[v]; }
  bool is_temporary(std::size_t v) const { return !given_[v] && written_[v] != nowhere && !reads_[v].empty(); }
  /// Whether `v` is written up to `position` and read after it.
  bool crosses(std::size_t v, std::size_t position) const {
    return is_temporary(v) && written_[v] <= position && reads_[v].back() > position &&
           reads_[v].back() < program_.operations.size();
  }

  /// From now on `values` are not kept across `position`: their operations run again before the next read.
  void drop(std::vector<std::size_t> values, std::size_t position) {
    std::sort(values.begin(), values.end(), [&](std::size_t a, std::size_t b) { return written_[a] > written_[b]; });
    for (const std::size_t v : values) {
      const auto next = std::upper_bound(reads_[v].begin(), reads_[v].end(), position);
      if (next == reads_[v].end()) continue;
      dropped_[v] = true;
      reload_[v] = *next;
      for (const ValueId id : program_.operations[written_[v]].reads) {
        auto& reads = reads_[at(id)];
        reads.insert(std::upper_bound(reads.begin(), reads.end(), *next), *next);
      }
    }
    position_ = position;
  }

  /// The sum of temporaries at each position.
  std::vector<double> totals() const {
    std::vector<double> change(program_.operations.size() + 2, 0);
    const auto alive = [&](std::size_t from, std::size_t to, double bytes) {
      change[from] += bytes;
      change[std::min(to, program_.operations.size()) + 1] -= bytes;
    };
    for (std::size_t v = 0; v < size(); ++v) {
      if (!is_temporary(v)) continue;
      const double bytes = tiled_bytes(types_[v]);
      if (!dropped_[v]) {
        alive(written_[v], reads_[v].back(), bytes);
        continue;
      }
      const auto next = std::upper_bound(reads_[v].begin(), reads_[v].end(), position_);
      alive(written_[v], next == reads_[v].begin() ? written_[v] : *std::prev(next), bytes);
      alive(reload_[v], reads_[v].back(), bytes);
    }
    for (std::size_t i = 1; i < change.size(); ++i) change[i] += change[i - 1];
    return change;
  }

  bool alive_at(std::size_t v, std::size_t position) const {
    if (!is_temporary(v) || written_[v] > position || reads_[v].back() < position) return false;
    if (!dropped_[v]) return true;
    const auto next = std::upper_bound(reads_[v].begin(), reads_[v].end(), position_);
    const std::size_t left = next == reads_[v].begin() ? written_[v] : *std::prev(next);
    return position <= left || position >= reload_[v];
  }

 private:
  static std::size_t at(ValueId id) { return static_cast<std::size_t>(id); }

  const FusedProgram& program_;
  const std::vector<TensorType>& types_;
  std::vector<std::size_t> written_;
  std::vector<std::vector<std::size_t>> reads_;  ///< increasing; a result is read at the end
  std::vector<bool> given_, dropped_;
  std::vector<std::size_t> reload_;
  std::size_t position_ = 0;
};

std::size_t peak_of(const std::vector<double>& totals) {
  return static_cast<std::size_t>(std::max_element(totals.begin(), totals.end()) - totals.begin());
}

/// Seconds for each byte that dropping `v` saves.
double rate(const FusedProgram& program, const std::vector<TensorType>& types, const std::vector<OperationCost>& costs,
            const Lifetimes& lifetimes, std::size_t v) {
  double bytes = 0;
  for (const ValueId id : program.operations[lifetimes.written(v)].writes)
    bytes += tiled_bytes(types[static_cast<std::size_t>(id)]);
  return costs[lifetimes.written(v)].seconds() / std::max(1.0, bytes);
}

}  // namespace

MemoryNeed memory_need(const FusedProgram& program, const std::vector<TensorType>& types,
                       const std::vector<OperationCost>& costs, double seconds_per_byte) {
  Lifetimes lifetimes{program, types};
  MemoryNeed need;
  if (seconds_per_byte > 0) {
    const std::size_t peak = peak_of(lifetimes.totals());
    std::vector<std::size_t> dropped, operations;
    for (std::size_t v = 0; v < lifetimes.size(); ++v)
      if (lifetimes.crosses(v, peak) && rate(program, types, costs, lifetimes, v) <= seconds_per_byte) {
        dropped.push_back(v);
        operations.push_back(lifetimes.written(v));
      }
    lifetimes.drop(dropped, peak);
    std::sort(operations.begin(), operations.end());
    operations.erase(std::unique(operations.begin(), operations.end()), operations.end());
    for (const std::size_t i : operations) need.recompute_seconds += costs[i].seconds();
  }
  const std::vector<double> totals = lifetimes.totals();
  const std::size_t peak = peak_of(totals);
  for (const ValueId id : program.parameters) need.parameters += tiled_bytes(types[static_cast<std::size_t>(id)]);
  for (const ValueId id : program.results) need.results += tiled_bytes(types[static_cast<std::size_t>(id)]);
  need.temporaries = totals[peak];
  need.peak = need.parameters + need.temporaries;
  for (std::size_t v = 0; v < lifetimes.size(); ++v)
    if (lifetimes.alive_at(v, peak))
      need.largest.push_back({program.operations[lifetimes.written(v)].description, types[v], tiled_bytes(types[v])});
  std::sort(need.largest.begin(), need.largest.end(), [](const LiveTensor& a, const LiveTensor& b) {
    return a.bytes != b.bytes ? a.bytes > b.bytes : a.description < b.description;
  });
  if (need.largest.size() > 16) need.largest.resize(16);
  return need;
}

std::vector<double> recompute_rates(const FusedProgram& program, const std::vector<TensorType>& types,
                                    const std::vector<OperationCost>& costs) {
  const Lifetimes lifetimes{program, types};
  const std::size_t peak = peak_of(lifetimes.totals());
  std::vector<double> rates;
  for (std::size_t v = 0; v < lifetimes.size(); ++v)
    if (lifetimes.crosses(v, peak)) rates.push_back(rate(program, types, costs, lifetimes, v));
  std::sort(rates.begin(), rates.end());
  rates.erase(std::unique(rates.begin(), rates.end()), rates.end());
  return rates;
}

}  // namespace octet::tpu
