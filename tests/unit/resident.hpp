/// Of the tests: how much memory this process keeps, where the system tells and sanitizers do not keep what is freed.
#pragma once
#include <cstdint>
#include <fstream>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define MEMORY_IS_THE_SANITIZERS
#endif
#endif
#if defined(__linux__) && !defined(MEMORY_IS_THE_SANITIZERS)
constexpr bool resident_is_known = true;
#else
constexpr bool resident_is_known = false;
#endif

/// In megabytes.
inline std::int64_t resident() {
  std::int64_t all = 0, pages = 0;
  std::ifstream{"/proc/self/statm"} >> all >> pages;
  return pages * 4096 / 1'000'000;
}
