/// How many bytes a program holds that it allocated, and how many it held at most. Takes the place of the global
/// operator new: to be included by one file of a program.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace counted_memory {

/// Whether it counts: the thread sanitizer has operators of its own, and suffers no others.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define COUNTED_MEMORY_IS_THE_SANITIZERS
#endif
#endif
#ifdef COUNTED_MEMORY_IS_THE_SANITIZERS
constexpr bool counts = false;
#else
constexpr bool counts = true;
#endif

inline std::atomic<std::size_t> held{0}, most{0};
/// What can be held: beyond it, allocating throws std::bad_alloc.
inline std::atomic<std::size_t> limit{SIZE_MAX};

/// What `function` takes at most beyond what was held before.
template <class Function>
std::size_t peak_of(Function function) {
  const std::size_t before = held;
  most = before;
  function();
  return most - before;
}

// The size of each stands before it.
constexpr std::size_t header = std::max(alignof(std::max_align_t), sizeof(std::size_t));

inline void* allocate(std::size_t size, std::size_t alignment) {
  if (held > limit || size > limit - held) throw std::bad_alloc{};
  const std::size_t before = std::max(alignment, header), rounded = (size + alignment - 1) / alignment * alignment;
  auto* const block = static_cast<unsigned char*>(alignment > header ? std::aligned_alloc(alignment, before + rounded)
                                                                     : std::malloc(before + size));
  if (!block) throw std::bad_alloc{};
  unsigned char* const given = block + before;
  *reinterpret_cast<std::size_t*>(given - sizeof(std::size_t)) = size;
  const std::size_t now = held += size;
  for (std::size_t known = most; known < now && !most.compare_exchange_weak(known, now);) {
  }
  return given;
}

inline void* allocate_or_null(std::size_t size) noexcept {
  try {
    return allocate(size, 1);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

inline void release(void* given, std::size_t alignment) {
  if (!given) return;
  auto* const bytes = static_cast<unsigned char*>(given);
  held -= *reinterpret_cast<std::size_t*>(bytes - sizeof(std::size_t));
  std::free(bytes - std::max(alignment, header));
}

}  // namespace counted_memory

#ifndef COUNTED_MEMORY_IS_THE_SANITIZERS
void* operator new(std::size_t size) { return counted_memory::allocate(size, 1); }
void* operator new[](std::size_t size) { return counted_memory::allocate(size, 1); }
// Libraries' own of these call the two above; the address sanitizer's do not.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return counted_memory::allocate_or_null(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return counted_memory::allocate_or_null(size);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted_memory::allocate(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return counted_memory::allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* given) noexcept { counted_memory::release(given, 1); }
void operator delete[](void* given) noexcept { counted_memory::release(given, 1); }
void operator delete(void* given, std::size_t) noexcept { counted_memory::release(given, 1); }
void operator delete[](void* given, std::size_t) noexcept { counted_memory::release(given, 1); }
void operator delete(void* given, std::align_val_t alignment) noexcept {
  counted_memory::release(given, static_cast<std::size_t>(alignment));
}
void operator delete[](void* given, std::align_val_t alignment) noexcept {
  counted_memory::release(given, static_cast<std::size_t>(alignment));
}
void operator delete(void* given, std::size_t, std::align_val_t alignment) noexcept {
  counted_memory::release(given, static_cast<std::size_t>(alignment));
}
void operator delete[](void* given, std::size_t, std::align_val_t alignment) noexcept {
  counted_memory::release(given, static_cast<std::size_t>(alignment));
}
#endif
