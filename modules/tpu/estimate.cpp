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

/// Products of one shape are of two kinds where they take another number of passes.
using Key = std::tuple<std::string, Bound, std::int64_t>;
Key key(const OperationTotal& total) { return {total.description, total.bound, total.product.passes}; }

}  // namespace

ProgramEstimate estimate(const Graph& graph, const Slice& slice, const EstimateOptions& options) {
  return estimate(fused(graph, options.fuse), slice, options);
}

ProgramEstimate estimate(const FusedProgram& program, const Slice& slice, const EstimateOptions& options) {
  require_made(slice);
  const Core core = options.megacore ? core_of(slice.chip, true) : core_of(slice);
  const std::vector<OperationCost> each = costs(program, slice, core, options.costing);
  const std::vector<TensorType> types = stored_types(program, options.costing.activations);
  ProgramEstimate result;
  std::map<Key, std::size_t> known;
  for (std::size_t i = 0; i < each.size(); ++i) {
    const FusedOperation& operation = program.operations[i];
    if (operation.kind == FusedOperation::Kind::handover) continue;
    const double repeats = operation.repeats, seconds = repeats * each[i].seconds();
    result.seconds += seconds;
    result.bound_seconds[static_cast<std::size_t>(each[i].bound)] += seconds;
    result.flops += repeats * each[i].flops;
    result.padded_flops += repeats * each[i].padded_flops;
    result.bytes += repeats * each[i].bytes;
    result.vector_operations += repeats * operation.vector_operations;
    const auto [at, is_new] =
        known.try_emplace({operation.description, each[i].bound, operation.product.passes}, result.operations.size());
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
  std::sort(result.operations.begin(), result.operations.end(), [](const OperationTotal& a, const OperationTotal& b) {
    return a.seconds != b.seconds ? a.seconds > b.seconds : key(a) < key(b);
  });
  result.memory = memory_need(program, types);
  result.recomputed = recomputed_needs(program, types, each);
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
