/// Values of replicas: one of each kind for each replica, and what holds between them.
export module octet.tpu:replicas;
import octet.base;
import octet.compile;
import octet.standard;
import octet.trace;

namespace octet::tpu::detail {

/// Throws X403 for fewer replicas than none, and for more than any slice has.
void require_replicas(std::int64_t replicas);
/// Throws X405 unless the argument called `name`, which holds values for `given` replicas, does for as many as there
/// are.
void require_one_each(const std::string& name, std::size_t given, std::int64_t replicas);

}  // namespace octet::tpu::detail

export namespace octet::tpu {

/// A host value (Tensor, Values<T>) for each replica.
template <class Host>
struct Replicated {
  std::vector<Host> each;
  const Host& operator[](std::size_t replica) const { return each[replica]; }
  Host& operator[](std::size_t replica) { return each[replica]; }
  std::size_t size() const { return each.size(); }
};

/// The same value on every replica. Storage is shared until a replica writes. Throws X403 for fewer than none, and for
/// more than any slice has.
template <class Host>
Replicated<Host> replicated(const Host& value, std::int64_t replicas) {
  detail::require_replicas(replicas);
  return {std::vector<Host>(static_cast<std::size_t>(replicas), value)};
}

/// A host value of which each replica gets its share of the rows, as of a batch.
template <class Host>
struct Sharded {
  Host whole;
};

/// Each replica is to have an equal share of every tensor of `whole`, along its leading axis.
template <class Host>
Sharded<Host> sharded(Host whole) {
  return {std::move(whole)};
}

/// `tensor` cut along its leading axis into equal shares; throws X601, naming the argument, where it cannot be.
std::vector<Tensor> shares(const Tensor& tensor, std::int64_t replicas, const std::string& argument);

/// `rows` [n, …] with rows of `value` after the last, so that there are `count`: of a batch that replicas cannot share,
/// with `value` that of an example of weight zero. Throws X601 where there are more than `count` already, or none can
/// be added.
Tensor filled_up(const Tensor& rows, std::int64_t count, double value);

/// The arguments of which all calls hold the very same tensors, not merely equal ones. A call is one replica's;
/// argument i is called argument_name(names, i), and there are `count` of them.
std::vector<std::string> shared_arguments(const std::vector<HostArguments>& calls,
                                          const std::vector<std::string>& names, std::size_t count);

/// Throws X405 where a replica's call differs from replica 0's in what is no tensor: all run one program.
void require_one_program(const std::vector<HostArguments>& calls);
/// The same where a tensor is of another type. `fix` is what to do where types differ in extents alone.
void require_one_type(const std::vector<HostArguments>& calls, const char* fix);

/// Throws X602 where a replica's tensor differs from replica 0's in any bit, and names it; X405 where one is not there.
void require_equal(const std::vector<std::string>& names, const std::vector<const std::vector<Tensor>*>& replicas);

/// The same for what replicas return: a loss, or a structure.
void require_equal(const Replicated<Tensor>& values);
template <class T>
void require_equal(const Replicated<Values<T>>& values) {
  std::vector<const std::vector<Tensor>*> tensors;
  for (const Values<T>& value : values.each) tensors.push_back(&value.tensors());
  if (!tensors.empty()) require_equal(values[0].names(), tensors);
}

}  // namespace octet::tpu

namespace octet::tpu::detail {

template <class T>
inline constexpr bool is_replicated = false;
template <class Host>
inline constexpr bool is_replicated<Replicated<Host>> = true;
template <class T>
inline constexpr bool is_sharded = false;
template <class Host>
inline constexpr bool is_sharded<Sharded<Host>> = true;

/// One replica's value of an argument of this type.
template <class Argument>
struct OneOf {
  using type = Argument;
};
template <class Host>
struct OneOf<Replicated<Host>> {
  using type = Host;
};
template <class Host>
struct OneOf<Sharded<Host>> {
  using type = Host;
};
template <class Argument>
using one_of_t = typename OneOf<std::remove_cvref_t<Argument>>::type;

}  // namespace octet::tpu::detail
