/// Loops and branches as operations one after the other, and where what they carry lies.
module octet.tpu;
import octet.base;
import octet.graph;
import octet.standard;
import :fused;

namespace octet::tpu {

namespace {

constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

/// The value that `id` is, before the loops that hand it on as it is.
ValueId before_loops(const Graph& graph, ValueId id) {
  for (;;) {
    const Node* node = graph.definition(id);
    if (!node || node->op != Op::while_) return id;
    const auto e =
        static_cast<std::size_t>(std::find(node->outputs.begin(), node->outputs.end(), id) - node->outputs.begin());
    const Graph& body = node->regions[1];
    if (before_loops(body, body.results()[e]) != body.parameters()[e]) return id;
    id = node->inputs[e];
  }
}

FusedOperation handover(std::string description, const Node& control, int nesting) {
  FusedOperation made;
  made.kind = FusedOperation::Kind::handover;
  made.description = std::move(description);
  made.place = control.place;
  made.nesting = nesting;
  return made;
}

void read_whole(FusedOperation& operation, ValueId id) {
  if (contains(operation.reads, id)) return;
  operation.reads.push_back(id);
  operation.read_shares.push_back(1);
}

/// Adds the regions of one node to a program.
class Regions {
 public:
  Regions(FusedProgram& program, const Graph& graph, const Node& control, std::vector<Given> operands,
          const FuseOptions& options, InMemory& in_memory)
      : program_{program},
        graph_{graph},
        control_{control},
        operands_{std::move(operands)},
        options_{options},
        in_memory_{in_memory} {
    find_what_lies();
  }

  void add_loop() {
    const std::vector<bool> handed = handed_on(control_);
    FuseOptions own = options_;
    own.donated.clear();
    for (std::size_t e = 0; e < handed.size(); ++e) own.donated.push_back(e);
    FusedProgram body = fused(control_.regions[1], own);
    std::vector<ValueId> names = added(body);
    FusedOperation begin = handover("the state of a loop", control_, 1),
                   end = handover("what a loop leaves", control_, -1);
    for (std::size_t e = 0; e < handed.size(); ++e)
      if (handed[e]) {
        names[at(body.parameters[e])] = operands_[e].id;
        if (lies_in_memory(operands_[e].id)) read_whole(end, operands_[e].id);
      }
    for (std::size_t e = 0; e < handed.size(); ++e)
      if (!handed[e]) {
        const Given& from = operands_[e];
        const bool gives_place = from.dies && !contains(end.reads, from.id) && !contains(begin.over, from.id);
        give(begin, gives_place, from.id, names[at(body.parameters[e])], 1);
      }
    program_.operations.push_back(begin);
    const std::size_t first = program_.operations.size();
    const double turns = rounds();
    append(body, names, turns);
    find_uses(first);
    for (std::size_t e = 0; e < handed.size(); ++e)
      if (!handed[e]) {
        const ValueId state = names[at(body.parameters[e])], next = names[at(body.results[e])];
        give(end, !contains(end.over, next) && lies_in(state, next), next, control_.outputs[e], turns);
      }
    program_.operations.push_back(end);
  }

  void add_branch() {
    const std::vector<Given> given{operands_.begin() + 1, operands_.end()};
    const auto alone = [&](const Given& each) {
      return std::count_if(given.begin(), given.end(), [&](const Given& other) { return other.id == each.id; }) == 1;
    };
    FuseOptions own = options_;
    own.donated.clear();
    for (std::size_t j = 0; j < given.size(); ++j)
      if (given[j].dies && alone(given[j])) own.donated.push_back(j);
    FusedProgram branch = fused(control_.regions[0], own);
    if (FusedProgram other = fused(control_.regions[1], own); work(other) >= work(branch)) branch = std::move(other);
    std::vector<ValueId> names = added(branch);
    for (std::size_t j = 0; j < given.size(); ++j) names[at(branch.parameters[j])] = given[j].id;
    append(branch, names, 1);
    find_what_lies();
    FusedOperation end = handover("what a branch leaves", control_, 0);
    for (std::size_t e = 0; e < control_.outputs.size(); ++e) {
      const ValueId id = names[at(branch.results[e])];
      const auto known = std::find_if(given.begin(), given.end(), [&](const Given& each) { return each.id == id; });
      give(end, !contains(end.over, id) && (known == given.end() || known->dies), id, control_.outputs[e], 1);
    }
    program_.operations.push_back(end);
  }

 private:
  static std::size_t at(ValueId id) { return static_cast<std::size_t>(id); }

