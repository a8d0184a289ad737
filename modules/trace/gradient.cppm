/// Derivatives: reverse-mode differentiation of traced programs. A derivative is made of ordinary arrays, so it can be
/// differentiated again, compiled and printed like everything else.
module;

#include "refused.hpp"
export module octet.trace:gradient;
import octet.base;
import octet.graph;
import octet.standard;
import :array;
import :call_at;
import :checkpoint;
import :tracer;
import :tree;
import :valueless;

export namespace octet {

/// What a derivative rule is given. An empty cotangent stands for zero.
struct Derivation {
  const Expression& expression;
  const std::vector<Array>& inputs;
  const std::vector<Array>& outputs;
  const std::vector<Array>& cotangents;  ///< one for each output
};

/// The cotangents of the inputs; empty where zero.
using DerivativeRule = std::vector<Array> (*)(const Derivation&);

/// The derivative column of the table of operations.
struct Derivative {
  DerivativeRule rule = nullptr;  ///< nullptr: no rule, for `reason`
  bool zero = false;              ///< the derivative is zero wherever it exists (steps, integers, truth values)
  std::string_view reason = {};   ///< why it is zero, or why there is none
};
const Derivative& derivative(Op op);

/// The cotangents of `inputs` that belong to `cotangents` of `outputs`; zeros where they do not depend on each other.
/// Throws X104, with the line, where an operation in between is not differentiable, and X405 unless there is a
/// cotangent for each output (an empty one is zero).
std::vector<Array> vector_jacobian_product(const std::vector<Array>& outputs, const std::vector<Array>& cotangents,
                                           const std::vector<Array>& inputs);

/// The graph that takes what `graph` takes and returns the gradient of its only result, a floating-point scalar, with
/// respect to each parameter of floating-point type; with `value`, that result comes first.
Graph grad(const Graph& graph, bool value = false);

namespace detail {
std::vector<Array> gradients(const Array& loss, const std::vector<Array>& inputs, const Place& place);
/// How `outputs` change when `inputs` change by `directions`, which are of a structure like theirs where `alike`.
std::vector<Array> tangents(const std::vector<Array>& outputs, const std::vector<Array>& inputs,
                            const std::vector<Array>& directions, bool alike, const Place& place);
}  // namespace detail

/// Whether `Function` takes these arguments and returns an Array, or a pair that begins with one.
template <class Function, class... Given>
concept gives_loss = gives_structure<Function, Given...> &&
                     requires(std::remove_cvref_t<std::invoke_result_t<const Function&, const Given&...>> result) {
                       requires std::same_as<decltype(result), Array> ||
                                    std::same_as<std::remove_cvref_t<decltype(result.first)>, Array>;
                     };

/// Whether `Function` is a gradient that takes these arguments, of a function that gives no loss for them.
template <class Function, class... Given>
concept lacks_loss = requires { requires Function::template lacks_loss<Given...>; };

/// A function that is called as `Function` is, and gives its gradient, after its own result where `with_value`: with
/// respect to the arguments of these `numbers`, or the first.
template <class Function, bool with_value, std::size_t... numbers>
class Differentiated {
 public:
  Differentiated(Function function, const std::source_location& where)
      : function_{std::move(function)}, where_{where} {}

  template <class... Given>
  static constexpr bool takes_numbers =
      sizeof...(Given) > 0 && ((numbers < sizeof...(Given)) && ...) && std::invocable<const Function&, const Given&...>;
  /// Whether the gradient would be with respect to data.
  template <class... Given>
  static constexpr bool by_data() {
    constexpr std::array<bool, sizeof...(Given) + 1> data{is_data<Given>...};
    return sizeof...(numbers) == 0 ? data[0] : ((numbers < sizeof...(Given) && data[numbers]) || ...);
  }
  template <class... Given>
  static constexpr bool lacks_loss = !by_data<Given...>() && !wants_data<Function, Given...> && sizeof...(Given) > 0 &&
                                     (takes_numbers<Given...> ? !gives_loss<Function, Given...>
                                                              : octet::lacks_loss<Function, Given...>);
  template <class... Given>
  static constexpr bool unfit =
      !by_data<Given...>() && !wants_data<Function, Given...> && !takes_numbers<Given...> && !lacks_loss<Given...>;

