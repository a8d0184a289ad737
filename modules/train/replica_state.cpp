module octet.train;
import octet.base;
import octet.nn;
import octet.standard;
import octet.tpu;
import octet.trace;
import :replica_state;

namespace octet::train {

Tensor share_of(const Tensor& tensor, std::int64_t replica, std::int64_t replicas) {
  const std::int64_t share = nn::share_of_state(tensor.elements(), replicas);
  Tensor result{tensor.dtype(), Shape{share}};
  const auto bytes = static_cast<std::size_t>(result.type().bytes());
  const auto all = tensor.bytes();
  const auto own = all.subspan(std::min(all.size(), static_cast<std::size_t>(replica) * bytes));
  std::copy_n(own.begin(), std::min(own.size(), bytes), result.mutable_bytes().begin());
  return result;
}

Tensor of_shares(const TensorType& type, std::span<const Tensor> shares) {
  std::vector<std::byte> bytes;
  for (const Tensor& share : shares) bytes.insert(bytes.end(), share.bytes().begin(), share.bytes().end());
  bytes.resize(static_cast<std::size_t>(type.bytes()));
  return Tensor::of_bytes(type, bytes);
}

Tensor forgotten(const Tensor& tensor) {
  Tensor result{tensor.dtype(), tensor.shape()};
  for (std::byte& byte : result.mutable_bytes()) byte = std::byte{0xff};
  return result;
}

void require_state(const std::vector<Array>& model, const std::vector<std::string>& names,
                   const std::vector<Tensor>& tensors, std::int64_t step) {
  const auto refuse = [](std::string sentence, std::vector<std::string> fix) {
    fail({.number = 709, .sentence = std::move(sentence), .fix = std::move(fix)});
  };
  const std::vector<std::string> fix{"leave the options of the model as they were saved, and its tokenizer",
                                     "begin a new run with the other options"};
  if (tensors.size() != 3 * model.size() + 1)
    refuse("The options of the run make a model of " + std::to_string(model.size()) + " arrays, and its state has " +
               std::to_string(parameters_of(tensors.size())) + ".",
           fix);
  for (std::size_t i = 0; i + 1 < tensors.size(); ++i)
    if (const TensorType& made = model[i % model.size()].type(); made != tensors[i].type())
      refuse("The options of the run make '" + names.at(i) + "' " + to_string(made) + ", and in its state it is " +
                 to_string(tensors[i].type()) + ".",
             fix);
  if (const auto taken = static_cast<std::int64_t>(tensors.back().item()); taken != step)
    refuse("The run is said to be at step " + std::to_string(step) + ", and its state is at step " +
               std::to_string(taken) + ".",
           {"leave `step` as it was saved"});
}

void fail_lost(const std::set<std::int64_t>& lost, std::int64_t replicas, std::int64_t step, bool in_shares) {
  const bool one = lost.size() == 1;
  std::string who;
  for (const std::int64_t replica : lost) who += (who.empty() ? "" : ", ") + std::to_string(replica);
  fail([&] {
    return Diagnostic{
        .number = 612,
        .sentence = (one ? "Replica " : "Replicas ") + who + " of " + std::to_string(replicas) +
                    (one ? " is" : " are") + " lost, and step " + std::to_string(step) + " cannot end without " +
                    (one ? "it." : "them."),
        .fix = {in_shares || static_cast<std::int64_t>(lost.size()) == replicas
                    ? "go on from the last save: no replica that is left holds all of the state"
                    : "replace it with the state of a replica that is left, or go on from the last save"}};
  });
}

void fail_no_replica(const tpu::Slice& slice, std::int64_t replica) {
  fail([&] {
    return Diagnostic{
        .number = 613,
        .sentence = "There is no replica " + std::to_string(replica) + " to lose: " + slice.name +
                    (slice.replicas == 1 ? " has replica 0 only."
                                         : " has replicas 0 to " + std::to_string(slice.replicas - 1) + ".")};
  });
}

}  // namespace octet::train
