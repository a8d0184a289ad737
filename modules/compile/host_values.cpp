module octet.compile;
import octet.base;
import octet.standard;
import :buckets;
import :cache;
import :host_values;
import :seen_shapes;
import :signature;

namespace octet {

std::string static_text(bool value) { return value ? "true" : "false"; }
std::string static_text(std::int64_t value) { return std::to_string(value); }
std::string static_text(std::uint64_t value) { return std::to_string(value); }

std::string static_text(float value) { return shortest_decimal(value); }
std::string static_text(double value) { return shortest_decimal(value); }

std::string static_text(const std::string& value) { return '"' + value + '"'; }
std::string static_text(const Shape& value) { return to_string(value); }

std::string argument_name(const std::vector<std::string>& names, std::size_t position) {
  return position < names.size() ? names[position] : "arg" + std::to_string(position);
}

namespace host {

void wrong_number_of_tensors(const std::string& name, std::size_t arrays, std::size_t tensors) {
  Diagnostic diagnostic{.number = 405,
                        .sentence = "Argument '" + name + "' is a structure of " + std::to_string(arrays) +
                                    " arrays and holds " + std::to_string(tensors) + " tensors."};
  if (tensors == 0) diagnostic.fix = {"pass its data with it, as a Values: Values{structure, tensors}"};
  fail(std::move(diagnostic));
}

}  // namespace host

}  // namespace octet
