module;
#include <cstdlib>
#include <new>
#if defined(__linux__)
#include <sys/mman.h>
#endif
module octet.base;
import octet.standard;

namespace octet::detail {

std::byte* allocate_bytes(std::size_t bytes) {
  std::size_t alignment = 64;
  constexpr bool wide = sizeof(std::size_t) == 8;
  constexpr std::size_t addressable = wide ? std::size_t{1} << 47 : std::numeric_limits<std::size_t>::max() / 2 - 1;
  if (bytes > addressable) throw std::bad_alloc{};
#if defined(__linux__)
  constexpr std::size_t large_page = std::size_t{2} << 20;
  // A part of a page counts as one from half of it on.
  const std::size_t large = (bytes + large_page / 2) / large_page * large_page;
  if (large) alignment = large_page;
#endif
  const std::size_t size = std::max<std::size_t>(bytes + alignment - 1, alignment) / alignment * alignment;
  auto* const memory = static_cast<std::byte*>(std::aligned_alloc(alignment, size));
  if (!memory) throw std::bad_alloc{};
#if defined(__linux__)
  if (large) madvise(memory, large, MADV_HUGEPAGE);
#endif
  return memory;
}

void ReleaseBytes::operator()(std::byte* memory) const noexcept { std::free(memory); }

}  // namespace octet::detail
