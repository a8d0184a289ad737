/// Structures of arrays: aggregates, vectors, arrays, tuples and optionals of them, traversed field by field with their
/// names, without macros. Other members (numbers, enumerations, strings) are static: part of the program, not of the
/// data.
export module octet.trace:tree;
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
inline constexpr bool is_tuple = false;
template <class... T>
inline constexpr bool is_tuple<std::tuple<T...>> = true;
template <class A, class B>
inline constexpr bool is_tuple<std::pair<A, B>> = true;

}  // namespace octet::reflection

export namespace octet::reflection {

/// In place of a name, where none is asked for: names cost more than all else.
struct Unnamed {};
inline Unnamed below(Unnamed, std::string_view) { return {}; }
inline Unnamed below(Unnamed, std::size_t) { return {}; }
inline std::string below(const std::string& name, std::string_view part) {
  return name.empty() ? std::string{part} : name + "." + std::string{part};
}
inline std::string below(const std::string& name, std::size_t part) { return below(name, std::to_string(part)); }

/// Calls `visit(name, member)` for each Array and `visit.fixed(name, member)` for each static member below `tree`, in
/// the order of declaration; and `visit.holds(n)` for each vector of n elements and each optional of n (0 or 1), if it
/// takes that.
template <class T, class Name, class Visit>
void walk(T& tree, const Name& name, Visit& visit) {
  using Plain = std::remove_const_t<T>;
  if constexpr (requires { visit.holds(std::size_t{}); }) {
    if constexpr (is_vector<Plain>) visit.holds(tree.size());
    if constexpr (is_optional<Plain>) visit.holds(std::size_t{tree.has_value()});
  }
  if constexpr (std::is_same_v<Plain, Array>) {
    visit(name, tree);
  } else if constexpr (std::is_same_v<Plain, std::vector<bool>>) {
    for (std::size_t i = 0; i < tree.size(); ++i) {
      const bool element = tree[i];  // they have no addresses
      walk(element, below(name, i), visit);
    }
  } else if constexpr (is_vector<Plain> || is_array<Plain>) {
    for (std::size_t i = 0; i < tree.size(); ++i) walk(tree[i], below(name, i), visit);
  } else if constexpr (is_optional<Plain>) {
    if (tree) walk(*tree, name, visit);
  } else if constexpr (is_tuple<Plain>) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (walk(std::get<I>(tree), below(name, I), visit), ...);
    }(std::make_index_sequence<std::tuple_size_v<Plain>>{});
  } else if constexpr (is_fixed<Plain>) {
    if constexpr (requires { visit.fixed(name, tree); }) visit.fixed(name, tree);
  } else {
    constexpr MembersFault fault = members_fault<Plain>();
    static_assert(
        fault != MembersFault::no_aggregate,
        "a structure of arrays is made of Array, numbers, strings, vectors, std::arrays, tuples, optionals and "
        "aggregates of these: structures without constructors, virtual functions and private members; a Tensor "
        "is an Array in it, and Values holds its data");
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
        (walk(std::get<I>(fields), below(name, member_name<Plain, I>()), visit), ...);
      }(std::make_index_sequence<std::tuple_size_v<decltype(fields)>>{});
    }
  }
}

}  // namespace octet::reflection

namespace octet::reflection {

struct StaticHash {
  Hasher& hasher;
  // By name: two structures whose vectors split their arrays differently are different.
  void operator()(const std::string& name, const Array&) { hasher.add(std::string_view{name}); }
  void fixed(const std::string& name, const std::string& text) {
    hasher.add(std::string_view{name}).add(std::string_view{text});
  }
  void fixed(const std::string& name, const Shape& shape) {
    hasher.add(std::string_view{name}).add(std::string_view{to_string(shape)});
  }
  template <class T>
    requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  void fixed(const std::string& name, const T& value) {
    hasher.add(std::string_view{name});
    if constexpr (std::is_floating_point_v<T>)
      hasher.add(std::bit_cast<std::uint64_t>(static_cast<double>(value)));
    else
      hasher.add(static_cast<std::uint64_t>(value));
  }
};

/// The same of what is no array, and of how long lists are, without names.
struct FixedHash {
  Hasher hasher;
  void operator()(Unnamed, const Array&) {}
  void holds(std::size_t count) { hasher.add(std::uint64_t{count}); }
  template <class T>
  void fixed(Unnamed, const T& value) {
    StaticHash{hasher}.fixed({}, value);
  }
};

/// Of what is made of arrays alone there is nothing to compare.
template <class T>
inline constexpr bool only_arrays = std::is_same_v<T, Array>;
template <class T, std::size_t N>
inline constexpr bool only_arrays<std::array<T, N>> = only_arrays<T>;
template <class... T>
inline constexpr bool only_arrays<std::tuple<T...>> = (only_arrays<T> && ...);
template <class A, class B>
inline constexpr bool only_arrays<std::pair<A, B>> = only_arrays<A> && only_arrays<B>;

}  // namespace octet::reflection

namespace octet {

/// A number for what is no array in `tree`, and for how long its lists are: what a program has one of, whatever it
/// computes. (How many arrays there are in all is compared elsewhere.)
template <class T>
std::uint64_t fixed_hash(const T& tree) {
  if constexpr (reflection::only_arrays<T> || std::is_same_v<T, std::vector<Array>>) {
    return 0;
  } else {
    reflection::FixedHash visit;
    reflection::walk(tree, reflection::Unnamed{}, visit);
    return visit.hasher.value();
  }
}

}  // namespace octet

