/// replicate: one function, compiled once, run by every replica of a slice on its own values.
module;

#include "../trace/refused.hpp"
export module octet.tpu:replicate;
import octet.base;
import octet.compile;
import octet.graph;
import octet.standard;
import octet.trace;
import :replicas;
import :slice;

namespace octet::tpu::detail {

/// Of the rows of `whole`, each replica's equal share; throws X601, naming the argument, where they have none.
inline std::vector<Tensor> shares_of(const Tensor& whole, std::int64_t replicas, const std::string& name) {
  return shares(whole, replicas, name);
}
template <class T>
std::vector<Values<T>> shares_of(const Values<T>& whole, std::int64_t replicas, const std::string& name) {
  std::vector<std::vector<Tensor>> tensors(static_cast<std::size_t>(replicas));
  const auto names = whole.names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    auto each = shares(whole.tensors()[i], replicas, name + "." + names[i]);
    for (std::size_t r = 0; r < each.size(); ++r) tensors[r].push_back(std::move(each[r]));
  }
  std::vector<Values<T>> result;
  for (auto& own : tensors) result.emplace_back(whole.structure(), std::move(own));
  return result;
}

template <class T>
inline constexpr bool is_structure = false;
template <class T>
inline constexpr bool is_structure<Values<T>> = true;
/// Whether a call gives a structure of which it is not said that all or a share of it is meant.
template <class Function, class... Given>
concept gives_unmarked = traceable<Function, one_of_t<Given>...> && (is_structure<std::remove_cvref_t<Given>> || ...);
template <class Function, class... Given>
concept callable = traceable<Function, one_of_t<Given>...> && !gives_unmarked<Function, Given...>;

/// One replica's part of an argument: its own value, where it lies (an rvalue's can be let go of there), its share of a
/// batch, or what is static.
template <class Argument>
decltype(auto) parts(Argument&& argument, std::int64_t replicas, const std::string& name) {
  using Plain = std::remove_cvref_t<Argument>;
  if constexpr (is_replicated<Plain>) {
    require_one_each(name, argument.size(), replicas);
    if constexpr (std::is_lvalue_reference_v<Argument>)
      return std::as_const(argument.each);
    else
      return (argument.each);
  } else if constexpr (is_sharded<Plain>) {
    return shares_of(argument.whole, replicas, name);
  } else if constexpr (std::is_same_v<Plain, Tensor>) {
    return shares_of(argument, replicas, name);
  } else {
    using Own = std::conditional_t<std::is_array_v<Plain>, std::string, Plain>;  // of arrays there are texts alone
    return std::vector<Own>(static_cast<std::size_t>(replicas), argument);
  }
}

/// Replicated results: of a pair or tuple, one for each of its parts.
template <class Host>
auto gathered(std::vector<Host> each) {
  return Replicated<Host>{std::move(each)};
}
template <class... Hosts>
auto gathered(std::vector<std::tuple<Hosts...>> each) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    const auto part = [&]<std::size_t i>(std::integral_constant<std::size_t, i>) {
      std::vector<std::tuple_element_t<i, std::tuple<Hosts...>>> result;
      for (auto& whole : each) result.push_back(std::move(std::get<i>(whole)));
      return gathered(std::move(result));
    };
    return std::tuple{part(std::integral_constant<std::size_t, I>{})...};
  }(std::index_sequence_for<Hosts...>{});
}
template <class A, class B>
auto gathered(std::vector<std::pair<A, B>> each) {
  std::vector<A> first;
  std::vector<B> second;
  for (auto& [a, b] : each) {
    first.push_back(std::move(a));
    second.push_back(std::move(b));
  }
  return std::pair{gathered(std::move(first)), gathered(std::move(second))};
}

}  // namespace octet::tpu::detail

#define OCTET_UNMARKED                                                                                              \
  "X608: a structure of tensors may be a model, of which each replica needs all, or a batch, of which each gets a " \
  "share. Write tpu::replicated(model, slice.replicas), or tpu::sharded(batch)."
#define OCTET_REPLICATED_CALLS(result, name)                                                             \
  OCTET_REFUSED_CALLS(result, name, detail::one_of_t)                                                    \
  OCTET_REFUSED_FUNCTION((class... Given), detail::gives_unmarked, (Function, Given...), OCTET_UNMARKED, \
                         result name(Given&&...) const)

