/// A walk through a structure of arrays, field by field, and what it meets on the way. Each structure is walked by one
/// function, whoever looks at it: what looks is called through a Visitor.
export module octet.trace:walk;
import octet.base;
import octet.standard;
import :array;
import :members;

namespace octet::reflection {

template <class T>
inline constexpr bool is_vector = false;
template <class T>
inline constexpr bool is_vector<std::vector<T>> = true;
template <class T>
inline constexpr bool is_array = false;
template <class T, std::size_t N>
inline constexpr bool is_array<std::array<T, N>> = true;
template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
template <class T>
inline constexpr bool is_variant = false;
template <class... T>
inline constexpr bool is_variant<std::variant<T...>> = true;
template <class T>
inline constexpr bool is_tuple = false;
template <class... T>
inline constexpr bool is_tuple<std::tuple<T...>> = true;
template <class A, class B>
inline constexpr bool is_tuple<std::pair<A, B>> = true;

}  // namespace octet::reflection

export namespace octet::reflection {

/// Where a member lies in a structure. Names cost more than all else: they are put together for those who ask.
class Path {
 public:
  explicit Path(std::string_view name) : part_{name} {}
  /// A member, which refers to this path.
  Path below(std::string_view part) const { return Path{*this, part, 0}; }
  /// An element.
  Path below(std::size_t index) const { return Path{*this, {}, index}; }
  /// Joined by dots: `model.layers.0`. What is below an empty name begins without a dot.
  std::string name() const;

 private:
  Path(const Path& above, std::string_view part, std::size_t index) : above_{&above}, part_{part}, index_{index} {}

  const Path* above_ = nullptr;
  std::string_view part_;  ///< empty: an element
  std::size_t index_ = 0;
};

/// The value of a member that is no array.
using Fixed = std::variant<bool, std::int64_t, std::uint64_t, float, double, const std::string*, const Shape*>;
template <class T>
Fixed fixed_value(const T& value) {
  static_assert(sizeof(T) <= sizeof(std::uint64_t) || std::same_as<T, std::string> || std::same_as<T, Shape>,
                "a number in a structure of arrays has at most 64 bits: write a double, or a std::int64_t");
  if constexpr (std::is_enum_v<T>)
    return reflection::fixed_value(static_cast<std::underlying_type_t<T>>(value));
  else if constexpr (std::same_as<T, std::string> || std::same_as<T, Shape>)
    return &value;
  else if constexpr (std::same_as<T, bool> || std::same_as<T, float>)
    return value;
  else if constexpr (std::floating_point<T>)
    return static_cast<double>(value);
  else if constexpr (std::unsigned_integral<T>)
    return static_cast<std::uint64_t>(value);
  else
    return static_cast<std::int64_t>(value);
}

/// What looks at a structure, in the order of declaration.
class Visitor {
 public:
  /// An Array, which may be changed where the structure may.
  virtual void array(const Path&, Array&) = 0;
  /// A static member, or an element of one.
  virtual void fixed(const Path&, const Fixed&) {}
  /// A vector of `n` elements, an optional of 0 or 1, or a variant that holds alternative `n`.
  virtual void holds(std::size_t) {}

 protected:
  ~Visitor() = default;
};

/// Shows `tree`, which lies at `path`, to `visitor`.
template <class T>
void walk(T& tree, const Path& path, Visitor& visitor);

}  // namespace octet::reflection

namespace octet::reflection {

/// Whether a list or a tuple has elements that are, or refer to, constants with arrays in them.
template <class T>
inline constexpr bool has_constant_element = false;
template <class T, std::size_t N>
inline constexpr bool has_constant_element<std::array<T, N>> = is_constant_array<T>();
template <class T>
inline constexpr bool has_constant_element<std::optional<T>> = is_constant_array<T>();
template <class... T>
inline constexpr bool has_constant_element<std::variant<T...>> = (is_constant_array<T>() || ...);
template <class... T>
inline constexpr bool has_constant_element<std::tuple<T...>> = (is_constant_array<std::remove_reference_t<T>>() || ...);
template <class A, class B>
inline constexpr bool has_constant_element<std::pair<A, B>> =
    is_constant_array<std::remove_reference_t<A>>() || is_constant_array<std::remove_reference_t<B>>();

template <class T>
void walk_in(T& tree, const Path& path, Visitor& visitor) {
  static_assert(!has_constant_element<T>,
                "a structure of arrays is given other arrays for each program: write its elements without const");
  if constexpr (is_vector<T>) visitor.holds(tree.size());
  if constexpr (is_optional<T>) visitor.holds(std::size_t{tree.has_value()});
  if constexpr (is_variant<T>) visitor.holds(tree.index());
  if constexpr (std::is_same_v<T, Array>) {
    visitor.array(path, tree);
  } else if constexpr (std::is_same_v<T, std::vector<bool>>) {
    for (std::size_t i = 0; i < tree.size(); ++i) visitor.fixed(path.below(i), Fixed{bool{tree[i]}});
  } else if constexpr (is_vector<T> || is_array<T>) {
    for (std::size_t i = 0; i < tree.size(); ++i) reflection::walk(tree[i], path.below(i), visitor);
  } else if constexpr (is_optional<T>) {
    if (tree) reflection::walk(*tree, path, visitor);
  } else if constexpr (is_variant<T>) {
    std::visit([&](auto& held) { reflection::walk(held, path, visitor); }, tree);
  } else if constexpr (is_tuple<T>) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (reflection::walk(std::get<I>(tree), path.below(I), visitor), ...);
    }(std::make_index_sequence<std::tuple_size_v<T>>{});
  } else if constexpr (is_fixed<T>) {
    visitor.fixed(path, reflection::fixed_value(tree));
  } else {
    constexpr MembersFault fault = members_fault<T>();
    static_assert(
        fault != MembersFault::no_aggregate,
        "a structure of arrays is made of Array, numbers, strings, vectors, std::arrays, tuples, optionals, "
        "variants and aggregates of these: structures without constructors, virtual functions and private members; a "
        "Tensor is an Array in it, and Values holds its data");
    static_assert(fault != MembersFault::base,
                  "a structure of arrays has no base class, whose members could not be told apart from its own: write "
                  "the base as its first member");
    static_assert(fault != MembersFault::reference,
                  "a structure of arrays holds its members itself, so that each copy has arrays of its own: write the "
                  "member without &");
    static_assert(fault != MembersFault::constant,
                  "a structure of arrays is given other arrays for each program: write the member without const");
    static_assert(fault != MembersFault::array,
                  "a structure of arrays has no C arrays, whose elements could not be told apart from members: write "
                  "std::array, or std::string for a text");
    static_assert(fault != MembersFault::too_many,
                  "a structure of arrays has at most 16 members: put the rest into a structure of their own");
    if constexpr (fault == MembersFault::none) {
      auto fields = members(tree);
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        (reflection::walk(std::get<I>(fields), path.below(member_name<T, I>()), visitor), ...);
      }(std::make_index_sequence<std::tuple_size_v<decltype(fields)>>{});
    }
  }
}

template <class T>
void walk(T& tree, const Path& path, Visitor& visitor) {
  reflection::walk_in(const_cast<std::remove_const_t<T>&>(tree), path, visitor);
}

}  // namespace octet::reflection
