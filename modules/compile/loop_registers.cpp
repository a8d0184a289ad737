module octet.compile;
import octet.base;
import octet.graph;
import octet.standard;
import :loop;
import :loop_loads;
import :loop_registers;

namespace octet {

namespace {

class Placing {
 public:
  Placing(const LoopProgram& program, const std::vector<LoopLoad>& loads) : program_{program}, loads_{loads} {}

  LoopRegisters run() {
    find_last_uses();
    assign_places();
    return std::move(registers_);
  }

 private:
  void find_last_uses() {
    const auto n = static_cast<std::size_t>(program_.registers);
    auto& [defined_at, last_use, dtype, places, bytes] = registers_;
    last_use.assign(n, -1);
    defined_at.assign(n, -1);
    dtype.assign(n, DType::f32);
    for (const auto& load : program_.loads) dtype[static_cast<std::size_t>(load.target)] = load.dtype;
    for (const auto& counter : program_.counters) dtype[static_cast<std::size_t>(counter.target)] = counter.dtype;
    for (std::size_t s = 0; s < program_.steps.size(); ++s) {
      const auto& step = program_.steps[s];
      defined_at[static_cast<std::size_t>(step.target)] = static_cast<int>(s);
      dtype[static_cast<std::size_t>(step.target)] = step.dtype;
      for (int operand : step.operands)
        if (operand >= 0) last_use[static_cast<std::size_t>(operand)] = static_cast<int>(s);
    }
    // Stores and reductions come after all steps.
    const int end = static_cast<int>(program_.steps.size());
    for (const auto& store : program_.stores) last_use[static_cast<std::size_t>(store.source)] = end;
    for (const auto& reduction : program_.reductions) last_use[static_cast<std::size_t>(reduction.source)] = end;
  }

  /// What a register takes, and a gap: places a power of two apart would compete for the same lines of the cache.
  static std::size_t with_gap(std::size_t bytes) { return (bytes + 63) / 64 * 64 + 192; }
  std::size_t bytes_of(int r) const {
    return with_gap(size_of(registers_.dtype[static_cast<std::size_t>(r)]) * loop_block);
  }

  void take(int target, std::size_t bytes) {
    std::size_t& place = registers_.places[static_cast<std::size_t>(target)];
    if (const auto found = free_.find(bytes); found != free_.end()) {
      place = found->second;
      free_.erase(found);
    } else {
      place = registers_.bytes;
      registers_.bytes += bytes;
    }
  }

  void assign_places() {
    const auto n = static_cast<std::size_t>(program_.registers);
    registers_.places.assign(n, 0);
    // What is filled once for many blocks keeps its place; the other loads are read anew.
    std::vector<bool> permanent(n, false), in_frame(n, false);
    for (const LoopLoad& load : loads_) {
      permanent[load.target()] = load.keeps_its_place();
      in_frame[load.target()] = !load.is_direct();
      if (!load.is_direct()) take(static_cast<int>(load.target()), with_gap(load.bytes()));
    }
    for (const auto& counter : program_.counters) {
      in_frame[static_cast<std::size_t>(counter.target)] = true;
      take(counter.target, bytes_of(counter.target));
    }
    for (std::size_t s = 0; s < program_.steps.size(); ++s) {
      const auto& step = program_.steps[s];
      take(step.target, bytes_of(step.target));
      in_frame[static_cast<std::size_t>(step.target)] = true;
      std::vector<int> dead;
      for (int operand : step.operands)
        if (operand >= 0 && registers_.last_use[static_cast<std::size_t>(operand)] == static_cast<int>(s) &&
            in_frame[static_cast<std::size_t>(operand)] && !permanent[static_cast<std::size_t>(operand)] &&
            std::find(dead.begin(), dead.end(), operand) == dead.end())
          dead.push_back(operand);
      for (int operand : dead) free_.emplace(bytes_of(operand), registers_.places[static_cast<std::size_t>(operand)]);
    }
  }

  const LoopProgram& program_;
  const std::vector<LoopLoad>& loads_;
  LoopRegisters registers_;
  std::multimap<std::size_t, std::size_t> free_;  // bytes → place
};

}  // namespace

LoopRegisters place_registers(const LoopProgram& program, const std::vector<LoopLoad>& loads) {
  return Placing{program, loads}.run();
}

}  // namespace octet