export namespace octet::tpu {

/// A function that all replicas of a slice run together. A cheap handle: copies share programs.
template <class Function>
class ReplicatedFunction {
 public:
  /// `where` is what messages tell of operands that the function takes.
  ReplicatedFunction(Function function, Slice slice, JitOptions options,
                     const std::source_location& where = std::source_location::current())
      : state_{shared<State>(std::move(function), simulated(std::move(slice)), std::move(options), where)} {}

  /// Each argument is a Replicated value, of which each replica gets its own; or a Tensor or a Sharded value, split
  /// into equal shares along the leading axis (X601 where it cannot be); or static. Values that are neither are refused
  /// by the compiler (X608): a model would be cut as a batch is. Pass replicated state as an rvalue to let its buffers
  /// be reused; where the call is refused before it runs it still holds
  /// them. Results are Replicated; of a pair or tuple, each part
  /// is. What is one tensor for all replicas (as `replicated` makes it), and what follows from such alone or from an
  /// all_reduce over all replicas, is computed once and is one tensor again. All run one program, so what is static
  /// must be equal on all: X405.
  template <class... Arguments>
    requires detail::callable<Function, Arguments...>
  auto operator()(Arguments&&... arguments) const {
    auto parts = parts_of(std::forward<Arguments>(arguments)...);
    return std::apply(
        [&](auto&... each) {
          using Result = symbolic_result_t<Function, typename std::remove_cvref_t<decltype(each)>::value_type...>;
          std::vector<HostArguments> calls;
          const auto program = program_for(calls, true, each...);
          std::vector<std::vector<GivenTensor>> tensors;
          for (std::size_t r = 0; r < calls.size(); ++r)
            tensors.push_back(given_for_run(given_call(given_part(each, r)...), calls[r]));
          const JitOptions& options = state_->specializations.options();
          Threads alone;
          Threads& threads = options.threads ? *options.threads : alone;
          auto results = state_->specializations.timed([&] { return program->executable.run(tensors, threads); });
          (let_go(each), ...);
          const Result& structure = *std::any_cast<Result>(&program->structure);
          std::vector<host_t<Result>> values;
          for (auto& own : results) values.push_back(octet::unflatten(structure, std::move(own)));
          return detail::gathered(std::move(values));
        },
        parts);
  }

  OCTET_REPLICATED_CALLS(Replicated<Tensor>, operator())

  /// Compiles the program for these arguments, where it is not known, and does not run it.
  template <class... Arguments>
    requires detail::callable<Function, Arguments...>
  void compile(Arguments&&... arguments) const {
    auto parts = parts_of(std::forward<Arguments>(arguments)...);
    std::vector<HostArguments> calls;
    std::apply([&](auto&... each) { program_for(calls, false, each...); }, parts);
  }
  OCTET_REPLICATED_CALLS(void, compile)

  /// Compiles ahead the programs for all buckets, as Jit::warm_up does; the buckets are those of one replica's
  /// arguments.
  template <class... Arguments>
    requires detail::callable<Function, Arguments...>
  WarmUp warm_up(const Arguments&... arguments) const {
    const auto replicas = static_cast<std::size_t>(slice().replicas);
    const std::vector<std::string>& names = state_->specializations.options().argument_names;
    std::size_t position = 0;
    std::tuple parts{detail::parts(arguments, slice().replicas, argument_name(names, position++))...};
    return std::apply(
        [&](const auto&... each) {
          std::vector<HostArguments> calls;
          for (std::size_t r = 0; r < replicas; ++r) calls.push_back(flatten(names, each[r]...));
          require_one_program(calls);
          Signature signature = signature_of(calls.front());
          signature.replicated = shared_arguments(calls, names, sizeof...(each));
          return state_->specializations.warm_up(calls.front(), signature, [&](const std::vector<TensorType>& types) {
            return octet::lower(state_->called(), names, types, each[0]...);
          });
        },
        parts);
  }
  OCTET_REPLICATED_CALLS(WarmUp, warm_up)

  /// Runs the function on all replicas at its arguments' own extents and padded to their buckets, and compares each
  /// replica's results: see octet.compile:padding_check.
  template <class... Arguments>
    requires detail::callable<Function, Arguments...>
  PaddingReport check_padding(const Arguments&... arguments) const {
    const auto replicas = static_cast<std::size_t>(slice().replicas);
    const JitOptions& options = state_->specializations.options();
    std::size_t position = 0;
    std::tuple parts{detail::parts(arguments, slice().replicas, argument_name(options.argument_names, position++))...};
    return std::apply(
        [&](const auto&... each) {
          std::vector<HostArguments> calls;
          for (std::size_t r = 0; r < replicas; ++r) calls.push_back(flatten(options.argument_names, each[r]...));
          require_one_program(calls);
          require_one_type(calls, "check with as many rows on each replica");
          return check_padding_of(state_->called(),
                                  {.buckets = options.buckets,
                                   .argument_names = options.argument_names,
                                   .threads = options.threads,
                                   .name = options.name},
                                  calls, each[0]...);
        },
        parts);
  }
  OCTET_REPLICATED_CALLS(PaddingReport, check_padding)

