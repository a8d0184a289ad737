/// jit: a traced function as one to call with data, compiled once for each signature.
module;

#include "../trace/refused.hpp"
export module octet.compile:jit;
import octet.base;
import octet.graph;
import octet.standard;
import octet.trace;
import :buckets;
import :cache;
import :executable;
import :host_runs;
export import :host_values;
import :options;
export import :padding_check;
export import :seen_shapes;

export namespace octet {

/// When recompiles are worth a word: from so many compiles on that no warm-up asked for, once they take such a share of
/// the time.
struct AlarmThreshold {
  std::uint64_t compiles = 10;
  double share = 0.25;  ///< of compiling in compiling and running together
};

struct JitOptions {
  CompileOptions compile = {};
  std::vector<Bucket> buckets = {};
  std::vector<std::string> argument_names = {};  ///< in order; arguments without one are arg0, arg1, …
  /// Arguments, by name, or parts of them whose buffers the results may take. Move them in; a tensor that someone else
  /// still holds is copied first.
  std::vector<std::string> donated = {};
  std::size_t max_programs = 64;  ///< at least 1
  WhenFull when_full = WhenFull::evict;
  std::size_t max_bytes = std::size_t{1} << 30;  ///< by `weight`
  Threads* threads = nullptr;                    ///< shared by all calls; without them, the calling thread alone
  /// Called on the thread that compiled; may be called by several threads at once.
  std::function<void(const CompileEvent&)> on_compile = {};
  std::function<void(const EvictEvent&)> on_evict = {};
  /// Called as on_compile is, with X302 once when compiles keep coming, and X306 once when an evicted program is traced
  /// otherwise.
  std::function<void(const Diagnostic&)> on_alarm = {};
  AlarmThreshold alarm = {};
  std::string name = "main";  ///< of the programs, for events and printed graphs
};

/// What a warm-up did.
struct WarmUp {
  std::size_t compiled = 0;  ///< programs
  std::size_t known = 0;     ///< that were there already
  double milliseconds = 0;
};

/// What `jit` and its like rest on: pads calls to their buckets, and finds or makes programs for them. May be used by
/// several threads at once.
class Specializations {
 public:
  /// `replicas` run each program at once. Throws X709 for options out of range.
  explicit Specializations(JitOptions options, std::size_t replicas = 1);

  const JitOptions& options() const { return options_; }
  ProgramCache& cache() { return cache_; }
  const ProgramCache& cache() const { return cache_; }

  /// Pads the tensors of a call up to their buckets. Throws X301 and X709 as pad_to_buckets does.
  PaddedElements pad(HostArguments& call) const;
  /// The same for a call that is to run: it counts, and what it counted for is returned, still without a program. Of
  /// replicas that run together, the first one's shapes are remembered. Nothing where calls like this one do not always
  /// lead to the same. Throws X405 for a tensor that was moved from.
  std::optional<CallOutcome> admit(HostArguments& call, bool remember = true);
  /// The program of a call that led to `outcome` before, admitted again; null, and not counted, where that is over.
  std::shared_ptr<const CachedProgram> repeated(const CallOutcome& outcome);
  /// The program for `signature`; where there is none, `lower` traces it, and it is compiled. Throws what these throw,
  /// X303 and X304 as ProgramCache::get does, and X709 where an argument to be donated is not there.
  std::shared_ptr<const CachedProgram> program(const Signature& signature, const std::function<Lowered()>& lower);
  /// Makes the programs for all buckets of `example`, whose tensors may be padded already; `lower` traces one for
  /// arrays of the types it is given. Throws X304, before anything is compiled, where the cache would not keep them
  /// all.
  WarmUp warm_up(const HostArguments& example, Signature signature,
                 const std::function<Lowered(const std::vector<TensorType>&)>& lower);
  /// Runs `run`, and counts the time it took; a trace in progress may want to know.
  template <class Run>
  auto timed(Run&& run) {
    const auto begin = std::chrono::steady_clock::now();
    auto result = run();
    cache_.ran(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
    note_run(options_.name, result);
    return result;
  }

  /// The shapes that calls had before padding.
  SeenShapes seen() const;
  /// What was compiled and why, the latest compiles in full, the extents that varied, and what would spare compiles.
  std::string explain() const;

 private:
  std::vector<Cure> cures_for(const CompileEvent& event) const;
  void compiled(const CompileEvent& event);
  Diagnostic alarm(const CompileEvent& event, std::uint64_t compiles, double share) const;

  JitOptions options_;
  ProgramCache cache_;
  mutable std::mutex mutex_;  ///< for what follows
  SeenShapes seen_;
  std::deque<CompileEvent> latest_;
  std::uint64_t unasked_ = 0;  ///< compiles, without those of warm-ups
  double unasked_milliseconds_ = 0;
  bool alarmed_ = false, unstable_ = false;
  std::atomic<int> warming_ = 0;
};

/// A compiled function. A cheap handle: copies share programs, and several threads may call at once, provided that the
/// function itself may be called so (it is called when it is traced, never with data).
template <class Function>
class Jit {
 public:
  /// `where` is what messages tell of operands that the function takes.
  explicit Jit(Function function, JitOptions options = {},
               const std::source_location& where = std::source_location::current())
      : state_{shared<State>(std::move(function), std::move(options), where)} {}

