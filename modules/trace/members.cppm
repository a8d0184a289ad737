/// The members of an aggregate, without macros: how many there are, references to them, their names, and what keeps a
/// structure from being taken apart. Internal to octet.trace.
export module octet.trace:members;
import octet.base;
import octet.standard;

namespace octet::reflection {

// Never called: only whether it could be is asked, and of a structure in an unnamed namespace, too.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-internal"
/// Stands for a member of any type but the aggregate itself, when counting members.
template <class Aggregate>
struct AnyMember {
  template <class T>
    requires(!std::same_as<std::remove_cvref_t<T>, Aggregate>)
  operator T() const noexcept;
};
#pragma clang diagnostic pop

template <class T, std::size_t... I>
constexpr bool takes(std::index_sequence<I...>) {
  return requires { T{(static_cast<void>(I), AnyMember<T>{})...}; };
}

/// The least number of members that `T` takes, from `N` on; 0 where it takes none. More than one where a later member
/// must be given, too.
template <class T, std::size_t N>
constexpr std::size_t least_count() {
  if constexpr (N > 24)
    return 0;
  else if constexpr (takes<T>(std::make_index_sequence<N>{}))
    return N;
  else
    return least_count<T, N + 1>();
}

template <class T, std::size_t N = 0>
constexpr std::size_t member_count() {
  if constexpr (N < 24 && takes<T>(std::make_index_sequence<N + 1>{}))
    return member_count<T, N + 1>();
  else if constexpr (N == 0 && !std::is_empty_v<T>) {
    constexpr std::size_t least = least_count<T, 2>();
    if constexpr (least == 0)
      return 0;
    else
      return member_count<T, least>();
  } else
    return N;
}

inline constexpr std::size_t most_members = 16;

/// References to the members of an aggregate that has no fault.
template <class T>
constexpr auto members(T& value) {
  constexpr std::size_t n = member_count<std::remove_const_t<T>>();
  if constexpr (n == 0)
    return std::tie();
  else if constexpr (n == 1) {
    auto& [a] = value;
    return std::tie(a);
  } else if constexpr (n == 2) {
    auto& [a, b] = value;
    return std::tie(a, b);
  } else if constexpr (n == 3) {
    auto& [a, b, c] = value;
    return std::tie(a, b, c);
  } else if constexpr (n == 4) {
    auto& [a, b, c, d] = value;
    return std::tie(a, b, c, d);
  } else if constexpr (n == 5) {
    auto& [a, b, c, d, e] = value;
    return std::tie(a, b, c, d, e);
  } else if constexpr (n == 6) {
    auto& [a, b, c, d, e, f] = value;
    return std::tie(a, b, c, d, e, f);
  } else if constexpr (n == 7) {
    auto& [a, b, c, d, e, f, g] = value;
    return std::tie(a, b, c, d, e, f, g);
  } else if constexpr (n == 8) {
    auto& [a, b, c, d, e, f, g, h] = value;
    return std::tie(a, b, c, d, e, f, g, h);
  } else if constexpr (n == 9) {
    auto& [a, b, c, d, e, f, g, h, i] = value;
    return std::tie(a, b, c, d, e, f, g, h, i);
  } else if constexpr (n == 10) {
    auto& [a, b, c, d, e, f, g, h, i, j] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j);
  } else if constexpr (n == 11) {
    auto& [a, b, c, d, e, f, g, h, i, j, k] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k);
  } else if constexpr (n == 12) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l);
  } else if constexpr (n == 13) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m);
  } else if constexpr (n == 14) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, o);
  } else if constexpr (n == 15) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o, p] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, o, p);
  } else {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q);
  }
}

// The address of a member of an object that exists nowhere: its name is all that is taken from it. The structure may be
// one of an unnamed namespace.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-var-template"
#pragma clang diagnostic ignored "-Wundefined-internal"
template <class T>
struct Somewhere {
  T value;
};
template <class T>
extern const Somewhere<T> somewhere;

template <class M>
struct Pointer {
  const M* address;
};
template <class M>
Pointer(const M*) -> Pointer<M>;

template <class T, auto P>
constexpr std::string_view signature() {
  return __PRETTY_FUNCTION__;
}

/// The name of member `I` of `T`, as written in its declaration.
template <class T, std::size_t I>
constexpr std::string_view member_name() {
  constexpr std::string_view text = signature<T, Pointer{&std::get<I>(members(somewhere<T>.value))}>();
  constexpr std::size_t end = text.rfind('}'), begin = text.rfind('.', end) + 1;
  return text.substr(begin, end - begin);
}
#pragma clang diagnostic pop

// Never called either.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-internal"
/// Stands for a base class of the aggregate.
template <class Aggregate>
struct AnyBase {
  template <class T>
    requires(!std::same_as<std::remove_cvref_t<T>, Aggregate> && std::is_base_of_v<T, Aggregate>)
  operator T() const noexcept;
};
#pragma clang diagnostic pop

template <class T>
inline constexpr bool has_base = requires { T{AnyBase<T>{}}; };

/// No value is what a reference could refer to.
template <class T>
inline constexpr bool has_reference = member_count<T>() == 0 && !std::is_empty_v<T>;

