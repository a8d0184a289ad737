module;
#include <cstdint>
module octet.tpu;
import octet.base;
import octet.graph;
import octet.standard;
import :chip;
import :collective;
import :constants;
import :cost;
import :fused;
import :slice;

namespace octet::tpu {

namespace {

constexpr std::int64_t sublanes = 8, lanes = 128;

std::int64_t rounded_up(std::int64_t n, std::int64_t to) { return (n + to - 1) / to * to; }

/// How much of each access stays on the chip. A tensor is held in on-chip memory, as much of it as there is room for,
/// from where it is written to the reads that follow soon; it is written to memory as well where it is read later.
class OnChip {
 public:
  OnChip(const FusedProgram& program, const std::vector<TensorType>& types, double capacity)
      : types_{types}, capacity_{capacity} {
    if (capacity <= 0) return;
    written_.assign(types.size(), SIZE_MAX);
    last_.assign(types.size(), 0);
    for (std::size_t i = 0; i < program.operations.size(); ++i) {
      for (const ValueId id : program.operations[i].reads) last_[static_cast<std::size_t>(id)] = i;
      // What lies in the place of another is where that is: an update writes a few of its rows, a handover nothing.
      const FusedOperation& operation = program.operations[i];
      for (std::size_t w = 0; w < operation.writes.size(); ++w) {
        const ValueId over = operation.over.empty() ? -1 : operation.over[w];
        written_[static_cast<std::size_t>(operation.writes[w])] =
            over >= 0 ? written_[static_cast<std::size_t>(over)] : i;
      }
    }
    for (const ValueId id : program.results) last_[static_cast<std::size_t>(id)] = SIZE_MAX;
  }
  /// The share of `id` that operation `i` reads from on-chip memory.
  double read(ValueId id, std::size_t i) const {
    const auto v = static_cast<std::size_t>(id);
    return capacity_ <= 0 || written_[v] == SIZE_MAX || i > written_[v] + soon ? 0 : share(v);
  }
  /// The share of `id` that is written there alone.
  double write(ValueId id) const {
    const auto v = static_cast<std::size_t>(id);
    return capacity_ <= 0 || written_[v] == SIZE_MAX || last_[v] > written_[v] + soon ? 0 : share(v);
  }

 private:
  static constexpr std::size_t soon = 8;  // operations
  double share(std::size_t v) const { return std::min(1.0, capacity_ / std::max(1.0, tiled_bytes(types_[v]))); }

