/// Derivatives: reverse-mode differentiation of traced programs. A derivative is made of ordinary arrays, so it can be
/// differentiated again, compiled and printed like everything else.
module;

#include "refused.hpp"
export module octet.trace:gradient;
import octet.base;
import octet.graph;
import octet.standard;
import :array;
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
}

/// Whether `Function` takes these arguments and returns an Array, or a pair that begins with one.
template <class Function, class... Given>
concept gives_loss = std::invocable<const Function&, const Given&...> &&
                     requires(std::remove_cvref_t<std::invoke_result_t<const Function&, const Given&...>> result) {
                       requires std::same_as<decltype(result), Array> ||
                                    std::same_as<std::remove_cvref_t<decltype(result.first)>, Array>;
                     };

/// Whether `Function` is a gradient that takes these arguments, of a function that gives no loss for them.
template <class Function, class... Given>
concept lacks_loss = requires { requires Function::template lacks_loss<Given...>; };

/// A function that is called as `Function` is, and gives its gradient, after its own result where `with_value`.
template <class Function, bool with_value>
class Differentiated {
 public:
  Differentiated(Function function, Place place) : function_{std::move(function)}, place_{std::move(place)} {}

  template <class Structure, class... Rest>
    requires gives_loss<Function, Structure, Rest...>
  auto operator()(const Structure& x, const Rest&... rest) const {
    std::vector<Array> inputs;
    for (const Array& array : octet::arrays_of(x)) inputs.push_back(alias(array));
    const Structure variables = octet::with_arrays(Structure{x}, inputs);
    auto result = function_(variables, rest...);
    const Array& loss = [&]() -> const Array& {
      if constexpr (std::same_as<decltype(result), Array>)
        return result;
      else
        return result.first;
    }();
    Structure gradient = octet::with_arrays(Structure{x}, detail::gradients(loss, inputs, place_));
    if constexpr (with_value)
      return std::pair{std::move(result), std::move(gradient)};
    else
      return gradient;
  }

  template <class... Given>
  static constexpr bool lacks_loss = sizeof...(Given) > 0 && (std::invocable<const Function&, const Given&...>
                                                                  ? !gives_loss<Function, Given...>
                                                                  : octet::lacks_loss<Function, Given...>);

  template <class... Given, class Here = decltype([] {})>
    requires(!gives_loss<Function, Given...> && (is_data<Given> || ...))
  OCTET_REFUSED(OCTET_NO_DATA_WITHIN)
  void operator()(const Given&...) const {
    static_assert(never<Here>, OCTET_NO_DATA_WITHIN);
  }
  template <class... Given, class Here = decltype([] {})>
    requires((!gives_loss<Function, Given...> && !lacks_loss<Given...>) || (sizeof...(Given) == 0)) &&
            (!(is_data<Given> || ...))
  OCTET_REFUSED(OCTET_NO_GRADIENT_FIT)
  void operator()(const Given&...) const {
    static_assert(never<Here>, OCTET_NO_GRADIENT_FIT);
  }
  template <class... Given, class Here = decltype([] {})>
    requires(lacks_loss<Given...> && !(is_data<Given> || ...))
  OCTET_REFUSED(OCTET_NO_LOSS)
  void operator()(const Given&...) const {
    static_assert(never<Here>, OCTET_NO_LOSS);
  }

 private:
  Function function_;
  Place place_;
};

/// A function that returns `{f(x, ...), gradient of f with respect to x}`. `f` returns a scalar, or a pair of a scalar
/// and anything else, which is passed on. `x` is any structure of floating-point arrays; the gradient has the same
/// structure.
template <class Function>
auto value_and_grad(Function function, std::source_location where = std::source_location::current()) {
  return Differentiated<Function, true>{std::move(function), Place::of(where)};
}

/// A function that returns the gradient of `f` with respect to its first argument.
template <class Function>
auto grad(Function function, std::source_location where = std::source_location::current())
  requires(!std::same_as<Function, Graph>)
{
  return Differentiated<Function, false>{std::move(function), Place::of(where)};
}

}  // namespace octet
