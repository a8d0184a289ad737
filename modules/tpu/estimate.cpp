module octet.tpu;
import octet.base;
import octet.graph;
import octet.standard;
import :chip;
import :cost;
import :estimate;
import :fused;
import :memory;
import :slice;

namespace octet::tpu {

namespace {

using Key = std::pair<std::string, Bound>;
Key key(const OperationTotal& total) { return {total.description, total.bound}; }

void slowest_first(std::vector<OperationTotal>& operations) {
  std::sort(operations.begin(), operations.end(), [](const OperationTotal& a, const OperationTotal& b) {
    return a.seconds != b.seconds ? a.seconds > b.seconds : key(a) < key(b);
  });
}

}  // namespace

ProgramEstimate estimate(const Graph& graph, const Slice& slice, const EstimateOptions& options) {
  const FusedProgram program = fused(graph, options.fuse);
  const Core core = core_of(slice.chip, options.megacore);
  const std::vector<OperationCost> each = costs(program, slice, core, options.costing);
  const std::vector<TensorType> types = stored_types(program, options.costing.activations);
  ProgramEstimate result;
  std::map<Key, std::size_t> known;
  for (std::size_t i = 0; i < each.size(); ++i) {
    const FusedOperation& operation = program.operations[i];
    const double repeats = operation.repeats, seconds = repeats * each[i].seconds();
    result.seconds += seconds;
    result.bound_seconds[static_cast<std::size_t>(each[i].bound)] += seconds;
    result.flops += repeats * each[i].flops;
    result.padded_flops += repeats * each[i].padded_flops;
    result.bytes += repeats * each[i].bytes;
    result.vector_operations += repeats * operation.vector_operations;
    const auto [at, is_new] = known.try_emplace({operation.description, each[i].bound}, result.operations.size());
    if (is_new)
      result.operations.push_back({operation.description, operation.place, each[i].bound,
                                   operation.kind == FusedOperation::Kind::product, operation.product});
    OperationTotal& total = result.operations[at->second];
    total.count += repeats;
    total.seconds += seconds;
    total.flops += repeats * each[i].flops;
    total.padded_flops += repeats * each[i].padded_flops;
    total.bytes += repeats * each[i].bytes;
  }
  slowest_first(result.operations);
  result.memory = memory_need(program, types, each);
  result.rates = recompute_rates(program, types, each);
  for (const double rate : result.rates) result.recomputed.push_back(memory_need(program, types, each, rate));
  return result;
}

ProgramEstimate extrapolated(const ProgramEstimate& a, const ProgramEstimate& b, std::int64_t few,
                             std::int64_t layers) {
  const auto more = static_cast<double>(layers - few);
  const auto line = [&](double at_a, double at_b) { return at_a + more * (at_b - at_a); };
  ProgramEstimate result;
  result.seconds = line(a.seconds, b.seconds);
  for (std::size_t i = 0; i < 5; ++i) result.bound_seconds[i] = line(a.bound_seconds[i], b.bound_seconds[i]);
  result.flops = line(a.flops, b.flops);
  result.padded_flops = line(a.padded_flops, b.padded_flops);
  result.bytes = line(a.bytes, b.bytes);
  result.vector_operations = line(a.vector_operations, b.vector_operations);
  std::map<Key, const OperationTotal*> before;
  for (const OperationTotal& total : a.operations) before[key(total)] = &total;
  for (const OperationTotal& total : b.operations) {
    const auto at = before.find(key(total));
    const OperationTotal none{};
    const OperationTotal& from = at == before.end() ? none : *at->second;
    OperationTotal grown = total;
    grown.count = line(from.count, total.count);
    grown.seconds = line(from.seconds, total.seconds);
    grown.flops = line(from.flops, total.flops);
    grown.padded_flops = line(from.padded_flops, total.padded_flops);
    grown.bytes = line(from.bytes, total.bytes);
    result.operations.push_back(std::move(grown));
  }
  slowest_first(result.operations);
  const auto need = [&](const MemoryNeed& x, const MemoryNeed& y) {
    MemoryNeed grown;
    grown.parameters = line(x.parameters, y.parameters);
    grown.results = line(x.results, y.results);
    grown.temporaries = line(x.temporaries, y.temporaries);
    grown.peak = line(x.peak, y.peak);
    grown.recompute_seconds = line(x.recompute_seconds, y.recompute_seconds);
    grown.largest = y.largest;
    return grown;
  };
  result.memory = need(a.memory, b.memory);
  // At a rate that both have, both recompute the same of each layer.
  for (std::size_t i = 0; i < b.rates.size(); ++i)
    for (std::size_t j = 0; j < a.rates.size(); ++j)
      if (std::fabs(a.rates[j] - b.rates[i]) <= 1e-9 * b.rates[i]) {
        result.rates.push_back(b.rates[i]);
        result.recomputed.push_back(need(a.recomputed[j], b.recomputed[i]));
        break;
      }
  return result;
}

std::vector<Waste> waste_of(const ProgramEstimate& estimate, const Core& core, double least_share) {
  std::vector<Waste> result;
  for (const OperationTotal& total : estimate.operations) {
    if (!total.is_product || total.bound != Bound::matrix_unit || total.flops <= 0) continue;
    const Product& p = total.product;
    const Product filled = padded(p, core.matrix_unit_size);
    const Waste candidates[] = {{total.description, 'k', p.k, filled.k},
                                {total.description, 'm', p.m, filled.m},
                                {total.description, 'n', p.n, filled.n}};
    for (Waste waste : candidates) {
      waste.seconds = total.seconds * (1 - static_cast<double>(waste.extent) / static_cast<double>(waste.padded));
      if (waste.seconds >= least_share * estimate.seconds && waste.padded > waste.extent)
        result.push_back(std::move(waste));
    }
  }
  std::sort(result.begin(), result.end(), [](const Waste& a, const Waste& b) {
    return a.seconds != b.seconds ? a.seconds > b.seconds
                                  : std::pair{a.description, a.dimension} < std::pair{b.description, b.dimension};
  });
  return result;
}

}  // namespace octet::tpu
