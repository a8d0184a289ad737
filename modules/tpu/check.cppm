/// check: whether a program is ready for a TPU. The checklist of Hugging Face's "Training on TPU with TensorFlow", run
/// against a program.
///
///     const Readiness readiness = check(train_step, std::tuple{tpu::replicated(state, 8), batch}, tpu::slice("v3-8"),
///                                       {.jit = {.argument_names = {"state", "batch"}, .donated = {"state"}}});
///     std::puts(to_string(readiness).c_str());
///
/// What is said rests on the program as traced: nothing is run.
module;

#include "../trace/refused.hpp"
export module octet.tpu:check;
import octet.base;
import octet.compile;
import octet.graph;
import octet.standard;
import octet.trace;
import :host;
import :readiness;
import :replicas;
import :replicate;
import :slice;

export namespace octet {

/// Of all positions of a batch: where more is padding, rule 3 is warned of.
inline constexpr double much_padding = 0.5;

/// Of 25 batches that published runs trained with, as tests/unit/nn_published.cpp has them, the one that needs most
/// with nothing recomputed: so many times what a program may use. XLA alone was not seen to make room for more.
inline constexpr double most_unasked = 3.4;

struct CheckOptions {
  JitOptions jit = {};  ///< what `tpu::replicate` is to be given: names, buckets, donated arguments, precision
  DType activations = DType::f32;  ///< what tensors of f32 between operations are stored as on the TPU: f32 or bf16
  std::optional<tpu::DataPlacement> data = {};  ///< nothing: how the program is fed is not known
  double examples_per_second = 0;               ///< that the input pipeline makes, as measured; 0: not known
  /// Of a program given as a graph: the parameters, or the arguments that they lie below, of which each replica has its
  /// own share.
  std::vector<std::string> batch = {};
  /// The parameters, or the arguments that they lie below, of which each replica keeps a part of its own from step to
  /// step, as of an optimizer's sharded state: they are no batch, and their next values may differ.
  std::vector<std::string> sharded = {};
  /// The option by which such a program asks for recomputing all that it can, where there is one.
  std::string recompute_option = {};
  /// The option by which a number of parts whose gradients are added up is asked for, where there is one.
  std::string accumulate_option = {};
  /// Whether other batches are looked for, that would fit where this one does not: each is traced for that.
  bool look_for_batches = true;
  /// Of a program in StableHLO text, on a slice whose replicas are cores: whether it is judged by the chip, as JAX and
  /// TensorFlow 2 run it, where it does not name more replicas than there are chips.
  bool by_chip = false;
  /// Statistics of other compiled functions, which run on other threads or are to be named. One that grows while the
  /// program is traced is called inside it:
  /// `{{"encoder", [&] { return encoder.statistics(); }}}`.
  std::vector<std::pair<std::string, std::function<CacheStatistics()>>> compiled = {};
};

/// A program to be checked and the calls that it is to be judged by, without data.
struct Candidate {
  /// The calls. Arrays have the types that the program is called with: of a batch, over all replicas. `replicated`
  /// names the arguments that each replica has whole. Arrays of such at the end, the same in all calls, may be left
  /// out.
  std::vector<Signature> calls;
  /// The program of one replica for arguments of these types; throws what tracing throws.
  std::function<Graph(const Signature&)> trace;
  /// The same of the program written otherwise: where `asks`, with all the recomputing that it can ask for, and in so
  /// many equal parts of a replica's share. Empty where it is not known how it is written then.
  std::function<Graph(const Signature&, bool asks, std::int64_t parts)> trace_otherwise = {};
  std::int64_t parts = 1;                  ///< equal ones, of a replica's share, that the program takes one by one
  bool of_one_replica = false;             ///< whether `calls` have the types of one replica's share already
  bool shares_known = true;                ///< whether it is known which arguments are split
  std::vector<std::string> returned = {};  ///< arguments whose very type the program returns: what it updates
  /// Of those, where it is known how many results stand before theirs; or, from -1 down, behind them.
  std::map<std::string, std::int64_t> returned_at = {};
  std::vector<std::string> unmarked = {};  ///< structures of which it is not said that they are whole or in shares
  std::map<std::string, std::int64_t> copies = {};  ///< of how many replicas an argument was made
  std::map<std::string, double> largest = {};       ///< of arrays by name, the largest magnitude of the values seen
  std::vector<Diagnostic> unknown = {};             ///< X410 for what the program holds and Octet does not have
  std::int64_t devices = 0;                         ///< that the program says it runs on; 0 where it says nothing
  std::int64_t alike = 1;  ///< replicas that are given the same share of the batch, as along an axis that cuts weights
  std::int64_t same_share = 1;  ///< of these, those whose parts of it are the same along every dimension
  std::int64_t same_work = 1;   ///< replicas that compute the same, as along an axis that cuts no product
  bool own_parts = true;        ///< whether of what is sharded no two replicas have the same part
  bool of_one_program = false;  ///< whether what replicas have parts of is of one program, by which it stays together
  std::map<std::size_t, std::size_t> written_over = {};  ///< parameters, by position, and the results in their memory
};

/// One row of the checklist.
struct CheckItem {
  std::string_view id;
  std::string_view question;  ///< as a sentence that holds where the verdict is pass
  std::string_view rule;      ///< why it is asked
};
/// All rows, in the order of a report.
std::span<const CheckItem> checklist();

/// The report on `candidate`. Throws X709 where it has no calls.
Readiness check(const Candidate& candidate, const tpu::Slice& slice, const CheckOptions& options = {});

/// The report on one replica's program. `options.batch` says which parameters hold its share of the batch.
Readiness check(const Graph& program, const tpu::Slice& slice, const CheckOptions& options = {});

/// The report on a program in StableHLO text. What cannot be read, or asks for what a TPU has not, is a line that
/// failed: `file` names the text in messages. Throws nothing but X709.
Readiness check_stablehlo(std::string_view text, const std::string& file, const tpu::Slice& slice,
                          const CheckOptions& options = {});

}  // namespace octet