  /// Runs the program for these host values: padded up to their buckets, compiled now if it is not known. Results keep
  /// the padding: what it means for them is the function's matter, which takes a mask where it matters. Pass structures
  /// as rvalues to let go of their tensors; where the call is refused before it
  /// runs they still hold them.
  template <class... Hosts>
    requires traceable<Function, Hosts...>
  auto operator()(Hosts&&... hosts) const {
    const GivenCall given = given_call(std::forward<Hosts>(hosts)...);
    std::shared_ptr<const CachedProgram> program;
    if (const auto outcome = state_->known.outcome(given.key)) program = state_->specializations.repeated(*outcome);
    if (program) return run<Hosts...>(*program, given.tensors);
    HostArguments call = flatten_given(options().argument_names, state_->known, given, hosts...);
    std::optional<CallOutcome> outcome = state_->specializations.admit(call);
    program = this->program(call, hosts...);
    if (outcome) {
      outcome->program = program;
      state_->known.remember(given.key, std::move(*outcome));
    }
    auto results = run<Hosts...>(*program, given_for_run(given, call));
    for (const GivenTensor& tensor : given.tensors) tensor.let_go();
    return results;
  }

  OCTET_REFUSED_CALLS(Tensor, operator(), std::type_identity_t)

  /// Compiles ahead the programs for all buckets: of a bounded policy each bucket, of another those up to the extent in
  /// these arguments; what no rule names has the extent it has here. Rules of one policy that meet one extent here go
  /// together, others in all combinations. Runs nothing. Throws X304, before anything is compiled, where the cache
  /// would not keep them all.
  template <class... Hosts>
    requires traceable<Function, Hosts...>
  WarmUp warm_up(const Hosts&... hosts) const {
    HostArguments call = flatten(options().argument_names, hosts...);
    const Signature signature = signature_of(call);
    return state_->specializations.warm_up(call, signature, [&](const std::vector<TensorType>& types) {
      return octet::lower(state_->called(), options().argument_names, types, hosts...);
    });
  }
  OCTET_REFUSED_CALLS(WarmUp, warm_up, std::type_identity_t)

  /// While the result lives, a call that would have to compile throws X303, on whatever thread.
  ///
  ///     step.warm_up(state, longest_batch);
  ///     const auto frozen = step.forbid_compiling();
  NoCompiling forbid_compiling() const {
    return NoCompiling{std::shared_ptr<ProgramCache>{state_, &state_->specializations.cache()}};
  }

  /// Runs the function at the arguments' own extents and padded to their buckets, and compares: see
  /// octet.compile:padding_check.
  template <class... Hosts>
    requires traceable<Function, Hosts...>
  PaddingReport check_padding(const Hosts&... hosts) const {
    return octet::check_padding(state_->called(),
                                {.buckets = options().buckets,
                                 .argument_names = options().argument_names,
                                 .threads = options().threads,
                                 .name = options().name},
                                hosts...);
  }
  OCTET_REFUSED_CALLS(PaddingReport, check_padding, std::type_identity_t)

