module;
#include <new>
module octet.compile;
import octet.base;
import octet.standard;
import :result_memory;

namespace octet {

namespace {

/// Less than this, and an allocator has it at hand.
constexpr std::int64_t worth_keeping = 64 << 10;

}  // namespace

std::size_t ResultMemory::kept_bytes(const TensorType& type) {
  return type.bytes() < worth_keeping ? 0 : static_cast<std::size_t>(type.bytes());
}

Tensor ResultMemory::make(std::size_t result, const TensorType& type, std::size_t replicas) const {
  try {
    const bool comes_back = kept_bytes(type) > 0;
    detail::Memory memory;
    if (comes_back) {
      const std::lock_guard lock{spares_->mutex};
      auto& spares = spares_->of_result[result];
      if (!spares.empty()) {
        memory = std::move(spares.back());
        spares.pop_back();
      } else {
        spares.reserve(replicas);  // so that taking one back allocates nothing
      }
    }
    if (!memory) memory.reset(detail::allocate_bytes(static_cast<std::size_t>(type.bytes())));
    if (!comes_back) return Tensor::over(type, std::move(memory));
    return Tensor::over(type, {memory.release(), Return{spares_, result, replicas}});
  } catch (const std::bad_alloc&) {
    return Tensor{type};  // which says how much there is not
  }
}

void ResultMemory::Return::operator()(std::byte* memory) const noexcept {
  detail::Memory owned{memory};
  if (const auto kept = spares.lock()) {
    const std::lock_guard lock{kept->mutex};
    auto& spare = kept->of_result[result];
    if (spare.size() < most && spare.size() < spare.capacity()) spare.push_back(std::move(owned));
  }
}

}  // namespace octet
