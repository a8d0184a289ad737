/// Checkpoints: what a gradient computes a second time instead of keeping it.
module;

#include "refused.hpp"
export module octet.trace:checkpoint;
import octet.base;
import octet.graph;
import octet.standard;
import :array;
import :call_at;
import :tree;
import :valueless;

export namespace octet {

/// A function that gives what `function` gives, and whose gradient takes less memory: of what it computes, nothing is
/// kept for the way back but its arguments and the arrays that `function` captures. From those the way back computes
/// it a second time. As `jax.checkpoint` does it; `function` takes and returns any structures.
///
///     for (const Layer& layer : model.layers) x = checkpoint(layer)(x);
///
/// What is computed a second time has the same bits, and so has the gradient, unless an array is used both within and
/// outside: the parts of its gradient are then added in another order. A branch and a round of a loop are such by
/// themselves: they keep what goes in, and a checkpoint within one has no effect of its own.
template <class Function>
auto checkpoint(Function function, std::source_location where = std::source_location::current());

/// Whether `Function` takes these arguments and returns something.
template <class Function, class... Given>
concept gives_structure = !wants_data<Function, Given...> && std::invocable<const Function&, const Given&...> &&
                          !std::is_void_v<std::invoke_result_t<const Function&, const Given&...>>;

/// What checkpoint returns: it is called as `Function` is.
template <class Function>
class Checkpointed {
 public:
  Checkpointed(Function function, const std::source_location& where) : function_{std::move(function)}, where_{where} {}

  template <class... Given>
    requires gives_structure<Function, Given...>
  auto operator()(const Given&... arguments) const;

  template <class... Given, class Here = decltype([] {})>
    requires(!gives_structure<Function, Given...> && !wants_data<Function, Given...> && (is_data<Given> || ...))
  OCTET_REFUSED(OCTET_NO_DATA_WITHIN)
  void operator()(const Given&...) const {
    static_assert(never<Here>, OCTET_NO_DATA_WITHIN);
  }
  template <class... Given, class Here = decltype([] {})>
    requires(wants_data<Function, Given...>)
  OCTET_REFUSED(OCTET_NO_DATA)
  void operator()(const Given&...) const {
    static_assert(never<Here>, OCTET_NO_DATA);
  }
  template <class... Given, class Here = decltype([] {})>
    requires(!gives_structure<Function, Given...> && !wants_data<Function, Given...> && !(is_data<Given> || ...))
  OCTET_REFUSED(OCTET_NO_CALL_WITHIN)
  void operator()(const Given&...) const {
    static_assert(never<Here>, OCTET_NO_CALL_WITHIN);
  }

 private:
  Function function_;
  std::source_location where_;
};

template <class Function>
inline constexpr bool takes_data<Checkpointed<Function>> = takes_data<Function>;
template <class Function, class... Given>
inline constexpr bool wants_data<Checkpointed<Function>, Given...> = wants_data<Function, Given...>;

/// The arrays of `operands`, none of which is read before all of them are there: what comes after is neither computed
/// with what comes before, nor taken for the same.
template <class Structure>
Structure optimization_barrier(const Structure& operands, std::source_location where = std::source_location::current());

}  // namespace octet

namespace octet {

/// Stand for `results`, which were computed since `mark`, and which derivatives compute a second time. Throws X406
/// where one is empty.
std::vector<Array> computed_again(const std::vector<Array>& results, std::uint64_t mark);

template <class Function>
template <class... Given>
  requires gives_structure<Function, Given...>
auto Checkpointed<Function>::operator()(const Given&... arguments) const {
  const std::uint64_t mark = next_birth();
  auto result = call_at(where_, function_, arguments...);
  const std::vector<Array> again = computed_again(octet::arrays_of(result), mark);
  return octet::with_arrays(std::move(result), again);
}

template <class Function>
auto checkpoint(Function function, std::source_location where) {
  return Checkpointed<Function>{std::move(function), where};
}

template <class Structure>
Structure optimization_barrier(const Structure& operands, std::source_location where) {
  return octet::with_arrays(
      operands, apply(Op::optimization_barrier, octet::arrays_of(operands), NoAttributes{}, Place::of(where)));
}

}  // namespace octet