namespace octet::candidates {

using tpu::detail::is_replicated;
using tpu::detail::is_sharded;
template <class T>
inline constexpr bool is_jit = false;
template <class Function>
inline constexpr bool is_jit<Jit<Function>> = true;
template <class Function>
inline constexpr bool is_jit<tpu::ReplicatedFunction<Function>> = true;
template <class Function>
concept not_compiled = !is_jit<Function>;

/// One replica's value of an argument.
template <class Argument>
const auto& one_of(const Argument& argument, const std::string& name) {
  if constexpr (is_replicated<Argument>) {
    if (argument.each.empty()) fail({.number = 405, .sentence = "'" + name + "' holds values for 0 replicas."});
    return argument.each.front();
  } else if constexpr (is_sharded<Argument>) {
    return argument.whole;
  } else {
    return argument;
  }
}

template <class Argument>
using one_of_t = tpu::detail::one_of_t<Argument>;
/// The same where an array that has a type alone stands for data.
template <class Argument>
using judged_t = std::conditional_t<std::same_as<one_of_t<Argument>, Array>, Tensor, one_of_t<Argument>>;

/// Notes arrays and static values of a structure that holds types alone.
class Noting final : public reflection::Visitor {
 public:
  explicit Noting(Signature& to) : to_{to} {}
  void array(const reflection::Path& path, Array& array) override;
  void holds(std::size_t count) override;
  void fixed(const reflection::Path& path, const reflection::Fixed& value) override;