  template <class Structure, class... Rest>
    requires(sizeof...(numbers) == 0 && !is_data<Structure> && gives_loss<Function, Structure, Rest...>)
  auto operator()(const Structure& x, const Rest&... rest) const {
    std::vector<Array> inputs;
    for (const Array& array : octet::arrays_of(x)) inputs.push_back(alias(array));
    const Structure variables = octet::with_arrays(Structure{x}, inputs);
    auto result = call_at(where_, function_, variables, rest...);
    const Array& loss = [&]() -> const Array& {
      if constexpr (std::same_as<decltype(result), Array>)
        return result;
      else
        return result.first;
    }();
    Structure gradient = octet::with_arrays(Structure{x}, detail::gradients(loss, inputs, Place::of(where_)));
    if constexpr (with_value)
      return std::pair{std::move(result), std::move(gradient)};
    else
      return gradient;
  }

  template <class... Given>
    requires(sizeof...(numbers) > 0 && ((numbers < sizeof...(Given)) && ...) && !by_data<Given...>() &&
             gives_loss<Function, Given...>)
  auto operator()(const Given&... given) const {
    using All = std::tuple<const Given&...>;
    using Chosen = std::tuple<std::remove_cvref_t<std::tuple_element_t<numbers, All>>...>;
    const All all{given...};
    const auto of_chosen = [&](const Chosen& chosen) {
      return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return call_at(where_, function_, argument<I>(all, chosen)...);
      }(std::index_sequence_for<Given...>{});
    };
    auto [result, gradient] =
        Differentiated<decltype(of_chosen), true>{of_chosen, where_}(Chosen{std::get<numbers>(all)...});
    auto asked = [&] {
      if constexpr (sizeof...(numbers) == 1)
        return std::get<0>(std::move(gradient));
      else
        return std::move(gradient);
    }();
    if constexpr (with_value)
      return std::pair{std::move(result), std::move(asked)};
    else
      return asked;
  }

  template <class... Given, class Here = decltype([] {})>
    requires(by_data<Given...>() || (unfit<Given...> && (is_data<Given> || ...)))
  OCTET_REFUSED(OCTET_NO_DATA_WITHIN)
  void operator()(const Given&...) const {
    static_assert(never<Here>, OCTET_NO_DATA_WITHIN);
  }
  template <class... Given, class Here = decltype([] {})>
    requires(!by_data<Given...>() && wants_data<Function, Given...>)
  OCTET_REFUSED(OCTET_NO_DATA)
  void operator()(const Given&...) const {
    static_assert(never<Here>, OCTET_NO_DATA);
  }
  template <class... Given, class Here = decltype([] {})>
    requires(unfit<Given...> && !(is_data<Given> || ...))
  OCTET_REFUSED(OCTET_NO_GRADIENT_FIT)
  void operator()(const Given&...) const {
    static_assert(never<Here>, OCTET_NO_GRADIENT_FIT);
  }
  template <class... Given, class Here = decltype([] {})>
    requires(lacks_loss<Given...>)
  OCTET_REFUSED(OCTET_NO_LOSS)
  void operator()(const Given&...) const {
    static_assert(never<Here>, OCTET_NO_LOSS);
  }

 private:
  /// Argument `I`: where it is one of those that are chosen, what stands for it.
  template <std::size_t I>
  static const auto& argument(const auto& all, const auto& chosen) {
    constexpr std::array<std::size_t, sizeof...(numbers)> order{numbers...};
    constexpr auto at = static_cast<std::size_t>(std::ranges::find(order, I) - order.begin());
    if constexpr (at < order.size())
      return std::get<at>(chosen);
    else
      return std::get<I>(all);
  }

  Function function_;
  std::source_location where_;
};

template <class Function, bool with_value, std::size_t... numbers>
inline constexpr bool takes_data<Differentiated<Function, with_value, numbers...>> = takes_data<Function>;
template <class Function, bool with_value, std::size_t... numbers, class... Given>
inline constexpr bool wants_data<Differentiated<Function, with_value, numbers...>, Given...> =
    wants_data<Function, Given...>;

