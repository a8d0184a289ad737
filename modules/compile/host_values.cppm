/// Host values: what a compiled function is called with, and returns (octet.compile:host_results). For each type that a
/// traced function takes there is one that holds its data on the host:
///
///     Array                        Tensor
///     a structure T of arrays      Values<T>
///     vector, array, optional,     the same of host values
///     tuple, pair of these
///     a number, text, enumeration, itself: static, a part of the program, so that each value has a program of its own.
///     Shape, or aggregate of them  (As a result, an aggregate is always a Values<T>.)
export module octet.compile:host_values;
import octet.base;
import octet.graph;
import octet.standard;
import octet.trace;
import :buckets;
import :cache;
import :executable;
export import :call;
export import :host_results;
import :seen_shapes;
import :signature;

export namespace octet {

/// A traced call: the program, and the structure into which its results go, without arrays.
struct Lowered {
  Graph graph;
  std::any structure;
};

/// A static value as a text that different values do not share.
std::string static_text(const reflection::Fixed& value);

}  // namespace octet

namespace octet::host {

using reflection::Path;

/// What takes a call apart: either names and static values, or, faster, its key and where its tensors are. Whatever can
/// be longer or shorter says in the key how long it is before it says what it is.
class Taking : public reflection::Visitor {
 public:
  void array(const Path& path, Array&) final {
    ++arrays_;
    named(path);
  }
  /// A tensor of its own, called `path`; whether it is an rvalue.
  void tensor(const Path& path, const Tensor& tensor, bool own) {
    ++arrays_;
    named(path);
    given({&tensor, 1}, own);
  }
  /// Those of a structure called `path` that has been walked, before which there were `before` arrays.
  void tensors(const Path& path, std::size_t before, std::span<const Tensor> all, bool own) {
    holds(all.size());
    require(path, arrays_ - before, all.size());
    given(all, own);
  }
  std::size_t arrays() const { return arrays_; }
  /// A structure called `path` has so many arrays, and was given so many tensors.
  virtual void require(const Path& path, std::size_t arrays, std::size_t tensors) = 0;
  /// A list without elements, which is not the same as none.
  virtual void empty_list(const Path&) {}

 protected:
  ~Taking() = default;
  virtual void named(const Path&) {}
  virtual void given(std::span<const Tensor>, bool /*own*/) {}

 private:
  std::size_t arrays_ = 0;
};

class Named final : public Taking {
 public:
  explicit Named(HostArguments& to) : to_{to} {}
  void fixed(const Path& path, const reflection::Fixed& value) override;
  void holds(std::size_t count) override;
  /// Throws X405 where the numbers are not equal.
  void require(const Path& path, std::size_t arrays, std::size_t tensors) override;
  void empty_list(const Path& path) override;

 private:
  void named(const Path& path) override;

  HostArguments& to_;
};

class Keyed final : public Taking {
 public:
  explicit Keyed(GivenCall& to) : to_{to} {}
  void fixed(const Path&, const reflection::Fixed& value) override;
  void holds(std::size_t count) override;
  void require(const Path&, std::size_t arrays, std::size_t tensors) override;
  void append(const void* bytes, std::size_t count);

 private:
  void append(const Shape& shape);
  void given(std::span<const Tensor> tensors, bool own) override;