  const std::vector<TensorType>& types_;
  double capacity_;
  std::vector<std::size_t> written_, last_;
};

/// The gradients of which `stored_types` speaks.
std::vector<bool> gradients_of(const FusedProgram& program) {
  using Kind = FusedOperation::Kind;
  const auto sums = [](const FusedOperation& operation) {
    return operation.kind == Kind::collective &&
           (operation.collective == Op::all_reduce || operation.collective == Op::reduce_scatter);
  };
  const auto at = [](ValueId id) { return static_cast<std::size_t>(id); };
  const auto elements = [&](ValueId id) { return program.tensors[at(id)].shape.elements(); };
  const auto follows = [&](const FusedOperation& operation, std::size_t write, ValueId read) {
    if (operation.kind == Kind::handover) return operation.over[write] == read;
    return operation.kind == Kind::collective ||
           (operation.kind != Kind::product && elements(operation.writes[write]) == elements(read));
  };
  std::vector<bool> summed(program.tensors.size(), false), ends = summed, result = summed;
  if (std::none_of(program.operations.begin(), program.operations.end(), sums)) return result;
  for (const FusedOperation& operation : program.operations)
    for (std::size_t w = 0; w < operation.writes.size(); ++w)
      summed[at(operation.writes[w])] =
          sums(operation) || std::any_of(operation.reads.begin(), operation.reads.end(),
                                         [&](ValueId read) { return summed[at(read)] && follows(operation, w, read); });
  for (const ValueId id : program.results) ends[at(id)] = true;
  for (auto operation = program.operations.rbegin(); operation != program.operations.rend(); ++operation)
    for (std::size_t w = 0; w < operation->writes.size(); ++w) {
      const bool ended = ends[at(operation->writes[w])];
      for (const ValueId read : operation->reads)
        if (ended && follows(*operation, w, read)) {
          ends[at(read)] = true;
          if (sums(*operation)) result[at(read)] = true;
        }
    }
  for (std::size_t v = 0; v < result.size(); ++v) result[v] = result[v] || (summed[v] && ends[v]);
  return result;
}

/// The types in memory, where what `outside` has stays as it is.
std::vector<TensorType> narrowed(const FusedProgram& program, DType activations, std::vector<bool> outside) {
  std::vector<TensorType> types = program.tensors;
  for (const auto* list : {&program.parameters, &program.results})
    for (const ValueId id : *list) outside[static_cast<std::size_t>(id)] = true;
  // What lies in the place of one of these, or will be one, is stored alike; so is a loop's state from round to round.
  std::vector<std::pair<std::size_t, std::size_t>> alike;
  std::vector<const FusedOperation*> open;
  for (const FusedOperation& operation : program.operations) {
    for (std::size_t w = 0; w < operation.over.size(); ++w) {
      if (operation.over[w] < 0) continue;
      const auto over = static_cast<std::size_t>(operation.over[w]);
      alike.emplace_back(over, static_cast<std::size_t>(operation.writes[w]));
      if (operation.nesting < 0) alike.emplace_back(static_cast<std::size_t>(open.back()->writes[w]), over);
    }
    if (operation.nesting > 0) open.push_back(&operation);
    if (operation.nesting < 0) open.pop_back();
  }
  for (bool changed = true; changed;) {
    changed = false;
    const auto join = [&](const std::pair<std::size_t, std::size_t>& each) {
      changed = changed || outside[each.first] != outside[each.second];
      outside[each.first] = outside[each.second] = outside[each.first] || outside[each.second];
    };
    std::for_each(alike.begin(), alike.end(), join);
    std::for_each(alike.rbegin(), alike.rend(), join);
  }
  for (std::size_t v = 0; v < types.size(); ++v)
    if (!outside[v] && types[v].dtype == DType::f32 && types[v].shape.rank() >= 2) types[v].dtype = activations;
  return types;
}

double operand_bytes(const FusedOperation& collective, const std::vector<TensorType>& types) {
  double bytes = 0;
  for (const ValueId id : collective.reads) bytes += static_cast<double>(types[static_cast<std::size_t>(id)].bytes());
  return bytes;
}

/// Of each collective, the bytes of all that it is joined with: of one kind, and with as many collectives before them.
std::vector<double> joined_bytes(const FusedProgram& program, const std::vector<TensorType>& types) {
  struct Joined {
    std::size_t loop, before;
    const FusedOperation* first;
    double bytes;
  };
  std::vector<Joined> rounds;
  std::vector<std::size_t> round_of(program.operations.size(), SIZE_MAX);
  std::vector<std::size_t> before(types.size(), 0);  // of each value, the most collectives in a chain of them
  std::vector<std::size_t> loops{0};                 // that are open
  for (std::size_t i = 0; i < program.operations.size(); ++i) {
    const FusedOperation& operation = program.operations[i];
    std::size_t most = 0;
    for (const ValueId id : operation.reads) most = std::max(most, before[static_cast<std::size_t>(id)]);
    if (operation.kind == FusedOperation::Kind::collective && !alone(operation.groups)) {
      std::size_t round = 0;
      while (round < rounds.size() && !(rounds[round].loop == loops.back() && rounds[round].before == most &&
                                        rounds[round].first->collective == operation.collective &&
                                        rounds[round].first->groups == operation.groups))
        ++round;
      if (round == rounds.size()) rounds.push_back({loops.back(), most, &operation, 0});
      rounds[round].bytes += operand_bytes(operation, types);
      round_of[i] = round;
      ++most;
    }
    for (const ValueId id : operation.writes) before[static_cast<std::size_t>(id)] = most;
    if (operation.nesting > 0) loops.push_back(i + 1);
    if (operation.nesting < 0) loops.pop_back();
  }
  std::vector<double> bytes(program.operations.size(), 0);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    if (round_of[i] != SIZE_MAX) bytes[i] = rounds[round_of[i]].bytes;
  return bytes;
}

}  // namespace

std::string_view name(Bound bound) {
  constexpr std::array<std::string_view, 5> names{"matrix unit", "vector unit", "memory", "interconnect", "start"};
  return names[static_cast<std::size_t>(bound)];
}

double OperationCost::seconds() const { return std::max({matrix, vector, memory, interconnect}) + start; }

double tiled_bytes(const TensorType& type) {
  const Shape& shape = type.shape;
  const auto size = static_cast<double>(size_of(type.dtype)), elements = static_cast<double>(shape.elements());
  if (shape.rank() == 0) return size;
  if (shape.rank() == 1) return static_cast<double>(rounded_up(shape[0], lanes)) * size;
  double least = 0;
  bool first = true;
  for (std::int64_t row = 0; row < shape.rank(); ++row)
    for (std::int64_t column = 0; column < shape.rank(); ++column) {
      if (row == column || shape[row] == 0 || shape[column] == 0) continue;
      const double padded = elements / static_cast<double>(shape[row] * shape[column]) *
                            static_cast<double>(rounded_up(shape[row], sublanes) * rounded_up(shape[column], lanes)) *
                            size;
      if (first || padded < least) least = padded;
      first = false;
    }
  return least;
}

Product padded(const Product& product, std::int64_t size) {
  const auto filled = [&](std::int64_t m, std::int64_t n) {
    Product result = product;
    result.m = rounded_up(product.m, m);
    result.n = rounded_up(product.n, n);
    result.k = rounded_up(product.k, size);
    return result;
  };
  const auto area = [](const Product& p) { return static_cast<double>(p.m) * static_cast<double>(p.n); };
  const Product m_streams = filled(sublanes, size), n_streams = filled(size, sublanes);
  return area(n_streams) < area(m_streams) ? n_streams : m_streams;
}

double padded_flops(const Product& product, std::int64_t size) {
  const Product p = padded(product, size);
  return 2.0 * p.passes * static_cast<double>(p.batch) * static_cast<double>(p.m) * static_cast<double>(p.n) *
         static_cast<double>(p.k);
}

std::vector<TensorType> stored_types(const FusedProgram& program, DType activations) {
  if (activations == DType::f32) return program.tensors;
  return narrowed(program, activations, gradients_of(program));
}

std::vector<TensorType> narrowed_types(const FusedProgram& program, DType activations) {
  return narrowed(program, activations, std::vector<bool>(program.tensors.size(), false));
}

std::vector<OperationCost> costs(const FusedProgram& program, const Slice& slice, const Core& core,
                                 const Costing& costing) {
  const CostConstants& constants = costing.constants;
  const std::vector<TensorType> types = stored_types(program, costing.activations);
  const OnChip on_chip{program, types, core.scratch_bytes * constants.scratch_turns};
  const std::vector<double> joined = costing.joins_collectives ? joined_bytes(program, types) : std::vector<double>{};
  std::vector<OperationCost> result;
  for (std::size_t i = 0; i < program.operations.size(); ++i) {
    const FusedOperation& operation = program.operations[i];
    OperationCost cost;
    if (operation.kind == FusedOperation::Kind::handover) {
      result.push_back(cost);
      continue;
    }
    const auto bytes = [&](ValueId id) { return tiled_bytes(types[static_cast<std::size_t>(id)]); };
    for (std::size_t r = 0; r < operation.reads.size(); ++r)
      cost.bytes += operation.read_shares[r] * (1 - on_chip.read(operation.reads[r], i)) * bytes(operation.reads[r]);
    for (const ValueId id : operation.writes) cost.bytes += operation.write_share * (1 - on_chip.write(id)) * bytes(id);
    if (operation.kind == FusedOperation::Kind::product) {
      const Product& p = operation.product;
      cost.flops = 2.0 * static_cast<double>(p.batch) * static_cast<double>(p.m) * static_cast<double>(p.n) *
                   static_cast<double>(p.k);
      cost.padded_flops = padded_flops(p, core.matrix_unit_size);
      cost.matrix = costing.slowdown * cost.padded_flops / (core.peak * constants.matrix_efficiency);
    }
    cost.vector = costing.slowdown * operation.vector_operations / core.vector_peak;
    cost.memory = costing.slowdown * cost.bytes / (core.hbm_bandwidth * constants.hbm_efficiency);
    cost.start = constants.operation_seconds;
    if (operation.kind == FusedOperation::Kind::collective) {
      if (alone(operation.groups)) {  // each replica meets itself
        result.emplace_back();
        continue;
      }
      const double own = operand_bytes(operation, types), together = joined.empty() ? own : joined[i];
      const double share = together > 0 ? own / together : 1;
      cost.interconnect =
          share * collective_seconds(operation.collective, together, operation.groups, slice, constants);
      cost.start *= share;
    }
    const double slowest = std::max({cost.matrix, cost.vector, cost.memory, cost.interconnect});
    cost.bound = slowest < cost.start           ? Bound::start
                 : slowest == cost.interconnect ? Bound::interconnect
                 : slowest == cost.matrix       ? Bound::matrix_unit
                 : slowest == cost.memory       ? Bound::memory
                                                : Bound::vector_unit;
    result.push_back(cost);
  }
  return result;
}

}  // namespace octet::tpu
