module octet.compile;
import octet.base;
import octet.standard;
import :buckets;
import :cache;
import :host_values;
import :seen_shapes;
import :signature;

namespace octet {

Signature signature_of(const HostArguments& arguments) {
  Signature signature{
      .names = arguments.names, .types = {}, .statics = arguments.statics, .structure = arguments.structure};
  signature.types.reserve(arguments.tensors.size());
  for (const Tensor& tensor : arguments.tensors) signature.types.push_back(tensor.type());
  return signature;
}

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

bool KnownCalls::recall(const std::string& key, HostArguments& call) {
  const std::lock_guard lock{mutex_};
  const auto found = calls_.find(key);
  if (found == calls_.end()) return false;
  call = found->second.names;
  return true;
}

void KnownCalls::remember(const std::string& key, const HostArguments& call) {
  const std::lock_guard lock{mutex_};
  if (calls_.size() >= most_calls) calls_.clear();
  calls_[key].names = {.names = call.names, .tensors = {}, .statics = call.statics, .structure = call.structure};
}

std::shared_ptr<const CallOutcome> KnownCalls::outcome(const std::string& key) {
  const std::lock_guard lock{mutex_};
  const auto found = calls_.find(key);
  return found == calls_.end() ? nullptr : found->second.outcome;
}

void KnownCalls::remember(const std::string& key, CallOutcome outcome) {
  auto its_outcome = shared<const CallOutcome>(std::move(outcome));
  const std::lock_guard lock{mutex_};
  if (const auto found = calls_.find(key); found != calls_.end()) found->second.outcome = std::move(its_outcome);
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