  GivenCall& to_;
};

/// Gives placeholders for arrays, type by type.
struct Placeholders {
  const std::vector<TensorType>& types;
  std::size_t next = 0;
  Array operator()() { return parameter(types.at(next++), ""); }
};

/// How host values of one type are taken apart, and made symbolic. This one is for what is static.
template <class Host>
struct Argument {
  using Symbolic = Host;
  static void take(Taking& to, const Path& path, const Host& value) {
    const std::size_t before = to.arrays();
    reflection::walk(value, path, to);
    to.require(path, to.arrays() - before, 0);
  }
  static Symbolic symbolic(const Host& value, Placeholders&) { return value; }
};

template <class Host>
using Of = Argument<std::remove_cvref_t<Host>>;

/// Calls Argument::take for an element of `Whole`, as an rvalue where that is one.
template <class Whole, class Element>
void take_element(Taking& to, const Path& path, Element& element) {
  if constexpr (std::is_lvalue_reference_v<Whole>)
    Of<Element>::take(to, path, element);
  else
    Of<Element>::take(to, path, std::move(element));
}

template <>
struct Argument<const char*> {
  using Symbolic = std::string;
  static void take(Taking& to, const Path& path, const char* value) {
    const std::string text{value};
    to.fixed(path, &text);
  }
  static Symbolic symbolic(const char* value, Placeholders&) { return value; }
};

template <std::size_t N>
struct Argument<char[N]> : Argument<const char*> {};

template <>
struct Argument<Tensor> {
  using Symbolic = Array;
  template <class Value>
  static void take(Taking& to, const Path& path, Value&& value) {
    to.tensor(path, value, std::is_same_v<Value, Tensor>);
  }
  static Symbolic symbolic(const Tensor&, Placeholders& placeholders) { return placeholders(); }
};

template <class T>
struct Argument<Values<T>> {
  using Symbolic = T;
  template <class Value>
  static void take(Taking& to, const Path& path, Value&& value) {
    const std::size_t before = to.arrays();
    reflection::walk(value.structure(), path, to);
    to.tensors(path, before, value.tensors(), std::is_same_v<Value, Values<T>>);
  }
  static Symbolic symbolic(const Values<T>& value, Placeholders& placeholders) {
    Symbolic structure = value.structure();
    octet::for_each_array(structure, [&](Array& array) { array = placeholders(); });
    return structure;
  }
};

template <class Host>
struct Argument<std::vector<Host>> {
  using Symbolic = std::vector<typename Argument<Host>::Symbolic>;
  template <class Value>
  static void take(Taking& to, const Path& path, Value&& value) {
    to.holds(value.size());
    for (std::size_t i = 0; i < value.size(); ++i)
      if constexpr (std::same_as<Host, bool>) {
        const bool element = value[i];
        take_element<const bool&>(to, path.below(i), element);
      } else {
        take_element<Value>(to, path.below(i), value[i]);
      }
    if (value.empty()) to.empty_list(path);
  }
  static Symbolic symbolic(const std::vector<Host>& value, Placeholders& placeholders) {
    Symbolic result;
    for (const auto& element : value) result.push_back(Argument<Host>::symbolic(element, placeholders));
    return result;
  }
};

template <class Host>
struct Argument<std::optional<Host>> {
  using Symbolic = std::optional<typename Argument<Host>::Symbolic>;
  template <class Value>
  static void take(Taking& to, const Path& path, Value&& value) {
    to.holds(std::size_t{value.has_value()});
    if (value) take_element<Value>(to, path, *value);
  }
  static Symbolic symbolic(const std::optional<Host>& value, Placeholders& placeholders) {
    if (!value) return std::nullopt;
    return Argument<Host>::symbolic(*value, placeholders);
  }
};

/// std::array, std::tuple and std::pair: `Whole` of `Hosts`.
template <class Whole, class SymbolicWhole, class... Hosts>
struct TupleArgument {
  using Symbolic = SymbolicWhole;
  template <class Value>
  static void take(Taking& to, const Path& path, Value&& value) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (take_element<Value>(to, path.below(I), std::get<I>(value)), ...);
    }(std::index_sequence_for<Hosts...>{});
  }
  static Symbolic symbolic(const Whole& value, Placeholders& placeholders) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return Symbolic{Argument<Hosts>::symbolic(std::get<I>(value), placeholders)...};
    }(std::index_sequence_for<Hosts...>{});
  }
};

template <class... Hosts>
struct Argument<std::tuple<Hosts...>>
    : TupleArgument<std::tuple<Hosts...>, std::tuple<typename Argument<Hosts>::Symbolic...>, Hosts...> {};

template <class A, class B>
struct Argument<std::pair<A, B>>
    : TupleArgument<std::pair<A, B>, std::pair<typename Argument<A>::Symbolic, typename Argument<B>::Symbolic>, A, B> {
};

template <class Host, std::size_t N>
struct Argument<std::array<Host, N>> {
  using Symbolic = std::array<typename Argument<Host>::Symbolic, N>;
  template <class Value>
  static void take(Taking& to, const Path& path, Value&& value) {
    for (std::size_t i = 0; i < N; ++i) take_element<Value>(to, path.below(i), value[i]);
  }
  static Symbolic symbolic(const std::array<Host, N>& value, Placeholders& placeholders) {
    Symbolic result;
    for (std::size_t i = 0; i < N; ++i) result[i] = Argument<Host>::symbolic(value[i], placeholders);
    return result;
  }
};

}  // namespace octet::host

