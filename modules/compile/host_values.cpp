module octet.compile;
import octet.base;
import octet.standard;
import octet.trace;
import :buckets;
import :cache;
import :host_values;
import :seen_shapes;
import :signature;

namespace octet {

std::string static_text(const reflection::Fixed& value) {
  return std::visit(
      []<class T>(const T& each) -> std::string {
        if constexpr (std::same_as<T, bool>)
          return each ? "true" : "false";
        else if constexpr (std::floating_point<T>)
          return shortest_decimal(each);
        else if constexpr (std::same_as<T, const std::string*>)
          return '"' + *each + '"';
        else if constexpr (std::same_as<T, const Shape*>)
          return to_string(*each);
        else
          return std::to_string(each);
      },
      value);
}

std::string argument_name(const std::vector<std::string>& names, std::size_t position) {
  return position < names.size() ? names[position] : "arg" + std::to_string(position);
}

void require_arguments(const std::vector<std::string>& names, std::size_t arguments) {
  if (names.size() > arguments)
    fail([&] {
      return Diagnostic{
          .number = 709,
          .sentence = "argument_names has " + std::to_string(names.size()) + " names, and the call " +
                      std::to_string(arguments) + (arguments == 1 ? " argument." : " arguments."),
          .rule = "Buckets and donations go by these names, and one without an argument would be for none.",
          .fix = {"leave '" + names[arguments] + "' out", "pass the argument that it names"}};
    });
}

namespace host {

void Named::named(const Path& path) { to_.names.push_back(path.name()); }
void Named::holds(std::size_t count) { to_.lengths.push_back(count); }
void Named::fixed(const Path& path, const reflection::Fixed& value) {
  to_.statics.push_back({path.name(), static_text(value)});
}
void Named::empty_list(const Path& path) { to_.statics.push_back({path.name(), "{}"}); }

void Named::require(const Path& path, std::size_t arrays, std::size_t tensors) {
  if (arrays == tensors) return;
  fail([&] {
    Diagnostic diagnostic{.number = 405,
                          .sentence = "Argument '" + path.name() + "' is a structure of " + std::to_string(arrays) +
                                      " arrays and holds " + std::to_string(tensors) + " tensors."};
    if (tensors == 0) diagnostic.fix = {"pass its data with it, as a Values: Values{structure, tensors}"};
    return diagnostic;
  });
}

void Keyed::append(const void* bytes, std::size_t count) { to_.key.append(static_cast<const char*>(bytes), count); }
void Keyed::append(const Shape& shape) {
  holds(static_cast<std::size_t>(shape.rank()));
  append(shape.begin(), static_cast<std::size_t>(shape.rank()) * sizeof(std::int64_t));
}
void Keyed::holds(std::size_t count) { append(&count, sizeof count); }

void Keyed::fixed(const Path&, const reflection::Fixed& value) {
  std::visit(
      [&]<class T>(const T& each) {
        if constexpr (std::same_as<T, const std::string*>) {
          holds(each->size());
          append(each->data(), each->size());
        } else if constexpr (std::same_as<T, const Shape*>) {
          append(*each);
        } else {
          append(&each, sizeof each);
        }
      },
      value);
}

void Keyed::require(const Path&, std::size_t arrays, std::size_t tensors) { to_.fits &= arrays == tensors; }

namespace {

/// At least doubled: a call may have thousands of structures, each of which has a few tensors.
void make_room(auto& container, std::size_t more) {
  const std::size_t wanted = container.size() + more;
  if (wanted > container.capacity()) container.reserve(std::max(wanted, 2 * container.capacity()));
}

}  // namespace

void Keyed::given(std::span<const Tensor> tensors, bool own) {
  constexpr std::size_t of_two_dimensions = sizeof(DType) + sizeof(std::size_t) + 3 * sizeof(std::int64_t);
  make_room(to_.tensors, tensors.size());
  make_room(to_.key, tensors.size() * of_two_dimensions);
  for (const Tensor& tensor : tensors) {
    const DType type = tensor.dtype();
    append(&type, sizeof type);
    append(tensor.shape());
    if (own)
      to_.tensors.emplace_back(const_cast<Tensor&&>(tensor));
    else
      to_.tensors.emplace_back(tensor);
  }
}

}  // namespace host

}  // namespace octet