  /// While the result lives, a call that would have to compile throws X303.
  NoCompiling forbid_compiling() const {
    return NoCompiling{std::shared_ptr<ProgramCache>{state_, &state_->specializations.cache()}};
  }

  const Slice& slice() const { return state_->slice; }
  CacheStatistics statistics() const { return state_->specializations.cache().statistics(); }
  /// The shapes that calls of one replica had before padding.
  SeenShapes seen() const { return state_->specializations.seen(); }
  /// Why programs were compiled, and what would spare compiles, in lines of text.
  std::string explain() const { return state_->specializations.explain(); }

 private:
  /// Each argument as each replica gets it.
  template <class... Arguments>
  auto parts_of(Arguments&&... arguments) const {
    std::size_t position = 0;
    const auto part = [&](auto&& argument) -> decltype(auto) {
      return detail::parts(std::forward<decltype(argument)>(argument), slice().replicas,
                           argument_name(state_->specializations.options().argument_names, position++));
    };
    return std::tuple<decltype(part(std::forward<Arguments>(arguments)))...>{
        part(std::forward<Arguments>(arguments))...};  // braces: from left to right
  }

  /// Replica r's part of an argument: as an rvalue, unless the owner keeps it.
  template <class Each>
  static auto&& given_part(Each& each, std::size_t r) {
    if constexpr (std::is_const_v<Each>)
      return each[r];
    else
      return std::move(each[r]);
  }

  /// Gives up an argument's values, unless their owner keeps them.
  template <class Each>
  static void let_go(Each& each) {
    if constexpr (!std::is_const_v<Each>) each.clear();
  }

  /// Fills `calls`, one for each replica, and finds or makes their program. They count where they are to `run`.
  template <class... Parts>
  std::shared_ptr<const CachedProgram> program_for(std::vector<HostArguments>& calls, bool run, Parts&... each) const {
    const auto replicas = static_cast<std::size_t>(slice().replicas);
    const std::vector<std::string>& names = state_->specializations.options().argument_names;
    for (std::size_t r = 0; r < replicas; ++r) {
      calls.push_back(flatten(names, state_->known, std::as_const(each[r])...));
      if (run)
        state_->specializations.admit(calls.back(), r == 0);
      else
        state_->specializations.pad(calls.back());
    }
    require_one_program(calls);
    require_one_type(calls, "pad all to one extent, by a bucket that holds the longest: max_length(n)");
    Signature signature = signature_of(calls.front());
    signature.replicated = shared_arguments(calls, names, sizeof...(each));
    return state_->specializations.program(
        signature, [&] { return octet::lower(state_->called(), names, signature.types, each[0]...); });
  }

  static Slice simulated(Slice slice) {
    require_simulated(slice);
    return slice;
  }

  struct State {
    State(Function f, Slice s, JitOptions options, const std::source_location& at)
        : function{std::move(f)},
          where{at},
          slice{std::move(s)},
          specializations{std::move(options), static_cast<std::size_t>(slice.replicas)} {}
    CalledAt<Function> called() const { return {&function, where}; }

    const Function function;
    const std::source_location where;
    const Slice slice;
    Specializations specializations;
    KnownCalls known;
  };
  std::shared_ptr<State> state_;
};

/// `function`, run by every replica of `slice` on its own part of the arguments, compiled once for each signature. It
/// sees one replica's arrays, and meets the others in collectives: all_reduce(x, slice.all()). Throws X605 for a slice
/// of more than `most_simulated_replicas` replicas.
///
///     auto step = tpu::replicate(train_step, tpu::slice("v3-8"), {.argument_names = {"state", "batch"}});
///     auto [state, metrics] = step(std::move(state), batch);
template <class Function>
auto replicate(Function function, Slice slice, JitOptions options = {},
               const std::source_location& where = std::source_location::current()) {
  return ReplicatedFunction<Function>{std::move(function), std::move(slice), std::move(options), where};
}

}  // namespace octet::tpu