/// Whether no number is there twice.
template <std::size_t... numbers>
inline constexpr bool distinct = true;
template <std::size_t first, std::size_t... others>
inline constexpr bool distinct<first, others...> = ((first != others) && ...) && distinct<others...>;

/// A function that returns `{f(x, ...), gradient of f with respect to x}`. `f` returns a scalar, or a pair of a scalar
/// and anything else, which is passed on. `x` is any structure of floating-point arrays; the gradient has the same
/// structure. With respect to other arguments `value_and_grad<1>(f)`, and to several `value_and_grad<0, 2>(f)`, whose
/// gradient is a tuple: jax's argnums. What it is not taken with respect to may be anything, such as a Tensor.
template <std::size_t... numbers, class Function>
  requires(distinct<numbers...>)
auto value_and_grad(Function function, std::source_location where = std::source_location::current()) {
  return Differentiated<Function, true, numbers...>{std::move(function), where};
}

/// A function that returns the gradient of `f` with respect to its first argument, or to those that `grad<1>(f)` and
/// `grad<0, 2>(f)` name.
template <std::size_t... numbers, class Function>
auto grad(Function function, std::source_location where = std::source_location::current())
  requires(!std::same_as<Function, Graph> && distinct<numbers...>)
{
  return Differentiated<Function, false, numbers...>{std::move(function), where};
}

template <std::size_t... numbers, class Function, class Here = decltype([] {})>
  requires(!distinct<numbers...>)
OCTET_REFUSED(OCTET_NO_NUMBER_TWICE)
auto value_and_grad(Function function) {
  static_assert(never<Here>, OCTET_NO_NUMBER_TWICE);
  return Differentiated<Function, true, numbers...>{std::move(function), std::source_location{}};
}
template <std::size_t... numbers, class Function, class Here = decltype([] {})>
  requires(!distinct<numbers...>)
OCTET_REFUSED(OCTET_NO_NUMBER_TWICE)
auto grad(Function function) {
  static_assert(never<Here>, OCTET_NO_NUMBER_TWICE);
  return Differentiated<Function, false, numbers...>{std::move(function), std::source_location{}};
}

/// Whether jvp takes these.
template <class Function, class... Given>
inline constexpr bool takes_direction = false;
template <class Function, class Structure, class Tangent, class... Where>
inline constexpr bool takes_direction<Function, Structure, Tangent, Where...> =
    !is_data<Structure> && gives_structure<Function, Structure> && std::is_convertible_v<const Tangent&, Structure> &&
    sizeof...(Where) < 2 && (std::same_as<Where, std::source_location> && ...);

/// `{f(x), how f(x) changes when x changes by tangent}`, as jax.jvp of a function of one argument, any structure, with
/// a structure like it: `jvp([&](Array w) { return loss(w, x); }, weights, direction)`. Of whole numbers and truth
/// values among the results the change is 0. A derivative of the gradient's own program, so that what has no gradient,
/// such as a while_loop, has none: X104. `jvp(grad(loss), weights, direction).second` is the Hessian times `direction`.
/// Throws X402 where an array of `x` is not floating-point, X401 where one of `tangent` is not of its type, X405 where
/// there are more or fewer, or what is no array differs.
template <class Function, class Structure>
  requires(!is_data<Structure> && gives_structure<Function, Structure>)
auto jvp(const Function& function, const Structure& x, const std::type_identity_t<Structure>& tangent,
         std::source_location where = std::source_location::current()) {
  std::vector<Array> inputs;
  for (const Array& array : octet::arrays_of(x)) inputs.push_back(alias(array));
  auto result = call_at(where, function, octet::with_arrays(Structure{x}, inputs));
  const bool alike = octet::fixed_hash(x) == octet::fixed_hash(tangent);
  auto change = octet::with_arrays(
      result, detail::tangents(octet::arrays_of(result), inputs, octet::arrays_of(tangent), alike, Place::of(where)));
  return std::pair{std::move(result), std::move(change)};
}

template <class Function, class... Given, class Here = decltype([] {})>
  requires(!takes_direction<Function, Given...>)
OCTET_REFUSED(OCTET_NO_DIRECTION)
void jvp(const Function&, const Given&...) {
  static_assert(never<Here>, OCTET_NO_DIRECTION);
}

}  // namespace octet
