module octet.train;
import octet.base;
import octet.nn;
import octet.standard;
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

}  // namespace octet::train