  /// Traces the function for these arguments anew, and throws X306, naming the first operation that differs, where that
  /// is not the program that was compiled for them (or, where none was, not what another trace gives). A trace must
  /// depend on arguments alone: a captured variable that changed since is not seen by programs that are already
  /// compiled.
  template <class... Hosts>
    requires traceable<Function, Hosts...>
  void check_trace(const Hosts&... hosts) const {
    HostArguments call = flatten(options().argument_names, hosts...);
    state_->specializations.pad(call);
    const Signature signature = signature_of(call);
    const auto known = state_->specializations.cache().find(signature);
    const TraceDigest before = known ? known->trace : digest(traced(signature, hosts...).graph);
    const auto difference = first_difference(digest(traced(signature, hosts...).graph), before);
    if (difference) fail(unstable_trace(options().name, *difference));
  }
  OCTET_REFUSED_CALLS(void, check_trace, std::type_identity_t)

  /// The program that these arguments would run, as traced, before any pass. Does not touch the cache.
  template <class... Hosts>
    requires traceable<Function, Hosts...>
  Graph lower(const Hosts&... hosts) const {
    HostArguments call = flatten(options().argument_names, hosts...);
    state_->specializations.pad(call);
    Graph graph = traced(signature_of(call), hosts...).graph;
    graph.rename(options().name);
    return graph;
  }
  OCTET_REFUSED_CALLS(Graph, lower, std::type_identity_t)

  /// The compiled program that these arguments would run; compiles it where it is not known.
  template <class... Hosts>
    requires traceable<Function, Hosts...>
  Executable executable(const Hosts&... hosts) const {
    HostArguments call = flatten(options().argument_names, hosts...);
    state_->specializations.pad(call);
    return program(call, hosts...)->executable;
  }
  OCTET_REFUSED_CALLS(Executable, executable, std::type_identity_t)

  CacheStatistics statistics() const { return state_->specializations.cache().statistics(); }
  /// The shapes that calls had before padding: what to fit buckets to.
  SeenShapes seen() const { return state_->specializations.seen(); }
  /// Why programs were compiled, and what would spare compiles, in lines of text.
  std::string explain() const { return state_->specializations.explain(); }
  const JitOptions& options() const { return state_->specializations.options(); }
  /// Drops all programs.
  void clear() const { state_->specializations.cache().clear(); }

 private:
  struct State {
    State(Function f, JitOptions options, const std::source_location& at)
        : function{std::move(f)}, where{at}, specializations{std::move(options)} {}
    CalledAt<Function> called() const { return {&function, where}; }

    const Function function;
    const std::source_location where;
    Specializations specializations;
    KnownCalls known;
  };

  template <class... Hosts>
  auto run(const CachedProgram& program, const std::vector<GivenTensor>& tensors) const {
    Threads alone;
    Threads& threads = options().threads ? *options().threads : alone;
    return octet::unflatten(structure<symbolic_result_t<Function, Hosts...>>(program),
                            state_->specializations.timed([&] { return program.executable.run(tensors, threads); }));
  }
  template <class... Hosts>
  Lowered traced(const Signature& signature, const Hosts&... hosts) const {
    return octet::lower(state_->called(), options().argument_names, signature.types, hosts...);
  }
  template <class... Hosts>
  std::shared_ptr<const CachedProgram> program(const HostArguments& call, const Hosts&... hosts) const {
    const Signature signature = signature_of(call);
    return state_->specializations.program(signature, [&] { return traced(signature, hosts...); });
  }
  template <class T>
  static const T& structure(const CachedProgram& program) {
    const T* structure = std::any_cast<T>(&program.structure);
    if (!structure)
      fail({.number = 404, .sentence = "Two types that share a name were given to one compiled function."});
    return *structure;
  }

  std::shared_ptr<State> state_;
};

/// `function`, which takes and returns arrays and structures of them, as a function of host values: see
/// octet.compile:host_values for the types.
///
///     auto step = jit(train_step, {.buckets = {{"batch", 1, multiple_of(64)}}, .argument_names = {"state", "batch"}});
///     auto [next, metrics] = step(std::move(state), batch);
template <class Function>
auto jit(Function function, JitOptions options = {},
         const std::source_location& where = std::source_location::current()) {
  return Jit<Function>{std::move(function), std::move(options), where};
}

}  // namespace octet
