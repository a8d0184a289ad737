module octet.compile;
import octet.base;
import octet.standard;
import :buckets;
import :cache;
import :call;
import :seen_shapes;
import :signature;

namespace octet {

std::vector<GivenTensor> given_for_run(const GivenCall& given, HostArguments& call) {
  std::vector<GivenTensor> tensors;
  tensors.reserve(given.tensors.size());
  for (std::size_t i = 0; i < given.tensors.size(); ++i) {
    Tensor& own = call.tensors[i];
    if (own.data() != given.tensors[i]->data()) {
      tensors.emplace_back(std::move(own));
      continue;
    }
    Tensor{std::move(own)};  // one that shares its storage, which would be copied where it is written over
    tensors.push_back(given.tensors[i]);
  }
  return tensors;
}

Signature signature_of(const HostArguments& arguments) {
  Signature signature{.names = arguments.names,
                      .types = {},
                      .statics = arguments.statics,
                      .lengths = arguments.lengths,
                      .structure = arguments.structure};
  signature.types.reserve(arguments.tensors.size());
  for (const Tensor& tensor : arguments.tensors) signature.types.push_back(tensor.type());
  return signature;
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
  calls_[key].names = {.names = call.names,
                       .tensors = {},
                       .statics = call.statics,
                       .lengths = call.lengths,
                       .structure = call.structure};
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

}  // namespace octet