export namespace octet {

/// The type of the traced function's parameter for an argument of type `Host`.
template <class Host>
using symbolic_t = typename host::Of<Host>::Symbolic;

/// What `Function` returns when it is traced for arguments of types `Hosts`.
template <class Function, class... Hosts>
using symbolic_result_t = std::remove_cvref_t<std::invoke_result_t<const Function&, symbolic_t<Hosts>...>>;

/// Whether one of `Hosts` is an array, which stands for no data.
template <class Function, class... Hosts>
concept gives_arrays =
    ((std::same_as<std::remove_cvref_t<Hosts>, Array> || std::same_as<std::remove_cvref_t<Hosts>, operand>) || ...);

/// Whether `Function` can be called with arrays for these host values, and whether it then returns arrays.
template <class Function, class... Hosts>
concept takes_hosts =
    !takes_data<Function> && !gives_arrays<Function, Hosts...> && !wants_number<Function, symbolic_t<Hosts>...> &&
    std::invocable<const Function&, symbolic_t<Hosts>...>;
template <class Function, class... Hosts>
concept traceable = takes_hosts<Function, Hosts...> && !std::is_void_v<symbolic_result_t<Function, Hosts...>> &&
                    !std::same_as<symbolic_result_t<Function, Hosts...>, Tensor>;

/// Why it cannot be traced: it is called with arrays, it is a gradient of what is no loss, it takes data, numbers or
/// other arguments, or it returns data or nothing.
template <class Function, class... Hosts>
concept takes_no_loss = !gives_arrays<Function, Hosts...> && lacks_loss<Function, symbolic_t<Hosts>...>;
template <class Function, class... Hosts>
concept handles_data = !gives_arrays<Function, Hosts...> &&
                       (takes_data<Function> || (takes_hosts<Function, Hosts...> &&
                                                 std::same_as<symbolic_result_t<Function, Hosts...>, Tensor>));
template <class Function, class... Hosts>
concept takes_numbers = !gives_arrays<Function, Hosts...> && !takes_no_loss<Function, Hosts...> &&
                        !takes_data<Function> && wants_number<Function, symbolic_t<Hosts>...>;
template <class Function, class... Hosts>
concept takes_others =
    !gives_arrays<Function, Hosts...> && !takes_hosts<Function, Hosts...> && !takes_no_loss<Function, Hosts...> &&
    !takes_data<Function> && !takes_numbers<Function, Hosts...>;
template <class Function, class... Hosts>
concept gives_nothing = takes_hosts<Function, Hosts...> && std::is_void_v<symbolic_result_t<Function, Hosts...>>;

/// The name of the argument at `position`: the one in `names`, or `arg2`.
std::string argument_name(const std::vector<std::string>& names, std::size_t position);
/// Throws X709 where there are more `names` than `arguments`.
void require_arguments(const std::vector<std::string>& names, std::size_t arguments);

/// Looks at a call, and moves nothing.
template <class... Hosts>
GivenCall given_call(Hosts&&... hosts) {
  GivenCall given;
  const std::type_info* const types = &typeid(std::tuple<symbolic_t<Hosts>...>);
  host::Keyed keyed{given};
  keyed.append(&types, sizeof types);
  (host::Of<Hosts>::take(keyed, host::Path{""}, std::forward<Hosts>(hosts)), ...);
  return given;
}

/// Takes a call apart, in the order in which `lower` lists the parameters. Tensors stay where they are, too. Throws
/// X405 where a structure holds more or fewer tensors than it has arrays. `known` remembers names and static values,
/// for calls with the same `names`; `given` is this call's.
template <class... Hosts>
HostArguments flatten_given(const std::vector<std::string>& names, KnownCalls& known, const GivenCall& given,
                            const Hosts&... hosts) {
  HostArguments result;
  if (!given.fits || !known.recall(given.key, result)) {
    require_arguments(names, sizeof...(Hosts));
    host::Named named{result};
    std::size_t position = 0;
    (host::Of<Hosts>::take(named, host::Path{argument_name(names, position++)}, hosts), ...);
    result.structure = typeid(std::tuple<symbolic_t<Hosts>...>).name();
    known.remember(given.key, result);
  }
  result.tensors.reserve(given.tensors.size());
  for (const GivenTensor& tensor : given.tensors) result.tensors.push_back(*tensor);
  return result;
}

/// The same. Tensors are moved out of rvalues, whose structures stay as they are; not where it throws.

template <class... Hosts>
HostArguments flatten(const std::vector<std::string>& names, KnownCalls& known, Hosts&&... hosts) {
  const GivenCall given = given_call(std::forward<Hosts>(hosts)...);
  HostArguments result = flatten_given(names, known, given, hosts...);
  for (const GivenTensor& tensor : given.tensors) tensor.let_go();
  return result;
}

template <class... Hosts>
HostArguments flatten(const std::vector<std::string>& names, Hosts&&... hosts) {
  KnownCalls known;
  return flatten(names, known, std::forward<Hosts>(hosts)...);
}

/// Traces `function` for a call whose arrays have the element types and shapes `types`; of `hosts`, only structures and
/// static values matter, so that arguments that were flattened as rvalues will do.
template <class Function, class... Hosts>
Lowered lower(const Function& function, const std::vector<std::string>& names, const std::vector<TensorType>& types,
              const Hosts&... hosts) {
  host::Placeholders placeholders{types};
  // Braces: arguments are made from left to right.
  const std::tuple<symbolic_t<Hosts>...> arguments{host::Of<Hosts>::symbolic(hosts, placeholders)...};
  // With template arguments: only whether the function takes a list of arrays would be asked otherwise, and to ask that
  // of a generic one compiles it for such a list.
  auto traced = std::apply(
      [&]<class... Each>(const Each&... each) { return trace<const Function&, Each...>(function, names, each...); },
      arguments);
  octet::for_each_array(traced.structure, [](Array& array) { array = {}; });
  return {std::move(traced.graph), std::any{std::move(traced.structure)}};
}

}  // namespace octet
