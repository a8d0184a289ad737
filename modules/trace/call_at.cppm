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
decltype(auto) forwarded_at(const std::source_location& where, const Function& function, Given&&... given) {
  if constexpr (!requires { function(std::forward<Given>(given)...); }) {
    return std::invoke(function, std::forward<Given>(given)...);  // a member
  } else {
    const auto handed = [&]<std::size_t number, class Each>(Each&& each) -> decltype(auto) {
      if constexpr (std::same_as<std::remove_cvref_t<Each>, Array> && takes_operand<Function, number>())
        return operand{each, where};
      else
        return std::forward<Each>(each);
    };
    return [&]<std::size_t... number>(std::index_sequence<number...>) -> decltype(auto) {
      return function(handed.template operator()<number>(std::forward<Given>(given))...);
    }(std::index_sequence_for<Given...>{});
  }
}
/// The same, all that is given being const.
template <class Function, class... Given>
decltype(auto) call_at(const std::source_location& where, const Function& function, const Given&... given) {
  return forwarded_at(where, function, given...);
}

/// Whether one of the parameters is a number where an Array is given, which only seems convertible to it.
template <class Function, class... Given>
constexpr bool asks_numbers_of_arrays() {
  using Types = typename Parameters<std::decay_t<Function>>::Types;
  if constexpr (std::tuple_size_v<Types> != sizeof...(Given))
    return false;
  else
    return []<std::size_t... number>(std::index_sequence<number...>) {
      return ((std::is_arithmetic_v<std::remove_cvref_t<std::tuple_element_t<number, Types>>> &&
               std::same_as<std::remove_cvref_t<std::tuple_element_t<number, std::tuple<Given...>>>, Array>) ||
              ...);
    }(std::index_sequence_for<Given...>{});
}

}  // namespace octet

export namespace octet {

/// Whether `Function` names a number of the host where one of `Given` is an Array.
template <class Function, class... Given>
inline constexpr bool wants_number = asks_numbers_of_arrays<Function, Given...>();

/// A function of somebody else's, which must outlive this, as it is called on behalf of their line: for what is called
/// later than it was given.
template <class Function>
struct CalledAt {
  const Function* function;
  std::source_location where;

  template <class... Given>
    requires std::invocable<const Function&, Given...>
  decltype(auto) operator()(Given&&... given) const {
    return forwarded_at(where, *function, std::forward<Given>(given)...);
  }
};
template <class Function>
CalledAt(const Function*, std::source_location) -> CalledAt<Function>;

}  // namespace octet