export namespace octet {

/// Calls `visit(name, array)` for each Array of `tree` in the order of declaration; names are joined by dots below
/// `prefix`: `model.layers.0.attention.query.weight`.
template <class T, class Visit>
void for_each_array(T& tree, const std::string& prefix, Visit&& visit) {
  reflection::walk(tree, prefix, visit);
}

/// The same without names, which take time: `visit(array)`.
template <class T, class Visit>
void for_each_array(T& tree, Visit&& visit) {
  auto unnamed = [&](reflection::Unnamed, auto& array) { visit(array); };
  reflection::walk(tree, reflection::Unnamed{}, unnamed);
}

/// The arrays of `tree`, in that order.
template <class T>
std::vector<Array> arrays_of(const T& tree) {
  std::vector<Array> arrays;
  for_each_array(tree, [&](const Array& array) { arrays.push_back(array); });
  return arrays;
}

/// Their names.
template <class T>
std::vector<std::string> names_of(const T& tree, const std::string& prefix = "") {
  std::vector<std::string> names;
  for_each_array(tree, prefix, [&](const std::string& name, const Array&) { names.push_back(name); });
  return names;
}

/// `tree` with its arrays replaced by `arrays`, in that order. Throws X405 where there are fewer.
template <class T>
T with_arrays(T tree, const std::vector<Array>& arrays) {
  std::size_t next = 0;
  for_each_array(tree, [&](Array& array) { array = array_at(arrays, next++); });
  return tree;
}

/// A structure like `first`, each array of which is what `function` makes of the one there and of those at its place in
/// the others: `map_arrays([](Array w, Array g) { return w - g * 0.1; }, weights, gradient)`. Throws X405 where another
/// one has fewer arrays or more.
template <class Function, class T, class... Others>
T map_arrays(const Function& function, const T& first, const Others&... others) {
  const std::vector<std::vector<Array>> beside{arrays_of(others)...};
  std::vector<Array> results = arrays_of(first);
  for (const std::vector<Array>& arrays : beside)
    if (arrays.size() != results.size())
      fail([&] {
        return Diagnostic{.number = 405,
                          .sentence = "map_arrays: the first structure has " + std::to_string(results.size()) +
                                      (results.size() == 1 ? " array" : " arrays") + ", another one " +
                                      std::to_string(arrays.size()) + ".",
                          .where = placed({}),
                          .fix = {"give structures of as many arrays"}};
      });
  for (std::size_t i = 0; i < results.size(); ++i) {
    std::size_t other = 0;
    // Braces, so that the others come in order.
    results[i] = std::apply(function, std::tuple{results[i], (static_cast<void>(others), beside[other++][i])...});
  }
  return with_arrays(first, results);
}

/// A number for the static members of `tree` and the names of its arrays: what two structures must share to share a
/// program.
template <class T>
std::uint64_t structure_hash(const T& tree) {
  Hasher hasher;
  reflection::StaticHash visit{hasher};
  reflection::walk(tree, std::string{}, visit);
  return hasher.value();
}

/// The data of a `T`: one Tensor for each of its arrays, in the order of declaration, and its static members.
/// `T` says how a program uses the data; Values holds it between programs.
template <class T>
class Values {
 public:
  Values() = default;
  /// `structure`'s own arrays are not kept. Throws X405 where the number of tensors is not that of its arrays.
  Values(T structure, std::vector<Tensor> tensors) : structure_{std::move(structure)}, tensors_{std::move(tensors)} {
    std::size_t count = 0;
    for_each_array(structure_, [&](Array& array) {
      array = Array{};
      ++count;
    });
    if (count != tensors_.size())
      fail([&] {
        return Diagnostic{.number = 405,
                          .sentence = "A structure of " + std::to_string(count) + " arrays was given " +
                                      std::to_string(tensors_.size()) + " tensors."};
      });
  }

  const T& structure() const { return structure_; }
  const std::vector<Tensor>& tensors() const& { return tensors_; }
  std::vector<Tensor>& tensors() & { return tensors_; }
  std::vector<Tensor> tensors() && { return std::move(tensors_); }
  std::vector<std::string> names() const { return names_of(structure_); }
  /// The tensor of the array so named; throws X405 where there is none.
  Tensor& operator[](std::string_view name) { return tensors_[place_of(name)]; }
  const Tensor& operator[](std::string_view name) const { return tensors_[place_of(name)]; }

 private:
  std::size_t place_of(std::string_view name) const {
    const auto all = names();
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i] == name) return i;
    fail([&] {
      std::string known;
      for (const std::string& each : all) known += (known.empty() ? "" : ", ") + each;
      return Diagnostic{.number = 405,
                        .sentence = "There is no array named '" + std::string{name} + "' in this structure.",
                        .fix = {known.empty() ? "it has no arrays" : "name one of its own: " + known}};
    });
  }

  T structure_;
  std::vector<Tensor> tensors_;
};

/// A number for the bits of all tensors, names included: equal runs have equal hashes.
template <class T>
std::string hash_text(const Values<T>& values) {
  Hasher hasher;
  const auto names = values.names();
  for (std::size_t i = 0; i < names.size(); ++i)
    hasher.add(std::string_view{names[i]})
        .add(std::string_view{to_string(values.tensors()[i].type())})
        .add(values.tensors()[i].bytes());
  return hasher.text();
}

}  // namespace octet
