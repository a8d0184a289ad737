/// vmap: a function of one example becomes a function of many, of a batch.
module;

#include "refused.hpp"
export module octet.trace:vmap;
import octet.base;
import octet.graph;
import octet.standard;
import :array;
import :call_at;
import :checkpoint;
import :tree;
import :valueless;

export namespace octet {

/// Which axis of an argument's arrays counts the examples; nothing where the argument is the same for all of them.
using InAxes = std::vector<std::optional<std::int64_t>>;

/// A function of many examples: what `function` makes of each, computed for all at once, along a new axis `out_axes` of
/// every result, the leading one where nothing else is said. As `jax.vmap`: `in_axes` names an axis for each argument,
/// which is that of all arrays of its structure; the first where there is none. What `function` captures is the same
/// for all examples. The result can be differentiated, and so can what is within: `vmap(grad(loss), {std::nullopt,
/// 0})(weights, examples)`.
///
/// A cond whose condition is each example's own computes both branches for all, and a while_loop goes round until the
/// last example is done: neither may fail to end for what is then thrown away, and where a branch guards against a
/// number that has no derivative, make the number safe before it.
///
/// Throws X405 unless there is an axis for each argument, X403 for one that an array or a result does not have and
/// where no argument has examples, X401 where two have different numbers of them.
template <class Function>
auto vmap(Function function, InAxes in_axes = {}, std::int64_t out_axes = 0,
          std::source_location where = std::source_location::current());

/// What vmap returns: it is called as `Function` is, with examples.
template <class Function>
class Vmapped {
 public:
  Vmapped(Function function, InAxes in_axes, std::int64_t out_axes, const std::source_location& where)
      : function_{std::move(function)}, in_axes_{std::move(in_axes)}, out_axes_{out_axes}, where_{where} {}

  template <class... Given>
    requires(!(is_data<Given> || ...) && gives_structure<Function, Given...>)
  auto operator()(const Given&... arguments) const;

  template <class... Given, class Here = decltype([] {})>
    requires(is_data<Given> || ...)
  OCTET_REFUSED(OCTET_NO_DATA_WITHIN)
  void operator()(const Given&...) const {
    static_assert(never<Here>, OCTET_NO_DATA_WITHIN);
  }
  template <class... Given, class Here = decltype([] {})>
    requires(!(is_data<Given> || ...) && wants_data<Function, Given...>)
  OCTET_REFUSED(OCTET_NO_DATA)
  void operator()(const Given&...) const {
    static_assert(never<Here>, OCTET_NO_DATA);
  }
  template <class... Given, class Here = decltype([] {})>
    requires(!(is_data<Given> || ...) && !wants_data<Function, Given...> && !gives_structure<Function, Given...>)
  OCTET_REFUSED(OCTET_NO_CALL_WITHIN)
  void operator()(const Given&...) const {
    static_assert(never<Here>, OCTET_NO_CALL_WITHIN);
  }

 private:
  Function function_;
  InAxes in_axes_;
  std::int64_t out_axes_;
  std::source_location where_;
};

template <class Function>
inline constexpr bool takes_data<Vmapped<Function>> = takes_data<Function>;
template <class Function, class... Given>
inline constexpr bool wants_data<Vmapped<Function>, Given...> = wants_data<Function, Given...>;

/// The same for lists of arrays, of which each has an axis of its own, or none.
std::vector<Array> vmap_arrays(const std::function<std::vector<Array>(const std::vector<Array>&)>& function,
                               const std::vector<Array>& arguments, const InAxes& axes, const Place& place);

}  // namespace octet

namespace octet {

/// `results`, of which the leading axis counts the examples, with that axis as `axis`. Throws X403 where one cannot
/// have it there.
std::vector<Array> with_examples_along(std::int64_t axis, std::vector<Array> results, const Place& place);
/// The axes of the arrays of arguments that hold so many arrays each. Throws X405 unless there is one for each
/// argument.
InAxes axes_of_arrays(const InAxes& in_axes, const std::vector<std::size_t>& arrays, const Place& place);

template <class Function>
template <class... Given>
  requires(!(is_data<Given> || ...) && gives_structure<Function, Given...>)
auto Vmapped<Function>::operator()(const Given&... arguments) const {
  const Place place = Place::of(where_);
  std::vector<Array> all;
  std::vector<std::size_t> counts;
  const auto add = [&](const auto& argument) {
    const std::vector<Array> own = octet::arrays_of(argument);
    counts.push_back(own.size());
    all.insert(all.end(), own.begin(), own.end());
  };
  (add(arguments), ...);
  std::optional<std::remove_cvref_t<std::invoke_result_t<const Function&, const Given&...>>> structure;
  const std::vector<Array> results = vmap_arrays(
      [&](const std::vector<Array>& arrays) {
        std::size_t next = 0;
        const auto of_one = [&](auto argument) {
          octet::for_each_array(argument, [&](Array& array) { array = arrays[next++]; });
          return argument;
        };
        // Braces: arguments are filled from left to right.
        structure.emplace(std::apply([&](const auto&... each) { return call_at(where_, function_, each...); },
                                     std::tuple<std::decay_t<const Given&>...>{of_one(arguments)...}));
        return octet::arrays_of(*structure);
      },
      all, axes_of_arrays(in_axes_, counts, place), place);
  return octet::with_arrays(std::move(*structure), with_examples_along(out_axes_, results, place));
}

template <class Function>
auto vmap(Function function, InAxes in_axes, std::int64_t out_axes, std::source_location where) {
  return Vmapped<Function>{std::move(function), std::move(in_axes), out_axes, where};
}

}  // namespace octet
