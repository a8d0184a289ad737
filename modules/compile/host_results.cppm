/// What a compiled function returns: the structure of the traced function's result, with data on the host in place of
/// its arrays.
export module octet.compile:host_results;
import octet.base;
import octet.standard;
import octet.trace;

namespace octet::host {

/// Gives tensors out one by one.
struct Supply {
  std::vector<Tensor> tensors;
  std::size_t next = 0;
  Tensor operator()() { return std::move(tensors.at(next++)); }
  std::vector<Tensor> take(std::size_t count) {
    std::vector<Tensor> taken;
    taken.reserve(count);
    while (taken.size() < count) taken.push_back((*this)());
    return taken;
  }
};

/// The host value of a symbolic type, and how it is put together. This one is for aggregates and for what is static.
template <class T>
struct Result {
  static constexpr bool is_static =
      std::is_arithmetic_v<T> || std::is_enum_v<T> || std::same_as<T, std::string> || std::same_as<T, Shape>;
  using Host = std::conditional_t<is_static, T, Values<T>>;
  static Host assemble(const T& structure, Supply& supply) {
    if constexpr (is_static) {
      return structure;
    } else {
      return Host{structure, supply.take(octet::count_arrays(structure))};
    }
  }
};

template <>
struct Result<Array> {
  using Host = Tensor;
  static Host assemble(const Array&, Supply& supply) { return supply(); }
};

template <class T>
struct Result<std::vector<T>> {
  using Host = std::vector<typename Result<T>::Host>;
  static Host assemble(const std::vector<T>& structure, Supply& supply) {
    Host result;
    for (const T& element : structure) result.push_back(Result<T>::assemble(element, supply));
    return result;
  }
};

template <class T>
struct Result<std::optional<T>> {
  using Host = std::optional<typename Result<T>::Host>;
  static Host assemble(const std::optional<T>& structure, Supply& supply) {
    if (!structure) return std::nullopt;
    return Result<T>::assemble(*structure, supply);
  }
};

template <class Whole, class HostWhole, class... Ts>
struct TupleResult {
  using Host = HostWhole;
  static Host assemble(const Whole& structure, Supply& supply) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return Host{Result<Ts>::assemble(std::get<I>(structure), supply)...};
    }(std::index_sequence_for<Ts...>{});
  }
};

template <class... Ts>
struct Result<std::tuple<Ts...>> : TupleResult<std::tuple<Ts...>, std::tuple<typename Result<Ts>::Host...>, Ts...> {};

template <class A, class B>
struct Result<std::pair<A, B>>
    : TupleResult<std::pair<A, B>, std::pair<typename Result<A>::Host, typename Result<B>::Host>, A, B> {};

template <class T, std::size_t N>
struct Result<std::array<T, N>> {
  using Host = std::array<typename Result<T>::Host, N>;
  static Host assemble(const std::array<T, N>& structure, Supply& supply) {
    Host result;
    for (std::size_t i = 0; i < N; ++i) result[i] = Result<T>::assemble(structure[i], supply);
    return result;
  }
};

}  // namespace octet::host

export namespace octet {

/// The type of the host value for a traced function's result of type `T`.
template <class T>
using host_t = typename host::Result<std::remove_cvref_t<T>>::Host;

/// Puts the results of a program into the structure that `lower` found.
template <class T>
host_t<T> unflatten(const T& structure, std::vector<Tensor> tensors) {
  host::Supply supply{std::move(tensors)};
  return host::Result<T>::assemble(structure, supply);
}

}  // namespace octet
