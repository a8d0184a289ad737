/// Structures of arrays: aggregates, vectors, arrays, tuples, optionals and variants of them, traversed field by field
/// with their names, without macros. Which alternative a variant holds is static, as how long a vector is
/// (an Array is put into one by emplace<Array>(x): to all else an Array seems convertible). Other members (numbers,
/// enumerations, strings) are static: part of the program, not of the data.
export module octet.trace:tree;
import octet.base;
import octet.standard;
import :array;
import :walk;

namespace octet::reflection {

/// A number for what is no array, and for how long lists are.
class FixedHash final : public Visitor {
 public:
  std::uint64_t value() const { return hasher_.value(); }
  void array(const Path&, Array&) override {}
  void fixed(const Path&, const Fixed& value) override;
  void holds(std::size_t count) override;

 private:
  Hasher hasher_;
};

/// A function that is called with each array, and its name where it takes that, without its type.
template <class... Name>
struct Erased {
  void* visit;
  void (*call)(void* visit, Name... name, Array& array);
};

/// `visit`, which is given a constant array where `T` is constant.
template <class T, class... Name, class Visit>
Erased<Name...> erased(Visit& visit) {
  return {const_cast<void*>(static_cast<const void*>(std::addressof(visit))),
          [](void* what, Name... name, Array& array) {
            using Given = std::conditional_t<std::is_const_v<T>, const Array, Array>;
            (*static_cast<Visit*>(what))(name..., static_cast<Given&>(array));
          }};
}

class EachArray final : public Visitor {
 public:
  explicit EachArray(Erased<> to) : to_{to} {}
  void array(const Path&, Array& array) override;

 private:
  Erased<> to_;
};
class EachNamedArray final : public Visitor {
 public:
  explicit EachNamedArray(Erased<const std::string&> to) : to_{to} {}
  void array(const Path& path, Array& array) override;

 private:
  Erased<const std::string&> to_;
};

/// What is called: a function by its address.
template <class Visit>
Visit& called(Visit& visit) {
  return visit;
}
template <class Result, class... Arguments>
auto called(Result (&function)(Arguments...)) {
  return &function;
}

/// A structure without its type.
struct Tree {
  void* structure;
  void (*walk_in)(void* structure, const Path&, Visitor&);
};
template <class T>
Tree tree(T& structure) {
  using Plain = std::remove_const_t<T>;
  return {const_cast<Plain*>(std::addressof(structure)),
          [](void* whole, const Path& path, Visitor& visitor) { walk(*static_cast<Plain*>(whole), path, visitor); }};
}

/// Calls `visit(array)`, or `visit(name, array)` with names below `prefix`.
void each_array(Tree tree, auto visit) {
  EachArray visitor{erased<Array>(visit)};
  tree.walk_in(tree.structure, Path{""}, visitor);
}
void each_array(Tree tree, const std::string& prefix, auto visit) {
  EachNamedArray visitor{erased<Array, const std::string&>(visit)};
  tree.walk_in(tree.structure, Path{prefix}, visitor);
}

std::vector<Array> arrays_of(Tree tree);
std::vector<std::string> names_of(Tree tree, const std::string& prefix);
std::size_t count_arrays(Tree tree);
/// Throws X405 where there are fewer arrays than the tree has.
void set_arrays(Tree tree, const std::vector<Array>& arrays);
/// Makes all arrays empty; how many there are.
std::size_t empty_arrays(Tree tree);

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

/// Throw X405: a structure of so many arrays was given so many tensors; structures of unlike numbers of arrays are
/// mapped.
[[noreturn]] void fail_count(std::size_t arrays, std::size_t tensors);
[[noreturn]] void fail_mapping(std::size_t arrays, std::size_t others);
/// Where `name` is among `names`; throws X405 where it is not.
std::size_t place_among(const std::vector<std::string>& names, std::string_view name);

/// A number for what is no array in `tree`, and for how long its lists are: what a program has one of, whatever it
/// computes. (How many arrays there are in all is compared elsewhere.)
template <class T>
std::uint64_t fixed_hash(const T& tree) {
  if constexpr (reflection::only_arrays<T> || std::is_same_v<T, std::vector<Array>>) {
    return 0;
  } else {
    reflection::FixedHash visitor;
    reflection::walk(tree, reflection::Path{""}, visitor);
    return visitor.value();
  }
}

}  // namespace octet

