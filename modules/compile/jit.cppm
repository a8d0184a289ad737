/// jit: a traced function as one to call with data, compiled once for each signature.
module;
#include <any>
#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>
export module octet.compile:jit;
import octet.base;
import octet.graph;
import octet.trace;
import :buckets;
import :cache;
import :executable;
export import :host_values;
import :options;

export namespace octet {

struct JitOptions {
  CompileOptions compile = {};
  std::vector<Bucket> buckets = {};
  std::vector<std::string> argument_names = {};  ///< in order; arguments without one are arg0, arg1, …
  /// Arguments, by name, or parts of them whose buffers the results may take. Move them in; a tensor that someone else
  /// still holds is copied first.
  std::vector<std::string> donated = {};
  std::size_t max_programs = 64;                 ///< at least 1
  std::size_t max_bytes = std::size_t{1} << 30;  ///< by `weight`
  Threads* threads = nullptr;                    ///< shared by all calls; without them, the calling thread alone
  /// Called on the thread that compiled; may be called by several threads at once.
  std::function<void(const CompileEvent&)> on_compile = {};
  std::function<void(const EvictEvent&)> on_evict = {};
  std::string name = "main";  ///< of the programs, for events and printed graphs
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
  /// The program for `signature`; where there is none, `lower` traces it, and it is compiled. Throws what these throw,
  /// and X709 where an argument to be donated is not there.
  std::shared_ptr<const CachedProgram> program(const Signature& signature, const std::function<Lowered()>& lower);

 private:
  JitOptions options_;
  ProgramCache cache_;
};

/// A compiled function. A cheap handle: copies share programs, and several threads may call at once, provided that the
/// function itself may be called so (it is called when it is traced, never with data).
template <class Function>
class Jit {
 public:
  explicit Jit(Function function, JitOptions options = {})
      : state_{std::make_shared<State>(std::move(function), std::move(options))} {}

  /// Runs the program for these host values: padded up to their buckets, compiled now if it is not known. Results keep
  /// the padding: what it means for them is the function's matter, which takes a mask where it matters. Pass structures
  /// as rvalues to let go of their tensors.
  template <class... Hosts>
  auto operator()(Hosts&&... hosts) const {
    static_assert(std::invocable<const Function&, symbolic_t<Hosts>...>,
                  "the traced function does not take these arguments: an Array for a Tensor, a T for a Values<T>, "
                  "static values as they are, all by value or const reference");
    HostArguments call = flatten(options().argument_names, state_->known, std::forward<Hosts>(hosts)...);
    state_->specializations.cache().count(state_->specializations.pad(call));
    const auto program = this->program(call, hosts...);
    const auto run = [&](Threads& threads) { return program->executable.run(std::move(call.tensors), threads); };
    Threads alone;
    return unflatten(structure<symbolic_result_t<Function, Hosts...>>(*program),
                     run(options().threads ? *options().threads : alone));
  }

  /// The program that these arguments would run, as traced, before any pass. Does not touch the cache.
  template <class... Hosts>
  Graph lower(const Hosts&... hosts) const {
    HostArguments call = flatten(options().argument_names, hosts...);
    state_->specializations.pad(call);
    Graph graph = traced(signature_of(call), hosts...).graph;
    graph.rename(options().name);
    return graph;
  }

  /// The compiled program that these arguments would run; compiles it where it is not known.
  template <class... Hosts>
  Executable executable(const Hosts&... hosts) const {
    HostArguments call = flatten(options().argument_names, hosts...);
    state_->specializations.pad(call);
    return program(call, hosts...)->executable;
  }

  CacheStatistics statistics() const { return state_->specializations.cache().statistics(); }
  const JitOptions& options() const { return state_->specializations.options(); }
  /// Drops all programs.
  void clear() const { state_->specializations.cache().clear(); }

 private:
  struct State {
    State(Function f, JitOptions options) : function{std::move(f)}, specializations{std::move(options)} {}
    const Function function;
    Specializations specializations;
    KnownCalls known;
  };

  template <class... Hosts>
  Lowered traced(const Signature& signature, const Hosts&... hosts) const {
    return octet::lower(state_->function, options().argument_names, signature.types, hosts...);
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
auto jit(Function function, JitOptions options = {}) {
  return Jit<Function>{std::move(function), std::move(options)};
}

}  // namespace octet
