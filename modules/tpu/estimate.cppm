/// The estimate of a program: how long one run takes on a slice, what bounds it, what memory it needs and where it
/// wastes.
export module octet.tpu:estimate;
import octet.base;
import octet.graph;
import octet.standard;
import :chip;
import :constants;
import :cost;
import :fused;
import :memory;
import :slice;

export namespace octet::tpu {

struct EstimateOptions {
  Costing costing = {};
  FuseOptions fuse = {};
  bool megacore = false;  ///< a replica for each chip instead of each core
};

/// Operations of one kind and shape, together.
struct OperationTotal {
  std::string description;
  Place place;
  Bound bound = Bound::memory;
  bool is_product = false;
  Product product = {};
  double count = 0;
  double seconds = 0, flops = 0, padded_flops = 0, bytes = 0;
};

/// Seconds, flops and bytes of one replica.
struct ProgramEstimate {
  double seconds = 0;
  double bound_seconds[5] = {};  ///< by Bound: the time of the operations that it bounds
  double flops = 0, padded_flops = 0, bytes = 0, vector_operations = 0;
  std::vector<OperationTotal> operations;  ///< those that take longest first
  MemoryNeed memory;                       ///< with nothing recomputed
  std::vector<MemoryNeed> recomputed;      ///< with more and more recomputed: see recomputed_needs
};

/// What one run of `graph` takes on each replica of `slice`. The graph is that of one replica, as traced or after
/// `optimize`.
///
///     const Graph step = optimize(trace(train_step, ...).graph);
///     const auto run = tpu::estimate(step, tpu::slice("v3-8"));
///     // run.seconds, run.memory.peak, run.operations.front().description
ProgramEstimate estimate(const Graph& graph, const Slice& slice, const EstimateOptions& options = {});

/// The same of a program as it is compiled, fused with `options.fuse`.
ProgramEstimate estimate(const FusedProgram& program, const Slice& slice, const EstimateOptions& options = {});

/// A dimension of a product that is filled up, and what that costs.
struct Waste {
  std::string description;  ///< of the product
  char dimension = 'k';     ///< m, n or k of [m, k] x [k, n]
  std::int64_t extent = 0, padded = 0;
  double seconds = 0;  ///< of a run, that go into padding
};
/// The products of `estimate` bound by the matrix unit whose padding costs at least `least_share` of the run; the worst
/// first.
std::vector<Waste> waste_of(const ProgramEstimate& estimate, const Core& core, double least_share = 0.005);

}  // namespace octet::tpu