  /// Tensors of `part` behind those of the program: what ids in `part` name there.
  std::vector<ValueId> added(const FusedProgram& part) {
    std::vector<ValueId> names;
    for (const TensorType& type : part.tensors) {
      names.push_back(static_cast<ValueId>(program_.tensors.size()));
      program_.tensors.push_back(type);
    }
    return names;
  }

  void append(FusedProgram& part, const std::vector<ValueId>& names, double rounds) {
    for (FusedOperation& operation : part.operations) {
      for (auto* list : {&operation.reads, &operation.writes, &operation.over, &operation.drawn, &operation.elsewhere})
        for (ValueId& id : *list)
          if (id >= 0) id = names[at(id)];
      operation.repeats *= rounds;
      program_.operations.push_back(std::move(operation));
    }
  }

  void find_what_lies() {
    auto& [each, counted] = in_memory_;
    each.resize(program_.tensors.size(), false);
    if (counted == 0)
      for (const ValueId id : program_.parameters) each[at(id)] = true;
    for (; counted < program_.operations.size(); ++counted)
      for (const ValueId id : program_.operations[counted].writes) each[at(id)] = true;
  }

  /// Who writes and reads what from operation `first` on.
  void find_uses(std::size_t first) {
    find_what_lies();
    for (std::size_t i = first; i < program_.operations.size(); ++i) {
      for (const ValueId id : program_.operations[i].writes) writer_[id] = i;
      for (const ValueId id : program_.operations[i].reads) last_reader_[id] = i;
    }
  }

  /// Small constants are in no place of memory.
  bool lies_in_memory(ValueId id) const { return in_memory_.each[at(id)]; }

  /// `handed` gives `to` the place of `from`, or that of a copy, which is made in so many rounds.
  void give(FusedOperation& handed, bool gives_place, ValueId from, ValueId to, double rounds) {
    constexpr std::int64_t small = 1024;
    handed.writes.push_back(to);
    handed.over.push_back(-1);
    if (!lies_in_memory(from)) return;
    if (!gives_place) {
      const TensorType type = program_.tensors[at(from)];
      if (type.shape.elements() <= small) return read_whole(handed, from);
      FusedOperation copy;
      copy.kind = FusedOperation::Kind::movement;
      copy.description = "copy " + to_string(type);
      copy.place = control_.place;
      copy.repeats = rounds;
      read_whole(copy, from);
      from = static_cast<ValueId>(program_.tensors.size());
      program_.tensors.push_back(type);
      copy.writes = {from};
      program_.operations.push_back(std::move(copy));
    }
    read_whole(handed, from);
    handed.over.back() = from;
  }

  /// Whether the body computes `next` in the place of `state`: it reads that before, or element by element as it
  /// writes.
  bool lies_in(ValueId state, ValueId next) const {
    if (next == state) return true;
    const auto place = [](const std::unordered_map<ValueId, std::size_t>& of, ValueId id) {
      const auto found = of.find(id);
      return found == of.end() ? nowhere : found->second;
    };
    const std::size_t writer = place(writer_, next), reader = place(last_reader_, state);
    if (writer == nowhere || reader == nowhere || reader != writer)
      return writer != nowhere && (reader == nowhere || reader < writer);
    const FusedOperation& each = program_.operations[writer];
    if (contains(each.over, state)) return true;
    return (each.kind == FusedOperation::Kind::loop || each.kind == FusedOperation::Kind::product) &&
           !contains(each.elsewhere, state);
  }

  double rounds() const {
    const std::int64_t turns = trip_count(graph_, control_);
    return turns >= 0 ? static_cast<double>(turns) : 1;
  }

  static double work(const FusedProgram& part) {
    double sum = 0;
    for (const FusedOperation& each : part.operations)
      sum += each.vector_operations +
             static_cast<double>(each.product.batch * each.product.m * each.product.n * each.product.k) / 64;
    return sum;
  }

  FusedProgram& program_;
  const Graph& graph_;
  const Node& control_;
  std::vector<Given> operands_;
  const FuseOptions& options_;
  InMemory& in_memory_;
  std::unordered_map<ValueId, std::size_t> writer_, last_reader_;  ///< in the region alone
};

}  // namespace

std::vector<bool> handed_on(const Node& loop) {
  const Graph& body = loop.regions[1];
  std::vector<bool> result;
  for (std::size_t e = 0; e < loop.outputs.size(); ++e)
    result.push_back(before_loops(body, body.results()[e]) == body.parameters()[e]);
  return result;
}

void add_regions(FusedProgram& program, const Graph& graph, const Node& control, std::vector<Given> operands,
                 const FuseOptions& options, InMemory& in_memory) {
  Regions regions{program, graph, control, std::move(operands), options, in_memory};
  if (control.op == Op::while_)
    regions.add_loop();
  else
    regions.add_branch();
}

}  // namespace octet::tpu