 private:
  Signature& to_;
};

/// Whether `Result` is `T`, or a pair or tuple with a `T` in it.
template <class T, class Result>
inline constexpr bool returns = std::same_as<T, Result>;
template <class T, class... Parts>
inline constexpr bool returns<T, std::tuple<Parts...>> = (std::same_as<T, Parts> || ...);
template <class T, class A, class B>
inline constexpr bool returns<T, std::pair<A, B>> = std::same_as<T, A> || std::same_as<T, B>;

/// How many arrays of `Result` stand before the `T` in it, or, from -1 down, behind it; none where that is not known of
/// the types alone, or where there are several.
template <class T, class... Parts>
constexpr std::optional<std::int64_t> place_among() {
  constexpr bool is_it[] = {std::same_as<T, Parts>...}, is_array[] = {std::same_as<Array, Parts>...};
  const auto at = std::ranges::find(is_it, true) - is_it;
  if (std::ranges::count(is_it, true) != 1) return std::nullopt;
  if (std::all_of(is_array, is_array + at, std::identity{})) return at;
  if (std::all_of(is_array + at + 1, std::end(is_array), std::identity{})) return at - std::ssize(is_array);
  return std::nullopt;
}
template <class T, class Result>
inline constexpr std::optional<std::int64_t> place_in = 0;
template <class T, class... Parts>
inline constexpr std::optional<std::int64_t> place_in<T, std::tuple<Parts...>> = place_among<T, Parts...>();
template <class T, class A, class B>
inline constexpr std::optional<std::int64_t> place_in<T, std::pair<A, B>> = place_among<T, A, B>();

/// The largest magnitudes of integers, and of floating-point tensors that are kept in bf16.
void note_largest(std::map<std::string, double>& largest, const HostArguments& call);

template <class Function, class... Arguments>
Candidate candidate(const Function& function, const std::vector<std::tuple<Arguments...>>& calls,
                    const std::vector<std::string>& names, const std::source_location& where) {
  static_assert(
      !is_jit<Function>,
      "check takes the function itself: tpu::replicate compiles it, and a jit around it is to be taken away first");
  // Structures of typed arrays are what a traced function takes; host values stand for them.
  constexpr bool typed = (std::same_as<symbolic_t<one_of_t<Arguments>>, one_of_t<Arguments>> && ...);
  Candidate result;
  using Result = symbolic_result_t<Function, one_of_t<Arguments>...>;
  std::size_t position = 0;
  const auto argument = [&]<class Argument>(std::type_identity<Argument>) {
    const std::string name = argument_name(names, position++);
    using Symbolic = symbolic_t<one_of_t<Argument>>;
    if constexpr (std::is_aggregate_v<Symbolic> && returns<Symbolic, Result>) {
      result.returned.push_back(name);
      constexpr int alike = (0 + ... + std::same_as<symbolic_t<one_of_t<Arguments>>, Symbolic>);
      if constexpr (constexpr auto place = place_in<Symbolic, Result>; alike == 1 && place)
        result.returned_at[name] = *place;
    }
    if constexpr (std::is_aggregate_v<Symbolic> && !is_replicated<Argument> && !is_sharded<Argument>)
      result.unmarked.push_back(name);
  };
  (argument(std::type_identity<Arguments>{}), ...);

  for (const auto& call : calls) {
    Signature signature;
    std::size_t next = 0;
    std::vector<std::string> whole;
    const auto look = [&]<class Argument>(const Argument& each) {
      const std::string name = argument_name(names, next++);
      if constexpr (is_replicated<Argument>) {
        whole.push_back(name);
        result.copies[name] = static_cast<std::int64_t>(each.size());
      }
      if constexpr (typed) {
        Noting visit{signature};
        reflection::walk(one_of(each, name), reflection::Path{name}, visit);
      }
    };
    std::apply([&](const auto&... each) { (look(each), ...); }, call);
    if constexpr (!typed) {
      const HostArguments flat =
          std::apply([&](const auto&... each) { return flatten(names, one_of(each, "an argument")...); }, call);
      signature = signature_of(flat);
      note_largest(result.largest, flat);
    }
    signature.replicated = std::move(whole);
    result.calls.push_back(std::move(signature));
  }
  // What holds no arrays is static.
  if (!result.calls.empty())
    std::erase_if(result.unmarked, [&](const std::string& argument) {
      return std::ranges::none_of(result.calls.front().names,
                                  [&](const std::string& name) { return lies_below(name, argument); });
    });

  result.trace = [function, calls, names, where](const Signature& types) {
    const CalledAt called{&function, where};
    // The call that has these static values; all have the same C++ types.
    const auto traced = [&](const auto&... each) {
      if constexpr (typed) {
        std::size_t array = 0;
        const auto filled = [&](auto structure) {
          octet::for_each_array(structure, [&](Array& to) { to = parameter(types.types.at(array++), ""); });
          return structure;
        };
        const std::tuple<one_of_t<Arguments>...> arguments{filled(one_of(each, ""))...};
        return std::apply([&](const auto&... given) { return trace(called, names, given...).graph; }, arguments);
      } else {
        return lower(called, names, types.types, one_of(each, "")...).graph;
      }
    };
    for (const auto& call : calls) {
      Signature same;
      if constexpr (typed) {
        std::size_t next = 0;
        Noting visit{same};
        std::apply(
            [&](const auto&... each) {
              (reflection::walk(one_of(each, ""), reflection::Path{argument_name(names, next++)}, visit), ...);
            },
            call);
      } else {
        same = signature_of(std::apply([&](const auto&... each) { return flatten(names, one_of(each, "")...); }, call));
      }
      if (same.statics == types.statics && same.names == types.names && same.lengths == types.lengths)
        return std::apply(traced, call);
    }
    return std::apply(traced, calls.front());
  };
  return result;
}

}  // namespace octet::candidates

export namespace octet {

/// The report on a function that is to be traced, judged by `calls`: the arguments that `tpu::replicate(program,
/// slice)` would be called with, of which Replicated ones are whole on each replica and the others are split along
/// their leading axis. Several calls of different shapes let rule 3 be judged. Structures whose arrays have types do as
/// well as those with data. Throws X709 where there are no calls.
template <class Function, class... Arguments>
  requires(candidates::is_jit<Function> || traceable<Function, candidates::judged_t<Arguments>...>)
Readiness check(const Function& program, const std::vector<std::tuple<Arguments...>>& calls, const tpu::Slice& slice,
                const CheckOptions& options = {}, const std::source_location& where = std::source_location::current()) {
  const std::decay_t<const Function&> held = program;  // a function by its name is held by its address
  return check(candidates::candidate(held, calls, options.jit.argument_names, where), slice, options);
}
template <class Function, class... Arguments>
  requires(candidates::is_jit<Function> || traceable<Function, candidates::judged_t<Arguments>...>)
Readiness check(const Function& program, const std::tuple<Arguments...>& call, const tpu::Slice& slice,
                const CheckOptions& options = {}, const std::source_location& where = std::source_location::current()) {
  return check(program, std::vector{call}, slice, options, where);
}
/// A program that cannot be called so is refused at the line that asks.
OCTET_REFUSED_FUNCTIONS((candidates::not_compiled Function, class... Arguments),
                        (Function, candidates::judged_t<Arguments>...),
                        Readiness check(const Function&, const std::tuple<Arguments...>&, const tpu::Slice&,
                                        const CheckOptions& = {}))
OCTET_REFUSED_FUNCTIONS((candidates::not_compiled Function, class... Arguments),
                        (Function, candidates::judged_t<Arguments>...),
                        Readiness check(const Function&, const std::vector<std::tuple<Arguments...>>&,
                                        const tpu::Slice&, const CheckOptions& = {}))

}  // namespace octet
