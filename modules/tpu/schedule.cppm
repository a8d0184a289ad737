/// In which order the operations of a program run, some of them twice, and which tensors are alive when. Internal to
/// octet.tpu.
module octet.tpu:schedule;
import octet.base;
import octet.graph;
import octet.standard;
import :cost;
import :fused;

namespace octet::tpu {

inline constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

inline std::size_t at(ValueId id) { return static_cast<std::size_t>(id); }

/// A tensor in memory, from the run that writes it to the last that reads it.
struct Life {
  std::size_t value = 0, from = 0, to = 0;
  double bytes = 0;
  bool shares = false;  ///< written over an operand of its operation that is read there for the last time
  bool given = false;   ///< in the place of a parameter, which is counted as such
};

/// Operations in the order in which they run, some of them twice, and what is alive when.
class Schedule {
 public:
  /// Each operation once.
  Schedule(const FusedProgram& program, const std::vector<TensorType>& types) : program_{program}, types_{types} {
    written_.assign(types.size(), nowhere);
    bytes_.assign(types.size(), 0);
    temporary_.assign(types.size(), false);
    for (std::size_t i = 0; i < program.operations.size(); ++i) {
      runs_.push_back(i);
      for (const ValueId id : program.operations[i].writes) written_[at(id)] = i;
    }
    const auto read = [&](ValueId id) { temporary_[at(id)] = written_[at(id)] != nowhere; };
    for (const FusedOperation& operation : program.operations)
      for (const ValueId id : operation.reads) read(id);
    for (const ValueId id : program.results) read(id);
    given_.assign(types.size(), false);
    for (const ValueId id : program.parameters) {
      temporary_[at(id)] = false;
      given_[at(id)] = true;
    }
    find_carried();
    find_placed();
    again_.assign(types.size(), false);
    for (std::size_t v = 0; v < types.size(); ++v)
      if (temporary_[v]) bytes_[v] = tiled_bytes(types[v]);
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
      if (life.given) continue;
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

  /// Of an ordinary schedule, the loops that run `peak` lies in: the operations with which they begin and end.
  std::map<std::size_t, std::size_t> loops_around(std::size_t peak) const {
    std::vector<std::size_t> open;
    std::map<std::size_t, std::size_t> result;
    for (std::size_t i = 0; i < program_.operations.size(); ++i) {
      const FusedOperation& operation = program_.operations[i];
      if (operation.nesting > 0) open.push_back(i);
      if (operation.nesting >= 0) continue;
      if (open.back() <= peak && peak <= i) result.emplace(open.back(), i);
      open.pop_back();
    }
    return result;
  }

  /// From now on `dropped` values of an ordinary schedule are not kept across run `peak`: what writes them runs again
  /// before what reads them, and so does what was gone by then and is needed for it.
  void drop(const std::vector<bool>& dropped, std::size_t peak) {
    std::vector<bool> kept(types_.size(), false);  // until it is read last, wherever that is
    for (const Life& life : lives_) kept[life.value] = life.to > peak && !dropped[life.value];
    // What a loop is given for a round is there until the round is over.
    for (const auto& [begin, end] : loops_around(peak))
      for (const ValueId id : program_.operations[begin].writes) kept[at(id)] = true;
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
  void find_carried() {
    carried_.assign(types_.size(), false);
    home_.assign(types_.size(), nowhere);
    std::vector<const FusedOperation*> open;
    for (const FusedOperation& operation : program_.operations) {
      if (operation.nesting > 0) {
        open.push_back(&operation);
        for (const ValueId id : operation.writes) carried_[at(id)] = true;
      } else if (operation.nesting < 0) {
        for (std::size_t w = 0; w < operation.writes.size(); ++w)
          if (operation.over[w] >= 0) home_[at(operation.over[w])] = at(open.back()->writes[w]);
        open.pop_back();
      }
    }
  }

  /// What a branch leaves that nobody reads, and that is no result of its own, is the next value of a parameter, in
  /// whose place it is computed.
  void find_placed() {
    placed_.assign(types_.size(), false);
    for (std::size_t i = program_.operations.size(); i-- > 0;) {
      const FusedOperation& operation = program_.operations[i];
      if (operation.kind != FusedOperation::Kind::handover || operation.nesting != 0) continue;
      for (std::size_t w = 0; w < operation.over.size(); ++w)
        if (const std::size_t left = at(operation.writes[w]); operation.over[w] >= 0)
          placed_[at(operation.over[w])] = !temporary_[left] || placed_[left];
    }
  }

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
        lives_.push_back({at(id), p, p, bytes_[at(id)]});
      }
      ran[runs_[p]] = true;
    }
    for (const ValueId id : program_.results)
      if (temporary_[at(id)]) lives_[life[at(id)]].to = runs_.size();
    share();
  }