export namespace octet {

/// Calls `visit(name, array)` for each Array of `tree` in the order of declaration; names are joined by dots below
/// `prefix`: `model.layers.0.attention.query.weight`.
template <class T, class Visit>
void for_each_array(T& tree, const std::string& prefix, Visit&& visit) {
  auto&& called = reflection::called(visit);
  reflection::EachNamedArray visitor{reflection::erased<T, const std::string&>(called)};
  reflection::walk(tree, reflection::Path{prefix}, visitor);
}

/// The same without names, which take time: `visit(array)`.
template <class T, class Visit>
void for_each_array(T& tree, Visit&& visit) {
  auto&& called = reflection::called(visit);
  reflection::EachArray visitor{reflection::erased<T>(called)};
  reflection::walk(tree, reflection::Path{""}, visitor);
}

/// The arrays of `tree`, in that order.
template <class T>
std::vector<Array> arrays_of(const T& tree) {
  return reflection::arrays_of(reflection::tree(tree));
}

/// How many they are.
template <class T>
std::size_t count_arrays(const T& tree) {
  return reflection::count_arrays(reflection::tree(tree));
}

/// Their names.
template <class T>
std::vector<std::string> names_of(const T& tree, const std::string& prefix = "") {
  return reflection::names_of(reflection::tree(tree), prefix);
}

/// `tree` with its arrays replaced by `arrays`, in that order. Throws X405 where there are fewer.
template <class T>
T with_arrays(T tree, const std::vector<Array>& arrays) {
  reflection::set_arrays(reflection::tree(tree), arrays);
  return tree;
}

/// A structure like `first`, each array of which is what `function` makes of the one there and of those at its place in
/// the others: `map_arrays([](Array w, Array g) { return w - g * 0.1; }, weights, gradient)`. Throws X405 where another
/// one has fewer arrays or more.
template <class Function, class T, class... Others>
T map_arrays(const Function& function, const T& first, const Others&... others) {
  const std::vector<std::vector<Array>> beside{octet::arrays_of(others)...};
  std::vector<Array> results = octet::arrays_of(first);
  for (const std::vector<Array>& arrays : beside)
    if (arrays.size() != results.size()) fail_mapping(results.size(), arrays.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    std::size_t other = 0;
    // Braces, so that the others come in order.
    results[i] = std::apply(function, std::tuple{results[i], (static_cast<void>(others), beside[other++][i])...});
  }
  return octet::with_arrays(first, results);
}

template <class T>
class Values;

/// Whether a `T` holds numbers, where a traced function has arrays.
template <class T>
inline constexpr bool is_data = std::same_as<T, Tensor>;
template <class T>
inline constexpr bool is_data<Values<T>> = true;

/// The same of lists, too.
template <class T>
inline constexpr bool holds_data = is_data<T>;
template <class T>
inline constexpr bool holds_data<std::vector<T>> = holds_data<T>;
template <class T, std::size_t N>
inline constexpr bool holds_data<std::array<T, N>> = holds_data<T>;
template <class T>
inline constexpr bool holds_data<std::optional<T>> = holds_data<T>;
template <class... T>
inline constexpr bool holds_data<std::tuple<T...>> = (holds_data<T> || ...);
template <class A, class B>
inline constexpr bool holds_data<std::pair<A, B>> = holds_data<A> || holds_data<B>;

/// Whether `Function` names data among its parameters, to which an Array only seems convertible.
template <class Function>
inline constexpr bool takes_data = false;
template <class Function>
  requires requires { &Function::operator(); }
inline constexpr bool takes_data<Function> = takes_data<decltype(&Function::operator())>;
template <class Result, class... Given>
inline constexpr bool takes_data<Result (*)(Given...)> = (holds_data<std::remove_cvref_t<Given>> || ...);
template <class Result, class Self, class... Given>
inline constexpr bool takes_data<Result (Self::*)(Given...) const> = takes_data<Result (*)(Given...)>;
template <class Result, class Self, class... Given>
inline constexpr bool takes_data<Result (Self::*)(Given...) const noexcept> = takes_data<Result (*)(Given...)>;

/// Whether `Function` names data where one of `Given` is none.
template <class Function, class... Given>
inline constexpr bool wants_data = false;
template <class Function, class... Given>
  requires requires { &Function::operator(); }
inline constexpr bool wants_data<Function, Given...> = wants_data<decltype(&Function::operator()), Given...>;
template <class Result, class... Named, class... Given>
  requires(sizeof...(Named) == sizeof...(Given))
inline constexpr bool wants_data<Result (*)(Named...), Given...> =
    ((holds_data<std::remove_cvref_t<Named>> && !holds_data<Given>) || ...);
template <class Result, class Self, class... Named, class... Given>
inline constexpr bool wants_data<Result (Self::*)(Named...) const, Given...> =
    wants_data<Result (*)(Named...), Given...>;
template <class Result, class Self, class... Named, class... Given>
inline constexpr bool wants_data<Result (Self::*)(Named...) const noexcept, Given...> =
    wants_data<Result (*)(Named...), Given...>;

/// The data of a `T`: one Tensor for each of its arrays, in the order of declaration, and its static members.
/// `T` says how a program uses the data; Values holds it between programs.
template <class T>
class Values {
 public:
  Values() = default;
  /// `structure`'s own arrays are not kept. Throws X405 where the number of tensors is not that of its arrays.
  Values(T structure, std::vector<Tensor> tensors) : structure_{std::move(structure)}, tensors_{std::move(tensors)} {
    const std::size_t count = reflection::empty_arrays(reflection::tree(structure_));
    if (count != tensors_.size()) fail_count(count, tensors_.size());
  }

  const T& structure() const { return structure_; }
  const std::vector<Tensor>& tensors() const& { return tensors_; }
  std::vector<Tensor>& tensors() & { return tensors_; }
  std::vector<Tensor> tensors() && { return std::move(tensors_); }
  std::vector<std::string> names() const { return octet::names_of(structure_); }
  /// The tensor of the array so named; throws X405 where there is none.
  Tensor& operator[](std::string_view name) { return tensors_[place_among(names(), name)]; }
  const Tensor& operator[](std::string_view name) const { return tensors_[place_among(names(), name)]; }

 private:
  T structure_;
  std::vector<Tensor> tensors_;
};

/// A number for the bits of all tensors, names included: equal runs have equal hashes.
std::string hash_text(const std::vector<std::string>& names, const std::vector<Tensor>& tensors);
template <class T>
std::string hash_text(const Values<T>& values) {
  return hash_text(values.names(), values.tensors());
}

}  // namespace octet