/// Whether `T` takes `Before` members, one in braces that takes two, and `After` more.
template <class T, std::size_t... Before, std::size_t... After>
constexpr bool takes_braces(std::index_sequence<Before...>, std::index_sequence<After...>) {
  return requires {
    T{(static_cast<void>(Before), AnyMember<T>{})...,
      {AnyMember<T>{}, AnyMember<T>{}},
      (static_cast<void>(After), AnyMember<T>{})...};
  };
}
/// Whether a C array begins at initializer `I`: without braces it takes as many initializers as it has elements, within
/// them they are one.
template <class T, std::size_t I>
constexpr bool begins_array() {
  constexpr auto before = std::make_index_sequence<I>{};
  return takes_braces<T>(before, std::index_sequence<>{}) &&
         !takes_braces<T>(before, std::make_index_sequence<member_count<T>() - I - 1>{});
}
template <class T, std::size_t... I>
constexpr bool has_array(std::index_sequence<I...>) {
  return (begins_array<T, I>() || ...);
}

/// Whether it is no array and holds none: of static members.
template <class T>
inline constexpr bool is_fixed =
    std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_same_v<T, std::string> || std::is_same_v<T, Shape>;
template <class T>
inline constexpr bool is_fixed<std::vector<T>> = is_fixed<T>;
template <class T, std::size_t N>
inline constexpr bool is_fixed<std::array<T, N>> = is_fixed<T>;
template <class T>
inline constexpr bool is_fixed<std::optional<T>> = is_fixed<T>;
template <class... T>
inline constexpr bool is_fixed<std::variant<T...>> = (is_fixed<T> && ...);
template <class... T>
inline constexpr bool is_fixed<std::tuple<T...>> = (is_fixed<T> && ...);
template <class A, class B>
inline constexpr bool is_fixed<std::pair<A, B>> = is_fixed<A> && is_fixed<B>;

template <class T, std::size_t deep = 0>
constexpr bool holds_array();

/// Whether a list or a tuple holds an array, or may.
template <std::size_t deep, class T>
constexpr bool element_holds(const std::vector<T>*) {
  return holds_array<T, deep>();
}
template <std::size_t deep, class T, std::size_t N>
constexpr bool element_holds(const std::array<T, N>*) {
  return holds_array<T, deep>();
}
template <std::size_t deep, class T>
constexpr bool element_holds(const std::optional<T>*) {
  return holds_array<T, deep>();
}
template <std::size_t deep, class... T>
constexpr bool element_holds(const std::variant<T...>*) {
  return (holds_array<T, deep>() || ...);
}
template <std::size_t deep, class... T>
constexpr bool element_holds(const std::tuple<T...>*) {
  return (holds_array<std::remove_cvref_t<T>, deep>() || ...);
}
template <std::size_t deep, class A, class B>
constexpr bool element_holds(const std::pair<A, B>*) {
  return holds_array<A, deep>() || holds_array<B, deep>();
}

template <class M>
constexpr bool is_constant_array() {
  if constexpr (std::is_const_v<M>)
    return holds_array<std::remove_const_t<M>>();
  else
    return false;
}
template <class... M>
constexpr bool has_constant(const std::tuple<M&...>*) {
  return (is_constant_array<M>() || ...);
}

/// What keeps a structure from being taken apart into its members.
enum class MembersFault : std::uint8_t { none, no_aggregate, base, reference, array, too_many, constant };

/// But for constant members.
template <class T>
constexpr MembersFault structure_fault() {
  if constexpr (std::is_array_v<T>) {
    return MembersFault::array;
  } else if constexpr (!std::is_aggregate_v<T>) {
    return MembersFault::no_aggregate;
  } else if constexpr (has_base<T>) {
    return MembersFault::base;
  } else if constexpr (has_reference<T>) {
    return MembersFault::reference;
  } else if constexpr (has_array<T>(std::make_index_sequence<member_count<T>()>{})) {
    return MembersFault::array;
  } else {
    return member_count<T>() > most_members ? MembersFault::too_many : MembersFault::none;
  }
}

template <class T>
constexpr MembersFault members_fault() {
  constexpr MembersFault fault = structure_fault<T>();
  if constexpr (fault != MembersFault::none) {
    return fault;
  } else {
    using Members = decltype(members(std::declval<T&>()));
    return has_constant(static_cast<const Members*>(nullptr)) ? MembersFault::constant : MembersFault::none;
  }
}

/// Whether there is an Array in a `T`, or may be: structures may hold lists of themselves, and are looked into only so
/// deep.
template <class T, std::size_t deep>
constexpr bool holds_array() {
  constexpr std::size_t deepest = 8;
  if constexpr (is_fixed<T>) {
    return false;
  } else if constexpr (deep == deepest) {
    return true;
  } else if constexpr (requires(const T* t) { element_holds<deep + 1>(t); }) {
    return element_holds<deep + 1>(static_cast<const T*>(nullptr));
  } else if constexpr (structure_fault<T>() != MembersFault::none) {
    return true;
  } else {
    using Members = std::remove_cvref_t<decltype(members(std::declval<T&>()))>;
    return element_holds<deep + 1>(static_cast<const Members*>(nullptr));
  }
}

}  // namespace octet::reflection