  /// A loop writes over what it reads for the last time, where it reads that element by element. What follows a product
  /// adds so to what a loop carries.
  void share() {
    // Of each run, the lives that may be written over there: the first, and after each the next.
    std::vector<std::size_t> ending(runs_.size(), nowhere), after(lives_.size(), nowhere);
    for (std::size_t l = lives_.size(); l-- > 0;) {
      const Life& life = lives_[l];
      if (life.to >= runs_.size() || life.from >= life.to) continue;
      if (!contains(program_.operations[runs_[life.to]].elsewhere, static_cast<ValueId>(life.value)))
        after[l] = std::exchange(ending[life.to], l);
    }
    std::vector<std::size_t> latest(types_.size(), nowhere);  // of each value, its life
    for (std::size_t l = 0; l < lives_.size(); ++l) {
      Life& life = lives_[l];
      latest[life.value] = l;
      if (life.to == life.from) continue;
      if (placed_[life.value]) {
        life.given = true;
        continue;
      }
      if (const std::size_t home = home_[life.value]; home != nowhere && latest[home] != nowhere &&
                                                      lives_[latest[home]].given &&
                                                      lives_[latest[home]].to <= life.from) {
        life.given = true;
        continue;
      }
      const FusedOperation& operation = program_.operations[runs_[life.from]];
      if (!operation.over.empty()) {
        take_place(life, operation, latest);
        continue;
      }
      const bool product = operation.kind == FusedOperation::Kind::product;
      if (!product && operation.kind != FusedOperation::Kind::loop) continue;
      std::size_t* place = &ending[life.from];
      while (*place != nowhere && (lives_[*place].bytes != life.bytes || lives_[*place].given ||
                                   (product && !carried_[lives_[*place].value])))
        place = &after[*place];
      if (*place == nowhere) continue;
      life.shares = true;
      *place = after[*place];
    }
  }

  /// `life` begins with `operation`, which says what it is written over.
  void take_place(Life& life, const FusedOperation& operation, const std::vector<std::size_t>& latest) const {
    const auto& writes = operation.writes;
    const auto w = std::find(writes.begin(), writes.end(), static_cast<ValueId>(life.value)) - writes.begin();
    const ValueId id = operation.over[static_cast<std::size_t>(w)];
    if (id < 0) return;
    if (given_[at(id)]) life.given = tiled_bytes(types_[at(id)]) == life.bytes;
    if (latest[at(id)] == nowhere) return;
    const Life& before = lives_[latest[at(id)]];
    if (before.to != life.from || before.bytes != life.bytes) return;
    life.shares = true;
    life.given = before.given;
  }

  const FusedProgram& program_;
  const std::vector<TensorType>& types_;
  std::vector<std::size_t> runs_, written_;
  std::vector<double> bytes_;  ///< of each temporary value, in tiles
  std::vector<bool> temporary_, given_;
  std::vector<bool> carried_;      ///< of each value, whether it is the state of a loop as a round begins
  std::vector<std::size_t> home_;  ///< of what is that after the round, in whose place it lies
  std::vector<bool> placed_;       ///< of each value, whether it lies in the place of a parameter that it follows
  std::vector<bool> again_;        ///< of each value, whether it is written a second time
  std::vector<Life> lives_;
};

}  // namespace octet::tpu
