/// What the lines of a readiness check look at, and the judges of each line. Internal to octet.tpu.
module octet.tpu:check_lines;
import octet.base;
import octet.compile;
import octet.graph;
import octet.standard;
import :check;
import :estimate;
import :readiness;
import :slice;

namespace octet {

/// A candidate taken to the slice: split, padded and traced as far as that goes.
struct Checked {
  const Candidate& candidate;
  const tpu::Slice& slice;
  const CheckOptions& options;

  std::vector<std::string> whole = {};   ///< arguments that each replica has whole
  std::vector<Signature> shares = {};    ///< of each call, the types that one replica is given
  std::vector<Signature> padded = {};    ///< the same in their buckets
  PaddedElements elements = {};          ///< of the arrays that a bucket names, over all calls
  std::vector<Signature> programs = {};  ///< the different ones of `padded`, in the order of their first call
  std::vector<Diagnostic> split_faults = {}, scope_faults = {}, bucket_faults = {}, trace_faults = {};

  Signature signature = {};         ///< of the largest program
  std::optional<Graph> graph = {};  ///< as traced; nothing where it cannot be
  Graph optimized = Graph{};
  double trace_seconds = 0;
  bool repeats = true;  ///< whether tracing it twice gave one program
  Place first_difference = {};
  std::vector<std::string> called = {};     ///< compiled functions that ran while it was traced
  std::vector<Tensor> called_results = {};  ///< of those that ran on this thread
  std::vector<std::string> names = {};      ///< of the program's parameters; the signature may leave out the last ones
  std::vector<bool> own = {};               ///< of each parameter: whether replicas are given different values
  std::vector<bool> fed = {};               ///< and whether that is a share of the batch
  std::vector<bool> differ = {};            ///< of each result: whether replicas may compute different ones
  std::vector<Diagnostic> disagreements = {};            ///< collectives in which replicas may not meet
  std::vector<std::optional<std::size_t>> updates = {};  ///< of each result: the parameter that it is the next value of
  std::vector<bool> by_place = {};                       ///< of each result: whether that is known by its place alone
  double recompute_seconds = 0;  ///< of a step, on what does not fit and is dropped and computed again
};

/// One replica's program as a candidate, which refers to it. Throws X709 for a name that no parameter has.
Candidate candidate_of(const Graph& program, const CheckOptions& options);

/// The name of a parameter, as options have it.
std::string name_of_parameter(const Graph& graph, std::size_t parameter);
/// A program that devices share, as one of them runs it; `options` are told what it has a share of. Throws X410 where
/// it is not known what they share, and X601 where the batch cannot be shared equally.
struct OneDevice {
  Graph graph;
  std::int64_t alike = 1, same_share = 1, same_work = 1;  ///< see Candidate
  bool own_parts = true;
};
OneDevice of_one_device(const ProgramText& program, const std::string& file, CheckOptions& options);
/// Whether devices meet in groups of some of them, as along an axis of a mesh.
bool meets_in_groups(const Graph& graph);

/// Splits, pads and traces.
Checked checked(const Candidate& candidate, const tpu::Slice& slice, const CheckOptions& options);

/// One replica's types of `call`, where it has `whole` whole. A batch that cannot be split is counted up to the next
/// that can, with a fault.
Signature share_of(const Signature& call, const std::vector<std::string>& whole, std::int64_t replicas,
                   std::vector<Diagnostic>& faults);
/// Arrays with extents that no bucket of theirs holds.
struct TooLong {
  BucketPolicy policy;
  std::int64_t dimension = 0;
  std::set<std::string> names;
  std::int64_t longest = 0;  ///< of all calls
};
/// X301, with the bucket that would hold the longest.
Diagnostic no_bucket(const TooLong& too_long);
/// `signature` in its buckets; what none holds stays as it is, and is noted in `too_long`.
Signature in_buckets(const Signature& signature, const std::vector<Bucket>& buckets, PaddedElements& elements,
                     std::vector<Diagnostic>& faults, std::vector<TooLong>& too_long);
/// Whether `name` lies below one of `arguments`.
bool lies_below_any(const std::string& name, const std::vector<std::string>& arguments);

/// Of each result, the parameter of which it is the next value: of the same type, and reached element by element, by
/// each replica's part where parts are gathered; or the result that `written_over` names for it, whatever is on the
/// way. Of several that could be, one that is not of `differ`. Parameters of `passed_over` are none.
std::vector<std::optional<std::size_t>> updates_of(const Graph& graph, const std::vector<bool>& passed_over,
                                                   const std::vector<bool>& differ,
                                                   const std::map<std::size_t, std::size_t>& written_over);
/// The parameters, by position, whose memory their next values take where what lies below `donate` is donated.
std::vector<std::size_t> written_over(const Checked& checked, const std::vector<std::string>& donate);
/// For each result whether it is marked, where the parameters of which `from` holds are: the outputs of a node are
/// where `follows(node, any)` says so, of which `any` says whether an input is; of a cond or a loop, whether what
/// decides it is.
std::vector<bool> followed(const Graph& graph, std::vector<bool> from,
                           const std::function<bool(const Node&, bool)>& follows);
/// Whether `parameter` goes into `result` alone, element by element: a count or a moving average, which nothing learns
/// from.
bool only_kept(const Graph& graph, std::size_t parameter, std::size_t result);
/// Whether something is computed a second time from what lies behind a barrier, as by a checkpoint: equal operations on
/// equal operands are one otherwise.
bool computes_again(const Graph& graph);
/// Whether `graph` makes random bits by the tensor, as dropout does.
bool makes_bits(const Graph& graph);
/// Whether collectives in the body of a loop wait for those of the turn before.
bool feeds_itself(const Graph& body);
/// For each result whether replicas may compute different ones, where the parameters of which `own` holds differ
/// between them. Collectives under a condition that replicas disagree about are noted in `faults`.
std::vector<bool> differing_results(const Graph& graph, std::vector<bool> own, std::vector<Diagnostic>& faults);
/// X611 where collectives that wait for one another take much longer than one would.
std::vector<Diagnostic> many_collectives(const Checked& checked);
/// `graph` as it is priced: with f32 precision, products take six passes.
Graph priced(const Graph& graph, Precision precision);
/// A step as it is priced, where activations are stored so; without what is recomputed.
tpu::ProgramEstimate estimated(const Checked& checked, DType activations);
/// The bytes of f32 that a replica's gradients take while parts of a batch are added up: of all that is reduced over
/// replicas.
double gradient_bytes(const Checked& checked);
/// The replicas that the groups of a program's collectives name: one more than the largest number; 0 without groups.
std::int64_t named_replicas(const Graph& graph);
/// What a step that stores activations so takes for recomputing what does not fit into a replica's memory, or where
/// nothing helps, all that can be; 0 where all fits.
double recompute_seconds(const Checked& checked, DType activations);
/// Collectives of one operation within the same groups, as one.
struct JoinedCollectives {
  Op op = Op::all_reduce;
  ReplicaGroups groups;
  double bytes = 0;  ///< of their operands
};
/// Joins `more` to those of its kind.
void join(std::vector<JoinedCollectives>& kinds, const JoinedCollectives& more);
double bytes_of(const std::vector<JoinedCollectives>& kinds);
/// Seconds for one of each kind, each of which takes `start` to begin.
double seconds_of(const std::vector<JoinedCollectives>& kinds, const tpu::Slice& slice, double start = 0);
/// The examples that one replica is given at once: the leading extent that all split arrays share; 0 where they share
/// none.
std::int64_t examples_of(const Checked& checked);
/// Calls `visit(node)` for each node, those of regions included.
void for_each_node(const Graph& graph, const auto& visit) {
  for (const Node& node : graph.nodes()) {
    visit(node);
    for (const Graph& region : node.regions) for_each_node(region, visit);
  }
}

/// The judges, one for each line; what is left empty of a line is filled in by `check`.
using Judge = CheckLine (*)(const Checked&);
CheckLine judge_rule_1(const Checked& checked);
CheckLine judge_rule_2(const Checked& checked);
CheckLine judge_rule_3(const Checked& checked);
CheckLine judge_compiles(const Checked& checked);
CheckLine judge_data(const Checked& checked);
CheckLine judge_pipeline(const Checked& checked);
CheckLine judge_scope(const Checked& checked);
CheckLine judge_inner_jit(const Checked& checked);
CheckLine judge_batch(const Checked& checked);
CheckLine judge_gradients(const Checked& checked);
CheckLine judge_memory(const Checked& checked);
CheckLine judge_matrix_unit(const Checked& checked);
CheckLine judge_precision(const Checked& checked);
CheckLine judge_time(const Checked& checked);
CheckLine judge_input(const Checked& checked);

/// A line that cannot be judged, and why.
CheckLine not_judged(std::string reason, std::vector<std::string> cure = {});
/// A line with faults: their first sentence is the finding, the fixes of all are the cure.
CheckLine with_faults(Verdict verdict, std::vector<Diagnostic> faults);
/// The same for a program that could not be traced.
CheckLine not_traced(const Checked& checked);

/// `1,200`.
std::string number_text(double number);
/// `1 call`, `1,200 calls`.
std::string counted(double number, const std::string& one, const std::string& many = {});
/// `3.2 GB`; `12.5 ms`; `14 %`.
std::string bytes_text(double bytes);
/// `bytes` with as many digits as tell it from `other`.
std::string bytes_text_beside(double other, double bytes);
std::string seconds_text(double seconds);
std::string percent_text(double share);

}  // namespace octet
