/// Calling a function of a user's on behalf of a line of theirs. Internal to octet.trace.
///
/// An Array becomes an `operand`, which has a line, where it is handed to a function that takes one. Within the library
/// that line says nothing: `checkpoint(layer)(x)` is to tell where `checkpoint` was written.
export module octet.trace:call_at;
import octet.standard;
import :array;

namespace octet {

/// The parameters of a function; none are known of one that takes its arguments in several ways.
template <class Function>
struct Parameters {
  using Types = std::tuple<>;
};
template <class Result, bool never_throws, class... Each>
struct Parameters<Result (*)(Each...) noexcept(never_throws)> {
  using Types = std::tuple<Each...>;
};
template <class Result, class Class, bool never_throws, class... Each>
struct Parameters<Result (Class::*)(Each...) noexcept(never_throws)> : Parameters<Result (*)(Each...)> {};
template <class Result, class Class, bool never_throws, class... Each>
struct Parameters<Result (Class::*)(Each...) const noexcept(never_throws)> : Parameters<Result (*)(Each...)> {};
template <class Function>
  requires requires { &Function::operator(); }
struct Parameters<Function> : Parameters<decltype(&Function::operator())> {};

/// Whether parameter `number` is an operand.
template <class Function, std::size_t number>
constexpr bool takes_operand() {
  using Types = typename Parameters<std::decay_t<Function>>::Types;
  if constexpr (number < std::tuple_size_v<Types>)
    return std::same_as<std::remove_cvref_t<std::tuple_element_t<number, Types>>, operand>;
  else
    return false;
}

/// `function(given...)`, as std::invoke calls it; what it takes as operands is taken to be written at `where`.
template <class Function, class... Given>
decltype(auto) call_at(const std::source_location& where, const Function& function, const Given&... given) {
  if constexpr (!requires { function(given...); }) {
    return std::invoke(function, given...);  // a member
  } else {
    const auto handed = [&]<std::size_t number, class Each>(const Each& each) -> decltype(auto) {
      if constexpr (std::same_as<Each, Array> && takes_operand<Function, number>())
        return operand{each, where};
      else
        return static_cast<const Each&>(each);
    };
    return [&]<std::size_t... number>(std::index_sequence<number...>) -> decltype(auto) {
      return function(handed.template operator()<number>(given)...);
    }(std::index_sequence_for<Given...>{});
  }
}

/// `function`, which takes operands, as it is called on behalf of a line: see call_at.
template <class Function>
struct CalledAt {
  Function function;
  std::source_location where;

  template <class... Given>
    requires std::invocable<const Function&, const Given&...>
  decltype(auto) operator()(const Given&... given) const {
    return call_at(where, function, given...);
  }
};

/// `function`, or where it takes operands, what calls it on behalf of `where`: for what calls a function later.
export template <class Function>
auto called_at(const std::source_location& where, Function function) {
  constexpr std::size_t count = std::tuple_size_v<typename Parameters<std::decay_t<Function>>::Types>;
  constexpr bool operands = []<std::size_t... number>(std::index_sequence<number...>) {
    return (takes_operand<Function, number>() || ...);
  }(std::make_index_sequence<count>{});
  if constexpr (operands)
    return CalledAt<Function>{std::move(function), where};
  else
    return function;
}

}  // namespace octet
